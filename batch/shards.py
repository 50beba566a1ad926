"""From what was asked for to shards: the same arguments give the same shards, on every machine.

A shard becomes one file, and its name says what is in it, so that a folder of files
tells which shards are done. Ranges are cut at multiples of the shard size: a longer
range, or one that begins elsewhere, shares its cuts.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from ..engine.codes import Range, encode_number
from ..engine.rules import Rules

QUICK_DEALS = 5000
"""Deals in a shard where a deal takes a tenth of a millisecond. By hand, as the next two: a
shard is a file, and shall take some seconds to some minutes."""
LISTING_DEALS = 500
"""Deals in a shard where each win has to be written out or rated."""
SLOW_DEALS = 100
"""Deals in a shard where a deal may take seconds."""


@dataclass(frozen=True, slots=True)
class Item:
    """One deal of a list: a code of our scheme, a PySolFC number, or cards."""

    code: str | None
    """The code or `pysol:N`, draw and scoring left to the shard; None for cards."""
    number: int | None = None
    """Number in our scheme; None for other deals."""
    cards: str | None = None
    """JSON of the cards (`notation/formats.py`); None where `code` says them."""


@dataclass(frozen=True, slots=True)
class Shard:
    """Deals that are answered together, of one game and mode."""

    rules: Rules
    first: int
    """First deal number; of a list, place of the first item among those of its mode."""
    count: int
    items: tuple[Item, ...] | None = field(default=None, repr=False)
    """The deals of a list; None for a range of deal numbers."""

    @property
    def kind(self) -> str:
        """Shards of one kind and mode are cut from one row of deals."""
        return self.rules.game if self.items is None else f"{self.rules.game}-list"

    @property
    def folder(self) -> str:
        """Name of the hive folder of the mode."""
        return f"mode={self.rules.mode}"

    @property
    def name(self) -> str:
        """Name of the file; shards with the same name and folder hold the same deals."""
        return file_name(self.kind, self.first, self.count, self.digest)

    @property
    def path(self) -> str:
        """Path of the file in the results folder, with `/`."""
        return f"{self.folder}/{self.name}"

    @property
    def end(self) -> int:
        """The first deal after it."""
        return self.first + self.count

    @property
    def digest(self) -> str | None:
        """What tells the deals of a list from others; None for a range, which needs none."""
        if self.items is None:
            return None
        return digest_of(item.code or item.cards or "" for item in self.items)

    def part(self, first: int, end: int) -> "Shard":
        """The deals from `first` up to before `end`, of those that it holds."""
        items = self.items and self.items[first - self.first : end - self.first]
        return Shard(self.rules, first, end - first, items)

    def deals(self) -> Iterable[Item]:
        """The deals, in order."""
        if self.items is not None:
            return self.items
        title = f"{self.rules.game}-{self.rules.mode}-"
        numbers = range(self.first, self.first + self.count)
        return (Item(title + encode_number(number), number) for number in numbers)


def file_name(kind: str, first: int, count: int, digest: str | None) -> str:
    """The name of a file of so many deals of a row from `first` on; a list's has its digest."""
    name = f"{kind}-{first:011d}-{count:07d}"
    return f"{name}.parquet" if digest is None else f"{name}-{digest}.parquet"


def digest_of(deals: Iterable[str]) -> str:
    """The digest of the deals of a list, each as its code or, without one, its cards."""
    return hashlib.sha256("\n".join(deals).encode()).hexdigest()[:12]


def usual_size(rules: Rules, moves: bool) -> int:
    """Deals in a shard if the user does not say."""
    if rules.recycles is not None:
        return SLOW_DEALS
    return LISTING_DEALS if moves else QUICK_DEALS


def cut_ranges(ranges: Iterable[Range], size: int | None, moves: bool) -> Iterator[Shard]:
    """Shards of `size` deals (by default the usual size); deals in several ranges come once."""
    for rules, start, end in _unite(ranges):
        step = size or usual_size(rules, moves)
        for slot in range(start - start % step, end, step):
            first = max(slot, start)
            yield Shard(rules, first, min(slot + step, end) - first)


def _unite(ranges: Iterable[Range]) -> Iterator[tuple[Rules, int, int]]:
    """The ranges as rules, first deal and first deal after them, none touching another."""
    by_rules: dict[Rules, list[Range]] = {}
    for each in ranges:
        by_rules.setdefault(each.rules, []).append(each)
    for rules, parts in by_rules.items():
        parts.sort(key=lambda part: part.first)
        first, end = parts[0].first, parts[0].first
        for part in parts:
            if part.first > end:
                yield rules, first, end
                first = part.first
            end = max(end, part.last + 1)
        yield rules, first, end


def cut_lists(
    items: Iterable[tuple[Rules, Item]], empty: Iterable[Rules], size: int | None, moves: bool
) -> Iterator[Shard]:
    """Shards of listed deals, in the order of the list within each game and mode.

    A list without deals gives one shard without deals for each of the rules in `empty`.
    """
    waiting: dict[Rules, list[Item]] = {}
    done: dict[Rules, int] = {}
    for rules, item in items:
        part = waiting.setdefault(rules, [])
        part.append(item)
        if len(part) == (size or usual_size(rules, moves)):
            yield Shard(rules, done.get(rules, 0), len(part), tuple(part))
            done[rules] = done.get(rules, 0) + len(part)
            part.clear()
    for rules, part in waiting.items():
        if part:
            yield Shard(rules, done.get(rules, 0), len(part), tuple(part))
    if not waiting:
        for rules in empty:
            yield Shard(rules, 0, 0, ())


def mine(shards: Iterable[Shard], part: int, parts: int) -> Iterator[Shard]:
    """Every `parts`-th shard, beginning with number `part` from 1: the share of one host."""
    return islice(shards, part - 1, None, parts)
