"""Merging the many files of a batch into few large ones, in another folder."""

import glob
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .folder import Folder, Piece, Say, aside_of, is_left_behind, to_nobody, whole_file
from .schema import COMPRESSION, SCHEMA, read_table
from .settings import KEY, BatchError
from .shards import digest_of, file_name

FILE_ROWS = 5_000_000
"""Rows in a merged file at most, unless a single file has more. By hand, as the next: files of some
hundred megabytes, and groups of some."""
GROUP_ROWS = 100_000
"""Rows in a row group: what a reader takes into memory at a time."""


@dataclass(slots=True)
class Merged:
    """What was merged."""

    files_read: int = 0
    files_written: int = 0
    rows: int = 0


def compact(source: Path, target: Path, file_rows: int = FILE_ROWS, say: Say = to_nobody) -> Merged:
    """Merge neighbouring files of one mode and the same settings; rows keep their order.

    The files are written into a hidden folder beside the target, which is renamed at the
    end, so that a target that is there is whole. Raises `BatchError` if the source holds no
    results or a damaged file of them, and if anything is in the target. `say` is as for
    `Folder`.
    """
    if target.exists() and any(target.iterdir()):
        raise BatchError(f"{target} is not empty; merge into a new folder")
    folder = Folder(source, say)
    groups = list(_groups(folder, file_rows))
    if not groups:
        raise BatchError(f"{source} holds no results of dsol batch")
    target = target.resolve()
    target.parent.mkdir(parents=True, exist_ok=True)
    _clear(target)
    aside = aside_of(target)
    merged = Merged()
    try:
        for group in groups:
            path = aside / group[0].path
            path = path.with_name(_name(folder, group))
            path.parent.mkdir(parents=True, exist_ok=True)
            merged.rows += _merge(folder, group, path)
            merged.files_read += len(group)
            merged.files_written += 1
        if target.exists():
            target.rmdir()
        aside.rename(target)
    except BaseException:
        shutil.rmtree(aside, ignore_errors=True)
        raise
    return merged


def _clear(target: Path) -> None:
    """Remove the hidden folders of runs that were killed."""
    for aside in target.parent.glob(f".{glob.escape(target.name)}.*.partial"):
        host, _, process = aside.name[len(target.name) + 2 : -len(".partial")].rpartition("-")
        if process.isdecimal() and is_left_behind(aside, host, int(process)):
            shutil.rmtree(aside)


def _groups(folder: Folder, file_rows: int) -> Iterator[list[Piece]]:
    """Files to merge into one: neighbours, without a gap, made with the same settings."""
    group: list[Piece] = []
    key = None
    for piece in folder.pieces():
        with folder.open(piece) as file:
            its_key = (piece.mode, piece.kind, file.schema_arrow.metadata[KEY])
        rows = sum(each.rows for each in group)
        if group and (
            its_key != key or piece.begin != group[-1].end or rows + piece.rows > file_rows
        ):
            yield group
            group = []
        key = its_key
        group.append(piece)
    if group:
        yield group


def _name(folder: Folder, group: list[Piece]) -> str:
    """The name that a batch would give the merged file, a list's by its deals (`Shard.digest`)."""
    first, digest = group[0], None
    if first.digest is not None:
        deals: list[str] = []
        for piece in group:
            with folder.open(piece) as file:
                table = file.read(["code", "cards"])
                deals += pc.coalesce(table["code"], table["cards"]).to_pylist()
        digest = digest_of(deals)
    return file_name(first.kind, first.begin, sum(piece.rows for piece in group), digest)


def _merge(folder: Folder, group: list[Piece], target: Path) -> int:
    """Write the rows of some files into one; the number of rows."""
    rows = 0
    waiting: list[pa.Table] = []
    with folder.open(group[0]) as first:
        schema = SCHEMA.with_metadata(first.schema_arrow.metadata)
    with (
        whole_file(target) as stream,
        pq.ParquetWriter(
            stream, schema, compression=COMPRESSION, write_page_checksum=True
        ) as writer,
    ):
        for place, piece in enumerate(group, 1):
            with folder.open(piece) as part:
                table = read_table(part).slice(piece.skip)
            rows += len(table)
            waiting.append(table)
            if sum(map(len, waiting)) >= GROUP_ROWS or place == len(group):
                together = pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
                writer.write_table(together, GROUP_ROWS)
                waiting = []
    return rows
