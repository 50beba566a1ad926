"""How many deals are shown winnable or unwinnable within some times, on one core.

    python benchmarks/winnable.py --mode D1V --count 1000 --seconds 1,10,60

Each deal is searched once, up to the longest time; what was decided earlier counts for the
shorter times too. The interval (95 %, Wilson) counts undecided deals both ways: its lower
end takes them all for lost, its upper end for won.
"""

import measure
from double_solitaire.batch.summary import share_of
from double_solitaire.solver.solve import check
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.warm import load


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D1V", 1000)
    words.add_argument("--seconds", default="1,10,60", help="time limits; default 1,10,60")
    options = words.parse_args()
    times = sorted(map(float, options.seconds.split(",")))
    measure.print_head()
    load()
    limits = Limits(nodes=None, seconds=times[-1])
    answers = [check(rules, start, limits) for _, rules, start in measure.deals(options)]
    print("| mode | time a deal | winnable | unwinnable | unknown | share winnable, 95 % |")
    print("|---|---|---|---|---|---|")
    for seconds in times:
        known = [answer.verdict for answer in answers if answer.seconds <= seconds]
        won, lost = known.count(Verdict.WINNABLE), known.count(Verdict.UNWINNABLE)
        total = len(answers)
        unknown = total - won - lost
        low, high = share_of(won, unknown, total).interval
        shares = " | ".join(f"{count / total:.1%}" for count in (won, lost, unknown))
        print(f"| {options.mode} | {seconds:g} s | {shares} | {low:.1%} to {high:.1%} |")


if __name__ == "__main__":
    main()
