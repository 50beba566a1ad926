"""A plan completed and put in order, on the way from a sure win to the player's moves.

Searches stop at a sure win and take talon cards in whatever order they find. `finish` adds
the steps that send the rest home; `reorder` brings steps forward so that each pass through
the stock plays what it can, which spares recycles and draws. All of it works on a copy of the plan,
the first `length` of an array.
"""

from ..engine.bits import lowest_bit, popcount
from ..engine.jit import Record, int64, kernel
from .homes import send_all_home
from .position import (
    BASE_DOWN,
    BASE_HOME,
    FREE_HOME,
    HOME_DOWN,
    LEVEL,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    apply_step,
    base_of,
    exposed,
    home_place,
    is_ahead,
    is_reachable,
    room,
    waste_size,
)

NO_STEP = -1
DRAWS_OF_RECYCLE = 1000
"""What a recycle counts for: more draws than there can be."""
CURRENT, TRIAL, WALKING = 0, 1, 2
"""Nodes: where a plan begins, one that tries it, one that walks along it."""


@kernel
def is_legal(game: Record, node: Record, step: int) -> bool:
    """Whether a step can be taken from a position."""
    kind, argument = step & 7, step >> 3
    if kind in (BASE_DOWN, BASE_HOME):
        if node.placed[argument] == 0:
            return False
        card = base_of(game, node, argument)
        if kind == BASE_DOWN:
            return room(game, node, card) > 0
        return home_place(node, card) >= 0 and exposed(node, LEVEL[card]) > 0
    if kind == FREE_HOME:
        return (
            node.free[argument] > 0
            and home_place(node, argument) >= 0
            and exposed(node, LEVEL[argument]) > 0
        )
    if kind == HOME_DOWN:
        height = (argument >> 2) + 1
        place = 2 * (argument & 3)
        is_top = node.home[place] == height or node.home[place + 1] == height
        return is_top and room(game, node, argument) > 0
    if kind == TURN_OVER:
        return bool(node.recycles > 0)
    card = int64(game.talon_card[argument])
    if not is_reachable(game, node, argument):
        return False
    return room(game, node, card) > 0 if kind == TALON_DOWN else home_place(node, card) >= 0


@kernel
def finish(game: Record, node: Record, plan: Record, length: int) -> int:
    """Append to a plan that ends in `node`, a sure win, the steps that send all cards home.

    Returns the new length; `node` becomes the won position. Lower cards go first, and of
    equal ranks those of the columns, so that each is within reach when its turn comes.
    """
    for rank in range(game.ranks):
        moved = True
        while moved:
            moved = False
            for suit in range(game.suits):
                step = step_home(game, node, rank * 4 + suit)
                if step >= 0:
                    plan[length] = step
                    length += 1
                    apply_step(game, node, step)
                    moved = True
    return length


@kernel
def step_home(game: Record, node: Record, card: int) -> int:
    """The step that sends a copy of the card home from wherever one is in reach; -1 if none is."""
    if home_place(node, card) < 0:
        return -1
    if exposed(node, LEVEL[card]) > 0:
        if node.free[card] > 0:
            return FREE_HOME | card << 3
        for column in range(game.columns):
            if node.placed[column] > 0 and base_of(game, node, column) == card:
                return BASE_HOME | column << 3
    left = node.talon
    while left:
        index = lowest_bit(left)
        if game.talon_card[index] == card and is_reachable(game, node, index):
            return TALON_HOME | index << 3
        left &= left - 1
    return -1


@kernel
def drop_detours(game: Record, nodes: Record, plan: Record, length: int) -> int:
    """Drop pairs of sending a card home and taking it back that the rest can do without.

    `nodes[CURRENT]` is the position the plan starts from and stays so. Returns the new length.
    """
    at = 0
    while at < length:
        if plan[at] & 7 == HOME_DOWN:
            wanted = FREE_HOME | plan[at] >> 3 << 3
            before = at - 1
            while before >= 0 and plan[before] != wanted:
                before -= 1
            if before >= 0 and is_legal_with(game, nodes, plan, before, NO_STEP, at, length):
                length = drop(plan, before, drop(plan, at, length))
                at -= 2
        at += 1
    return length


@kernel
def is_legal_with(
    game: Record, nodes: Record, plan: Record, changed: int, step: int, dropped: int, length: int
) -> bool:
    """Whether a plan can be carried out from `nodes[CURRENT]` with another step at `changed`.

    The step at `dropped` is left out, and so is the changed one if `step` is `NO_STEP`.
    """
    nodes[TRIAL] = nodes[CURRENT]
    node = nodes[TRIAL]
    for at in range(length):
        now = step if at == changed else plan[at]
        if at == dropped or now == NO_STEP:
            continue
        if not is_legal(game, node, now):
            return False
        apply_step(game, node, now)
    return True


@kernel
def drop(plan: Record, at: int, length: int) -> int:
    """Take a step out of a plan; returns the new length."""
    for other in range(at, length - 1):
        plan[other] = plan[other + 1]
    return length - 1


@kernel
def shorten(game: Record, nodes: Record, plan: Record, length: int) -> int:
    """Let cards go home at once that go by way of a column for nothing but points.

    `nodes[CURRENT]` is the position the plan starts from. Returns the new length.
    """
    nodes[WALKING] = nodes[CURRENT]
    at = 0
    while at < length:
        kind, argument = plan[at] & 7, plan[at] >> 3
        if kind in (TALON_DOWN, BASE_DOWN):
            card = int64(game.talon_card[argument])
            if kind == BASE_DOWN:
                card = base_of(game, nodes[WALKING], argument)
            direct = (TALON_HOME if kind == TALON_DOWN else BASE_HOME) | argument << 3
            later = at + 1
            while later < length and plan[later] != FREE_HOME | card << 3:
                later += 1
            if later < length and is_legal_with(game, nodes, plan, at, direct, later, length):
                plan[at] = direct
                length = drop(plan, later, length)
            elif (
                later < length
                and kind == BASE_DOWN
                and is_legal_with(game, nodes, plan, later, direct, at, length)
            ):
                plan[later] = direct
                length = drop(plan, at, length)
                continue
        apply_step(game, nodes[WALKING], plan[at])
        at += 1
    return length


@kernel
def stays_legal(
    game: Record, nodes: Record, plan: Record, first: int, chosen: int, length: int
) -> bool:
    """Whether `plan[chosen]`, and after it the rest of `plan[first:length]`, can be carried out."""
    nodes[TRIAL] = nodes[CURRENT]
    node = nodes[TRIAL]
    if not is_legal(game, node, plan[chosen]):
        return False
    apply_step(game, node, plan[chosen])
    for at in range(first, length):
        if at == chosen:
            continue
        if not is_legal(game, node, plan[at]):
            return False
        apply_step(game, node, plan[at])
    return True


@kernel
def draws_to(game: Record, node: Record, index: int) -> int:
    """Draws until card `index` of the talon is the top of the waste; a recycle counts for more."""
    size = popcount(node.talon)
    number = popcount(node.talon & ((int64(1) << index) - 1))
    waste = waste_size(node)
    if number == waste - 1:
        return 0
    if is_ahead(game, waste, number, size):
        return int64((number - waste) // game.draw + 1)
    to_end = (size - waste + game.draw - 1) // game.draw
    return int64(DRAWS_OF_RECYCLE + to_end + number // game.draw + 1)


@kernel
def reorder(game: Record, nodes: Record, plan: Record, length: int) -> None:
    """Bring steps of a legal plan from `nodes[CURRENT]` forward to spare draws and recycles.

    At each point the step comes next that costs the fewest draws, the earlier in the plan
    the better, among those after which the others are still legal in their order.
    """
    for first in range(length):
        best, best_cost = first, 0
        if plan[first] & 7 >= TALON_DOWN:
            best_cost = draws_to(game, nodes[CURRENT], plan[first] >> 3)
        if best_cost > 0:
            for at in range(first + 1, length):
                kind = plan[at] & 7
                if kind in (HOME_DOWN, FREE_HOME):
                    continue
                cost = 0
                if kind >= TALON_DOWN:
                    if not is_reachable(game, nodes[CURRENT], plan[at] >> 3):
                        continue
                    cost = draws_to(game, nodes[CURRENT], plan[at] >> 3)
                if cost < best_cost and stays_legal(game, nodes, plan, first, at, length):
                    best, best_cost = at, cost
                    if cost == 0:
                        break
        step = plan[best]
        for at in range(best, first, -1):
            plan[at] = plan[at - 1]
        plan[first] = step
        apply_step(game, nodes[CURRENT], step)


@kernel
def send_rest_home(
    game: Record, nodes: Record, start: Record, trail: Record, plan: Record, length: int
) -> int:
    """Append to a plan from `start` that every free card goes home that can; the new length."""
    nodes[TRIAL] = start
    for at in range(length):
        apply_step(game, nodes[TRIAL], plan[at])
    trail.length = 0
    send_all_home(game, nodes[TRIAL], trail)
    for at in range(trail.length):
        plan[length + at] = trail.steps[at]
    return length + int64(trail.length)


@kernel
def complete(
    game: Record,
    nodes: Record,
    start: Record,
    plan: Record,
    length: int,
    may_reorder: bool,
    may_shorten: bool,
) -> int:
    """Make a whole plan of the steps from `start` to a sure win; returns the new length.

    `may_reorder` is for plans of a search that paid no heed to draws, `may_shorten` for a list
    that shall be short rather than score high.
    """
    nodes[TRIAL] = start
    for at in range(length):
        apply_step(game, nodes[TRIAL], plan[at])
    length = finish(game, nodes[TRIAL], plan, length)
    nodes[CURRENT] = start
    length = drop_detours(game, nodes, plan, length)
    if may_shorten:
        length = shorten(game, nodes, plan, length)
    if may_reorder:
        reorder(game, nodes, plan, length)
    return length
