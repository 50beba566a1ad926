"""Notes on standard error while a command works."""

import sys
from collections.abc import Iterable, Iterator
from typing import TypeVar

from .deals import note

Item = TypeVar("Item")
SEARCH = "dive"
"""The kernel file of the search."""


def announce_compiling(quiet: bool) -> None:
    """Say that the first search on a machine waits for the compiler, if it does."""
    from ..engine.jit import is_compiled

    if not quiet and not is_compiled(SEARCH):
        note("compiling the search, once on this machine; this takes up to a minute")


def progress(items: Iterable[Item], quiet: bool) -> Iterator[Item]:
    """Pass items on; count them on standard error, if a person watches it and not the output."""
    if quiet or not sys.stderr.isatty() or sys.stdout.isatty():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, unit=" deals", file=sys.stderr)
