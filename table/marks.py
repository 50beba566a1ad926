"""Which cards and places of the board a move is about."""

from ..engine.layout import Layout
from ..engine.moves import Kind, Move
from .picture import STOCK, WASTE, Spot


def source_spots(game: Layout, move: Move) -> frozenset[Spot]:
    """The cards that a move takes."""
    match move.kind:
        case Kind.DRAW | Kind.RECYCLE:
            return frozenset({(STOCK, -1)})
        case Kind.WASTE_TO_FOUNDATION | Kind.WASTE_TO_COLUMN:
            return frozenset({(WASTE, -1)})
        case Kind.COLUMN_TO_FOUNDATION | Kind.COLUMN_TO_COLUMN:
            size = len(game.columns[move.source])
            return frozenset((move.source, index) for index in range(size - move.count, size))
        case Kind.TAKE_BACK:
            return frozenset({(_place(game, move), -1)})


def target_spots(game: Layout, move: Move) -> frozenset[Spot]:
    """The card or the empty place that a legal move goes onto."""
    card = None
    match move.kind:
        case Kind.DRAW | Kind.RECYCLE:
            return frozenset()
        case Kind.WASTE_TO_FOUNDATION:
            card = game.waste[-1]
        case Kind.COLUMN_TO_FOUNDATION:
            card = game.columns[move.source][-1]
        case _:
            return frozenset({(move.target, len(game.columns[move.target]) - 1)})
    return frozenset({(f"f{game.foundations.accepting(card)}", -1)})


def _place(game: Layout, move: Move) -> str:
    return f"f{game.foundations.index(move.source, move.count - 1)}"
