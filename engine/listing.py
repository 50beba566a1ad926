"""What a layout allows over some foundations: the list of all legal moves.

A move is an int64, as `Move.encode` writes it.
"""

from .bits import popcount
from .column import RANK, RANK_SHIFT, RED_SHIFT, RUN, RUN_SHIFT, is_red_suit, run_card
from .jit import Record, kernel
from .moves import COUNT_SHIFT, ONE_CARD, SOURCE_SHIFT, TARGET_SHIFT, Kind

MAX_MOVES = 192
"""No position has more moves: 72 column to column, 72 taken back, 20 others."""

DRAW = int(Kind.DRAW)
RECYCLE = int(Kind.RECYCLE)
WASTE_TO_FOUNDATION = int(Kind.WASTE_TO_FOUNDATION)
WASTE_TO_COLUMN = int(Kind.WASTE_TO_COLUMN)
COLUMN_TO_FOUNDATION = int(Kind.COLUMN_TO_FOUNDATION)
COLUMN_TO_COLUMN = int(Kind.COLUMN_TO_COLUMN)
TAKE_BACK = int(Kind.TAKE_BACK)


@kernel
def height_of(foundations: Record, suit: int, place: int) -> int:
    """Cards on a place of a suit; `place` counts from 0."""
    height: int = foundations.heights >> 8 * suit + 4 * place & 15
    return height


@kernel
def accepting_place(foundations: Record, card: int) -> int:
    """The first place of the card's suit that takes it, from 0; -1 for none."""
    for place in range(foundations.places):
        if height_of(foundations, card & 3, place) == card >> 2:
            return place
    return -1


@kernel
def count_home(foundations: Record) -> int:
    """Cards on the foundations."""
    total = 0
    for suit in range(foundations.suits):
        for place in range(foundations.places):
            total += height_of(foundations, suit, place)
    return total


@kernel
def waste_size(layout: Record) -> int:
    """Cards in the waste."""
    return popcount(layout.talon & (1 << layout.waste) - 1)


@kernel
def stock_size(layout: Record) -> int:
    """Cards in the stock."""
    return popcount(layout.talon >> layout.waste)


@kernel
def can_recycle(layout: Record) -> bool:
    """Whether the stock is empty, the waste is not, and the passes are not used up."""
    if layout.talon == 0 or layout.talon >> layout.waste != 0:
        return False
    return bool(layout.max_recycles < 0 or layout.recycles < layout.max_recycles)


@kernel
def fits_on(layout: Record, rank: int, red: int, target: int) -> bool:
    """Whether a card of this rank and colour may be laid on a column."""
    word = layout.tableau[target]
    if word == 0:
        return bool(rank == layout.ranks - 1)
    return bool((word >> RANK_SHIFT & RANK) == rank + 1 and (word >> RED_SHIFT & 1) != red)


@kernel
def _list_targets(layout: Record, card: int, move: int, out: Record, count: int) -> int:
    rank = card >> 2
    red = is_red_suit(card & 3)
    for target in range(layout.columns):
        if fits_on(layout, rank, red, target):
            out[count] = move | target << TARGET_SHIFT
            count += 1
    return count


@kernel
def _list_runs(layout: Record, source: int, out: Record, count: int) -> int:
    word = layout.tableau[source]
    run = word >> RUN_SHIFT & RUN
    rank = word >> RANK_SHIFT & RANK
    red = word >> RED_SHIFT & 1
    for target in range(layout.columns):
        if target == source:
            continue
        parent = layout.tableau[target]
        if parent == 0:
            # Only the lowest card of a run can be a king.
            many = run if rank + run == layout.ranks else 0
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
def _list_taken_back(layout: Record, foundations: Record, out: Record, count: int) -> int:
    for suit in range(foundations.suits):
        for place in range(foundations.places):
            height = height_of(foundations, suit, place)
            if height > 0:
                move = TAKE_BACK | suit << SOURCE_SHIFT | place + 1 << COUNT_SHIFT
                count = _list_targets(layout, height - 1 << 2 | suit, move, out, count)
    return count


@kernel
def list_moves(layout: Record, foundations: Record, out: Record) -> int:
    """Write every legal move to `out` (int64, at least `MAX_MOVES` long); return how many.

    Home first, then column to column, from the waste, taking back, draw or recycle.
    """
    count = 0
    for source in range(layout.columns):
        word = layout.tableau[source]
        if word != 0 and accepting_place(foundations, run_card(word, 0)) >= 0:
            out[count] = COLUMN_TO_FOUNDATION | source << SOURCE_SHIFT | ONE_CARD
            count += 1
    top = -1
    if layout.waste > 0:
        top = layout.talon_card[layout.waste - 1]
        if accepting_place(foundations, top) >= 0:
            out[count] = WASTE_TO_FOUNDATION | ONE_CARD
            count += 1
    for source in range(layout.columns):
        if layout.tableau[source] != 0:
            count = _list_runs(layout, source, out, count)
    if top >= 0:
        count = _list_targets(layout, top, WASTE_TO_COLUMN | ONE_CARD, out, count)
    if foundations.gives_back:
        count = _list_taken_back(layout, foundations, out, count)
    if layout.talon >> layout.waste != 0:
        out[count] = DRAW | ONE_CARD
        count += 1
    elif can_recycle(layout):
        out[count] = RECYCLE | ONE_CARD
        count += 1
    return count
