"""Steps that send home just what they need, and nothing else.

Cards that go home early take places away: whatever could lie on them. So the searches for
wins keep every card in the columns until a step needs it home, to make room for a card or
to bring a foundation to the height that a base or a talon card waits for. No card is ever
taken back, so a win found in this way needs no taking back.

A choice is a step | way << WAY_SHIFT, where the way says how to make room for a card.
"""

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from .position import (
    BASE_DOWN,
    BASE_HOME,
    DRAW_ONCE,
    FREE_HOME,
    LEVEL,
    SUITS,
    TALON_DOWN,
    TURN_OVER,
    apply_step,
    base_of,
    exposed,
    home_place,
    room,
)

MAX_PLAN = 4096
"""104 cards leave their place and go home, which is 208 steps; the rest is for taking back."""
MAX_STEPS = MAX_PLAN - 256
"""Steps to a sure win that leave room for `plan.finish`, which adds one for each of 104 cards."""
MAX_GOALS = 60
MAX_EFFORT = 120
"""Bounds of `achieve`, by hand: goals at a time, and looks at one. A choice that needs more is left
out."""
STEP_MASK = 511
WAY_SHIFT = 9
"""A step is less than 8 * 64."""
WAY_DIRECT, WAY_FIRST_SUIT, WAY_SECOND_SUIT, WAY_NEARER = 0, 1, 2, 3
"""No card home; a card of the level's first or second suit; the one with less to go before it."""
HOME, READY, BARE = 1, 2, 4
"""Goals: a card home; its foundation at the height below; a card of its level uncovered."""

TRAIL = record_type(
    [
        ("length", np.int64),
        ("steps", np.int16, (MAX_PLAN,)),
        ("goal", np.int8, (MAX_GOALS,)),
        ("card", np.int8, (MAX_GOALS,)),
    ]
)
"""The steps taken so far, `steps[:length]`, and the stack of `achieve`."""

Plan = tuple[int, ...]
"""Steps from a start, in their order, without draws, which the steps of the talon imply."""


def plan_of(trail: Record) -> Plan | None:
    """The steps of a trail as a plan; None if they are too many for one."""
    if trail.length > MAX_STEPS:
        return None
    steps = trail.steps[: trail.length]
    return tuple(steps[steps != DRAW_ONCE].tolist())


@kernel
def level_card(level: int, which: int) -> int:
    """The card of the first (0) or second (1) suit of a level."""
    rank = level >> 1
    is_red = (level & 1) ^ (rank & 1)
    return rank * 4 + (1 + which if is_red else 3 * which)


@kernel
def gap_below(node: Record, card: int) -> int:
    """How many cards of its suit must go home before the card can; -1 if no place is left."""
    rank, place = card >> 2, 2 * (card & 3)
    if node.home[place] <= rank:
        return rank - int64(node.home[place])
    if node.home[place + 1] <= rank:
        return rank - int64(node.home[place + 1])
    return -1


@kernel
def nearer_card(node: Record, level: int) -> int:
    """The free card of a level with the smaller `gap_below`; -1 if there is none."""
    best, smallest = -1, 99
    for which in range(2):
        card = level_card(level, which)
        gap = gap_below(node, card)
        if node.free[card] > 0 and 0 <= gap < smallest:
            best, smallest = card, gap
    return best


@kernel
def take(game: Record, node: Record, trail: Record, step: int) -> None:
    """Carry a step out and note it in the trail; what has no room there is only counted."""
    apply_step(game, node, step)
    if trail.length < MAX_PLAN:
        trail.steps[trail.length] = step
    trail.length += 1


@kernel
def achieve(game: Record, node: Record, trail: Record, card: int, goal: int) -> bool:
    """Send free cards home until the goal for the card is reached; False if that fails.

    What a goal waits for becomes a goal itself, on a stack: the next card of a suit, or the
    card that covers the one that is wanted.
    """
    trail.card[0], trail.goal[0] = card, goal
    depth, effort = 1, 0
    while depth > 0:
        effort += 1
        if effort > MAX_EFFORT or depth >= MAX_GOALS:
            return False
        card = int64(trail.card[depth - 1])
        goal = int64(trail.goal[depth - 1])
        if goal == HOME and node.free[card] == 0:
            return False
        if goal != BARE and home_place(node, card) < 0:
            gap = gap_below(node, card)
            if gap < 0:
                return False
            trail.card[depth], trail.goal[depth] = card - 4 * gap, HOME
            depth += 1
            continue
        if goal != READY and exposed(node, LEVEL[card]) <= 0:
            cover = nearer_card(node, LEVEL[card] - 2) if card >> 2 else -1
            if cover < 0:
                return False
            trail.card[depth], trail.goal[depth] = cover, HOME
            depth += 1
            continue
        if goal == HOME:
            take(game, node, trail, FREE_HOME | card << 3)
        depth -= 1
    return True


@kernel
def send_all_home(game: Record, node: Record, trail: Record) -> None:
    """Send every free card home that can go, and then those that can go after that."""
    changed = True
    while changed:
        changed = False
        for place in range(2 * SUITS):
            card = int64(node.home[place]) * 4 + place // 2
            if card >> 2 < game.ranks and node.free[card] > 0 and exposed(node, LEVEL[card]) > 0:
                take(game, node, trail, FREE_HOME | card << 3)
                changed = True


@kernel
def make_room(game: Record, node: Record, trail: Record, card: int, way: int) -> bool:
    """See that a column accepts the card, in this way; False if it does not."""
    if room(game, node, card) > 0:
        return True
    if way == WAY_DIRECT or card >> 2 == game.ranks - 1:
        return False
    if way == WAY_NEARER:
        other = nearer_card(node, LEVEL[card])
        if other < 0:
            return False
    else:
        other = level_card(LEVEL[card], way - WAY_FIRST_SUIT)
    return achieve(game, node, trail, other, HOME) and room(game, node, card) > 0


@kernel
def perform(game: Record, node: Record, trail: Record, choice: int) -> bool:
    """Carry a choice out, sending those cards home first that it needs there.

    False if that cannot be done; `node` and the trail beyond its length are spoilt then.
    """
    step, way = choice & STEP_MASK, choice >> WAY_SHIFT
    kind, argument = step & 7, step >> 3
    if kind in (DRAW_ONCE, TURN_OVER):
        take(game, node, trail, step)
        return True
    if kind in (BASE_DOWN, BASE_HOME):
        card = base_of(game, node, argument)
    else:
        card = int64(game.talon_card[argument])
    if kind in (BASE_DOWN, TALON_DOWN):
        if not make_room(game, node, trail, card, way):
            return False
    else:
        if not achieve(game, node, trail, card, READY):
            return False
        if kind == BASE_HOME:
            if not achieve(game, node, trail, card, BARE):
                return False
            if home_place(node, card) < 0:
                return False
    take(game, node, trail, step)
    return True
