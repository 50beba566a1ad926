"""From deals to answers: which search is asked when, within which limits.

The order is by cost: a dive answers nearly every deal with unlimited recycles in about a
hundred positions; the exhaustive search decides what is left, with longer dives in between.
Nothing here depends on the clock but the time limit, so answers are the same on every run.
"""

import threading
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.moves import Move
from ..engine.referee import replay
from ..engine.rules import Rules
from ..engine.state import pack
from . import carry, dive, exhaust, plan, table
from .homes import JOURNAL
from .position import NO_LIMIT, NODE, game_record, load
from .verdict import Answer, Limits, Verdict

QUICK_NODES = 3_000
"""Positions of the dives that every deal with unlimited recycles gets first."""
STAGES = ((QUICK_NODES, 30_000), (100_000, 1_000_000), (1_000_000, 1 << 62))
"""Totals of dives and of the exhaustive search, each stage in turn."""
NO_NODE_LIMIT = 1 << 62
CHUNK_NODES = 50_000
"""Positions between two looks at the clock."""
DIVE_ROWS = 1 << 16
FIRST_ROWS = 1 << 17
DIVE_WIN = "win found by a dive"


class Workspace:
    """The memory of one thread that searches: one deal at a time."""

    def __init__(self, rules: Rules) -> None:
        """Reserve what does not depend on the deal."""
        self.rules = rules
        self.game = game_record(rules)
        self.start = np.zeros(1, NODE)
        self.dive = np.zeros(1, dive.DIVE)
        self.journal = np.zeros(1, JOURNAL)
        self.dive_nodes = np.zeros(dive.MAX_DEPTH, NODE)
        self.dive_rows = table.new_table(DIVE_ROWS)
        self.search = np.zeros(1, exhaust.SEARCH)
        self.search_nodes = np.zeros(exhaust.NODES, NODE)
        self.search_rows = table.new_table(FIRST_ROWS)
        self.plan = np.zeros(plan.MAX_PLAN, np.int64)
        self.moves = np.zeros(carry.MAX_MOVES, np.int64)

    def load(self, position: Position) -> None:
        """Make a position the one that is searched."""
        self.game, self.start = load(self.rules, position)


class Search:
    """The search of one deal within limits; a win leaves `length` steps in `workspace.plan`."""

    def __init__(self, workspace: Workspace, limits: Limits) -> None:
        """Search from `workspace.start`."""
        self.workspace = workspace
        self.limits = limits
        self.most_nodes = NO_NODE_LIMIT if limits.nodes is None else limits.nodes
        self.deadline = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self.length = 0
        dive.start_dives(workspace.dive[0])
        search = workspace.search[0]
        search.tag += 1
        if search.tag > table.TAGS or len(workspace.search_rows) > FIRST_ROWS:
            workspace.search_rows = table.new_table(FIRST_ROWS)
            search.tag = 1
        workspace.search_nodes[0] = workspace.start[0]
        exhaust.start(workspace.game[0], workspace.search_nodes, search)

    @property
    def nodes(self) -> int:
        """Positions generated so far."""
        return int(self.workspace.dive[0].total + self.workspace.search[0].nodes)

    def run(self) -> tuple[Verdict, str]:
        """The verdict and how it is known, or which limit was hit."""
        can_dive = self.workspace.start[0].recycles == NO_LIMIT
        for dives, exhausted in STAGES:
            answer = self._dive(dives) if can_dive else None
            answer = answer or self._exhaust(exhausted)
            if answer is not None:
                return answer
        raise AssertionError("the last stage has no end of its own")

    def _limit(self) -> tuple[Verdict, str] | None:
        """The answer if a limit has been reached."""
        if self.nodes >= self.most_nodes:
            return Verdict.UNKNOWN, f"limit of {self.most_nodes} nodes reached"
        if self.deadline is not None and time.perf_counter() >= self.deadline:
            return Verdict.UNKNOWN, f"time limit of {self.limits.seconds:g} s reached"
        return None

    def _dive(self, most: int) -> tuple[Verdict, str] | None:
        work, search = self.workspace, self.workspace.dive[0]
        journal = work.journal[0]
        work.dive_nodes[0] = work.start[0]
        most = min(most, self.most_nodes - int(work.search[0].nodes))
        while search.total < most:
            pause = search.total + CHUNK_NODES
            state = dive.dive_on(
                work.game[0], work.dive_nodes, search, journal, work.dive_rows, most, pause
            )
            if state == dive.WON:
                self.length = int(journal.length)
                work.plan[: self.length] = journal.plan[: self.length]
                return Verdict.WINNABLE, DIVE_WIN
            limit = self._limit()
            if limit is not None:
                return limit
        return self._limit()

    def _exhaust(self, most: int) -> tuple[Verdict, str] | None:
        work, search = self.workspace, self.workspace.search[0]
        most = min(most, self.most_nodes - int(work.dive[0].total))
        while search.nodes < most:
            self._make_room()
            pause = min(search.nodes + CHUNK_NODES, most)
            mask = len(work.search_rows) - 1
            state = exhaust.go_on(
                work.game[0], work.search_nodes, search, work.search_rows, mask, pause
            )
            if state == exhaust.WON:
                return self._note_win()
            if state == exhaust.OUT_OF_MEMORY:
                return Verdict.UNKNOWN, f"memory limit of {self.limits.memory >> 20} MB reached"
            if state == exhaust.EXHAUSTED and not search.is_cut:
                return Verdict.UNWINNABLE, f"all {search.nodes} positions searched"
            if state == exhaust.EXHAUSTED:
                return Verdict.UNKNOWN, f"more than {exhaust.MAX_MEMBERS} arrangements at a time"
            limit = self._limit()
            if limit is not None:
                return limit
        return self._limit()

    def _make_room(self) -> None:
        """Let the table grow when it might get more than half full, as far as memory goes."""
        work, entries = self.workspace, int(self.workspace.search[0].entries)
        rows = len(work.search_rows)
        while rows < 2 * (entries + CHUNK_NODES):
            rows *= 2
        # The old table is still there while its rows are copied.
        if rows > len(work.search_rows) and 3 * rows // 2 * table.ROW_BYTES <= self.limits.memory:
            larger = table.new_table(rows)
            if table.copy_into(work.search_rows, larger, work.search[0].tag) == table.NEW:
                work.search_rows = larger

    def _note_win(self) -> tuple[Verdict, str] | None:
        work = self.workspace
        work.search_nodes[0] = work.start[0]
        self.length = int(exhaust.write_plan(work.game[0], work.search_nodes, work.search[0]))
        if self.length > plan.MAX_STEPS:
            return Verdict.UNKNOWN, f"a win of more than {plan.MAX_STEPS} steps cannot be written"
        work.plan[: self.length] = work.search[0].plan[: self.length]
        return Verdict.WINNABLE, "win found by exhaustive search"


def check(rules: Rules, positions: Iterable[Position], limits: Limits) -> list[Answer]:
    """The verdict on each position, without moves."""
    work = workspace_for(rules)
    answers = []
    for position in positions:
        work.load(position)
        answers.append(_answer(work, limits))
    return answers


def check_numbers(
    rules: Rules, numbers: Sequence[int], limits: Limits, jobs: int = 1
) -> list[Answer]:
    """The verdict on each deal number, without moves; `jobs` threads share the work.

    Answers are in the order of `numbers` and do not depend on `jobs`.
    """
    share = max(-(-len(numbers) // jobs), 1)
    parts = [numbers[first : first + share] for first in range(0, len(numbers), share)]
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda part: _check_part(rules, part, limits), parts)
        return [answer for answers in found for answer in answers]


def solve(rules: Rules, position: Position, limits: Limits) -> Answer:
    """The verdict on a position and, if it is winnable, a list of moves.

    The list has been replayed by the referee.
    """
    work = workspace_for(rules)
    work.load(position)
    return _answer(work, limits, position)


_local = threading.local()


def workspace_for(rules: Rules) -> Workspace:
    """The workspace of this thread, made anew when the rules change."""
    work: Workspace | None = getattr(_local, "work", None)
    if work is None or work.rules != rules:
        work = _local.work = Workspace(rules)
    return work


def _answer(work: Workspace, limits: Limits, listed: Position | None = None) -> Answer:
    """The answer on `work.start`, with the moves from `listed` if that is given."""
    started = time.perf_counter()
    search = Search(work, limits)
    verdict, reason = search.run()
    moves, score = None, None
    if verdict is Verdict.WINNABLE and listed is not None:
        moves = list_moves(work, search.length, listed)
        end = replay(work.rules, listed, moves)
        if not end.won:
            raise AssertionError(f"the list of moves found does not win: {end}")
        score = end.score
    seconds = time.perf_counter() - started
    return Answer(verdict, reason, search.nodes, seconds, moves, score)


def list_moves(work: Workspace, length: int, position: Position) -> tuple[Move, ...]:
    """The player's moves for the first `length` steps of `work.plan`, which lead to a sure win."""
    length = plan.complete(work.game[0], work.dive_nodes, work.start, work.plan, length)
    work.dive_nodes[0] = work.start[0]
    state = pack(work.rules, position)
    count = carry.carry_out(
        work.game[0], work.dive_nodes[0], state[0], work.plan, length, work.moves
    )
    if count == carry.FAILED:
        raise AssertionError("a plan could not be carried out")
    return tuple(Move.decode(int(code)) for code in work.moves[:count])


def dive_numbers(
    rules: Rules, numbers: NDArray[np.int64], limits: Limits
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Of each deal number, whether the quick dives win, and the positions they used.

    One compiled call for all. Those not won, which are all where recycles are limited,
    are for `check`.
    """
    work = workspace_for(rules)
    found, used = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.int64)
    most = QUICK_NODES if limits.nodes is None else min(QUICK_NODES, limits.nodes)
    if rules.recycles is None:
        work.dive_nodes["recycles"] = NO_LIMIT
        dive.dive_numbers(
            work.game[0],
            work.dive_nodes,
            work.dive[0],
            work.journal[0],
            work.dive_rows,
            numbers,
            most,
            np.zeros(rules.cards, np.int64),
            found,
            used,
        )
    return found, used


def _check_part(rules: Rules, numbers: Sequence[int], limits: Limits) -> list[Answer]:
    """Answers on deal numbers: a quick dive for all in one call, then those left one by one."""
    started = time.perf_counter()
    found, used = dive_numbers(rules, np.asarray(numbers, np.int64), limits)
    seconds = (time.perf_counter() - started) / max(len(numbers), 1)
    answers = []
    for number, is_found, nodes in zip(numbers, found, used, strict=True):
        if is_found:
            answers.append(Answer(Verdict.WINNABLE, DIVE_WIN, int(nodes), seconds))
        else:
            answers += check(rules, [Position.start(rules, deal_number(rules, number))], limits)
    return answers
