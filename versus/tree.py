"""The tree player: a tree of what may be seen, grown by play-outs against a model of the other.

Each simulation deals the cards that nobody has seen anew, and plays a game on that sample. Where
the player has the choice and the tree has the position, the move is made that promises most: what
it was worth so far, and the more the careful player thinks of it and the less it was tried. The
other plays as a greedy or a careful player, by the odds of what they have done so far
(`habits.py`), and so do both after the tree's end. As in `rating/expert.py` the tree is one of what
is *seen*: positions that differ in unseen cards alone are one node of it, and nothing is planned
that needs foresight. The choice tried most often is made; it is known as soon as no other can
catch up.

The tree is grown anew for each move, so that the same table gives the same choice.
"""

import math

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from ..engine.shuffle import GAMMA, mix
from .playout import CAREFUL, GOES_ON, MOST_TURNS, NOBODY, act, choose, lay_table, play_out
from .rollouts import (
    MARGIN_WORTH,
    NODES_A_PLAYOUT,
    THINKING,
    deal_unseen,
    keep_best,
    list_sensible,
    model_of,
    start_samples,
)

ROWS = 1 << 15
"""Of the table of the tree; a power of two, by hand: room for some thousands of play-outs."""
MOST_NODES = ROWS // 2
"""So that a table by hashes never fills."""
CHILDREN = 24
"""Moves of a position that are tried; hardly any has more than six."""
MAX_PATH = 200
"""Moves of a play-out that are noted; by hand, far more than the tree is deep."""
EXPLORE, LIKED = 0.7, 0.4
"""How much is made of what was tried little; and how much of the careful player's choice, beside an
even share of the rest for every move. By hand, as first tried."""
_UNLIKELY = -1e9

TREE = record_type(
    [
        ("thinking", THINKING),
        ("used", "i8"),
        ("explore", "f8"),
        ("liked", "f8"),
        ("length", "i8"),
        ("path", "i8", (MAX_PATH, 2)),
        ("borders", "i8", (2,)),
        ("key", "u8", (ROWS,)),
        ("visits", "i8", (ROWS,)),
        ("count", "i8", (ROWS,)),
        ("move", "i4", (ROWS, CHILDREN)),
        ("tries", "i4", (ROWS, CHILDREN)),
        ("total", "f4", (ROWS, CHILDREN)),
        ("prior", "f4", (ROWS, CHILDREN)),
    ]
)
"""Memory to play out; nodes used; the two weights above; the way of a simulation; how far either
waste reached when the tree was begun; and of each position its key, simulations through it, and its
moves."""


def new_tree() -> Record:
    """An array of one `TREE`."""
    made = np.zeros(1, TREE)
    made["explore"], made["liked"] = EXPLORE, LIKED
    return made


@kernel
def seen_key(t: Record, borders: Record) -> np.uint64:
    """A number for what is seen of a table, the same for all samples that agree in that."""
    key = mix(np.uint64(t.foundations.heights) + GAMMA)
    key = mix(key ^ np.uint64(t.last + 1)) + GAMMA
    for side in range(2):
        layout = t.layouts[side]
        for column in range(layout.columns):
            key = mix(key ^ np.uint64(layout.tableau[column])) + GAMMA
        key = mix(key ^ np.uint64(layout.talon)) + GAMMA
        border = layout.talon_cards if layout.recycles > 0 else layout.waste
        flags = t.clean[side] | t.through[side] << 1 | t.passed[side] << 2
        key = mix(key ^ np.uint64(layout.waste | border << 8 | flags << 16)) + GAMMA
        for index in range(borders[side], border):
            key = mix(key ^ np.uint64(layout.talon_card[index])) + GAMMA
    return key | np.uint64(1)


@kernel
def find_row(g: Record, key: np.uint64) -> int:
    """The row of a key, or the empty one where it belongs."""
    row = int64(key >> np.uint64(33)) & (ROWS - 1)
    while g.key[row] != key and g.key[row] != np.uint64(0):
        row = (row + 1) & (ROWS - 1)
    return row


@kernel
def add_row(g: Record, row: int, key: np.uint64, count: int, liked: int) -> int:
    """Write a position to the tree, with the first of `g.thinking.moves` and the one liked most."""
    g.key[row] = key
    g.visits[row] = 0
    count = min(count, CHILDREN)
    g.count[row] = count
    g.used += 1
    for at in range(count):
        move = g.thinking.moves[at]
        g.move[row, at] = move
        g.tries[row, at] = 0
        g.total[row, at] = 0.0
        g.prior[row, at] = (1.0 - g.liked) / count + (g.liked if move == liked else 0.0)
    return 0


@kernel
def select(g: Record, row: int) -> int:
    """The move of a position, by its place, that promises most."""
    best, best_worth = 0, _UNLIKELY
    seen = g.explore * math.sqrt(g.visits[row] + 1.0)
    total, tries = 0.0, 0
    for at in range(g.count[row]):
        total += g.total[row, at]
        tries += g.tries[row, at]
    mean = total / tries if tries > 0 else 0.0
    for at in range(g.count[row]):
        many = g.tries[row, at]
        worth = g.total[row, at] / many if many > 0 else mean
        worth += seen * g.prior[row, at] / (1.0 + many)
        if worth > best_worth:
            best, best_worth = at, worth
    return best


@kernel
def simulate(g: Record, player: int) -> int:
    """One simulation, and what it was worth noted along its way."""
    k = g.thinking
    t, chance = k.table, k.players[2]
    deal_unseen(k, chance)
    lay_table(t, k.sample)
    for side in range(2):
        k.players[side].random = mix(chance.random + np.uint64(side) * GAMMA)
    skill_a, skill_b = model_of(k, 0, chance.random), model_of(k, 1, chance.random)
    other = skill_b if player == 0 else skill_a
    g.length = 0
    while t.end == GOES_ON and t.turns < MOST_TURNS:
        if t.turn != player:
            act(t, t.turn, choose(t, t.turn, k.players[t.turn], other))
            continue
        key = seen_key(t, g.borders)
        row = find_row(g, key)
        if g.key[row] == np.uint64(0):
            count = list_sensible(t, player, k)
            if count == 1:
                act(t, player, k.moves[0])
                continue
            if g.used < MOST_NODES:
                add_row(g, row, key, count, choose(t, player, k.players[player], CAREFUL))
            break
        if g.length == MAX_PATH:
            break
        at = select(g, row)
        g.path[g.length, 0], g.path[g.length, 1] = row, at
        g.length += 1
        act(t, player, int64(g.move[row, at]))
    lead = play_out(t, k.players, skill_a, skill_b)
    won = 0.5
    if t.winner != NOBODY:
        won = 1.0 if t.winner == player else 0.0
    value = won + MARGIN_WORTH * (lead if player == 0 else -lead)
    for step in range(g.length):
        row, at = g.path[step, 0], g.path[step, 1]
        g.visits[row] += 1
        g.tries[row, at] += 1
        g.total[row, at] += value
    k.playouts += 1
    return 0


@kernel
def lead_of_tries(g: Record, row: int) -> int:
    """By how many tries the move tried most often is ahead of the next."""
    most, next_most = 0, 0
    for at in range(g.count[row]):
        tries = int64(g.tries[row, at])
        if tries > most:
            most, next_most = tries, most
        elif tries > next_most:
            next_most = tries
    return most - next_most


@kernel
def think_ahead(t: Record, player: int, g: Record, simulations: int, seed: int) -> int:
    """What the tree player does in their turn, a move or `PASS`, for at most so many simulations.

    Of the table nothing is read that nobody has seen; the same seed gives the same choice.
    """
    k = g.thinking
    k.count = list_sensible(t, player, k)
    if k.count > 1:
        keep_best(t, player, k, simulations * NODES_A_PLAYOUT)
    k.playouts = 0
    if k.count == 1:
        only: int = k.moves[0]
        return only
    start_samples(t, k, seed)
    g.key[:] = np.uint64(0)
    g.used = 0
    for side in range(2):
        layout = t.layouts[side]
        g.borders[side] = layout.talon_cards if layout.recycles > 0 else layout.waste
    k.players[player].random = k.players[2].random
    liked = choose(k.table, player, k.players[player], CAREFUL)
    key = seen_key(t, g.borders)
    row = find_row(g, key)
    add_row(g, row, key, k.count, liked)
    for number in range(simulations):
        simulate(g, player)
        if lead_of_tries(g, row) > simulations - 1 - number:
            break
    best = 0
    for at in range(g.count[row]):
        if g.tries[row, at] > g.tries[row, best]:
            best = at
    move: int = g.move[row, best]
    return move
