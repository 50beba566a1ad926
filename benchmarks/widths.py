"""How many deals beams of some widths win in one pass, and how long they take, on one core.

    python benchmarks/widths.py --mode D1V --count 100 --widths 300,2000,10000

Each beam alone, without the other searches; what it does not win is no verdict. The beams are those
over components; with `--lazy` those of lazy play.
"""

import time
from statistics import mean

import measure
from double_solitaire.solver import position
from double_solitaire.solver.method import Budget, Win
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.warm import load
from double_solitaire.solver.weights import OF_COMPONENTS, USUAL
from double_solitaire.solver.workspace import methods


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D1V", 100)
    words.add_argument("--widths", default="300,2000,10000", help="default 300,2000,10000")
    words.add_argument("--lazy", action="store_true", help="beams of lazy play")
    options = words.parse_args()
    measure.print_head()
    load()
    print("| mode | width | won | seconds a deal | won by no narrower one |")
    print("|---|---|---|---|---|")
    won_before: set[int] = set()
    for width in sorted(map(int, options.widths.split(","))):
        won, seconds = set(), []
        for number, rules, start in measure.deals(options):
            beam = methods.lazy_beam if options.lazy else methods.component_beam
            weights = USUAL if options.lazy else OF_COMPONENTS[rules.draw]
            begin, budget = position.load(rules, start), Budget(Limits(nodes=None))
            started = time.perf_counter()
            if isinstance(beam.run(begin, budget, width, weights), Win):
                won.add(number)
            seconds.append(time.perf_counter() - started)
        row = (options.mode, width, f"{len(won) / len(seconds):.0%}", f"{mean(seconds):.2f}")
        print("|", " | ".join(map(str, (*row, len(won - won_before)))), "|", flush=True)
        won_before |= won


if __name__ == "__main__":
    main()
