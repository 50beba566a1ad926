"""A game at the table: moves, undo, counter, clock, and the cards that a person has yet to see.

It is kept in a file as it goes, whole after each action, so that a process may end at any time.
The file is a solution file. Of cards that lie on a table of their own, and not all of which have
been seen, the deal in it has `??`.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..engine.cards import card_of, card_text
from ..engine.codes import PYSOL_PREFIX, DealCode
from ..engine.deal import Position, there
from ..engine.dealing import deal_number
from ..engine.errors import DealError, MoveError
from ..engine.moves import Move, parse_move
from ..engine.referee import UNDO_LIMIT, Game
from ..engine.rules import Rules, rules_for
from ..notation.formats import (
    clean,
    json_object,
    not_seen,
    number_from_json,
    position_from_json,
    position_json,
    stated_rules,
    texts,
)
from ..notation.typed import STOCK, UNKNOWN
from ..notation.whole import write_whole
from ..rating.view import View
from .whereabouts import Card, Whereabouts

DEFAULT_GAME = "DS1"
LONGEST = 10**9
"""Seconds that nobody plays for."""


class Session:
    """A deal, the moves made of it, and what the app would show: score, counter and time.

    `view` is the deal before the first move, or a game under way; its unknown cards are asked for
    as they come to light (`asked`).
    """

    def __init__(
        self,
        rules: Rules,
        view: View,
        code: str | None = None,
        path: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
        own: bool = False,
    ) -> None:
        """Begin a game; `own` is one with cards of the person. Without a path nothing is kept."""
        self.rules, self.view, self.code, self.path = rules, view, code, path
        self.own = own
        self.game = Game(rules, view.position)
        self.moves: list[Move] = []
        self.counter = 0
        """Actions so far, draws and recycles too; undo does not lower it."""
        self.hints = 0
        """Hints that were asked for."""
        self._undoable = 0
        self._clock = clock
        self._seconds = 0.0
        self._since: float | None = None

    # The file

    @classmethod
    def load(cls, path: Path, clock: Callable[[], float] = time.monotonic) -> "Session":
        """Go on with the game in a file, a solution file, and in it.

        Raises `DealError` or `MoveError` for a file that holds none, `OSError` if it is not read.
        """
        data = json_object(clean(path.read_text(encoding="utf-8")))
        moves = data.get("moves")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise MoveError('"moves" must be a list of moves such as "W>3"')
        code = data.get("code")
        if "deal" in data:
            rules = stated_rules(data, rules_for(DEFAULT_GAME, 1, "N"))
            view = view_from_json(data["deal"], rules)
        else:
            named = DealCode.parse(str(code))
            rules = named.rules
            view = View(Position.start(rules, deal_number(rules, named.number)), ())
        is_own = data.get("own") is True or bool(view.places)
        session = cls(rules, view, None if code is None else str(code), path, clock, is_own)
        session.moves = [parse_move(move) for move in moves]
        session.game = session._played(view)
        session.counter = number_from_json(data.get("counter", len(moves)), "counter")
        session.hints = number_from_json(data.get("hints", 0), "hints")
        most = min(len(moves), UNDO_LIMIT)
        undoable = number_from_json(data.get("undoable", most), "undoable")
        session._undoable = max(0, min(undoable, most))
        seconds = data.get("seconds", 0)
        if not isinstance(seconds, int | float) or not 0 <= seconds < LONGEST:
            raise DealError('"seconds" must be a number, 0 or more')
        session._seconds = float(seconds)
        return session

    def save(self) -> None:
        """Write the file; raises `OSError` if that cannot be done."""
        if self.path is not None:
            write_whole(self.path, json.dumps(self.record(), ensure_ascii=False) + "\n")

    def record(self) -> dict[str, Any]:
        """The solution file, and beside it what the game needs to go on."""
        return {
            "code": self.code,
            **deal_json(self.rules, self.view, self.code),
            "moves": [str(move) for move in self.moves],
            "score": self.game.score,
            "won": self.game.won,
            "counter": self.counter,
            "undoable": self._undoable,
            "seconds": round(self.seconds, 1),
            "hints": self.hints,
            **({"own": True} if self.own else {}),
        }

    # Playing

    def play(self, move: Move) -> None:
        """Make a move and keep it; `MoveError` says why it is refused."""
        if self.asked:
            raise MoveError("first say which card lies there; undo takes the move back")
        self.game.play(move)
        self.moves.append(move)
        self.counter += 1
        self._undoable = min(self._undoable + 1, UNDO_LIMIT)
        self.start_clock()
        if self.game.won:
            self.stop_clock()
        self.save()

    @property
    def undoable(self) -> int:
        """How many actions can be taken back."""
        return self._undoable

    def undo(self) -> Move:
        """Take the last action back; `MoveError` if there is none, or 200 have been taken back."""
        if not self._undoable:
            raise MoveError(f"nothing to undo; the last {UNDO_LIMIT} actions can be undone")
        self.game.undo()
        self._undoable -= 1
        self.start_clock()
        move = self.moves.pop()
        self.save()
        return move

    def note_hint(self) -> None:
        """Count a hint."""
        self.hints += 1
        self.save()

    # The clock

    @property
    def seconds(self) -> float:
        """How long the game has been played."""
        running = 0.0 if self._since is None else self._clock() - self._since
        return self._seconds + running

    def start_clock(self) -> None:
        """Let the clock run from now on, unless it runs or the game is won."""
        if self._since is None and not self.game.won:
            self._since = self._clock()

    def stop_clock(self) -> None:
        """Let the clock stand."""
        self._seconds, self._since = self.seconds, None

    # Cards that lie on a table of their own

    @property
    def seen(self) -> View:
        """The position now, with the unknown cards that lie face down."""
        drawn = self._drawn()
        places = [
            (pile, index - drawn if pile == STOCK else index)
            for pile, index in self.view.places
            if not self._is_shown((pile, index))
        ]
        return View(self.game.position(), tuple(places))

    @property
    def asked(self) -> list[Card]:
        """The unknown cards that are seen now: first those of the columns, then those drawn.

        Each is named by its place in `view`.
        """
        return [place for place in self.view.places if self._is_shown(place)]

    def name_asked(self, place: Card) -> str:
        """Where a card that is asked for lies, in words."""
        pile, index = place
        if pile != STOCK:
            return f"column {pile + 1}"
        drawn, draw = self._drawn(), self.rules.draw
        first = (drawn - 1) // draw * draw
        if drawn - first == 1:
            return "drawn card"
        on_top = ", on top" if index == drawn - 1 else ""
        return f"drawn card, {index - first + 1} of {drawn - first}{on_top}"

    def learn(self, card: int) -> None:
        """Take in the first card of `asked`; `DealError` says why it cannot be that one."""
        place = self.asked[0]
        self.view = _with_card(self.rules, self.view, place, card)
        self._begin_again(self._played(self.view))

    def correct(self, place: Card, card: int) -> None:
        """Have another card at a place of `view` that was taken in before.

        `DealError` says why it cannot be that one; then nothing has changed.
        """
        open_view = View(self.view.position, tuple(sorted({*self.view.places, place}, key=_order)))
        view = _with_card(self.rules, open_view, place, card)
        try:
            game = self._played(view)
        except MoveError as error:
            raise DealError(f"with {card_text(card)} there, it is {error}") from None
        self.view = view
        self._begin_again(game)

    def whereabouts(self) -> Whereabouts:
        """Where each card of `view` lies now."""
        where = Whereabouts(self.view.position)
        game = Game(self.rules, self.view.position)
        for move in self.moves:
            where.follow(move, game)
            game.play(move)
        return where

    def _begin_again(self, game: Game) -> None:
        self.game = game
        self.start_clock()
        self.save()

    def _drawn(self) -> int:
        """How many cards of the stock of `view` have been drawn."""
        stock = len(self.view.position.stock)
        if self.game.recycles > self.view.position.recycles:
            return stock
        return stock - len(self.game.stock)

    def _is_shown(self, place: Card) -> bool:
        pile, index = place
        return index < self._drawn() if pile == STOCK else index >= self.game.hidden[pile]

    def _played(self, view: View) -> Game:
        """The game of the moves; `MoveError` names the first that is illegal."""
        game = Game(self.rules, view.position)
        for number, move in enumerate(self.moves, 1):
            try:
                game.play(move)
            except MoveError as error:
                raise MoveError(f"illegal at move {number} ({move}): {error}") from None
        return game


def _order(place: Card) -> tuple[bool, Card]:
    """Places in the order in which they are asked for: columns, then the stock."""
    return place[0] == STOCK, place


def unseen_game(rules: Rules) -> View:
    """A deal of which nothing has been seen, not even the cards that lie face up."""
    deck = [card_of(rank, suit) for suit in range(rules.suits) for rank in range(rules.ranks)]
    cards = iter(sorted(deck * rules.copies))
    columns = tuple(tuple(next(cards) for _ in range(size + 1)) for size in range(rules.columns))
    hidden = tuple(range(rules.columns))
    places = (0,) * rules.foundations
    position = Position(columns, hidden, tuple(cards), (), places, rules.start_score)
    return View(position, tuple(_places(map(len, columns), len(position.stock))))


def _places(columns: Iterable[int], stock: int) -> Iterator[Card]:
    """All places of columns of these sizes, and of the stock."""
    for number, size in enumerate(columns):
        for index in range(size):
            yield number, index
    for index in range(stock):
        yield STOCK, index


def _with_card(rules: Rules, view: View, place: Card, card: int) -> View:
    """A view in which this card is known to lie at an unknown place; `DealError` if it cannot."""
    piles = [*map(list, view.position.columns), list(view.position.stock)]
    here = [each for each in view.places if piles[each[0]][each[1]] == card]
    if not here:
        raise DealError(f"{there(card, rules.copies)} already; it cannot be there once more")
    # Where it already stands nothing moves; else it changes places with the card that stood in.
    pile, index = place if place in here else here[-1]
    piles[place[0]][place[1]], piles[pile][index] = card, piles[place[0]][place[1]]
    *columns, stock = map(tuple, piles)
    position = replace(view.position, columns=tuple(columns), stock=stock)
    return View(position, tuple(each for each in view.places if each != place))


def deal_json(rules: Rules, view: View, code: str | None) -> dict[str, Any]:
    """What a solution file says of the deal besides its code: nothing where that says it all."""
    if code is not None and not code.startswith(PYSOL_PREFIX):
        return {}
    return {
        "deal": position_json(view.position, rules, view.places),
        "game": rules.game,
        "draw": rules.draw,
        "scoring": rules.scoring.value,
    }


def view_from_json(data: Any, rules: Rules) -> View:
    """The view in a record; unlike in a position to advise on, open cards may be unknown too."""
    if not isinstance(data, dict) or not isinstance(data.get("columns"), list):
        raise DealError('no deal in the JSON; a deal is {"columns": …, "stock": …}')
    piles = [*data["columns"], data.get("stock", [])]
    if not all(isinstance(p, list) and all(isinstance(c, str) for c in p) for p in piles):
        raise DealError('columns and stock are lists of cards such as "7H" or "??"')
    places = [
        (number if number < len(piles) - 1 else STOCK, index)
        for number, pile in enumerate(piles)
        for index, card in enumerate(pile)
        if card == UNKNOWN
    ]
    cards = iter(texts(not_seen(data, rules)) if places else ())
    *columns, stock = ([next(cards) if c == UNKNOWN else c for c in pile] for pile in piles)
    position = position_from_json(data | {"columns": columns, "stock": stock}, rules)
    return View(position, tuple(places))
