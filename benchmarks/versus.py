"""What docs/versus.md says of the game for two, measured: a row a measure, as JSON lines.

    python benchmarks/versus.py data/versus.jsonl game 100000 D1N D3N D1V D3V
    python benchmarks/versus.py data/versus.jsonl race 20000 D1N D3N D1V D3V
    python benchmarks/versus.py data/versus.jsonl luck 2500 D1N D3N D1V D3V
    python benchmarks/versus.py data/versus.jsonl pace 2500 D1N D3N
    python benchmarks/versus.py data/versus.jsonl draw 20000 D1N
    python benchmarks/versus.py data/versus.jsonl think 6 D1N D3N
    python benchmarks/versus.py data/versus.jsonl tables

`game` and `race` play each of the first deals once, in turns and both at once, by two careful
players. `luck` plays each eight times by players with chance, the careful one with the slips of
`fair` and the casual one, and parts the variance of the margin. `pace` gives the second player more
seconds a card, in pairs. `draw` lets one player turn one card at a draw and the other three.
`think` times the players who play out, in pairs against the careful one. A measure that is made
again takes the place of its rows. `tables` prints those of the document.
"""

import json
import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from double_solitaire.engine.rules import Rules, rules_for
from double_solitaire.rating.interval import CONFIDENCE_95
from double_solitaire.rating.players import CAREFUL_SLIP, CASUAL_SLIP
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.contest import (
    COLUMNS,
    ENDS,
    PLAYOUTS,
    Arena,
    Contest,
    Entrant,
    Pair,
    play_game,
    play_race,
)
from double_solitaire.versus.dead import is_dead
from double_solitaire.versus.game import End, House, Player, Table
from double_solitaire.versus.playout import NOBODY, lay_table, pack_table, seed_players
from double_solitaire.versus.race import PACE

REPEATS = 8
THOUGHT = COLUMNS.index("thought_a")
FACTORS = (1.1, 1.25, 1.5, 2.0)
Row = dict[str, Any]


class EqualPlayers:
    """Plays single games of a table by two equal players."""

    def __init__(self, name: str = "careful", slip: int = 0) -> None:
        """Take the player of this name, who overlooks `slip` of 256 cards."""
        self.arena, self.slip = Arena(), slip
        self.entrants = np.array([Entrant.of(name).numbers()] * 2, np.int64)

    def play(self, rules: Rules, table: Table, house: House, seed: int) -> np.ndarray:
        """The row of a game; the table as it ends stays in `arena.table`."""
        arena, row = self.arena, np.zeros(len(COLUMNS), np.int64)
        start = pack_table(rules, table, house)
        arena.table[:] = start
        lay_table(arena.table[0], start[0])
        seed_players(arena.players, seed, 0, self.slip, self.slip)
        common = (arena.table[0], arena.players, arena.tree[0], arena.probe, self.entrants)
        if table.to_move is None:
            play_race(*common, np.array([PACE, PACE]), seed << 20, arena.runners, row)
        else:
            play_game(*common, seed << 20, row)
        return row


def deals(mode: str, count: int) -> Iterator[tuple[Rules, Table]]:
    """The first deals of a mode."""
    rules = rules_for("DS2", int(mode[1]), mode[2])
    for number in range(count):
        yield rules, Table.start(VersusCode.of_number(rules, number).deals())


def mean(values: np.ndarray) -> list[float]:
    """The mean and half the width of its 95 % interval."""
    half = CONFIDENCE_95 * values.std(ddof=1) / math.sqrt(len(values))
    return [round(float(values.mean()), 5), round(float(half), 5)]


def shares_of_a(rows: np.ndarray) -> np.ndarray:
    """1 where A won, half without a winner."""
    winners = rows[:, COLUMNS.index("winner")]
    return np.where(winners == NOBODY, 0.5, winners == 0)


def games(mode: str, count: int, is_race: bool) -> Iterator[Row]:
    """Figures of games of equal careful players, one a deal."""
    player, rows, deadlocks = EqualPlayers(), [], 0
    for number, (rules, table) in enumerate(deals(mode, count)):
        row = player.play(rules, table.begun_by(None) if is_race else table, House(), number)
        rows.append(row)
        if ENDS[row[1]] is End.IDLE:
            t, probe = player.arena.table[0], player.arena.probe[0]
            deadlocks += not is_dead(t, 0, probe) and not is_dead(t, 1, probe)
    all_rows = np.array(rows)
    column = {name: all_rows[:, at] for at, name in enumerate(COLUMNS)}
    margin = column["up_a"] - column["up_b"]
    loser = np.minimum(column["up_a"], column["up_b"])
    found: Row = {
        "players": "careful",
        "games": count,
        "share_a": mean(shares_of_a(all_rows)),
        "turns": mean(column["turns"]),
        "up": mean((column["up_a"] + column["up_b"]) / 2),
        "sd_of_margin": round(float(margin.std()), 3),
        "equal_counts": mean(margin == 0),
        "loser_up_to_10": mean(loser <= 10),
        "no_winner": mean(column["winner"] == NOBODY),
        "deadlocks": round(deadlocks / count, 5),
    }
    for at, end in enumerate(ENDS):
        if end in (End.OUT, End.IDLE, End.DEAD):
            found[str(end)] = mean(column["end"] == at)
    if is_race:
        found["seconds"] = mean(column["milliseconds"] / 1000)
        found["late"] = mean(column["late_a"] + column["late_b"])
    yield found


def luck(mode: str, count: int) -> Iterator[Row]:
    """What share of the variance of a game's margin, and of its winner, the deal explains."""
    for name, slip in (("careful", CAREFUL_SLIP), ("casual", CASUAL_SLIP)):
        player = EqualPlayers(name, slip)
        margins, shares = np.zeros((count, REPEATS)), np.zeros((count, REPEATS))
        for number, (rules, table) in enumerate(deals(mode, count)):
            for repeat in range(REPEATS):
                begun = table.begun_by(tuple(Player)[repeat & 1])
                row = player.play(rules, begun, House(), number * REPEATS + repeat)
                margins[number, repeat] = row[2] - row[3]
                shares[number, repeat] = shares_of_a(row[None])[0]
        yield {
            "players": name,
            "slip": slip,
            "games": count * REPEATS,
            "deals": count,
            "margin_by_deal": explained(margins),
            "winner_by_deal": explained(shares),
            "sd_of_margin": round(float(margins.std()), 3),
        }


def explained(values: np.ndarray) -> list[float]:
    """The share of the variance that the rows explain, and half its interval by resampled rows."""

    def share(rows: np.ndarray) -> float:
        within = rows.var(axis=1, ddof=1).mean()
        between = rows.mean(axis=1).var(ddof=1) - within / rows.shape[1]
        return float(between / max(between + within, 1e-9))

    words = np.random.default_rng(0)
    again = [share(values[words.integers(0, len(values), len(values))]) for _ in range(200)]
    return [round(share(values), 4), round(CONFIDENCE_95 * float(np.std(again)), 4)]


def pace(mode: str, count: int) -> Iterator[Row]:
    """What it is worth to be quicker, in pairs of equal careful players."""
    for factor in FACTORS:
        arena, contest = Arena(), Contest()
        entrants = [Entrant.of("careful"), Entrant.of("careful", pace=factor * PACE)]
        for number, (rules, table) in enumerate(deals(mode, count)):
            code = VersusCode.of_number(rules, number)
            rows = arena.play_pair(rules, table.begun_by(None), House(), entrants, number)
            contest.add(Pair(code, rows))
        yield {
            "players": "careful",
            "other_is_slower_by": factor,
            "games": 2 * count,
            "share": [round(contest.share.value, 5), round(contest.share.half, 5)],
            "margin": [round(contest.margin.value, 3), round(contest.margin.half, 3)],
            "late": round(contest.mean("late_a") + contest.mean("late_b"), 2),
        }


def draw(mode: str, count: int) -> Iterator[Row]:
    """What it is worth to turn one card where the other turns three; half of the games each way."""
    for name in ("careful", "greedy"):
        player, shares, margins = EqualPlayers(name), [], []
        for number, (rules, table) in enumerate(deals(mode, count)):
            one = player.play(rules, table, House(draw_a=1, draw_b=3), number)
            other = player.play(rules, table, House(draw_a=3, draw_b=1), number)
            shares.append((shares_of_a(one[None])[0] + 1 - shares_of_a(other[None])[0]) / 2)
            margins.append((one[2] - one[3] - other[2] + other[3]) / 2)
        yield {
            "players": name,
            "games": 2 * count,
            "share": mean(np.array(shares)),
            "margin": mean(np.array(margins)),
        }


def think(mode: str, count: int) -> Iterator[Row]:
    """How fast the players who play games out do so, and what a turn of theirs takes."""
    for name in ("strong", "tree"):
        arena, entrants = Arena(), [Entrant.of(name), Entrant.of("careful")]
        playouts = turns = 0
        seconds = 0.0
        for number, (rules, start) in enumerate(deals(mode, count + 1)):
            begun = time.process_time()
            rows = arena.play_pair(rules, start, House(), entrants, number)
            if number == 0:
                # Its code may have been compiled or loaded.
                continue
            seconds += time.process_time() - begun
            playouts += int(rows[0, THOUGHT] + rows[1, THOUGHT + 1])
            turns += int(rows[:, COLUMNS.index("turns")].sum()) // 2
        yield {
            "players": name,
            "games": 2 * count,
            "playouts": PLAYOUTS,
            "playouts_a_second": round(playouts / seconds, -2),
            "seconds_a_turn": round(seconds / turns, 4),
        }


MEASURES: dict[str, Callable[[str, int], Iterator[Row]]] = {
    "game": lambda mode, count: games(mode, count, is_race=False),
    "race": lambda mode, count: games(mode, count, is_race=True),
    "luck": luck,
    "pace": pace,
    "draw": draw,
    "think": think,
}


def percent(pair: list[float]) -> str:
    """A share and half its interval, in per cent."""
    return f"{100 * pair[0]:.1f} ± {100 * pair[1]:.1f} %"


def cards(pair: list[float]) -> str:
    """A lead in cards and half its interval."""
    return f"{pair[0]:+.2f} ± {pair[1]:.2f}"


def table(head: str, rows: list[str]) -> list[str]:
    """The lines of a table; each row is its cells."""
    return [
        f"| {head} |",
        "|---" * (head.count("|") + 1) + "|",
        *(f"| {row} |" for row in rows),
        "",
    ]


def tables(rows: list[Row]) -> str:
    """The tables of docs/versus.md."""
    played = [row for row in rows if row["measure"] in ("game", "race")]
    of = {name: [row for row in rows if row["measure"] == name] for name in MEASURES}
    lines = table(
        "mode, style | games | turns | cards up each | played out | equal counts | deadlocks "
        "| sd of margin | loser ≤ 10 | A wins",
        [
            f"{row['mode']}, {'in turns' if row['measure'] == 'game' else 'at once'} "
            f"| {row['games']:,} | {row['turns'][0]:.1f} | {row['up'][0]:.1f} "
            f"| {100 * row['out'][0]:.1f} % | {100 * row['equal_counts'][0]:.1f} % "
            f"| {100 * row['deadlocks']:.1f} % | {row['sd_of_margin']:.1f} "
            f"| {100 * row['loser_up_to_10'][0]:.0f} % | {percent(row['share_a'])}"
            for row in played
        ],
    )
    lines += table(
        "mode | players | of the margin | of who wins",
        [
            f"{row['mode']} | {row['players']} | {percent(row['margin_by_deal'])} "
            f"| {percent(row['winner_by_deal'])}"
            for row in of["luck"]
        ],
    )
    lines += table(
        "mode | the other's times | wins | by cards | late moves a game",
        [
            f"{row['mode']} | × {row['other_is_slower_by']:g} | {percent(row['share'])} "
            f"| {cards(row['margin'])} | {row['late']:.1f}"
            for row in of["pace"]
        ],
    )
    lines += table(
        "players | who turns one card wins | by cards",
        [
            f"{row['players']} | {percent(row['share'])} | {cards(row['margin'])}"
            for row in of["draw"]
        ],
    )
    lines += table(
        "mode | player | games | play-outs a second | a turn",
        [
            f"{row['mode']} | {row['players']} | {row['games']} "
            f"| {row['playouts_a_second']:,.0f} | {row['seconds_a_turn']:.3f} s"
            for row in of["think"]
        ],
    )
    return "\n".join(lines)


def read(path: Path) -> list[Row]:
    """The rows of a file; none of one that is not there."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [json.loads(line) for line in lines]


def main(path: Path, measure: str, count: int, modes: list[str]) -> None:
    """Take a measure in some modes and put its rows in the file."""
    for mode in modes:
        started = time.perf_counter()
        found = [{"measure": measure, "mode": mode} | row for row in MEASURES[measure](mode, count)]
        kept = [row for row in read(path) if (row["measure"], row["mode"]) != (measure, mode)]
        order = list(MEASURES)
        rows = sorted(kept + found, key=lambda row: (order.index(row["measure"]), row["mode"]))
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        print(f"{measure} {mode}: {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    if sys.argv[2] == "tables":
        print(tables(read(Path(sys.argv[1]))), end="")
    else:
        main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4:])
