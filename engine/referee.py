"""The plain referee: the rules in lists, written to be read and checked against `rules.md`.

It decides what is legal, keeps the score and undoes. The kernel is held against it, and no
list of moves is called a win before `replay` has played it here.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .cards import card_of, card_text, fits, is_red, rank_of, suit_of
from .deal import Position
from .errors import MoveError
from .moves import DRAW, RECYCLE, WASTE_TO_FOUNDATION, Kind, Move
from .rules import (
    DOLLARS_HOME,
    POINTS_HOME,
    POINTS_LANDED,
    POINTS_TURN_UP,
    RECYCLE_COST,
    Rules,
    Scoring,
)

UNDO_LIMIT = 200

Place = Literal["stock", "waste"] | int
"""Where a finger can tap: the stock, the waste, or the top card of a column, from 0."""


class Game:
    """A game under way. Columns count from 0; all piles have their top card last but the stock.

    `stock` has the card drawn next in front. `foundations` holds heights, as in `Position`.
    """

    def __init__(self, rules: Rules, position: Position) -> None:
        """Take over a position, which is trusted (see `Position.check`)."""
        self.rules = rules
        self.moves = 0
        """Actions so far, draws and recycles too; undo does not lower it."""
        self._before: deque[Position] = deque(maxlen=UNDO_LIMIT)
        self._set(position)

    def _set(self, position: Position) -> None:
        self.columns = [list(column) for column in position.columns]
        self.hidden = list(position.hidden)
        self.stock = list(position.stock)
        self.waste = list(position.waste)
        self.foundations = list(position.foundations)
        self.score = position.score
        self.recycles = position.recycles

    def position(self) -> Position:
        """The position as it stands now."""
        return Position(
            columns=tuple(map(tuple, self.columns)),
            hidden=tuple(self.hidden),
            stock=tuple(self.stock),
            waste=tuple(self.waste),
            foundations=tuple(self.foundations),
            score=self.score,
            recycles=self.recycles,
        )

    @property
    def cards_up(self) -> int:
        """Number of cards on the foundations."""
        return sum(self.foundations)

    @property
    def won(self) -> bool:
        """Whether all cards lie on the foundations."""
        return self.cards_up == self.rules.cards

    # What is legal

    def legal_moves(self) -> list[Move]:
        """Every legal action: each target column and each equal foundation place is one."""
        return [move for move in self._conceivable() if self.refusal(move) is None]

    def _conceivable(self) -> Iterable[Move]:
        columns = range(self.rules.columns)
        yield DRAW
        yield RECYCLE
        yield WASTE_TO_FOUNDATION
        for target in columns:
            yield Move(Kind.WASTE_TO_COLUMN, 0, target)
        for source in columns:
            yield Move(Kind.COLUMN_TO_FOUNDATION, source)
            for count in range(1, self._open(source) + 1):
                for target in columns:
                    yield Move(Kind.COLUMN_TO_COLUMN, source, target, count)
        for suit in range(self.rules.suits):
            for place in range(1, self.rules.decks + 1):
                for target in columns:
                    yield Move(Kind.TAKE_BACK, suit, target, place)

    def refusal(self, move: Move) -> str | None:
        """Why the rules refuse this move here, in one line; None if it is legal."""
        # The source of taking back is a suit.
        source = 0 if move.kind is Kind.TAKE_BACK else move.source
        for column in (source, move.target):
            if not 0 <= column < self.rules.columns:
                return f"there is no column {column + 1}"
        match move.kind:
            case Kind.DRAW:
                return None if self.stock else "the stock is empty"
            case Kind.RECYCLE:
                return self._recycle_refusal()
            case Kind.WASTE_TO_FOUNDATION:
                return self._up_refusal(self.waste[-1]) if self.waste else "the waste is empty"
            case Kind.WASTE_TO_COLUMN:
                if not self.waste:
                    return "the waste is empty"
                return self._column_refusal(self.waste[-1], move.target)
            case Kind.COLUMN_TO_FOUNDATION:
                if not self.columns[move.source]:
                    return f"column {move.source + 1} is empty"
                return self._up_refusal(self.columns[move.source][-1])
            case Kind.COLUMN_TO_COLUMN:
                return self._run_refusal(move)
            case Kind.TAKE_BACK:
                if not 1 <= move.count <= self.rules.decks:
                    return f"there is no place {move.count} of a suit"
                height = self.foundations[self._place(move)]
                if height == 0:
                    return f"the foundation {str(move)[:3]} is empty"
                return self._column_refusal(card_of(height - 1, move.source), move.target)

    def _recycle_refusal(self) -> str | None:
        if self.stock:
            return f"the stock still has {len(self.stock)} cards; it is recycled when empty"
        if not self.waste:
            return "the waste is empty"
        if self.rules.recycles is not None and self.recycles >= self.rules.recycles:
            return "the stock may be gone through once only; Vegas scoring has no recycle"
        return None

    def _up_refusal(self, card: int) -> str | None:
        if self._accepting(card) is not None:
            return None
        heights = " and ".join(str(self.foundations[place]) for place in self._places(card))
        return f"no foundation takes {card_text(card)}: its suit is at {heights}"

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

    def _place(self, move: Move) -> int:
        """Index in `foundations` of the place a card is taken back from."""
        return move.source * self.rules.decks + move.count - 1

    def _places(self, card: int) -> range:
        """Indices in `foundations` of the places of the card's suit."""
        first = suit_of(card) * self.rules.decks
        return range(first, first + self.rules.decks)

    def _accepting(self, card: int) -> int | None:
        """The first place of its suit that accepts the card."""
        for place in self._places(card):
            if self.foundations[place] == rank_of(card):
                return place
        return None

    # What a move does

    def play(self, move: Move) -> None:
        """Make a move; `MoveError` says why the rules refuse it, and then nothing has changed."""
        why = self.refusal(move)
        if why is not None:
            raise MoveError(why)
        self._before.append(self.position())
        self.moves += 1
        match move.kind:
            case Kind.DRAW:
                self.waste += self.stock[: self.rules.draw]
                del self.stock[: self.rules.draw]
            case Kind.RECYCLE:
                self.stock, self.waste = self.waste, []
                self.recycles += 1
                self._earn(-RECYCLE_COST, 0)
            case Kind.WASTE_TO_FOUNDATION:
                self._put_up(self.waste.pop())
            case Kind.WASTE_TO_COLUMN:
                self.columns[move.target].append(self.waste.pop())
                self._earn(POINTS_LANDED, 0)
            case Kind.COLUMN_TO_FOUNDATION:
                self._put_up(self.columns[move.source].pop())
                self._turn_up(move.source)
            case Kind.COLUMN_TO_COLUMN:
                self.columns[move.target] += self.columns[move.source][-move.count :]
                del self.columns[move.source][-move.count :]
                self._turn_up(move.source)
            case Kind.TAKE_BACK:
                place = self._place(move)
                self.foundations[place] -= 1
                self.columns[move.target].append(card_of(self.foundations[place], move.source))

    def _put_up(self, card: int) -> None:
        place = self._accepting(card)
        assert place is not None
        self.foundations[place] += 1
        self._earn(POINTS_HOME, DOLLARS_HOME)

    def _turn_up(self, column: int) -> None:
        """Turn the last card of a column face up if it is face down."""
        if self.columns[column] and self._open(column) == 0:
            self.hidden[column] -= 1
            self._earn(POINTS_TURN_UP, 0)

    def _earn(self, points: int, dollars: int) -> None:
        if self.rules.scoring is Scoring.VEGAS:
            self.score += dollars
        else:
            self.score = max(self.score + points, 0)

    def undo(self) -> None:
        """Take the last action back, and its score; the last 200 can be taken back.

        The score from before comes back whole, also where the floor at 0 had swallowed part
        of a recycle. Raises `MoveError` when there is nothing left to undo.
        """
        if not self._before:
            raise MoveError(f"nothing to undo; the last {UNDO_LIMIT} actions can be undone")
        self._set(self._before.pop())

    # How the app is told

    def tap(self, place: Place) -> Move | None:
        """The move that a tap makes; None where nothing happens."""
        if place == "stock":
            move = DRAW if self.stock else RECYCLE
        elif place == "waste":
            move = WASTE_TO_FOUNDATION
        else:
            move = Move(Kind.COLUMN_TO_FOUNDATION, place)
        return move if self.refusal(move) is None else None

    def double_tap(self, place: Place) -> Move | None:
        """The move that two quick taps make; None where nothing happens.

        As a tap if a foundation takes the card; else it goes to the longest column that
        accepts it, the leftmost of equally long ones, and a king to the leftmost empty one.
        """
        up = self.tap(place)
        if place == "stock" or up is not None:
            return up
        if place == "waste":
            moves = [Move(Kind.WASTE_TO_COLUMN, 0, c) for c in range(self.rules.columns)]
        else:
            moves = [Move(Kind.COLUMN_TO_COLUMN, place, c) for c in range(self.rules.columns)]
        legal = [move for move in moves if self.refusal(move) is None]
        return max(legal, key=lambda move: len(self.columns[move.target]), default=None)

    def gesture(self, move: Move) -> Literal["tap", "double tap", "drag"]:
        """The least the app needs to make this legal move. Raises `MoveError` if it is illegal."""
        why = self.refusal(move)
        if why is not None:
            raise MoveError(why)
        place: Place
        match move.kind:
            case Kind.DRAW | Kind.RECYCLE:
                place = "stock"
            case Kind.WASTE_TO_FOUNDATION | Kind.WASTE_TO_COLUMN:
                place = "waste"
            case Kind.COLUMN_TO_FOUNDATION | Kind.COLUMN_TO_COLUMN:
                place = move.source
            case Kind.TAKE_BACK:
                return "drag"
        if self.tap(place) == move:
            return "tap"
        return "double tap" if self.double_tap(place) == move else "drag"


@dataclass(frozen=True, slots=True)
class Replay:
    """What a list of moves came to."""

    score: int
    """Points, or dollars in Vegas scoring."""
    won: bool
    cards_up: int
    moves: int
    draws: int
    recycles: int
    waste_to_column: int
    """Cards that went from the waste to a column."""
    taken_back: int
    """Cards taken back from a foundation."""


def play_all(rules: Rules, position: Position, moves: Iterable[Move]) -> Game:
    """The game after a list of moves; `MoveError` names the first illegal one, counted from 1."""
    game = Game(rules, position)
    for number, move in enumerate(moves, 1):
        try:
            game.play(move)
        except MoveError as error:
            raise MoveError(f"illegal at move {number}: {error}") from None
    return game


def replay(rules: Rules, position: Position, moves: Iterable[Move]) -> Replay:
    """Play a list of moves; `MoveError` names the first illegal one, counted from 1."""
    moves = tuple(moves)
    game = play_all(rules, position, moves)
    kinds = [move.kind for move in moves]
    return Replay(
        score=game.score,
        won=game.won,
        cards_up=game.cards_up,
        moves=game.moves,
        draws=kinds.count(Kind.DRAW),
        recycles=kinds.count(Kind.RECYCLE),
        waste_to_column=kinds.count(Kind.WASTE_TO_COLUMN),
        taken_back=kinds.count(Kind.TAKE_BACK),
    )
