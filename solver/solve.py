"""From deals to answers: the verdict on many deals, and the moves of a win."""

import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Rules
from . import dive
from .lists import Line, list_line, tidy_line
from .position import NO_LIMIT, TAKE_BACK
from .search import QUICK, Search
from .seeds import the_deal
from .tries import FOR_SHORT_LISTS, run_try
from .verdict import Answer, Limits, Verdict
from .weights import USUAL
from .workspace import Workspace, workspace_for

LAZY_WIDTH, FORWARD_NODES = 2_000, 500_000
"""Of the beam and of the exhaustive search for a win without taking back where one that takes
back is known."""


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


def solve(rules: Rules, position: Position, limits: Limits, polish: bool = True) -> Answer:
    """The verdict on a position and, if it is winnable, a list of moves.

    The list has been replayed by the referee. `polish` takes the time to look for a list with
    few recycles; without it the first win found is listed, in a hundredth of the time.
    """
    work = workspace_for(rules)
    work.load(position)
    return _answer(work, limits, position, polish)


def _answer(
    work: Workspace, limits: Limits, listed: Position | None = None, polish: bool = False
) -> Answer:
    """The answer on `work.start`, with the moves from `listed` if that is given."""
    started = time.perf_counter()
    search = Search(work, limits)
    verdict, reason = search.run()
    line = None
    if verdict is Verdict.WINNABLE and listed is not None:
        line = better_line(search, listed) if polish else first_line(search, listed)
    without = _without_take_back(verdict, search, line)
    moves, score = (line.moves, line.score) if line else (None, None)
    seconds = time.perf_counter() - started
    return Answer(verdict, reason, search.nodes, seconds, moves, score, without)


def _without_take_back(verdict: Verdict, search: Search, line: Line | None) -> bool | None:
    """Whether a win needs no taking back: as the moves show, or else the plan that was found.

    A win that takes back leaves open whether there is another, unless that is disproved.
    """
    if verdict is Verdict.UNKNOWN:
        return None
    if verdict is Verdict.UNWINNABLE or search.needs_take_back:
        return False
    if line is None:
        kinds = search.workspace.plan[: search.length] & 7
        return None if (kinds == TAKE_BACK).any() else True
    return None if line.takes_back else True


def first_line(search: Search, position: Position) -> Line:
    """The moves of the win that a search has found."""
    unlimited = search.workspace.start[0].recycles == NO_LIMIT
    return list_line(search.workspace, search.length, position, unlimited, True)


def better_line(search: Search, position: Position) -> Line:
    """The moves of the win that a search has found, or others with fewer recycles or moves."""
    return min(
        better_lines(search, position),
        key=lambda line: (line.takes_back, line.recycles, len(line.moves)),
    )


def better_lines(search: Search, position: Position) -> list[Line]:
    """The win that a search has found and what is found from there, without needless moves.

    Where recycles are unlimited, searches for a win pay no heed to them, so a quick beam or two
    look for a line with fewer. The plainest line, where it wins, is the shortest there is. A win
    over components takes back more than it must, so one that does not is looked for.
    """
    work = search.workspace
    unlimited = work.start[0].recycles == NO_LIMIT
    if unlimited and search.go_straight():
        return [list_line(work, search.length, position)]
    lines = [tidy_line(work.rules, position, first_line(search, position))]
    if lines[0].takes_back and find_without_take_back(search):
        lines.append(tidy_line(work.rules, position, first_line(search, position)))
    for a_try in FOR_SHORT_LISTS[work.rules.draw] if unlimited else ():
        if any(line.recycles == 0 and not line.takes_back for line in lines):
            break
        tried = run_try(search, position, a_try, may_shorten=True)
        lines += [tidy_line(work.rules, position, line) for line in tried if line.won]
    return lines


def find_without_take_back(search: Search) -> bool:
    """Whether a win that takes no card back is found; its plan is there then."""
    work = search.workspace
    work.weigh_by(USUAL)
    return search.run_beam(LAZY_WIDTH, 0.0, the_deal(work)) or search.run_forward(FORWARD_NODES)


def dive_numbers(
    rules: Rules, numbers: NDArray[np.int64], limits: Limits
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Of each deal number, whether the quick dives win, and the positions they used.

    One compiled call for all. Those not won, which are all where recycles are limited,
    are for `check`.
    """
    work = workspace_for(rules)
    found, used = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.int64)
    most = QUICK.amount if limits.nodes is None else min(QUICK.amount, limits.nodes)
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
            answers.append(
                Answer(
                    Verdict.WINNABLE,
                    dive.FOUND,
                    int(nodes),
                    seconds,
                    winnable_without_take_back=True,
                )
            )
        else:
            answers += check(rules, [Position.start(rules, deal_number(rules, number))], limits)
    return answers
