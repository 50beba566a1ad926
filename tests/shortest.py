"""The fewest moves to win small deals: breadth first through every position of the real game."""

import numpy as np
from double_solitaire.engine.jit import kernel
from double_solitaire.engine.kernel import play, undo
from double_solitaire.engine.listing import MAX_MOVES, count_home, list_moves
from double_solitaire.engine.state import pack
from exhaustive import WORDS, find_row, load_state, store_state

NO_WIN, TOO_MANY = -1, -2


@kernel
def search(s, rows, depth, table, moves):
    """Moves of the shortest win from `s`; `NO_WIN`, or `TOO_MANY` positions for `rows`."""
    cap = len(rows) - 1
    row = rows[cap]
    layout, foundations = s.layout, s.foundations
    goal = foundations.places * foundations.suits * layout.ranks
    if count_home(foundations) == goal:
        return 0
    store_state(s, rows[0])
    table[find_row(rows, rows[0], table)] = 0
    depth[0] = 0
    count, current = 1, 0
    while current < count:
        load_state(s, rows[current])
        for i in range(list_moves(layout, foundations, moves)):
            play(layout, foundations, moves[i])
            if count_home(foundations) == goal:
                return depth[current] + 1
            store_state(s, row)
            slot = find_row(rows, row, table)
            if table[slot] < 0:
                if count == cap:
                    return TOO_MANY
                table[slot] = count
                for word in range(WORDS):
                    rows[count, word] = row[word]
                depth[count] = depth[current] + 1
                count += 1
            undo(layout, foundations)
        current += 1
    return NO_WIN


def shortest_win(rules, start, cap=60_000):
    """The fewest moves of a win from a position; None if there is none or it takes too long."""
    rows, depth = np.zeros((cap + 1, WORDS), np.int64), np.zeros(cap, np.int64)
    table = np.full(1 << (2 * cap).bit_length(), -1, np.int64)
    moves = search(pack(rules, start)[0], rows, depth, table, np.zeros(MAX_MOVES, np.int64))
    return None if moves < 0 else int(moves)
