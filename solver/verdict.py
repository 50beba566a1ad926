"""What a search answers, and the limits it was given."""

from dataclasses import dataclass
from enum import StrEnum

from ..engine.moves import Move


class Verdict(StrEnum):
    """`winnable` comes with a replayed game, `unwinnable` is a proof, a limit gives `unknown`."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Limits:
    """What one deal may cost; None stands for no limit."""

    nodes: int | None = 5_000_000
    """Positions generated."""
    seconds: float | None = None
    """Wall time. The only limit under which two runs may differ: in whether one of them is
    `unknown`, in the list of a win, and in how far apart the bounds of a score are."""
    memory: int = 2 << 30
    """Bytes for the whole search."""


SCORE_LIMITS = Limits(nodes=None, seconds=10)
"""What the search for the best score may cost where nothing is said; it could go on for long."""
HINT_LIMITS = Limits(nodes=200_000)
"""What a position and each move from it may cost in a hint where nothing is said."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found out about one deal."""

    verdict: Verdict
    reason: str
    """How it is known, or which limit was hit; one line for a person."""
    nodes: int
    seconds: float
    moves: tuple[Move, ...] | None = None
    """The winning list, replayed by the referee; None when not asked for or not found."""
    score: int | None = None
    """Score of `moves` at its end: points, or dollars in Vegas scoring."""
    winnable_without_take_back: bool | None = None
    """Whether a win needs no card taken back from a foundation; None where that is not known."""
