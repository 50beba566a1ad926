"""The folder of results: which shards are there, and how a file gets in whole or not at all."""

import contextlib
import os
import re
import socket
import time
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise, takewhile
from pathlib import Path
from typing import BinaryIO

from .schema import open_results
from .settings import BatchError, Settings
from .shards import Shard

_NAME = re.compile(
    r"(?P<kind>[A-Z0-9]+(?:-list)?)-(?P<first>\d{11})-(?P<count>\d{7,})"
    r"(?:-(?P<digest>[0-9a-f]{12}))?\.parquet"
)
_PARTIAL = re.compile(r"\..+\.parquet\.(?P<host>.+)-(?P<process>\d+)\.partial")
STALE_SECONDS = 3600
"""Age at which a part of a file of another host counts as left behind."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A file of the folder, as its name tells."""

    path: str
    """Path in the folder, with `/`."""
    kind: str
    first: int
    count: int
    digest: str | None

    @property
    def end(self) -> int:
        """The first deal after it."""
        return self.first + self.count


def folder_to_write(path: Path) -> "Folder":
    """A folder for results, made if need be and cleared of what a killed run left behind."""
    path.mkdir(parents=True, exist_ok=True)
    folder = Folder(path)
    folder.clear()
    return folder


class Folder:
    """A folder of shards in hive folders by mode; nothing else lies in it between two runs."""

    def __init__(self, path: Path) -> None:
        """Look at a folder that exists, and change nothing.

        Raises `BatchError` for a Parquet file that is no shard, `OSError` if it cannot be read.
        """
        self.path = path
        self._rows: dict[tuple[str, str], list[Piece]] = {}
        self._left_behind: list[Path] = []
        for mode in sorted(path.iterdir()):
            if mode.name.startswith("mode="):
                self._look_at(mode)
        for rows in self._rows.values():
            rows.sort(key=lambda piece: (piece.first, piece.end))
            for piece, after in pairwise(rows):
                if piece.digest is None and after.first < piece.end:
                    raise BatchError(
                        f"{path / piece.path} and {path / after.path} hold the same deals; "
                        "remove one of them"
                    )

    def _look_at(self, mode: Path) -> None:
        for entry in sorted(mode.iterdir()):
            partial = _PARTIAL.fullmatch(entry.name)
            if partial is not None:
                if is_left_behind(entry, partial["host"], int(partial["process"])):
                    self._left_behind.append(entry)
            elif entry.suffix == ".parquet":
                match = _NAME.fullmatch(entry.name)
                if match is None:
                    raise BatchError(f"{entry} is no shard of a batch; results need a folder alone")
                piece = Piece(
                    f"{mode.name}/{entry.name}",
                    match["kind"],
                    int(match["first"]),
                    int(match["count"]),
                    match["digest"],
                )
                self._rows.setdefault((mode.name, piece.kind), []).append(piece)

    def clear(self) -> None:
        """Remove the parts of files that a killed run left behind."""
        for path in self._left_behind:
            path.unlink(missing_ok=True)
        self._left_behind.clear()

    def pieces(self) -> Iterator[Piece]:
        """All files, in the order of their names."""
        for key in sorted(self._rows):
            yield from self._rows[key]

    def metadata(self, piece: Piece) -> dict[bytes, bytes]:
        """The metadata of a file's schema. Raises `BatchError` if it is no whole results file."""
        with open_results(self.path / piece.path) as file:
            metadata: dict[bytes, bytes] = file.schema_arrow.metadata
        return metadata

    def check(self, settings: Settings, names: tuple[str, ...]) -> None:
        """Raise `BatchError` if a file was made with other settings, of those that are named."""
        for piece in self.pieces():
            differences = settings.differences(self.metadata(piece), names)
            if differences:
                raise BatchError(
                    f"{self.path / piece.path} was made with {'; '.join(differences)}: "
                    "use another folder, or --force to have both in one"
                )

    def missing(self, shard: Shard) -> Iterator[Shard]:
        """The parts of a shard that no file holds.

        Raises `BatchError` if deals of another list are in its place.
        """
        rows = self._rows.get((shard.folder, shard.kind), [])
        path = shard.path
        if shard.items is not None and any(piece.path == path for piece in rows):
            return
        if shard.count == 0:
            yield shard
        at, done = 0, shard.first
        if shard.items is None:
            # Files of ranges do not overlap, so at most one that begins earlier reaches the shard.
            at = max(bisect_left(rows, done, key=lambda piece: piece.first) - 1, 0)
        for piece in takewhile(lambda piece: piece.first < shard.end, islice(rows, at, None)):
            if piece.end <= shard.first:
                continue
            if not _is_of(piece, shard):
                raise BatchError(
                    f"{self.path / piece.path} holds deals of another list in the place of "
                    f"{shard.name}, or of this one by another --shard-size; use another folder"
                )
            if piece.first > done:
                yield shard.part(done, piece.first)
            done = max(done, piece.end)
        if done < shard.end:
            yield shard.part(done, shard.end)

    def write(self, path: str, data: bytes) -> None:
        """Put a file in its place, whole or not at all."""
        place = self.path / path
        place.parent.mkdir(exist_ok=True)
        with whole_file(place) as stream:
            stream.write(data)


def aside_of(place: Path) -> Path:
    """Where this process writes what is to be renamed to `place`.

    It is hidden, and in the same folder, thus on the same file system.
    """
    return place.with_name(f".{place.name}.{socket.gethostname()}-{os.getpid()}.partial")


@contextlib.contextmanager
def whole_file(place: Path) -> Iterator[BinaryIO]:
    """A file to write aside; at the end it is on the disk and is renamed into place.

    After an exception nothing is left of it.
    """
    aside = aside_of(place)
    try:
        with aside.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        aside.replace(place)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise
    if os.name == "posix":
        folder = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _is_of(piece: Piece, shard: Shard) -> bool:
    """Whether a file holds deals of the same row of deals as a shard that it overlaps."""
    if piece.digest is None:
        return True
    is_within = shard.first <= piece.first and piece.end <= shard.end
    return is_within and piece.digest == shard.part(piece.first, piece.end).digest


def is_left_behind(partial: Path, host: str, process: int) -> bool:
    """Whether whoever wrote this part of a file is gone."""
    if host == socket.gethostname() and os.name == "posix":
        if process == os.getpid():
            return True
        with contextlib.suppress(PermissionError):
            try:
                os.kill(process, 0)
            except ProcessLookupError:
                return True
        return False
    try:
        return time.time() - partial.stat().st_mtime > STALE_SECONDS
    except FileNotFoundError:
        return False
