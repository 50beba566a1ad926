"""Run commands with standard streams closed or full, each in a fork of this process.

Standard input is a JSON list of cases: `arguments`, `closed` and `full` (numbers of streams). For
each comes a line of JSON: the exit code, and what was written to standard output and error. A fork
need not import and load compiled code anew.
"""

import contextlib
import json
import os
import sys
from pathlib import Path

from double_solitaire.cli import bench, main

bench.DEALS = {"KL1-D1N": 2}


def run_case(case):
    """The exit code and both outputs of a case, by way of files in the current folder."""
    paths = [Path("stdout"), Path("stderr")]
    child = os.fork()
    if child == 0:
        take_streams(case, paths)
        os._exit(run_to_the_end())
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return {"code": code} | {path.name: path.read_text(encoding="utf-8") for path in paths}


def run_to_the_end():
    """Run the program; its exit code, 120 if the last flush fails, as the interpreter has it.

    The interpreter would take a second to clear away all the compiled code of this process.
    """
    try:
        main.main()
    except SystemExit as end:
        code = end.code
    for stream in (sys.stdout, sys.__stdout__, sys.stderr, sys.__stderr__):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            code = 120
    return code


def take_streams(case, paths):
    """Have the streams of this process as the case wants them, and as a start would find them."""
    places = [os.devnull, *paths]
    for number in range(3):
        place = "/dev/full" if number in case["full"] else places[number]
        mode = os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        file = os.open(place, mode)
        os.dup2(file, number)
        os.close(file)
    for path, number in zip(paths, (1, 2), strict=True):
        if number in case["full"]:
            path.write_text("")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if number in case["closed"]:
            os.close(number)
            stream = None
        else:
            stream = os.fdopen(number, "r" if number == 0 else "w", encoding="utf-8", closefd=False)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv[1:] = case["arguments"]


def warm(arguments):
    """Run a command once here, so that forks find its code loaded and compiled."""
    with open(os.devnull, "w", encoding="utf-8") as nowhere, contextlib.redirect_stdout(nowhere):
        main.run(arguments)


if __name__ == "__main__":
    cases = json.load(sys.stdin)
    for number, case in enumerate(cases):
        if case["arguments"] not in [earlier["arguments"] for earlier in cases[:number]]:
            warm(case["arguments"])
    ends = [json.dumps(run_case(case)) for case in cases]
    print("\n".join(ends))
