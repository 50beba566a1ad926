"""Cards that wait: the small questions on which the proof in `waiting.py` stands.

That nothing is lost by leaving them out is held by the switches of `test_proofs.py` and
`test_arrangements.py`.
"""

import random

import numpy as np
import pytest
from double_solitaire.solver.exhaust import Question
from double_solitaire.solver.method import Budget, Proof
from double_solitaire.solver.position import NODE, is_reachable, take_from_talon
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.waiting import is_next, shares_places
from double_solitaire.solver.workspace import methods
from games import mode
from walks import start_of

UNLIMITED = Limits(nodes=None)


def reachable(game, node):
    return {index for index in range(59) if is_reachable(game, node, index)}


@pytest.mark.parametrize("text", ["D1V", "D3V"])
def test_a_card_that_is_next_costs_no_other(text):
    source, found = random.Random(1), 0
    start = start_of(mode(text), 1)
    for _ in range(150):
        node = np.array([start.node], NODE)[0]
        node.talon = sum(1 << index for index in range(59) if source.random() < 0.2)
        node.border = source.randrange(60)
        before = reachable(start.game, node)
        for index in range(59):
            if int(node.talon) >> index & 1 and is_next(start.game, node, index):
                assert index in before, (int(node.talon), int(node.border), index)
                after = np.array([node], NODE)[0]
                take_from_talon(start.game, after, index)
                assert before - {index} <= reachable(start.game, after), (int(node.talon), index)
                found += 1
        # The top of the waste is always next.
        waste = [index for index in before if index < node.border]
        assert all(is_next(start.game, node, index) for index in waste)
    assert found > 100


def test_only_cards_that_lie_on_the_same_share_places():
    game = start_of(mode("D1N"), 1).game
    for card in range(52):
        for other in range(52):
            same = card // 4 == other // 4
            # Spades and clubs lie on red cards, hearts and diamonds on black ones; kings on none.
            alike = (card % 4 in (1, 2)) == (other % 4 in (1, 2))
            assert shares_places(game, card, other) == (same and (alike or card // 4 == 12))


def test_it_spares_positions_of_a_proof():
    start, nodes = start_of(mode("D3V"), 5), []
    for waits in (True, False):
        methods.exhaust.begin(start, Budget(UNLIMITED), Question(waits=waits))
        assert isinstance(methods.exhaust.run(), Proof)
        nodes.append(methods.exhaust.nodes)
        assert (methods.exhaust.walk.waited > 0) == waits
    assert nodes[0] < nodes[1]
