"""The compiled dealer: SplitMix64, Lemire's bounded integers and Fisher–Yates, as in `rules.md`.

Same deals as `dealing.py`, at a microsecond or two each.
"""

import numpy as np

from .cards import RANKS, SUITS
from .jit import Record, kernel

# The constants of SplitMix64 (Steele, Lea, Flood 2014).
GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
_SHIFT_3 = np.uint64(31)
_HALF = np.uint64(32)
_LOW_HALF = np.uint64(0xFFFFFFFF)
_ZERO = np.uint64(0)
_SUITS = len(SUITS)
_RANKS = len(RANKS)


@kernel
def mix(word: np.uint64) -> np.uint64:
    """The output function of SplitMix64: a bijection of 64-bit words (Steele, Lea, Flood 2014)."""
    word = (word ^ (word >> _SHIFT_1)) * _MIX_1
    word = (word ^ (word >> _SHIFT_2)) * _MIX_2
    return word ^ (word >> _SHIFT_3)


@kernel
def deal_order(number: int, cards: int, out: Record) -> int:
    """Write the shuffled deck of a deal number to `out`, first dealt first; return `cards`.

    `cards` is 52 or 104, `out` an int8 or wider array of at least that length.
    """
    for index in range(cards):
        out[index] = index % _RANKS * _SUITS + index // _RANKS % _SUITS
    state = np.uint64(number)
    for last in range(cards - 1, 0, -1):
        bound = np.uint64(last + 1)
        while True:
            state = state + GAMMA
            word = mix(state)
            low = word * bound
            # The division is needed only for the rare word that may have to be thrown away.
            if low >= bound or low >= (_ZERO - bound) % bound:
                break
        # bound is below 2**32, so the product of 96 bits fits two steps of 64.
        high = (word >> _HALF) * bound + (((word & _LOW_HALF) * bound) >> _HALF)
        other = np.int64(high >> _HALF)
        card = out[last]
        out[last] = out[other]
        out[other] = card
    return cards
