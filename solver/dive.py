"""A quick depth-first search for wins where the waste may be turned over without limit.

Cards go home only when a step needs them there (`homes.py`), and none is ever taken back.
So the search leaves positions out and may find no win where there is one; that it found
none proves nothing.

It runs in dives, each with a budget of positions a little larger than the one before, and
from the second on with a random part in the order of steps, from a fixed seed.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import Rules
from ..engine.shuffle import deal_order
from .homes import TRAIL, WAY_NEARER, WAY_SHIFT, perform, plan_of
from .method import CHUNK_NODES, NO_END, Budget, Result, Win
from .position import (
    BASE_DOWN,
    BASE_HOME,
    CARDS,
    LEVEL,
    NODE,
    TALON_DOWN,
    TALON_HOME,
    Start,
    base_of,
    blank,
    home_place,
    is_sure_win,
    lay,
    list_talon,
    room,
    write_key,
)
from .priorities import PRIORITIES, read_priorities
from .table import NEW, TAGS, insert, new_table

WON, LOST_TRACK, OUT_OF_NODES = 1, 2, 3
FOUND = "win found by a dive"
MAX_DEPTH = 112
"""Each choice takes one of 104 cards from its dealt place."""
MAX_CHOICES = 144
"""Two for each of 9 bases and of 59 cards of the talon."""
ROWS = 1 << 16
"""Of the table of positions seen in a dive: a megabyte, which stays in the processor's cache."""
FEWEST_ROWS = 1 << 10
"""Of it that the shortest dives use."""
FIRST_BUDGET = 165
"""Positions of the first dive; each later one has a twentieth more. Tuned with the priorities
(`data/priorities.json`), as is `NOISE`."""
NOISE = 1200
"""What chance adds at most to a priority, from the second dive on; priorities go up to 12,000."""

DIVE = record_type(
    [
        ("priorities", PRIORITIES),
        ("lengths", np.int64, (MAX_DEPTH,)),
        ("choice", np.int16, (MAX_DEPTH, MAX_CHOICES)),
        ("priority", np.int32, (MAX_DEPTH, MAX_CHOICES)),
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
"""The priorities of the steps, and the stack of a dive. What led to a win is in the trail."""


@kernel
def next_random(dive: Record, below: int) -> int:
    """A number in [0, below) from a linear congruential generator of 31 bits."""
    dive.random = (dive.random * 1103515245 + 12345) & 0x7FFFFFFF
    return int64((dive.random >> 12) % below)


@kernel
def add_choice(dive: Record, step: int, priority: int, noise: int) -> None:
    """Add a step to those of the current depth; the highest `priority` goes first."""
    at = dive.choices[dive.depth]
    dive.choice[dive.depth, at] = step
    dive.priority[dive.depth, at] = priority + (next_random(dive, noise) if noise > 0 else 0)
    dive.choices[dive.depth] = at + 1


@kernel
def list_choices(game: Record, node: Record, dive: Record, noise: int) -> None:
    """List the steps from a position, those that need cards sent home first among them."""
    learned = dive.priorities
    dive.choices[dive.depth] = 0
    wanted = int64(0)
    for column in range(game.columns):
        placed = int64(node.placed[column])
        if placed == 0:
            continue
        card = base_of(game, node, column)
        priority = (
            learned.base_home_ready if home_place(node, card) >= 0 else learned.base_home_later
        )
        add_choice(
            dive, BASE_HOME | column << 3, priority + learned.base_home_placed * placed, noise
        )
        priority = learned.base_down_ready
        if room(game, node, card) <= 0:
            priority = learned.base_down_later
            wanted |= int64(1) << (LEVEL[card] + 2)
        if placed == 1:
            priority += learned.last_base_down
        add_choice(
            dive,
            BASE_DOWN | column << 3 | WAY_NEARER << WAY_SHIFT,
            priority + learned.base_down_placed * placed,
            noise,
        )
    for i in range(list_talon(game, node, dive.talon)):
        index = dive.talon[i]
        card = int64(game.talon_card[index])
        has_room = room(game, node, card) > 0
        if home_place(node, card) >= 0:
            add_choice(dive, TALON_HOME | index << 3, learned.talon_home_ready, noise)
        elif not has_room:
            priority = learned.talon_home_later + learned.talon_home_rank * (card >> 2)
            add_choice(dive, TALON_HOME | index << 3, priority, noise)
        if has_room:
            priority = learned.talon_down_ready + learned.talon_down_rank * (card >> 2)
            if wanted >> LEVEL[card] & 1:
                priority += learned.talon_down_wanted
            add_choice(dive, TALON_DOWN | index << 3, priority, noise)


@kernel
def best_choice(dive: Record) -> int:
    """Take the best step left at this depth off the list; -1 if there is none."""
    depth = dive.depth
    count = dive.choices[depth]
    if count == 0:
        return -1
    best = 0
    for i in range(1, count):
        if dive.priority[depth, i] > dive.priority[depth, best]:
            best = i
    step = int64(dive.choice[depth, best])
    dive.choices[depth] = count - 1
    dive.choice[depth, best] = dive.choice[depth, count - 1]
    dive.priority[depth, best] = dive.priority[depth, count - 1]
    return step


@kernel
def dive_once(
    game: Record,
    nodes: Record,
    dive: Record,
    trail: Record,
    table: Record,
    budget: int,
    noise: int,
) -> int:
    """One dive from `nodes[0]`: `WON` (see the trail), `LOST_TRACK` or `OUT_OF_NODES`."""
    mask = FEWEST_ROWS
    while mask < 2 * budget and mask < len(table):
        mask *= 2
    mask = min(mask, len(table)) - 1
    dive.depth = dive.nodes = trail.length = 0
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
        trail.length = dive.lengths[depth]
        node = nodes[depth + 1]
        if not perform(game, node, trail, step):
            continue
        dive.nodes += 1
        if is_sure_win(game, node):
            return WON
        word_0, word_1 = write_key(game, node)
        if insert(table, mask, dive.tag, word_0, word_1) != NEW:
            continue
        dive.depth = depth + 1
        dive.lengths[depth + 1] = trail.length
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
    trail: Record,
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
        result = dive_once(game, nodes, dive, trail, table, budget, noise)
        # A dive that ends at once counts as a position too, so that dives come to an end.
        dive.total += max(dive.nodes, 1)
        if result == WON:
            return WON
        dive.budget += dive.budget // 20
    return OUT_OF_NODES


@kernel
def dive_numbers(
    game: Record,
    deal: Record,
    nodes: Record,
    dive: Record,
    trail: Record,
    table: Record,
    numbers: Record,
    most_nodes: int,
    order: Record,
    found: Record,
    used: Record,
) -> None:
    """Deal each number and dive for it; writes whether a win was `found`, and positions `used`.

    `deal` has the places of a new deal, and `order` is room for its cards.
    """
    for at in range(len(numbers)):
        deal_order(numbers[at], CARDS * game.decks, order)
        nodes[0] = deal
        lay(game, nodes[0], order)
        start_dives(dive)
        found[at] = dive_on(game, nodes, dive, trail, table, most_nodes, most_nodes) == WON
        used[at] = dive.total


class Dives:
    """The method; it goes on with the next dive until another start is given to it."""

    def __init__(self, priorities: Mapping[str, int] | None = None) -> None:
        """Reserve its memory; `priorities` of the steps, by name, are else the learned ones."""
        self._dive = np.zeros(1, DIVE)[0]
        for name, priority in (priorities or read_priorities()).items():
            self._dive.priorities[name] = priority
        self._nodes = np.zeros(MAX_DEPTH, NODE)
        self._trail = np.zeros(1, TRAIL)[0]
        self._table = new_table(ROWS)

    def begin(self, start: Start, budget: Budget) -> None:
        """Make ready for the first dive of a start."""
        self._start, self._budget = start, budget
        start_dives(self._dive)

    def run(self, most: int = NO_END) -> Result:
        """A win, if one is found in up to so many positions in all."""
        start, dive, budget = self._start, self._dive, self._budget
        self._nodes[0] = start.node
        most = min(most, int(dive.total) + budget.left)
        while dive.total < most:
            before = int(dive.total)
            state = dive_on(
                start.game,
                self._nodes,
                dive,
                self._trail,
                self._table,
                most,
                before + CHUNK_NODES,
            )
            budget.nodes += int(dive.total) - before
            if state == WON:
                plan = plan_of(self._trail)
                return None if plan is None else Win(plan, FOUND)
            limit = budget.limit()
            if limit is not None:
                return limit
        return budget.limit()

    def run_numbers(
        self, rules: Rules, numbers: NDArray[np.int64], most: int
    ) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """Of each deal number, whether up to so many positions hold a win, and those used."""
        found, used = np.zeros(len(numbers), np.bool_), np.zeros(len(numbers), np.int64)
        game, deal = blank(rules)
        dive_numbers(
            game,
            deal,
            self._nodes,
            self._dive,
            self._trail,
            self._table,
            numbers,
            most,
            np.zeros(rules.cards, np.int64),
            found,
            used,
        )
        return found, used
