"""Verdicts and bounds against exhaustive search of the real game, on reduced decks."""

import numpy as np
import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.solver import exhaust, table
from double_solitaire.solver.position import load
from double_solitaire.solver.relax import RELAXED, relax
from double_solitaire.solver.workspace import workspace_for
from exhaustive import exhaust as exhaust_real
from exhaustive import reduced_deals

ROWS = 1 << 16
SWITCHES = ("relaxes", "skips_alike")


def known_deals(seed, count):
    """Reduced deals with what is true of them, those left out that are too large."""
    for rules, deal in reduced_deals(seed, count):
        truth = exhaust_real(rules, deal, 50_000)
        if truth is not None:
            yield rules, deal, truth


def search_all(rules, position, goal=None, **switches):
    """Run the exhaustive search to its end; returns how it ended and its record."""
    work = workspace_for(rules)
    work.load(position)
    search, rows = work.search[0], table.new_table(ROWS)
    search.tag = 1
    work.search_nodes[0] = work.start[0]
    exhaust.start(work.game[0], work.search_nodes, search, work.journal[0])
    for name, value in switches.items():
        search[name] = value
    if goal is not None:
        search.goal = goal
    state = exhaust.go_on(
        work.game[0], work.search_nodes, search, work.journal[0], rows, ROWS - 1, 1 << 40
    )
    assert state in (exhaust.WON, exhaust.EXHAUSTED) and not search.is_cut
    return state, search


def check_proofs(seed, count):
    """Hold the exhaustive search and the relaxation against the truth; returns deals and losses."""
    seen = lost = blocked = 0
    for rules, deal, truth in known_deals(seed, count):
        start = Position.start(rules, deal)
        name = (rules, deal.columns, deal.stock)
        for off in (None, *SWITCHES):
            state, search = search_all(rules, start, **({} if off is None else {off: False}))
            assert (state == exhaust.WON) == truth.winnable, (name, off)
        game, node = load(rules, start)
        most = relax(game[0], node[0], np.zeros(1, RELAXED)[0])
        assert most >= truth.most_home, name
        if not truth.winnable:
            blocked += most < rules.cards
            state, search = search_all(rules, start, goal=1)
            assert state == exhaust.EXHAUSTED and search.goal - 1 == truth.most_home, name
            state, search = search_all(rules, start, goal=1, relaxes=False)
            assert state == exhaust.EXHAUSTED and search.goal - 1 == truth.most_home, name
            if truth.most_home > 0:
                state, search = search_all(rules, start, goal=truth.most_home)
                assert search.goal - 1 == truth.most_home, name
            lost += 1
        seen += 1
    return seen, lost, blocked


def test_proofs_on_reduced_deals():
    seen, lost, blocked = check_proofs(11, 200)
    assert lost > seen // 5 and 0 < blocked < lost


@pytest.mark.long
def test_proofs_on_thousands_of_reduced_deals():
    seen, lost, _ = check_proofs(12, 6000)
    assert seen > 4000 and lost > 1000
