"""What workers are given and what they give back; none of it needs the solver."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..solver.verdict import Limits, Verdict
from .shards import Shard


@dataclass(frozen=True, slots=True)
class Counts:
    """Number of deals by verdict."""

    winnable: int = 0
    unwinnable: int = 0
    unknown: int = 0

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.winnable + self.unwinnable + self.unknown

    def __add__(self, other: "Counts") -> "Counts":
        """The counts of two sets of deals together."""
        return Counts(
            self.winnable + other.winnable,
            self.unwinnable + other.unwinnable,
            self.unknown + other.unknown,
        )


@dataclass(frozen=True, slots=True)
class Retry:
    """A finished file whose undecided deals are to be searched again."""

    path: str
    """Path in the results folder, with `/`."""
    data: bytes
    count: int
    """Number of deals to search again."""


Job = Shard | Retry


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a job: the whole file, and the counts of the deals searched."""

    data: bytes
    counts: Counts


def places_to_retry(columns: Mapping[str, Sequence[Any]], limits: Limits) -> list[int]:
    """The undecided rows of a file that these limits would give more to."""
    found = zip(
        columns["verdict"],
        columns["limit_nodes"],
        columns["limit_seconds"],
        columns["limit_memory"],
        strict=True,
    )
    return [
        at
        for at, (verdict, nodes, seconds, memory) in enumerate(found)
        if verdict == Verdict.UNKNOWN.value and _exceed(limits, Limits(nodes, seconds, memory))
    ]


def _exceed(limits: Limits, others: Limits) -> bool:
    """Whether limits are larger than others in something, and smaller in nothing."""
    pairs = [
        (math.inf if mine is None else mine, math.inf if other is None else other)
        for mine, other in (
            (limits.nodes, others.nodes),
            (limits.seconds, others.seconds),
            (limits.memory, others.memory),
        )
    ]
    return all(mine >= other for mine, other in pairs) and any(
        mine > other for mine, other in pairs
    )
