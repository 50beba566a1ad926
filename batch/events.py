"""What those who do the work of a batch report; see `local.py` and `cluster.py`."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from .jobs import Answered, Counts, Job

COMPILING = (
    "compiling the search as far as this command needs it, once on this machine, for up to half a "
    "minute; `dsol warm` does it for all commands"
)
"""What a user is told while they wait for the compiler."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What users are told once, whichever worker says it: that they wait for the compiler, or
    that compiled code was damaged or cannot be kept."""

    line: str


@dataclass(frozen=True, slots=True)
class Progress:
    """The counts so far of a job that is being worked on."""

    job: Job
    counts: Counts


@dataclass(frozen=True, slots=True)
class Done:
    """A job with its file, or with the rows of its first deals (`Answered.left`)."""

    job: Job
    answered: Answered


@dataclass(frozen=True, slots=True)
class Died:
    """A worker died over a job, which will be done again."""

    job: Job
    how: str


@dataclass(frozen=True, slots=True)
class Failed:
    """A job was given up."""

    job: Job
    how: str


Event = Noted | Progress | Done | Died | Failed


class Crew(Protocol):
    """Workers; what they report comes in any order."""

    def work(self, jobs: Iterator[Job]) -> Iterator[Event]:
        """Do the jobs, taking one when somebody is free to do it."""
        ...
