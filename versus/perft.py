"""How many sequences of moves a game for two has; a pass counts as a move."""

from collections.abc import Sequence

import numpy as np

from ..engine.jit import Record, kernel
from ..engine.listing import MAX_MOVES, list_moves
from ..engine.rules import Rules
from .game import House, Table
from .playout import GOES_ON, PASS, act, lay_table
from .record import Step
from .replay import replayed


@kernel
def list_actions(t: Record, out: Record) -> int:
    """Write all that the player in turn may do to `out`; returns how much that is."""
    if t.end != GOES_ON:
        return 0
    count = list_moves(t.layouts[t.turn], t.foundations, out)
    out[count] = PASS
    return count + 1


@kernel
def count_lines(tables: Record, moves: Record, left: Record, depth: int) -> int:
    """Number of sequences of `depth` actions from `tables[0]`; each level has a table of its own.

    `moves` is int64 of shape (depth, MAX_MOVES + 1) and `left` of shape (depth,).
    """
    total = 0
    level = 0
    left[0] = list_actions(tables[0], moves[0])
    while level >= 0:
        if level == depth - 1:
            total += left[level]
            left[level] = 0
        if left[level] == 0:
            level -= 1
            continue
        left[level] -= 1
        t = tables[level + 1]
        lay_table(t, tables[level])
        act(t, t.turn, moves[level, left[level]])
        level += 1
        left[level] = list_actions(t, moves[level])
    return total


def perft(rules: Rules, table: Table, house: House, depth: int, steps: Sequence[Step] = ()) -> int:
    """Number of sequences of `depth` actions after some steps, in turns; 1 for none."""
    if depth == 0:
        return 1
    tables = np.repeat(replayed(rules, table, house, steps), depth)
    moves = np.empty((depth, MAX_MOVES + 1), np.int64)
    return int(count_lines(tables, moves, np.empty(depth, np.int64), depth))
