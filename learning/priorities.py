"""Learn the priorities of the steps of a dive by a hill climb; writes data/priorities.json.

    python -m learning.priorities --first 300000 --count 2000 --tries 400

What is made small is the number of positions, added up for D1N and D3N over the same deals. Each
try changes one priority; it stays if fewer positions are needed. At the end the old and the new
ones are compared on the deals from 0 up, of which nothing is learned.
"""

import datetime
import json
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from double_solitaire.solver.dive import Dives
from double_solitaire.solver.priorities import FILE, read_priorities
from double_solitaire.solver.search import QUICK

from benchmarks.measure import parser, print_head, rules_of
from learning.layers import FIRST_DEAL

MODES = ("D1N", "D3N")
LARGEST_CHANGE, LEAST_PRIORITY = 0.5, 10
"""Of a priority, as a share of itself, at the most; a priority near 0 counts as this one there."""


def count_positions(priorities: Mapping[str, int], numbers: range) -> int:
    """Positions that dives by these priorities need for these deals, of all modes."""
    dives, all_numbers = Dives(priorities), np.array(numbers)
    used = (dives.run_numbers(rules_of(mode), all_numbers, QUICK.amount)[1] for mode in MODES)
    return sum(int(nodes.sum()) for nodes in used)


def climb(
    priorities: dict[str, int], numbers: range, tries: int, source: np.random.Generator
) -> tuple[dict[str, int], int]:
    """The best priorities found in so many tries, and the positions they need."""
    best = count_positions(priorities, numbers)
    for _ in range(tries):
        name = str(source.choice(list(priorities)))
        reach = LARGEST_CHANGE * max(abs(priorities[name]), LEAST_PRIORITY)
        changed = priorities | {
            name: priorities[name] + round(float(source.uniform(-reach, reach)))
        }
        found = count_positions(changed, numbers)
        if found < best:
            priorities, best = changed, found
            print(f"{name} {priorities[name]}: {best / len(numbers):.2f}", flush=True)
    return priorities, best


def main() -> None:
    """Climb, compare and write."""
    words = parser(__doc__, ",".join(MODES), 2000)
    words.set_defaults(first=3 * FIRST_DEAL)
    words.add_argument("--tries", type=int, default=400)
    words.add_argument("--seed", type=int, default=0)
    words.add_argument("--held", type=int, default=10_000, help="deals to compare on")
    words.add_argument("--file", type=Path, default=FILE, help="default data/priorities.json")
    options = words.parse_args()
    if options.first < FIRST_DEAL:
        words.error(f"deals below {FIRST_DEAL} are for measuring")
    print_head()
    started, old = time.process_time(), read_priorities()
    numbers = range(options.first, options.first + options.count)
    new, best = climb(old, numbers, options.tries, np.random.default_rng(options.seed))
    means = [
        count_positions(priorities, range(options.held)) / options.held for priorities in (old, new)
    ]
    told = f"positions a deal of {' and '.join(MODES)}: {best / options.count:.2f} here; on deals "
    told += f"0 to {options.held - 1} {means[0]:.2f} before, {means[1]:.2f} after"
    print(told)
    made_by = f"python -m learning.priorities --first {options.first} --count {options.count} "
    made_by += f"--tries {options.tries} --seed {options.seed} ({datetime.date.today()}; {told}; "
    made_by += f"{time.process_time() - started:.0f} s)"
    text = json.dumps({"made_by": made_by, "priorities": new}, indent=1)
    options.file.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
