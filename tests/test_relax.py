"""The relaxation: what it says can never happen does not, and what holds cards holds them."""

import random

import numpy as np
import pytest
from double_solitaire.engine.rules import REGISTRY
from double_solitaire.solver.exhaust import Question
from double_solitaire.solver.method import Budget, Proof, Win
from double_solitaire.solver.position import NODE, apply_step
from double_solitaire.solver.relax import RELAXED, begin, go_on, relax, relax_whole
from double_solitaire.solver.search import Search
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.workspace import methods
from games import F6, MODES, fixture, mode
from walks import load, start_of, walk

LIMITS = Limits(nodes=50_000)
ONE_PLAYER = [rules for rules in REGISTRY.values() if rules.players == 1]


def relaxed_record():
    return np.zeros(1, RELAXED)[0]


@pytest.mark.parametrize("rules", ONE_PLAYER, ids=lambda rules: f"{rules.game}-{rules.mode}")
def test_no_position_on_the_way_to_a_win_is_blocked(rules):
    relaxed, won = relaxed_record(), 0
    for number in range(60):
        start = start_of(rules, number)
        if rules.recycles is None:
            result = Search(start, LIMITS).run()
        else:
            result = methods.component_beam.run(start, Budget(LIMITS), 60)
        if not isinstance(result, Win):
            continue
        won += 1
        node = np.array([start.node], NODE)[0]
        for step in (*result.plan, None):
            assert relax(start.game, node, relaxed, False) == rules.cards, (number, step)
            if step is not None:
                apply_step(start.game, node, step)
    assert won > 0


@pytest.mark.parametrize("text", MODES)
def test_what_is_held_stays_and_brings_no_more_until_it_is_let_go(text):
    source, free, held, fewer = random.Random(1), relaxed_record(), relaxed_record(), 0
    for number in range(40):
        start = start_of(mode(text), number)
        _, node = walk(start, 12, number)
        columns, talon = source.getrandbits(9), source.getrandbits(59) & int(node.talon)
        most = relax(start.game, node, free, False)
        begin(start.game, node, held)
        go_on(start.game, node, held, False, columns, talon)
        stay = [column for column in range(9) if columns >> column & 1]
        assert (held.placed[stay] == node.placed[stay]).all()
        assert int(held.talon) & talon == talon
        assert (held.placed >= free.placed).all() and not int(free.talon) & ~int(held.talon)
        fewer += bool((held.placed > free.placed).any())
        # From there on it comes to what it would have come to at once.
        assert relax_whole(start.game, node, held, False) == most
        for name in set(RELAXED.names) - {"heads", "asked", "blocked", "is_on"}:
            assert (held[name] == free[name]).all(), (number, name)
    assert fewer > 10


def test_cards_that_must_land_bring_no_more():
    relaxed, fewer = relaxed_record(), 0
    for number in range(100):
        start = start_of(mode("D3V", "KL1"), number)
        most = relax(start.game, start.node, relaxed, False)
        landed = relax(start.game, start.node, relaxed, True)
        assert landed <= most
        fewer += landed < most
    assert fewer > 5


def test_a_blocked_deal_names_the_card_that_stays():
    game = fixture(F6, mode("D1N"))
    result = methods.relaxation.run(load(game.rules, game.position()), Budget(LIMITS))
    assert isinstance(result, Proof) and "can never leave" in result.reason


def test_a_lack_of_room_blocks_deals_too():
    # 6♦ would leave for a 7 that can be had, but not before more lies out than there are places.
    start = start_of(mode("D1N", "KL1"), 29)
    result = methods.relaxation.run(start, Budget(LIMITS))
    assert isinstance(result, Proof)
    assert result.reason.startswith("6D on column 7") and "have room there" in result.reason
    methods.exhaust.begin(start, Budget(Limits(nodes=None)), Question(relaxes=False))
    assert isinstance(methods.exhaust.run(), Proof)
