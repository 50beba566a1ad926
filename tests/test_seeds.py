"""Where a beam begins: what a seed's plan leads to, what it costs, which layer it joins."""

import numpy as np
import pytest
from double_solitaire.engine.moves import Move
from double_solitaire.engine.referee import replay
from double_solitaire.solver.beam import start_alone, steps_left
from double_solitaire.solver.position import NODE, TURN_OVER, apply_step, points
from double_solitaire.solver.seeds import UNIT, after_plans, cheap_seeds, cost_of
from double_solitaire.solver.weights import USUAL
from double_solitaire.solver.workspace import methods
from games import mode
from walks import carried, parts, start_of, walk

MAX_COST, WIDTH = 4, 10


def found(text, number):
    start = start_of(mode(text), number)
    tools = methods.lazy_beam.tools(start, USUAL)
    return start, cheap_seeds(tools, start, MAX_COST, WIDTH)


@pytest.mark.parametrize("text", ["D1N", "D3N"])
@pytest.mark.parametrize("number", [1, 5])
def test_plans_lead_to_the_seeds_at_a_low_cost(text, number):
    start, seeds = found(text, number)
    assert len(seeds.nodes) == len(seeds.plans) > MAX_COST
    costs = set()
    for node, plan in zip(seeds.nodes, seeds.plans, strict=True):
        reached = np.array([start.node], NODE)[0]
        for step in plan:
            apply_step(start.game, reached, step)
        assert parts(reached) == parts(node)
        assert plan == () or plan[-1] == TURN_OVER
        cost = int(node.lost) // UNIT
        assert cost <= MAX_COST + cost_of(start.game, start.node)
        costs.add(cost)
    assert costs == set(range(MAX_COST + 1))


@pytest.mark.parametrize("text", ["D1N", "D3N"])
def test_costs_are_those_that_the_referee_counts(text):
    start, seeds = found(text, 3)
    for node, plan in zip(seeds.nodes, seeds.plans, strict=True):
        codes, _ = carried(start, plan)
        moves = [Move.decode(int(code)) for code in codes]
        end = replay(start.rules, start.position, moves)
        assert end.score == points(start.game, node)
        assert end.recycles == plan.count(TURN_OVER)


def test_seeds_stand_in_the_order_of_their_layers():
    start, seeds = found("D3N", 2)
    assert (np.diff(seeds.layers) >= 0).all() and seeds.layers[0] == 0
    all_steps = steps_left(start.game, start.node)
    for node, layer in zip(seeds.nodes, seeds.layers, strict=True):
        assert layer == max(all_steps - steps_left(start.game, node), 0)


@pytest.mark.parametrize("text", ["D1V", "D3V"])
def test_without_a_recycle_the_start_is_alone(text):
    start, seeds = found(text, 1)
    assert seeds.plans == [()] and parts(seeds.nodes[0]) == parts(start.node)
    alone = start_alone(start)
    assert alone.plans == seeds.plans and alone.layers.tolist() == [0]


def test_after_plans_begins_where_the_plans_end():
    start = start_of(mode("D1N"), 6)
    ways = [walk(start, length, length) for length in (5, 20, 40)]
    seeds = after_plans(start, tuple(plan for plan, _ in ways))
    ends = {plan: parts(node) for plan, node in ways}
    assert set(seeds.plans) == set(ends)
    for node, plan in zip(seeds.nodes, seeds.plans, strict=True):
        assert parts(node) == ends[plan]
