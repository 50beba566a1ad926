"""The table as text: plain for a pipe, in colour for a terminal."""

import os
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from ..engine.cards import SUIT_SIGNS, card_of, card_sign, is_red
from ..engine.deal import Pile, Position
from ..engine.rules import Rules, Scoring
from ..notation.typed import STOCK, UNKNOWN
from ..pages.words import score_text
from .output import write
from .streams import to_ascii

Span = tuple[str, str]
"""A piece of a line and its style, a style of rich or empty."""

Place = tuple[int, int]
"""Of a card: column and index from the bottom, or `STOCK` and index."""

CARDS_A_LINE = 20
"""So that with `_MARGIN` before them they fit into 80 columns."""
HIDDEN = "dim"
RED = "bold red"
BLACK = "bold"
_MARGIN = 13
"""As wide as the longest heading, `foundations`, and a gap."""


def describe_rules(rules: Rules) -> str:
    """The game and its variant in words."""
    scoring = "Vegas" if rules.scoring is Scoring.VEGAS else "Normal"
    passes = "unlimited redeals" if rules.passes is None else f"passes: {rules.passes}"
    return f"{rules.title}, draw {rules.draw}, {scoring} scoring, {passes}"


def board(
    title: str, rules: Rules, position: Position, unknown: frozenset[Place] = frozenset()
) -> list[list[Span]]:
    """Lines of a picture of the table, hidden cards in brackets; `unknown` are places of backs."""
    count = f", {len(unknown)} unknown card{'s' * (len(unknown) > 1)}" if unknown else ""
    score = score_text(rules, position.score)
    return [
        [(f"{title}  {describe_rules(rules)}, score {score}{count}", "")],
        [("foundations".ljust(_MARGIN), ""), *_foundations(rules, position)],
        *piles(position.columns, position.hidden, position.waste, position.stock, unknown),
    ]


def piles(
    columns: Sequence[Pile],
    hidden: Pile,
    waste: Pile,
    stock: Pile,
    unknown: frozenset[Place] = frozenset(),
) -> list[list[Span]]:
    """Lines of a picture of what lies before a player."""
    unseen = {at for pile, at in unknown if pile == STOCK}
    return [
        *_pile("waste", waste),
        *_pile("stock", stock, unseen),
        [],
        *columns_of(columns, hidden, unknown=unknown),
    ]


def columns_of(
    columns: Sequence[Pile],
    hidden: Pile,
    face: str | None = None,
    unknown: frozenset[Place] = frozenset(),
) -> list[list[Span]]:
    """Lines of a picture of the columns; with `face` it stands for each face-down card."""
    lines: list[list[Span]] = [
        [("".join(f"{k:^5}" for k in range(1, len(columns) + 1)).rstrip(), "")]
    ]
    for row in range(max(map(len, columns))):
        lines.append(
            [
                _cell(column, down, row, UNKNOWN if (number, row) in unknown else face)
                for number, (column, down) in enumerate(zip(columns, hidden, strict=True))
            ]
        )
    return lines


def small_board(rules: Rules, position: Position) -> list[list[Span]]:
    """Lines of a small picture: what is up, and of each column its open cards below a count."""
    waste = [(f"{card_sign(card)} ", style_of(card)) for card in position.waste[-rules.draw :]]
    counts = [f"({down})" if down else "" for down in position.hidden]
    opened = [column[down:] for column, down in zip(position.columns, position.hidden, strict=True)]
    numbers, *rows = columns_of(opened, (0,) * rules.columns)
    return [
        [("up ", ""), *_foundations(rules, position)],
        [(f"waste ({len(position.waste)}) ", ""), *waste, (f" stock ({len(position.stock)})", "")],
        numbers,
        *([[("".join(f"{count:^5}" for count in counts), HIDDEN)]] if any(counts) else []),
        *rows,
    ]


def _cell(column: Pile, hidden: int, row: int, face: str | None) -> Span:
    if row >= len(column):
        return " " * 5, ""
    if row < hidden:
        return f"({face or card_sign(column[row])}) ", HIDDEN
    return f" {card_sign(column[row])}  ", style_of(column[row])


def style_of(card: int) -> str:
    """The colour of a card."""
    return RED if is_red(card) else BLACK


def _foundations(rules: Rules, position: Position) -> Iterator[Span]:
    for place, height in enumerate(position.foundations):
        suit = place // rules.places
        if height:
            card = card_of(height - 1, suit)
            yield f"{card_sign(card)} ", style_of(card)
        else:
            yield f"-{SUIT_SIGNS[suit]} ", HIDDEN


def _pile(name: str, pile: Pile, unseen: Collection[int] = ()) -> Iterator[list[Span]]:
    """Lines of a pile; cards at the indices `unseen` are counted, those in a row together."""
    head = f"{name} ({len(pile)})"
    cards: list[Span] = []
    for is_unseen, indices in groupby(range(len(pile)), lambda at: at in unseen):
        if is_unseen:
            cards.append((f"{UNKNOWN} x{len(list(indices))} ", HIDDEN))
        else:
            cards += [(f"{card_sign(pile[at])} ", style_of(pile[at])) for at in indices]
    for first in range(0, max(len(cards), 1), CARDS_A_LINE):
        row = cards[first : first + CARDS_A_LINE]
        yield [(("" if first else head).ljust(_MARGIN), ""), *row]


def plain(lines: Iterable[Iterable[Span]]) -> str:
    """The picture without colours."""
    return "".join("".join(text for text, _ in line).rstrip() + "\n" for line in lines)


def wants_colour(choice: str) -> bool:
    """Whether to print in colour: `always`, `never`, or for `auto` as the surroundings ask."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def print_picture(lines: Sequence[Sequence[Span]], colour: str, as_ascii: bool = False) -> None:
    """Print a picture as `wants_colour` says, or plainly with letters for suit signs."""
    if as_ascii:
        write(to_ascii(plain(lines)))
    elif wants_colour(colour):
        print_in_colour(lines)
    else:
        write(plain(lines))


def print_in_colour(lines: Iterable[Iterable[Span]]) -> None:
    """Print the picture to standard output, in the colours that a terminal there has."""
    from rich.console import Console
    from rich.text import Text

    system: Literal["auto", "standard"] = "auto" if sys.stdout.isatty() else "standard"
    console = Console(
        file=sys.stdout, highlight=False, force_terminal=True, color_system=system, no_color=False
    )
    for line in lines:
        console.print(Text.assemble(*line), soft_wrap=True)
