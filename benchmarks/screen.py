"""How long the table takes to show itself, and to answer a key while the solver thinks.

    python benchmarks/screen.py --starts 5 --keys 19

plays in a terminal of its own (80 columns, 24 lines; Unix only) a deal of which the search finds
nothing out soon, so that it goes on all the time. Prints the seconds from the start of the process
to the first picture of the cards, and those from a key to the picture of the move: while the solver
is loaded, and then while it searches.
"""

import argparse
import os
import pty
import select
import subprocess
import sys
import tempfile
import time
from statistics import median

import measure
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.dealing import deal_number
from double_solitaire.table.picture import name

CODE = "DS1-D3V-AAAAAAD"
LOADING = 5
"""Keys that are pressed as soon as the table is there."""


def main() -> None:
    """Measure and print."""
    assert __doc__ is not None
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--starts", type=int, default=5, help="times to start; default 5")
    words.add_argument(
        "--keys", type=int, default=19, help="draws in the last game, at most 20; default 19"
    )
    options = words.parse_args()
    measure.print_head()
    starts, loading, searching = [], [], []
    for number in range(options.starts):
        with tempfile.TemporaryDirectory() as folder, _Table(folder) as table:
            starts.append(table.started)
            loading += [table.press(move) for move in range(1, 1 + LOADING)]
            if number == options.starts - 1:
                table.wait("○ unknown".encode())
                searching = [table.press(move) for move in range(1 + LOADING, 1 + options.keys)]
    print(f"first picture: median {median(starts):.2f} s, most {max(starts):.2f} s")
    for what, seconds in (("solver is loaded", loading), ("solver searches", searching)):
        within = sum(each <= 0.05 for each in seconds) / len(seconds)
        print(
            f"key while the {what}: median {1000 * median(seconds):.0f} ms, most "
            f"{1000 * max(seconds):.0f} ms, {within:.0%} within 50 ms"
        )


class _Table:
    """The table of a deal in a process and a terminal of its own."""

    def __init__(self, folder: str) -> None:
        """Start it with an empty folder of games, and wait for the picture."""
        code = DealCode.parse(CODE)
        card = deal_number(code.rules, code.number).columns[-1][-1]
        self._main, terminal = pty.openpty()
        variables = {"XDG_DATA_HOME": folder, "TERM": "xterm-256color"}
        size = {"COLUMNS": "80", "LINES": "24"}
        began = time.perf_counter()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "double_solitaire", "play", CODE],
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            env=os.environ | variables | size,
        )
        os.close(terminal)
        self.wait(name(card).encode())
        self.started = time.perf_counter() - began

    def __enter__(self) -> "_Table":
        """The table."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        os.close(self._main)

    def press(self, move: int) -> float:
        """Make this move, counted from 1, a draw; the seconds until the counter shows it."""
        began = time.perf_counter()
        os.write(self._main, b"d")
        self.wait(f"{move} moves".encode())
        return time.perf_counter() - began

    def wait(self, text: bytes) -> None:
        """Read on until this is shown; `TimeoutError` if that takes a minute."""
        shown, end = b"", time.perf_counter() + 60
        while text not in shown:
            ready, _, _ = select.select([self._main], [], [], 1)
            if time.perf_counter() > end:
                raise TimeoutError(f"{text.decode()!r} is not shown")
            shown += os.read(self._main, 65536) if ready else b""


if __name__ == "__main__":
    main()
