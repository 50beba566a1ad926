"""The folder of results: which shards are there, and how a file gets in whole or not at all."""

import contextlib
import os
import re
import socket
import time
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

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
            rows.sort(key=lambda piece: (piece.first, -piece.count))
            self._drop_contained(rows)

    def _look_at(self, mode: Path) -> None:
        for entry in sorted(mode.iterdir()):
            partial = _PARTIAL.fullmatch(entry.name)
            if partial is not None:
                if _is_left_behind(entry, partial["host"], int(partial["process"])):
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

    def _drop_contained(self, rows: list[Piece]) -> None:
        """Leave out files whose deals a larger one holds too.

        A run was killed between the two steps of replacing them.
        """
        kept: list[Piece] = []
        for piece in rows:
            if kept and piece.end <= kept[-1].end:
                self._left_behind.append(self.path / piece.path)
            else:
                kept.append(piece)
        rows[:] = kept

    def clear(self) -> None:
        """Remove what a killed run left behind: parts of files, and files that were replaced."""
        for path in self._left_behind:
            path.unlink(missing_ok=True)
        self._left_behind.clear()

    def pieces(self) -> Iterator[Piece]:
        """All files, in the order of their names."""
        for key in sorted(self._rows):
            yield from self._rows[key]

    def metadata(self, piece: Piece) -> dict[bytes, bytes] | None:
        """The metadata of a file's schema. Raises `BatchError` if it is no whole Parquet file."""
        path = self.path / piece.path
        try:
            metadata: dict[bytes, bytes] | None = pq.read_schema(path).metadata
        except pa.ArrowInvalid:
            raise BatchError(f"{path} is no whole Parquet file; remove it") from None
        return metadata

    def check(self, settings: Settings, names: tuple[str, ...]) -> None:
        """Raise `BatchError` if a file was made with other settings, of those that are named."""
        for piece in self.pieces():
            try:
                differences = settings.differences(self.metadata(piece), names)
            except BatchError as error:
                raise BatchError(f"{self.path / piece.path}: {error}") from None
            if differences:
                raise BatchError(
                    f"{self.path / piece.path} was made with {'; '.join(differences)}: "
                    "use another folder, or --force to have both in one"
                )

    def plan(self, shard: Shard, force: bool = False) -> list[Piece] | None:
        """The files a shard would replace, parts of it as a rule; None if it is there already.

        Raises `BatchError`, unless `force`, if its deals are there in files that hold others too.
        """
        rows = self._rows.get((shard.folder, shard.kind), [])
        end = shard.first + shard.count
        at = max(bisect_right(rows, shard.first, key=lambda piece: piece.first) - 1, 0)
        rivals = []
        while at < len(rows) and rows[at].first < max(end, shard.first + 1):
            piece = rows[at]
            if _holds(piece, shard):
                return None
            if piece.end > shard.first or piece.first == shard.first:
                rivals.append(piece)
            at += 1
        for piece in rivals:
            if not (force or _is_part(piece, shard)):
                raise BatchError(
                    f"{self.path / piece.path} holds some of the deals of {shard.name} and others "
                    "too: another list, or ranges cut in another way; use another folder, or "
                    "--force to replace it"
                )
        return rivals

    def write(self, path: str, data: bytes, replaced: list[Piece]) -> None:
        """Put a file in its place, whole or not at all, and then remove those it replaces."""
        place = self.path / path
        place.parent.mkdir(exist_ok=True)
        with whole_file(place) as stream:
            stream.write(data)
        for piece in replaced:
            if piece.path != path:
                (self.path / piece.path).unlink(missing_ok=True)


@contextlib.contextmanager
def whole_file(place: Path) -> Iterator[BinaryIO]:
    """A file to write aside; at the end it is on the disk and is renamed into place.

    Aside is a hidden file in the same folder, thus on the same file system. After an
    exception nothing is left of it.
    """
    aside = place.with_name(f".{place.name}.{socket.gethostname()}-{os.getpid()}.partial")
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


def _holds(piece: Piece, shard: Shard) -> bool:
    """Whether a file holds all deals of a shard."""
    if shard.items is not None:
        return piece.path == shard.path
    return piece.first <= shard.first and shard.first + shard.count <= piece.end


def _is_part(piece: Piece, shard: Shard) -> bool:
    """Whether a shard holds all deals of a file."""
    if shard.items is not None:
        return piece.first == shard.first and piece.digest == shard.digest(piece.count)
    return shard.first <= piece.first and piece.end <= shard.first + shard.count


def _is_left_behind(partial: Path, host: str, process: int) -> bool:
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
