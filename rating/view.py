"""`View`: a position as a player sees it, with unknown cards, and samples of what they are."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..engine.deal import Position
from ..engine.dealing import bounded
from ..engine.errors import DealError
from ..engine.rules import Rules
from ..notation.formats import not_seen, object_in, position_from_json, read_deal, texts
from ..notation.typed import STOCK, UNKNOWN


@dataclass(frozen=True, slots=True)
class View:
    """A position in which the cards at some places could as well lie in any other order."""

    position: Position
    """What is known, with one of the possible orders at the unknown places."""
    places: tuple[tuple[int, int], ...]
    """The unknown places: column and index from the bottom; -1 and index for the stock."""

    def __repr__(self) -> str:
        """How many cards are unknown, and the position, in a line."""
        return f"<View: {len(self.places)} unknown cards of {self.position!r}>"

    @classmethod
    def of(cls, position: Position) -> "View":
        """What a player sees who has played from the start of the deal to this position.

        Face-down cards are unknown; the stock is known from the second pass on.
        """
        places = [
            (number, index)
            for number, hidden in enumerate(position.hidden)
            for index in range(hidden)
        ]
        if position.recycles == 0:
            places += [(STOCK, index) for index in range(len(position.stock))]
        return cls(position, tuple(places))

    def blank(self) -> "View":
        """The same view, its unknown cards in their order, so that it tells nothing of them."""
        piles = [*map(list, self.position.columns), list(self.position.stock)]
        cards = sorted(piles[pile][index] for pile, index in self.places)
        for (pile, index), card in zip(self.places, cards, strict=True):
            piles[pile][index] = card
        return View(self._with(piles), self.places)

    def _with(self, piles: list[list[int]]) -> Position:
        """The position with other columns and, last, another stock."""
        *columns, stock = map(tuple, piles)
        return replace(self.position, columns=tuple(columns), stock=stock)

    def sample(self, words: Iterator[int]) -> Position:
        """The position with its unknown cards in a random order, each as likely as the others.

        `words` are random integers of 64 bits.
        """
        piles = [*map(list, self.position.columns), list(self.position.stock)]
        places = self.places
        for last in range(len(places) - 1, 0, -1):
            (pile, index), (other, at) = places[last], places[bounded(words, last + 1)]
            piles[pile][index], piles[other][at] = piles[other][at], piles[pile][index]
        return self._with(piles)


def read_view(text: str, rules: Rules) -> View:
    """The view in a text of any format.

    Unknown cards stand in a typed position, and in our JSON as `??`; there `hidden` may be left out
    where just the unknown cards of the columns lie face down. Raises `DealError`, also for an
    unknown card where none can be, and if there are not as many unknown cards as cards that are not
    seen.
    """
    data = object_in(text)
    data = data.get("deal", data)
    if not isinstance(data, dict) or not _has_unknown(data):
        return View(read_deal(text, rules), ())
    data = dict(data)
    data.setdefault("stock", [])
    for pile in _piles(data):
        if not isinstance(pile, list) or not all(isinstance(card, str) for card in pile):
            raise DealError('columns, stock and waste are lists of cards such as "7H" or "??"')
    if any(UNKNOWN in column for column in data["columns"]):
        data.setdefault("hidden", [_leading(column) for column in data["columns"]])
    missing = iter(texts(not_seen(data, rules)))
    piles = _piles(data)
    places = [
        (number if number < len(data["columns"]) else STOCK, index)
        for number, pile in enumerate(piles)
        for index, card in enumerate(pile)
        if card == UNKNOWN
    ]
    *columns, stock, waste = (
        [next(missing) if card == UNKNOWN else card for card in pile] for pile in piles
    )
    if UNKNOWN in piles[-1]:
        raise DealError("the waste has an unknown card; all of its cards have been seen")
    for column, index in places:
        if column != STOCK and _is_open(data.get("hidden"), column, index):
            raise DealError(f"column {column + 1} has an unknown card that lies face up")
    position = position_from_json(
        data | {"columns": columns, "stock": stock, "waste": waste}, rules
    )
    return View(position, tuple(places))


def _has_unknown(data: dict[str, Any]) -> bool:
    """Whether an object has unknown cards, or a stock that was left open."""
    if not isinstance(data.get("columns"), list):
        return False
    if "stock" in data and data["stock"] is None:
        return True
    return any(isinstance(pile, list) and UNKNOWN in pile for pile in _piles(data))


def _piles(data: dict[str, Any]) -> list[Any]:
    """The columns, the stock and the waste of an object."""
    return [*data["columns"], data.get("stock") or [], data.get("waste", [])]


def _is_open(hidden: Any, column: int, index: int) -> bool:
    """Whether the numbers of face-down cards, if they are such, say that a card lies face up."""
    if not isinstance(hidden, list) or column >= len(hidden):
        return False
    return isinstance(hidden[column], int) and index >= hidden[column]


def _leading(column: list[str]) -> int:
    """How many cards at the bottom of a column are unknown."""
    return next((at for at, card in enumerate(column) if card != UNKNOWN), len(column))
