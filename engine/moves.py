"""Moves of a player, one action of the app each, and their notation.

`draw`, `recycle`, `W>F`, `W>3`, `5>F`, `5>3`, `5>3x4`, and `FH1>3`: first hearts place to column 3.
What reads them also takes `-` for `>`.
"""

import re
from dataclasses import dataclass
from enum import IntEnum

from .cards import SUITS
from .errors import MoveError


class Kind(IntEnum):
    """What a move does. The values are those of the kernel's encoded moves."""

    DRAW = 0
    RECYCLE = 1
    WASTE_TO_FOUNDATION = 2
    WASTE_TO_COLUMN = 3
    COLUMN_TO_FOUNDATION = 4
    COLUMN_TO_COLUMN = 5
    TAKE_BACK = 6


KIND, SOURCE_SHIFT, TARGET_SHIFT, COUNT_SHIFT, INDEX = 7, 3, 7, 11, 15
"""An encoded move is kind | source << 3 | target << 7 | count << 11: the mask of the kind, where
the others begin, and the mask of source and target."""
ONE_CARD = 1 << COUNT_SHIFT
"""The count of an encoded move of one card."""


@dataclass(frozen=True, slots=True)
class Move:
    """A move. Columns count from 0 here and from 1 in the notation."""

    kind: Kind
    source: int = 0
    """Column, or for `TAKE_BACK` the suit."""
    target: int = 0
    """Column."""
    count: int = 1
    """Cards moved from column to column; for `TAKE_BACK` the place of the suit, from 1."""

    def __str__(self) -> str:
        """The notation of `rules.md` section 6."""
        match self.kind:
            case Kind.DRAW:
                return "draw"
            case Kind.RECYCLE:
                return "recycle"
            case Kind.WASTE_TO_FOUNDATION:
                return "W>F"
            case Kind.WASTE_TO_COLUMN:
                return f"W>{self.target + 1}"
            case Kind.COLUMN_TO_FOUNDATION:
                return f"{self.source + 1}>F"
            case Kind.COLUMN_TO_COLUMN:
                many = f"x{self.count}" if self.count > 1 else ""
                return f"{self.source + 1}>{self.target + 1}{many}"
            case Kind.TAKE_BACK:
                # One that the referee refuses for its suit can be written all the same.
                suit = SUITS[self.source] if 0 <= self.source < len(SUITS) else "?"
                return f"F{suit}{self.count}>{self.target + 1}"

    def __repr__(self) -> str:
        """How to get the move: `parse_move('5>3x4')`."""
        return f"parse_move({str(self)!r})"

    def encode(self) -> int:
        """The move as the kernel writes it."""
        places = self.source << SOURCE_SHIFT | self.target << TARGET_SHIFT
        return self.kind | places | self.count << COUNT_SHIFT

    @classmethod
    def decode(cls, code: int) -> "Move":
        """Undo `encode`."""
        source, target = code >> SOURCE_SHIFT & INDEX, code >> TARGET_SHIFT & INDEX
        return cls(Kind(code & KIND), source, target, code >> COUNT_SHIFT)


DRAW_MOVE = Move(Kind.DRAW)
RECYCLE_MOVE = Move(Kind.RECYCLE)
WASTE_UP_MOVE = Move(Kind.WASTE_TO_FOUNDATION)
_SHAPE = re.compile(r"(W|[1-9]|F([SHDC])([12]))(?:->|[>→–-])(F|[1-9])(?:X([1-9]\d?))?")


def parse_move(text: str) -> Move:
    """Read one move of the notation; case and surrounding white space do not matter.

    `-` may stand for `>`, which a shell takes for the name of a file to write: `W-3`, `5-3x4`.
    Raises `MoveError` for what is no move (whether it is legal is the referee's to say), and
    `TypeError` for what is no text.
    """
    if not isinstance(text, str):
        raise TypeError(f"a move is a text such as '5>3x4', not {type(text).__name__}")
    word = text.strip().upper()
    if word in ("DRAW", "RECYCLE"):
        return DRAW_MOVE if word == "DRAW" else RECYCLE_MOVE
    match = _SHAPE.fullmatch(word)
    if match is not None:
        source, suit, place, target, many = match.groups()
        count = int(many or 1)
        if target == "F" and suit is None and many is None:
            if source == "W":
                return WASTE_UP_MOVE
            return Move(Kind.COLUMN_TO_FOUNDATION, int(source) - 1)
        if target != "F":
            if suit is not None and many is None:
                return Move(Kind.TAKE_BACK, SUITS.index(suit), int(target) - 1, int(place))
            if source == "W" and many is None:
                return Move(Kind.WASTE_TO_COLUMN, 0, int(target) - 1)
            if suit is None and source != "W":
                return Move(Kind.COLUMN_TO_COLUMN, int(source) - 1, int(target) - 1, count)
    raise MoveError(
        f"{text.strip()!r} is no move; moves are draw, recycle, W>F, W>3, 5>F, 5>3, 5>3x4 and "
        "FH1>3, or with - for >"
    )
