"""How far apart the bounds of the best score are, on one core.

    python benchmarks/gaps.py --mode D1N --count 1000 --seconds 10

Points in Normal scoring, dollars in Vegas scoring; taking back excluded.
"""

from statistics import mean, median

import measure
from double_solitaire.solver.score import score
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.warm import load


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D1N", 1000)
    words.add_argument("--seconds", type=float, default=10, help="time limit; default 10")
    options = words.parse_args()
    measure.print_head()
    measure.count_processor_time()
    load()
    limits = Limits(nodes=None, seconds=options.seconds)
    answers = [score(rules, start, limits) for _, rules, start in measure.deals(options)]
    gaps = [answer.high - answer.low for answer in answers]
    print(
        f"{options.mode}: {len(answers)} deals, {options.seconds:g} s each at most; "
        f"gap mean {mean(gaps):.1f}, median {median(gaps):g}, largest {max(gaps)}; "
        f"proved best {gaps.count(0) / len(gaps):.1%}; "
        f"mean of the lower bounds {mean(answer.low for answer in answers):.1f}"
    )


if __name__ == "__main__":
    main()
