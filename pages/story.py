"""A list of moves told for a person: draws in a row as one step, what turns up, the score."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..engine.cards import card_sign
from ..engine.deal import Position
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..notation.solution import describe

UP = (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION)
"""Moves to a foundation."""


@dataclass(frozen=True, slots=True)
class Step:
    """One move, or draws in a row, of a list that the referee has accepted."""

    first: int
    """Number of its first move, from 1."""
    moves: tuple[Move, ...]
    text: str
    """What is to be done, e.g. `9♥ column 5 → column 3 (4 cards)` or
    `draw 4 times (3♥, K♠, 2♦, 9♣)`: of each draw the card that comes to lie on top."""
    turned_up: int | None
    """The card that is turned up by it."""
    before: Position
    after: Position

    @property
    def last(self) -> int:
        """Number of its last move: what the app's counter shows after it."""
        return self.first + len(self.moves) - 1

    @property
    def number(self) -> str:
        """The numbers of its moves, e.g. `17` or `18–21`."""
        return numbers(self.first, self.last)

    @property
    def turns(self) -> str:
        """What turns up, to be added to the text."""
        return "" if self.turned_up is None else f"; turns up {card_sign(self.turned_up)}"


def numbers(first: int, last: int) -> str:
    """The numbers of moves in a row."""
    return str(first) if first == last else f"{first}–{last}"


def tell(rules: Rules, position: Position, moves: Sequence[Move], first: int = 1) -> Iterator[Step]:
    """The steps of a list of moves from a position; `first` is the number of the first move.

    Raises `MoveError` at an illegal move.
    """
    game = Game(rules, position)
    at = 0
    while at < len(moves):
        before = game.position()
        end = at + 1
        if moves[at].kind is Kind.DRAW:
            while end < len(moves) and moves[end].kind is Kind.DRAW:
                end += 1
        text, tops = describe(moves[at], game), []
        for move in moves[at:end]:
            game.play(move)
            tops.append(game.waste[-1] if game.waste else 0)
        if end - at > 1:
            names = ", ".join(map(card_sign, tops))
            text = f"draw {end - at} times ({names})"
        after = game.position()
        if moves[at].kind is Kind.RECYCLE:
            text += f" — pass {after.recycles + 1}"
        yield Step(first + at, tuple(moves[at:end]), text, _turned_up(before, after), before, after)
        at = end


def _turned_up(before: Position, after: Position) -> int | None:
    """The card that lay face down before and is open after."""
    for column, was, hidden in zip(before.columns, before.hidden, after.hidden, strict=True):
        if hidden < was:
            return column[hidden]
    return None


def rest_of(steps: Sequence[Step]) -> int:
    """Index of the step from which on all cards go up, none of them face down and none to choose.

    It is the number of steps where no cards go up so at the end.
    """
    at = len(steps)
    if not steps or any(steps[-1].after.columns) or steps[-1].after.waste or steps[-1].after.stock:
        return at
    while at and steps[at - 1].moves[0].kind in UP and not any(steps[at - 1].before.hidden):
        at -= 1
    return at if len(steps) - at > 1 else len(steps)


def rest_text(steps: Sequence[Step]) -> str:
    """The last steps as one, with the columns from which the cards go up."""
    sources = [
        "W" if move.kind is Kind.WASTE_TO_FOUNDATION else str(move.source + 1)
        for step in steps
        for move in step.moves
    ]
    return f"the rest goes up (columns {', '.join(sources)})"
