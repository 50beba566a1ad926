"""A summary as text, and as data for other programs."""

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from ..engine.rules import Rules, Scoring
from ..solver.verdict import Limits
from .summary import Distribution, ModeSummary, Share, Summary

QUANTILES = ((0.0, "least"), (0.05, "5 %"), (0.5, "median"), (0.95, "95 %"), (1.0, "most"))
TITLES = {
    "move_count": "moves",
    "score": "score of the list",
    "recycles": "recycles",
    "score_low": "score reached",
    "score_high": "score bound",
    "difficulty": "difficulty",
}
"""Distributions as they are called in a report."""
_UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB")


def text(summary: Summary) -> str:
    """The whole report, ended by a newline."""
    lines = [f"solver {', '.join(summary.solvers) or 'none'}"]
    if not summary.modes:
        lines.append("no deals")
    lines += [f"limits of a deal: {limits_text(limits)}" for limits in summary.limits]
    for mode in summary.modes:
        lines += ["", *_mode_lines(mode)]
    return "\n".join(lines) + "\n"


def percent(share: float, deals: int) -> str:
    """A share in percent, with the digits that so many deals carry.

    A unit of the last digit is no more than one deal is. A share that is not 0 or 1 gets as
    many more digits as keep it from looking so.
    """
    if share in (0, 1):
        return f"{100 * share:.0f} %"
    digits = max(len(str(deals - 1)) - 2, 0)
    while float(shown := f"{100 * share:.{digits}f}") in (0, 100):
        digits += 1
    return f"{shown} %"


def counted(number: int, noun: str) -> str:
    """A number of things: `1 move`, `1,200 moves`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def figure(value: float) -> str:
    """A value of 0 or more with three digits that count: `0.0123`, `1.2`, `12,300`."""
    digits = 0 if value == 0 else max(2 - math.floor(math.log10(value)), 0)
    shown = f"{value:,.{digits}f}"
    return shown.rstrip("0").rstrip(".") if digits else shown


def limits_text(limits: Limits) -> str:
    """Limits in words: `5,000,000 nodes, 2 GiB`."""
    memory, unit = float(limits.memory), 0
    while memory >= 1024 and unit < len(_UNITS) - 1:
        memory, unit = memory / 1024, unit + 1
    parts = [] if limits.nodes is None else [counted(limits.nodes, "node")]
    parts += [] if limits.seconds is None else [f"{figure(limits.seconds)} s"]
    return ", ".join([*parts, f"{figure(memory)} {_UNITS[unit]}"])


def share_text(share: Share, deals: int) -> str:
    """A share of so many deals with its interval."""
    low, high = (percent(end, deals) for end in share.interval)
    return f"{ends_text(share, deals)} (95 % interval {low} to {high})"


def ends_text(share: Share, deals: int) -> str:
    """A share, or from which to which where deals are undecided."""
    ends = dict.fromkeys(percent(end, deals) for end in (share.low, share.high))
    return " to ".join(ends)


def is_money(rules: Rules, name: str) -> bool:
    """Whether the values of a column are dollars."""
    return rules.scoring is Scoring.VEGAS and name in ("score", "score_low", "score_high")


def value_text(rules: Rules, name: str, value: float) -> str:
    """A value of a column: dollars as `$416` and `-$104`."""
    digits = f"{abs(value):,.0f}"
    return f"{'-' if value < 0 else ''}{'$' if is_money(rules, name) else ''}{digits}"


def deal_name(row: dict[str, Any]) -> str:
    """What a listed deal is called."""
    return row["code"] or "from a file"


def rest_text(rows: list[dict[str, Any]], count: int) -> str:
    """How many of so many deals are not among the rows; empty if none."""
    more = count - len(rows)
    return f"and {more:,} more; --list N lists N" if more else ""


def _mode_lines(mode: ModeSummary) -> Iterator[str]:
    counts = mode.verdicts
    yield (
        f"{mode.name}: {counted(counts.deals, 'deal')}: {counts.winnable:,} winnable, "
        f"{counts.unwinnable:,} unwinnable, {counts.unknown:,} undecided"
    )
    yield f"  winnable {share_text(mode.winnable, counts.deals)}"
    without = mode.winnable_without_take_back
    if without is not None:
        yield f"  winnable without taking back {share_text(without, counts.deals)}"
    if mode.bounded:
        yield (
            f"  best score proved for {mode.proved:,} of {counted(mode.bounded, 'deal')}, "
            f"mean gap of the bounds {figure(mode.gap / mode.bounded)}"
        )
    yield f"  nodes {mode.nodes:,}, {mode.nodes / counts.deals:,.0f} a deal"
    if mode.timed:
        each = 1000 * mode.seconds / mode.timed
        yield f"  time {figure(mode.seconds)} s of one core, {figure(each)} ms a deal"
    shown = {name: each for name, each in mode.distributions.items() if each.total}
    if shown:
        yield "  " + " " * 20 + "".join(f"{title:>9}" for _, title in QUANTILES) + f"{'mean':>9}"
        for name, distribution in shown.items():
            yield "  " + _distribution_line(mode.rules, name, distribution)
    if mode.levels:
        levels = ", ".join(f"{level} {count:,}" for level, count in mode.levels_in_order)
        yield f"  levels: {levels}"
    for title, rows, count in (
        ("unwinnable", mode.lost, counts.unwinnable),
        ("undecided", mode.undecided, counts.unknown),
    ):
        if count:
            yield f"  {title}:"
            yield from (f"    {deal_name(row)} {_cost(row)}, {row['reason']}" for row in rows)
            if rest := rest_text(rows, count):
                yield f"    {rest}"
    if mode.hardest:
        yield "  hardest for a person:"
    for row in mode.hardest:
        yield f"    {deal_name(row)} {row['level']}, difficulty {row['difficulty']:.1f}"
    for title, rows in (("most nodes", mode.costliest), ("longest lists", mode.longest)):
        if rows:
            yield f"  {title}:"
        for row in rows:
            yield f"    {deal_name(row)} {row['verdict']}, {_cost(row)}"


def _cost(row: dict[str, Any]) -> str:
    """The nodes of a deal, and the moves of its list if it has one."""
    moves = "" if row["move_count"] is None else f", {counted(row['move_count'], 'move')}"
    return counted(row["nodes"], "node") + moves


def _distribution_line(rules: Rules, name: str, distribution: Distribution) -> str:
    values = [distribution.quantile(part) for part, _ in QUANTILES] + [distribution.mean]
    cells = "".join(f"{value_text(rules, name, value):>9}" for value in values)
    return f"{TITLES[name]:20}{cells}"


def data(summary: Summary) -> dict[str, Any]:
    """The whole report as one object for JSON; null stands for what no row says."""
    return {
        "solvers": summary.solvers,
        "limits": [asdict(limits) for limits in summary.limits],
        "modes": [_mode_data(mode) for mode in summary.modes],
    }


def _mode_data(mode: ModeSummary) -> dict[str, Any]:
    without = mode.winnable_without_take_back
    return {
        "game": mode.rules.game,
        "draw": mode.rules.draw,
        "scoring": mode.rules.scoring.value,
        "deals": mode.verdicts.deals,
        **asdict(mode.verdicts),
        "share_winnable": asdict(mode.winnable),
        "share_winnable_without_take_back": None if without is None else asdict(without),
        "score_bounded": mode.bounded,
        "score_proved": mode.proved,
        "mean_score_gap": mode.gap / mode.bounded if mode.bounded else None,
        "nodes": mode.nodes,
        "seconds": mode.seconds if mode.timed else None,
        "distributions": {
            name: {
                "count": each.total,
                **{
                    key: each.quantile(part)
                    for key, (part, _) in zip(
                        ("least", "p5", "median", "p95", "most"), QUANTILES, strict=True
                    )
                },
                "mean": each.mean,
            }
            for name, each in mode.distributions.items()
            if each.total
        },
        "levels": dict(mode.levels_in_order),
        "unwinnable_deals": mode.lost,
        "undecided_deals": mode.undecided,
        "hardest_deals": mode.hardest,
        "costliest_deals": mode.costliest,
        "longest_deals": mode.longest,
    }
