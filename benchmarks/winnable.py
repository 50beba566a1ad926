"""How many deals are shown winnable or unwinnable within some times, on one core.

    python benchmarks/winnable.py --mode D1V --count 1000 --seconds 1,10,60

Each deal is searched once, up to the longest time, of the processor; what was decided earlier
counts for the shorter times too. With `--rows FILE` each deal is a line of it, and a run that was
stopped goes on from there. The interval (95 %, Wilson) counts undecided deals both ways: its lower
end takes them all for lost, its upper end for won.
"""

import json
from pathlib import Path

import measure
from double_solitaire.batch.summary import share_of
from double_solitaire.solver.solve import check
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.warm import load


def main() -> None:
    """Measure and print."""
    words = measure.parser(__doc__, "D1V", 1000)
    words.add_argument("--seconds", default="1,10,60", help="time limits; default 1,10,60")
    words.add_argument("--rows", type=Path, help="file to keep the rows in, and to go on from")
    options = words.parse_args()
    times = sorted(map(float, options.seconds.split(",")))
    measure.print_head()
    measure.count_processor_time()
    load()
    limits = Limits(nodes=None, seconds=times[-1])
    rows, asked = [], range(options.first, options.first + options.count)
    if options.rows and options.rows.exists():
        lines = options.rows.read_text().splitlines()
        rows = [row for row in map(json.loads, lines) if row["number"] in asked]
    known_before = {row["number"] for row in rows}
    for number, rules, start in measure.deals(options):
        if number not in known_before:
            answer = check(rules, start, limits)
            row = {"number": number, "verdict": answer.verdict, "seconds": answer.seconds}
            rows.append(row | {"nodes": answer.nodes})
            if options.rows:
                with options.rows.open("a") as file:
                    print(json.dumps(rows[-1]), file=file)
    print("| mode | time a deal | winnable | unwinnable | unknown | share winnable, 95 % |")
    print("|---|---|---|---|---|---|")
    for seconds in times:
        known = [row["verdict"] for row in rows if row["seconds"] <= seconds]
        won, lost = known.count(Verdict.WINNABLE), known.count(Verdict.UNWINNABLE)
        total = len(rows)
        unknown = total - won - lost
        low, high = share_of(won, unknown, total).interval
        shares = " | ".join(f"{count / total:.1%}" for count in (won, lost, unknown))
        print(f"| {options.mode} | {seconds:g} s | {shares} | {low:.1%} to {high:.1%} |")
    open_ones = [row["number"] for row in rows if row["verdict"] == Verdict.UNKNOWN]
    print(f"{sum(row['nodes'] for row in rows)} nodes, open: {open_ones}")


if __name__ == "__main__":
    main()
