"""What lies before a player, and the foundations: every rule of what may move where.

Written in lists, to be read and checked against `rules.md`. A game alone is one layout over one set
of foundations (`referee.Game`); several layouts may stand over one set.
"""

from collections.abc import Iterable

from .cards import card_of, card_text, fits, is_red, rank_of, suit_of
from .deal import Pile, Position
from .moves import DRAW_MOVE, RECYCLE_MOVE, WASTE_UP_MOVE, Kind, Move
from .rules import Rules, Scoring


class Foundations:
    """The places on which the suits are built up, common to all layouts of a game."""

    def __init__(self, rules: Rules, heights: Pile) -> None:
        """`heights` are those of `Position.foundations`, which are trusted."""
        self.rules = rules
        self.heights = list(heights)
        """Height of each place, `Rules.places` to a suit, in suit order."""

    def __repr__(self) -> str:
        """How high the places are, in suit order."""
        return f"<Foundations: {' '.join(map(str, self.heights))}>"

    @property
    def cards_up(self) -> int:
        """Number of cards on them."""
        return sum(self.heights)

    @property
    def full(self) -> bool:
        """Whether all cards of all layouts lie on them."""
        return self.cards_up == self.rules.cards * self.rules.players

    def index(self, suit: int, place: int) -> int:
        """Index in `heights` of a place of a suit, counted from 0."""
        return suit * self.rules.places + place

    def _indices(self, card: int) -> range:
        """Indices in `heights` of the places of the card's suit."""
        first = self.index(suit_of(card), 0)
        return range(first, first + self.rules.places)

    def accepting(self, card: int) -> int | None:
        """Index of the first place of its suit that accepts the card; None if none does."""
        for index in self._indices(card):
            if self.heights[index] == rank_of(card):
                return index
        return None

    def refusal(self, card: int) -> str | None:
        """Why no place takes the card, in one line; None if one does."""
        if self.accepting(card) is not None:
            return None
        heights = " and ".join(str(self.heights[index]) for index in self._indices(card))
        return f"no foundation takes {card_text(card)}: its suit is at {heights}"

    def give_back_refusal(self, suit: int, place: int) -> str | None:
        """Why no card can be taken back from a place, counted from 1; None if one can."""
        if not self.rules.gives_back:
            return "a card on a foundation stays there"
        if not 1 <= place <= self.rules.places:
            return f"there is no place {place} of a suit"
        if self.heights[self.index(suit, place - 1)] == 0:
            return f"the foundation {str(Move(Kind.TAKE_BACK, suit, 0, place))[:3]} is empty"
        return None

    def top(self, suit: int, place: int) -> int:
        """The top card of a place, counted from 1, which is not empty."""
        return card_of(self.heights[self.index(suit, place - 1)] - 1, suit)

    def put(self, card: int) -> None:
        """Put a card up, which `refusal` does not refuse."""
        index = self.accepting(card)
        assert index is not None
        self.heights[index] += 1

    def take(self, suit: int, place: int) -> int:
        """Take the top card of a place, counted from 1, which is not empty."""
        card = self.top(suit, place)
        self.heights[self.index(suit, place - 1)] -= 1
        return card


class Layout:
    """A player's piles and score, and the moves that they allow over some foundations.

    Columns count from 0; all piles have their top card last but the stock, which has the card
    drawn next in front.
    """

    def __init__(self, rules: Rules, foundations: Foundations, position: Position) -> None:
        """Take over the piles and the score of a position, which is trusted."""
        self.rules = rules
        self.foundations = foundations
        self.lay(position)

    def lay(self, position: Position) -> None:
        """Let the piles and the score be those of a position."""
        self.columns = [list(column) for column in position.columns]
        self.hidden = list(position.hidden)
        self.stock = list(position.stock)
        self.waste = list(position.waste)
        self.score = position.score
        self.recycles = position.recycles

    def position(self) -> Position:
        """The layout and the foundations as they stand now."""
        return Position(
            columns=tuple(map(tuple, self.columns)),
            hidden=tuple(self.hidden),
            stock=tuple(self.stock),
            waste=tuple(self.waste),
            foundations=tuple(self.foundations.heights),
            score=self.score,
            recycles=self.recycles,
        )

    # What is legal

    def legal_moves(self) -> list[Move]:
        """Every legal action: each target column and each equal foundation place is one."""
        return [move for move in self._conceivable() if self.refusal(move) is None]

    def _conceivable(self) -> Iterable[Move]:
        columns = range(self.rules.columns)
        yield DRAW_MOVE
        yield RECYCLE_MOVE
        yield WASTE_UP_MOVE
        for target in columns:
            yield Move(Kind.WASTE_TO_COLUMN, 0, target)
        for source in columns:
            yield Move(Kind.COLUMN_TO_FOUNDATION, source)
            for count in range(1, self._open(source) + 1):
                for target in columns:
                    yield Move(Kind.COLUMN_TO_COLUMN, source, target, count)
        for suit in range(self.rules.suits):
            for place in range(1, self.rules.places + 1):
                for target in columns:
                    yield Move(Kind.TAKE_BACK, suit, target, place)

    def refusal(self, move: Move) -> str | None:
        """Why the rules refuse this move here, in one line; None if it is legal."""
        # The source of taking back is a suit.
        source = move.source
        if move.kind is Kind.TAKE_BACK:
            if not 0 <= source < self.rules.suits:
                return f"there is no suit {source + 1}"
            source = 0
        for column in (source, move.target):
            if not 0 <= column < self.rules.columns:
                return f"there is no column {column + 1}"
        match move.kind:
            case Kind.DRAW:
                return None if self.stock else "the stock is empty"
            case Kind.RECYCLE:
                return self._recycle_refusal()
            case Kind.WASTE_TO_FOUNDATION:
                if not self.waste:
                    return "the waste is empty"
                return self.foundations.refusal(self.waste[-1])
            case Kind.WASTE_TO_COLUMN:
                if not self.waste:
                    return "the waste is empty"
                return self._column_refusal(self.waste[-1], move.target)
            case Kind.COLUMN_TO_FOUNDATION:
                if not self.columns[move.source]:
                    return f"column {move.source + 1} is empty"
                return self.foundations.refusal(self.columns[move.source][-1])
            case Kind.COLUMN_TO_COLUMN:
                return self._run_refusal(move)
            case Kind.TAKE_BACK:
                why = self.foundations.give_back_refusal(move.source, move.count)
                if why is not None:
                    return why
                card = self.foundations.top(move.source, move.count)
                return self._column_refusal(card, move.target)

    def _recycle_refusal(self) -> str | None:
        if self.stock:
            return f"the stock still has {len(self.stock)} cards; it is recycled when empty"
        if not self.waste:
            return "the waste is empty"
        if self.rules.recycles is not None and self.recycles >= self.rules.recycles:
            often = "once" if self.rules.passes == 1 else f"{self.rules.passes} times"
            vegas = "; Vegas scoring has no recycle" * (self.rules.scoring is Scoring.VEGAS)
            return f"the stock may be gone through {often} only{vegas}"
        return None

    def _column_refusal(self, card: int, target: int) -> str | None:
        """Why a card may not go, with what lies on it, onto the top card of a column."""
        if not self.columns[target]:
            if rank_of(card) == self.rules.ranks - 1:
                return None
            return f"column {target + 1} is empty and takes only a king, not {card_text(card)}"
        top = self.columns[target][-1]
        if fits(card, top):
            return None
        wrong = ["same colour"] if is_red(card) == is_red(top) else []
        wrong += ["not one rank lower"] if rank_of(card) + 1 != rank_of(top) else []
        return f"{card_text(card)} does not go on {card_text(top)}: {', '.join(wrong)}"

    def _run_refusal(self, move: Move) -> str | None:
        source = self.columns[move.source]
        if move.source == move.target:
            return f"column {move.source + 1} is both source and target"
        if not 1 <= move.count <= len(source):
            return f"column {move.source + 1} has {len(source)} cards, not {move.count}"
        first = source[-move.count]
        if move.count > self._open(move.source):
            return f"{card_text(first)} is face down"
        return self._column_refusal(first, move.target)

    def _open(self, column: int) -> int:
        """Number of face-up cards of a column."""
        return len(self.columns[column]) - self.hidden[column]

    # What a move does

    def make(self, move: Move) -> None:
        """Make a legal move."""
        points = self.rules.points
        match move.kind:
            case Kind.DRAW:
                self.waste += self.stock[: self.rules.draw]
                del self.stock[: self.rules.draw]
            case Kind.RECYCLE:
                self.stock, self.waste = self.waste, []
                self.recycles += 1
                self._earn(-points.recycle_cost)
            case Kind.WASTE_TO_FOUNDATION:
                self._put_up(self.waste.pop())
            case Kind.WASTE_TO_COLUMN:
                self.columns[move.target].append(self.waste.pop())
                self._earn(points.landed)
            case Kind.COLUMN_TO_FOUNDATION:
                self._put_up(self.columns[move.source].pop())
                self._turn_up(move.source)
            case Kind.COLUMN_TO_COLUMN:
                self.columns[move.target] += self.columns[move.source][-move.count :]
                del self.columns[move.source][-move.count :]
                self._turn_up(move.source)
            case Kind.TAKE_BACK:
                self.columns[move.target].append(self.foundations.take(move.source, move.count))

    def _put_up(self, card: int) -> None:
        self.foundations.put(card)
        self._earn(self.rules.points.home)

    def _turn_up(self, column: int) -> None:
        """Turn the last card of a column face up if it is face down."""
        if self.columns[column] and self._open(column) == 0:
            self.hidden[column] -= 1
            self._earn(self.rules.points.turned_up)

    def _earn(self, points: int) -> None:
        self.score += points
        if self.rules.points.floor is not None:
            self.score = max(self.score, self.rules.points.floor)
