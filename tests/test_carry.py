"""From steps to the player's moves: what a plan does to a node, its moves do to the board."""

from collections import Counter

import pytest
from double_solitaire.engine.state import pack, unpack
from double_solitaire.solver.position import (
    FREE_HOME,
    HOME_DOWN,
    TALON_DOWN,
    TURN_OVER,
    load,
    write_key,
)
from games import mode
from walks import carried, start_of, walk


@pytest.mark.parametrize("name", ["DS1-D1N", "DS1-D3N", "KL1-D1N", "KL1-D3N"])
def test_moves_lead_where_the_steps_do(name):
    rules = mode(name[4:], name[:3])
    kinds = Counter()
    for number in range(12):
        start = start_of(rules, number)
        steps, node = walk(start, 60, number)
        moves, board = carried(start, steps)
        assert moves is not None and len(moves) >= len(steps), number
        end = load(rules, board)
        assert write_key(end.game, end.node)[1] >> 38 == write_key(start.game, node)[1] >> 38
        assert end.node.home.tolist() == node.home.tolist()
        assert end.node.free.tolist() == node.free.tolist()
        assert end.node.open_level.tolist() == node.open_level.tolist()
        left = [start.game.talon_card[at] for at in range(64) if int(node.talon) >> at & 1]
        assert [*board.waste, *board.stock] == left
        kinds.update(step & 7 for step in steps)
    assert len(kinds) == 7 and min(kinds.values()) > 3


KING = 48


def test_what_is_no_plan_fails():
    start = start_of(mode("D1N"), 2)
    talon = (start.game.talon_card[: start.game.talon_size] >= KING).tolist()
    for step in (FREE_HOME, HOME_DOWN | KING << 3, TALON_DOWN | talon.index(True) << 3):
        assert carried(start, (step,))[0] is None, step


def test_a_recycle_draws_the_rest_first():
    start = start_of(mode("D3N"), 4)
    moves, board = carried(start, (TURN_OVER,))
    assert len(moves) == 59 // 3 + 1 + 1 and board == unpack_start(start, recycles=1)


def unpack_start(start, recycles):
    state = pack(start.rules, start.position)[0]
    state.layout.recycles = recycles
    return unpack(state.layout, state.foundations)
