"""Random and mutated inputs for every command, run in this process: what `test_fuzz.py` asks.

    python tests/fuzz.py --count 100000 --seed 1

prints how many inputs there were, by command and by exit code, and each that broke a promise: a
traceback, an exit code that is not documented, a failure without a word, or no end within
`PATIENCE`.
"""

import argparse
import collections
import contextlib
import io
import json
import os
import random
import re
import signal
import string
import sys
import tempfile
import traceback
from pathlib import Path
from unittest import mock

from double_solitaire.cli.main import COMMANDS, run
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import resolve
from double_solitaire.notation.formats import write_deal

FIXTURES = Path(__file__).parent / "fixtures"
CODES = (0, 1, 2, 10, 20, 30)
"""Exit codes that are documented; 130 is for who presses Ctrl-C."""
PATIENCE = 60
"""Seconds that a command may take with the small limits that it is given here."""
QUICK = ("--max-nodes", "60")
NAMES = (
    "DS1-D1N-AAAAAAB",
    "DS1-D3N-AAAAAAC",
    "DS1-D1V-AAAAAAD",
    "DS1-D3V-AAAAAAE",
    "KL1-D1N-AAAAAAB",
    "KL1-D3V-7777777",
    "pysol:1",
    "pysol:ms12",
    "pysol:12345678901234567890",
    "DS2-D1N-AAAAAAB",
    "DS2-D3V-SEFC33E+X3VY3IL",
)
MOVES = ("draw", "recycle", "W>F", "W>3", "5>F", "5>3", "5>3x4", "FH1>3", "W-8", "pass", "A 3>F")
ODD = (
    "",
    "-",
    "--",
    "-1",
    "0",
    "1e9",
    "nan",
    "inf",
    "99999999999999999999999",
    "\u2660",
    "\U0001f0a1",
    "\ud800",
    "\u202e",
    "\ufeff",
    "a" * 3000,
    "../..",
    "{}",
    "[]",
    "null",
    "%s",
    "+1",
    "+0",
    "DS1-D1N-AAAAAAA..AC",
    "x=1",
    "\t",
    "\r\n",
)


TYPED = (
    "7h 4s 9c qd 2d 5c 10h as jc",
    "1: 7h\n2: ? 4s\n3: ?x2 9c\n4: ?x3 qd jc 10h\n5: ?x4 2d\n6: ?x5 5c\n7: ?x5 (6s) 8d\n"
    "8: ?x6 kh\n9: ?x7 6d\nwaste: 3h 9s ac 10s\nup: as\ndraw: 1\nscoring: N # a note\n",
    "game: DS2\ndraw: 3\nA:\n1: AD\n2: ? 2c\n3: ?x2 4\u2665\nstock: ?x24\n"
    "B:\n1: K\u2663\n2: ? 6h\n",
    "1-2  draw 2 times (6\u2666, J\u2663)\n3    4\u2660 column 2 -> column 5, turns up Q\u2665\n"
    "4    turn the waste over: pass 2\nthe rest goes up\n",
    "A 1>F\nA draw\nB draw\n12.340 A 3>F\n12.410 B 2>F late\nB pass\n",
)
"""Positions and lists as people type them, or as `solve` prints them."""
TWO_SIDED = {"columns": [["??", "7H"], []], "stock": ["??"], "waste": ["3C"], "up": ["AS..4S"]}
RECORDS = (
    {
        "code": "DS2-D1N-AAAAAAB",
        "style": "alternating",
        "turn": "draw",
        "first": "A",
        "players": {"A": "person", "B": "careful"},
        "hints": [0],
        "seed": 3,
        "moves": ["A 1>F", "A draw", "B draw", "A pass"],
        "up": {"A": 1, "B": 0},
        "last": "A",
        "winner": None,
        "end": None,
    },
    {
        "style": "simultaneous",
        "players": {"A": "casual", "B": "person"},
        "pace": 2.5,
        "moves": ["0.500 A draw", "0.510 B draw"],
    },
    {
        "code": "DS1-D1N-AAAAAAB",
        "moves": ["draw", "W>9", "draw"],
        "score": 5,
        "counter": 4,
        "undoable": 3,
        "seconds": 7.5,
        "hints": 1,
    },
    {
        "code": "DS1-D1N-AAAAAAB",
        "given": ["draw", "W>9"],
        "moves": ["draw", "W>9"],
        "at": 1,
    },
)
"""Games for two, in turns and at once, a game and a list at the table."""
MANY = re.compile(r"--random \d{3,}|\+\s*\d{3,}|\d{3,}\.\.|\.\.\S{3,}")
"""A range of deals that is long."""


class Slow(BaseException):
    """A command has taken too long."""


class Fuzzer:
    """Inputs by chance, from a seed, in a folder of their own."""

    def __init__(self, seed, folder):
        self.random = random.Random(seed)
        self.folder = folder
        self.count = 0
        self.seeds = [path.read_bytes() for path in sorted(FIXTURES.rglob("*.json"))]
        for name in NAMES[:2]:
            named = resolve(name)
            start = Position.start(named.rules, named.deal)
            for form in ("json", "solvitaire", "pysol", "digits", "text"):
                self.seeds.append(write_deal(start, named.rules, form).encode())
        known = b'{"columns": [["7H"], ["??", "KS"]], "stock": ["??"], "waste": ["3C"]}'
        moves = json.dumps({"code": NAMES[0], "moves": ["draw", "W>3"], "score": 5, "won": False})
        self.seeds += [
            known,
            moves.encode(),
            b"draw draw W>8",
            b"1. draw (1 card, J\xe2\x99\xa0 on top)\n2. 8\xe2\x99\xa0 waste -> column 3\n",
            "\n".join(NAMES).encode(),
            b"# a list\nDS1-D1N-AAAAAAB +3\n",
            b"",
            b"PAR1\x00\x00PAR1",
        ]
        both = {"A": TWO_SIDED, "B": TWO_SIDED}
        records = [*RECORDS, RECORDS[1] | {"deal": both}, {"deal": both | {"to_move": "A"}}]
        self.records = [json.dumps(record).encode() for record in records]
        self.seeds += self.records
        self.typed = [text.encode() for text in TYPED] + self.records

    def chance(self, share):
        return self.random.random() < share

    def pick(self, things):
        return self.random.choice(things)

    def mutated(self, text):
        """A text with some of its characters gone, doubled, swapped or others."""
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randint(0, len(text))
            kind = self.random.randrange(6)
            if kind == 0:
                text = text[:at] + text[at + self.random.randint(1, 4) :]
            elif kind == 1:
                text = text[:at] + self.pick(string.printable) + text[at:]
            elif kind == 2:
                text = text[:at] + self.pick(ODD) + text[at:]
            elif kind == 3:
                text = text[:at] + text[at - self.random.randint(1, 9) :]
            elif kind == 4:
                text = text.swapcase()
            else:
                text = text[::-1] if self.chance(0.2) else text[:at] + text[at + 1 :] + text[:at]
        return text

    def content(self, kinds=None):
        """What a file holds: something that could be read, of these kinds, perhaps damaged."""
        data = self.pick(self.pick([self.seeds, self.typed]) if kinds is None else kinds)
        if self.chance(0.15):
            encoding = self.pick(["utf-16", "utf-16-le", "utf-8-sig", "latin-1"])
            data = data.decode(errors="replace").encode(encoding, errors="replace")
        for _ in range(self.random.choice([0, 0, 1, 1, 2, 5])):
            at = self.random.randint(0, len(data))
            kind = self.random.randrange(7)
            if kind == 0:
                data = data[:at]
            elif kind == 1:
                data = data[:at] + bytes([self.random.randrange(256)]) + data[at + 1 :]
            elif kind == 2:
                data = data[:at] + self.pick(self.seeds)[:200] + data[at:]
            elif kind == 3:
                data = data[:at] + data[at + self.random.randint(1, 40) :]
            elif kind == 4:
                data = data.replace(self.pick([b'"', b"H", b"10", b",", b"[", b"\n"]), b"", 1)
            elif kind == 5:
                odd = self.pick(ODD).encode(errors="replace")
                data = data[:at] + odd[:60] + data[at:]
            else:
                data = data[:at] + data[max(at - 80, 0) :]
        return data

    def file(self, kinds=None):
        """The path of a new file, or of none."""
        if self.chance(0.05):
            return str(self.pick([self.folder, self.folder / "missing", "/dev/null", ""]))
        self.count += 1
        path = self.folder / f"{self.count % 50}.txt"
        path.write_bytes(self.content(kinds))
        return str(path)

    def deal(self):
        """An argument that might name a deal."""
        name = self.pick(NAMES)
        if self.chance(0.35):
            name = self.mutated(name)
        elif self.chance(0.1):
            name = self.pick(ODD)
        return name

    def moves(self):
        """A text of moves."""
        words = [self.pick(MOVES) for _ in range(self.random.randint(0, 5))]
        return " ".join(self.mutated(word) if self.chance(0.3) else word for word in words)

    def results(self):
        """A folder with files that look like results, and others."""
        self.count += 1
        folder = self.folder / f"results{self.count % 20}"
        for mode in ("mode=D1N", "mode=D3V", self.mutated("mode=D1N").replace("/", "").strip()):
            place = folder / (mode.replace("\0", "")[:50] or "x")
            with contextlib.suppress(OSError, ValueError):
                place.mkdir(parents=True, exist_ok=True)
                name = self.pick(["DS1-D1N-AAAAAAA+2.parquet", "._x.parquet", "x (1).parquet"])
                (place / name).write_bytes(self.content())
        return str(folder)

    def options(self, command):
        """Options of the command itself, with values by chance."""
        import click
        from double_solitaire.cli.main import dsol

        parameters = [
            each
            for each in dsol.get_command(click.Context(dsol), command).params
            if isinstance(each, click.Option) and each.name not in ("output", "scheduler", "jobs")
        ]
        given = []
        for option in self.random.sample(parameters, min(len(parameters), self.pick([0, 0, 1, 2]))):
            given.append(self.pick(option.opts))
            if option.is_flag:
                continue
            kind = self.random.randrange(5)
            if isinstance(option.type, click.Choice) and kind < 3:
                value = str(self.pick(list(option.type.choices)))
            elif isinstance(option.type, click.Path):
                value = self.file()
            elif kind < 3:
                value = self.pick(["1", "2", "3", "100ms", "1M", "D1N", "64M", "7"])
            else:
                value = self.pick(ODD)
            given.append(self.mutated(value) if self.chance(0.1) else value)
        return given

    def arguments(self):
        """A command line that does not ask for hundreds of deals, which rightly takes its time."""
        arguments = self._arguments()
        while MANY.search(" ".join(arguments)):
            arguments = self._arguments()
        return arguments

    def _arguments(self):
        command = self.pick(ASKED)
        options = self.options(command)
        if command in ("check", "solve", "score", "hint", "rate", "show"):
            asked = [self.deal() for _ in range(self.pick([0, 1, 1, 2]))]
            if self.chance(0.4):
                asked += [self.pick(["--deal", "-i", "--after"]), self.file()]
            if self.chance(0.1):
                asked.append("-")
            limits = [] if command == "show" else list(QUICK)
            if command == "rate":
                limits += ["--games", "2"]
            return [command, *options, *asked, *limits]
        if command == "advise":
            return [command, *options, self.file(), "--samples", "1", "--max-nodes", "5"]
        if command == "verify":
            return [command, *options, *([self.deal()] if self.chance(0.5) else []), self.file()]
        if command == "perft":
            return [command, *options, self.deal(), self.pick(["1", "2", "0", "x", "-3"])]
        if command == "report":
            return [command, *options, self.results()]
        if command == "compact":
            return [command, *options, self.results(), "-o", str(self.folder / "compact")]
        if command == "batch":
            # Only what is refused before any worker starts: those take a second each.
            return [command, *options, self.mutated(self.deal()), "-o", self.file(), "--jobs", "x"]
        if command == "match":
            players = [self.pick(["casual", "greedy", "careful", self.pick(ODD)]) for _ in "ab"]
            return [command, *options, *players, self.pick(["+1", "2", "+x", "-1"])]
        if command == "review":
            return [command, *options, self.file(self.records)]
        if command == "play":
            # Without a terminal: the game for two goes on in lines, all else is read and refused.
            way = self.pick(["--resume", "--deal", "--follow", "--own", None, None])
            kinds = self.records if way in ("--resume", "--follow") else None
            asked = [self.deal()] if way is None else [way, self.file(kinds)]
            options = options if self.chance(0.3) else []
            against = ["--against", self.pick(["casual", "careful", "person"])]
            return [command, *options, *asked, *(against * self.chance(0.2)), "--playouts", "1"]
        if command == "completion":
            return [command, self.pick(["bash", "zsh", "fish", *ODD])]
        return [command, *options, *([self.deal()] if self.chance(0.5) else [])]


ASKED = tuple(
    name
    for name in COMMANDS
    # These search or play for their own sake; their inputs have tests.
    if name not in ("bench", "warm", "fair")
)


class Stream(io.TextIOWrapper):
    """A standard stream that is kept."""

    def __init__(self, data=b""):
        super().__init__(io.BytesIO(data), encoding="utf-8", errors="backslashreplace")

    def text(self):
        self.flush()
        return self.buffer.getvalue().decode(errors="replace")


def complaint(arguments, data):
    """What is wrong with how `dsol` takes these arguments and this input, and its exit code."""
    out, err = Stream(), Stream()
    kept = sys.stdin, sys.stdout, sys.stderr
    sys.stdin, sys.stdout, sys.stderr = Stream(data), out, err

    def stop(*_):
        raise Slow

    signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        code = run(arguments)
    except Slow:
        return f"no end within {PATIENCE} s", None
    except BaseException:
        return traceback.format_exc(), None
    finally:
        signal.alarm(0)
        sys.stdin, sys.stdout, sys.stderr = kept
    said = err.text()
    if code not in CODES:
        return f"exit code {code}: {said}", code
    if "Traceback" in said or "Traceback" in out.text():
        return said, code
    if code in (1, 2) and not (said.strip() or out.text().strip()):
        return "failed without a word", code
    return None, code


def fuzz(count, seed):
    """Try so many inputs; yields for each its command, exit code and complaint, and the input."""
    with tempfile.TemporaryDirectory() as folder:
        fuzzer = Fuzzer(seed, Path(folder))
        typed = Path(folder) / "typed"
        # What is typed in an editor is kept, and so are games.
        settings = {"EDITOR": f"cp {typed}", "VISUAL": "", "XDG_DATA_HOME": folder}
        with (
            mock.patch.dict(os.environ, settings),
            mock.patch.object(tempfile, "tempdir", folder),
        ):
            for _ in range(count):
                typed.write_bytes(fuzzer.content())
                arguments = [word.replace("\0", "") for word in fuzzer.arguments()]
                data = fuzzer.content()
                if fuzzer.chance(0.3):
                    data = fuzzer.moves().encode(errors="replace")
                wrong, code = complaint(arguments, data)
                yield arguments, code, wrong


def main():
    """Try many inputs and print what they came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    codes = collections.Counter()
    failed = 0
    for arguments, code, wrong in fuzz(asked.count, asked.seed):
        codes[arguments[0], code] += 1
        if wrong is not None:
            failed += 1
            print(f"{arguments!r}\n{wrong}\n", flush=True)
    for (command, code), count in sorted(codes.items(), key=str):
        print(f"{command:12}{code!s:>5}{count:>8}")
    print(f"{asked.count} inputs, {failed} complaints")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
