"""What the benchmarks share: deals by number, the machine, the words of a command."""

import argparse
import datetime
import platform
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import Rules, rules_for


def parser(doc: str | None, mode: str, count: int) -> argparse.ArgumentParser:
    """A parser of `--mode`, `--first` and `--count`, with these defaults."""
    assert doc is not None
    words = argparse.ArgumentParser(description=doc.splitlines()[0])
    words.add_argument("--mode", default=mode, help=f"D1N, KL1-D3N, …; default {mode}")
    words.add_argument("--first", type=int, default=0, help="first deal number; default 0")
    words.add_argument("--count", type=int, default=count, help=f"deals; default {count}")
    return words


def rules_of(mode: str) -> Rules:
    """The rules of a mode such as `D1N` (of Double Solitaire) or `KL1-D3N`."""
    game, _, letters = f"DS1-{mode}".rpartition("-")
    return rules_for(game.split("-")[-1], int(letters[1]), letters[2])


def deals(options: argparse.Namespace) -> Iterator[tuple[int, Rules, Position]]:
    """The deals that were asked for, each before its first move."""
    rules = rules_of(options.mode)
    for number in range(options.first, options.first + options.count):
        yield number, rules, Position.start(rules, deal_number(rules, number))


def print_head() -> None:
    """Print the command, the date and the machine."""
    model = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        names = [line.split(": ")[1] for line in lines if line.startswith("model name")]
        model = names[0] if names else model
    print(
        f"{' '.join(sys.argv)}  {datetime.date.today()}  {model}, Python {sys.version.split()[0]}"
    )


def count_processor_time() -> None:
    """Let limits and times be those of this process's work, whatever else the machine does.

    For measurements of searches alone, which are one thread.
    """
    time.perf_counter = time.process_time
