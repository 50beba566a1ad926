"""What docs/difficulty.md says of the rating, measured.

    python benchmarks/difficulty.py calibrate data/difficulty.parquet 10000 D1N D3N
    python benchmarks/difficulty.py percentiles data/difficulty.parquet
    python benchmarks/difficulty.py validity data/difficulty.parquet 2000
    python benchmarks/difficulty.py players 1000 1000 KL1-D3N KL1-D1N
    python benchmarks/difficulty.py dollars D1V 100 8 300

`calibrate` rates codes from the first on and adds the rows of the modes to the file.
`percentiles` makes `rating/percentiles.json` of it. `validity` rates codes of the file
again by a disjoint set of seeds. `players` lets each player play one game of each of so many deals,
the expert with so many simulations a move. `dollars` compares the difficulty of deals in Vegas
scoring with the dollars of some games of the expert on other seeds.
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
from double_solitaire.engine.rules import Rules, Scoring
from double_solitaire.engine.state import pack
from double_solitaire.rating import percentiles, players
from double_solitaire.rating.expert import Expert, expert_games
from double_solitaire.rating.policy import Fast
from double_solitaire.rating.rate import Fared, Rating, fared, rate
from double_solitaire.solver.solve import check_numbers
from double_solitaire.solver.verdict import Limits, Verdict
from measure import print_head, rules_of

GAMES = 100
"""Games of each player in calibration and validity."""
LIMITS = Limits(nodes=200_000)
CHUNK = 100


def rated(rules: Rules, count: int) -> Iterator[tuple[int, Position, int | None]]:
    """Number, position and solver's nodes of those of the first deals that are rated.

    These are the winnable ones, and in Vegas scoring all, unsolved.
    """
    if rules.scoring is Scoring.VEGAS:
        for number in range(count):
            yield number, Position.start(rules, deal_number(rules, number)), None
        return
    for first in range(0, count, CHUNK):
        numbers = range(first, min(first + CHUNK, count))
        for number, answer in zip(numbers, check_numbers(rules, numbers, LIMITS), strict=True):
            if answer.verdict is Verdict.WINNABLE:
                position = Position.start(rules, deal_number(rules, number))
                yield number, position, answer.nodes


def calibrate(path: Path, count: int, modes: list[str]) -> None:
    """Rate the first codes of each mode, and add the rows to a file."""
    old = pq.read_table(path).to_pylist() if path.exists() else []
    rows = [row for row in old if row["mode"] not in modes]
    for mode in modes:
        rules, started = rules_of(mode), time.perf_counter()
        for number, position, nodes in rated(rules, count):
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
            ("win_rate_fast", pa.float32()),
            ("dollars_casual", pa.float32()),
            ("dollars_careful", pa.float32()),
            ("dollars_fast", pa.float32()),
            ("above_zero_fast", pa.float32()),
        ]
    )
    pq.write_table(pa.Table.from_pylist(rows, schema), path, compression="zstd")


def row_of(mode: str, code: str, rating: Rating, nodes: int | None) -> dict[str, object]:
    """A row of the calibration file."""
    return {
        "mode": mode,
        "code": code,
        "difficulty": rating.difficulty,
        "win_rate_casual": rating.casual.rate,
        "win_rate_careful": rating.careful.rate,
        "cards_up": rating.cards,
        "nodes": nodes,
        "win_rate_fast": rating.fast.rate,
    } | dollars_of(rating)


def dollars_of(rating: Rating) -> dict[str, object]:
    """The cells of a rating in Vegas scoring."""
    if rating.dollars is None:
        return {}
    cells: dict[str, object] = {
        f"dollars_{player}": each.mean for player, each in rating.dollars.items()
    }
    return cells | {"above_zero_fast": rating.dollars["fast"].above.rate}


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


def one_game_each(mode: str, count: int, simulations: int) -> None:
    """Let each player play one game of each of the first deals, winnable or not."""
    rules = rules_of(mode)
    tables = Tables(rules, simulations)
    for name in tables.names:
        ends, started = [], time.process_time()
        for number in range(count):
            position = Position.start(rules, deal_number(rules, number))
            ends.append(tables.play(name, position, number))
        seconds = time.process_time() - started
        found = fared(rules, Position.start(rules, deal_number(rules, 0)), np.array(ends))
        print(f"{mode} {name}: {told(found)}; {1000 * seconds / count:.2f} ms a game", flush=True)


def told(found: Fared) -> str:
    """What games came to, in words with intervals."""
    low, high = found.won.interval
    words = f"{found.won.games} games, wins {100 * found.won.rate:.1f} % "
    words += f"({100 * low:.1f} to {100 * high:.1f})"
    if found.dollars is not None:
        low, high = found.dollars.interval
        words += f", dollars {found.dollars.mean:.1f} ({low:.1f} to {high:.1f}), "
        words += f"above zero {100 * found.dollars.above.rate:.1f} %"
    return words


class Tables:
    """Where each player plays games of a mode."""

    names = ("casual", "careful", "fast", "expert")

    def __init__(self, rules: Rules, simulations: int) -> None:
        """`simulations` is what the expert thinks about a move."""
        self._rules = rules
        self._fast, self._expert = Fast(rules, noise=0.0), Expert(rules, simulations)
        self._player, self._ends = np.zeros(1, players.PLAYER), np.zeros(1, np.int64)

    def play(self, name: str, position: Position, seed: int) -> int:
        """The cards that are up at the end of a game."""
        start = pack(self._rules, position)
        if name == "fast":
            return int(self._fast.play(start[0], seed, 1)[0])
        if name == "expert":
            return int(self._expert.play(start[0], seed, 1)[0])
        skill = self.names.index(name)
        players.play_games(start[0], start.copy()[0], self._player[0], skill, seed, self._ends)
        return int(self._ends[0])


def dollars(mode: str, count: int, games: int, simulations: int) -> None:
    """Compare the difficulty of the first deals with what the expert ends with on other seeds."""
    rules = rules_of(mode)
    positions = [Position.start(rules, deal_number(rules, number)) for number in range(count)]
    ratings = [rate(rules, position) for position in positions]
    found = [expert_games(rules, position, 1, games, simulations).dollars for position in positions]
    means = [-each.mean for each in found if each is not None]
    noise = np.mean([each.deviation**2 / games for each in found if each is not None])
    print(
        f"{mode}: {count} deals, {games} games of the expert each; rank correlation of difficulty "
        f"to dollars {correlation([each.difficulty for each in ratings], means):.3f}; "
        f"share of the dollars' variance that is the deals' {1 - noise / np.var(means):.3f}"
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
    elif task == "players":
        for mode in words[2:]:
            one_game_each(mode, int(words[0]), int(words[1]))
    elif task == "dollars":
        dollars(words[0], *map(int, words[1:]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
