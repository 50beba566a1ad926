"""Needless moves dropped from a list: taken back to be put up again, there and back, by way of.

A move is dropped on trial and the rest is played on, each move with the card it was about, from
wherever that card lies now; one that is without effect then falls away too. Where the table comes
to be as it was, the rest of the list holds as it stands. The referee plays every move of a trial.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .deal import Position
from .errors import MoveError
from .moves import Kind, Move
from .referee import Game
from .rules import Rules

MOST_MOVES = 50_000
"""Moves played at most before what is left stays; by hand, about half a second."""
_MAY_GO = (Kind.TAKE_BACK, Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION)
"""What can be dropped; a card is put up later in vain if it is taken back after that."""

Name = tuple[str, int, int]
"""Tells a card from its copies: where it lay at first, or which move brought it from the waste."""


def tidy(
    rules: Rules, position: Position, moves: Sequence[Move], keeps_score: bool = False
) -> tuple[Move, ...]:
    """The list without moves that it can do without; it ends at the same table.

    `moves` are legal from `position`; `MoveError` if not. With `keeps_score` the score does not
    sink, as it may where a card is no longer taken back to be put up once more. What is not found
    within `MOST_MOVES` stays.
    """
    kept = _List(rules, position)
    kept.go_on(moves)
    score = kept.score
    is_shorter = True
    while is_shorter:
        is_shorter = False
        # From the end: a card that lies on another keeps the one below from being dropped.
        for at in reversed(range(len(kept.moves))):
            if not kept.may_do_without(at):
                continue
            if kept.played >= MOST_MOVES:
                return tuple(kept.moves)
            moves = kept.moves
            rest = kept.rest_without(at)
            if rest is None:
                continue
            kept.cut(at)
            kept.go_on(rest)
            if keeps_score and kept.score < score:
                kept.cut(at)
                kept.go_on(moves[at:])
            else:
                is_shorter = True
    return tuple(kept.moves)


class _Table:
    """A game, and the names of the cards in its columns and on its foundations."""

    def __init__(self, rules: Rules, position: Position) -> None:
        """Name the cards of a position by where they lie."""
        self.game = Game(rules, position)
        self.columns = _named("column", map(len, position.columns))
        self.homes = _named("home", position.foundations)

    def copy(self) -> "_Table":
        """The same table, with the same names, for another game."""
        table = _Table(self.game.rules, self.game.position())
        table.columns = list(map(list, self.columns))
        table.homes = list(map(list, self.homes))
        return table

    def subject(self, move: Move) -> Name | None:
        """The card that a legal move is about, of a run the lowest; None from stock and waste."""
        match move.kind:
            case Kind.COLUMN_TO_FOUNDATION | Kind.COLUMN_TO_COLUMN:
                return self.columns[move.source][-move.count]
            case Kind.TAKE_BACK:
                return self.homes[self._home(move)][-1]
        return None

    def again(self, move: Move, name: Name | None) -> Move | None:
        """The move with the card of this name, from where it lies now; None if it is there.

        What cannot be played comes out as a move that the referee refuses, or as `MoveError`.
        """
        if name is None:
            return move
        for home, names in enumerate(self.homes):
            if name in names:
                if move.kind is not Kind.TAKE_BACK:
                    return None
                if name != names[-1]:
                    raise MoveError("the card is covered")
                return replace(move, count=home % self.game.rules.places + 1)
        for column, names in enumerate(self.columns):
            if name in names:
                count = len(names) - names.index(name)
                if move.kind is Kind.COLUMN_TO_COLUMN:
                    same = column == move.target
                    return None if same else replace(move, source=column, count=count)
                if move.kind is Kind.TAKE_BACK:
                    same = column == move.target
                    return None if same else Move(Kind.COLUMN_TO_COLUMN, column, move.target, count)
                if count == 1:
                    return replace(move, source=column)
        raise MoveError("the card is covered")

    def play(self, move: Move, number: int) -> None:
        """Make a move, the one of this number in the list; `MoveError` if it is illegal."""
        before = list(self.game.foundations.heights)
        self.game.play(move)
        match move.kind:
            case Kind.WASTE_TO_COLUMN:
                self.columns[move.target].append(("waste", number, 0))
            case Kind.COLUMN_TO_COLUMN:
                source = self.columns[move.source]
                self.columns[move.target] += source[-move.count :]
                del source[-move.count :]
            case Kind.TAKE_BACK:
                self.columns[move.target].append(self.homes[self._home(move)].pop())
            case Kind.WASTE_TO_FOUNDATION | Kind.COLUMN_TO_FOUNDATION:
                is_waste = move.kind is Kind.WASTE_TO_FOUNDATION
                name = ("waste", number, 0) if is_waste else self.columns[move.source].pop()
                heights = zip(before, self.game.foundations.heights, strict=True)
                home = next(at for at, (was, now) in enumerate(heights) if was != now)
                self.homes[home].append(name)

    def _home(self, move: Move) -> int:
        return self.game.foundations.index(move.source, move.count - 1)


class _List:
    """A list of moves, with the table before each of them and at the end."""

    def __init__(self, rules: Rules, position: Position) -> None:
        """Begin with no moves."""
        self.moves: list[Move] = []
        self.played = 0
        self._tables = [_Table(rules, position)]
        self._subjects: list[Name | None] = []

    @property
    def score(self) -> int:
        """Points or dollars at the end."""
        return self._tables[-1].game.score

    def go_on(self, moves: Iterable[Move]) -> None:
        """Play moves from the end on; `MoveError` if one is illegal."""
        for move in moves:
            table = self._tables[-1].copy()
            table.play(move, len(self.moves))
            self._subjects.append(self._tables[-1].subject(move))
            self._tables.append(table)
            self.moves.append(move)
            self.played += 1

    def cut(self, at: int) -> None:
        """Forget this move and those after it."""
        self.moves = self.moves[:at]
        del self._subjects[at:], self._tables[at + 1 :]

    def may_do_without(self, at: int) -> bool:
        """Whether a move is of the kinds that can be dropped."""
        kind = self.moves[at].kind
        if kind is not Kind.COLUMN_TO_FOUNDATION:
            return kind in _MAY_GO
        name = self._subjects[at]
        later = zip(self.moves[at:], self._subjects[at:], strict=True)
        return any(move.kind is Kind.TAKE_BACK and name == other for move, other in later)

    def rest_without(self, at: int) -> list[Move] | None:
        """What is to be played in place of this move and all after it, to come to the same table.

        None if that is not found.
        """
        table = self._tables[at].copy()
        rest: list[Move] = []
        for number in range(at + 1, len(self.moves)):
            move = self.moves[number]
            self.played += 1
            now = None
            try:
                now = table.again(move, self._subjects[number])
                if now is not None:
                    table.play(now, number)
                    rest.append(now)
            except MoveError:
                # What was to lie on a card that is not there now may go with it.
                if move.kind not in _MAY_GO:
                    return None
                now = None
            after = number + 1
            if now != move and _alike(table.game, self._tables[after].game):
                return rest + self.moves[after:]
        return None


def _named(where: str, sizes: Iterable[int]) -> list[list[Name]]:
    return [[(where, pile, place) for place in range(size)] for pile, size in enumerate(sizes)]


def _alike(one: Game, other: Game) -> bool:
    """Whether the same cards lie in the same way; stock and waste do, in a trial."""
    same_columns = one.columns == other.columns and one.hidden == other.hidden
    return same_columns and one.foundations.heights == other.foundations.heights
