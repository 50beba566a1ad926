"""The table of the game for two as text, 80 columns wide."""

from collections.abc import Iterator

from ..engine.cards import SUIT_SIGNS, card_of, card_sign
from ..engine.rules import Rules
from ..versus.game import Player, Side, Table, heights_of
from .board import HIDDEN, Span, columns_of, piles, style_of

WIDTH = 80
"""Columns of a terminal that everybody has."""
_NAME = 10
"""As wide as the names of players, and a gap."""


def foundation_line(rules: Rules, table: Table) -> list[Span]:
    """How high both places of each suit are, whose the top of the higher is, and the last play.

    `♠ 4a 2`: spades are at 4 and 2; of the four only one copy is up, and it is A's.
    """
    line: list[Span] = [("foundations  ", "")]
    heights = heights_of(rules, table.sides)
    ups = [set(side.up(rules)) for side in table.sides]
    for suit in range(rules.suits):
        high, low = heights[suit * rules.places : (suit + 1) * rules.places]
        top = card_of(high - 1, suit)
        whose = "" if high == low else "a" if top in ups[0] else "b"
        text = f"{SUIT_SIGNS[suit]} {f'{high}{whose}' if high else '-':<3} {low or '-':<2}  "
        line.append((text, style_of(card_of(0, suit))))
    line.append((f"last: {table.last or '-'}", ""))
    return line


def count_text(rules: Rules, table: Table) -> str:
    """The cards up of both, `A 13 : 11 B`."""
    a, b = (len(side.up(rules)) for side in table.sides)
    return f"A {a} : {b} B"


def head_line(left: str, right: str) -> list[Span]:
    """A line with something at either end, 80 wide if it fits."""
    return [(f"{left}{right:>{max(WIDTH - len(left), len(right) + 2)}}", "")]


def open_tables(title: str, rules: Rules, table: Table) -> list[list[Span]]:
    """Lines of a picture of all cards of both, face-down ones in brackets."""
    passes = "unlimited redeals" if rules.passes is None else f"passes: {rules.passes}"
    turn = "both at once" if table.to_move is None else f"{table.to_move} to move"
    lines = [
        head_line(f"{title}  draw {rules.draw}, {passes}, {turn}", count_text(rules, table)),
        foundation_line(rules, table),
    ]
    for player, side in zip(Player, table.sides, strict=True):
        lines += [[], [(str(player), "")]]
        lines += piles(side.columns, side.hidden, side.waste, side.stock)
    return lines


def other_line(name: str, side: Side) -> list[list[Span]]:
    """Two lines of what a player sees of the other's cards; a dot for each face-down card."""
    waste = card_sign(side.waste[-1]) if side.waste else "-"
    head = f"{name:<{_NAME}} stock {len(side.stock):<3} waste ({len(side.waste)}) {waste}"
    return [[(head, "")], [(" " * _NAME, ""), *_runs(side)]]


def own_lines(name: str, side: Side) -> list[list[Span]]:
    """Lines of what a player sees of the own cards."""
    seen = " ".join(map(card_sign, side.waste[-3:])) or "-"
    head = f"{name:<{_NAME}} stock {len(side.stock):<3} waste ({len(side.waste)}) {seen}"
    return [[(head, "")], *columns_of(side.columns, side.hidden, "..")]


def _runs(side: Side) -> Iterator[Span]:
    """Each column as the ends of its open run behind its face-down cards: `(..)Q♥-9♠`."""
    for column, hidden in zip(side.columns, side.hidden, strict=True):
        if not column:
            yield "–  ", HIDDEN
            continue
        if hidden:
            yield f"({hidden})", HIDDEN
        first, last = column[hidden], column[-1]
        yield card_sign(first), style_of(first)
        if last != first:
            yield f"-{card_sign(last)}", style_of(last)
        yield "  ", ""
