"""The best score a deal allows: a line that reaches it, and a bound that none can pass.

All of it is about games in which no card is taken back, won or not (`rules.md` section 3).
Lower bounds are scores of lists that the referee has replayed. Upper bounds come with the
sentence that proves them (`Bound`).
"""

import time
from dataclasses import dataclass

from ..engine.deal import Position
from ..engine.rules import Rules, Scoring
from .beam import ANY_MERIT
from .bounds import Bound, Ceiling
from .lists import Line, tidy_line
from .method import NO_END, Win
from .position import load
from .search import Search
from .solve import better_lines
from .tries import TRIES, run_try
from .verdict import Limits
from .workspace import methods

PROOF_SHARE = {
    (1, Scoring.NORMAL): 0.125,
    (1, Scoring.VEGAS): 0.125,
    (3, Scoring.NORMAL): 1,
    (3, Scoring.VEGAS): 8,
}
"""By draw and scoring, how many positions a proof gets for each that lines get: the more proofs
end, the more. One of a proof takes a third of the time."""


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

    def __repr__(self) -> str:
        """The bounds, in a line; the list by what it comes to."""
        return f"<ScoreAnswer {self.low} to {self.high} ({self.bound}): {self.line!r}>"

    @property
    def is_best(self) -> bool:
        """Whether the bounds meet, so that `low` is the best score."""
        return self.low == self.high


def prove(search: Search, ceiling: Ceiling, best: Line, nodes: int) -> Line:
    """Lower the ceiling with about so many positions; the better of `best` and what that finds."""
    plan = ceiling.lower(best.score, nodes)
    if plan is not None:
        line = methods.lister.list_win(search.start, plan)
        if line.score > best.score and not line.takes_back:
            return line
    return best


def score(rules: Rules, position: Position, limits: Limits) -> ScoreAnswer:
    """Bounds on the best score of a position, with a line that reaches the lower one.

    A win is looked for as `solve` does, and then a score; the limits are those of each of the two
    searches, so that the lower bound is not below the score of a list of `solve`.
    """
    started = time.perf_counter()
    start = load(rules, position)
    best = Line((), position.score, sum(position.foundations) == rules.cards, 0)
    search = Search(start, limits)
    result = search.run()
    if isinstance(result, Win):
        lines = [line for line in better_lines(search, result.plan).lines if not line.takes_back]
        best = max([best, *lines], key=lambda line: line.score)
    before_score = search.budget.nodes
    search = Search(start, limits)
    budget, ceiling = search.budget, Ceiling(search)
    for a_try in TRIES[rules.draw, rules.scoring]:
        if budget.limit() is not None or best.score == ceiling.high:
            break
        before = budget.nodes
        # In Vegas scoring only the cards at home count.
        is_vegas = rules.scoring is Scoring.VEGAS
        least_merit = ANY_MERIT if is_vegas else (best.score - ceiling.top) // 5 + 1
        for line in run_try(search, a_try, least_merit):
            best = max(best, line, key=lambda line: line.score)
        share = PROOF_SHARE[rules.draw, rules.scoring]
        best = prove(search, ceiling, best, int((budget.nodes - before) * share))
    best = prove(search, ceiling, best, NO_END)
    best = tidy_line(start, best, keeps_score=True)
    seconds = time.perf_counter() - started
    nodes = before_score + budget.nodes
    return ScoreAnswer(best.score, ceiling.high, ceiling.bound, best, nodes, seconds)
