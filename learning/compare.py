"""Which deals the beams win by some sets of weights, on the same deals.

    python -m learning.compare usual of_components_1 --mode D1V --count 1000 --width 300

A set is a name of data/weights.json, or FILE:NAME.
"""

import time
from pathlib import Path

from double_solitaire.solver.weights import FILE, read_set

from benchmarks.measure import parser, print_head, rules_of
from learning.layers import METHODS


def main() -> None:
    """Play and print."""
    words = parser(__doc__, "D1V", 1000)
    words.add_argument("sets", nargs="+", help="NAME or FILE:NAME")
    words.add_argument("--width", type=int, default=300)
    words.add_argument("--method", choices=METHODS, default="components")
    options = words.parse_args()
    print_head()
    rules = rules_of(options.mode)
    numbers = range(options.first, options.first + options.count)
    before: set[int] = set()
    for text in options.sets:
        path, _, name = text.rpartition(":")
        weights, started = read_set(name, Path(path) if path else FILE), time.process_time()
        won = {
            number
            for number in numbers
            if METHODS[options.method](rules, number, options.width, weights).run()
        }
        seconds = (time.process_time() - started) / len(numbers)
        against = f", +{len(won - before)} -{len(before - won)} against the one before" * bool(
            before
        )
        print(
            f"{text}: {len(won)} of {len(numbers)} won{against}, {seconds:.3f} s a deal", flush=True
        )
        before = won


if __name__ == "__main__":
    main()
