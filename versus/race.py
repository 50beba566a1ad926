"""The clock of play in which both move at once: how long a move takes, and what is seen of it.

A player decides on the table as it was `REACTION` before; the move arrives when its time has gone
by, and is tried on the table as it is then. One that the rules refuse by then is *late*, and counts
for nothing. Nothing is decided anew meanwhile. A player with nothing to do passes, and then looks
again after the time of a draw.
"""

import numpy as np

from ..engine.column import run_card
from ..engine.jit import Record, kernel, record_type
from ..engine.listing import (
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    WASTE_TO_FOUNDATION,
    accepting_place,
)
from ..engine.moves import INDEX, KIND, SOURCE_SHIFT
from ..engine.shuffle import GAMMA, mix
from ..rating.players import waste_card
from .playout import PASS, TABLE, act, lay_table

PACE = 1.5
"""Seconds to move a card, in the middle of all. By hand, as the next three: a person at a screen;
nobody was measured."""
OF_A_CARD = 0.8 / 1.5
"""What a draw, a recycle or a pass takes of that."""
SPREAD = 0.4
"""Standard deviation of the logarithm of a time."""
REACTION = 0.3
"""Seconds until a player sees what the other does."""
_UNIT = 2.0**-53
"""Makes a number below 1 of 53 bits, as many as a float holds."""

RUNNER = record_type(
    [
        ("seen", TABLE),
        ("random", "u8"),
        ("looks_at", "f8"),
        ("arrives_at", "f8"),
        ("has_looked", "i8"),
        ("move", "i8"),
    ]
)
"""A player on the clock: the table as they see it, the chance of their times, when they look for
their next decision, and when the move decided arrives."""


@kernel
def seed_runner(runner: Record, seed: int, side: int) -> int:
    """Set the chance of a player's times; it depends on the side, not on who plays it."""
    runner.random = mix(np.uint64(seed) + np.uint64(7 + side) * GAMMA)
    return 0


@kernel
def uniform(runner: Record) -> float:
    """A number from 0 up to before 1."""
    runner.random += GAMMA
    return float(mix(runner.random) >> np.uint64(11)) * _UNIT


@kernel
def seconds_of(runner: Record, move: int, pace: float) -> float:
    """How long a move takes a player whose pace are so many seconds a card."""
    kind = move & KIND
    middle = pace * OF_A_CARD if kind in (DRAW, RECYCLE, PASS) else pace
    # Box and Muller's normal number.
    normal = np.sqrt(-2.0 * np.log(1.0 - uniform(runner))) * np.cos(2.0 * np.pi * uniform(runner))
    seconds: float = middle * np.exp(SPREAD * normal)
    return seconds


@kernel
def set_out(runner: Record, move: int, pace: float, now: float) -> int:
    """Let a player begin a move."""
    runner.move = move
    runner.arrives_at = now + seconds_of(runner, move, pace)
    runner.looks_at = max(now, runner.arrives_at - REACTION)
    runner.has_looked = 0
    return 0


@kernel
def next_time(runner: Record) -> float:
    """When a player looks, or the move arrives."""
    time: float = runner.looks_at if runner.has_looked == 0 else runner.arrives_at
    return time


@kernel
def is_late(t: Record, player: int, move: int) -> bool:
    """Whether the foundations no longer take the card of a move that was legal before.

    The own piles are as they were, so nothing else can have become illegal.
    """
    kind = move & KIND
    layout = t.layouts[player]
    if kind == WASTE_TO_FOUNDATION:
        return bool(accepting_place(t.foundations, waste_card(layout)) < 0)
    if kind == COLUMN_TO_FOUNDATION:
        card = run_card(layout.tableau[move >> SOURCE_SHIFT & INDEX], 0)
        return bool(accepting_place(t.foundations, card) < 0)
    return False


@kernel
def see_own(t: Record, player: int, runner: Record, has_landed: bool) -> int:
    """Let a player see the own move that has just arrived, on the table as it was before.

    Who was refused, or whose card the earlier table would not take, sees the table as it is.
    """
    if has_landed and not is_late(runner.seen, player, runner.move):
        act(runner.seen, player, runner.move)
        runner.seen.end = t.end
    else:
        lay_table(runner.seen, t)
    return 0
