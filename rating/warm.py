"""Compiled code of players and advice loaded, or compiled, before it is needed."""

from ..engine.column import run_card, take_run
from ..engine.state import pack
from ..solver.warm import NORMAL, PROOF_NODES, start
from . import players
from .advise import advise
from .expert import expert_games
from .rate import rate
from .view import View


def _players() -> None:
    rate(NORMAL, start(NORMAL), games=1)


def _expert() -> None:
    expert_games(NORMAL, start(NORMAL), 0, 1, simulations=1)


def _advice() -> None:
    advise(NORMAL, View.of(start(NORMAL)), 1, PROOF_NODES, 0)
    # What `progress.py` calls only in games under way.
    state = pack(NORMAL, start(NORMAL))[0]
    word = int(state.layout.tableau[0])
    players.is_missed_by_none(state.foundations, int(run_card(word, 0)))
    take_run(word, 1)


STEPS = (_players, _expert, _advice)
"""Together they call every compiled function of this folder, in any order."""
