"""Collect the hardest deals of a range, and those proved unwinnable, as lines of JSON.

    python benchmarks/corpus.py --mode D3N --count 100000 --nodes 5000000

adds to data/unwinnable.jsonl each deal proved lost with the size of its proof, and to
data/hardest.jsonl the decided deals, of which the ten of each mode stay that took most
positions. With `--rows FOLDER` nothing is searched: the rows are those of a batch of the mode.
With `--forward NODES` each deal that is won is searched once more, without taking back; where that
proves that there is no such win, it is added to data/needs_take_back.jsonl.
"""

import json
from pathlib import Path

import measure
import pyarrow.compute as pc
import pyarrow.parquet as pq
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules
from double_solitaire.solver.method import Proof
from double_solitaire.solver.position import load
from double_solitaire.solver.search import Search
from double_solitaire.solver.solve import check_numbers
from double_solitaire.solver.verdict import Limits, Verdict

HARDEST = 10


def add(path: Path, rows: list[dict[str, object]], most: int | None = None) -> None:
    """Add rows to a file of lines of JSON, a deal each; of a mode the `most` of most nodes stay."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    deals = {row["code"]: row for row in [*map(json.loads, lines), *rows]}
    modes: dict[str, list[dict[str, object]]] = {}
    for row in sorted(deals.values(), key=lambda row: -int(str(row["nodes"]))):
        modes.setdefault(str(row["code"]).rpartition("-")[0], []).append(row)
    kept = [row for mode in sorted(modes) for row in modes[mode][:most]]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in kept), encoding="utf-8")


def searched(rules: Rules, numbers: range, nodes: int) -> list[dict[str, object]]:
    """A row for each of these deals, searched with so many nodes."""
    answers = check_numbers(rules, numbers, Limits(nodes=nodes))
    found_by = f"deals {numbers[0]} to {numbers[-1]}, up to {nodes} nodes each"
    return [
        {
            "code": str(DealCode(rules, number)),
            "verdict": str(answer.verdict),
            "reason": answer.reason,
            "nodes": answer.nodes,
            "found_by": found_by,
        }
        for number, answer in zip(numbers, answers, strict=True)
    ]


def needing(rules: Rules, numbers: list[int], nodes: int) -> list[dict[str, object]]:
    """A row for each of these deals, which can be won, where so many positions prove that no game
    without taking back wins."""
    rows = []
    for number in numbers:
        start = load(rules, Position.start(rules, deal_number(rules, number)))
        search = Search(start, Limits(nodes=None))
        if isinstance(search.run_forward(nodes), Proof):
            rows.append(
                {
                    "code": str(DealCode(rules, number)),
                    "reason": "all positions without taking back searched",
                    "nodes": search.budget.nodes,
                    "found_by": f"won, then up to {nodes} positions without taking back",
                }
            )
    return rows


def batched(rules: Rules, folder: Path) -> list[dict[str, object]]:
    """Those rows of a batch, of one mode, that say of a loss or are among the hardest."""
    columns = ["code", "verdict", "reason", "nodes"]
    table = pq.read_table(folder / f"mode={rules.mode}", columns=columns, partitioning=None)
    decided = table.filter(pc.field("verdict") != Verdict.UNKNOWN.value)
    hardest = pc.sort_indices(decided, [("nodes", "descending")])[:HARDEST]
    lost = decided.filter(pc.field("verdict") == Verdict.UNWINNABLE.value)
    rows = decided.take(hardest).to_pylist() + lost.to_pylist()
    return [row | {"found_by": f"batch of {len(table)} deals"} for row in rows]


def main() -> None:
    """Search, or read, and write."""
    words = measure.parser(__doc__, "D3N", 100_000)
    words.add_argument("--nodes", type=int, default=5_000_000, help="limit for each deal")
    words.add_argument("--data", type=Path, default=Path("data"), help="folder; default data")
    words.add_argument("--rows", type=Path, help="folder of a batch to take the deals from")
    words.add_argument("--forward", type=int, default=0, help="limit of the search for the need")
    options = words.parse_args()
    if options.rows is not None and options.forward:
        words.error("--forward searches deals anew; give --first and --count, not --rows")
    measure.print_head()
    rules = measure.rules_of(options.mode)
    if options.rows is None:
        numbers = range(options.first, options.first + options.count)
        rows = searched(rules, numbers, options.nodes)
        if options.forward:
            found = zip(numbers, rows, strict=True)
            won = [number for number, row in found if row["verdict"] == Verdict.WINNABLE]
            add(options.data / "needs_take_back.jsonl", needing(rules, won, options.forward))
    else:
        rows = batched(rules, options.rows)
    known = [row for row in rows if row["verdict"] != Verdict.UNKNOWN]
    lost = [row for row in known if row["verdict"] == Verdict.UNWINNABLE]
    add(options.data / "hardest.jsonl", known, HARDEST)
    add(options.data / "unwinnable.jsonl", lost)
    print(f"{len(known)} decided deals looked at, {len(lost)} of them unwinnable")


if __name__ == "__main__":
    main()
