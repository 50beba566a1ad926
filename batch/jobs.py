"""What workers are given and what they give back; none of it needs the solver."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..solver.verdict import Limits, Verdict
from .shards import Shard

PART_SECONDS = 5.0
"""Seconds of work after which a worker hands over the rows that it has.

They are kept on disk, so that whatever ends a run costs little more than this; the rest of
the job is a job of its own. By hand.
"""


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
    skip: int = 0
    """Rows at its start that are not to be searched, because another file holds them, too."""


@dataclass(frozen=True, slots=True)
class Begun:
    """A shard of which some rows are there."""

    shard: Shard
    data: bytes
    """A file of the rows of its first deals."""
    count: int
    """How many these are."""

    @property
    def path(self) -> str:
        """Path of the shard's file in the results folder, with `/`."""
        return self.shard.path


Job = Shard | Begun | Retry


@dataclass(frozen=True, slots=True)
class Answered:
    """What became of a job, or of its first deals."""

    data: bytes
    """The whole file; of a shard of which deals are left, a file of the rows up to them."""
    counts: Counts
    """Of the deals searched."""
    left: int = 0
    """Deals of the job that are still to be searched."""


def rest(job: Job, answered: Answered) -> Begun | Retry | None:
    """What is left to do of a job; None if it is done."""
    if not answered.left:
        return None
    if isinstance(job, Retry):
        return replace(job, data=answered.data, count=answered.left)
    shard = job.shard if isinstance(job, Begun) else job
    return Begun(shard, answered.data, shard.count - answered.left)


def places_to_retry(
    columns: Mapping[str, Sequence[Any]], limits: Limits, skip: int = 0
) -> list[int]:
    """The undecided rows of a file, from row `skip` on, that these limits would give more to."""
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
        if at >= skip
        and verdict == Verdict.UNKNOWN.value
        and _exceed(limits, Limits(nodes, seconds, memory))
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
