"""Rows of matches for two in Parquet files: a row a game, in a folder that is gone on with.

The deals are cut as those of a batch are (`shards.py`), and a file is there whole or not at all.
"""

import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..engine.codes import Range
from ..engine.rules import Rules
from ..versus.codes import VersusCode
from ..versus.contest import COLUMNS, ENDS, Pair
from ..versus.game import House, Player
from ..versus.playout import NOBODY
from ..versus.positions import AT_ONCE, IN_TURNS
from .folder import whole_file
from .schema import COMPRESSION, NAME, field_of
from .settings import BatchError, sources_version
from .shards import Item, Shard, cut_ranges

FORMAT = 2
"""Raised when the columns change."""
KEY = b"double_solitaire_match"
"""Key of the settings in the metadata of a file's schema."""
PAIRS = 1000
"""Pairs in a file where one takes a millisecond; fewer where a player thinks. By hand, as the next:
a file takes some seconds to some minutes."""
PLAYOUTS = 20_000
"""Play-outs for a decision, of all pairs of a file together."""
_WHO = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        field_of("code", pa.string(), "code of the deal", False),
        field_of("deal_number", pa.int64(), "its number; null for a deal of two numbers"),
        field_of("game", NAME, "DS2", False),
        field_of("draw", pa.int8(), "cards turned at a draw: 1 or 3", False),
        field_of("scoring", NAME, "N: unlimited redeals; V: one pass", False),
        field_of("style", NAME, "alternating or simultaneous", False),
        field_of("turn_rule", NAME, "draw: a draw ends the turn; fits: if it fits nowhere", False),
        field_of("play_on", pa.bool_(), "who is out does not end the game", False),
        field_of("solo_clear", pa.bool_(), "who clears the own columns wins", False),
        field_of("draw_a", pa.int8(), "cards that A turns, if not as the deal says"),
        field_of("draw_b", pa.int8(), "cards that B turns, if not as the deal says"),
        field_of("ahead_a", pa.int8(), "cards that count for A from the start", False),
        field_of("ahead_b", pa.int8(), "cards that count for B from the start", False),
        field_of("first", _WHO, "A or B, who begins; null where both play at once"),
        field_of("seed", pa.int64(), "chance of the players", False),
        field_of("seat", _WHO, "where the first of the two players of the match sits", False),
        field_of("player_a", NAME, "who plays A", False),
        field_of("player_b", NAME, "who plays B", False),
        field_of(
            "playouts", pa.int32(), "games that strong and tree play out for a decision", False
        ),
        field_of("pace_a", pa.float32(), "seconds a card of A; null in turns"),
        field_of("pace_b", pa.float32(), "seconds a card of B; null in turns"),
        field_of("winner", _WHO, "A or B; null without a play to a foundation"),
        field_of("end", NAME, "out, idle, clear or dead; null if it was stopped"),
        field_of("up_a", pa.int16(), "cards of A up in the end", False),
        field_of("up_b", pa.int16(), "cards of B up in the end", False),
        field_of("last", _WHO, "who made the last play to a foundation"),
        field_of("turns", pa.int32(), "turns; both at once: draws and passes", False),
        field_of("moves_a", pa.int32(), "moves of cards by A", False),
        field_of("moves_b", pa.int32(), "moves of cards by B", False),
        field_of("draws_a", pa.int32(), "draws by A", False),
        field_of("draws_b", pa.int32(), "draws by B", False),
        field_of("recycles_a", pa.int32(), "recycles by A", False),
        field_of("recycles_b", pa.int32(), "recycles by B", False),
        field_of("late_a", pa.int32(), "moves of A that came too late; null in turns"),
        field_of("late_b", pa.int32(), "moves of B that came too late; null in turns"),
        field_of("game_seconds", pa.float32(), "time on the clock at the end; null in turns"),
        field_of("adjudicates", pa.bool_(), "the game is over once both are dead", False),
        field_of("thought_a", pa.int64(), "games that A played out, of all decisions", False),
        field_of("thought_b", pa.int64(), "games that B played out, of all decisions", False),
        field_of("solver", NAME, "version of the program", False),
    ]
)
_PLAYERS = ("winner", "last", "first")
"""Columns of `COLUMNS` that name a player."""


@dataclass(frozen=True, slots=True)
class MatchSettings:
    """What the rows of a match depend on besides the deals."""

    players: tuple[str, str]
    playouts: int
    house: House
    first: str
    """Who begins: A, B or low; `simultaneous` where both play at once."""
    paces: tuple[float, float]
    seed: int
    adjudicates: bool
    solver: str = field(
        default_factory=lambda: sources_version("engine", "solver", "rating", "versus")
    )

    def metadata(self) -> dict[bytes, bytes]:
        """The settings as metadata of a schema."""
        return {KEY: json.dumps({"format": FORMAT} | asdict(self), sort_keys=True).encode()}

    @property
    def is_at_once(self) -> bool:
        """Whether both play at once."""
        return self.first == AT_ONCE

    def differences(self, metadata: dict[bytes, bytes]) -> list[str]:
        """In what a file differs, in words."""
        mine = json.loads(self.metadata()[KEY])
        others = json.loads(metadata[KEY])
        return [
            f"{name} {json.dumps(others.get(name))}, not {json.dumps(mine[name])}"
            for name in mine
            if mine[name] != others.get(name)
        ]


def pairs_in_a_file(players: Sequence[str], playouts: int) -> int:
    """How many pairs a file has by default."""
    return max(PLAYOUTS // playouts, 1) if {"strong", "tree"} & set(players) else PAIRS


class MatchFolder:
    """A folder with files of the games of a match, in hive folders by mode."""

    def __init__(self, path: Path, settings: MatchSettings) -> None:
        """Make the folder if need be.

        Raises `BatchError` if it holds games of another match, or what cannot be read.
        """
        self.path, self._settings = path, settings
        path.mkdir(parents=True, exist_ok=True)
        self._shards: dict[str, list[tuple[int, int]]] = {}
        for file in sorted(path.glob("mode=*/*.parquet")):
            columns = self._read(file, ["deal_number"])
            numbers = columns["deal_number"]
            if numbers and None not in numbers:
                self._shards.setdefault(file.parent.name, []).append(
                    (min(numbers), max(numbers) + 1)
                )

    def shards(self, start: VersusCode, count: int, size: int) -> Iterator[Shard]:
        """The deals asked for, cut to files; those that a file holds are in shards of their own."""
        if start.number is None:
            yield Shard(start.rules, 0, 1, (Item(str(start)),))
            return
        rules = start.rules
        first, end = start.number, start.number + count
        there = [
            (max(begin, first), min(stop, end))
            for begin, stop in sorted(self._shards.get(f"mode={rules.mode}", []))
            if begin < end and stop > first
        ]
        at = first
        for begin, stop in [*there, (end, end)]:
            if begin > at:
                yield from cut_ranges([Range(rules, at, begin - 1)], size, False)
            if stop > max(begin, at):
                yield Shard(rules, max(begin, at), stop - max(begin, at))
            at = max(at, stop)

    def read(self, shard: Shard) -> list[Pair] | None:
        """The pairs of a shard if files hold them all, else None."""
        found: dict[str, dict[int, list[int]]] = {}
        for file in self._files(shard):
            columns = self._read(file, SCHEMA.names)
            for at, code in enumerate(columns["code"]):
                row = [_number(columns, name, at) for name in COLUMNS]
                found.setdefault(code, {})[int(columns["seat"][at] == Player.B)] = row
        codes = list(codes_of(shard))
        if any(len(found.get(str(code), {})) < 2 for code in codes):
            return None
        rows = (found[str(code)] for code in codes)
        return [
            Pair(code, np.array([both[0], both[1]], np.int64))
            for code, both in zip(codes, rows, strict=True)
        ]

    def _files(self, shard: Shard) -> Iterator[Path]:
        """The files that may hold deals of a shard."""
        folder = self.path / shard.folder
        if shard.items is not None:
            yield from (path for path in [self.path / shard.path] if path.exists())
            return
        for path in sorted(folder.glob(f"{shard.kind}-[0-9]*.parquet")):
            first, count = map(int, path.stem.split("-")[1:3])
            if first < shard.end and first + count > shard.first:
                yield path

    def write(self, shard: Shard, pairs: Iterable[Pair]) -> None:
        """Put the file of a shard in its place."""
        columns: dict[str, list[Any]] = {name: [] for name in SCHEMA.names}
        for pair in pairs:
            for seat, row in enumerate(pair.rows):
                for name, value in self._cells(shard.rules, pair.code, seat, row).items():
                    columns[name].append(value)
        schema = SCHEMA.with_metadata(self._settings.metadata())
        arrays = [pa.array(columns[each.name], each.type) for each in schema]
        sink = io.BytesIO()
        table = pa.Table.from_arrays(arrays, schema=schema)
        pq.write_table(table, sink, compression=COMPRESSION, write_page_checksum=True)
        place = self.path / shard.path
        place.parent.mkdir(exist_ok=True)
        with whole_file(place) as stream:
            stream.write(sink.getvalue())

    def _cells(self, rules: Rules, code: VersusCode, seat: int, row: Any) -> dict[str, Any]:
        settings = self._settings
        names = settings.players if seat == 0 else settings.players[::-1]
        paces = settings.paces if seat == 0 else settings.paces[::-1]
        counted = dict(zip(COLUMNS, row.tolist(), strict=True))
        end = ENDS[counted.pop("end")]
        milliseconds = counted.pop("milliseconds")
        for name in _PLAYERS:
            counted[name] = None if counted[name] == NOBODY else "AB"[counted[name]]
        house = settings.house
        cells = counted | {
            "code": str(code),
            "deal_number": code.number,
            "game": rules.game,
            "draw": rules.draw,
            "scoring": rules.scoring.value,
            "style": AT_ONCE if settings.is_at_once else IN_TURNS,
            "turn_rule": "fits" if house.fits else "draw",
            "play_on": house.play_on,
            "solo_clear": house.solo_clear,
            "draw_a": house.draw_a,
            "draw_b": house.draw_b,
            "ahead_a": house.ahead_a,
            "ahead_b": house.ahead_b,
            "seed": settings.seed,
            "seat": "AB"[seat],
            "player_a": names[0],
            "player_b": names[1],
            "playouts": settings.playouts,
            "pace_a": paces[0],
            "pace_b": paces[1],
            "end": None if end is None else str(end),
            "game_seconds": milliseconds / 1000,
            "adjudicates": settings.adjudicates,
            "solver": settings.solver,
        }
        if not settings.is_at_once:
            cells |= dict.fromkeys(("pace_a", "pace_b", "late_a", "late_b", "game_seconds"))
        return cells

    def _read(self, file: Path, names: list[str]) -> dict[str, list[Any]]:
        """Columns of a file of this match; `BatchError` says what else it is."""
        try:
            with pq.ParquetFile(file, page_checksum_verification=True) as opened:
                metadata = opened.schema_arrow.metadata or {}
                if KEY not in metadata:
                    raise BatchError(f"{file} was not written by dsol match; use another folder")
                differences = self._settings.differences(metadata)
                if differences:
                    raise BatchError(
                        f"{file} was made with {'; '.join(differences)}: use another folder"
                    )
                columns: dict[str, list[Any]] = opened.read(names).to_pydict()
                return columns
        except BatchError:
            raise
        except (OSError, ValueError, pa.ArrowException) as error:
            if isinstance(error, MemoryError) or getattr(error, "errno", None) is not None:
                raise
            raise BatchError(
                f"{file} is no whole Parquet file of games; remove it, and they are played again"
            ) from None


def codes_of(shard: Shard) -> Iterator[VersusCode]:
    """The deals of a shard."""
    return (VersusCode.parse(item.code or "") for item in shard.deals())


def _number(columns: dict[str, list[Any]], name: str, at: int) -> int:
    """A cell as a contest counts it."""
    if name == "milliseconds":
        return round(1000 * (columns["game_seconds"][at] or 0))
    value = columns[name][at]
    if name in _PLAYERS:
        return NOBODY if value is None else "AB".index(value)
    if name == "end":
        return [None if end is None else str(end) for end in ENDS].index(value)
    return int(value or 0)
