"""The bound on what both can bring: the same of a table and of a position, and of who may move.

That nobody ever brings more is in `test_facts.py`, against exhaustive play.
"""

import random

import numpy as np
import pytest
from double_solitaire.versus.both import PLAY, STAND, load_table
from double_solitaire.versus.bound import BOTH_MOVE, find_reach, find_reach_at, new_reach
from double_solitaire.versus.game import House, VersusGame
from double_solitaire.versus.playout import pack_table
from test_exact import small_rules, small_table


@pytest.mark.parametrize("mode", ["D1N", "D3V"])
def test_the_bound_of_a_position_is_that_of_its_table(mode):
    (play,), (stand,), (alone,) = np.zeros(1, PLAY), np.zeros(1, STAND), new_reach()
    (of_table,), (of_position,) = new_reach(), new_reach()
    rules, bounds, words = small_rules(mode, 6, 4, 2), set(), random.Random(1)
    for number in range(40):
        game = VersusGame(rules, small_table(rules, words))
        for turn in range(30):
            if game.end is not None:
                break
            packed = pack_table(rules, game.table(), House())[0]
            assert load_table(packed, play, stand)
            find_reach(packed, of_table)
            find_reach_at(play, stand, of_position, BOTH_MOVE)
            assert (of_table.can_be_up == of_position.can_be_up).all(), (number, turn)
            # Who only passes brings nothing, nor does the other then bring more.
            find_reach_at(play, stand, alone, 1)
            assert alone.can_be_up[1] == stand.up[1]
            assert int(alone.can_be_up[0]) & ~int(of_table.can_be_up[0]) == 0
            bounds.add(tuple(of_table.can_be_up.tolist()))
            game.play(game.turn, words.choice(game.legal(game.turn)))
    assert len(bounds) > 3
