"""Compiled code loaded, or compiled, before it is needed."""

import functools

import numpy as np

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Rules, Scoring, rules_for
from .position import RECYCLE, apply_step
from .score import score
from .search import Search
from .solve import check, dive_numbers, solve
from .verdict import Limits
from .workspace import workspace_for

LIST_NODES = 100_000
"""Enough for the first beam to win the deal that is searched here."""
PROOF_NODES = 1_000
EASY_DEAL, EASY_WIDTH = 2, 5
"""A deal that a narrow beam over components wins in one pass."""
NORMAL, VEGAS = (rules_for("DS1", 1, scoring) for scoring in Scoring)


def start(rules: Rules, number: int = 1) -> Position:
    """A deal that is searched here."""
    return Position.start(rules, deal_number(rules, number))


def _dives() -> None:
    dive_numbers(NORMAL, np.ones(1, np.int64), Limits(PROOF_NODES))


def _lists() -> None:
    check(NORMAL, [start(NORMAL)], Limits(PROOF_NODES))
    solve(NORMAL, start(NORMAL), Limits(PROOF_NODES))


def _proofs() -> None:
    work = workspace_for(VEGAS)
    work.load(start(VEGAS))
    search = Search(work, Limits(PROOF_NODES))
    search.run_exhaust(PROOF_NODES)
    search.take_exhaust_win()


def _beams() -> None:
    score(NORMAL, start(NORMAL), Limits(LIST_NODES))


def _seeds() -> None:
    work = workspace_for(NORMAL)
    work.load(start(NORMAL))
    apply_step(work.game[0], work.start[0], RECYCLE)


def _components() -> None:
    work = workspace_for(VEGAS)
    work.load(start(VEGAS, EASY_DEAL))
    Search(work, Limits(LIST_NODES)).run_component_beam(EASY_WIDTH)


STEPS = (_dives, _lists, _proofs, _beams, _seeds, _components)
"""Together they call every compiled function of the searches, in any order."""


@functools.cache
def load() -> None:
    """Have every search run once, so that a time limit is spent on searching only."""
    for step in STEPS:
        step()
