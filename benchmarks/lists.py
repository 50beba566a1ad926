"""How long the lists of moves of wins are, and how often they recycle.

    python benchmarks/lists.py --mode D1N --count 1000

prints medians over the wins, and the share of lists without a recycle.
"""

from statistics import mean, median

import measure
from double_solitaire.engine.referee import replay
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits


def main() -> None:
    """Measure and print."""
    options = measure.parser(__doc__, "D1N", 1000).parse_args()
    measure.print_head()
    ends, seconds = [], []
    for _, rules, start in measure.deals(options):
        answer = solve(rules, start, Limits())
        if answer.moves is not None:
            ends.append(replay(rules, start, answer.moves))
            seconds.append(answer.seconds)
    recycles = [end.recycles for end in ends]
    print(
        f"{options.mode}: {len(ends)} wins of {options.count} deals; "
        f"median {median(end.moves for end in ends):g} moves, "
        f"{median(end.draws for end in ends):g} draws, {median(recycles):g} recycles "
        f"(mean {mean(recycles):.2f}, none in {recycles.count(0) / len(ends):.1%}), "
        f"score {median(end.score for end in ends):g}; {mean(seconds):.2f} s a deal"
    )


if __name__ == "__main__":
    main()
