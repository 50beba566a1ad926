"""What docs/difficulty.md says of the rating, measured.

    python benchmarks/difficulty.py calibrate data/difficulty.parquet 10000 D1N D3N
    python benchmarks/difficulty.py percentiles data/difficulty.parquet
    python benchmarks/difficulty.py validity 2000 D1N D3N D1V D3V
    python benchmarks/difficulty.py expert KL1 D3N 100

`calibrate` rates codes from the first on and adds the rows of the modes to the file.
`percentiles` makes `rating/percentiles.json` of it. `validity` compares ratings by two disjoint
sets of seeds, and says their speed. `expert` lets the expert play one game of each deal.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules, rules_for
from double_solitaire.rating import percentiles
from double_solitaire.rating.expert import expert_rate
from double_solitaire.rating.interval import wilson
from double_solitaire.rating.rate import Rating, rate
from double_solitaire.solver.solve import check_numbers
from double_solitaire.solver.verdict import Limits, Verdict

GAMES = 100
"""Games of each player in calibration and validity."""
LIMITS = Limits(nodes=200_000)
CHUNK = 100


def rules_of(mode: str, game: str = "DS1") -> Rules:
    """The rules of a mode such as `D1N`."""
    return rules_for(game, int(mode[1]), mode[2])


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
        f"DS1-{mode}": [round(float(step), 1) for step in np.percentile(part, range(101))]
        for mode, part in table.groupby("mode", observed=True)["difficulty"]
    }
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in steps.items())
    percentiles.FILE.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


def ranks(values: list[float]) -> np.ndarray:
    """The ranks of values, equal ones sharing theirs."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return (np.cumsum(counts) - (counts - 1) / 2)[where]


def correlation(first: list[float], second: list[float]) -> float:
    """Spearman's rank correlation."""
    return float(np.corrcoef(ranks(first), ranks(second))[0, 1])


def validity(count: int, modes: list[str]) -> None:
    """Compare the ratings of the first winnable codes by two sets of seeds."""
    for mode in modes:
        rules, effort, seconds = rules_of(mode), [], 0.0
        pairs: list[tuple[Rating, Rating]] = []
        for _, position, nodes in winnable(rules, count):
            started = time.process_time()
            pairs.append((rate(rules, position, 1, GAMES), rate(rules, position, 2, GAMES)))
            seconds += time.process_time() - started
            effort.append(float(nodes))
        one, two = zip(*pairs, strict=True)
        hard = [rating.difficulty for rating in one]
        casual, careful = [r.casual.rate for r in one], [r.careful.rate for r in one]
        print(
            f"{mode}: {len(pairs)} winnable of {count} deals, {GAMES} games a player and seed; "
            f"difficulty {correlation(hard, [r.difficulty for r in two]):.3f}, "
            f"casual {correlation(casual, [r.casual.rate for r in two]):.3f}, "
            f"careful {correlation(careful, [r.careful.rate for r in two]):.3f}, "
            f"casual to careful {correlation(casual, careful):.3f}, "
            f"solver's nodes to difficulty {correlation(effort, hard):.3f}; "
            f"{2 * len(pairs) / seconds:.0f} ratings/s of processor time",
            flush=True,
        )


def expert(game: str, mode: str, count: int) -> None:
    """Let the expert play one game of each of the first deals, winnable or not."""
    rules, started, wins = rules_of(mode, game), time.perf_counter(), 0
    for number in range(count):
        position = Position.start(rules, deal_number(rules, number))
        wins += expert_rate(rules, position, 0, 1).wins
        if number % 10 == 9 or number == count - 1:
            low, high = wilson(wins, number + 1)
            print(
                f"{game}-{mode}: {wins} of {number + 1} games won, "
                f"{100 * wins / (number + 1):.0f} % ({100 * low:.0f} to {100 * high:.0f}), "
                f"{(time.perf_counter() - started) / (number + 1):.1f} s a game",
                flush=True,
            )


def main() -> None:
    """Do what the arguments say."""
    task, *words = sys.argv[1:]
    if task == "calibrate":
        calibrate(Path(words[0]), int(words[1]), words[2:])
    elif task == "percentiles":
        write_percentiles(Path(words[0]))
    elif task == "validity":
        validity(int(words[0]), words[1:])
    elif task == "expert":
        expert(words[0], words[1], int(words[2]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
