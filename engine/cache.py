"""Where compiled code is kept between runs, and why nothing that happens there stops an answer.

A file holds the code of one function for one signature, after a digest of it. What is missing,
damaged or unreadable is compiled anew and written over, what cannot be written lasts as long as
the process, and both are told once to whoever has asked for it (`TROUBLES`).

Numba's own cache does not notice an edit in another file. Here the folder of a file is named by
a digest of all sources that its code may come from, of the versions and of numba's flags.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import stat
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import platformdirs
from numba.core import caching, compiler

PLACE_VARIABLE = "DSOL_CACHE_DIR"
"""The environment variable that names the place of compiled code."""
LAYERS = ("engine", "solver", "rating", "versus")
"""The folders of compiled functions; each calls only its own and those of the ones before it."""
_DIGEST_BYTES = hashlib.sha256().digest_size
_WRITE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_ROOT = 0


class Troubles:
    """What is wrong with kept code, told once a kind to the last who asked."""

    def __init__(self) -> None:
        """Nobody has asked yet."""
        self._tell: Callable[[str], None] | None = None
        self.met: set[str] = set()
        """The kinds since somebody asked."""

    def tell_to(self, call: Callable[[str], None]) -> None:
        """Have a function called with a line on each kind of trouble from now on."""
        self._tell = call
        self.met.clear()

    def meet(self, kind: str, line: str) -> None:
        """Tell of a trouble; that nobody can be told is none."""
        if kind not in self.met:
            self.met.add(kind)
            if self._tell is not None:
                with contextlib.suppress(Exception):
                    self._tell(line)


TROUBLES = Troubles()
DAMAGED, UNKEPT = "damaged", "unkept"
"""The kinds of trouble: code that was there is compiled anew, and code that cannot be kept."""


@functools.cache
def _digest(layers: int, outside: Path | None) -> str:
    """Of the sources of so many `LAYERS`, of one file besides, of versions and flags."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256(bytes(root))
    sources = [path for name in LAYERS[:layers] for path in sorted((root / name).rglob("*.py"))]
    for source in sources if outside is None else [*sources, outside]:
        digest.update(os.fsencode(source.name))
        digest.update(source.read_bytes())
    flags = sorted((k, v) for k, v in os.environ.items() if k.startswith("NUMBA_"))
    digest.update(repr((numba.__version__, llvmlite.__version__, sys.version, flags)).encode())
    return digest.hexdigest()[:16]


def folder_name(source: Path) -> str:
    """The name of the folder for the code of a source file: its layer and a digest.

    An edit in a layer gives it and those after it new names. A file outside all layers, of
    a test or of another program, may call functions of any.
    """
    root = Path(__file__).resolve().parent.parent
    source = source.resolve()
    inside = source.relative_to(root).parts if source.is_relative_to(root) else ("",)
    if inside[0] in LAYERS:
        return f"{inside[0]}-{_digest(LAYERS.index(inside[0]) + 1, None)}"
    return f"other-{_digest(len(LAYERS), source)}"


def _named_place() -> Path | None:
    """The place that the environment names, if it does."""
    name = os.environ.get(PLACE_VARIABLE, "")
    return Path(name).resolve() if name else None


def _usual_places() -> list[Path]:
    """Where compiled code may be kept, best first; `~` stays as it is for a user without a home."""
    user = os.getuid() if hasattr(os, "getuid") else "user"
    places = [Path(tempfile.gettempdir()) / f"double-solitaire-{user}"]
    with contextlib.suppress(OSError, RuntimeError, KeyError):
        places.insert(0, Path(platformdirs.user_cache_dir("double-solitaire", appauthor=False)))
    return [place for place in places if place.is_absolute()]


def _objection(place: Path) -> str | None:
    """Why code may not be kept in a place, which is made if need be; None if it may.

    Compiled code is loaded from it, and in the folder for temporary files anybody could have made
    it first. So it must be a real folder of this user, or of the administrator's as in a
    container's image, that nobody else may write to. One that is there already may be read-only.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        place.mkdir(mode=0o700, exist_ok=True)
        state = place.lstat()
        if not stat.S_ISDIR(state.st_mode):
            return "is no folder"
        if hasattr(os, "getuid"):
            if state.st_uid not in (os.getuid(), _ROOT):
                return "belongs to another user"
            if state.st_mode & _WRITE_BY_OTHERS:
                return "can be written by other users"
        if not os.access(place, os.W_OK | os.X_OK) and not any(place.iterdir()):
            return "cannot be written"
    except OSError as error:
        return f"cannot be used ({error.strerror or error})"
    return None


@functools.cache
def cache_place() -> tuple[Path | None, str]:
    """The place of compiled code, or None where there is none, and then why there is none."""
    named = _named_place()
    places = _usual_places() if named is None else [named]
    objections = []
    for place in places:
        objection = _objection(place)
        if objection is None:
            return place, ""
        objections.append(f"{place} {objection}")
    return None, "; ".join(objections)


def _pack(result: Any) -> bytes:
    """Compiled code as the bytes of a file."""
    data: bytes = caching.dumps(result._reduce())
    return hashlib.sha256(data).digest() + data


def _unpack(data: bytes, context: Any) -> Any:
    """The code in the bytes of a file, ready to run; raises `ValueError` if they are damaged."""
    digest, data = data[:_DIGEST_BYTES], data[_DIGEST_BYTES:]
    if hashlib.sha256(data).digest() != digest:
        raise ValueError("the bytes are not those that were written")
    return compiler.CompileResult._rebuild(context, *pickle.loads(data))


def _tell_unkept(why: str) -> None:
    TROUBLES.meet(UNKEPT, f"{why}; what is compiled is not kept for the next time")


class Store(caching._Cache):
    """Kept code of one function: what numba's dispatcher asks before and after it compiles."""

    def __init__(self, function: Callable[..., Any]) -> None:
        """Nothing is read or made before the function is called."""
        self._function = function
        self._source = Path(function.__code__.co_filename)

    @property
    def cache_path(self) -> str | None:
        """The folder of the function's files; None where there is none."""
        place, _ = cache_place()
        return None if place is None else str(place / folder_name(self._source))

    def _path(self, signature: Any, codegen: Any) -> Path | None:
        """The file for a signature, also of the processor."""
        folder = self.cache_path
        if folder is None:
            return None
        name = f"{self._source.stem}.{self._function.__qualname__}".replace("<locals>", "")
        line = self._function.__code__.co_firstlineno
        key = hashlib.sha256(repr((name, line, str(signature), codegen.magic_tuple())).encode())
        return Path(folder) / f"{name}-{key.hexdigest()[:24]}.code"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None if it must be compiled."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            return _unpack(path.read_bytes(), target_context)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except Exception:
            # Whatever is wrong with the file: compiling does without it.
            line = f"compiled code in {path.parent} is damaged; it is compiled anew"
            TROUBLES.meet(DAMAGED, line)
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what has been compiled for a signature, if that can be done."""
        path = self._path(sig, data.codegen)
        if path is None:
            _tell_unkept(f"no folder for compiled code, as {cache_place()[1]}")
            return
        if data.library.has_dynamic_globals:
            return
        # Others may read and write the same file: it is there as a whole or not at all.
        unfinished = path.with_name(f"{path.name}.{uuid.uuid4().hex[:16]}")
        try:
            try:
                path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                unfinished.write_bytes(_pack(data))
                unfinished.replace(path)
            except BaseException:
                with contextlib.suppress(OSError):
                    unfinished.unlink(missing_ok=True)
                raise
        except Exception as error:
            why = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
            _tell_unkept(f"compiled code cannot be written to {path.parent} ({why})")

    def enable(self) -> None:
        """There is nothing to switch on."""

    def disable(self) -> None:
        """There is nothing to switch off."""

    def flush(self) -> None:
        """Files are named by what they hold, so none is out of date."""
