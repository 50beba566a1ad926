"""How the other plays, told from what they did: like the greedy player, or like the careful one.

Both models see what lies open. After each move of a player the odds change by how likely either
model was to make it, so they depend on the record alone. A move that neither would make changes
nothing.
"""

import math

import numpy as np

from ..engine.jit import Record, kernel
from .playout import CAREFUL, GREEDY, choose

_STRANGE = 0.05
"""How likely a model is to do what it would not. By hand."""
_LOOKS = 8
"""How often a model is asked where moves are worth the same to it. By hand, as the next."""
_SURE = 30.0
"""Log odds beyond which nothing changes."""


@kernel
def likelihood(t: Record, player: int, p: Record, skill: int, move: int) -> float:
    """How likely a player of this kind is to do this now; `p` is a `PLAYER` for the model."""
    for _ in range(_LOOKS):
        if choose(t, player, p, skill) == move:
            chance: float = 1.0 / max(p.equals, 1)
            return chance
        if p.equals <= 1:
            break
    return _STRANGE


@kernel
def watch(t: Record, player: int, p: Record, habits: Record, move: int) -> int:
    """Note what a player is about to do: `habits[player]` are log odds of greedy to careful.

    Equal tables and moves change them alike; `p` is scratch.
    """
    p.slip = 0
    p.random = np.uint64(0)
    greedy = likelihood(t, player, p, GREEDY, move)
    careful = likelihood(t, player, p, CAREFUL, move)
    habits[player] += math.log(greedy / careful)
    return 0


@kernel
def set_models(k: Record, player: int) -> int:
    """Set who plays in the play-outs of a player's `THINKING`: careful, against what was seen."""
    odds = max(min(k.habits[1 - player], _SURE), -_SURE)
    k.greedy[player] = 0.0
    k.greedy[1 - player] = 1.0 / (1.0 + math.exp(-odds))
    return 0
