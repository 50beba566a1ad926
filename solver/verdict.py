"""What a search answers, and the limits it was given."""

from dataclasses import dataclass
from enum import StrEnum
from numbers import Integral, Real

from ..engine.moves import Move


class Verdict(StrEnum):
    """`winnable` comes with a replayed game, `unwinnable` is a proof, a limit gives `unknown`."""

    WINNABLE = "winnable"
    UNWINNABLE = "unwinnable"
    UNKNOWN = "unknown"


LARGEST_LIMIT = 2**63 - 1
"""The columns of a batch hold no larger number."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one deal may cost; None stands for no limit.

    Raises `TypeError` for what is no number and `ValueError` for one that is no limit: nodes and
    bytes are whole numbers from 1 to `LARGEST_LIMIT`, seconds are finite and more than 0.
    """

    nodes: int | None = 5_000_000
    """Positions generated."""
    seconds: float | None = None
    """Wall time. The only limit under which two runs may differ: in whether one of them is
    `unknown`, in the list of a win, and in how far apart the bounds of a score are."""
    memory: int = 2 << 30
    """Bytes for the whole search."""

    def __post_init__(self) -> None:
        """Refuse what is no limit."""
        if self.nodes is not None:
            check_whole("nodes", self.nodes, 1, LARGEST_LIMIT)
        check_whole("memory", self.memory, 1, LARGEST_LIMIT)
        seconds = self.seconds
        if seconds is None:
            return
        if not isinstance(seconds, Real) or isinstance(seconds, bool):
            raise TypeError(f"seconds: a number or None is needed, not {seconds!r:.40}")
        if not 0 < seconds <= LARGEST_LIMIT:
            raise ValueError(f"seconds: more than 0, or None for no limit; not {seconds!r:.40}")


def check_whole(name: str, value: int, least: int, most: int) -> None:
    """Raise `TypeError` unless a value is a whole number, `ValueError` unless it is in range."""
    if not isinstance(value, Integral) or isinstance(value, bool):
        raise TypeError(f"{name}: a whole number is needed, not {value!r:.40}")
    if not least <= value <= most:
        raise ValueError(f"{name}: a number from {least} to {most} is needed, not {value!r:.40}")


SCORE_LIMITS = Limits(nodes=None, seconds=10)
"""What the search for the best score may cost where nothing is said, by hand; it could go on
for long."""
HINT_LIMITS = Limits(nodes=200_000)
"""What a position and each move from it may cost in a hint where nothing is said; by hand, a few
tenths of a second each."""


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
    fewest: int | None = None
    """No winning list has fewer moves; None where that was not asked for."""

    def __repr__(self) -> str:
        """The verdict and what was found, in a line; the moves by their number."""
        found = "" if self.moves is None else f"{len(self.moves)} moves, score {self.score}, "
        return f"<Answer {self.verdict}: {found}{self.nodes} nodes, {self.reason}>"
