"""How a difficulty compares with those of other winnable deals of its game and mode.

`percentiles.json` holds the 0th, 1st, … 100th percentile of the difficulties in
`data/difficulty.parquet`; `data/SOURCE.md` says how both were made.
"""

import functools
import json
from bisect import bisect_left, bisect_right
from pathlib import Path

from ..engine.rules import Rules

FILE = Path(__file__).with_name("percentiles.json")


def harder_than(rules: Rules, difficulty: float) -> float | None:
    """Percentage of the winnable deals that are less difficult, of equal ones half.

    To a whole percent; None for a game and mode that was not measured.
    """
    steps = _tables().get(f"{rules.game}-{rules.mode}")
    if steps is None:
        return None
    middle = (bisect_left(steps, difficulty) + bisect_right(steps, difficulty)) / 2
    return round(100 * middle / len(steps))


@functools.cache
def _tables() -> dict[str, list[float]]:
    tables: dict[str, list[float]] = json.loads(FILE.read_text(encoding="utf-8"))
    return tables
