"""`Settings`: what the rows of a batch depend on besides the deals; it travels in every file."""

import functools
import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from ..solver.verdict import Limits

FORMAT = 2
"""Raised when the columns of the files change, or what they mean."""
KEY = b"double_solitaire"
"""Key of the settings in the metadata of a file's schema."""
FOR_ROWS = ("format", "solver", "limits", "moves", "rate", "score")
"""Settings in which all files of a folder agree."""
BUT_LIMITS = ("format", "solver", "moves", "rate", "score")
"""Those in which they agree with a search of the undecided deals by larger limits."""


class BatchError(ValueError):
    """A batch that cannot be run, or results that cannot be used; one line for a person."""


def solver_version() -> str:
    """Version of the package and a digest of what decides what rows say."""
    return sources_version("engine", "solver", "notation", "rating", "data")


@functools.cache
def sources_version(*layers: str) -> str:
    """Version of the package and a digest of the sources of some folders, and what they learned."""
    root = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    for layer in layers:
        folder = root / layer
        for source in sorted([*folder.glob("*.py"), *folder.glob("*.json")]):
            digest.update(f"{layer}/{source.name}\n".encode() + source.read_bytes())
    return f"{version('double-solitaire')}+{digest.hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class Settings:
    """How the deals of a batch are answered."""

    limits: Limits
    moves: bool = False
    """Whether each win comes with its list of moves."""
    timing: bool = True
    """Whether rows hold the seconds a deal took; without, equal runs give equal bytes."""
    rate: bool = False
    """Whether winnable deals are rated."""
    score: bool = False
    """Whether rows have bounds on the best score."""
    solver: str = ""
    """Version of the solver; the one at hand if empty."""

    def __post_init__(self) -> None:
        """Fill in the version of the solver."""
        if not self.solver:
            object.__setattr__(self, "solver", solver_version())

    def metadata(self) -> dict[bytes, bytes]:
        """The settings as metadata of a schema."""
        return {KEY: json.dumps({"format": FORMAT} | asdict(self), sort_keys=True).encode()}

    def differences(
        self, metadata: Mapping[bytes, bytes] | None, names: tuple[str, ...]
    ) -> list[str]:
        """In which of these settings a file differs, in words: `moves false, not true`.

        Raises `BatchError` if the file has no settings at all.
        """
        mine, others = read_settings(self.metadata()), read_settings(metadata)
        return [
            f"{name} {_words(others.get(name))}, not {_words(mine[name])}"
            for name in names
            if mine[name] != others.get(name)
        ]


def read_settings(metadata: Mapping[bytes, bytes] | None) -> dict[str, Any]:
    """The settings in the metadata of a file's schema. Raises `BatchError` if it has none."""
    if not metadata or KEY not in metadata:
        raise BatchError("not written by dsol batch")
    settings: dict[str, Any] = json.loads(metadata[KEY])
    return settings


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{name}={_words(part)}" for name, part in value.items())
    return "none" if value is None else str(value).lower() if value in (True, False) else str(value)
