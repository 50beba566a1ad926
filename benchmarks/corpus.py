"""Collect the hardest deals of a range, and those proved unwinnable, as lines of JSON.

    python benchmarks/corpus.py --mode D3N --count 100000 --nodes 5000000

writes to data/hardest.jsonl the ten deals that took most positions to decide, and to
data/unwinnable.jsonl each deal proved lost with the size of its proof. Lines of the same
mode that are there already are replaced.
"""

import json
from pathlib import Path

import measure
from double_solitaire.engine.codes import DealCode
from double_solitaire.solver.solve import check_numbers
from double_solitaire.solver.verdict import Limits, Verdict

HARDEST = 10


def replace_mode(path: Path, start: str, rows: list[dict[str, object]]) -> None:
    """Put rows in place of those whose codes have this start in a file of lines of JSON."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    lines = [line for line in lines if not json.loads(line)["code"].startswith(start)]
    lines += [json.dumps(row) for row in rows]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def main() -> None:
    """Search and write."""
    words = measure.parser(__doc__, "D3N", 100_000)
    words.add_argument("--nodes", type=int, default=5_000_000, help="limit for each deal")
    words.add_argument("--data", type=Path, default=Path("data"), help="folder; default data")
    options = words.parse_args()
    measure.print_head()
    rules = measure.rules_of(options.mode)
    numbers = range(options.first, options.first + options.count)
    answers = check_numbers(rules, numbers, Limits(nodes=options.nodes))
    rows = [
        {
            "code": str(DealCode(rules, number)),
            "verdict": str(answer.verdict),
            "reason": answer.reason,
            "nodes": answer.nodes,
            "found_by": f"deals {numbers[0]} to {numbers[-1]}, up to {options.nodes} nodes each",
        }
        for number, answer in zip(numbers, answers, strict=True)
    ]
    known = [row for row in rows if row["verdict"] != Verdict.UNKNOWN]
    lost = [row for row in known if row["verdict"] == Verdict.UNWINNABLE]
    hardest = sorted(known, key=lambda row: -int(str(row["nodes"])))[:HARDEST]
    start = f"{rules.game}-{rules.mode}-"
    replace_mode(options.data / "hardest.jsonl", start, hardest)
    replace_mode(options.data / "unwinnable.jsonl", start, lost)
    print(f"{len(known)} of {len(rows)} decided, {len(lost)} of them unwinnable")


if __name__ == "__main__":
    main()
