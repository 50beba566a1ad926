"""`dsol warm`: everything compiled at once, so that no command has to wait for it."""

import multiprocessing
import os
import signal
import time
from pathlib import Path

import click

from .deals import note
from .options import examples
from .output import FAILED, write


@click.command(epilog=examples("dsol warm"))
def warm() -> int:
    """Compile everything that the other commands need.

    What is there already is kept. Compiled code lies in the user's cache folder, or where
    the variable DSOL_CACHE_DIR of the environment says, for instance in an image.
    """
    from ..engine.cache import PLACE_VARIABLE, TROUBLES, UNKEPT, cache_place

    place, objections = cache_place()
    if place is None:
        raise click.ClickException(
            f"{objections}; {PLACE_VARIABLE} in the environment can name another folder"
        )
    TROUBLES.tell_to(note)
    before = _files(place)
    started = time.perf_counter()
    _compile_on_two_cores()
    files, seconds = _files(place), time.perf_counter() - started
    write(
        f"{len(files - before)} functions compiled in {seconds:.0f} s, "
        f"{len(files & before)} were there: {place}\n"
    )
    return FAILED if UNKEPT in TROUBLES.met else 0


def _files(place: Path) -> set[Path]:
    """The files of compiled functions."""
    return set(place.glob("*/*.code"))


def _compile_on_two_cores() -> None:
    """Take all steps, while a second process takes them from the last to the first.

    What one has compiled the other loads, so they share the work without a word.
    """
    other = None
    if (os.cpu_count() or 1) > 1:
        other = multiprocessing.get_context("spawn").Process(
            target=_take_steps, args=(True,), daemon=True
        )
        other.start()
    try:
        _take_steps(False)
    finally:
        if other is not None:
            other.terminate()
            other.join()


def _take_steps(backwards: bool) -> None:
    """Have everything compiled or loaded."""
    if backwards:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    from ..rating import warm as of_rating
    from ..solver import warm as of_solver
    from ..versus import warm as of_versus

    steps = [*of_solver.STEPS, *of_versus.STEPS, *of_rating.STEPS, _count_moves]
    for step in reversed(steps) if backwards else steps:
        step()


def _count_moves() -> None:
    """What `perft` calls."""
    from ..solver.warm import NORMAL, start
    from .perft import count

    count(NORMAL, start(NORMAL), 1)
