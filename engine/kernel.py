"""The game as compiled functions on a `STATE` record: play, undo, count, walk.

`list_moves` and the shape of a move are in `listing.py`; `play` takes any move that
`list_moves` has listed and does not check it.
"""

import numpy as np

from .bits import highest_bit, lowest_bit
from .column import HIDDEN, RUN, RUN_SHIFT, card_word, put_run, run_card, take_run
from .jit import Record, kernel
from .key import (
    toggle_column,
    toggle_foundation,
    toggle_recycles,
    toggle_talon_card,
    toggle_waste,
)
from .listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    COUNT_SHIFT,
    DRAW,
    INDEX,
    RECYCLE,
    SOURCE_SHIFT,
    TAKE_BACK,
    TARGET_SHIFT,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    accepting_place,
    height_of,
    list_moves,
)
from .shuffle import GAMMA, mix
from .state import UNDO_LIMIT

_HALF = np.uint64(32)


@kernel
def _set_column(s: Record, column: int, word: int) -> int:
    toggle_column(s, column)
    s.tableau[column] = word
    return toggle_column(s, column)


@kernel
def _take_from_column(s: Record, column: int, count: int) -> int:
    word = take_run(s.tableau[column], count)
    if word != 0 and (word >> RUN_SHIFT & RUN) == 0:
        hidden = word & HIDDEN
        card = s.hidden_card[column, hidden - 1]
        word = put_run(hidden - 1, card_word(card), 1)
        s.score += s.turn_points
    return _set_column(s, column, word)


@kernel
def _set_height(s: Record, suit: int, copy: int, height: int) -> int:
    shift = 8 * suit + 4 * copy
    toggle_foundation(s, suit)
    s.foundations = s.foundations & ~(15 << shift) | height << shift
    return toggle_foundation(s, suit)


@kernel
def _put_home(s: Record, card: int) -> int:
    s.score += s.home_points
    return _set_height(s, card & 3, accepting_place(s, card), (card >> 2) + 1)


@kernel
def close_gap(s: Record, below: int) -> int:
    """Move later cards of the talon into gaps left by their other copies; see `state.py`.

    `below` is the place of the last card before the one that has just left, or -1. Beyond
    the first card that does not move, none does, as each place depends on the one before.
    """
    while s.talon >> below + 1 != 0:
        index = below + 1 + lowest_bit(s.talon >> below + 1)
        twin = s.talon_twin[index]
        if twin <= below:
            break
        toggle_talon_card(s, index)
        s.talon = s.talon & ~(1 << index) | 1 << twin
        toggle_talon_card(s, twin)
        below = twin
    return 0


@kernel
def _take_from_waste(s: Record) -> int:
    index = s.waste - 1
    toggle_talon_card(s, index)
    s.talon = s.talon & ~(1 << index)
    below = highest_bit(s.talon & (1 << index) - 1)
    _set_waste(s, below + 1)
    close_gap(s, below)
    card: int = s.talon_card[index]
    return card


@kernel
def _set_waste(s: Record, waste: int) -> int:
    toggle_waste(s)
    s.waste = waste
    return toggle_waste(s)


@kernel
def _draw(s: Record) -> int:
    waste = s.waste
    for _ in range(s.draw):
        left = s.talon >> waste
        if left == 0:
            break
        waste += 1 + lowest_bit(left)
    return _set_waste(s, waste)


@kernel
def _recycle(s: Record) -> int:
    _set_waste(s, 0)
    toggle_recycles(s)
    s.recycles += 1
    toggle_recycles(s)
    s.score = max(s.score + s.recycle_points, s.score_floor)
    return 0


@kernel
def _remember(s: Record, move: int, source: int, target: int) -> int:
    entry = s.journal[s.journal_top]
    entry[0] = move
    entry[1] = s.tableau[source]
    entry[2] = s.tableau[target]
    entry[3] = s.talon
    entry[4] = s.waste
    entry[5] = s.foundations
    entry[6] = s.score
    entry[7] = s.recycles
    s.journal_key[s.journal_top, 0] = s.key[0]
    s.journal_key[s.journal_top, 1] = s.key[1]
    s.journal_top = s.journal_top + 1 & UNDO_LIMIT - 1
    s.undoable = min(s.undoable + 1, UNDO_LIMIT)
    return 0


@kernel
def play(s: Record, move: int) -> int:
    """Make a legal move, keep the key and the score, and note in the journal how to undo it.

    Returns the points it brought (less than 0 for a recycle).
    """
    kind = move & 7
    source = move >> SOURCE_SHIFT & INDEX
    target = move >> TARGET_SHIFT & INDEX
    count = move >> COUNT_SHIFT
    before = s.score
    _remember(s, move, source, target)
    s.moves += 1
    if kind == COLUMN_TO_COLUMN:
        word = s.tableau[source]
        _set_column(s, target, put_run(s.tableau[target], word, count))
        _take_from_column(s, source, count)
    elif kind == COLUMN_TO_FOUNDATION:
        _put_home(s, run_card(s.tableau[source], 0))
        _take_from_column(s, source, 1)
    elif kind == WASTE_TO_COLUMN:
        card = _take_from_waste(s)
        _set_column(s, target, put_run(s.tableau[target], card_word(card), 1))
        s.score += s.waste_points
    elif kind == WASTE_TO_FOUNDATION:
        _put_home(s, _take_from_waste(s))
    elif kind == DRAW:
        _draw(s)
    elif kind == RECYCLE:
        _recycle(s)
    elif kind == TAKE_BACK:
        height = height_of(s, source, count - 1) - 1
        _set_height(s, source, count - 1, height)
        word = card_word(height << 2 | source)
        _set_column(s, target, put_run(s.tableau[target], word, 1))
    points: int = s.score - before
    return points


@kernel
def undo(s: Record) -> int:
    """Take the last action back, all but the move counter; return its move, or -1 if none is left.

    The journal reaches back `UNDO_LIMIT` actions.
    """
    if s.undoable == 0:
        return -1
    s.journal_top = s.journal_top - 1 & UNDO_LIMIT - 1
    entry = s.journal[s.journal_top]
    move: int = entry[0]
    s.tableau[move >> SOURCE_SHIFT & INDEX] = entry[1]
    s.tableau[move >> TARGET_SHIFT & INDEX] = entry[2]
    s.talon = entry[3]
    s.waste = entry[4]
    s.foundations = entry[5]
    s.score = entry[6]
    s.recycles = entry[7]
    s.key[0] = s.journal_key[s.journal_top, 0]
    s.key[1] = s.journal_key[s.journal_top, 1]
    s.undoable -= 1
    return move


@kernel
def perft(s: Record, depth: int, moves: Record, left: Record) -> int:
    """Number of sequences of `depth` legal moves; the state is the same afterwards.

    `moves` is int64 of shape (depth, MAX_MOVES) and `left` int64 of shape (depth,), both scratch.
    `depth` is 1 … `UNDO_LIMIT`.
    """
    total = 0
    level = 0
    left[0] = list_moves(s, moves[0])
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            if level >= 0:
                undo(s)
            continue
        left[level] -= 1
        play(s, moves[level, left[level]])
        level += 1
        left[level] = list_moves(s, moves[level])
    return total


@kernel
def random_walk(s: Record, seed: int, listed: Record, played: Record) -> int:
    """Play random legal moves until `played` (int64) is full or none is left; return how many.

    The moves are written to `played`; `listed` is scratch of `MAX_MOVES`.
    """
    word = np.uint64(seed)
    for step in range(len(played)):
        count = list_moves(s, listed)
        if count == 0:
            return step
        word = mix(word + GAMMA)
        # The bias of this short way to an index below `count` is less than 2**-24.
        played[step] = listed[np.int64((word >> _HALF) * np.uint64(count) >> _HALF)]
        play(s, played[step])
    return len(played)
