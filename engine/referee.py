"""The plain referee: a game alone, played by the rules of `layout.py`, which can be undone.

The kernel is held against it, and no list of moves is called a win before `replay` has played it
here.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from .deal import Position
from .errors import MoveError
from .layout import Foundations, Layout
from .moves import DRAW_MOVE, RECYCLE_MOVE, WASTE_UP_MOVE, Kind, Move
from .rules import Rules

UNDO_LIMIT = 200
"""As in the app (`rules.md`)."""

Place = Literal["stock", "waste"] | int
"""Where a finger can tap: the stock, the waste, or the top card of a column, from 0."""


class Game(Layout):
    """A game under way of one player: a layout over foundations of its own."""

    def __init__(self, rules: Rules, position: Position) -> None:
        """Take over a position, which is trusted (see `Position.check`).

        Raises `TypeError` for what is no position or no rules.
        """
        if not (isinstance(rules, Rules) and isinstance(position, Position)):
            raise TypeError(
                "a game is made of Rules and a Position, not of "
                f"{type(rules).__name__} and {type(position).__name__}"
            )
        super().__init__(rules, Foundations(rules, position.foundations), position)
        self.moves = 0
        """Actions so far, draws and recycles too; undo does not lower it."""
        self._before: deque[Position] = deque(maxlen=UNDO_LIMIT)

    def __repr__(self) -> str:
        """The mode, and how far the game is."""
        return (
            f"<Game {self.rules.game}-{self.rules.mode}: {self.moves} moves, "
            f"{self.cards_up} of {self.rules.cards} cards up, score {self.score}>"
        )

    @property
    def cards_up(self) -> int:
        """Number of cards on the foundations."""
        return self.foundations.cards_up

    @property
    def won(self) -> bool:
        """Whether all cards lie on the foundations."""
        return self.foundations.full

    def play(self, move: Move) -> None:
        """Make a move; `MoveError` says why the rules refuse it, and then nothing has changed.

        Raises `TypeError` for what is no `Move`, such as the text of one.
        """
        if not isinstance(move, Move):
            raise TypeError(f"a Move is played, as parse_move reads one, not {move!r:.40}")
        why = self.refusal(move)
        if why is not None:
            raise MoveError(why)
        self._before.append(self.position())
        self.moves += 1
        self.make(move)

    def undo(self) -> None:
        """Take the last action back, and its score; the last 200 can be taken back.

        The score from before comes back whole, also where the floor at 0 had swallowed part
        of a recycle. Raises `MoveError` when there is nothing left to undo.
        """
        if not self._before:
            raise MoveError(f"nothing to undo; the last {UNDO_LIMIT} actions can be undone")
        before = self._before.pop()
        self.lay(before)
        self.foundations.heights = list(before.foundations)

    # How the app is told

    def tap(self, place: Place) -> Move | None:
        """The move that a tap makes; None where nothing happens."""
        if place == "stock":
            move = DRAW_MOVE if self.stock else RECYCLE_MOVE
        elif place == "waste":
            move = WASTE_UP_MOVE
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


def replay(rules: Rules, position: Position, moves: Iterable[Move]) -> Replay:
    """Play a list of moves; `MoveError` names the first illegal one, counted from 1."""
    game = Game(rules, position)
    kinds = []
    for number, move in enumerate(moves, 1):
        try:
            game.play(move)
        except MoveError as error:
            raise MoveError(f"illegal at move {number}: {error}") from None
        kinds.append(move.kind)
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
