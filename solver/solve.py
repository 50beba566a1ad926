"""From deals to answers: the verdict on many deals, and the moves of a win."""

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Rules
from .dive import FOUND
from .homes import Plan
from .lists import Line, replayed, tidy_line
from .method import Limit, Proof, Result, Win
from .position import HOME_DOWN, NO_LIMIT, load
from .search import QUICK, Search
from .tries import FOR_SHORT_LISTS, FOR_SHORTER_LISTS, run_try
from .verdict import Answer, Limits, Verdict
from .workspace import methods

LAZY_WIDTH, FORWARD_NODES = 2_000, 500_000
"""Of the beam and of the exhaustive search for a win without taking back where one that takes
back is known. By hand: a second or two."""


def check(rules: Rules, position: Position, limits: Limits) -> Answer:
    """The verdict on a position, without moves."""
    return _answer(rules, position, limits)


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


def solve(
    rules: Rules,
    position: Position,
    limits: Limits,
    polish: bool = True,
    shorter: float | None = None,
) -> Answer:
    """The verdict on a position and, if it is winnable, a list of moves.

    The list has been replayed by the referee. `polish` takes the time to look for a list with
    few recycles and moves; without it the first win found is listed, in a hundredth of the time.
    `shorter` seconds more are for one with fewer moves, whatever else it has; the answer then says
    how few there can be.
    """
    answer = _answer(rules, position, limits, better_lines if polish else first_line)
    if answer.moves is None or shorter is None:
        return answer
    return _shorter(rules, position, answer, Limits(None, shorter, limits.memory))


def _shorter(rules: Rules, position: Position, answer: Answer, limits: Limits) -> Answer:
    """An answer with a list of fewer moves, if one is found within the limits."""
    started = time.perf_counter()
    start = load(rules, position)
    search = Search(start, limits)
    fewest = methods.fewest.run(start)
    # Of every winning list so many moves send cards home or draw, the first time through the stock.
    needed = rules.cards - sum(position.foundations) + -(-len(position.stock) // rules.draw)
    best = replayed(start, answer.moves or ())
    for a_try in FOR_SHORTER_LISTS:
        if search.budget.limit() is not None or len(best.moves) == fewest:
            break
        least_merit = needed - len(best.moves) + 1
        tried = run_try(search, a_try, least_merit, shortens=True)
        lines = [tidy_line(start, line) for line in tried]
        best = min([best, *lines], key=lambda line: len(line.moves))
    return replace(
        answer,
        moves=best.moves,
        score=best.score,
        nodes=answer.nodes + search.budget.nodes,
        seconds=answer.seconds + time.perf_counter() - started,
        winnable_without_take_back=(answer.winnable_without_take_back if best.takes_back else True),
        fewest=fewest,
    )


class Listed(NamedTuple):
    """Lists of moves that win, and whether it is proved that no win does without taking back."""

    lines: list[Line]
    needs_take_back: bool = False

    @property
    def best(self) -> Line:
        """Taking back counts most against a list, then recycles, then moves."""
        return min(self.lines, key=lambda line: (line.takes_back, line.recycles, len(line.moves)))


def _answer(
    rules: Rules,
    position: Position,
    limits: Limits,
    list_win: Callable[[Search, Plan], Listed] | None = None,
) -> Answer:
    """The answer on a position, with the moves of a win as `list_win` lists them."""
    started = time.perf_counter()
    search = Search(load(rules, position), limits)
    result = search.run()
    moves = score = None
    without: bool | None = None
    match result:
        case Proof():
            verdict, without = Verdict.UNWINNABLE, False
        case Limit():
            verdict = Verdict.UNKNOWN
        case Win():
            verdict = Verdict.WINNABLE
            # A win that takes back leaves open whether there is another.
            if list_win is None:
                without = all(step & 7 != HOME_DOWN for step in result.plan) or None
            else:
                listed = list_win(search, result.plan)
                moves, score = listed.best.moves, listed.best.score
                without = False if listed.needs_take_back else not listed.best.takes_back or None
    seconds = time.perf_counter() - started
    nodes = search.budget.nodes
    return Answer(verdict, result.reason, nodes, seconds, moves, score, without)


def first_line(search: Search, plan: Plan) -> Listed:
    """The moves of the win that a search has found."""
    unlimited = search.start.node.recycles == NO_LIMIT
    return Listed([methods.lister.list_win(search.start, plan, unlimited, True)])


def better_lines(search: Search, plan: Plan) -> Listed:
    """The win that a search has found and what is found from there, without needless moves.

    Where recycles are unlimited, searches for a win pay no heed to them nor to moves, so a quick
    beam or two look for a line with few. The plainest line, where it wins, is the shortest there
    is. A win over components takes back more than it must, so one that does not is looked for.
    """
    start, needs = search.start, False
    unlimited = start.node.recycles == NO_LIMIT
    if unlimited:
        plain = methods.straight.run(start, search.budget)
        if isinstance(plain, Win):
            return Listed([methods.lister.list_win(start, plain.plan)])
    lines = [tidy_line(start, first_line(search, plan).best)]
    if lines[0].takes_back:
        found = find_without_take_back(search)
        needs = isinstance(found, Proof)
        if isinstance(found, Win):
            lines.append(tidy_line(start, first_line(search, found.plan).best))
    for a_try in FOR_SHORT_LISTS[start.rules.draw] if unlimited else ():
        lines += [tidy_line(start, line) for line in run_try(search, a_try, shortens=True)]
        if any(line.recycles == 0 and not line.takes_back for line in lines):
            break
    return Listed(lines, needs)


def find_without_take_back(search: Search) -> Result:
    """A win that takes no card back, or the proof that there is none, or neither."""
    found = methods.lazy_beam.run(search.start, search.budget, LAZY_WIDTH)
    return found or search.run_forward(FORWARD_NODES)


def dive_numbers(
    rules: Rules, numbers: NDArray[np.int64], limits: Limits
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Of each deal number, whether the quick dives win, and the positions they used.

    One compiled call for all. Those not won, which are all where recycles are limited,
    are for `check`.
    """
    most = QUICK.amount if limits.nodes is None else min(QUICK.amount, limits.nodes)
    if rules.recycles is None:
        return methods.dives.run_numbers(rules, numbers, most)
    return np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.int64)


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
                    FOUND,
                    int(nodes),
                    seconds,
                    winnable_without_take_back=True,
                )
            )
        else:
            start = Position.start(rules, deal_number(rules, number))
            answers.append(check(rules, start, limits))
    return answers
