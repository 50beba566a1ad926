"""The player's moves for a plan, as the referee has replayed them."""

from dataclasses import dataclass

from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import replay
from ..engine.rules import Rules
from ..engine.state import pack
from ..engine.tidy import tidy
from . import carry, plan
from .workspace import Workspace


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


def tidy_line(rules: Rules, position: Position, line: Line, keeps_score: bool = False) -> Line:
    """The line without the moves that it can do without; see `tidy`."""
    return replayed(rules, position, tidy(rules, position, line.moves, keeps_score))


def replayed(rules: Rules, position: Position, moves: tuple[Move, ...]) -> Line:
    """The line of these moves, as the referee finds it; `MoveError` if one is illegal."""
    end = replay(rules, position, moves)
    return Line(moves, end.score, end.won, end.recycles)


def list_line(
    work: Workspace,
    length: int,
    position: Position,
    may_reorder: bool = False,
    may_shorten: bool = False,
) -> Line:
    """The moves of the win to which `length` steps of `work.plan` lead from `position`.

    They lead to where it is sure; the rest is added. See `plan.complete` for what may be done.
    """
    length = plan.complete(
        work.game[0], work.dive_nodes, work.start, work.plan, length, may_reorder, may_shorten
    )
    line = carry_line(work, length, position)
    if not line.won:
        raise AssertionError(f"the list of moves found does not win: {line}")
    return line


def list_lost_line(work: Workspace, length: int, position: Position) -> Line:
    """The moves of `length` steps of `work.plan`, and then all goes home that can."""
    length = plan.send_rest_home(
        work.game[0], work.dive_nodes, work.start, work.journal[0], work.plan, length
    )
    return carry_line(work, length, position)


def carry_line(work: Workspace, length: int, position: Position) -> Line:
    """The moves of the first `length` steps of `work.plan`, replayed from `position`."""
    work.dive_nodes[0] = work.start[0]
    state = pack(work.rules, position)
    count = carry.carry_out(
        work.game[0], work.dive_nodes[0], state[0], work.plan, length, work.moves
    )
    if count == carry.FAILED:
        raise AssertionError("a plan could not be carried out")
    moves = tuple(Move.decode(int(code)) for code in work.moves[:count])
    return replayed(work.rules, position, moves)
