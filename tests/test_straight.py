"""The plainest line: what it wins is won, in as few moves as there are."""

import pytest
from double_solitaire.engine.moves import Kind
from double_solitaire.solver.method import Win
from double_solitaire.solver.position import load
from double_solitaire.solver.workspace import methods
from games import F1, F1_DRAW3, F3, fixture, mode


@pytest.mark.parametrize(
    ("name", "text"), [(F1, "D1N"), (F1, "D1V"), (F1_DRAW3, "D3N"), (F1_DRAW3, "D3V")]
)
def test_a_plain_win_moves_each_card_once(name, text):
    start = load(mode(text), fixture(name, mode(text)).position())
    result = methods.straight.run(start, None)
    assert isinstance(result, Win) and len(result.plan) <= 104
    line = methods.lister.list_win(start, result.plan)
    draws = sum(move.kind is Kind.DRAW for move in line.moves)
    assert line.won and draws == -(-59 // start.rules.draw)
    assert len(line.moves) == 104 + draws and line.recycles == 0


def test_what_it_does_not_win_it_says_nothing_of():
    rules = mode("D1V")
    assert methods.straight.run(load(rules, fixture(F3, rules).position()), None) is None
