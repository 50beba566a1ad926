"""Compiled code loaded, or compiled, before a clock runs."""

import functools

from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Scoring, rules_for
from .score import score
from .solve import check, solve
from .verdict import Limits

LIST_NODES = 100_000
"""Enough for the first beam to win the deal that is searched here."""
PROOF_NODES = 1_000


@functools.cache
def load() -> None:
    """Have every search run once, so that a time limit is spent on searching only."""
    normal, vegas = (rules_for("DS1", 1, scoring) for scoring in Scoring)
    start = Position.start(normal, deal_number(normal, 1))
    solve(normal, start, Limits(PROOF_NODES))
    score(normal, start, Limits(LIST_NODES))
    # Without memory for beams the proof comes first.
    start = Position.start(vegas, deal_number(vegas, 1))
    check(vegas, [start], Limits(PROOF_NODES, memory=1))
