"""Compiled code loaded, or compiled, before it is needed."""

import functools

import numpy as np

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Rules, Scoring, rules_for
from .method import Budget
from .position import TURN_OVER, Start, apply_step
from .position import load as start_from
from .relax import RELAXED, can_leave
from .score import score
from .search import Search
from .solve import check, dive_numbers, solve
from .table import copy_into, new_table
from .verdict import Limits
from .workspace import methods

LIST_NODES = 100_000
"""Enough for the first beam to win the deal that is searched here."""
PROOF_NODES = 1_000
"""Enough to call every part of an exhaustive search. By hand."""
EASY_DEAL, EASY_WIDTH = 2, 5
"""A deal that a narrow beam over components wins in one pass."""
NORMAL, VEGAS = (rules_for("DS1", 1, scoring) for scoring in Scoring)


def start(rules: Rules, number: int = 1) -> Position:
    """A deal that is searched here."""
    return Position.start(rules, deal_number(rules, number))


def _dives() -> None:
    dive_numbers(NORMAL, np.ones(1, np.int64), Limits(PROOF_NODES))


def _lists() -> None:
    check(NORMAL, start(NORMAL), Limits(PROOF_NODES))
    solve(NORMAL, start(NORMAL), Limits(PROOF_NODES))
    methods.fewest.run(_searched(NORMAL))


def _searched(rules: Rules, number: int = 1) -> Start:
    return start_from(rules, start(rules, number))


def _proofs() -> None:
    # This search ends with a win, of which the plan is written.
    Search(_searched(NORMAL), Limits(PROOF_NODES))
    methods.exhaust.run(PROOF_NODES)
    # What only a card that stays blocked, and only a long search, call.
    can_leave(np.zeros(1, RELAXED)[0], 0, False)
    copy_into(new_table(1), new_table(2), 1)


def _beams() -> None:
    score(NORMAL, start(NORMAL), Limits(LIST_NODES))


def _seeds() -> None:
    searched = _searched(NORMAL)
    apply_step(searched.game, searched.node, TURN_OVER)


def _components() -> None:
    methods.component_beam.run(_searched(VEGAS, EASY_DEAL), Budget(Limits(LIST_NODES)), EASY_WIDTH)


STEPS = (_dives, _lists, _proofs, _beams, _seeds, _components)
"""Together they call every compiled function of the searches, in any order."""


@functools.cache
def load() -> None:
    """Have every search run once, so that a time limit is spent on searching only."""
    for step in STEPS:
        step()
