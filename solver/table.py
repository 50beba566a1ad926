"""The transposition table: a set of exact position keys, open addressing, linear probing.

A row is the two words of a key (`position.write_key`) with a tag in bits 59-62 of word 0.
Rows of another tag count as empty, so a search starts afresh by taking the next tag.
"""

import numpy as np

from ..engine.jit import Record, int64, kernel

TAG_SHIFT = 59
"""Above the bits of the talon in word 0."""
TAGS = 15
"""Tags are 1 … 15; 0 is a row never written."""
ROW_BYTES = 16
"""Two words of 8."""
MAX_PROBES = 512
"""Rows of a table half full stand in runs, of up to some 100 where there are millions; by hand."""
NEW, SEEN, FULL = 0, 1, 2
_MIX_0 = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xC2B2AE3D27D4EB4F)
_HALF = np.uint64(32)
"""Odd constants with bits well spread: 2**64 / golden ratio, and a prime of xxHash64."""


def new_table(rows: int) -> Record:
    """An empty table; `rows` is a power of two."""
    return np.zeros((rows, 2), np.int64)


@kernel
def slot_of(word_0: int, word_1: int) -> int:
    """A well mixed number of 31 bits for a key."""
    mixed = (np.uint64(word_0) * _MIX_0) ^ (np.uint64(word_1) * _MIX_1)
    mixed = (mixed ^ (mixed >> _HALF)) * _MIX_0
    return int64(mixed >> np.uint64(33))


@kernel
def insert(table: Record, mask: int, tag: int, word_0: int, word_1: int) -> int:
    """Put a key into the first `mask + 1` rows: `NEW`, `SEEN`, or `FULL` where no row is near."""
    slot = slot_of(word_0, word_1) & mask
    word_0 |= tag << TAG_SHIFT
    for _ in range(MAX_PROBES):
        if table[slot, 0] >> TAG_SHIFT != tag:
            table[slot, 0], table[slot, 1] = word_0, word_1
            return NEW
        if table[slot, 0] == word_0 and table[slot, 1] == word_1:
            return SEEN
        slot = (slot + 1) & mask
    return FULL


@kernel
def copy_into(table: Record, larger: Record, tag: int) -> int:
    """Put all rows of a tag into an empty table; `FULL` if one found no room, else `NEW`."""
    low = (int64(1) << TAG_SHIFT) - 1
    for row in range(len(table)):
        if table[row, 0] >> TAG_SHIFT != tag:
            continue
        if insert(larger, len(larger) - 1, tag, table[row, 0] & low, table[row, 1]) == FULL:
            return FULL
    return NEW
