"""The player's moves for a plan, as the referee has replayed them."""

from dataclasses import dataclass

import numpy as np

from ..engine.jit import Record
from ..engine.moves import Kind, Move
from ..engine.referee import replay
from ..engine.state import pack
from ..engine.tidy import tidy
from . import carry, plan
from .homes import MAX_PLAN, TRAIL, Plan
from .position import NODE, Start


@dataclass(frozen=True, slots=True)
class Line:
    """A list of moves and what the referee found at its end."""

    moves: tuple[Move, ...]
    score: int
    won: bool
    recycles: int

    def __repr__(self) -> str:
        """What the list comes to; the moves by their number."""
        outcome = "won" if self.won else "not won"
        return f"<Line: {len(self.moves)} moves, score {self.score}, {outcome}>"

    @property
    def takes_back(self) -> bool:
        """Whether a card goes from a foundation back to a column."""
        return any(move.kind is Kind.TAKE_BACK for move in self.moves)


def tidy_line(start: Start, line: Line, keeps_score: bool = False) -> Line:
    """The line without the moves that it can do without; see `tidy`."""
    return replayed(start, tidy(start.rules, start.position, line.moves, keeps_score))


def replayed(start: Start, moves: tuple[Move, ...]) -> Line:
    """The line of these moves, as the referee finds it; `MoveError` if one is illegal."""
    end = replay(start.rules, start.position, moves)
    return Line(moves, end.score, end.won, end.recycles)


class Lister:
    """Makes lines of plans."""

    def __init__(self) -> None:
        """Reserve its memory."""
        self._nodes = np.zeros(3, NODE)
        self._trail = np.zeros(1, TRAIL)[0]
        self._steps = np.zeros(MAX_PLAN, np.int64)
        self._moves = np.zeros(carry.MAX_MOVES, np.int64)

    def list_win(
        self, start: Start, steps: Plan, may_reorder: bool = False, may_shorten: bool = False
    ) -> Line:
        """The moves of a plan that leads to a sure win, and of the rest.

        See `plan.complete` for what may be done.
        """
        length = plan.complete(
            start.game,
            self._nodes,
            start.node,
            self._write(steps),
            len(steps),
            may_reorder,
            may_shorten,
        )
        line = self._carry(start, length)
        if not line.won:
            raise AssertionError(f"the list of moves found does not win: {line}")
        return line

    def list_lost(self, start: Start, steps: Plan) -> Line:
        """The moves of a plan, and then all goes home that can."""
        length = plan.send_rest_home(
            start.game, self._nodes, start.node, self._trail, self._write(steps), len(steps)
        )
        return self._carry(start, length)

    def _write(self, steps: Plan) -> Record:
        self._steps[: len(steps)] = steps
        return self._steps

    def _carry(self, start: Start, length: int) -> Line:
        """The moves of the first `length` steps written, replayed from the start."""
        self._nodes[0] = start.node
        state = pack(start.rules, start.position)
        count = carry.carry_out(
            start.game, self._nodes[0], state[0], self._steps, length, self._moves
        )
        if count == carry.FAILED:
            raise AssertionError("a plan could not be carried out")
        return replayed(start, tuple(Move.decode(int(code)) for code in self._moves[:count]))
