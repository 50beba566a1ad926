"""The program as people meet it: streams, terminals, help, completion, lists of moves, progress."""

import ast
import io
import json
import os
import re
import select
import shlex
import subprocess
import sys
import tomllib
from importlib.metadata import requires
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete
from double_solitaire.cli.help import TOPICS, section
from double_solitaire.cli.main import COMMANDS
from double_solitaire.cli.main import dsol as program
from double_solitaire.cli.needs import extra_packages
from double_solitaire.cli.streams import ERRORS, to_ascii
from double_solitaire.engine.cards import SUIT_SIGNS
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.referee import replay
from double_solitaire.solver.score import score
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from games import FIXTURES, MODES, mode

ROOT = Path(__file__).parent.parent
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]
F1 = str(FIXTURES / "F1_straight_win_draw1.json")
CODE = "DS1-D1N-AAAAAAB"
ON_LINUX = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full and fork")


def commands():
    context = click.Context(program)
    return {name: program.get_command(context, name) for name in COMMANDS}


@pytest.fixture
def ready(dsol, tmp_path, monkeypatch):
    """A folder with the files that examples name, entered."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("double_solitaire.cli.bench.DEALS", {"KL1-D1N": 2})
    table = json.loads(dsol("show", "-q", "--json", "KL1-D1N-AAAAAAB")[1])
    seen = table["deal"]
    seen["columns"] = [["??"] * (len(column) - 1) + column[-1:] for column in seen["columns"]]
    seen["stock"] = ["??"] * len(seen["stock"])
    texts = {
        "deals.txt": f"{CODE}\nDS1-D3N-AAAAAAB\n",
        "so-far.txt": "draw\ndraw\n",
        "start.txt": "draw\n",
        "table.txt": "7h 4s 9c qd 2d 5c 10h as jc\n",
        "cards.json": Path(F1).read_text(),
        "moves.txt": "draw\n",
        "position.json": json.dumps(seen | {"game": "KL1"}),
        "game.json": '{"code": "DS2-D1N-AAAAAAB", "moves": ["A 1>F", "A draw"]}',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    return tmp_path


# Streams


def one_of_each(folder):
    """Cheap arguments of each command."""
    return {
        "advise": ["advise", "position.json", "--samples", "2"],
        "bench": ["bench", "--signature", "none.json"],
        "check": ["check", CODE, "pysol:1"],
        "compact": ["compact", "results", "-o", "large"],
        "completion": ["completion", "bash"],
        "help": ["help", "moves"],
        "fair": ["fair", "DS2-D1N-AAAAAAB", "--games", "4"],
        "play": ["play", "DS2-D1N-AAAAAAB"],
        "play at once": ["play", "DS2-D1N-AAAAAAB", "--simultaneous"],
        "review": ["review", "game.json"],
        "match": ["match", "casual", "casual", "+2"],
        "hint": ["hint", "KL1-D1N-AAAAAAB", "--max-nodes", "300"],
        "perft": ["perft", CODE, "2"],
        "rate": ["rate", CODE, "--games", "2"],
        "report": ["report", "results"],
        "score": ["score", CODE, "--max-nodes", "300"],
        "show": ["show", CODE],
        "solve": ["solve", CODE],
        "verify": ["verify", CODE, "moves.txt"],
        "--help": ["--help"],
        "--version": ["--version"],
    }


@ON_LINUX
def test_a7_streams_that_are_closed_or_full(dsol, ready):
    assert dsol("batch", CODE, "+2", "-o", "results", "-j", 1)[0] == 0
    calls = one_of_each(ready)
    # Compacting once more would find the folder there; batch and warm start processes.
    assert calls.keys() >= COMMANDS.keys() - {"batch", "warm"}
    del calls["compact"]
    states = {
        "as they are": ([], []),
        "no error, no input": ([0, 2], []),
        "full error": ([], [2]),
        "no output": ([1], []),
        "full output": ([], [1]),
    }
    cases = [
        {"arguments": arguments, "closed": closed, "full": full}
        for arguments in calls.values()
        for closed, full in states.values()
    ]
    ended = subprocess.run(
        [sys.executable, Path(__file__).with_name("every_stream.py")],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=True,
    )
    ends = iter(map(json.loads, ended.stdout.splitlines()))
    for name in calls:
        end = {state: next(ends) for state in states}
        usual = end["as they are"]
        assert usual["code"] == 0, (name, usual)
        assert usual["stdout"], name
        for state in ("no error, no input", "full error"):
            assert end[state]["code"] == 0, (name, state, end[state])
            if name != "bench":
                assert end[state]["stdout"] == usual["stdout"], (name, state)
        for state in ("no output", "full output"):
            assert end[state]["code"] == 1, (name, state, end[state])
        said = {state: end[state]["stderr"].splitlines()[-1:] for state in states}
        assert said["no output"] == ["dsol: standard output is closed"], name
        assert said["full output"] == ["dsol: No space left on device"], name


@ON_LINUX
@pytest.mark.parametrize("place", ["closed", "/dev/full"])
def test_a7_a_batch_needs_no_standard_error(tmp_path, place):
    words = ["-m", "double_solitaire", "batch", CODE, "+2", "-j", "1", "-o", str(tmp_path / "out")]
    close = (lambda: os.close(2)) if place == "closed" else None
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [sys.executable, *words],
            stdout=subprocess.PIPE,
            stderr=full,
            preexec_fn=close,
            text=True,
            check=False,
            timeout=300,
        )
    assert ended.returncode == 0
    assert "2 deals: 2 winnable" in ended.stdout


def literals():
    """Every text in the program that is no docstring, with its file.

    Not those of the table: it has a terminal of its own, which shows UTF-8.
    """
    for folder in set(SETTINGS["package-dir"].values()) - {"table"}:
        for path in (ROOT / folder).glob("*.py"):
            nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
            told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
            for node in nodes:
                if isinstance(node, ast.Constant) and id(node) not in told:
                    yield path, str(node.value)


def test_b18_every_sign_of_the_program_has_its_ascii():
    seen = set()
    for path, text in literals():
        signs = {sign for sign in text if not sign.isascii() and sign != "\ufeff"}
        assert to_ascii("".join(signs)).isascii(), (path, text)
        seen |= signs
    assert seen >= set(SUIT_SIGNS) | {"→", "–", "…"}
    assert "♠ → 65–78 …".encode("cp1252", ERRORS) == b"S -> 65\x9678 \x85"
    assert "é♠".encode("ascii", ERRORS) == rb"\xe9S"


@pytest.mark.parametrize(
    "arguments",
    [
        ["advise", "position.json", "--samples", "2"],
        ["check", "--deal", "♠…"],
        ["help", "rules"],
        ["help", "formats"],
        ["hint", "KL1-D1N-AAAAAAB", "--max-nodes", "300"],
        ["rate", CODE, "--games", "3"],
        ["score", CODE, "--max-nodes", "300"],
        ["show", "DS1-D1V-AAAAAAB", "--color", "always"],
        ["show", "DS1-D1N-AAAAAA1"],
        ["solve", CODE, "--taps"],
    ],
)
@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "shift_jis"])
def test_b18_no_escapes_where_a_terminal_lacks_signs(dsol, ready, monkeypatch, arguments, encoding):
    shown = {}
    for name in ("stdout", "stderr"):
        shown[name] = io.TextIOWrapper(io.BytesIO(), encoding, write_through=True)
        monkeypatch.setattr(sys, name, shown[name])
    dsol(*arguments)
    texts = [stream.buffer.getvalue().decode(encoding) for stream in shown.values()]
    assert any(texts)
    for text in texts:
        assert "\\u" not in text
        assert not set(text) & set(SUIT_SIGNS)


# Numbers, needless moves, scores


@pytest.mark.parametrize(("deal", "count"), [(CODE, 30), ("pysol:3", 1), ("DS1-D3V-AAAAAAC", 7)])
def test_b14_numbers_go_on_after_the_moves_so_far(dsol, written, tmp_path, deal, count):
    moves = json.loads(dsol("solve", "-q", "--json", deal)[1])["moves"]
    so_far = written("so far", " ".join(moves[:count]))
    page = ("--html", tmp_path / "page.html")
    _, out, _ = dsol("solve", "-q", "--ungrouped", deal, "--after", so_far, *page)
    head, *lines = out.splitlines()
    numbers = [int(line.split(".")[0]) for line in lines]
    assert numbers == list(range(count + 1, count + 1 + len(lines)))
    assert f": {len(lines)} moves" in head
    assert f'"count": {count + len(lines)}' in (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (out, "\n".join(f"{n}. {line.split('. ')[1]}" for n, line in enumerate(lines, 1))):
        rest = written("rest", text)
        code, told, _ = dsol("verify", "-q", deal, rest, "--after", so_far)
        assert (code, told[:13]) == (0, "accepted: won")
    code, _, err = dsol("verify", "-q", deal, written("rest", out))
    assert (code, err) == (
        1,
        f"dsol: the list begins after {count} moves of {deal}; give these with --after\n",
    )
    gap = written("gap", "\n".join([*lines[:2], *lines[3:]]))
    code, _, err = dsol("verify", "-q", deal, gap, "--after", so_far)
    assert (code, f"move {count + 3} is missing" in err) == (1, True)
    wrong = written("wrong", f"{count + 1}. recycle")
    assert f"illegal at move {count + 1}: " in dsol("verify", deal, wrong, "--after", so_far)[1]
    assert (
        dsol("score", "-q", deal, "--after", so_far, "--max-nodes", 500)[1]
        .splitlines()[1:][0]
        .startswith((f"{count + 1}. ", f"{count + 1}–"))
    )


def floor_holds(rules, number, nodes):
    """Whether the best score is not below that of a list of `solve` that takes no card back."""
    position, limits = Position.start(rules, deal_number(rules, number)), Limits(nodes=nodes)
    answer, found = solve(rules, position, limits), score(rules, position, limits)
    end = replay(rules, position, found.line.moves)
    assert (end.score, end.taken_back) == (found.low, 0)
    assert found.low <= found.high
    assert found.nodes <= 2 * nodes
    if answer.moves and not any(move.kind is Kind.TAKE_BACK for move in answer.moves):
        assert found.low >= answer.score, (rules.mode, number, nodes)
        return True
    return False


@pytest.mark.parametrize(
    ("text", "most", "numbers"),
    [
        ("D1N", 2_000, range(4)),
        ("D3N", 2_000, range(4)),
        ("D1V", 300_000, (1, 2, 6)),
        ("D3V", 3_000, range(2)),
    ],
)
def test_a11_a_score_is_not_below_a_list_of_solve(text, most, numbers):
    rules = mode(text)
    held = [floor_holds(rules, number, nodes) for nodes in (300, most) for number in numbers]
    assert any(held) or text == "D3V"


@pytest.mark.long
@pytest.mark.parametrize("text", MODES)
def test_a11_on_1000_deals(text):
    rules = mode(text)
    nodes = 5_000 if rules.recycles is None else 150_000
    held = [floor_holds(rules, number, nodes) for number in range(1_000)]
    assert any(held)


@pytest.mark.parametrize("text", MODES)
def test_a11_more_of_a_limit_loses_no_score(text):
    rules = mode(text)
    for number in range(2):
        position = Position.start(rules, deal_number(rules, number))
        found = [score(rules, position, Limits(nodes=n)) for n in (50, 500, 3_000, 10_000)]
        lows = [each.low for each in found]
        assert lows == sorted(lows)
        again = score(rules, position, Limits(nodes=3_000))
        assert (again.low, again.line, again.nodes) == (lows[2], found[2].line, found[2].nodes)


# Words that are none, presets, colours


@pytest.mark.parametrize(
    ("arguments", "meant"),
    [
        (["chekc"], "check"),
        (["sovle", CODE], "solve"),
        (["Verify"], "verify"),
        (["help", "fromats"], "formats"),
        (["completion", "fsh"], "fish"),
        (["show", "--format", "solvitair", CODE], "solvitaire"),
        (["show", "--colour", "always", CODE], "--color"),
        (["check", "--max-node", "5", CODE], "--max-nodes"),
        (["batch", "--retry-unknwon", "-o", "x"], "--retry-unknown"),
    ],
)
def test_b9_what_comes_close_is_named(dsol, arguments, meant):
    code, out, err = dsol(*arguments)
    assert (code, out) == (2, "")
    assert "Did you mean" in err
    assert repr(meant) in err.split("Did you mean")[1]
    assert err.count("\n") == 1


@pytest.mark.parametrize("word", ["xyzzy", "9", "DS1-D1N-AAAAAAB"])
def test_b9_nothing_is_named_for_what_is_far_from_all(dsol, word):
    assert dsol(word) == (2, "", f"dsol: No such command {word!r}.\n")


def test_b23_the_version_in_two_ways(dsol):
    assert dsol("-V") == dsol("--version")
    assert dsol("-V")[1].startswith("dsol, version ")


@pytest.mark.parametrize(
    ("variables", "options", "coloured"),
    [
        ({}, [], False),
        ({}, ["--color", "always"], True),
        ({}, ["--color", "ALWAYS"], True),
        ({"FORCE_COLOR": "1"}, [], True),
        ({"FORCE_COLOR": ""}, [], False),
        ({"FORCE_COLOR": "1"}, ["--color", "never"], False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, [], False),
        ({"NO_COLOR": "1"}, ["--color", "always"], True),
        ({"DSOL_COLOR": "always"}, [], True),
        ({"DSOL_COLOR": "always", "DSOL_SHOW_COLOR": "never"}, [], False),
        ({"DSOL_COLOR": "always"}, ["--ascii"], False),
    ],
)
def test_b23_colours(dsol, monkeypatch, variables, options, coloured):
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    code, out, _ = dsol("show", "-q", *options, CODE)
    assert (code, "\x1b[" in out) == (0, coloured)
    plain = dsol("show", "-q", "--color", "never", CODE)[1]
    if "--ascii" not in options:
        bare = re.sub(r"\x1b\[[\d;]*m", "", out)
        assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_b23_options_can_be_preset(dsol, monkeypatch, written):
    monkeypatch.setenv("DSOL_QUIET", "1")
    assert dsol("check", CODE)[2] == ""
    monkeypatch.setenv("DSOL_CHECK_JSON", "1")
    assert json.loads(dsol("check", CODE)[1])["verdict"] == "winnable"
    assert dsol("solve", CODE)[1].startswith(CODE)
    monkeypatch.setenv("DSOL_DRAW", "3")
    assert "draw 3" in dsol("show", "pysol:1")[1]
    assert "draw 1" in dsol("show", "pysol:1", "--draw", "1")[1]
    stated = written("deal.json", dsol("show", "--json", CODE)[1])
    assert "draw 1" in dsol("show", "--deal", stated)[1]
    monkeypatch.setenv("DSOL_JOBS", "many")
    code, out, err = dsol("check", CODE)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'many'" in err
    assert err.endswith("(set in the environment: DSOL_JOBS)\n")
    assert dsol("check", "--jobs", "1", CODE)[0] == 0


def test_b23_every_option_has_its_variables():
    for name, command in commands().items():
        for option in command.params:
            if isinstance(option, click.Option):
                words = max(option.opts, key=len)[2:].replace("-", "_").upper()
                assert option.envvar == [f"DSOL_{name.upper()}_{words}", f"DSOL_{words}"]


# Help


def examples_of(name):
    command = program if name == "dsol" else commands()[name]
    return re.findall(r"^ +(dsol .+)$", command.get_help(click.Context(command)), re.MULTILINE)


def run_line(dsol, line):
    """Run an example as a shell does, with its pipes."""
    code, out, err = 0, "", ""
    for part in line.split(" | "):
        code, out, err = dsol(*shlex.split(part)[1:], stdin=out)
        assert code == 0, (part, out, err)
    return out


@pytest.mark.parametrize("name", ["dsol", *COMMANDS])
def test_b23_every_command_has_examples_that_run(dsol, ready, name):
    lines = examples_of(name)
    assert lines
    if name in ("report", "compact"):
        for line in examples_of("batch")[:1]:
            run_line(dsol, line)
    for line in lines:
        assert f"dsol {name}" in line or name == "dsol"
        if "--exit-code" in line:
            assert dsol(*shlex.split(line)[1:])[0] == 10
        else:
            assert run_line(dsol, line) or "--html" in line


@pytest.mark.parametrize("topic", TOPICS)
def test_b23_topics_are_sections_of_the_manual(dsol, topic):
    code, out, err = dsol("help", topic)
    assert (code, err) == (0, "")
    assert len(out) > 200
    assert out in (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
    assert topic in dsol("help")[1]
    assert section(TOPICS[topic]) == out


@pytest.mark.parametrize("name", COMMANDS)
def test_b23_help_of_a_command_is_its_help(dsol, name):
    code, out, _ = dsol("help", name)
    assert (code, out) == (0, dsol(name, "--help")[1])
    assert out.isascii()


# What is missing


@pytest.mark.parametrize("extra", ["report", "cluster"])
def test_a13_advice_on_extras_works(dsol, ready, monkeypatch, extra):
    calls = {
        "report": ("matplotlib", ["report", "results", "--html", "page.html"]),
        "cluster": ("distributed", ["batch", CODE, "+1", "-o", "x", "--scheduler", "tcp://x:1"]),
    }
    module, arguments = calls[extra]
    assert dsol("batch", CODE, "+2", "-o", "results", "-j", 1)[0] == 0
    for name in [each for each in sys.modules if each.split(".")[0] == module]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("page", "cluster"):
        monkeypatch.delitem(sys.modules, f"double_solitaire.batch.{name}", raising=False)
    monkeypatch.setitem(sys.modules, module, None)
    code, _, err = dsol(*arguments)
    assert code == 2
    assert (
        f'{arguments[-2]} needs {module}: in a clone of the repository, pip install ".[{extra}]"'
        in err
    )
    assert err.endswith(f"pipx inject double-solitaire {' '.join(extra_packages(extra))}\n")
    assert module in extra_packages(extra)
    assert err.count("\n") <= 2


def test_a13_no_text_names_a_distribution_that_is_nowhere():
    assert any("extra" in each for each in requires("double-solitaire"))
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("*/*.py")]:
        if path.name != "CHANGELOG.md" and path.parent.name != "tests":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"pip install ['\"]?double-solitaire", text), path
            assert not re.search(r"install 'double-solitaire\[", text), path


# Progress


@pytest.mark.parametrize("command", ["check", "solve", "rate", "score"])
def test_b16_a_line_now_and_then_where_standard_error_is_no_terminal(
    dsol, ready, monkeypatch, command
):
    deals = [f"pysol:{number}" for number in range(1, 6)]
    (ready / "many.txt").write_text("# deals\n\n" + "\n".join(deals) + "\n")
    arguments = [command, "-i", "many.txt", "--max-nodes", "100"]
    assert "deals" not in dsol(*arguments)[2]
    monkeypatch.setattr("double_solitaire.batch.watch.LINE_SECONDS", 0)
    told = [line for line in dsol(*arguments)[2].splitlines() if " deals, " in line]
    assert [line.rsplit(",", 1)[0] for line in told] == [f"dsol: {n} of 5 deals" for n in range(5)]
    told = dsol(command, "-", "--max-nodes", "100", stdin="\n".join(deals))[2]
    assert "dsol: 4 deals, 0 s" in told or re.search(r"dsol: 4 deals, \d+ s", told)
    assert dsol(*arguments, "--quiet")[2] == ""


@ON_LINUX
@pytest.mark.parametrize("command", ["check", "rate"])
@pytest.mark.parametrize("given", ["list", "arguments", "standard input"])
def test_b16_the_bar_has_a_total_and_room(dsol, ready, monkeypatch, command, given):
    deals = [f"pysol:{number}" for number in range(1, 13)]
    (ready / "many.txt").write_text("\n".join(deals))
    words = {"list": ["-i", "many.txt"], "arguments": deals, "standard input": ["-"]}[given]
    import pty
    import termios

    monkeypatch.delenv("COLUMNS", raising=False)
    screen, terminal = pty.openpty()
    termios.tcsetwinsize(terminal, (24, 60))
    with os.fdopen(terminal, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stderr", stream)
        assert dsol(command, "--max-nodes", "100", *words, stdin="\n".join(deals))[0] == 0
        stream.flush()
        shown = ""
        while select.select([screen], [], [], 0.2)[0]:
            shown += os.read(screen, 4096).decode()
    os.close(screen)
    bars = [bar for bar in re.split(r"[\r\n]+", shown) if "deals" in bar or "|" in bar]
    assert bars
    assert all(len(bar.rstrip("\n")) <= 60 for bar in bars)
    if given == "standard input":
        assert "12 deals" in bars[-1]
    else:
        assert "12/12" in bars[-1]
        assert len(bars[-1].split("|")[1]) >= 15, bars[-1]


# Completion


@pytest.mark.parametrize(
    ("words", "begun", "expected"),
    [
        (["check", "--scoring"], "", ["N", "V"]),
        (["match"], "St", ["strong"]),
        (["check", "--scoring"], "v", ["V"]),
        (["solve", "--game"], "k", ["KL1"]),
        (["show", "--format"], "P", ["pysol"]),
        (["show", "--color"], "a", ["auto", "always"]),
        (["batch", "--modes"], "", ["D1N", "D3N", "D1V", "D3V"]),
        (["batch", "--modes"], "d3", ["D3N", "D3V"]),
        (["batch", "--modes"], "D1N,", ["D1N,D3N", "D1N,D1V", "D1N,D3V"]),
        (["batch", "--modes"], "D1N,D3V,D1", ["D1N,D3V,D1V"]),
        (["completion"], "z", ["zsh"]),
        (["help"], "fo", ["formats"]),
        (["help"], "sh", ["show"]),
        ([], "che", ["check"]),
    ],
)
def test_b19_choices_complete_as_in_the_help(words, begun, expected):
    found = BashComplete(program, {}, "dsol", "_DSOL_COMPLETE").get_completions(words, begun)
    assert [(item.type, item.value) for item in found] == [("plain", word) for word in expected]


@pytest.mark.parametrize(
    "words",
    [
        ["verify"],
        ["verify", CODE],
        ["check", "--deal"],
        ["solve", "-i"],
        ["hint", "--after"],
        ["advise"],
        ["verify", "--deal"],
        ["report", "results", "--html"],
    ],
)
def test_b19_files_complete(words):
    found = BashComplete(program, {}, "dsol", "_DSOL_COMPLETE").get_completions(words, "x")
    assert [item.type for item in found] == ["file"]
