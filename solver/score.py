"""The best score a deal allows: a line that reaches it, and a bound that none can pass.

All of it is about games in which no card is taken back, won or not (`rules.md` section 3).
Lower bounds are scores of lists that the referee has replayed. Upper bounds come with the
sentence that proves them (`Bound`).
"""

import time
from dataclasses import dataclass
from enum import StrEnum

from ..engine.deal import Position
from ..engine.rules import Rules, Scoring
from .lists import Line
from .search import Search
from .tries import TRIES, run_try
from .verdict import Limits
from .workspace import workspace_for


class Bound(StrEnum):
    """The upper bounds, each with why it holds."""

    ALL_HOME = "every card home"
    """No game earns more: as no card is taken back, each card comes home once, each hidden card
    is turned up once and each waste card goes to a column once at most."""


@dataclass(frozen=True, slots=True)
class ScoreAnswer:
    """Bounds on the best score of a position, in points or dollars, and the line of the lower."""

    low: int
    high: int
    bound: Bound
    line: Line
    """Replayed by the referee; its score is `low`."""
    nodes: int
    seconds: float

    @property
    def is_best(self) -> bool:
        """Whether the bounds meet, so that `low` is the best score."""
        return self.low == self.high


def highest(rules: Rules, position: Position) -> int:
    """The score of a game in which nothing is lost from here on (`Bound.ALL_HOME`)."""
    cards = rules.cards - sum(position.foundations)
    if rules.scoring is Scoring.VEGAS:
        return position.score + 5 * cards
    home = 10 * cards
    turned = 5 * sum(position.hidden)
    landed = 5 * (len(position.stock) + len(position.waste))
    return position.score + home + turned + landed


def score(rules: Rules, position: Position, limits: Limits) -> ScoreAnswer:
    """Bounds on the best score of a position, with a line that reaches the lower one."""
    started = time.perf_counter()
    work = workspace_for(rules)
    work.load(position)
    search = Search(work, limits)
    best = Line((), position.score, sum(position.foundations) == rules.cards, 0)
    high = highest(rules, position)
    for a_try in TRIES[rules.draw]:
        if search.limit() is not None or best.score == high:
            break
        for line in run_try(search, position, a_try, (best.score - high) // 5 + 1):
            best = max(best, line, key=lambda line: line.score)
    return ScoreAnswer(
        best.score, high, Bound.ALL_HOME, best, search.nodes, time.perf_counter() - started
    )
