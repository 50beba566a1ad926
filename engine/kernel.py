"""The game as compiled functions on `LAYOUT` and `FOUNDATIONS` records: play, undo, count.

`list_moves` and the shape of a move are in `listing.py`; `play` takes any move that
`list_moves` has listed and does not check it.
"""

from .bits import highest_bit, lowest_bit
from .column import HIDDEN, RUN, RUN_SHIFT, card_word, put_run, run_card, take_run
from .jit import Record, kernel
from .listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    TAKE_BACK,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    accepting_place,
    height_of,
    list_moves,
)
from .moves import COUNT_SHIFT, INDEX, KIND, SOURCE_SHIFT, TARGET_SHIFT
from .state import UNDO_LIMIT


@kernel
def _take_from_column(layout: Record, column: int, count: int) -> None:
    word = take_run(layout.tableau[column], count)
    if word != 0 and (word >> RUN_SHIFT & RUN) == 0:
        hidden = word & HIDDEN
        card = layout.hidden_card[column, hidden - 1]
        word = put_run(hidden - 1, card_word(card), 1)
        layout.score += layout.turn_points
    layout.tableau[column] = word


@kernel
def _put_on_column(layout: Record, column: int, source: int, count: int) -> None:
    layout.tableau[column] = put_run(layout.tableau[column], source, count)


@kernel
def _set_height(foundations: Record, suit: int, place: int, height: int) -> None:
    shift = 8 * suit + 4 * place
    foundations.heights = foundations.heights & ~(15 << shift) | height << shift


@kernel
def _put_home(layout: Record, foundations: Record, card: int) -> None:
    layout.score += layout.home_points
    _set_height(foundations, card & 3, accepting_place(foundations, card), (card >> 2) + 1)


@kernel
def _take_from_waste(layout: Record) -> int:
    index = layout.waste - 1
    layout.talon = layout.talon & ~(1 << index)
    layout.waste = highest_bit(layout.talon & (1 << index) - 1) + 1
    card: int = layout.talon_card[index]
    return card


@kernel
def drawn(layout: Record, waste: int) -> int:
    """What `waste`, the border in the talon, becomes by a draw."""
    for _ in range(layout.draw):
        left = layout.talon >> waste
        if left == 0:
            break
        waste += 1 + lowest_bit(left)
    return waste


@kernel
def _recycle(layout: Record) -> None:
    layout.waste = 0
    layout.recycles += 1
    layout.score = max(layout.score - layout.recycle_cost, layout.score_floor)


@kernel
def _remember(layout: Record, foundations: Record, move: int, source: int, target: int) -> None:
    entry = layout.journal[layout.journal_top]
    entry[0] = move
    entry[1] = layout.tableau[source]
    entry[2] = layout.tableau[target]
    entry[3] = layout.talon
    entry[4] = layout.waste
    entry[5] = foundations.heights
    entry[6] = layout.score
    entry[7] = layout.recycles
    layout.journal_top = layout.journal_top + 1 & UNDO_LIMIT - 1
    layout.undoable = min(layout.undoable + 1, UNDO_LIMIT)


@kernel
def play(layout: Record, foundations: Record, move: int) -> int:
    """Make a legal move, keep the score, and note in the journal how to undo it.

    Returns the points it brought (less than 0 for a recycle).
    """
    kind = move & KIND
    source = move >> SOURCE_SHIFT & INDEX
    target = move >> TARGET_SHIFT & INDEX
    count = move >> COUNT_SHIFT
    before = layout.score
    _remember(layout, foundations, move, source, target)
    if kind == COLUMN_TO_COLUMN:
        _put_on_column(layout, target, layout.tableau[source], count)
        _take_from_column(layout, source, count)
    elif kind == COLUMN_TO_FOUNDATION:
        _put_home(layout, foundations, run_card(layout.tableau[source], 0))
        _take_from_column(layout, source, 1)
    elif kind == WASTE_TO_COLUMN:
        _put_on_column(layout, target, card_word(_take_from_waste(layout)), 1)
        layout.score += layout.landed_points
    elif kind == WASTE_TO_FOUNDATION:
        _put_home(layout, foundations, _take_from_waste(layout))
    elif kind == DRAW:
        layout.waste = drawn(layout, layout.waste)
    elif kind == RECYCLE:
        _recycle(layout)
    elif kind == TAKE_BACK:
        height = height_of(foundations, source, count - 1) - 1
        _set_height(foundations, source, count - 1, height)
        _put_on_column(layout, target, card_word(height << 2 | source), 1)
    points: int = layout.score - before
    return points


@kernel
def undo(layout: Record, foundations: Record) -> int:
    """Take the last action back; return its move, or -1 if none is left.

    The journal reaches back `UNDO_LIMIT` actions. Of several layouts only the one that moved last
    can take its action back: the heights are those from before it.
    """
    if layout.undoable == 0:
        return -1
    layout.journal_top = layout.journal_top - 1 & UNDO_LIMIT - 1
    entry = layout.journal[layout.journal_top]
    move: int = entry[0]
    layout.tableau[move >> SOURCE_SHIFT & INDEX] = entry[1]
    layout.tableau[move >> TARGET_SHIFT & INDEX] = entry[2]
    layout.talon = entry[3]
    layout.waste = entry[4]
    foundations.heights = entry[5]
    layout.score = entry[6]
    layout.recycles = entry[7]
    layout.undoable -= 1
    return move


@kernel
def perft(layout: Record, foundations: Record, depth: int, moves: Record, left: Record) -> int:
    """Number of sequences of `depth` legal moves; the records are the same afterwards.

    `moves` is int64 of shape (depth, MAX_MOVES) and `left` int64 of shape (depth,), both scratch.
    `depth` is 1 … `UNDO_LIMIT`.
    """
    total = 0
    level = 0
    left[0] = list_moves(layout, foundations, moves[0])
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            if level >= 0:
                undo(layout, foundations)
            continue
        left[level] -= 1
        play(layout, foundations, moves[level, left[level]])
        level += 1
        left[level] = list_moves(layout, foundations, moves[level])
    return total
