"""Beams for a good line: one of high score, and so with few recycles.

Where recycles are unlimited, a try is a beam over one pass from the deal and from starts
after cheap recycles (`seeds.py`). If none of it wins, the best positions at the end of the
stock go on with a recycle, in another beam, and so on.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ..engine.deal import Position
from ..engine.rules import Scoring
from .beam import ANY_MERIT
from .lists import Line, list_line, list_lost_line
from .search import Search
from .seeds import cheap_starts
from .weights import OF_DRAW_3, USUAL


class Try(NamedTuple):
    """A beam for a high score.

    How much five lost points count against the value of a position, what recycles for its
    starts may cost (in five points) and how many it has for each cost, its width, and by which
    of the `SETS` of weights positions are valued.
    """

    merit_weight: float
    max_cost: int
    starts: int
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
"""By draw and scoring, cheapest first. With draw 3 two sets of weights take turns."""
FOR_SHORT_LISTS = {
    1: (Try(4, 0, 0, 300), Try(12, 4, 30, 300)),
    3: (Try(4, 0, 0, 400), Try(6, 10, 30, 400)),
}
"""By draw: first without recycles before the end of the stock, then with cheap ones."""
MAX_RECYCLES = 8
"""Recycles at the end of the stock that a try goes on after."""


def run_try(
    search: Search,
    position: Position,
    a_try: Try,
    least_merit: int = ANY_MERIT,
    may_shorten: bool = False,
) -> Iterator[Line]:
    """The lines that a try finds: those worth most before a win was found, and the win.

    Only a win of at least `least_merit` is looked for.
    """
    work = search.workspace
    work.weigh_by(a_try.weights)
    starts = cheap_starts(work, a_try.max_cost, a_try.starts)
    worth = -1
    for _ in range(MAX_RECYCLES + 1):
        is_win = search.run_beam(
            a_try.width, a_try.merit_weight, starts, least_merit, not may_shorten
        )
        if is_win:
            yield list_line(work, search.length, position, may_shorten=may_shorten)
            return
        found = work.beam[0]
        if found.lost_worth > worth:
            worth = found.lost_worth
            length = search.write_beam_plan(starts, found.lost_layer, found.lost_index)
            yield list_lost_line(work, length, position)
        starts = search.starts_again(starts)
        if not starts.plans or search.limit() is not None:
            return
