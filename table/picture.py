"""The board as rows of styled text, and which pile lies under which place of it.

It knows the size that there is and makes do: face-down cards are drawn as one line where a column
is too long, and open cards get more room where there is much. A card is a light piece with its
rank and suit; the signs before it mark a chosen card (`›`) and the next move (`»`).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import Enum

from ..engine.cards import RANKS, SUIT_SIGNS, card_of, is_red, rank_of, suit_of
from ..engine.deal import Position
from ..engine.rules import Rules

STOCK, WASTE = "stock", "waste"
Pile = str | int
"""`stock`, `waste`, a column from 0, or `f0` … for the places of the foundations."""
Spot = tuple[Pile, int]
"""A pile and the index of a card in it from the bottom; -1 for an empty pile or its last card."""
WIDEST = 11
"""Columns of a card and the gap beside it, where there is room. By hand, as the next: wider cards
are no easier to read."""
NARROWEST = 4
"""Columns of a card with its mark: `›10♥`."""
TALL = 3
"""Rows of a card that lies open to all sides, where there is room."""


class Look(Enum):
    """How a piece of text is to look."""

    PLAIN = "plain"
    CAPTION = "caption"
    RED = "red"
    BLACK = "black"
    BACK = "back"
    EMPTY = "empty"
    CHOSEN = "chosen"
    NEXT = "next"


Piece = tuple[str, Look]
Row = list[Piece]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be drawn."""

    rules: Rules
    position: Position
    hides: bool = True
    """Whether face-down cards are drawn as backs, else in brackets."""
    unknown: frozenset[tuple[int, int]] = frozenset()
    """Places of columns whose card nobody knows, drawn as question marks though open."""
    waste_unknown: int = 0
    """How many cards at the top of the waste nobody knows."""
    chosen: frozenset[Spot] = frozenset()
    """Cards that are chosen or dragged."""
    next: frozenset[Spot] = frozenset()
    """Cards and piles of the move that is shown as the next."""


@dataclass(slots=True)
class Picture:
    """Rows of text, and for each cell of them the spot under it."""

    width: int
    rows: list[Row] = field(default_factory=list)
    spots: list[tuple[range, range, Spot]] = field(default_factory=list)
    """Of each spot the cells across and down; the first that fits counts."""

    def at(self, x: int, y: int) -> Spot | None:
        """The spot under a cell."""
        for across, down, spot in self.spots:
            if x in across and y in down:
                return spot
        return None

    def cell_of(self, spot: Spot) -> tuple[int, int]:
        """A cell over a spot: column and row of the text; `KeyError` if it is not to be seen."""
        for across, down, each in self.spots:
            if each == spot:
                return across[len(across) // 2], down[0]
        raise KeyError(spot)


def name(card: int) -> str:
    """The card as it is drawn: `7♥`, `10♣`."""
    rank = RANKS[rank_of(card)]
    return f"{'10' if rank == 'T' else rank}{SUIT_SIGNS[suit_of(card)]}"


def draw(scene: Scene, width: int, height: int) -> Picture:
    """The picture of a scene in so many columns and rows of text."""
    rules, position = scene.rules, scene.position
    pitch = max(min(width // rules.columns, WIDEST), 6)
    picture = Picture(pitch * rules.columns)
    tall = TALL if height >= _rows_needed(position) + 3 * TALL else 1
    _draw_head(picture, scene, pitch, width, tall)
    _draw_columns(picture, scene, pitch, height - len(picture.rows), tall)
    return picture


def _rows_needed(position: Position) -> int:
    return max(map(len, position.columns), default=0)


# Pieces


def _face(scene: Scene, spot: Spot, card: int, width: int, more: str = "") -> Piece:
    """A line of an open card."""
    mark, look = " ", Look.RED if is_red(card) else Look.BLACK
    if spot in scene.next:
        mark, look = "»", Look.NEXT
    if spot in scene.chosen:
        mark, look = "›", Look.CHOSEN
    return f"{mark}{name(card)}{more}"[:width].ljust(width), look


def _blank(piece: Piece) -> Piece:
    """A line of the same card below its name."""
    text, look = piece
    return " " * len(text), look


def _place(scene: Scene, pile: Pile, sign: str, width: int) -> Piece:
    """An empty place."""
    look = Look.NEXT if (pile, -1) in scene.next else Look.EMPTY
    return f"{'»' if look is Look.NEXT else ' '}{sign}".ljust(width), look


# The line of stock, waste and foundations


def _draw_head(picture: Picture, scene: Scene, pitch: int, width: int, tall: int) -> None:
    rules, position = scene.rules, scene.position
    # What the foundations, at their narrowest, and the fan leave to the stock and the waste.
    rest = width - rules.foundations * (NARROWEST + 1) - (rules.draw - 1) * NARROWEST
    face = max(min(pitch, rest // 2) - 1, NARROWEST)
    first: Row = []
    captions: Row = []
    at = 0

    def put(pieces: Sequence[Piece], caption: str, spot: Spot) -> None:
        nonlocal at
        wide = sum(len(text) for text, _ in pieces)
        first.extend([*pieces, (" ", Look.PLAIN)])
        captions.append((caption[: wide + 1].ljust(wide + 1), Look.CAPTION))
        picture.spots.append((range(at, at + wide), range(tall + 1), spot))
        at += wide + 1

    put([_stock(scene, face)], f" {len(position.stock)}", (STOCK, -1))
    put(_waste(scene, face), f" {len(position.waste)}", (WASTE, -1))
    # In narrow windows the foundations are drawn closer together than the columns.
    room = max(picture.width - at, 0) // rules.foundations
    wide = max(min(pitch, room) - 1, NARROWEST)
    gap = max(picture.width - at - rules.foundations * (wide + 1), 0)
    first.append((" " * gap, Look.PLAIN))
    captions.append((" " * gap, Look.CAPTION))
    at += gap
    for place, height in enumerate(position.foundations):
        suit = place // rules.places
        spot = (f"f{place}", -1)
        if height:
            piece = _face(scene, spot, card_of(height - 1, suit), wide)
        else:
            piece = _place(scene, f"f{place}", SUIT_SIGNS[suit], wide)
        put([piece], "", spot)
    picture.rows.append(first)
    for _ in range(tall - 1):
        picture.rows.append(
            [_blank(piece) if piece[1] is not Look.PLAIN else piece for piece in first]
        )
    picture.rows.append(captions)


def _stock(scene: Scene, width: int) -> Piece:
    look = Look.BACK if scene.position.stock else Look.EMPTY
    text = "░" * width if scene.position.stock else " ↻".ljust(width)
    if (STOCK, -1) in scene.next:
        text, look = f"»{text[1:]}", Look.NEXT
    return text, look


def _waste(scene: Scene, width: int) -> list[Piece]:
    """The top card, and in draw 3 the names of the two below it."""
    waste, spot = scene.position.waste, (WASTE, -1)
    if not waste:
        return [_place(scene, WASTE, "", width)]
    fan: list[Piece] = []
    shown = min(len(waste), scene.rules.draw)
    for depth in range(shown, 0, -1):
        card = waste[-depth]
        wide = width if depth == 1 else NARROWEST
        if depth <= scene.waste_unknown:
            fan.append((" ??".ljust(wide), Look.NEXT))
        elif depth == 1:
            fan.append(_face(scene, spot, card, wide))
        else:
            fan.append((f"{name(card)}".ljust(wide), Look.RED if is_red(card) else Look.BLACK))
    return fan


# The columns


def _draw_columns(picture: Picture, scene: Scene, pitch: int, room: int, tall: int) -> None:
    rules, position = scene.rules, scene.position
    top = len(picture.rows)
    picture.rows.append(
        [(f"{number + 1:^{pitch - 1}} ", Look.CAPTION) for number in range(rules.columns)]
    )
    room -= 1
    # Open cards lie two rows apart where that leaves room in every column.
    step = 2 if max(map(len, position.columns), default=0) * 2 + tall <= room else 1
    drawn = [
        _column(picture, scene, number, pitch - 1, room, tall, step)
        for number in range(rules.columns)
    ]
    for row in range(max(room, 0)):
        line: Row = []
        for pieces in drawn:
            piece = pieces[row] if row < len(pieces) else (" " * (pitch - 1), Look.PLAIN)
            line += [piece, (" ", Look.PLAIN)]
        picture.rows.append(line)
    for number, column in enumerate(position.columns):
        # Below its last card, and on its number, a column is still the column.
        across = range(number * pitch, number * pitch + pitch)
        picture.spots.append((across, range(top, top + 1 + room), (number, len(column) - 1)))


def _column(
    picture: Picture, scene: Scene, number: int, width: int, room: int, tall: int, step: int
) -> list[Piece]:
    """The lines of a column from the top; its spots are noted in the picture."""
    column, hidden = scene.position.columns[number], scene.position.hidden[number]
    pitch, top = width + 1, len(picture.rows)
    lines: list[Piece] = []

    def put(pieces: Collection[Piece], index: int) -> None:
        begin = top + len(lines)
        across = range(number * pitch, number * pitch + width)
        picture.spots.append((across, range(begin, begin + len(pieces)), (number, index)))
        lines.extend(pieces)

    if not column:
        place = _place(scene, number, "", width)
        put([place, *[_blank(place)] * (tall - 1)], -1)
        return lines
    opened = len(column) - hidden
    needed = hidden + (opened - 1) * step + tall
    if needed > room and hidden > 1:
        put([(f"░{hidden:^{width - 2}}░", Look.BACK)], hidden - 1)
        needed -= hidden - 1
    else:
        for index in range(hidden):
            put([_back(scene, number, index, width)], index)
    # What still does not fit goes close together, and then lacks its middle.
    if needed > room:
        step = tall = 1
    gap = opened - max(room - len(lines), 3)
    for index in range(hidden, len(column)):
        if gap > 0 and hidden < index <= hidden + gap + 1:
            if index == hidden + 1:
                put([(f" ⋮ {gap + 1}".ljust(width), Look.CAPTION)], index)
            continue
        spot = (number, index)
        if spot in scene.unknown:
            piece: Piece = (" ??".ljust(width), Look.NEXT)
        else:
            piece = _face(scene, spot, column[index], width)
        rows = tall if index == len(column) - 1 else step
        put([piece, *[_blank(piece)] * (rows - 1)], index)
    return lines


def _back(scene: Scene, number: int, index: int, width: int) -> Piece:
    """A line of a face-down card."""
    if scene.hides or (number, index) in scene.unknown:
        return "░" * width, Look.BACK
    card = scene.position.columns[number][index]
    return f"({name(card)})"[:width].ljust(width), Look.BACK
