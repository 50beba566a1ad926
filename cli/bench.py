"""`dsol bench`: search a fixed list of deals; its node counts are a signature of the search."""

import json
import time
from functools import partial
from pathlib import Path

import click

from ..engine.codes import DealCode
from ..solver.verdict import Limits, Verdict
from .options import examples
from .output import FAILED, flush, write
from .progress import announce_compiling
from .threads import apart

DEALS = {
    "DS1-D1N": 1000,
    "DS1-D3N": 1000,
    "DS1-D1V": 10,
    "DS1-D3V": 10,
    "KL1-D1N": 30,
    "KL1-D3N": 100,
}
"""Deals 1, 2, … of each game and mode."""
LIMITS = Limits(nodes=200_000)
"""By hand: every method has its turn, and the whole takes seconds."""


@click.command(
    epilog=examples(
        "dsol bench --signature counts.json --update",
    )
)
@click.option(
    "--signature",
    "path",
    type=click.Path(dir_okay=False, path_type=Path),
    default=Path("benchmarks/signature.json"),
    show_default=True,
    help="File of node counts to compare with, if it exists.",
)
@click.option("--update", is_flag=True, help="Write the node counts to that file instead.")
def bench(path: Path, update: bool) -> int:
    """Search a fixed list of deals and count the nodes.

    Only a change of what the search does may change these numbers. Exit code 1 says
    that they differ from the file.
    """
    from ..solver.solve import check_numbers

    expected = None if update or not path.exists() else _expected(path)
    announce_compiling()
    signature: dict[str, int] = {}
    for mode, count in DEALS.items():
        rules = DealCode.parse(f"{mode}-AAAAAAA").rules
        apart(partial(check_numbers, rules, [1], LIMITS))
        started = time.perf_counter()
        answers = apart(partial(check_numbers, rules, range(1, count + 1), LIMITS))
        seconds = time.perf_counter() - started
        nodes = signature[mode] = sum(answer.nodes for answer in answers)
        verdicts = [answer.verdict for answer in answers]
        write(
            f"{mode}: {nodes} nodes, {count} deals, "
            + ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in Verdict)
            + f", {count / seconds:.0f} deals/s, {nodes / seconds:.0f} nodes/s\n"
        )
        flush()
    write(f"signature {sum(signature.values())}\n")
    if update:
        path.write_text(json.dumps(signature, indent=1) + "\n", encoding="utf-8")
    elif expected is not None:
        return _compare(expected, signature, path)
    return 0


def _expected(path: Path) -> dict[str, int]:
    """The node counts in a file; `ValueError` if it holds none."""
    try:
        expected = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        expected = None
    if not isinstance(expected, dict):
        raise ValueError(f"{path} holds no node counts; --update writes such a file")
    return expected


def _compare(expected: dict[str, int], found: dict[str, int], path: Path) -> int:
    """Say whether the node counts are those of the file."""
    if expected == found:
        write(f"as in {path}\n")
        return 0
    for mode in sorted(expected.keys() | found.keys()):
        if expected.get(mode) != found.get(mode):
            write(f"differs from {path}: {mode} {expected.get(mode)} there\n")
    return FAILED
