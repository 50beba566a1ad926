"""Positions after a cheap recycle, from which a beam may start besides the deal itself.

A recycle costs a hundred points but never takes the score below 0. So what was earned before
the last recycle is lost, and nothing else, as long as it is a hundred at most each time: a
recycle at score 0 is free, and one after a single card laid from the waste to a column
costs five points. What follows is a game of one pass from a changed start. `build` lists
such seeds by what they have cost, the most promising `width` for each cost.
"""

from typing import NamedTuple

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from .beam import (
    VALUE_OF_STEP,
    Seeds,
    Tools,
    list_base_choices,
    list_waste_choices,
    start_alone,
    steps_left,
)
from .evaluate import evaluate
from .homes import Plan, perform
from .position import NODE, TURN_OVER, Start, apply_step, draw, pack_placed, recycle_cost

MAX_STEPS = 64
"""Steps to a seed; by hand: a cheap recycle comes early."""
MOST_AT_ONCE = 24
"""Steps that one choice may take, with all that it sends home first; more are not looked at. By
hand."""
UNIT = 5
"""Points of a unit of cost: all points are multiples of it."""

SEED = record_type(
    [
        ("value", np.float64),
        ("columns", np.int64),
        ("length", np.int64),
        ("plan", np.int16, (MAX_STEPS,)),
    ]
)
"""What is known of a seed besides its position; `plan[:length]` leads to it."""

HELD = record_type([("count", np.int64), ("least", np.float64)])
"""How many seeds there are of a cost, and the least of their values."""


class Found(NamedTuple):
    """The seeds found so far.

    Those of cost c stand at `2 * width * c` and after, `held[c].count` of them.
    """

    nodes: Record
    seeds: Record
    held: Record
    width: int
    """How many seeds there may be of a cost, and as many more that come from seeds of it."""
    least: int
    """What a recycle at once would cost, in units; costs are counted from there."""


@kernel
def cost_of(game: Record, node: Record) -> int:
    """Units lost for good if the waste is turned over now."""
    return (int64(node.lost) + recycle_cost(game, node)) // UNIT


@kernel
def put(tools: Tools, found: Found, node: Record, cost: int, from_cost: int) -> None:
    """Put a position, which the trail leads to from a seed of `from_cost`, among the seeds.

    A seed of the same cost takes one of the `width` more places there are for such; of a higher
    cost, a better one takes the place of the worst. Each is kept once.
    """
    trail, seeds, held = tools.trail, found.seeds, found.held[cost]
    first = 2 * found.width * cost
    is_full = held.count >= (2 * found.width if cost == from_cost else found.width)
    if is_full and cost == from_cost:
        return
    turned = tools.scratch[2]
    tools.scratch[2] = node
    turned.border = 0
    value = evaluate(tools.game, turned, tools.evaluation)
    value -= VALUE_OF_STEP * steps_left(tools.game, turned)
    if is_full and value <= held.least:
        return
    columns, worst = pack_placed(tools.game, node), first
    lowest = second = np.inf
    for at in range(first, first + held.count):
        if (
            seeds[at].columns == columns
            and found.nodes[at].talon == node.talon
            and found.nodes[at].border == node.border
        ):
            return
        if seeds[at].value < lowest:
            worst, lowest, second = at, seeds[at].value, lowest
        else:
            second = min(second, seeds[at].value)
    if is_full:
        held.least = min(second, value)
    else:
        held.least = min(lowest, value)
        worst = first + held.count
        held.count += 1
    found.nodes[worst] = node
    new = seeds[worst]
    new.value, new.columns, new.length = value, columns, trail.length
    for at in range(trail.length):
        new.plan[at] = trail.steps[at]


@kernel
def try_choices(tools: Tools, found: Found, number: int, length: int, from_cost: int) -> None:
    """Put what each of the first `number` choices leads to from `scratch[0]` among the seeds.

    The trail's first `length` steps lead there, from a seed of `from_cost`.
    """
    trail, trial = tools.trail, tools.scratch[1]
    for at in range(number):
        tools.scratch[1] = tools.scratch[0]
        trail.length = length
        if length + MOST_AT_ONCE > MAX_STEPS or not perform(
            tools.game, trial, trail, tools.choices[at]
        ):
            continue
        cost = cost_of(tools.game, trial) - found.least
        if cost < len(found.held) and trail.length <= MAX_STEPS:
            put(tools, found, trial, cost, from_cost)


@kernel
def spread(tools: Tools, found: Found, at: int, cost: int) -> None:
    """Put all that one step, after draws or a recycle, makes of seed `at` among the seeds."""
    game, trail, choices = tools.game, tools.trail, tools.choices
    node, seed = tools.scratch[0], found.seeds[at]
    for is_recycled in range(2):
        tools.scratch[0] = found.nodes[at]
        length = seed.length
        for step in range(length):
            trail.steps[step] = seed.plan[step]
        if is_recycled:
            if node.border == 0 or length + 1 >= MAX_STEPS:
                break
            trail.steps[length] = TURN_OVER
            length += 1
            apply_step(game, node, TURN_OVER)
        number = 0 if is_recycled else list_base_choices(game, node, choices, 0)
        while True:
            number = list_waste_choices(game, node, choices, number)
            try_choices(tools, found, number, length, cost)
            number = 0
            if node.talon >> node.border == 0:
                break
            draw(game, node)


@kernel
def build(tools: Tools, found: Found, start: Record) -> None:
    """Find seeds that cost up to `len(held) - 1` units more than a recycle at once would."""
    for cost in range(len(found.held)):
        found.held[cost].count = 0
    found.nodes[0] = start
    first = found.seeds[0]
    first.length, first.columns, first.value = 0, pack_placed(tools.game, start), np.inf
    found.held[0].count = 1
    for cost in range(len(found.held)):
        done = 0
        while done < found.held[cost].count:
            done += 1
            spread(tools, found, 2 * found.width * cost + done - 1, cost)


@kernel
def gather(game: Record, found: Found, places: Record) -> int:
    """Turn the waste over at every seed found; write which they are, return their number.

    The recycle is added to the plan. A seed without a step is left out: nothing has changed.
    """
    number = 0
    for cost in range(len(found.held)):
        first = 2 * found.width * cost
        for at in range(first, first + found.held[cost].count):
            seed = found.seeds[at]
            if 0 < seed.length < MAX_STEPS:
                seed.plan[seed.length] = TURN_OVER
                seed.length += 1
                apply_step(game, found.nodes[at], TURN_OVER)
                places[number] = at
                number += 1
    return number


def after_plans(start: Start, plans: tuple[Plan, ...]) -> Seeds:
    """The positions that plans from the start lead to."""
    nodes = np.repeat(np.array([start.node], NODE), len(plans))
    for node, plan in zip(nodes, plans, strict=True):
        for step in plan:
            apply_step(start.game, node, step)
    return Seeds(start, nodes, list(plans))


def cheap_seeds(tools: Tools, start: Start, max_cost: int, width: int) -> Seeds:
    """The start itself and positions after recycles that cost up to `max_cost` units of points."""
    if max_cost == 0 or start.node.recycles == 0:
        return start_alone(start)
    places = 2 * width * (max_cost + 1)
    found = Found(
        nodes=np.zeros(places, NODE),
        seeds=np.zeros(places, SEED),
        held=np.zeros(max_cost + 1, HELD),
        width=width,
        least=int(cost_of(start.game, start.node)),
    )
    build(tools, found, start.node)
    chosen = np.zeros(places, np.int64)
    chosen = chosen[: gather(start.game, found, chosen)]
    nodes = np.concatenate([np.array([start.node], NODE), found.nodes[chosen]])
    plans = [tuple(seed.plan[: seed.length].tolist()) for seed in found.seeds[chosen]]
    return Seeds(start, nodes, [(), *plans])
