"""A summary as text."""

from collections.abc import Iterator

from ..engine.rules import Rules, Scoring
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


def text(summary: Summary) -> str:
    """The whole report, ended by a newline."""
    lines = [f"solver {', '.join(summary.solvers) or 'none'}"]
    if not summary.modes:
        lines.append("no deals")
    for mode in summary.modes:
        lines += ["", *_mode_lines(mode)]
    return "\n".join(lines) + "\n"


def percent(share: float) -> str:
    """A share in percent, with the digits that tell 99.99 from 100."""
    return f"{100 * share:.3f} %"


def counted(number: int, noun: str) -> str:
    """A number of things: `1 move`, `1,200 moves`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def share_text(share: Share) -> str:
    """A share with its interval."""
    low, high = share.interval
    return f"{ends_text(share)} (95 % interval {percent(low)} to {percent(high)})"


def ends_text(share: Share) -> str:
    """A share, or from which to which where deals are undecided."""
    if share.high == share.low:
        return percent(share.low)
    return f"{percent(share.low)} to {percent(share.high)}"


def is_money(rules: Rules, name: str) -> bool:
    """Whether the values of a column are dollars."""
    return rules.scoring is Scoring.VEGAS and name in ("score", "score_low", "score_high")


def value_text(rules: Rules, name: str, value: float) -> str:
    """A value of a column: dollars as `$416` and `-$104`."""
    digits = f"{abs(value):,.0f}"
    return f"{'-' if value < 0 else ''}{'$' if is_money(rules, name) else ''}{digits}"


def _mode_lines(mode: ModeSummary) -> Iterator[str]:
    counts = mode.verdicts
    yield (
        f"{mode.name}: {counted(counts.deals, 'deal')}: {counts.winnable:,} winnable, "
        f"{counts.unwinnable:,} unwinnable, {counts.unknown:,} undecided"
    )
    yield f"  winnable {share_text(mode.winnable)}"
    without = mode.winnable_without_take_back
    if without is not None:
        yield f"  winnable without taking back {share_text(without)}"
    if mode.bounded:
        yield (
            f"  best score proved for {mode.proved:,} of {counted(mode.bounded, 'deal')}, "
            f"mean gap of the bounds {mode.gap / mode.bounded:.1f}"
        )
    yield f"  nodes {mode.nodes:,}, {mode.nodes / counts.deals:,.0f} a deal"
    if mode.timed:
        each = 1000 * mode.seconds / mode.timed
        yield f"  time {mode.seconds:,.1f} s of one core, {each:.3f} ms a deal"
    shown = {name: each for name, each in mode.distributions.items() if each.total}
    if shown:
        yield "  " + " " * 20 + "".join(f"{title:>9}" for _, title in QUANTILES) + f"{'mean':>9}"
        for name, distribution in shown.items():
            yield "  " + _distribution_line(mode.rules, name, distribution)
    if mode.levels:
        levels = ", ".join(f"{level} {count:,}" for level, count in mode.levels_in_order)
        yield f"  levels: {levels}"
    for title, rows in (("hardest", mode.hardest), ("longest", mode.longest)):
        if rows:
            yield f"  {title}:"
        for row in rows:
            name = row["code"] or "from a file"
            moves = "" if row["move_count"] is None else f", {counted(row['move_count'], 'move')}"
            yield f"    {name} {row['verdict']}, {counted(row['nodes'], 'node')}{moves}"


def _distribution_line(rules: Rules, name: str, distribution: Distribution) -> str:
    values = [distribution.quantile(part) for part, _ in QUANTILES] + [distribution.mean]
    cells = "".join(f"{value_text(rules, name, value):>9}" for value in values)
    return f"{TITLES[name]:20}{cells}"
