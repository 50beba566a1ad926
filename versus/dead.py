"""Whether a player is dead: no play of their own cards can reach the foundations as they stand.

The search goes over the abstract positions of `solver/position.py`, which are exact for one
player's cards, whatever the other has up. Only steps to columns are taken, as the foundations stand
still, and each takes a card of the columns or the stock from its place for good; so the positions
are few. A player who is dead stays so until the other plays to a foundation. If both are, no card
can ever go up again: the count and the last play are final.

A player is *stuck* if nothing they can know of brings them on: the same search, in which turning a
card up counts as getting on, so it needs no card that nobody has seen.
"""

import numpy as np

from ..engine.bits import lowest_bit, popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.listing import accepting_place
from ..solver.position import (
    BASE_DOWN,
    GAME,
    LEVEL,
    NO_LIMIT,
    NODE,
    TALON_DOWN,
    add_free,
    apply_step,
    base_of,
    can_be_had,
    exposed,
    is_reachable,
    room,
    waste_size,
)
from ..solver.table import NEW, TAGS, insert

MOST_HIDDEN = 8
"""A column of more face-down cards has no room in `GAME`; then nothing is claimed."""
ROWS = 1 << 13
MOST_POSITIONS = ROWS // 2
"""A search of more positions is given up, and nothing is claimed. None of a dealt game was so
large."""
DEPTH = 56
"""More than the steps of a line, of which each takes one of 52 cards from its place."""

PROBE = record_type(
    [
        ("game", GAME),
        ("nodes", NODE, (DEPTH,)),
        ("next", "i8", (DEPTH,)),
        ("tag", "i8"),
        ("positions", "i8"),
        ("table", "i8", (ROWS, 2)),
    ]
)
"""The memory of the search: the line of positions to the one that is looked at, and the step to try
next in each."""


def new_probe() -> Record:
    """An array of one `PROBE`."""
    return np.zeros(1, PROBE)


@kernel
def load_side(layout: Record, suits: int, game: Record, node: Record) -> bool:
    """Write a layout as a position of the search; False if it has no room."""
    game.columns = layout.columns
    game.decks = 1
    game.ranks = layout.ranks
    game.suits = suits
    game.draw = layout.draw
    game.talon_size = layout.talon_cards
    for index in range(layout.talon_cards):
        game.talon_card[index] = layout.talon_card[index]
    node.talon = layout.talon
    node.border = layout.waste
    node.recycles = NO_LIMIT
    if layout.max_recycles >= 0:
        node.recycles = layout.max_recycles - layout.recycles
    node.landed = 0
    node.lost = 0
    node.free[:] = 0
    node.open_level[:] = 0
    node.free_level[:] = 0
    node.empty = 0
    for column in range(layout.columns):
        word = layout.tableau[column]
        node.placed[column] = 0
        if word == 0:
            node.empty += 1
            continue
        hidden = word & HIDDEN
        if hidden > MOST_HIDDEN:
            return False
        lowest = (word >> RUN_SHIFT & RUN) - 1
        for depth in range(lowest):
            add_free(game, node, run_card(word, depth), True)
        base = run_card(word, lowest)
        if hidden == 0 and base >> 2 == layout.ranks - 1:
            add_free(game, node, base, True)
            continue
        for row in range(hidden):
            game.dealt[column, row] = layout.hidden_card[column, row]
        game.dealt[column, hidden] = base
        node.placed[column] = hidden + 1
        node.open_level[LEVEL[base]] += 1
    return True


@kernel
def fitting_cards(foundations: Record, ranks: int) -> int:
    """The cards that the foundations take, a bit each."""
    cards = int64(0)
    for card in range(4 * ranks):
        if card & 3 < foundations.suits and accepting_place(foundations, card) >= 0:
            cards |= int64(1) << card
    return cards


@kernel
def can_put_up(game: Record, node: Record, fitting: int) -> bool:
    """Whether one of these cards can be put up without another leaving its place before."""
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if fitting >> card & 1 != 0 and exposed(node, LEVEL[card]) > 0:
                return True
    left = fitting
    while left:
        card = lowest_bit(left)
        left &= left - 1
        if node.free[card] > 0 and exposed(node, LEVEL[card]) > 0:
            return True
    size, waste, number = popcount(node.talon), waste_size(node), 0
    left = node.talon
    while left:
        card = int64(game.talon_card[lowest_bit(left)])
        if fitting >> card & 1 != 0 and can_be_had(game, node, waste, number, size):
            return True
        number += 1
        left &= left - 1
    return False


@kernel
def note_position(probe: Record, node: Record) -> int:
    """Put a position into the table; `NEW`, `SEEN` or `FULL`.

    As in `write_key`, a waste whose size makes no difference counts as none.
    """
    game = probe.game
    waste = waste_size(node)
    if node.recycles == NO_LIMIT and (waste % game.draw == 0 or waste == popcount(node.talon)):
        waste = 0
    word = waste | (int64(node.recycles) & 7) << 60
    for column in range(game.columns):
        word |= int64(node.placed[column]) << 6 + 4 * column
    return insert(probe.table, ROWS - 1, probe.tag, int64(node.talon), word)


@kernel
def can_go_on(probe: Record, fitting: int, turning_counts: bool) -> bool:
    """Whether steps to columns lead from `nodes[0]` to where a fitting card can be put up.

    With `turning_counts`, or to where a face-down card can be turned up. True also if the search
    was given up.
    """
    game = probe.game
    probe.tag += 1
    if probe.tag > TAGS:
        probe.table[:] = 0
        probe.tag = 1
    note_position(probe, probe.nodes[0])
    probe.positions = 1
    probe.next[0] = 0
    if can_put_up(game, probe.nodes[0], fitting):
        return True
    level = 0
    while level >= 0:
        node = probe.nodes[level]
        at = probe.next[level]
        if at == game.columns + game.talon_size:
            level -= 1
            continue
        probe.next[level] = at + 1
        if at < game.columns:
            if node.placed[at] == 0 or room(game, node, base_of(game, node, at)) == 0:
                continue
            if turning_counts and node.placed[at] > 1:
                return True
            step = BASE_DOWN | at << 3
        else:
            index = at - game.columns
            if not is_reachable(game, node, index):
                continue
            if room(game, node, int64(game.talon_card[index])) == 0:
                continue
            step = TALON_DOWN | index << 3
        probe.nodes[level + 1] = node
        below = probe.nodes[level + 1]
        apply_step(game, below, step)
        if note_position(probe, below) == NEW:
            probe.positions += 1
            if probe.positions > MOST_POSITIONS or can_put_up(game, below, fitting):
                return True
            level += 1
            probe.next[level] = 0
    return False


@kernel
def is_dead(t: Record, player: int, probe: Record) -> bool:
    """Whether it is proved that a player's own play reaches no foundation as they stand."""
    layout = t.layouts[player]
    if not load_side(layout, t.foundations.suits, probe.game, probe.nodes[0]):
        return False
    return not can_go_on(probe, fitting_cards(t.foundations, layout.ranks), False)


@kernel
def are_both_dead(t: Record, probe: Record) -> bool:
    """Whether it is proved that no card can ever go up again."""
    return is_dead(t, 0, probe) and is_dead(t, 1, probe)


@kernel
def is_stuck(t: Record, player: int, probe: Record) -> bool:
    """Whether a player can know that nothing brings them on while the other does nothing.

    A card of the stock that has not been seen may always bring them on.
    """
    layout = t.layouts[player]
    if layout.recycles == 0 and layout.talon >> layout.waste != 0:
        return False
    if not load_side(layout, t.foundations.suits, probe.game, probe.nodes[0]):
        return False
    return not can_go_on(probe, fitting_cards(t.foundations, layout.ranks), True)
