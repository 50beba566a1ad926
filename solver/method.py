"""What a method of searching is given, a `Budget`, and what it answers, a `Result`."""

import time
from typing import NamedTuple

from .homes import Plan
from .verdict import Limits

NO_END = 1 << 62
"""More positions than any search gets through."""
CHUNK_NODES = 50_000
"""Positions between two looks at the clock; by hand, some hundredths of a second."""


class Win(NamedTuple):
    """A win: a plan that leads from the start to where it is sure."""

    plan: Plan
    reason: str


class Proof(NamedTuple):
    """A proof that there is no win of the kind that was asked for."""

    reason: str
    most_home: int = 0
    """Where cards home were asked for: no game ever has more of them home at once."""


class Limit(NamedTuple):
    """The limit that ended the search."""

    reason: str


Result = Win | Proof | Limit | None
"""None: what the method was asked to look at holds neither a win nor a proof."""


class Budget:
    """What a search may cost, and has cost: one for all its methods."""

    def __init__(self, limits: Limits) -> None:
        """The clock runs from now on."""
        self._limits = limits
        self._most_nodes = NO_END if limits.nodes is None else limits.nodes
        self._end = None if limits.seconds is None else time.perf_counter() + limits.seconds
        self._lacks_memory = False
        self.nodes = 0
        """Positions generated so far."""
        self.table_bytes = 0
        """What the table of the exhaustive search takes."""

    @property
    def left(self) -> int:
        """Positions that may still be generated."""
        return self._most_nodes - self.nodes

    def limit(self) -> Limit | None:
        """The limit that has been reached, if one has."""
        if self.left <= 0:
            return Limit(f"limit of {self._most_nodes} nodes reached")
        if self._end is not None and time.perf_counter() >= self._end:
            return Limit(f"time limit of {self._limits.seconds:g} s reached")
        return self.memory_limit() if self._lacks_memory else None

    def memory_limit(self) -> Limit:
        """What is said where there is too little memory to go on."""
        return Limit(f"memory limit of {self._limits.memory / 2**20:g} MB reached")

    def may_grow(self, size: int) -> bool:
        """Whether the table of the exhaustive search may take so many bytes."""
        return size <= self._limits.memory

    def has_room(self, size: int) -> bool:
        """Whether so many bytes fit beside the table.

        If not, that is a limit from then on: what came after instead might use up what else is
        limited.
        """
        self._lacks_memory |= size + self.table_bytes > self._limits.memory
        return not self._lacks_memory
