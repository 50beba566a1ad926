"""How fast verdicts with unlimited redeals are, on one core and warm.

    python benchmarks/speed.py [--count 10000]

prints for draw 1 and draw 3 the deals and positions a second, the share of the time that
is spent in compiled code, and the deal that took most positions, with its time alone.
"""

import time

import measure
import numpy as np
from double_solitaire.engine.codes import DealCode
from double_solitaire.solver.solve import check_numbers, dive_numbers
from double_solitaire.solver.verdict import Limits, Verdict

LIMITS = Limits()


def main() -> None:
    """Measure and print."""
    options = measure.parser(__doc__, "D1N,D3N", 10_000).parse_args()
    measure.print_head()
    for mode in options.mode.split(","):
        rules = measure.rules_of(mode)
        numbers = range(options.first, options.first + options.count)
        check_numbers(rules, numbers[:1], LIMITS)
        started = time.perf_counter()
        answers = check_numbers(rules, numbers, LIMITS)
        seconds = time.perf_counter() - started
        started = time.perf_counter()
        found, _ = dive_numbers(rules, np.array(numbers), LIMITS)
        compiled = time.perf_counter() - started
        compiled += sum(a.seconds for a, ok in zip(answers, found, strict=True) if not ok)
        nodes = sum(answer.nodes for answer in answers)
        undecided = sum(answer.verdict is Verdict.UNKNOWN for answer in answers)
        slowest = max(numbers, key=lambda number: answers[number - numbers[0]].nodes)
        alone = check_numbers(rules, [slowest], LIMITS)[0]
        print(
            f"{mode}: {len(numbers) / seconds:.0f} deals/s, {nodes / seconds:.0f} nodes/s, "
            f"{nodes / len(numbers):.0f} nodes a deal, {undecided} unknown, "
            f"{min(compiled / seconds, 1):.0%} in compiled code; slowest "
            f"{DealCode(rules, slowest)}: {alone.nodes} nodes, {alone.seconds:.3f} s"
        )


if __name__ == "__main__":
    main()
