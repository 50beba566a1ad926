"""What docs/difficulty.md says of the rating, measured.

    python benchmarks/difficulty.py calibrate data/difficulty.parquet 10000 D1N D3N
    python benchmarks/difficulty.py percentiles data/difficulty.parquet
    python benchmarks/difficulty.py validity data/difficulty.parquet 2000
    python benchmarks/difficulty.py expert KL1-D3N 60

`calibrate` rates codes from the first on and adds the rows of the modes to the file.
`percentiles` makes `rating/percentiles.json` of it. `validity` rates codes of the file
again by a disjoint set of seeds. `expert` lets the expert play one game of each deal.
"""

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules
from double_solitaire.rating import percentiles
from double_solitaire.rating.expert import expert_rate
from double_solitaire.rating.interval import wilson
from double_solitaire.rating.rate import Rating, rate
from double_solitaire.solver.solve import check_numbers
from double_solitaire.solver.verdict import Limits, Verdict
from measure import print_head, rules_of

GAMES = 100
"""Games of each player in calibration and validity."""
LIMITS = Limits(nodes=200_000)
CHUNK = 100


def winnable(rules: Rules, count: int) -> Iterator[tuple[int, Position, int]]:
    """Number, position and solver's nodes of the winnable ones of the first deals."""
    for first in range(0, count, CHUNK):
        numbers = range(first, min(first + CHUNK, count))
        for number, answer in zip(numbers, check_numbers(rules, numbers, LIMITS), strict=True):
            if answer.verdict is Verdict.WINNABLE:
                position = Position.start(rules, deal_number(rules, number))
                yield number, position, answer.nodes


def calibrate(path: Path, count: int, modes: list[str]) -> None:
    """Rate the winnable ones of the first codes of each mode, and add the rows to a file."""
    old = pq.read_table(path).to_pylist() if path.exists() else []
    rows = [row for row in old if row["mode"] not in modes]
    for mode in modes:
        rules, started = rules_of(mode), time.perf_counter()
        for number, position, nodes in winnable(rules, count):
            rating = rate(rules, position, games=GAMES)
            rows.append(row_of(mode, str(DealCode(rules, number)), rating, nodes))
        new = [row["difficulty"] for row in rows if row["mode"] == mode]
        print(f"{mode}: {len(new)} of {count} deals, {time.perf_counter() - started:.0f} s")
    schema = pa.schema(
        [
            ("mode", pa.dictionary(pa.int8(), pa.string())),
            ("code", pa.string()),
            ("difficulty", pa.float32()),
            ("win_rate_casual", pa.float32()),
            ("win_rate_careful", pa.float32()),
            ("cards_up", pa.float32()),
            ("nodes", pa.int32()),
        ]
    )
    pq.write_table(pa.Table.from_pylist(rows, schema), path, compression="zstd")


def row_of(mode: str, code: str, rating: Rating, nodes: int) -> dict[str, object]:
    """A row of the calibration file."""
    return {
        "mode": mode,
        "code": code,
        "difficulty": rating.difficulty,
        "win_rate_casual": rating.casual.rate,
        "win_rate_careful": rating.careful.rate,
        "cards_up": rating.cards,
        "nodes": nodes,
    }


def write_percentiles(path: Path) -> None:
    """Make `rating/percentiles.json` of a calibration file."""
    table = pq.read_table(path).to_pandas()
    steps = {
        mode if "-" in mode else f"DS1-{mode}": [
            round(float(step), 1) for step in np.percentile(part, range(101))
        ]
        for mode, part in table.groupby("mode", observed=True)["difficulty"]
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in steps.items())
    percentiles.FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def ranks(values: Sequence[float]) -> np.ndarray:
    """The ranks of values, equal ones sharing theirs."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Spearman's rank correlation; not a number where all values are equal."""
    if len(set(first)) == 1 or len(set(second)) == 1:
        return math.nan
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def validity(path: Path, count: int) -> None:
    """Rate codes of a calibration file again, by another seed, and compare."""
    table = pq.read_table(path).to_pandas()
    for mode, part in table.groupby("mode", observed=True):
        rules, rows = rules_of(str(mode)), part.head(count)
        numbers = [DealCode.parse(code).number for code in rows["code"]]
        positions = [Position.start(rules, deal_number(rules, number)) for number in numbers]
        started = time.process_time()
        again = [rate(rules, position, seed=1, games=GAMES) for position in positions]
        seconds = time.process_time() - started
        pairs = {
            "difficulty": (rows["difficulty"], [rating.difficulty for rating in again]),
            "casual": (rows["win_rate_casual"], [rating.casual.rate for rating in again]),
            "careful": (rows["win_rate_careful"], [rating.careful.rate for rating in again]),
            "casual to careful": (rows["win_rate_casual"], rows["win_rate_careful"]),
            "solver's nodes to difficulty": (rows["nodes"], rows["difficulty"]),
        }
        found = ", ".join(f"{name} {correlation(*pair):.3f}" for name, pair in pairs.items())
        print(
            f"{mode}: {len(rows)} deals, {GAMES} games a player; rank correlations: {found}; "
            f"{len(rows) / seconds:.0f} ratings/s of processor time",
            flush=True,
        )


def expert(mode: str, count: int) -> None:
    """Let the expert play one game of each of the first deals, winnable or not."""
    rules, seconds = rules_of(mode), 0.0
    wins: list[float] = []
    ratings: list[Rating] = []
    for number in range(count):
        position = Position.start(rules, deal_number(rules, number))
        started = time.perf_counter()
        wins.append(expert_rate(rules, position, 0, 1).rate)
        seconds += time.perf_counter() - started
        ratings.append(rate(rules, position, games=GAMES))
    low, high = wilson(int(sum(wins)), count)
    casual, careful = [r.casual.rate for r in ratings], [r.careful.rate for r in ratings]
    print(
        f"{mode}: of {count} deals the expert wins {100 * sum(wins) / count:.0f} % "
        f"({100 * low:.0f} to {100 * high:.0f}), {seconds / count:.1f} s a game; "
        f"casual {100 * np.mean(casual):.1f} %, careful {100 * np.mean(careful):.1f} %; "
        f"rank correlation of casual to expert {correlation(casual, wins):.2f}, "
        f"of careful to expert {correlation(careful, wins):.2f}"
    )


def main() -> None:
    """Do what the arguments say."""
    task, *words = sys.argv[1:] or [""]
    print_head()
    if task == "calibrate":
        calibrate(Path(words[0]), int(words[1]), words[2:])
    elif task == "percentiles":
        write_percentiles(Path(words[0]))
    elif task == "validity":
        validity(Path(words[0]), int(words[1]))
    elif task == "expert":
        expert(words[0], int(words[1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
