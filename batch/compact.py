"""Merging the many files of a batch into few large ones, in another folder."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .folder import Folder, Piece, folder_to_write, whole_file
from .schema import COMPRESSION
from .settings import BatchError

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

    A range of deals stays one for a later batch, which finds it done in the new folder
    too. Raises `BatchError` if the source holds no results, or if the target holds any.
    """
    pieces = Folder(source)
    if any(folder_to_write(target).pieces()):
        raise BatchError(f"{target} holds results already; merge into a new folder")
    merged = Merged()
    for group in _groups(pieces, file_rows):
        path = target / group[0].path
        path = path.with_name(_name(group))
        path.parent.mkdir(exist_ok=True)
        merged.rows += _merge([source / piece.path for piece in group], path)
        merged.files_read += len(group)
        merged.files_written += 1
    if not merged.files_read:
        raise BatchError(f"{source} holds no results of dsol batch")
    return merged


def _groups(folder: Folder, file_rows: int) -> Iterator[list[Piece]]:
    """Files to merge into one: neighbours, without a gap, made with the same settings."""
    group: list[Piece] = []
    key = None
    for piece in folder.pieces():
        its_key = (piece.path.split("/")[0], piece.kind, folder.metadata(piece))
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


def _name(group: list[Piece]) -> str:
    """The name of a merged file."""
    first, count = group[0].first, sum(piece.count for piece in group)
    digests = [piece.digest for piece in group if piece.digest is not None]
    name = f"{group[0].kind}-{first:011d}-{count:07d}"
    if not digests:
        return f"{name}.parquet"
    if len(digests) == 1:
        return f"{name}-{digests[0]}.parquet"
    return f"{name}-{hashlib.sha256(''.join(digests).encode()).hexdigest()[:12]}.parquet"


def _merge(sources: list[Path], target: Path) -> int:
    """Write the rows of some files into one; the number of rows."""
    schema = pq.read_schema(sources[0])
    rows = 0
    waiting: list[pa.Table] = []
    with (
        whole_file(target) as stream,
        pq.ParquetWriter(stream, schema, compression=COMPRESSION) as writer,
    ):
        for place, source in enumerate(sources, 1):
            with pq.ParquetFile(source) as part:
                table = part.read()
            rows += len(table)
            waiting.append(table)
            if sum(map(len, waiting)) >= GROUP_ROWS or place == len(sources):
                together = pa.concat_tables(waiting).unify_dictionaries().combine_chunks()
                writer.write_table(together, GROUP_ROWS)
                waiting = []
    return rows
