"""Notes on standard error while a command searches."""

import sys
from collections.abc import Iterator

from ..solver.verdict import Limits
from .deals import Asked, DealReader, note


def announce_compiling() -> None:
    """Say that the first search on a machine waits for the compiler, when it does."""
    from ..batch.events import COMPILING
    from ..engine.jit import when_compiling

    when_compiling(lambda: note(COMPILING))


def watched(reader: DealReader, limits: Limits) -> Iterator[Asked]:
    """The deals of a command that searches, with a note if the first one has to wait.

    Under a time limit it waits here, so that the limit is spent on searching. If standard
    error is a terminal, and the answers go elsewhere, it shows how many deals have been read.
    """
    deals = iter(reader)
    if not reader.quiet and sys.stderr.isatty() and not sys.stdout.isatty():
        from tqdm import tqdm

        deals = iter(tqdm(reader, unit=" deals", file=sys.stderr))
    for place, asked in enumerate(deals):
        if place == 0:
            if not reader.quiet:
                announce_compiling()
            if limits.seconds is not None:
                from ..solver.warm import load

                load()
        yield asked
