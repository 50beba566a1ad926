"""From keys to moves: which pile first, which pile then; the number of cards follows from them."""

from ..engine.cards import SUITS
from ..engine.errors import MoveError
from ..engine.moves import DRAW_MOVE, RECYCLE_MOVE, WASTE_UP_MOVE, Kind, Move
from ..engine.referee import Game, Place
from .picture import Pile

WASTE, HOME = "w", "f"
"""The keys of the waste and of the foundations; a column is its digit."""


def stock_move(game: Game) -> Move:
    """What a tap on the stock does; a recycle where it is empty."""
    return DRAW_MOVE if game.stock else RECYCLE_MOVE


def move_between(game: Game, source: Pile, target: Pile, depth: int | None = None) -> Move:
    """The move from a pile of the board to another.

    From a column go as many cards as fit, or `depth` of them. Where nothing fits, a move that the
    referee refuses, with the reason that a person expects. Raises `MoveError` where it would be no
    move of any kind.
    """
    if isinstance(target, str) and target.startswith("f"):
        if source == "waste":
            return WASTE_UP_MOVE
        if isinstance(source, int):
            return Move(Kind.COLUMN_TO_FOUNDATION, source)
    elif isinstance(target, int):
        if source == "waste":
            return Move(Kind.WASTE_TO_COLUMN, 0, target)
        if isinstance(source, int):
            return _between_columns(game, source, target, depth)
        if source.startswith("f"):
            suit, place = divmod(int(source[1:]), game.rules.places)
            return Move(Kind.TAKE_BACK, suit, target, place + 1)
    raise MoveError("no card goes that way")


def _between_columns(game: Game, source: int, target: int, depth: int | None) -> Move:
    opened = len(game.columns[source]) - game.hidden[source]
    counts = range(1, opened + 1) if depth is None else (depth,)
    moves = [Move(Kind.COLUMN_TO_COLUMN, source, target, count) for count in counts]
    fitting = [move for move in moves if game.refusal(move) is None]
    return [*fitting, *moves[:1], Move(Kind.COLUMN_TO_COLUMN, source, target)][0]


def taken_back(game: Game, suit: str, target: int) -> Move:
    """The move that takes a card of a suit (a letter of `SUITS`) back to a column from 0."""
    index = SUITS.index(suit.upper())
    places = range(1, game.rules.places + 1)
    moves = [Move(Kind.TAKE_BACK, index, target, place) for place in places]
    fitting = [move for move in moves if game.refusal(move) is None]
    return [*fitting, moves[0]][0]


def place_of(pile: Pile) -> Place | None:
    """The pile as the referee is told of a tap; None for one that takes no tap."""
    if isinstance(pile, int):
        return pile
    return "stock" if pile == "stock" else "waste" if pile == "waste" else None
