"""Merging the many files of a batch into few large ones, in another folder."""

import glob
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .folder import Folder, Piece, aside_of, is_left_behind, whole_file
from .schema import COMPRESSION, SCHEMA, open_results, read_table
from .settings import KEY, BatchError
from .shards import digest_of, file_name

FILE_ROWS = 5_000_000
"""Rows in a merged file at most, unless a single file has more."""
GROUP_ROWS = 100_000
"""Rows in a row group: what a reader takes into memory at a time."""


@dataclass(slots=True)
class Merged:
    """What was merged."""

    files_read: int = 0
    files_written: int = 0
    rows: int = 0


def compact(source: Path, target: Path, file_rows: int = FILE_ROWS) -> Merged:
    """Merge neighbouring files of one mode and the same settings; rows keep their order.

    The files are written into a hidden folder beside the target, which is renamed at the
    end, so that a target that is there is whole. Raises `BatchError` if the source holds no
    results or a file that is none, and if anything is in the target.
    """
    if target.exists() and any(target.iterdir()):
        raise BatchError(f"{target} is not empty; merge into a new folder")
    groups = list(_groups(source, file_rows))
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
            path = path.with_name(_name(source, group))
            path.parent.mkdir(parents=True, exist_ok=True)
            merged.rows += _merge([source / piece.path for piece in group], path)
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


def _groups(source: Path, file_rows: int) -> Iterator[list[Piece]]:
    """Files to merge into one: neighbours, without a gap, made with the same settings."""
    group: list[Piece] = []
    key = None
    for piece in Folder(source).pieces():
        its_key = (piece.path.split("/")[0], piece.kind, _settings(source, piece))
        rows = sum(each.count for each in group)
        if group and (
            its_key != key or piece.first != group[-1].end or rows + piece.count > file_rows
        ):
            yield group
            group = []
        key = its_key
        group.append(piece)
    if group:
        yield group


def _settings(source: Path, piece: Piece) -> bytes:
    """The settings in a file. Raises `BatchError` if its name says another number of deals."""
    path = source / piece.path
    with open_results(path) as file:
        rows: int = file.metadata.num_rows
        settings: bytes = file.schema_arrow.metadata[KEY]
    if rows != piece.count:
        raise BatchError(f"{path} has {rows} rows where its name says {piece.count}; remove it")
    return settings


def _name(source: Path, group: list[Piece]) -> str:
    """The name that a batch would give the merged file, a list's by its deals (`Shard.digest`)."""
    first, digest = group[0], None
    if first.digest is not None:
        deals: list[str] = []
        for piece in group:
            with open_results(source / piece.path) as file:
                table = file.read(["code", "cards"])
                deals += pc.coalesce(table["code"], table["cards"]).to_pylist()
        digest = digest_of(deals)
    return file_name(first.kind, first.first, sum(piece.count for piece in group), digest)


def _merge(sources: list[Path], target: Path) -> int:
    """Write the rows of some files into one; the number of rows."""
    rows = 0
    waiting: list[pa.Table] = []
    with open_results(sources[0]) as first:
        schema = SCHEMA.with_metadata(first.schema_arrow.metadata)
    with (
        whole_file(target) as stream,
        pq.ParquetWriter(stream, schema, compression=COMPRESSION) as writer,
    ):
        for place, source in enumerate(sources, 1):
            with open_results(source) as part:
                table = read_table(part)
            rows += len(table)
            waiting.append(table)
            if sum(map(len, waiting)) >= GROUP_ROWS or place == len(sources):
                together = pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
                writer.write_table(together, GROUP_ROWS)
                waiting = []
    return rows
