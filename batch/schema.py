"""The columns of a results file, the same whatever is in the rows; files read and as bytes."""

import contextlib
import io
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ..rating.level import Level
from .settings import FORMAT, KEY, BatchError, read_settings

NAME = pa.dictionary(pa.int32(), pa.string())
"""A text that many rows have in common."""
LEVEL = pa.dictionary(pa.int32(), pa.string(), ordered=True)
"""Levels of difficulty; each file holds them all, from the easiest."""
LEVELS = pa.array([level.value for level in Level])
COMPRESSION = "zstd"


class DamagedError(BatchError):
    """A file that is not what its name says, or that cannot be read to its end."""

    def __init__(self, what: str) -> None:
        """Take what is wrong, beginning with the path."""
        super().__init__(f"{what}; the same dsol batch as before makes it anew")
        self.what = what


def field_of(name: str, kind: pa.DataType, doc: str, nullable: bool = True) -> pa.Field:
    """A column with a line on what it holds."""
    return pa.field(name, kind, nullable, metadata={"doc": doc})


SCHEMA = pa.schema(
    [
        field_of("code", pa.string(), "code or pysol:N; null for a deal from a file"),
        field_of("deal_number", pa.int64(), "number in our dealing scheme; null for other deals"),
        field_of("cards", pa.string(), "JSON of the cards, for a deal from a file; else null"),
        field_of("game", NAME, "DS1: Double Solitaire, KL1: Klondike", False),
        field_of("draw", pa.int8(), "cards turned at a draw: 1 or 3", False),
        field_of("scoring", NAME, "N: Normal, unlimited redeals; V: Vegas, one pass", False),
        field_of("verdict", NAME, "winnable; unwinnable: a proof; unknown: a limit was hit", False),
        field_of(
            "reason", pa.string(), "how the verdict is known, or the limit that was hit", False
        ),
        field_of("winnable_without_take_back", pa.bool_(), "null where it is not known"),
        field_of("score_low", pa.int32(), "a score reached without taking back, points or dollars"),
        field_of("score_high", pa.int32(), "a score proved not to be exceeded without taking back"),
        field_of("score_proved", pa.bool_(), "whether score_low and score_high meet"),
        field_of("won", pa.bool_(), "whether the list of moves wins; null without a list"),
        field_of("score", pa.int32(), "score of the list of moves, points or dollars"),
        field_of("cards_up", pa.int16(), "cards on the foundations at the end of the list"),
        field_of("recycles", pa.int32(), "recycles in the list"),
        field_of("move_count", pa.int32(), "moves in the list, draws and recycles too"),
        field_of("moves", pa.string(), "the list, replayed by the referee, with spaces between"),
        field_of("nodes", pa.int64(), "positions generated", False),
        field_of("seconds", pa.float64(), "time taken; null with --no-timing"),
        field_of(
            "difficulty", pa.float32(), "0 to 100; null where not rated, for N if not winnable"
        ),
        field_of("level", LEVEL, "the difficulty in a word, in order from the easiest"),
        field_of("win_rate_casual", pa.float32(), "share of games that a casual player wins"),
        field_of("win_rate_careful", pa.float32(), "share of games that a careful player wins"),
        field_of("win_rate_expert", pa.float32(), "share of games that an expert wins"),
        field_of("solver", NAME, "version of the solver", False),
        field_of("limit_nodes", pa.int64(), "positions a deal might cost; null: no limit"),
        field_of("limit_seconds", pa.float64(), "seconds a deal might cost; null: no limit"),
        field_of("limit_memory", pa.int64(), "bytes a deal might cost", False),
        field_of("win_rate_fast", pa.float32(), "share of games that a fast player wins"),
        field_of(
            "dollars_casual", pa.float32(), "mean dollars of a casual player, in Vegas scoring"
        ),
        field_of("dollars_careful", pa.float32(), "those of a careful player"),
        field_of("dollars_fast", pa.float32(), "those of a fast player"),
        field_of("above_zero_casual", pa.float32(), "share of a casual player's games above $0"),
        field_of("above_zero_careful", pa.float32(), "that of a careful player"),
        field_of("above_zero_fast", pa.float32(), "that of a fast player"),
    ]
)
FORMAT_1 = pa.schema(list(SCHEMA)[: SCHEMA.get_field_index("win_rate_fast")])
"""The columns of format 1; those that it lacks are null where its files are read."""
OLD_SCHEMA = FORMAT_1.set(
    FORMAT_1.get_field_index("level"), FORMAT_1.field("level").with_type(NAME)
)
"""The columns of version 0.1.0: the levels have no order."""


def to_table(columns: Mapping[str, Sequence[Any]], metadata: Mapping[bytes, bytes]) -> pa.Table:
    """The rows as a table; a column has a value, or None, for each of them."""
    schema = SCHEMA.with_metadata(metadata)
    arrays = [
        _levels(pa.array(columns[field.name], pa.string()))
        if field.type == LEVEL
        else pa.array(columns[field.name], field.type)
        for field in schema
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def encode(columns: Mapping[str, Sequence[Any]], metadata: Mapping[bytes, bytes]) -> bytes:
    """A whole Parquet file; equal columns and metadata give equal bytes."""
    sink = io.BytesIO()
    table = to_table(columns, metadata)
    pq.write_table(table, sink, compression=COMPRESSION, write_page_checksum=True)
    return sink.getvalue()


def read_batches(
    file: pq.ParquetFile, rows: int, columns: Sequence[str] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of a results file, so many at a time, with the columns of this version.

    Raises `ValueError` if there are fewer than the file says: of a column that begins elsewhere by
    damage pyarrow reads no row and says nothing.
    """
    left = file.metadata.num_rows
    for batch in file.iter_batches(rows, columns=columns):
        left -= batch.num_rows
        yield _of_this_version(batch, columns is None)
    if left:
        raise ValueError(f"{left} rows are missing")


def _of_this_version(batch: pa.RecordBatch, is_whole: bool) -> pa.RecordBatch:
    """Rows with the columns of this version, all of them if there are all of the file's."""
    place = batch.schema.get_field_index("level")
    if place >= 0:
        # Files of version 0.1.0 have another dictionary, and those without rows have none.
        levels = _levels(batch.column(place).cast(pa.string()))
        batch = batch.set_column(place, SCHEMA.field("level"), levels)
    if is_whole:
        for field in list(SCHEMA)[batch.num_columns :]:
            batch = batch.append_column(field, pa.nulls(batch.num_rows, field.type))
    return batch


def read_table(file: pq.ParquetFile) -> pa.Table:
    """All rows of a results file, with the columns of this version."""
    schema = SCHEMA.with_metadata(file.schema_arrow.metadata)
    return pa.Table.from_batches(read_batches(file, max(file.metadata.num_rows, 1)), schema)


def _levels(names: pa.Array) -> pa.DictionaryArray:
    """Names of levels, or null, as numbers in their order."""
    return pa.DictionaryArray.from_arrays(
        pc.index_in(names, LEVELS).cast(pa.int32()), LEVELS, ordered=True
    )


@contextlib.contextmanager
def open_results(path: Path | str, data: bytes | None = None) -> Iterator[pq.ParquetFile]:
    """The results file at a path, or these bytes of it, only to be read in the `with` block.

    Raises `DamagedError` if the file is no whole file of results, also where that shows only as it
    is read, and `BatchError` if a version with other columns wrote it; both begin with the path.
    """
    source = path if data is None else io.BytesIO(data)
    try:
        with pq.ParquetFile(source, page_checksum_verification=True) as file:
            schema = file.schema_arrow
            if KEY not in (schema.metadata or {}):
                raise DamagedError(f"{path} was not written by dsol batch")
            settings = read_settings(schema.metadata)
            if not any(map(schema.equals, (SCHEMA, FORMAT_1, OLD_SCHEMA))):
                what = f"{path} has other columns than files of this version of dsol"
                if settings.get("format") == FORMAT:
                    raise DamagedError(what)
                raise BatchError(what)
            yield file
    except BatchError:
        raise
    except (OSError, ValueError, pa.ArrowException) as error:
        # Errors of the system, such as a missing right, have a number; those of pyarrow have none.
        if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
            raise
        raise DamagedError(f"{path} is no whole Parquet file of results") from None


def decode(
    data: bytes, path: Path | str = "the file"
) -> tuple[dict[str, list[Any]], dict[bytes, bytes]]:
    """The columns of a file and the metadata of its schema; raises as `open_results` does."""
    with open_results(path, data) as file:
        table = read_table(file)
        return table.to_pydict(), table.schema.metadata
