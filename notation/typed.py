"""Positions as a person types them: a line for each pile, `?` for a card that was not seen.

    1: 8C
    2: ? KS
    7: ?x5 (4C) 2D
    waste: 3H AC
    up: 2S AC

Columns are listed bottom to top, `?x5` is five unknown cards, and in parentheses stand cards that
are known and lie face down. The waste ends with its top card, the stock begins with the one drawn
next. A card of `up` has all under it. What is left out is as at the start of a deal, and the stock
holds all cards that were not seen. The open cards alone, in one line or a line each, are a deal
before its first move. In the game for two the lines of a player stand below `A:` or `B:`.

What is read here is the object of our JSON for the same position; `formats` makes a position of it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from ..engine.cards import SUIT_SIGNS, SUITS, card_of, card_text, parse_card, rank_of, suit_of
from ..engine.deal import Pile
from ..engine.errors import DealError
from ..engine.rules import Rules
from .placed import Placed, parsed, place

UNKNOWN = "??"
"""A card that was not seen, in JSON."""
STOCK = -1
"""The pile of a place that is one of the stock."""
NOTHING = "-"
"""What stands for a pile without cards."""
Places = Collection[tuple[int, int]]
"""Places of cards: column and index from the bottom; `STOCK` and index for the stock."""

_PILES = {"waste": "waste", "stock": "stock", "up": "up", "foundations": "up", "hidden": "hidden"}
_NUMBERS = ("draw", "score", "recycles")
_WORDS = ("scoring", "game", "to_move", "last", "style")
_PLAYERS = ("A", "B")
_HEADING = re.compile(
    r"[^\S\n]*(?:column\s*)?(\d{1,2}|[AB]|to move|"
    + "|".join((*_PILES, *_NUMBERS, *_WORDS))
    + r")[^\S\n]*:",
    re.IGNORECASE,
)
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_TOKEN = re.compile(r"[()]|[^\s,;()]+")
_UNKNOWN = re.compile(r"\?(?:[x×*](\d{1,3}))?", re.IGNORECASE)
_NO_CARDS_UP = re.compile(rf"[-–0]([{SUITS}{SUIT_SIGNS}])", re.IGNORECASE)
_SCORINGS = {"normal": "N", "vegas": "V"}


def is_typed(text: str) -> bool:
    """Whether a clean text can only be a position in this form, right or wrong."""
    if any(_HEADING.match(line[0]) for line in _LINE.finditer(text)):
        return True
    return bool(text.strip()) and all(
        map(_is_card, (token[0] for token in _TOKEN.finditer(text) if token[0] not in "()"))
    )


def _is_card(word: str) -> bool:
    try:
        parse_card(word)
    except DealError:
        return _UNKNOWN.fullmatch(word) is not None
    return True


@dataclass(slots=True)
class _Section:
    """What is typed of one layout."""

    numbered: dict[int, Placed] = field(default_factory=dict)
    """The headings of columns by number."""
    columns: list[list[Placed]] = field(default_factory=list)
    hidden: list[int] = field(default_factory=list)
    """How many cards of each column are marked as face down."""
    marked: bool = False
    piles: dict[str, Any] = field(default_factory=dict)
    """What else there is, under the keys of our JSON."""

    def object(self) -> dict[str, Any]:
        """The layout as our JSON; its stock is None where it was left out."""
        columns, hidden = self._in_order()
        if len(columns) == 1 and not self.numbered and len(columns[0]) > 1 and not self.marked:
            columns = [[card] for card in columns[0]]
            return self._before_first_move(columns)
        alone = len(columns) > 1 and all(len(column) == 1 for column in columns)
        if alone and not self.marked and not self.piles.keys() & {"waste", "stock", "foundations"}:
            return self._before_first_move(columns)
        marks = {"hidden": hidden} if self.marked else {}
        return {"columns": columns, "stock": None} | marks | self.piles

    def _before_first_move(self, columns: list[list[Placed]]) -> dict[str, Any]:
        """A deal of which the open cards are known."""
        dealt = [
            [Placed(UNKNOWN, card.text, card.at)] * number + [card]
            for number, (card,) in enumerate(columns)
        ]
        return {"columns": dealt, "stock": None} | self.piles

    def _in_order(self) -> tuple[list[list[Placed]], list[int]]:
        """The columns by their numbers, and how many cards of each are marked as face down."""
        if not self.numbered:
            return self.columns, self.hidden
        order = sorted(self.numbered)
        missing = [number for number in range(1, order[-1] + 1) if number not in self.numbered]
        if missing:
            raise DealError(missing_columns(missing))
        by_number = dict(
            zip(self.numbered, zip(self.columns, self.hidden, strict=True), strict=True)
        )
        return [by_number[at][0] for at in order], [by_number[at][1] for at in order]


def missing_columns(numbers: Sequence[int]) -> str:
    """The message that columns are missing, and what would be right."""
    *before, last = map(str, numbers)
    which = f"columns {', '.join(before)} and {last} are" if before else f"column {last} is"
    if len(before) > 2 and numbers[-1] - numbers[0] == len(before):
        which = f"columns {numbers[0]} to {last} are"
    return f'{which} missing; an empty column is written "{last}: {NOTHING}"'


def typed_object(text: str) -> dict[str, Any]:
    """The object of our JSON that a clean text in this form means, its cards `Placed` words.

    `DealError` says where something cannot be read.
    """
    sections: dict[str, _Section] = {}
    current = alone = _Section()
    about: dict[str, Any] = {}
    for line in _LINE.finditer(text):
        heading = _HEADING.match(line[0])
        start = line.start() + (heading.end() if heading else 0)
        tokens = [
            Placed(token[0], text, token.start())
            for token in _TOKEN.finditer(text, start, line.end())
        ]
        if heading is None:
            _refuse_other_heading(text, line)
            _add_column(current, None, tokens)
            continue
        name = Placed(heading[1], text, line.start() + heading.start(1))
        key = name.lower().replace(" ", "_")
        if key.upper() in _PLAYERS:
            _refuse_twice(sections, key.upper(), name)
            current = sections[key.upper()] = _Section()
            if tokens:
                raise _at(tokens[0], f"a line {name}: stands alone, above the lines of the player")
        elif key.isdecimal():
            _add_column(current, name, tokens)
        elif key in _PILES:
            _add_pile(current, _PILES[key], name, tokens)
        elif key == "recycles" or (key == "score" and not sections):
            _refuse_twice(current.piles, key, name)
            current.piles[key] = _number(name, tokens)
        else:
            _refuse_twice(about, key, name)
            about[key] = _number(name, tokens) if key in _NUMBERS else _word(name, tokens)
    if not sections:
        return alone.object() | about
    if alone.columns or alone.piles:
        raise DealError("some piles stand above the line of the player whose they are, A: or B:")
    return {"deal": {player: _of_two(player, each) for player, each in sections.items()}} | about


def _of_two(player: str, section: _Section) -> dict[str, Any]:
    """The layout of one of two players; what lies in none of the piles of either is up."""
    if "foundations" in section.piles:
        raise DealError(f"{player}: in the game for two the cards that lie in no pile are up")
    data = section.object()
    if data["stock"] is None:
        data["stock"] = []
    for pile in (*data["columns"], data["stock"]):
        for card in pile:
            if card == UNKNOWN:
                raise _at(card, "no card is unknown in a position of the game for two")
    return data


def _at(word: Placed, message: str) -> DealError:
    return DealError(f"{place(word.text, word.at)}: {message}")


def _refuse_twice(there: Mapping[Any, Any], key: Any, name: Placed) -> None:
    if key in there:
        raise _at(name, f"{name}: is there twice")


def _refuse_other_heading(text: str, line: re.Match[str]) -> None:
    """Say which headings there are where a line has another."""
    name, colon, _ = line[0].partition(":")
    if colon:
        raise DealError(
            f"{place(text, line.start())}: {name.strip()[:20]!r} is no pile; lines begin with "
            "1: to 9: for a column, waste:, stock:, up:, draw:, scoring:, game:, score:, recycles:"
        )


def _add_column(section: _Section, name: Placed | None, tokens: list[Placed]) -> None:
    """Take a line of a column, or one without a number."""
    if name is not None:
        number = int(name)
        if number in section.numbered:
            raise _at(name, f"column {number} is there twice")
        if not tokens:
            raise _at(name, f'column {number} has no card; an empty one is "{number}: {NOTHING}"')
        if section.columns and not section.numbered:
            raise _at(name, "the columns before it have no numbers; all have one, or none has")
        section.numbered[number] = name
    elif section.numbered:
        raise _at(tokens[0], 'this column has no number; all have one, as in "3: ?x2 KS", or none')
    cards, down = _cards(tokens)
    section.columns.append(cards)
    section.hidden.append(down)
    section.marked |= down > 0


def _cards(tokens: list[Placed]) -> tuple[list[Placed], int]:
    """The cards of a column, and how many of them are marked as face down."""
    if tokens == [NOTHING]:
        return [], 0
    cards: list[Placed] = []
    down, opened = 0, None
    for token in tokens:
        if token in "()":
            if (token == "(") == (opened is not None):
                raise _at(token, f"{token!r} without its other half")
            opened = token if token == "(" else None
            continue
        words = list(_words(token))
        if opened is not None or words[0] == UNKNOWN:
            if down < len(cards):
                raise _at(token, f"{token} is face down and lies on {cards[-1]}, which is open")
            down += len(words)
        cards += words
    if opened is not None:
        raise _at(opened, "'(' without its other half")
    if down == len(cards):
        raise _at(tokens[-1], "the last card of a column lies open; which one is it?")
    return cards, down


def _words(token: Placed) -> Iterator[Placed]:
    """The card that is typed, or so many unknown ones."""
    if token.strip("?") == "" and token != "?":
        raise _at(token, f"{token:.20}; one unknown card is ?, and {len(token)} are ?x{len(token)}")
    unknown = _UNKNOWN.fullmatch(token)
    if unknown is None:
        parsed(parse_card, token)
        yield token
    elif int(unknown[1] or 1) < 1:
        raise _at(token, f"{token} are no cards; six unknown cards are ?x6")
    else:
        yield from [Placed(UNKNOWN, token.text, token.at)] * int(unknown[1] or 1)


def _add_pile(section: _Section, key: str, name: Placed, tokens: list[Placed]) -> None:
    """Take a line of another pile; one without anything on it is as if left out."""
    target = "foundations" if key == "up" else key
    _refuse_twice(section.piles, target, name)
    if not tokens:
        return
    if key == "up":
        section.piles[target] = _tops(tokens)
    elif key == "hidden":
        section.piles[target] = [_whole(token) for token in tokens]
    else:
        cards = [] if tokens == [NOTHING] else [card for each in tokens for card in _words(each)]
        section.piles[target] = cards


def _tops(tokens: list[Placed]) -> dict[str, list[int]]:
    """Heights of foundations by suit, from their top cards; `-S` is a place without cards."""
    heights: dict[str, list[int]] = {}
    for token in tokens if tokens != [NOTHING] else ():
        empty = _NO_CARDS_UP.fullmatch(token)
        card = parsed(parse_card, token) if empty is None else parse_card(f"A{empty[1]}")
        of_suit = heights.setdefault(SUITS[suit_of(card)], [])
        of_suit.append(rank_of(card) + 1 if empty is None else 0)
    return heights


def _number(name: Placed, tokens: list[Placed]) -> int:
    return _whole(_only(name, tokens))


def _whole(token: Placed) -> int:
    sign, digits = ("-", token[1:]) if token[:1] in "-−" else ("", token[:])
    digits = digits.removeprefix("$")
    if not digits.isdecimal() or len(digits) > 9:
        raise _at(token, f"{token:.20} is no whole number")
    return int(sign + digits)


def _word(name: Placed, tokens: list[Placed]) -> str:
    word = _only(name, tokens)
    return _SCORINGS.get(word.lower(), word.upper() if name.lower() != "style" else word.lower())


def _only(name: Placed, tokens: list[Placed]) -> Placed:
    """The one word of a line."""
    if len(tokens) != 1:
        raise _at(name, f"{name}: takes one word, as in draw: 3 or scoring: V")
    return tokens[0]


def layout_lines(
    columns: Sequence[Pile], hidden: Pile, waste: Pile, stock: Pile, unknown: Places = ()
) -> Iterator[str]:
    """The lines of what lies before a player.

    Columns as long as they are dealt are taken for a deal if none of their cards is marked as face
    down; so that no card is must be said.
    """
    for number, (column, down) in enumerate(zip(columns, hidden, strict=True)):
        unseen = {at for pile, at in unknown if pile == number}
        yield f"{number + 1}: {_joined(column, unseen, down)}"
    if waste:
        yield f"waste: {_joined(waste)}"
    yield f"stock: {_joined(stock, {at for pile, at in unknown if pile == STOCK})}"
    if not any(hidden) and [*map(len, columns)] == [*range(1, len(columns) + 1)]:
        yield f"hidden: {' '.join(map(str, hidden))}"


def tops_line(rules: Rules, foundations: Pile) -> str | None:
    """The line of what is up; None where nothing is."""
    words = []
    for suit in range(rules.suits):
        heights = list(foundations[suit * rules.places : (suit + 1) * rules.places])
        while heights and not heights[-1]:
            heights.pop()
        words += [
            card_text(card_of(height - 1, suit)) if height else NOTHING + SUITS[suit]
            for height in heights
        ]
    return f"up: {' '.join(words)}" if words else None


def _joined(cards: Pile, unseen: Collection[int] = (), down: int = 0) -> str:
    """The words of a pile: unknown cards in a row counted, known ones face down in parentheses."""
    told = []
    for (is_unseen, is_down), group in groupby(
        enumerate(cards), lambda each: (each[0] in unseen, each[0] < down)
    ):
        words = [card_text(card) for _, card in group]
        if is_unseen:
            told.append(f"?x{len(words)}" if len(words) > 1 else "?")
        else:
            told.append(f"({' '.join(words)})" if is_down else " ".join(words))
    return " ".join(told) or NOTHING
