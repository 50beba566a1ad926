"""From a shard to the bytes of its file: a function of the shard and the settings alone.

Only the seconds depend on when, where and in what company it runs.
"""

import functools
import math
import time
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from ..engine.deal import Position
from ..engine.dealing import deal_number, resolve
from ..engine.moves import Kind
from ..engine.rules import Rules, Scoring, rules_for
from ..notation.formats import read_deal
from ..rating.rate import rate_if
from ..solver.dive import FOUND as DIVE_WIN
from ..solver.score import score
from ..solver.solve import check, dive_numbers, solve
from ..solver.verdict import Answer, Limits, Verdict
from ..solver.warm import load
from .jobs import Answered, Begun, Counts, Job, Retry, places_to_retry
from .schema import SCHEMA, decode, encode, to_table
from .settings import Settings, solver_version
from .shards import Item, Shard

CHUNK_DEALS = 1000
"""Deals in a compiled call at most, so that there is progress to see: a tenth of a second."""

Columns = dict[str, list[Any]]
Tick = Callable[[Counts], None]
"""Told the counts so far, now and then."""


def answer(job: Job, settings: Settings, tick: Tick, seconds: float = math.inf) -> Answered:
    """Search the deals of a job, or as many as begin within these seconds, but one at least.

    Raises `RuntimeError` if this is not the solver asked for.
    """
    if settings.solver != solver_version():
        raise RuntimeError(f"solver {solver_version()} at work, {settings.solver} asked for")
    _load(settings.limits.seconds is not None)
    until = time.monotonic() + seconds
    if isinstance(job, Retry):
        return _answer_again(job, settings, tick, until)
    shard, begun = (job.shard, job.data) if isinstance(job, Begun) else (job, None)
    columns, counts = _answer_shard(shard, settings, tick, until, begun)
    left = shard.count - len(columns["code"])
    return Answered(encode(columns, settings.metadata()), counts, left)


@functools.cache
def _load(is_timed: bool) -> None:
    """Have compiled code loaded, or compiled, before the first deal: the quick dives, or all."""
    if is_timed:
        load()
    else:
        dive_numbers(rules_for("DS1", 1, Scoring.NORMAL), np.zeros(1, np.int64), Limits(nodes=1))


def table_of(shard: Shard, settings: Settings) -> pa.Table:
    """The rows of a shard as a table, for who needs no file."""
    columns, _ = _answer_shard(shard, settings, lambda _: None)
    return to_table(columns, settings.metadata())


def _answer_shard(
    shard: Shard,
    settings: Settings,
    tick: Tick,
    until: float = math.inf,
    begun: bytes | None = None,
) -> tuple[Columns, Counts]:
    """The rows of a shard, or of its first deals, and the counts of the deals searched.

    `begun` is a file of the first rows of it.
    """
    rules = shard.rules
    columns: Columns = {name: [None] * shard.count for name in SCHEMA.names}
    start = 0
    if begun is not None:
        rows, _ = decode(begun)
        start = len(rows["code"])
        for name, values in rows.items():
            columns[name][:start] = values
    tally: Counter[str] = Counter()
    end = start
    for done in _fill(columns, start, shard, settings):
        tally.update(columns["verdict"][end:done])
        end = done
        tick(Counts(**tally))
        if time.monotonic() > until:
            break
    for name in SCHEMA.names:
        del columns[name][end:]
    same = {
        "game": rules.game,
        "draw": rules.draw,
        "scoring": rules.scoring.value,
        **_same_cells(settings),
    }
    for name, value in same.items():
        columns[name] = [value] * end
    return columns, Counts(**tally)


def _fill(columns: Columns, start: int, shard: Shard, settings: Settings) -> Iterator[int]:
    """Fill in the rows of a shard from `start` on, in order; now and then, how many are there."""
    rules = shard.rules
    deals = islice(shard.deals(), start, None)
    for first in range(start, shard.count, CHUNK_DEALS):
        items = list(islice(deals, CHUNK_DEALS))
        last = first + len(items)
        columns["code"][first:last] = [item.code for item in items]
        columns["deal_number"][first:last] = [item.number for item in items]
        columns["cards"][first:last] = [item.cards for item in items]
        left = set(range(len(items)))
        if rules.recycles is None and not settings.moves:
            left = _dive(columns, first, items, rules, settings)
        for at, item in enumerate(items):
            if at in left:
                _put(columns, first + at, rules, _search(rules, item, settings), settings)
            _put_more(columns, first + at, rules, item, settings)
            # Rows that the dives have filled are not worth a word each.
            if at in left or settings.rate or settings.score or item is items[-1]:
                yield first + at + 1


def _dive(
    columns: Columns, first: int, items: list[Item], rules: Rules, settings: Settings
) -> set[int]:
    """Fill in the rows of deals that the quick dives win; places of the others.

    A dive takes no card back.
    """
    places = [at for at, item in enumerate(items) if item.number is not None]
    numbers = np.array([items[at].number for at in places], np.int64)
    started = time.perf_counter()
    found, used = dive_numbers(rules, numbers, settings.limits)
    seconds = round((time.perf_counter() - started) / max(len(places), 1), 6)
    left = set(range(len(items)))
    for at, is_found, nodes in zip(places, found.tolist(), used.tolist(), strict=True):
        if is_found:
            left.discard(at)
            columns["verdict"][first + at] = Verdict.WINNABLE.value
            columns["reason"][first + at] = DIVE_WIN
            columns["winnable_without_take_back"][first + at] = True
            columns["nodes"][first + at] = nodes
            if settings.timing:
                columns["seconds"][first + at] = seconds
    return left


def _search(rules: Rules, item: Item, settings: Settings) -> Answer:
    """The answer on one deal."""
    position = _position(rules, item)
    if settings.moves:
        return solve(rules, position, settings.limits)
    return check(rules, position, settings.limits)


def _position(rules: Rules, item: Item) -> Position:
    if item.cards is not None:
        return read_deal(item.cards, rules)
    if item.number is not None:
        return Position.start(rules, deal_number(rules, item.number))
    assert item.code is not None
    return Position.start(rules, resolve(item.code).deal)


def _put(columns: Columns, at: int, rules: Rules, answer: Answer, settings: Settings) -> Counts:
    """Write an answer into its row; the counts of this one deal."""
    cells: dict[str, Any] = {
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "winnable_without_take_back": answer.winnable_without_take_back,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6) if settings.timing else None,
    }
    if answer.moves is not None:
        kinds = [move.kind for move in answer.moves]
        cells |= {
            "won": True,
            "score": answer.score,
            "cards_up": rules.cards,
            "recycles": kinds.count(Kind.RECYCLE),
            "move_count": len(kinds),
            "moves": " ".join(map(str, answer.moves)),
        }
    for name, value in cells.items():
        columns[name][at] = value
    return Counts(**{answer.verdict.value: 1})


def _put_more(columns: Columns, at: int, rules: Rules, item: Item, settings: Settings) -> None:
    """Fill in what is asked for besides the verdict, which is in the row.

    With unlimited redeals a deal is rated only if the verdict says that it is winnable.
    """
    if settings.rate:
        rating = rate_if(Verdict(columns["verdict"][at]), rules, _position(rules, item))
        if rating is not None:
            columns["difficulty"][at] = rating.difficulty
            columns["level"][at] = rating.level.value
            columns["win_rate_casual"][at] = rating.casual.rate
            columns["win_rate_careful"][at] = rating.careful.rate
            columns["win_rate_fast"][at] = rating.fast.rate
            for player, dollars in (rating.dollars or {}).items():
                columns[f"dollars_{player}"][at] = dollars.mean
                columns[f"above_zero_{player}"][at] = dollars.above.rate
    if settings.score:
        found = score(rules, _position(rules, item), settings.limits)
        columns["score_low"][at] = found.low
        columns["score_high"][at] = found.high
        columns["score_proved"][at] = found.is_best


def _same_cells(settings: Settings) -> dict[str, Any]:
    """The cells in which all rows of a run agree."""
    return {
        "solver": settings.solver,
        "limit_nodes": settings.limits.nodes,
        "limit_seconds": settings.limits.seconds,
        "limit_memory": settings.limits.memory,
    }


def _answer_again(job: Retry, settings: Settings, tick: Tick, until: float) -> Answered:
    """The file with its undecided deals searched again; its own settings stay what they are."""
    columns, metadata = decode(job.data)
    places = places_to_retry(columns, settings.limits, job.skip)
    counts = Counts()
    for at in places:
        rules = rules_for(*(columns[name][at] for name in ("game", "draw", "scoring")))
        item = Item(columns["code"][at], columns["deal_number"][at], columns["cards"][at])
        counts += _put(columns, at, rules, _search(rules, item, settings), settings)
        _put_more(columns, at, rules, item, settings)
        for name, value in _same_cells(settings).items():
            columns[name][at] = value
        tick(counts)
        if time.monotonic() > until:
            break
    return Answered(encode(columns, metadata), counts, len(places) - counts.deals)
