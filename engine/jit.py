"""`kernel`: the one decorator of compiled functions, and the place where they are kept.

Numba's own cache does not notice an edit in another file, so compiled code lies
in a folder named by a digest of all kernel sources, numba's version and its flags.
"""

import contextlib
import functools
import hashlib
import os
import stat
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
import platformdirs
from numba.core import event

Record = Any
"""Type of a record of a structured array, and of anything else that only numba knows."""
int64 = cast(Callable[[Any], int], np.int64)
"""The integer of compiled code, 64 bits wide and signed; for the type checker it is an int."""
Function = TypeVar("Function", bound=Callable[..., Any])


def _digest() -> str:
    root = Path(__file__).resolve().parent
    digest = hashlib.sha256(bytes(root))
    for folder in (root, root.parent / "solver"):
        for source in sorted(folder.glob("*.py")):
            digest.update(source.name.encode())
            digest.update(source.read_bytes())
    flags = (
        numba.__version__,
        sys.version,
        os.environ.get("NUMBA_BOUNDSCHECK", ""),
        os.environ.get("NUMBA_CPU_NAME", ""),
    )
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:16]


def _places() -> list[Path]:
    """Where compiled code may be kept, best first; `~` stays as it is for a user without a home."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    places = [Path(tempfile.gettempdir()) / f"double-solitaire-{user}"]
    with contextlib.suppress(OSError, RuntimeError, KeyError):
        places.insert(0, Path(platformdirs.user_cache_dir("double-solitaire", appauthor=False)))
    return [place for place in places if place.is_absolute()]


def _is_ours(place: Path) -> bool:
    """Whether this is a real folder of this user that nobody else may write to.

    Compiled code is loaded from it, and in the folder for temporary files
    anybody could have made it first.
    """
    state = place.lstat()
    if not stat.S_ISDIR(state.st_mode):
        return False
    return not hasattr(os, "getuid") or (
        state.st_uid == os.getuid() and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    )


@functools.cache
def cache_folder() -> Path | None:
    """The folder of the compiled code, made if need be; None where no place can be written."""
    for place in _places():
        folder = place / _digest()
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.mkdir(mode=0o700, exist_ok=True)
            if _is_ours(place):
                folder.mkdir(mode=0o700, exist_ok=True)
                with tempfile.TemporaryFile(dir=folder):
                    return folder
        except OSError:
            continue
    return None


class _Once(event.Listener):
    """Calls a function when numba compiles for the first time; what it loads does not count."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call: Callable[[], None] | None = call

    def on_start(self, _: object) -> None:
        call, self.call = self.call, None
        if call is not None:
            call()

    def on_end(self, _: object) -> None:
        """Has to be there."""


def when_compiling(call: Callable[[], None]) -> None:
    """Have a function called, once, if a kernel must be compiled from now on."""
    listen: Any = event.register
    listen("numba:compile", _Once(call))


def record_type(fields: Sequence[Any]) -> Any:
    """The type of an aligned record whose fields are attributes, compiled or not."""
    layout: Any = list(fields)
    return np.dtype((np.record, np.dtype(layout, align=True)))


def kernel(function: Function) -> Function:
    """Compile a kernel function: no exceptions, no GIL, kept in `cache_folder`."""
    folder = cache_folder()
    config: Any = numba.config
    before = config.CACHE_DIR
    config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        compiled: Function = numba.njit(
            function, cache=folder is not None, nogil=True, error_model="numpy"
        )
    finally:
        config.CACHE_DIR = before
    return compiled
