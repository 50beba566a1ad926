"""A layout in two lines: what a player sees of the other where there is no room for all."""

from ..engine.cards import card_sign, is_red
from ..engine.deal import Position
from ..engine.rules import Rules
from .picture import WIDEST, Look, Piece, Row, name

LEAST, ROOMY = 8, 9
"""Columns of text for a column at least, `1░T♠-9♥` and a gap, and to write `10♠`; by hand."""


def folded(rules: Rules, position: Position, title: str, width: int) -> list[Row]:
    """A line with stock and waste, and one with the columns.

    Of a column stand there how many cards lie face down, and the ends of what lies open.
    """
    waste = " ".join(map(name, position.waste[-rules.draw :])) or "–"
    head = f"{title}  stock {len(position.stock)}  waste {len(position.waste)}: {waste}"
    room = max(min(width // rules.columns, WIDEST), LEAST)
    columns: Row = []
    sign = name if room >= ROOMY else card_sign

    def face(card: int) -> Piece:
        return sign(card), Look.RED if is_red(card) else Look.BLACK

    for column, hidden in zip(position.columns, position.hidden, strict=True):
        pieces: Row = []
        if hidden:
            pieces.append((f"{hidden}░", Look.BACK))
        if column:
            pieces.append(face(column[hidden]))
        else:
            pieces.append((" – ", Look.EMPTY))
        if len(column) - hidden > 1:
            pieces += [("-", Look.PLAIN), face(column[-1])]
        gap = room - sum(len(text) for text, _ in pieces)
        columns += [*pieces, (" " * gap, Look.PLAIN)]
    return [[(head[:width], Look.CAPTION)], columns]
