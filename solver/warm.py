"""Compiled code loaded, or compiled, before a clock runs."""

import functools

import numpy as np

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Scoring, rules_for
from .method import Budget
from .position import load as start_from
from .score import score
from .search import Search
from .solve import dive_numbers, solve
from .verdict import Limits
from .workspace import methods

LIST_NODES = 100_000
"""Enough for the first beam to win the deal that is searched here."""
PROOF_NODES = 1_000
EASY_DEAL, EASY_WIDTH = 2, 5
"""A deal that a narrow beam over components wins in one pass."""


@functools.cache
def load() -> None:
    """Have every search run once, so that a time limit is spent on searching only."""
    normal, vegas = (rules_for("DS1", 1, scoring) for scoring in Scoring)
    start = Position.start(normal, deal_number(normal, 1))
    dive_numbers(normal, np.ones(1, np.int64), Limits(PROOF_NODES))
    solve(normal, start, Limits(PROOF_NODES))
    score(normal, start, Limits(LIST_NODES))
    lost, easy = (
        start_from(vegas, Position.start(vegas, deal_number(vegas, number)))
        for number in (1, EASY_DEAL)
    )
    Search(lost, Limits(PROOF_NODES))
    methods.exhaust.run(PROOF_NODES)
    methods.component_beam.run(easy, Budget(Limits(LIST_NODES)), EASY_WIDTH)
