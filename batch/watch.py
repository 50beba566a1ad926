"""What a person sees of a batch while it runs: a bar on standard error."""

import sys
from typing import Any

from .jobs import Counts, Job


class Watch:
    """Deals a second, share won so far and number undecided; nothing if not to be shown."""

    def __init__(self, total: int | None, shown: bool, quiet: bool) -> None:
        """`total` deals are expected, or nobody knows how many; `quiet` leaves only failures."""
        self._quiet = quiet
        self._noted: set[str] = set()
        self._bar: Any = None
        self._done = Counts()
        self._under_way: dict[str, Counts] = {}
        if shown:
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit=" deals", file=sys.stderr, smoothing=0.1)

    def skip(self, deals: int) -> None:
        """Some deals are there already."""
        if self._bar is not None and self._bar.total is not None:
            self._bar.total -= deals

    def progress(self, job: Job, counts: Counts) -> None:
        """The counts so far of a job under way; none if it was lost."""
        self._under_way[job.path] = counts
        self._show()

    def done(self, job: Job, counts: Counts) -> None:
        """The counts of a job that is done."""
        self._under_way.pop(job.path, None)
        self._done += counts
        self._show()

    def _show(self) -> None:
        if self._bar is None:
            return
        counts = sum(self._under_way.values(), self._done)
        share = counts.winnable / counts.deals if counts.deals else 0
        self._bar.set_postfix_str(f"winnable {share:.2%}, undecided {counts.unknown}", False)
        self._bar.update(counts.deals - self._bar.n)

    def close(self) -> None:
        """Leave the bar as it stands."""
        if self._bar is not None:
            self._bar.close()

    def say_once(self, message: str) -> None:
        """A line that is said once and is no failure."""
        if not self._quiet and message not in self._noted:
            self._noted.add(message)
            self.say(message)

    def say(self, message: str) -> None:
        """A line above the bar."""
        if self._bar is not None:
            self._bar.write(message, file=sys.stderr)
        else:
            sys.stderr.write(message + "\n")
