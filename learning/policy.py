"""Learn the weights of the fast player by playing, and write them to data/policy.json.

    python -m learning.policy KL1-D3N --count 6000 --rounds 40

Weights are drawn at random around the present ones, each set plays one game of each deal, and the
best sets say where to draw next (cross-entropy method: Rubinstein 1999; with noise that falls, as
Szita and Lőrincz did for Tetris, 2006). The deals differ from round to round and are the same for
all sets of a round. What is made large is the share of games won, or in Vegas the cards that are up
at the end. At the end old and new weights play deals from 0 up, of which nothing is learned.
"""

import argparse
import datetime
import json
import signal
import time

import numpy as np
from double_solitaire.engine.jit import Record, kernel
from double_solitaire.engine.rules import Rules, Scoring
from double_solitaire.engine.shuffle import deal_order
from double_solitaire.rating import policy
from double_solitaire.solver.position import NODE, blank, lay
from numpy.typing import NDArray

from benchmarks.measure import print_head, rules_of
from learning.layers import FIRST_DEAL

SETS, ELITE = 32, 8
"""Sets of weights a round, and those of them that count. By hand: a quarter, as is usual."""
CHUNK = 500


@kernel
def play_numbers(
    game: Record, deal: Record, nodes: Record, p: Record, first: int, count: int, order: Record
) -> tuple[int, int]:
    """Play one game of each of some deals in a row; wins, and cards up in all."""
    wins = cards = 0
    for number in range(first, first + count):
        deal_order(number, len(order), order)
        nodes[0] = deal
        lay(game, nodes[0], order)
        p.all_seen, p.random = 0, np.uint64(number)
        if policy.play_on(game, nodes[0], p):
            wins += 1
            cards += len(order)
        else:
            cards += policy.cards_home(game, nodes[0])
    return wins, cards


class Table:
    """Where games of a mode are played."""

    def __init__(self, rules: Rules) -> None:
        """Reserve the memory."""
        self.rules = rules
        self._game, self._deal = blank(rules)
        self._nodes, self._player = np.zeros(1, NODE), np.zeros(1, policy.POLICY)[0]
        self._order = np.zeros(rules.cards, np.int64)

    def play(self, weights: NDArray[np.float64], first: int, count: int) -> tuple[float, float]:
        """The share of games won, and the mean number of cards up."""
        self._player.weights[:], self._player.noise = weights, policy.NOISE
        wins = cards = 0
        for start in range(first, first + count, CHUNK):
            many = min(CHUNK, first + count - start)
            arguments = (self._game, self._deal, self._nodes, self._player, start, many)
            won, up = play_numbers(*arguments, self._order)
            wins, cards = wins + won, cards + up
        return wins / count, cards / count

    def worth(self, weights: NDArray[np.float64], first: int, count: int) -> float:
        """What is to be large."""
        won, cards = self.play(weights, first, count)
        return cards if self.rules.scoring is Scoring.VEGAS else won


def learn(
    table: Table,
    mean: NDArray[np.float64],
    spread: NDArray[np.float64],
    options: argparse.Namespace,
) -> NDArray[np.float64]:
    """The mean of the weights after all rounds, or after the one in which the script is told to end
    (SIGTERM)."""
    source = np.random.default_rng(options.seed)
    stopped: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopped.append(number))
    for number in range(options.rounds):
        first = options.first + number * options.count
        sets = mean + spread * source.standard_normal((SETS, len(mean)))
        worth = np.array([table.worth(each, first, options.count) for each in sets])
        best = sets[np.argsort(-worth)[:ELITE]]
        mean = best.mean(axis=0)
        noise = options.noise * max(1 - number / (0.8 * options.rounds), 0)
        spread = np.sqrt(best.var(axis=0) + noise**2)
        print(f"round {number}: best {worth.max():.4f}, mean {worth.mean():.4f}", flush=True)
        if stopped:
            # So that the command that is noted says what was done.
            options.rounds = number + 1
            break
    return mean


def main() -> None:
    """Learn, compare and write."""
    words = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    words.add_argument("mode", help="D1N, KL1-D3N, …")
    words.add_argument(
        "--like", help="begin with the weights of this one of the file, such as DS1-D1V"
    )
    words.add_argument("--first", type=int, default=5 * FIRST_DEAL)
    words.add_argument("--count", type=int, default=4000, help="deals a round")
    words.add_argument("--rounds", type=int, default=40)
    words.add_argument("--spread", type=float, default=1.0, help="of the weights at first")
    words.add_argument("--noise", type=float, default=0.3, help="that is added to the spread")
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--held", type=int, default=10_000, help="deals to compare on")
    options = words.parse_args()
    if options.first < FIRST_DEAL:
        words.error(f"deals below {FIRST_DEAL} are for measuring")
    print_head()
    started = time.process_time()
    data = json.loads(policy.FILE.read_text(encoding="utf-8"))
    rules = rules_of(options.mode)
    mode = f"{rules.game}-{rules.mode}"
    named = data[options.like or mode]["weights"]
    old = np.array([named[name] for name in policy.NAMES])
    table = Table(rules)
    new = learn(table, old, np.full(len(old), options.spread), options)
    before, after = (table.play(weights, 0, options.held) for weights in (old, new))
    told = f"on deals 0 to {options.held - 1} games won {100 * before[0]:.2f} % before and "
    told += f"{100 * after[0]:.2f} % after, cards up {before[1]:.2f} and {after[1]:.2f}"
    print(told)
    like = f" --like {options.like}" if options.like else ""
    made_by = f"python -m learning.policy {options.mode}{like} --first {options.first} "
    made_by += f"--count {options.count} --rounds {options.rounds} --spread {options.spread} "
    made_by += f"--noise {options.noise} --seed {options.seed} ({datetime.date.today()}; {told}; "
    made_by += f"{time.process_time() - started:.0f} s)"
    weights = {name: round(float(new[at]), 4) for at, name in enumerate(policy.NAMES)}
    # Another mode may have been learned meanwhile.
    data = json.loads(policy.FILE.read_text(encoding="utf-8"))
    data[mode] = {"made_by": made_by, "weights": weights}
    policy.FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
