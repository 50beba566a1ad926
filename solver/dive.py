"""A quick depth-first search for wins where the waste may be turned over without limit.

Cards go home only when a step needs them there (`homes.py`), and none is ever taken back.
So the search leaves positions out and may find no win where there is one; that it found
none proves nothing.

It runs in dives, each with a budget of positions a little larger than the one before, and
from the second on with a random part in the order of steps, from a fixed seed.
"""

from collections.abc import Mapping

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from ..engine.shuffle import deal_order
from .homes import WAY_NEARER, WAY_SHIFT, perform
from .position import (
    BASE_DOWN,
    BASE_HOME,
    CARDS,
    LEVEL,
    TALON_DOWN,
    TALON_HOME,
    base_of,
    deal_out,
    home_place,
    is_sure_win,
    list_talon,
    room,
    write_key,
)
from .ranks import RANKS
from .table import NEW, TAGS, insert

WON, LOST_TRACK, OUT_OF_NODES = 1, 2, 3
FOUND = "win found by a dive"
MAX_DEPTH = 112
MAX_CHOICES = 144
FIRST_BUDGET = 165
"""Positions of the first dive; each later one has a twentieth more."""
NOISE = 1200

DIVE = record_type(
    [
        ("ranks", RANKS),
        ("lengths", np.int64, (MAX_DEPTH,)),
        ("choice", np.int16, (MAX_DEPTH, MAX_CHOICES)),
        ("rank", np.int32, (MAX_DEPTH, MAX_CHOICES)),
        ("choices", np.int64, (MAX_DEPTH,)),
        ("talon", np.int64, (64,)),
        ("depth", np.int64),
        ("nodes", np.int64),
        ("total", np.int64),
        ("budget", np.int64),
        ("tag", np.int64),
        ("random", np.int64),
    ]
)
"""The ranks of the steps, and the stack of a dive. What led to a win is in the journal."""


def dive_record(ranks: Mapping[str, int]) -> Record:
    """An array of one `DIVE` with these ranks of the steps, by the names of `ranks.py`."""
    dive = np.zeros(1, DIVE)
    for name, rank in ranks.items():
        dive["ranks"][name] = rank
    return dive


@kernel
def next_random(dive: Record, below: int) -> int:
    """A number in [0, below) from a linear congruential generator of 31 bits."""
    dive.random = (dive.random * 1103515245 + 12345) & 0x7FFFFFFF
    return int64((dive.random >> 12) % below)


@kernel
def add_choice(dive: Record, step: int, rank: int, noise: int) -> None:
    """Add a step to those of the current depth; the highest `rank` goes first."""
    at = dive.choices[dive.depth]
    dive.choice[dive.depth, at] = step
    dive.rank[dive.depth, at] = rank + (next_random(dive, noise) if noise > 0 else 0)
    dive.choices[dive.depth] = at + 1


@kernel
def list_choices(game: Record, node: Record, dive: Record, noise: int) -> None:
    """List the steps from a position, those that need cards sent home first among them."""
    ranks = dive.ranks
    dive.choices[dive.depth] = 0
    wanted = int64(0)
    for column in range(game.columns):
        placed = int64(node.placed[column])
        if placed == 0:
            continue
        card = base_of(game, node, column)
        rank = ranks.base_home_ready if home_place(node, card) >= 0 else ranks.base_home_later
        add_choice(dive, BASE_HOME | column << 3, rank + ranks.base_home_placed * placed, noise)
        rank = ranks.base_down_ready
        if room(game, node, card) <= 0:
            rank = ranks.base_down_later
            wanted |= int64(1) << (LEVEL[card] + 2)
        if placed == 1:
            rank += ranks.last_base_down
        add_choice(
            dive,
            BASE_DOWN | column << 3 | WAY_NEARER << WAY_SHIFT,
            rank + ranks.base_down_placed * placed,
            noise,
        )
    for i in range(list_talon(game, node, dive.talon)):
        index = dive.talon[i]
        card = int64(game.talon_card[index])
        has_room = room(game, node, card) > 0
        if home_place(node, card) >= 0:
            add_choice(dive, TALON_HOME | index << 3, ranks.talon_home_ready, noise)
        elif not has_room:
            rank = ranks.talon_home_later + ranks.talon_home_rank * (card >> 2)
            add_choice(dive, TALON_HOME | index << 3, rank, noise)
        if has_room:
            rank = ranks.talon_down_ready + ranks.talon_down_rank * (card >> 2)
            if wanted >> LEVEL[card] & 1:
                rank += ranks.talon_down_wanted
            add_choice(dive, TALON_DOWN | index << 3, rank, noise)


@kernel
def best_choice(dive: Record) -> int:
    """Take the best step left at this depth off the list; -1 if there is none."""
    depth = dive.depth
    count = dive.choices[depth]
    if count == 0:
        return -1
    best = 0
    for i in range(1, count):
        if dive.rank[depth, i] > dive.rank[depth, best]:
            best = i
    step = int64(dive.choice[depth, best])
    dive.choices[depth] = count - 1
    dive.choice[depth, best] = dive.choice[depth, count - 1]
    dive.rank[depth, best] = dive.rank[depth, count - 1]
    return step


@kernel
def dive_once(
    game: Record,
    nodes: Record,
    dive: Record,
    journal: Record,
    table: Record,
    budget: int,
    noise: int,
) -> int:
    """One dive from `nodes[0]`: `WON` (see the journal), `LOST_TRACK` or `OUT_OF_NODES`."""
    mask = 1024
    while mask < 2 * budget and mask < len(table):
        mask *= 2
    mask = min(mask, len(table)) - 1
    dive.depth = dive.nodes = journal.length = 0
    dive.lengths[0] = 0
    if is_sure_win(game, nodes[0]):
        return WON
    list_choices(game, nodes[0], dive, noise)
    while dive.nodes < budget:
        depth = dive.depth
        step = best_choice(dive)
        if step < 0:
            if depth == 0:
                return LOST_TRACK
            dive.depth = depth - 1
            continue
        nodes[depth + 1] = nodes[depth]
        journal.length = dive.lengths[depth]
        node = nodes[depth + 1]
        if not perform(game, node, journal, step):
            continue
        dive.nodes += 1
        if is_sure_win(game, node):
            return WON
        word_0, word_1 = write_key(game, node)
        if insert(table, mask, dive.tag, word_0, word_1) != NEW:
            continue
        dive.depth = depth + 1
        dive.lengths[depth + 1] = journal.length
        list_choices(game, node, dive, noise)
    return OUT_OF_NODES


@kernel
def start_dives(dive: Record) -> None:
    """Make ready for the first dive of a deal."""
    dive.total = 0
    dive.budget = FIRST_BUDGET
    dive.random = 1


@kernel
def dive_on(
    game: Record,
    nodes: Record,
    dive: Record,
    journal: Record,
    table: Record,
    most_nodes: int,
    pause: int,
) -> int:
    """Dive until a win is found (`WON`) or `dive.total` has reached `most_nodes`.

    Also returns between two dives when `dive.total` has reached `pause`, and goes on from
    there when called again. Where it pauses makes no difference to what it finds.
    """
    while dive.total < min(most_nodes, pause):
        dive.tag += 1
        if dive.tag > TAGS:
            table[:] = 0
            dive.tag = 1
        noise = NOISE if dive.budget > FIRST_BUDGET else 0
        budget = min(dive.budget, most_nodes - dive.total)
        result = dive_once(game, nodes, dive, journal, table, budget, noise)
        # A dive that ends at once counts as a position too, so that dives come to an end.
        dive.total += max(dive.nodes, 1)
        if result == WON:
            return WON
        dive.budget += dive.budget // 20
    return OUT_OF_NODES


@kernel
def dive_numbers(
    game: Record,
    nodes: Record,
    dive: Record,
    journal: Record,
    table: Record,
    numbers: Record,
    most_nodes: int,
    order: Record,
    found: Record,
    used: Record,
) -> None:
    """Deal each number and dive for it; writes whether a win was `found`, and positions `used`."""
    for at in range(len(numbers)):
        deal_order(numbers[at], CARDS * game.decks, order)
        deal_out(game, nodes[0], order)
        start_dives(dive)
        found[at] = dive_on(game, nodes, dive, journal, table, most_nodes, most_nodes) == WON
        used[at] = dive.total
