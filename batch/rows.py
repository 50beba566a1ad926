"""From a shard to the bytes of its file: a function of the shard and the settings alone.

Only the seconds depend on when, where and in what company it runs.
"""

import functools
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

import numpy as np
import pyarrow as pa

from ..engine.deal import Position
from ..engine.dealing import deal_number, resolve
from ..engine.formats import read_deal
from ..engine.moves import Kind
from ..engine.rules import Rules, Scoring, rules_for
from ..rating.rate import rate_if
from ..solver.dive import FOUND as DIVE_WIN
from ..solver.score import score
from ..solver.solve import check, dive_numbers, solve
from ..solver.verdict import Answer, Limits, Verdict
from ..solver.warm import load
from .jobs import Answered, Counts, Job, Retry, places_to_retry
from .schema import SCHEMA, decode, encode, to_table
from .settings import Settings, solver_version
from .shards import Item, Shard

CHUNK_DEALS = 1000
"""Deals in a compiled call at most, so that there is progress to see."""

Columns = dict[str, list[Any]]
Tick = Callable[[Counts], None]
"""Told the counts so far, now and then."""


def answer(job: Job, settings: Settings, tick: Tick) -> Answered:
    """Search the deals of a job. Raises `RuntimeError` if this is not the solver asked for."""
    if settings.solver != solver_version():
        raise RuntimeError(f"solver {solver_version()} at work, {settings.solver} asked for")
    _load(settings.limits.seconds is not None)
    if isinstance(job, Shard):
        columns, counts = _answer_shard(job, settings, tick)
        return Answered(encode(columns, settings.metadata()), counts)
    return _answer_again(job, settings, tick)


@functools.cache
def _load(is_timed: bool) -> None:
    """Have compiled code loaded, or compiled, before the first deal: the quick dives, or all."""
    if is_timed:
        load()
    else:
        dive_numbers(rules_for("DS1", 1, Scoring.NORMAL), np.zeros(1, np.int64), Limits(nodes=1))


def table_of(shard: Shard, settings: Settings) -> pa.Table:
    """The rows of a shard as a table, for who needs no file."""
    return to_table(_answer_shard(shard, settings, lambda _: None)[0], settings.metadata())


def _answer_shard(shard: Shard, settings: Settings, tick: Tick) -> tuple[Columns, Counts]:
    """The rows of a shard, and how many there are of each verdict."""
    rules = shard.rules
    columns: Columns = {name: [None] * shard.count for name in SCHEMA.names}
    deals = iter(shard.deals())
    counts = Counts()
    for first in range(0, shard.count, CHUNK_DEALS):
        items = list(islice(deals, CHUNK_DEALS))
        last = first + len(items)
        columns["code"][first:last] = [item.code for item in items]
        columns["deal_number"][first:last] = [item.number for item in items]
        columns["cards"][first:last] = [item.cards for item in items]
        left = list(range(len(items)))
        if rules.recycles is None and not settings.moves:
            left = _dive(columns, first, items, rules, settings)
            won = sorted(set(range(len(items))) - set(left))
            if settings.rate or settings.score:
                for at in won:
                    _put_more(columns, first + at, rules, items[at], settings)
                    counts += Counts(winnable=1)
                    tick(counts)
            else:
                counts += Counts(winnable=len(won))
        tick(counts)
        for at in left:
            answer = _search(rules, items[at], settings)
            counts += _put(columns, first + at, rules, answer, settings)
            _put_more(columns, first + at, rules, items[at], settings)
            tick(counts)
    same = {
        "game": rules.game,
        "draw": rules.draw,
        "scoring": rules.scoring.value,
        **_same_cells(settings),
    }
    for name, value in same.items():
        columns[name] = [value] * shard.count
    return columns, counts


def _dive(
    columns: Columns, first: int, items: list[Item], rules: Rules, settings: Settings
) -> list[int]:
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
    return sorted(left)


def _search(rules: Rules, item: Item, settings: Settings) -> Answer:
    """The answer on one deal."""
    position = _position(rules, item)
    if settings.moves:
        return solve(rules, position, settings.limits)
    return check(rules, [position], settings.limits)[0]


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

    A deal is rated only if the verdict says that it is winnable.
    """
    if settings.rate:
        rating = rate_if(Verdict(columns["verdict"][at]), rules, _position(rules, item))
        if rating is not None:
            columns["difficulty"][at] = rating.difficulty
            columns["level"][at] = rating.level.value
            columns["win_rate_casual"][at] = rating.casual.rate
            columns["win_rate_careful"][at] = rating.careful.rate
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


def _answer_again(job: Retry, settings: Settings, tick: Tick) -> Answered:
    """The file with its undecided deals searched again; its own settings stay what they are."""
    columns, metadata = decode(job.data)
    counts = Counts()
    for at in places_to_retry(columns, settings.limits):
        rules = rules_for(*(columns[name][at] for name in ("game", "draw", "scoring")))
        item = Item(columns["code"][at], columns["deal_number"][at], columns["cards"][at])
        counts += _put(columns, at, rules, _search(rules, item, settings), settings)
        _put_more(columns, at, rules, item, settings)
        for name, value in _same_cells(settings).items():
            columns[name][at] = value
        tick(counts)
    return Answered(encode(columns, metadata), counts)
