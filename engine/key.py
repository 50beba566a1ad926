"""The key of a state: two words of 64 bits, kept up to date move by move.

The key is the exclusive or of one part for each column, for each card left in stock
and waste, for the waste's end, for each suit's foundations, and where passes are
limited for the recycles made. A part is a small number that says all about its
piece, mixed to 128 bits. Score and move counter are not in the key, nor is the order
of a suit's two places. Two states with unequal keys are unequal; for two unequal
states to share a key is a chance of 2**-128, which a proof may not rest on unless it says so.
"""

import numpy as np

from .column import HIDDEN
from .jit import Record, kernel
from .shuffle import GAMMA, mix

_KIND_SHIFT = 56
_COLUMN = 1 << _KIND_SHIFT
_TALON_CARD = 2 << _KIND_SHIFT
_WASTE = 3 << _KIND_SHIFT
_FOUNDATION = 4 << _KIND_SHIFT
_RECYCLES = 5 << _KIND_SHIFT
_PLACE_SHIFT = 40


@kernel
def toggle(s: Record, part: int) -> int:
    """Put a part into the key, or take it out again."""
    first = mix(np.uint64(part) + GAMMA)
    s.key[0] = s.key[0] ^ first
    s.key[1] = s.key[1] ^ mix(first + GAMMA)
    return 0


@kernel
def toggle_column(s: Record, column: int) -> int:
    """Toggle the part of a column: its word and the cards hidden in it."""
    word = s.tableau[column]
    part = np.uint64(_COLUMN | column << _PLACE_SHIFT | word)
    return toggle(s, part ^ s.hidden_key[column, word & HIDDEN])


@kernel
def toggle_talon_card(s: Record, index: int) -> int:
    """Toggle the part of the card at this place of the talon."""
    return toggle(s, _TALON_CARD | index << _PLACE_SHIFT | s.talon_card[index])


@kernel
def toggle_waste(s: Record) -> int:
    """Toggle the part of the border between waste and stock."""
    return toggle(s, _WASTE | s.waste)


@kernel
def toggle_foundation(s: Record, suit: int) -> int:
    """Toggle the part of a suit's two places; their order does not matter."""
    first = s.foundations >> 8 * suit & 15
    second = s.foundations >> 8 * suit + 4 & 15
    heights = max(first, second) << 4 | min(first, second)
    return toggle(s, _FOUNDATION | suit << _PLACE_SHIFT | heights)


@kernel
def toggle_recycles(s: Record) -> int:
    """Toggle the part of the recycles made, which count only where passes are limited."""
    if s.max_recycles >= 0:
        toggle(s, _RECYCLES | s.recycles)
    return 0


@kernel
def recompute_key(s: Record) -> int:
    """Set the key, and the keys of the hidden cards, from everything else in the state."""
    for column in range(s.columns):
        under = np.uint64(0)
        s.hidden_key[column, 0] = under
        for depth in range(s.tableau[column] & HIDDEN):
            under = mix(under + np.uint64(s.hidden_card[column, depth] + 1))
            s.hidden_key[column, depth + 1] = under
    s.key[0] = np.uint64(0)
    s.key[1] = np.uint64(0)
    for column in range(s.columns):
        toggle_column(s, column)
    for index in range(s.talon_cards):
        if s.talon >> index & 1:
            toggle_talon_card(s, index)
    toggle_waste(s)
    for suit in range(s.suits):
        toggle_foundation(s, suit)
    toggle_recycles(s)
    return 0
