"""Beams for a good line: one of high score, and so with few recycles.

Where recycles are unlimited, a try is a beam over one pass from the start and from seeds
after cheap recycles (`seeds.py`). If none of it wins, the best positions at the end of the
stock go on with a recycle, in another beam, and so on.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..engine.rules import Scoring
from .beam import ANY_MERIT
from .lists import Line
from .search import Search
from .seeds import after_plans, cheap_seeds
from .weights import OF_DRAW_3, USUAL
from .workspace import methods


class Try(NamedTuple):
    """A beam for a high score.

    How much five lost points count against the value of a position, what recycles for its
    seeds may cost (in five points) and how many it has for each cost, its width, and by which
    of the `SETS` of weights positions are valued.
    """

    merit_weight: float
    max_cost: int
    seeds: int
    width: int
    weights: int = USUAL


TRIES = {
    (1, Scoring.NORMAL): (
        Try(12, 4, 30, 300),
        Try(25, 4, 30, 600),
        Try(4, 10, 30, 600),
        Try(40, 2, 30, 1500),
        Try(12, 6, 60, 3000),
        Try(25, 6, 60, 6000),
        Try(40, 6, 60, 6000),
    ),
    (3, Scoring.NORMAL): (
        Try(6, 10, 30, 400),
        Try(4, 20, 100, 1000, OF_DRAW_3),
        Try(8, 20, 150, 2500),
        Try(4, 35, 400, 4000, OF_DRAW_3),
        Try(1, 20, 400, 4000, OF_DRAW_3),
        Try(8, 20, 800, 4000),
        Try(4, 20, 800, 10000, OF_DRAW_3),
        Try(8, 20, 800, 16000),
    ),
    (1, Scoring.VEGAS): tuple(Try(0, 0, 0, width) for width in (300, 2_000, 10_000, 40_000)),
    (3, Scoring.VEGAS): tuple(
        Try(0, 0, 0, width, weights)
        for width in (300, 2_000, 10_000, 40_000)
        for weights in (USUAL, OF_DRAW_3)
    ),
}
"""By draw and scoring, cheapest first. With draw 3 two sets of weights take turns. The numbers are
set by hand; `benchmarks/gaps.py` says what they reach."""
FOR_SHORT_LISTS = {
    1: (Try(0.5, 0, 0, 300), Try(1, 0, 0, 1_000)),
    3: (Try(12, 0, 0, 300), Try(2, 0, 0, 300, OF_DRAW_3)),
}
"""By draw, for few moves in place of a high score: a move stands for five points. The smaller the
weight, the more win without a recycle; the second is tried if the first did not."""
FOR_SHORTER_LISTS = (
    Try(0.5, 0, 0, 300),
    Try(20, 0, 0, 300),
    Try(6, 0, 0, 300, OF_DRAW_3),
    Try(12, 0, 0, 1_000, OF_DRAW_3),
    Try(20, 0, 0, 1_000),
    Try(0.5, 0, 0, 1_000),
    Try(12, 0, 0, 3_000),
    Try(20, 0, 0, 3_000, OF_DRAW_3),
    Try(12, 0, 0, 10_000),
    Try(20, 0, 0, 10_000, OF_DRAW_3),
    Try(20, 0, 0, 30_000),
)
"""The same where there is more time. Other weights gain more than width does."""
MAX_RECYCLES = 8
"""Recycles at the end of the stock that a try goes on after; by hand."""


def run_try(
    search: Search, a_try: Try, least_merit: int = ANY_MERIT, shortens: bool = False
) -> Iterator[Line]:
    """The lines that a try finds: those worth most before a win was found, and the win.

    Only a win of at least `least_merit` is looked for. If it `shortens`, what counts is few moves,
    and nothing is yielded but a win.
    """
    start, budget, beam, lister = search.start, search.budget, methods.lazy_beam, methods.lister
    tools = beam.tools(start, a_try.weights)
    seeds = cheap_seeds(tools, start, a_try.max_cost, a_try.seeds)
    worth = -1
    for _ in range(MAX_RECYCLES + 1):
        found = beam.play(
            budget,
            tools,
            seeds,
            a_try.width,
            a_try.merit_weight,
            least_merit,
            keeps_lost=not shortens,
            shortens=shortens,
        )
        if found.win is not None:
            yield lister.list_win(start, found.win, may_shorten=shortens)
            return
        if found.lost is not None and found.worth > worth:
            worth = found.worth
            yield lister.list_lost(start, found.lost)
        seeds = after_plans(start, found.again)
        if not seeds.plans or budget.limit() is not None:
            return
