"""What the rows of a folder come to: counts, shares with intervals, distributions, extremes."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..engine.rules import REGISTRY, Rules, rules_for
from ..rating.interval import wilson
from ..rating.level import Level
from ..solver.verdict import Limits, Verdict
from .folder import Folder, Say, to_nobody
from .jobs import Counts
from .schema import read_batches
from .settings import BatchError

EXTREMES = 10
"""How many of the hardest, of the costliest and of the longest deals are kept; by hand."""
DISTRIBUTIONS = ("move_count", "score", "recycles", "score_low", "score_high", "difficulty")
"""Columns whose values are counted, rounded to whole numbers."""
NODE_BINS = 4
"""Bins of the counts of nodes, in a doubling of their number."""
BATCH_ROWS = 1 << 16
"""Rows that are counted at a time; by hand, some megabytes."""
COLUMNS = (
    *("code", "cards", "game", "draw", "scoring"),
    *("verdict", "reason", "winnable_without_take_back"),
    *("move_count", "score", "recycles", "score_low", "score_high", "score_proved"),
    *("nodes", "seconds", "difficulty", "level", "win_rate_careful"),
    *("solver", "limit_nodes", "limit_seconds", "limit_memory"),
)
LISTED_COLUMNS = (
    *("code", "cards", "verdict", "reason", "nodes", "move_count"),
    *("difficulty", "level", "win_rate_careful"),
)
"""What is kept of a deal that is listed."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of all deals, of which some are undecided."""

    low: float
    """Share among all deals if no undecided deal counts."""
    high: float
    """The same if all of them count."""
    interval: tuple[float, float]
    """From the lower end of the 95 % interval of `low` to the upper end of that of `high`."""


def share_of(count: int, undecided: int, total: int) -> Share:
    """The share that `count` of `total` is, with `undecided` deals counted both ways."""
    return Share(
        low=count / max(total, 1),
        high=(count + undecided) / max(total, 1),
        interval=(wilson(count, total)[0], wilson(count + undecided, total)[1]),
    )


@dataclass(slots=True)
class Distribution:
    """How often each whole number was seen."""

    counts: Counter[int] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        """Number of values."""
        return self.counts.total()

    @property
    def mean(self) -> float:
        """Mean of the values; there has to be one."""
        return sum(value * count for value, count in self.counts.items()) / self.total

    def quantile(self, part: float) -> int:
        """The smallest value that at least this part of the values do not exceed."""
        need = max(math.ceil(part * self.total), 1)
        seen = 0
        for value in sorted(self.counts):
            seen += self.counts[value]
            if seen >= need:
                return value
        raise ValueError("a distribution of nothing has no quantiles")


@dataclass(slots=True)
class ModeSummary:
    """The rows of one game and mode."""

    rules: Rules
    listed: int
    """How many lost and how many undecided deals are kept at most."""
    verdicts: Counts = field(default_factory=Counts)
    without_take_back: int = 0
    """Deals known to be winnable without taking back."""
    unknown_without_take_back: int = 0
    """Deals of which that is not known."""
    proved: int = 0
    """Deals whose best score is proved."""
    bounded: int = 0
    """Deals with both bounds of the best score."""
    gap: int = 0
    """Sum of the gaps between these bounds."""
    nodes: int = 0
    seconds: float = 0.0
    timed: int = 0
    """Deals with a time."""
    distributions: dict[str, Distribution] = field(
        default_factory=lambda: {name: Distribution() for name in DISTRIBUTIONS}
    )
    node_bins: Counter[int] = field(default_factory=Counter)
    """Deals by floor(`NODE_BINS` * log2(nodes))."""
    levels: Counter[str] = field(default_factory=Counter)
    lost: list[dict[str, Any]] = field(default_factory=list)
    """The first deals proved unwinnable, in the order of the files."""
    undecided: list[dict[str, Any]] = field(default_factory=list)
    """The first deals on which a limit was hit, in the order of the files."""
    hardest: list[dict[str, Any]] = field(default_factory=list)
    """The deals with the greatest difficulty for a person, greatest first; only rated ones."""
    costliest: list[dict[str, Any]] = field(default_factory=list)
    """The decided deals with most nodes, most first."""
    longest: list[dict[str, Any]] = field(default_factory=list)
    """The deals with the longest lists of moves, longest first."""

    @property
    def name(self) -> str:
        """Game and mode, as in a code."""
        return f"{self.rules.game}-{self.rules.mode}"

    @property
    def levels_in_order(self) -> list[tuple[str, int]]:
        """How many deals have each level, from the easiest."""
        return [(level.value, self.levels[level.value]) for level in Level if self.levels[level]]

    @property
    def winnable(self) -> Share:
        """Share of winnable deals."""
        counts = self.verdicts
        return share_of(counts.winnable, counts.unknown, counts.deals)

    @property
    def winnable_without_take_back(self) -> Share | None:
        """Share of deals winnable without taking back; None if no row says it."""
        if self.unknown_without_take_back == self.verdicts.deals:
            return None
        return share_of(self.without_take_back, self.unknown_without_take_back, self.verdicts.deals)

    def add(self, table: pa.Table) -> None:
        """Count some rows; they are of this game and mode."""
        count = {
            item["values"]: item["counts"]
            for item in pc.value_counts(table["verdict"].cast(pa.string())).to_pylist()
        }
        self.verdicts += Counts(*(count.get(verdict.value, 0) for verdict in Verdict))
        is_lost = pc.equal(table["verdict"].cast(pa.string()), Verdict.UNWINNABLE.value)
        without = pc.if_else(is_lost, False, table["winnable_without_take_back"])
        self.without_take_back += pc.sum(without).as_py() or 0
        self.unknown_without_take_back += without.null_count
        self.proved += pc.sum(table["score_proved"]).as_py() or 0
        gap = pc.subtract(table["score_high"], table["score_low"])
        self.bounded += len(gap) - gap.null_count
        self.gap += pc.sum(gap).as_py() or 0
        self.nodes += pc.sum(table["nodes"]).as_py() or 0
        self.seconds += pc.sum(table["seconds"]).as_py() or 0.0
        self.timed += len(table) - table["seconds"].null_count
        for name, distribution in self.distributions.items():
            values = table[name].drop_null().cast(pa.float64()).to_numpy()
            found, counts = np.unique(np.rint(values).astype(np.int64), return_counts=True)
            distribution.counts.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
        bins = np.floor(NODE_BINS * np.log2(np.maximum(table["nodes"].to_numpy(), 1)))
        found, counts = np.unique(bins.astype(np.int64), return_counts=True)
        self.node_bins.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
        self.levels.update(table["level"].drop_null().cast(pa.string()).to_pylist())
        verdicts = table["verdict"].cast(pa.string())
        for kept, verdict in (
            (self.lost, Verdict.UNWINNABLE),
            (self.undecided, Verdict.UNKNOWN),
        ):
            rows = table.filter(pc.equal(verdicts, verdict.value))
            rows = rows.slice(0, self.listed - len(kept)).select(LISTED_COLUMNS)
            kept.extend(rows.to_pylist())
        decided = table.filter(pc.not_equal(verdicts, Verdict.UNKNOWN.value))
        self.costliest = _largest("nodes", self.costliest, decided)
        self.hardest = _largest("difficulty", self.hardest, table)
        self.longest = _largest("move_count", self.longest, table)


def _largest(name: str, known: list[dict[str, Any]], table: pa.Table) -> list[dict[str, Any]]:
    """The rows with the largest values of a column, of those known and those of a table."""
    table = table.filter(pc.is_valid(table[name]))
    order = pc.sort_indices(table[name], sort_keys=[("", "descending")])[:EXTREMES]
    rows = known + table.take(order).select(LISTED_COLUMNS).to_pylist()
    return sorted(rows, key=lambda row: (-row[name], row["code"] or ""))[:EXTREMES]


@dataclass(slots=True)
class Summary:
    """The rows of a folder."""

    modes: list[ModeSummary]
    solvers: list[str]
    """Versions of the solver that answered."""
    limits: list[Limits]
    """What a deal might cost; more than one if the rows differ in that."""


def summarise(folder: Path, listed: int, say: Say = to_nobody) -> Summary:
    """Read a folder of results, a part at a time. Raises `BatchError` if it holds none.

    `listed` is how many lost and how many undecided deals of each mode are kept at most;
    `say` is as for `Folder`.
    """
    modes: dict[tuple[str, int, str], ModeSummary] = {}
    solvers: set[str] = set()
    limits: set[Limits] = set()
    for table in _tables(Folder(folder, say)):
        solvers.update(pc.unique(table["solver"].cast(pa.string())).to_pylist())
        names = ["limit_nodes", "limit_seconds", "limit_memory"]
        found = table.select(names).group_by(names).aggregate([]).to_pylist()
        limits.update(Limits(*(row[name] for name in names)) for row in found)
        keys = pa.Table.from_arrays(
            [table[name].cast(pa.string()) for name in ("game", "draw", "scoring")],
            ["game", "draw", "scoring"],
        )
        for row in keys.group_by(keys.column_names).aggregate([]).to_pylist():
            key = (row["game"], int(row["draw"]), row["scoring"])
            mine = pc.and_(
                pc.equal(keys["game"], row["game"]),
                pc.and_(
                    pc.equal(keys["draw"], row["draw"]),
                    pc.equal(keys["scoring"], row["scoring"]),
                ),
            )
            mode = modes.setdefault(key, ModeSummary(rules_for(*key), listed))
            mode.add(table.filter(mine))
    order = {key: place for place, key in enumerate(REGISTRY)}
    return Summary(
        sorted(modes.values(), key=lambda m: order[m.rules.game, m.rules.draw, m.rules.scoring]),
        sorted(solvers),
        sorted(limits, key=lambda each: (each.nodes or 0, each.seconds or 0, each.memory)),
    )


def _tables(folder: Folder) -> Iterator[pa.Table]:
    """The rows, many at a time but never those of a whole folder."""
    waiting: list[pa.RecordBatch] = []
    for batch in _batches(folder):
        waiting.append(batch)
        if sum(map(len, waiting)) >= BATCH_ROWS:
            yield pa.Table.from_batches(waiting)
            waiting = []
    if waiting:
        yield pa.Table.from_batches(waiting)


def _batches(folder: Folder) -> Iterator[pa.RecordBatch]:
    """The rows, as the files hold them; of deals that are there twice, once."""
    pieces = list(folder.pieces())
    if not pieces:
        raise BatchError(f"{folder.path} holds no results of dsol batch")
    for piece in pieces:
        skip = piece.skip
        with folder.open(piece) as source:
            for batch in read_batches(source, BATCH_ROWS, COLUMNS):
                yield batch.slice(min(skip, len(batch)))
                skip -= min(skip, len(batch))
