"""Where the cards of a deal lie after moves, each by the place at which it lay before them."""

from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..notation.typed import STOCK

Card = tuple[int, int]
"""The place at which a card lay at the beginning: column and index from the bottom, or `STOCK`
and index."""
WASTE = -2
"""The pile of cards that lay in the waste at the beginning, and `HOME` of those that were up."""
HOME = -3


class Whereabouts:
    """The piles of a game under way, with places instead of cards."""

    def __init__(self, start: Position) -> None:
        """The piles as they lie at the beginning."""
        self.columns = [[(c, i) for i in range(len(pile))] for c, pile in enumerate(start.columns)]
        self.stock = [(STOCK, index) for index in range(len(start.stock))]
        self.waste = [(WASTE, index) for index in range(len(start.waste))]
        self.foundations = [
            [(HOME, index) for index in range(height)] for height in start.foundations
        ]

    def follow(self, move: Move, game: Game) -> None:
        """Do what a legal move does, which the game is about to make."""
        match move.kind:
            case Kind.DRAW:
                self.waste += self.stock[: game.rules.draw]
                del self.stock[: game.rules.draw]
            case Kind.RECYCLE:
                self.stock, self.waste = self.waste, []
            case Kind.WASTE_TO_FOUNDATION:
                self._put(game, game.waste[-1], self.waste.pop())
            case Kind.WASTE_TO_COLUMN:
                self.columns[move.target].append(self.waste.pop())
            case Kind.COLUMN_TO_FOUNDATION:
                self._put(game, game.columns[move.source][-1], self.columns[move.source].pop())
            case Kind.COLUMN_TO_COLUMN:
                self.columns[move.target] += self.columns[move.source][-move.count :]
                del self.columns[move.source][-move.count :]
            case Kind.TAKE_BACK:
                place = game.foundations.index(move.source, move.count - 1)
                self.columns[move.target].append(self.foundations[place].pop())

    def _put(self, game: Game, card: int, place: Card) -> None:
        index = game.foundations.accepting(card)
        assert index is not None
        self.foundations[index].append(place)
