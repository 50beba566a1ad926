"""`kernel`: the one decorator of compiled functions, and the place where they are kept.

Numba's own cache does not notice an edit in another file, so compiled code lies
in a folder named by a digest of all kernel sources, numba's version and its flags.
"""

import contextlib
import functools
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., Any])


def _digest() -> str:
    root = Path(__file__).resolve().parent
    digest = hashlib.sha256()
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


def _folders() -> list[Path]:
    places = [
        Path(tempfile.gettempdir())
        / f"double-solitaire-{os.getuid() if hasattr(os, 'getuid') else 0}"
    ]
    with contextlib.suppress(OSError, RuntimeError, KeyError):
        places.insert(0, Path(platformdirs.user_cache_dir("double-solitaire", appauthor=False)))
    return places


@functools.cache
def cache_folder() -> Path | None:
    """The folder of the compiled code, made if need be; None where no place can be written."""
    for place in _folders():
        folder = place / _digest()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                return folder
        except OSError:
            continue
    return None


def is_compiled() -> bool:
    """Whether compiled code of these very sources is in the cache."""
    folder = cache_folder()
    return folder is not None and any(folder.rglob("*.nbi"))


def kernel(function: Function) -> Function:
    """Compile a kernel function: no exceptions, no GIL, kept in `cache_folder`."""
    folder = cache_folder()
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = "" if folder is None else str(folder)
    try:
        compiled: Function = numba.njit(
            function, cache=folder is not None, nogil=True, error_model="numpy"
        )
    finally:
        numba.config.CACHE_DIR = before
    return compiled
