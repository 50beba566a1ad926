"""Positions after a cheap recycle, from which a beam may start besides the deal itself.

A recycle costs a hundred points but never takes the score below 0. So what was earned before
the last recycle is lost, and nothing else, as long as it is a hundred at most each time: a
recycle at score 0 is free, and one after a single card laid from the waste to a column
costs five points. What follows is a game of one pass from a changed start. `build` lists
such starts by what they have cost, the most promising `width` for each cost.
"""

from typing import TYPE_CHECKING

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from .beam import VALUE_OF_STEP, list_base_choices, list_waste_choices, steps_left
from .evaluate import evaluate, prepare
from .homes import perform
from .position import NODE, RECYCLE, RECYCLE_COST, apply_step, draw, pack_placed, points

if TYPE_CHECKING:
    from .workspace import Workspace

MAX_STEPS = 64
UNIT = 5
"""Points of a unit of cost."""

SEED = record_type(
    [
        ("value", np.float64),
        ("columns", np.int64),
        ("length", np.int64),
        ("plan", np.int16, (MAX_STEPS,)),
    ]
)
"""What is known of a start besides its position; `plan[:length]` leads to it."""

HELD = record_type([("count", np.int64), ("least", np.float64)])
"""How many starts there are of a cost, and the least of their values."""


@kernel
def cost_of(game: Record, node: Record) -> int:
    """Units lost for good if the waste is turned over now."""
    return (int64(node.lost) + min(RECYCLE_COST, max(points(game, node), 0))) // UNIT


@kernel
def put(
    game: Record,
    node: Record,
    scratch: Record,
    journal: Record,
    evaluation: Record,
    nodes: Record,
    seeds: Record,
    first: int,
    held: Record,
    most: int,
    may_replace: bool,
) -> None:
    """Put a position, reached by the journal's steps, among `nodes[first:first + held.count]`.

    Only `most` are kept, each once; a better one takes the place of the worst if it may.
    """
    is_full = held.count >= most
    if is_full and not may_replace:
        return
    scratch[0] = node
    scratch[0].border = 0
    value = evaluate(game, scratch[0], evaluation) - VALUE_OF_STEP * steps_left(game, scratch[0])
    if is_full and value <= held.least:
        return
    columns, worst = pack_placed(game, node), first
    lowest = second = np.inf
    for at in range(first, first + held.count):
        if (
            seeds[at].columns == columns
            and nodes[at].talon == node.talon
            and nodes[at].border == node.border
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
    nodes[worst] = node
    new = seeds[worst]
    new.value, new.columns, new.length = value, columns, journal.length
    for at in range(journal.length):
        new.plan[at] = journal.plan[at]


@kernel
def follow(
    game: Record,
    nodes: Record,
    trial: Record,
    journal: Record,
    evaluation: Record,
    seeds: Record,
    held: Record,
    choices: Record,
    number: int,
    length: int,
    base: int,
    width: int,
    level: int,
) -> None:
    """Put what each of `choices[:number]` leads to from `trial[0]` among the starts of its cost.

    The journal's first `length` steps lead to `trial[0]`. A start of the same cost as the one
    it comes from (`level`) takes one of the `width` more places there are for such.
    """
    for at in range(number):
        trial[1] = trial[0]
        journal.length = length
        if length + 24 > MAX_STEPS or not perform(game, trial[1], journal, choices[at]):
            continue
        cost = cost_of(game, trial[1]) - base
        if cost < len(held) and journal.length <= MAX_STEPS:
            put(
                game,
                trial[1],
                trial[2:],
                journal,
                evaluation,
                nodes,
                seeds,
                2 * width * cost,
                held[cost],
                2 * width if cost == level else width,
                cost > level,
            )


@kernel
def expand(
    game: Record,
    nodes: Record,
    trial: Record,
    journal: Record,
    evaluation: Record,
    seeds: Record,
    held: Record,
    choices: Record,
    at: int,
    base: int,
    width: int,
    level: int,
) -> None:
    """Put all that one step, after draws or a recycle, makes of `nodes[at]` among the starts."""
    for is_recycled in range(2):
        trial[0] = nodes[at]
        length = seeds[at].length
        for step in range(length):
            journal.plan[step] = seeds[at].plan[step]
        if is_recycled:
            if trial[0].border == 0 or length + 1 >= MAX_STEPS:
                break
            journal.plan[length] = RECYCLE
            length += 1
            apply_step(game, trial[0], RECYCLE)
        number = 0 if is_recycled else list_base_choices(game, trial[0], choices, 0)
        while True:
            number = list_waste_choices(game, trial[0], choices, number)
            follow(
                game,
                nodes,
                trial,
                journal,
                evaluation,
                seeds,
                held,
                choices,
                number,
                length,
                base,
                width,
                level,
            )
            number = 0
            if trial[0].talon >> trial[0].border == 0:
                break
            draw(game, trial[0])


@kernel
def build(
    game: Record,
    start: Record,
    trial: Record,
    journal: Record,
    evaluation: Record,
    nodes: Record,
    seeds: Record,
    held: Record,
    choices: Record,
    width: int,
) -> None:
    """Find starts that cost up to `len(held) - 1` units more than a recycle at once would.

    Those of cost c come to `nodes[2 * width * c:]`, `held[c].count` of them, with what is known of
    them in `seeds`. `trial` is three scratch nodes.
    """
    for level in range(len(held)):
        held[level].count = 0
    base = cost_of(game, start[0])
    nodes[0] = start[0]
    seeds[0].length = 0
    seeds[0].columns = pack_placed(game, start[0])
    seeds[0].value = np.inf
    held[0].count = 1
    for level in range(len(held)):
        done = 0
        while done < held[level].count:
            at = 2 * width * level + done
            done += 1
            expand(
                game,
                nodes,
                trial,
                journal,
                evaluation,
                seeds,
                held,
                choices,
                at,
                base,
                width,
                level,
            )


@kernel
def gather(
    game: Record, nodes: Record, seeds: Record, held: Record, width: int, found: Record
) -> int:
    """Turn the waste over at every start found; write their places to `found`, return the number.

    The recycle is added to the plan. A start without a step is left out: nothing has changed.
    """
    number = 0
    for level in range(len(held)):
        for at in range(2 * width * level, 2 * width * level + held[level].count):
            seed = seeds[at]
            if 0 < seed.length < MAX_STEPS:
                seed.plan[seed.length] = RECYCLE
                seed.length += 1
                apply_step(game, nodes[at], RECYCLE)
                found[number] = at
                number += 1
    return number


class Starts:
    """Where a beam starts: positions with the layers they join, and the plans that lead there."""

    def __init__(self, work: "Workspace", nodes: Record, plans: list[Record]) -> None:
        """Put positions, each with the plan that leads to it, in the order of their layers."""
        game = work.game[0]
        all_steps = steps_left(game, work.start[0])
        layers = np.array([max(all_steps - steps_left(game, node), 0) for node in nodes], np.int64)
        order = np.argsort(layers, kind="stable")
        self.nodes, self.layers = nodes[order], layers[order]
        self.plans = [plans[place] for place in order]


def the_deal(work: "Workspace") -> Starts:
    """The position that is searched, as the only start."""
    return Starts(work, work.start.copy(), [np.zeros(0, np.int64)])


def after_plans(work: "Workspace", plans: list[Record]) -> Starts:
    """The positions that plans from the one that is searched lead to."""
    nodes = np.repeat(work.start, len(plans))
    for at, plan in enumerate(plans):
        for step in plan:
            apply_step(work.game[0], nodes[at], int(step))
    return Starts(work, nodes, plans)


def cheap_starts(work: "Workspace", max_cost: int, width: int) -> Starts:
    """The deal itself and starts after recycles that cost up to `max_cost` units of points."""
    if max_cost == 0 or work.start[0].recycles == 0:
        return the_deal(work)
    places = 2 * width * (max_cost + 1)
    nodes, seeds = np.zeros(places, NODE), np.zeros(places, SEED)
    held, found = np.zeros(max_cost + 1, HELD), np.zeros(places, np.int64)
    game, journal, evaluation = work.game[0], work.journal[0], work.evaluation[0]
    prepare(game, evaluation)
    build(
        game,
        work.start,
        work.scratch,
        journal,
        evaluation,
        nodes,
        seeds,
        held,
        work.choices,
        width,
    )
    chosen = found[: gather(game, nodes, seeds, held, width, found)]
    plans = [seeds["plan"][place, : seeds["length"][place]].astype(np.int64) for place in chosen]
    return Starts(
        work, np.concatenate([work.start, nodes[chosen]]), [np.zeros(0, np.int64), *plans]
    )
