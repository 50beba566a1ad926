"""How long a first answer takes: from nothing compiled, each command alone, then all of them.

    python benchmarks/first.py

prints for `check`, `solve`, `rate` and `warm`, each as a process of its own with an empty
folder for compiled code, the seconds that pass and those of processors, and the same once more
with the folder as it was left.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time

import measure

CODE = "DS1-D1N-AAAAAAB"
COMMANDS = (["check", CODE], ["solve", CODE], ["rate", CODE], ["warm"])


def main() -> None:
    """Measure and print."""
    measure.print_head()
    for command in COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            first, again = (_seconds(command, folder) for _ in range(2))
        print(f"{command[0]}: first {first}, again {again}", flush=True)


def _seconds(command: list[str], folder: str) -> str:
    """The time of a command that keeps compiled code in a folder."""
    environment = os.environ | {"DSOL_CACHE_DIR": folder}
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "double_solitaire", *command],
        env=environment,
        check=True,
        capture_output=True,
    )
    passed, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return f"{passed:.1f} s ({spent:.1f} s of processors)"


if __name__ == "__main__":
    main()
