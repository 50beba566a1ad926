"""Which method is asked when, under one budget.

The order is by cost. Where recycles are unlimited a dive answers nearly every deal in about a
hundred positions. With one pass, beams of growing width look for wins. Between them the
exhaustive search, which goes on where it was stopped, looks for the proof that there is
none. Nothing depends on the clock but the time limit, so answers are the same on every run, and
more of a limit only adds to what less of it has found.
"""

from typing import NamedTuple

from .beam import MAX_LIKE
from .exhaust import Question
from .method import NO_END, Budget, Limit, Proof, Result, Win
from .position import NO_LIMIT, Start
from .verdict import Limits
from .weights import OF_COMPONENTS, USUAL
from .workspace import methods


class Stage(NamedTuple):
    """One method: `dive` or `exhaust` up to so many positions in all, a `beam` or a beam of
    `components` so wide, the `straight` line, or `relax` for cards that can never leave.

    Beams value positions by these of the `SETS` of weights, and choose so many alike at first."""

    method: str
    amount: int
    weights: int = USUAL
    most_like: int = MAX_LIKE


QUICK = Stage("dive", 3_000)
"""What every deal with unlimited recycles gets first: nearly all are won within it."""
UNLIMITED = (
    Stage("relax", 1),
    QUICK,
    Stage("exhaust", 30_000),
    Stage("dive", 100_000),
    Stage("exhaust", 8_000_000),
    Stage("dive", 1_000_000),
    Stage("exhaust", NO_END),
)
"""The amounts are by hand: few deals get beyond the second dive."""
WAITING_PAYS = (3,)
"""With these draws cards that wait are left out: that costs half of the speed, and with draw 1 the
relaxation has seen nearly all of it (docs/results.md)."""
LAST_PASS = {
    1: (
        Stage("straight", 1),
        Stage("relax", 1),
        Stage("beam", 300),
        Stage("components", 300),
        Stage("exhaust", 50_000),
        Stage("components", 2_000, OF_COMPONENTS[1]),
        Stage("components", 6_000, OF_COMPONENTS[1]),
        Stage("components", 20_000, OF_COMPONENTS[1], 1),
        Stage("components", 100_000, OF_COMPONENTS[1]),
        Stage("exhaust", NO_END),
    ),
    3: (
        Stage("straight", 1),
        Stage("relax", 1),
        Stage("beam", 300),
        Stage("components", 300),
        Stage("exhaust", 200_000),
        Stage("components", 2_000, OF_COMPONENTS[3]),
        Stage("exhaust", 2_000_000),
        Stage("components", 6_000, OF_COMPONENTS[3]),
        Stage("exhaust", 20_000_000),
        Stage("components", 30_000, OF_COMPONENTS[3], 1),
        Stage("components", 100_000, OF_COMPONENTS[3]),
        Stage("exhaust", NO_END),
    ),
}
"""By draw, in an order as `learning/stages.py` measures it. With draw 1 proofs of a loss have only
been found soon or not at all. The narrow beam over components does better by the weights learned
from lazy play."""


class Search:
    """The search of one start within limits: a schedule of methods, and their budget."""

    def __init__(self, start: Start, limits: Limits) -> None:
        """Put the start to the methods that go on where they stopped."""
        self.start = start
        self.budget = Budget(limits)
        methods.dives.begin(start, self.budget)
        methods.exhaust.begin(start, self.budget, Question(waits=start.rules.draw in WAITING_PAYS))

    def run(self) -> Win | Proof | Limit:
        """What ends the schedule."""
        unlimited = self.start.node.recycles == NO_LIMIT
        for stage in UNLIMITED if unlimited else LAST_PASS[self.start.rules.draw]:
            result = self._ask(stage)
            if result is not None:
                return result
        raise AssertionError("the last stage has no end of its own")

    def _ask(self, stage: Stage) -> Result:
        start, budget = self.start, self.budget
        match stage.method:
            case "straight":
                result = methods.straight.run(start, budget)
            case "relax":
                result = methods.relaxation.run(start, budget)
            case "dive":
                return methods.dives.run(stage.amount)
            case "exhaust":
                return methods.exhaust.run(stage.amount)
            case "beam":
                return methods.lazy_beam.run(start, budget, stage.amount, stage.weights)
            case _:
                beam = methods.component_beam
                return beam.run(start, budget, stage.amount, stage.weights, stage.most_like)
        return result or budget.limit()

    def run_forward(self, most: int) -> Result:
        """Whether a win takes no card back, as far as up to so many positions tell."""
        methods.exhaust.begin(self.start, self.budget, Question(only_forward=True))
        return methods.exhaust.run(most)
