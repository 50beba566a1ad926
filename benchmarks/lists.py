"""How long the lists of moves of wins are, and how often they recycle.

    python benchmarks/lists.py --mode D1N --count 1000
    python benchmarks/lists.py --mode D3N --count 200 --shorter 10

prints medians over the wins, the share of lists without a recycle, and by how many moves the lists
are longer than is proved to be needed; with `--shorter`, of lists that are looked for so long.
"""

from statistics import mean, median

import measure
from double_solitaire.engine.referee import replay
from double_solitaire.solver.position import load as load_start
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.warm import load
from double_solitaire.solver.workspace import methods


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D1N", 1000)
    words.add_argument("--shorter", type=float, help="seconds for a list with fewer moves")
    options = words.parse_args()
    measure.print_head()
    measure.count_processor_time()
    load()
    ends, seconds, gaps = [], [], []
    for _, rules, start in measure.deals(options):
        answer = solve(rules, start, Limits(), shorter=options.shorter)
        if answer.moves is not None:
            ends.append(replay(rules, start, answer.moves))
            seconds.append(answer.seconds)
            gaps.append(len(answer.moves) - methods.fewest.run(load_start(rules, start)))
    recycles = [end.recycles for end in ends]
    print(
        f"{options.mode}: {len(ends)} wins of {options.count} deals; "
        f"median {median(end.moves for end in ends):g} moves, "
        f"{median(end.draws for end in ends):g} draws, {median(recycles):g} recycles "
        f"(mean {mean(recycles):.2f}, none in {recycles.count(0) / len(ends):.1%}), "
        f"score {median(end.score for end in ends):g}; {mean(seconds):.2f} s a deal; "
        f"mean {mean(end.moves for end in ends):.1f} moves, "
        f"{mean(gaps):.1f} more than are proved to be needed"
    )


if __name__ == "__main__":
    main()
