"""Plans completed and put in order: what they lead to stays, what they cost gets less."""

import numpy as np
import pytest
from double_solitaire.engine.moves import DRAW_MOVE, RECYCLE_MOVE
from double_solitaire.engine.referee import replay
from double_solitaire.solver import plan
from double_solitaire.solver.method import Budget, Win
from double_solitaire.solver.position import (
    DRAW_ONCE,
    FREE_HOME,
    HOME_DOWN,
    NODE,
    apply_step,
    list_talon,
    total_home,
    waste_top,
)
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.workspace import methods
from games import mode
from walks import start_of, walk


def dived(rules, number):
    """A start and the plan of a win by a dive."""
    start = start_of(rules, number)
    methods.dives.begin(start, Budget(Limits()))
    result = methods.dives.run()
    assert isinstance(result, Win)
    return start, result.plan


def array_of(steps):
    steps_and_room = np.zeros(4096, np.int64)
    steps_and_room[: len(steps)] = steps
    return steps_and_room


def replayed(start, steps):
    """Where legal steps lead."""
    node = np.array([start.node], NODE)[0]
    for step in steps:
        assert plan.is_legal(start.game, node, step)
        apply_step(start.game, node, step)
    return node


@pytest.mark.parametrize("text", ["D1N", "D3N"])
@pytest.mark.parametrize("number", range(4))
def test_a_completed_plan_sends_every_card_home(text, number):
    start, steps = dived(mode(text), number)
    nodes = np.zeros(3, NODE)
    for may_reorder in (False, True):
        for may_shorten in (False, True):
            done = array_of(steps)
            length = plan.complete(
                start.game, nodes, start.node, done, len(steps), may_reorder, may_shorten
            )
            assert total_home(replayed(start, done[:length].tolist())) == 104


@pytest.mark.parametrize("text", ["D1N", "D3N"])
def test_order_spares_recycles_and_ways_by_a_column_go(text):
    plain, ordered, short = [], [], []
    for number in range(12):
        start, steps = dived(mode(text), number)
        for lines, switches in ((plain, ()), (ordered, (True,)), (short, (True, True))):
            lines.append(methods.lister.list_win(start, steps, *switches))
            assert replay(start.rules, start.position, lines[-1].moves).won
    recycles = [sum(line.recycles for line in lines) for lines in (plain, ordered)]
    assert recycles[1] < recycles[0]
    plays = [sum(map(count_plays, lines)) for lines in (ordered, short)]
    assert plays[1] < plays[0]


def count_plays(line):
    return sum(move not in (DRAW_MOVE, RECYCLE_MOVE) for move in line.moves)


@pytest.mark.parametrize("seed", range(6))
def test_a_detour_is_dropped_and_leads_to_the_same(seed):
    start = start_of(mode("D1N"), seed)
    steps, node = walk(start, 50, seed)
    nodes = np.zeros(3, NODE)
    nodes[plan.CURRENT] = start.node
    kept = array_of(steps)
    length = plan.drop_detours(start.game, nodes, kept, len(steps))
    assert length <= len(steps) and (len(steps) - length) % 2 == 0
    after = replayed(start, kept[:length].tolist())
    # What is gone may have been had in another order, so the waste may differ, and nothing else.
    for name in ("talon", "placed", "home", "free", "open_level", "empty"):
        assert np.array_equal(after[name], node[name]), name
    dropped = [step for step in steps if step & 7 == HOME_DOWN]
    left = [step for step in kept[:length].tolist() if step & 7 == HOME_DOWN]
    assert len(dropped) - len(left) == (len(steps) - length) // 2


def test_some_walk_has_a_detour():
    nodes, dropped = np.zeros(3, NODE), 0
    for seed in range(6):
        start = start_of(mode("D1N"), seed)
        steps, _ = walk(start, 50, seed)
        nodes[plan.CURRENT] = start.node
        dropped += len(steps) - plan.drop_detours(start.game, nodes, array_of(steps), len(steps))
    assert dropped > 0


@pytest.mark.parametrize("text", ["D1N", "D3N", "D3V"])
def test_draws_to_a_card_are_the_draws_it_takes(text):
    start = start_of(mode(text), 9)
    _, node = walk(start, 25, 3)
    talon, seen = np.zeros(64, np.int64), set()
    for index in talon[: list_talon(start.game, node, talon)].tolist():
        told = plan.draws_to(start.game, node, index)
        trial, draws = np.array([node], NODE)[0], 0
        if told >= plan.DRAWS_OF_RECYCLE:
            while int(trial.talon) >> int(trial.border):
                apply_step(start.game, trial, DRAW_ONCE)
                draws += 1
            trial.border = 0
            draws += plan.DRAWS_OF_RECYCLE
        while waste_top(trial) != index:
            apply_step(start.game, trial, DRAW_ONCE)
            draws += 1
        assert told == draws, index
        seen.add(told >= plan.DRAWS_OF_RECYCLE)
    assert True in seen or text == "D3V"


def test_steps_that_cannot_be_taken_are_not_legal():
    start = start_of(mode("D3V"), 9)
    for step in (FREE_HOME | 5 << 3, HOME_DOWN | 5 << 3, 7):
        assert not plan.is_legal(start.game, start.node, step)
