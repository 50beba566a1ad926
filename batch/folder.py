"""The folder of results: which shards are there, and how a file gets in whole or not at all."""

import contextlib
import os
import re
import socket
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import count, islice, takewhile
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..engine.rules import REGISTRY
from .jobs import Begun, Counts
from .schema import SCHEMA, DamagedError, open_results, read_batches
from .settings import KEY, BatchError, Settings
from .shards import Shard, digest_of

_NAME = re.compile(
    r"(?P<kind>[A-Z0-9]+(?:-list)?)-(?P<first>\d{11})-(?P<count>\d{7,})"
    r"(?:-(?P<digest>[0-9a-f]{12}))?\.parquet"
)
_PARTIAL = re.compile(r"\..+\.parquet(?:\.part)?\.(?P<host>[^.].*)-(?P<process>\d+)\.partial")
_KEPT_ASIDE = re.compile(r"_.+\.damaged(?:-\d+)?")
_MODES = frozenset(f"mode={rules.mode}" for rules in REGISTRY.values())
CHECKED_ROWS = 1 << 16
"""Rows of a file that are looked at in one go, to see whether it is whole. By hand: some
megabytes."""
PART = ".part"
"""Ends the name of a file with the first rows of a shard; before it is `_`, as readers of
folders of Parquet files pass over such names."""
STALE_SECONDS = 3600
"""Age at which a part of a file of another host counts as left behind. By hand; one is
written in seconds."""
STRAYS_NAMED = 3
"""How many things that are no results are named; the others are counted."""

Say = Callable[[str], None]
"""Told what a person should know of, a line each."""


def to_nobody(line: str) -> None:
    """A `Say` that drops what it is told."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A file of the folder, as its name tells."""

    path: str
    """Path in the folder, with `/`."""
    kind: str
    first: int
    count: int
    digest: str | None
    skip: int = 0
    """Rows at its start that an earlier file holds, too; they do not count."""

    @property
    def begin(self) -> int:
        """The first deal of it that counts."""
        return self.first + self.skip

    @property
    def end(self) -> int:
        """The first deal after it."""
        return self.first + self.count

    @property
    def rows(self) -> int:
        """Number of rows that count."""
        return self.count - self.skip

    @property
    def mode(self) -> str:
        """Name of the hive folder that it lies in."""
        return self.path.split("/")[0]


def folder_to_write(path: Path, say: Say = to_nobody) -> "Folder":
    """A folder for results, made if need be and cleared of what a killed run left behind."""
    path.mkdir(parents=True, exist_ok=True)
    folder = Folder(path, say)
    folder.clear()
    return folder


class Folder:
    """A folder of shards in hive folders by mode.

    A file is there under its name only if it is whole. Beside it may lie, under names that
    begin with `_`, the first rows of shards that a run did not finish (`PART`), and damaged
    files that were kept aside. What else lies there is left alone.
    """

    def __init__(self, path: Path, say: Say = to_nobody) -> None:
        """Look at a folder that exists, and change nothing. Raises `OSError` if it cannot be read.

        `say` is told of things that are no results, and of deals that are there twice.
        """
        self.path = path
        self._say = say
        self._rows: dict[tuple[str, str], list[Piece]] = {}
        self._parts: dict[tuple[str, str], list[Piece]] = {}
        self._found: dict[str, Counts] = {}
        self._left_behind: list[Path] = []
        strays: list[str] = []
        for mode in sorted(path.iterdir()):
            if mode.name in _MODES:
                strays += self._look_at(mode)
            else:
                strays.append(mode.name)
        if strays:
            more = len(strays) - STRAYS_NAMED
            names = ", ".join(map(repr, strays[:STRAYS_NAMED])) + (f", {more} more" * (more > 0))
            say(f"{path}: no results of a batch, and left alone: {names}")
        for key, rows in self._rows.items():
            self._rows[key] = self._once(rows)

    def _look_at(self, mode: Path) -> Iterator[str]:
        """Take note of the files of a mode; the names of those that are no results."""
        for entry in sorted(mode.iterdir()):
            name = f"{mode.name}/{entry.name}"
            partial = _PARTIAL.fullmatch(entry.name)
            piece = _piece(name, entry.name)
            part = _piece(name, entry.name[1 : -len(PART)])
            if partial is not None:
                if is_left_behind(entry, partial["host"], int(partial["process"])):
                    self._left_behind.append(entry)
            elif piece is not None:
                self._rows.setdefault((mode.name, piece.kind), []).append(piece)
            elif part is not None and entry.name == _part_name(entry.name[1 : -len(PART)]):
                self._parts.setdefault((mode.name, part.kind), []).append(part)
            elif _KEPT_ASIDE.fullmatch(entry.name) is None:
                yield name

    def _once(self, rows: list[Piece]) -> list[Piece]:
        """The files in order, without those whose deals others hold; says which these are."""
        kept: list[Piece] = []
        last: Piece | None = None
        for piece in sorted(rows, key=lambda piece: (piece.first, -piece.end)):
            if piece.digest is not None:
                kept.append(piece)
                continue
            twice = 0
            if last is not None and last.end > piece.first:
                twice = min(last.end - piece.first, piece.count)
                self._say(
                    f"{self.path / piece.path}: {twice} of its {piece.count} deals are in "
                    f"{last.path}, too; they count once"
                )
            if twice < piece.count or not piece.count:
                last = replace(piece, skip=twice)
                kept.append(last)
        return kept

    def clear(self) -> None:
        """Remove the parts of files that a killed run left behind."""
        for path in self._left_behind:
            path.unlink(missing_ok=True)
        self._left_behind.clear()

    def pieces(self) -> Iterator[Piece]:
        """All files, in the order of their names."""
        for key in sorted(self._rows):
            yield from self._rows[key]

    @contextlib.contextmanager
    def open(self, piece: Piece) -> Iterator[pq.ParquetFile]:
        """A file, only to be read in the `with` block; raises as `open_results` does.

        A file that holds other deals than its name says is damaged, too.
        """
        path = self.path / piece.path
        with open_results(path) as file:
            if not _agrees(file.metadata, piece):
                raise DamagedError(f"{path} holds other deals than its name says")
            yield file

    def check(self, settings: Settings, names: tuple[str, ...]) -> None:
        """Raise `BatchError` if a file was made with other settings, of those that are named."""
        for piece in self.pieces():
            try:
                with self.open(piece) as file:
                    metadata = file.schema_arrow.metadata
            except DamagedError:
                # Made anew when its deals are asked for.
                continue
            differences = settings.differences(metadata, names)
            if differences:
                raise BatchError(
                    f"{self.path / piece.path} was made with {'; '.join(differences)}: "
                    "use another folder, or --force to have both in one"
                )

    def found(self) -> Counts:
        """The deals in the files that `missing` has looked into, and in what `begun` gave."""
        return sum(self._found.values(), Counts())

    def _is_sound(self, piece: Piece) -> bool:
        """Whether a file can be read to its end; if not, it is kept aside, and that is said."""
        if piece.path in self._found:
            return True
        try:
            with self.open(piece) as file:
                counts = Counts()
                deals: list[str] = []
                for batch in read_batches(file, CHECKED_ROWS):
                    verdicts = pc.value_counts(batch["verdict"].cast(pa.string())).to_pylist()
                    counts += Counts(**{each["values"]: each["counts"] for each in verdicts})
                    if piece.digest is not None:
                        deals += pc.coalesce(batch["code"], batch["cards"]).to_pylist()
            if piece.digest not in (None, digest_of(deals)):
                raise DamagedError(f"{self.path / piece.path} holds other deals than its name says")
        except DamagedError as error:
            aside = self._keep_aside(piece)
            self._say(f"{error.what}; it is kept as {aside}, and its deals are searched again")
            return False
        self._found[piece.path] = counts
        return True

    def _keep_aside(self, piece: Piece) -> str:
        """Give a damaged file another name, which no reader of the folder takes up."""
        path = self.path / piece.path
        for number in count(1):
            ending = ".damaged" if number == 1 else f".damaged-{number}"
            aside = path.with_name("_" + path.name.removeprefix("_") + ending)
            if not aside.exists():
                break
        path.replace(aside)
        return aside.name

    def missing(self, shard: Shard) -> Iterator[Shard]:
        """The parts of a shard that no file holds; damaged files of it are kept aside first.

        Raises `BatchError` if deals of another list are in its place.
        """
        rows = self._rows.get((shard.folder, shard.kind), [])
        if shard.items is not None:
            whole = [piece for piece in rows if piece.path == shard.path]
            if whole and all(map(self._is_sound, whole)):
                return
            rows = [piece for piece in rows if piece not in whole]
        if shard.count == 0:
            yield shard
        at, done = 0, shard.first
        if shard.items is None:
            # At most one file that begins earlier reaches a shard of a range: see `_once`.
            at = max(bisect_left(rows, done, key=lambda piece: piece.first) - 1, 0)
        for piece in takewhile(lambda piece: piece.first < shard.end, islice(rows, at, None)):
            if piece.end <= shard.first:
                continue
            if not _is_of(piece, shard):
                raise BatchError(
                    f"{self.path / piece.path} holds deals of another list in the place of "
                    f"{shard.name}, or of this one by another --shard-size; use another folder"
                )
            if not self._is_sound(piece):
                continue
            if piece.first > done:
                yield shard.part(done, piece.first)
            done = max(done, piece.end)
        if done < shard.end:
            yield shard.part(done, shard.end)

    def begun(self, shard: Shard, settings: Settings) -> Begun | None:
        """A shard with the rows of its first deals that a run with these settings has kept."""
        found = [
            part
            for part in self._parts.get((shard.folder, shard.kind), [])
            if part.first == shard.first and part.end <= shard.end and _is_of(part, shard)
        ]
        for part in sorted(found, key=lambda part: -part.count):
            if self._is_sound(part):
                with self.open(part) as file:
                    same = file.schema_arrow.metadata[KEY] == settings.metadata()[KEY]
                if same:
                    return Begun(shard, (self.path / part.path).read_bytes(), part.count)
                del self._found[part.path]
        return None

    def write(self, shard: Shard, data: bytes) -> None:
        """Put the file of a shard in its place, and remove the parts of it."""
        self.replace(shard.path, data)
        self.forget(shard)

    def keep(self, shard: Shard, done: int, data: bytes) -> None:
        """Keep the rows of the first deals of a shard, in place of those kept before."""
        first = shard.part(shard.first, shard.first + done)
        path = f"{shard.folder}/{_part_name(first.name)}"
        part = Piece(path, shard.kind, first.first, first.count, first.digest)
        self.replace(path, data)
        parts = self._parts.setdefault((shard.folder, shard.kind), [])
        if part in parts:
            parts.remove(part)
        self.forget(first)
        parts.append(part)

    def forget(self, shard: Shard) -> None:
        """Remove the kept rows of deals of this shard."""
        parts = self._parts.get((shard.folder, shard.kind), [])
        for part in list(parts):
            if shard.first <= part.first and part.end <= shard.end and _is_of(part, shard):
                (self.path / part.path).unlink(missing_ok=True)
                parts.remove(part)

    def replace(self, path: str, data: bytes) -> None:
        """Put a file in its place, whole or not at all."""
        place = self.path / path
        place.parent.mkdir(exist_ok=True)
        with whole_file(place) as stream:
            stream.write(data)


def _piece(path: str, name: str) -> Piece | None:
    """What a name of a file says; None if it is no shard's."""
    match = _NAME.fullmatch(name)
    if match is None:
        return None
    return Piece(path, match["kind"], int(match["first"]), int(match["count"]), match["digest"])


def _part_name(name: str) -> str:
    """The name under which rows are kept that would, as a file of their own, have this name."""
    return f"_{name}{PART}"


def _agrees(metadata: pq.FileMetaData, piece: Piece) -> bool:
    """Whether a file holds the deals that its name says, by the extremes of its columns."""
    if metadata.num_rows != piece.count:
        return False
    mode = piece.mode.removeprefix("mode=")
    extremes: dict[str, tuple[Any, Any]] = {
        "game": (piece.kind.removesuffix("-list"),) * 2,
        "draw": (int(mode[1]),) * 2,
        "scoring": (mode[2],) * 2,
    }
    if piece.digest is None:
        extremes["deal_number"] = (piece.first, piece.end - 1)
    groups = [metadata.row_group(at) for at in range(metadata.num_row_groups)]
    for name, (least, most) in extremes.items():
        column = SCHEMA.get_field_index(name)
        found = [group.column(column).statistics for group in groups if group.num_rows]
        if any(each is None or not each.has_min_max for each in found):
            continue
        if any(each.min < least or each.max > most for each in found):
            return False
    return True


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
