"""The standard streams, made to carry what is written to them whatever they are.

A closed or full standard error costs nobody the answer, and a terminal that does not know a sign
gets letters for it. What writes to them need not think of either.
"""

import codecs
import contextlib
import io
import os
import sys
from typing import Any

from ..engine.cards import SUIT_SIGNS, SUITS

_ASCII = str.maketrans(
    dict(zip(SUIT_SIGNS, SUITS, strict=True))
    | dict.fromkeys("‐‑‒–—―−", "-")
    | {"→": "->", "←": "<-", "›": ">", "»": ">", "…": "...", "×": "x", "·": "*", "±": "+-"}
    | {"≤": "<=", "≥": ">=", "‘": "'", "’": "'", "“": '"', "”": '"', "\xa0": " "}
)
ERRORS = "dsol"
"""The name of the way to write signs that an encoding lacks: in ASCII."""


def to_ascii(text: str) -> str:
    """The text with letters for suit signs and the like; other signs stay."""
    return text.translate(_ASCII)


def _in_ascii(error: UnicodeError) -> tuple[str, int]:
    """What to write for signs that the encoding of a stream lacks, and where to go on."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = to_ascii(error.object[error.start : error.end])
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end


codecs.register_error(ERRORS, _in_ascii)


class _Closed(io.RawIOBase):
    """A standard stream that is closed."""

    def writable(self) -> bool:
        """Whoever writes learns of it only then."""
        return True

    def write(self, data: Any) -> int:
        """Raise `OSError`, unless there is nothing to write."""
        if len(data):
            raise OSError("standard output is closed")
        return 0


class _Optional(io.RawIOBase):
    """A standard error that can be full or closed; what it does not take is lost."""

    def __init__(self, raw: io.RawIOBase) -> None:
        """Write to this raw stream."""
        self._raw = raw

    def writable(self) -> bool:
        """It takes everything."""
        return True

    def write(self, data: Any) -> int | None:
        """Write what can be written; all of it counts as written."""
        try:
            return self._raw.write(data)
        except OSError:
            return len(data)

    def fileno(self) -> int:
        """The descriptor of the raw stream."""
        return self._raw.fileno()

    def isatty(self) -> bool:
        """Whether the raw stream is a terminal."""
        return self._raw.isatty()


def open_streams() -> None:
    """Make the standard streams of this process fit to be written to, once, before all else."""
    # A file opened later must not get the number of a standard stream that is closed.
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        closed: Any = _Closed()
        sys.stdout = io.TextIOWrapper(closed, encoding="utf-8", write_through=True)
    with contextlib.suppress(AttributeError):
        raw: Any = _Closed()
        encoding = "utf-8"
        if sys.stderr is not None:
            raw = getattr(sys.stderr.buffer, "raw", sys.stderr.buffer)
            encoding = sys.stderr.encoding
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(_Optional(raw)), encoding, ERRORS, line_buffering=True
        )


def write_signs_in_ascii() -> None:
    """Let standard output and error write in ASCII what their encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(AttributeError):
            stream.reconfigure(errors=ERRORS)  # type: ignore[union-attr]
