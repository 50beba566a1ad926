"""How fast batches are: beside the search alone, and with two workers beside one.

    python benchmarks/batch.py [--deals 100000] [--mode D1N] [--runs 3]

prints, for one and for two workers, deals a second from the start of the command to its
end, the same for the search alone (in as many processes, no rows, no files, start not
counted), the share of the one in the other, and the peak memory of the
largest process. Each figure is the best of the runs. The machine should be quiet.
"""

import argparse
import multiprocessing
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from double_solitaire.batch.rows import CHUNK_DEALS
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import rules_for
from double_solitaire.solver.solve import check, dive_numbers
from double_solitaire.solver.verdict import Limits


def search(mode: str, first: int, count: int, ready: object, ended: object) -> None:
    """Search deals in compiled calls, after all who take part are ready."""
    rules = rules_for("DS1", int(mode[1]), mode[2])
    dive_numbers(rules, np.arange(1), Limits())
    ready.wait()  # type: ignore[attr-defined]
    for at in range(first, first + count, CHUNK_DEALS):
        numbers = np.arange(at, min(at + CHUNK_DEALS, first + count))
        found, _ = dive_numbers(rules, numbers, Limits())
        left = (deal_number(rules, int(number)) for number in numbers[~found])
        for deal in left:
            check(rules, Position.start(rules, deal), Limits())
    ended.wait()  # type: ignore[attr-defined]


def search_speed(mode: str, deals: int, jobs: int) -> float:
    """Deals a second of the search alone, in some processes at once."""
    context = multiprocessing.get_context("spawn")
    ready, ended = context.Barrier(jobs + 1), context.Barrier(jobs + 1)
    share = deals // jobs
    processes = [
        context.Process(target=search, args=(mode, place * share, share, ready, ended))
        for place in range(jobs)
    ]
    for process in processes:
        process.start()
    ready.wait()
    started = time.perf_counter()
    ended.wait()
    seconds = time.perf_counter() - started
    for process in processes:
        process.join()
    return share * jobs / seconds


def batch_speed(mode: str, deals: int, jobs: int) -> float:
    """Deals a second of a whole batch, from the start of the command to its end."""
    with tempfile.TemporaryDirectory() as folder:
        words = [f"DS1-{mode}-AAAAAAA", f"+{deals}", "-o", str(Path(folder) / "results"), "-q"]
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "double_solitaire", "batch", *words, "--jobs", str(jobs)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return deals / (time.perf_counter() - started)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--mode", choices=["D1N", "D3N"], default="D1N")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    found = {}
    for jobs in (1, 2):
        speeds = [batch_speed(options.mode, options.deals, jobs) for _ in range(options.runs)]
        memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        alone = max(search_speed(options.mode, options.deals, jobs) for _ in range(options.runs))
        found[jobs] = max(speeds)
        print(
            f"{jobs} workers: {found[jobs]:.0f} deals/s, search alone {alone:.0f} deals/s, "
            f"share {found[jobs] / alone:.0%}, largest process {memory:.0f} MB"
        )
    print(f"two workers against one: {found[2] / found[1]:.2f} times")


if __name__ == "__main__":
    main()
