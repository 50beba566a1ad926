"""What a person sees of a batch while it runs: a bar on standard error, or now and then a line."""

import contextlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import Any

from .jobs import Counts, Job

LINE_SECONDS = 30
"""Seconds between two lines where there is no bar. By hand, for a log that is read afterwards."""
NARROW, NARROWER = 90, 45
"""Columns of a terminal below which the bar leaves out the counts and the rate; and the bar."""
WIDE_BAR = "{l_bar}{bar}| {n_fmt}/{total_fmt} [{remaining} left, {rate_fmt}{postfix}]"
NARROW_BAR = "{percentage:3.0f}%|{bar}| {n_fmt}/{total_fmt}, {remaining} left"
NO_BAR = "{percentage:3.0f}% {n_fmt}/{total_fmt}"
"""The same for a terminal of any width, if nobody knows how many deals there are."""
NO_TOTAL, NARROW_NO_TOTAL = "{n_fmt} deals [{rate_fmt}{postfix}]", "{n_fmt} deals"


class Watch:
    """Deals a second, share won so far and number undecided."""

    def __init__(
        self,
        total: int | None,
        shown: bool,
        quiet: bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`total` deals are expected, or nobody knows how many; `quiet` leaves only failures.

        If `shown`, there is a bar; else there is a line now and then, by the seconds of `clock`.
        """
        self._total = total
        self._shown = shown
        self._quiet = quiet
        self._clock = clock
        self._started = self._last = clock()
        self._noted: set[str] = set()
        self._bar: Any = None
        self._done = Counts()
        self._under_way: dict[str, Counts] = {}

    def skip(self, deals: int) -> None:
        """Some deals are there already."""
        if self._total is not None:
            self._total -= deals
        if self._bar is not None:
            self._bar.total = self._total

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
        counts = sum(self._under_way.values(), self._done)
        share = counts.winnable / counts.deals if counts.deals else 0
        if self._shown:
            if self._bar is None:
                self._bar = bar(self._total)
            self._bar.set_postfix_str(f"winnable {share:.2%}, undecided {counts.unknown}", False)
            self._bar.update(counts.deals - self._bar.n)
        elif not self._quiet and self._clock() - self._last >= LINE_SECONDS:
            self._last = self._clock()
            of = "" if self._total is None else f" of {self._total:,}"
            rate = counts.deals / (self._last - self._started)
            self.say(
                f"{counts.deals:,}{of} deals, {rate:.3g} deals/s, "
                f"winnable {share:.2%}, undecided {counts.unknown:,}"
            )

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
        """A line, above the bar if there is one."""
        line = f"dsol: {message}"
        if self._bar is not None:
            self._bar.write(line, file=sys.stderr)
        else:
            sys.stderr.write(line + "\n")


def _width() -> int:
    """Columns of the terminal that standard error is, or as `COLUMNS` says."""
    if not os.environ.get("COLUMNS"):
        with contextlib.suppress(OSError, ValueError):
            return os.get_terminal_size(sys.stderr.fileno()).columns
    return shutil.get_terminal_size().columns


def bar(total: int | None) -> Any:
    """A bar for a terminal of this width; it is made when there is something to show."""
    from tqdm import tqdm

    width = _width()
    if total is None:
        form = NO_TOTAL if width >= NARROW else NARROW_NO_TOTAL
    else:
        form = WIDE_BAR if width >= NARROW else NARROW_BAR if width >= NARROWER else NO_BAR
    return tqdm(
        total=total,
        unit=" deals",
        file=sys.stderr,
        smoothing=0.1,
        bar_format=form,
        ncols=width - 1,
    )
