"""The player's moves for a plan, as the referee has replayed them."""

from dataclasses import dataclass

from ..engine.deal import Position
from ..engine.moves import Move
from ..engine.referee import replay
from ..engine.state import pack
from . import carry, plan
from .workspace import Workspace


@dataclass(frozen=True, slots=True)
class Line:
    """A list of moves and what the referee found at its end."""

    moves: tuple[Move, ...]
    score: int
    won: bool
    recycles: int


def list_line(
    work: Workspace, length: int, position: Position, is_win: bool, may_reorder: bool
) -> Line:
    """The moves of the first `length` steps of `work.plan`, which lead from `position`.

    Of a win (`is_win`) they lead to where it is sure, and the rest is added. Otherwise they
    are carried out as they stand, and then all goes home that can.
    """
    if not is_win:
        length = plan.send_rest_home(
            work.game[0], work.dive_nodes, work.start, work.journal[0], work.plan, length
        )
    else:
        length = plan.complete(
            work.game[0], work.dive_nodes, work.start, work.plan, length, may_reorder
        )
    work.dive_nodes[0] = work.start[0]
    state = pack(work.rules, position)
    count = carry.carry_out(
        work.game[0], work.dive_nodes[0], state[0], work.plan, length, work.moves
    )
    if count == carry.FAILED:
        raise AssertionError("a plan could not be carried out")
    moves = tuple(Move.decode(int(code)) for code in work.moves[:count])
    end = replay(work.rules, position, moves)
    if end.won < is_win:
        raise AssertionError(f"the list of moves found does not win: {end}")
    return Line(moves, end.score, end.won, end.recycles)
