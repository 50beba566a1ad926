"""Notes on standard error while a command searches."""

import sys
import time
from collections.abc import Iterator

from ..solver.verdict import Limits
from .deals import Asked, DealReader, note


def announce_compiling() -> None:
    """Say that the first search on a machine waits for the compiler, when it does.

    Also say what is wrong with the code that was kept.
    """
    from ..batch.events import COMPILING
    from ..engine.cache import TROUBLES
    from ..engine.jit import when_compiling

    when_compiling(lambda: note(COMPILING))
    TROUBLES.tell_to(note)


def watched(reader: DealReader, limits: Limits) -> Iterator[Asked]:
    """The deals of a command that searches, with a note if the first one has to wait.

    Under a time limit it waits here, so that the limit is spent on searching. How many deals
    have been read is shown by a bar, if standard error is a terminal and the answers go
    elsewhere, and by a note now and then, if it is none.
    """
    for place, asked in enumerate(_counted(reader)):
        if place == 0:
            if not reader.quiet:
                announce_compiling()
            if limits.seconds is not None:
                from ..solver.warm import load

                load()
        yield asked


def _counted(reader: DealReader) -> Iterator[Asked]:
    """The deals, and how far they have been read on standard error."""
    if reader.quiet:
        yield from reader
    elif not sys.stderr.isatty():
        yield from _noted(reader)
    elif sys.stdout.isatty():
        yield from reader
    else:
        from ..batch.watch import bar

        with bar(reader.total()) as shown:
            for asked in reader:
                yield asked
                shown.update()


def _noted(reader: DealReader) -> Iterator[Asked]:
    """The deals, with a note now and then."""
    from ..batch.watch import LINE_SECONDS

    total = reader.total()
    of = "" if total is None else f" of {total:,}"
    started = last = time.monotonic()
    for count, asked in enumerate(reader):
        now = time.monotonic()
        if now - last >= LINE_SECONDS:
            last = now
            note(f"{count:,}{of} deals, {now - started:.0f} s")
        yield asked
