"""Rows on many deals as a table in memory, with the columns of the files of a batch."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyarrow as pa

from ..engine.codes import PYSOL_PREFIX, DealCode, Range
from ..engine.dealing import resolve
from ..engine.rules import Rules
from .rows import table_of
from .schema import SCHEMA, to_table
from .settings import Settings
from .shards import Item, Shard, cut_lists, cut_ranges, usual_size


def answer_range(deals: Range, settings: Settings, jobs: int) -> pa.Table:
    """The rows of a range, in its order, answered by `jobs` threads."""
    size = _size(deals.rules, deals.last - deals.first + 1, settings, jobs)
    return _answer(cut_ranges([deals], size, settings.moves), settings, jobs)


def answer_list(codes: list[str], settings: Settings, jobs: int) -> pa.Table:
    """The rows of these deals, in their order; `CodeError` if one is no code or number."""
    items = [_item(code) for code in codes]
    places: dict[Rules, list[int]] = {}
    for place, (rules, _) in enumerate(items):
        places.setdefault(rules, []).append(place)
    # The shards have the deals of one game and mode after those of another.
    shards = [
        shard
        for rules, mine in places.items()
        for shard in cut_lists(
            [items[place] for place in mine],
            [],
            _size(rules, len(mine), settings, jobs),
            settings.moves,
        )
    ]
    order = [place for mine in places.values() for place in mine]
    table = _answer(shards, settings, jobs)
    return table.take(np.argsort(np.array(order, np.int64))).combine_chunks()


def _item(code: str) -> tuple[Rules, Item]:
    """The deal that a code or a PySolFC number names, and its rules."""
    if not isinstance(code, str):
        raise TypeError(f"a code is a text such as 'DS1-D1N-AAAAAAB', not {code!r:.40}")
    named = resolve(code)
    is_ours = not named.name.startswith(PYSOL_PREFIX)
    return named.rules, Item(named.name, DealCode.parse(named.name).number if is_ours else None)


def _size(rules: Rules, deals: int, settings: Settings, jobs: int) -> int:
    """Deals in a part, so that all threads have one and none has too much of the rest."""
    return min(usual_size(rules, settings.moves or settings.rate), max(-(-deals // jobs), 1))


def _answer(shards: Iterable[Shard], settings: Settings, jobs: int) -> pa.Table:
    """The rows of the shards, one after the other."""
    with ThreadPoolExecutor(jobs) as pool:
        tables = list(pool.map(lambda shard: table_of(shard, settings), shards))
    if not tables:
        return to_table({name: [] for name in SCHEMA.names}, settings.metadata())
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()
