"""What a state allows: its foundations, its stock and waste, and the list of all legal moves.

A move is an int64, as `Move.encode` writes it: kind | source << 3 | target << 7 | count << 11.
"""

from .bits import popcount
from .column import RANK, RANK_SHIFT, RED_SHIFT, RUN, RUN_SHIFT, is_red_suit, run_card
from .jit import Record, kernel
from .moves import Kind

MAX_MOVES = 192
"""No position has more moves: 72 column to column, 72 taken back, 20 others."""

DRAW = int(Kind.DRAW)
RECYCLE = int(Kind.RECYCLE)
WASTE_TO_FOUNDATION = int(Kind.WASTE_TO_FOUNDATION)
WASTE_TO_COLUMN = int(Kind.WASTE_TO_COLUMN)
COLUMN_TO_FOUNDATION = int(Kind.COLUMN_TO_FOUNDATION)
COLUMN_TO_COLUMN = int(Kind.COLUMN_TO_COLUMN)
TAKE_BACK = int(Kind.TAKE_BACK)
SOURCE_SHIFT = 3
TARGET_SHIFT = 7
COUNT_SHIFT = 11
INDEX = 15
_ONE = 1 << COUNT_SHIFT


@kernel
def height_of(s: Record, suit: int, copy: int) -> int:
    """Cards on a place of a suit; `copy` counts from 0."""
    height: int = s.foundations >> 8 * suit + 4 * copy & 15
    return height


@kernel
def accepting_place(s: Record, card: int) -> int:
    """The first place of the card's suit that takes it, from 0; -1 for none."""
    for copy in range(s.decks):
        if height_of(s, card & 3, copy) == card >> 2:
            return copy
    return -1


@kernel
def count_home(s: Record) -> int:
    """Cards on the foundations."""
    total = 0
    for suit in range(s.suits):
        for copy in range(s.decks):
            total += height_of(s, suit, copy)
    return total


@kernel
def is_won(s: Record) -> bool:
    """Whether all cards lie on the foundations."""
    cards: int = s.decks * s.suits * s.ranks
    return count_home(s) == cards


@kernel
def waste_size(s: Record) -> int:
    """Cards in the waste."""
    return popcount(s.talon & (1 << s.waste) - 1)


@kernel
def stock_size(s: Record) -> int:
    """Cards in the stock."""
    return popcount(s.talon >> s.waste)


@kernel
def can_recycle(s: Record) -> bool:
    """Whether the stock is empty, the waste is not, and the passes are not used up."""
    if s.talon == 0 or s.talon >> s.waste != 0:
        return False
    return bool(s.max_recycles < 0 or s.recycles < s.max_recycles)


@kernel
def _list_targets(s: Record, card: int, move: int, out: Record, count: int) -> int:
    rank = card >> 2
    red = is_red_suit(card & 3)
    for target in range(s.columns):
        word = s.tableau[target]
        if word == 0:
            fits = rank == s.ranks - 1
        else:
            fits = (word >> RANK_SHIFT & RANK) == rank + 1 and (word >> RED_SHIFT & 1) != red
        if fits:
            out[count] = move | target << TARGET_SHIFT
            count += 1
    return count


@kernel
def _list_runs(s: Record, source: int, out: Record, count: int) -> int:
    word = s.tableau[source]
    run = word >> RUN_SHIFT & RUN
    rank = word >> RANK_SHIFT & RANK
    red = word >> RED_SHIFT & 1
    for target in range(s.columns):
        if target == source:
            continue
        parent = s.tableau[target]
        if parent == 0:
            # Only the lowest card of a run can be a king.
            many = run if rank + run == s.ranks else 0
        else:
            # One card of the run at most has the rank; its colour follows from its depth.
            many = (parent >> RANK_SHIFT & RANK) - rank
            if (many ^ red ^ parent >> RED_SHIFT) & 1:
                many = 0
        if 0 < many <= run:
            out[count] = (
                COLUMN_TO_COLUMN
                | source << SOURCE_SHIFT
                | target << TARGET_SHIFT
                | many << COUNT_SHIFT
            )
            count += 1
    return count


@kernel
def list_moves(s: Record, out: Record) -> int:
    """Write every legal move to `out` (int64, at least `MAX_MOVES` long); return how many.

    Home first, then column to column, from the waste, taking back, draw or recycle.
    """
    count = 0
    for source in range(s.columns):
        word = s.tableau[source]
        if word != 0 and accepting_place(s, run_card(word, 0)) >= 0:
            out[count] = COLUMN_TO_FOUNDATION | source << SOURCE_SHIFT | _ONE
            count += 1
    top = -1
    if s.waste > 0:
        top = s.talon_card[s.waste - 1]
        if accepting_place(s, top) >= 0:
            out[count] = WASTE_TO_FOUNDATION | _ONE
            count += 1
    for source in range(s.columns):
        if s.tableau[source] != 0:
            count = _list_runs(s, source, out, count)
    if top >= 0:
        count = _list_targets(s, top, WASTE_TO_COLUMN | _ONE, out, count)
    for suit in range(s.suits):
        for copy in range(s.decks):
            height = height_of(s, suit, copy)
            if height > 0:
                move = TAKE_BACK | suit << SOURCE_SHIFT | copy + 1 << COUNT_SHIFT
                count = _list_targets(s, height - 1 << 2 | suit, move, out, count)
    if s.talon >> s.waste != 0:
        out[count] = DRAW | _ONE
        count += 1
    elif can_recycle(s):
        out[count] = RECYCLE | _ONE
        count += 1
    return count
