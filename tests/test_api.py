"""The public functions, and what README.md and the manual say of them and of the command."""

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from double_solitaire.cli.main import run

import double_solitaire
from double_solitaire import (
    CodeError,
    DealError,
    Game,
    Limits,
    MoveError,
    Verdict,
    api,
    check,
    hint,
    new_game,
    replay,
    score,
    solve,
)

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
MANUAL = (ROOT / "docs" / "manual.md").read_text(encoding="utf-8")
CODE = "DS1-D1N-AAAAAAB"


COMMANDS = MANUAL.split("## Commands")[1].split("\n## ")[0]


def blocks(language, text):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def shown():
    """The commands of README.md that it shows the output of, with the lines it shows."""
    for block in blocks("console", README):
        for command, output in re.findall(r"\$ dsol (.*)\n((?:(?!\$).*\n)*)", block):
            if output:
                yield command, output.splitlines()


def test_every_public_name_is_there():
    for name in api.__all__:
        assert getattr(double_solitaire, name) is getattr(api, name)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = double_solitaire.no_such_name


def test_the_example_of_the_package():
    assert doctest.testmod(double_solitaire).failed == 0


def test_solve_check_and_replay_agree():
    answer = solve(CODE)
    assert answer.verdict is Verdict.WINNABLE
    end = replay(CODE, answer.moves)
    assert end.won
    assert end.score == answer.score
    assert replay(CODE, map(str, answer.moves)) == end
    assert [found.verdict for found in check([CODE, "pysol:1"])] == [Verdict.WINNABLE] * 2


def test_a_game_under_way_can_be_solved():
    game = new_game("pysol:1")
    game.play(game.legal_moves()[0])
    assert solve(game, Limits(nodes=1_000_000)).verdict is Verdict.WINNABLE


def test_a_score_has_its_bounds_and_its_line():
    answer = score(CODE, Limits(nodes=50_000))
    end = replay(CODE, answer.line.moves)
    assert (end.score, end.taken_back) == (answer.low, 0)
    assert answer.low <= answer.high <= 1515


def test_what_is_wrong_is_said():
    with pytest.raises(CodeError, match="draw 2 is not played"):
        solve("DS1-D2N-AAAAAAB")
    with pytest.raises(MoveError, match="illegal at move 2: "):
        replay(CODE, ["draw", "recycle"])
    with pytest.raises(MoveError, match="is no move"):
        replay(CODE, ["up"])


def with_hidden_card_too_many(position):
    *columns, last = position.columns
    columns[0] = (last[0], *columns[0])
    hidden = (1, *position.hidden[1:-1], position.hidden[-1] - 1)
    return replace(position, columns=(*columns, last[1:]), hidden=hidden)


def with_stock_too_large(position):
    *columns, last = position.columns
    hidden = (*position.hidden[:-1], position.hidden[-1] - 1)
    return replace(
        position, columns=(*columns, last[1:]), hidden=hidden, stock=(*position.stock, last[0])
    )


@pytest.mark.parametrize(
    ("mode", "change", "words"),
    [
        ("D1N", with_hidden_card_too_many, "column 1: 1 cards are hidden"),
        ("D1N", with_stock_too_large, "60 cards in stock and waste"),
        ("D1N", lambda position: replace(position, score=3), "points come in fives"),
        ("D1V", lambda position: replace(position, score=10**20), "a score of 1000"),
        ("D1V", lambda position: replace(position, recycles=1), "1 recycles"),
    ],
)
@pytest.mark.parametrize("search", [solve, score, hint])
def test_a_position_that_no_game_reaches_is_refused(mode, change, words, search):
    # Two such positions could have one key, or a bound be too low.
    game = new_game(f"DS1-{mode}-AAAAAAB")
    with pytest.raises(DealError, match=words):
        search(Game(game.rules, change(game.position())), Limits(nodes=10))


@pytest.mark.parametrize("code", blocks("python", README) + blocks("python", MANUAL))
def test_the_python_in_the_documents_runs(code):
    exec(code, {})


@pytest.mark.parametrize(("command", "lines"), [*shown()])
def test_the_readme_shows_what_the_commands_print(command, lines, capsys):
    assert run([*shlex.split(command), "--quiet"]) == 0
    printed = capsys.readouterr().out.splitlines()
    is_cut = lines[-1] == "…"
    expected = lines[:-1] if is_cut else lines
    assert printed[: len(expected)] == expected
    assert is_cut == (len(printed) > len(expected))


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
@pytest.mark.parametrize("line", "".join(blocks("console", COMMANDS)).splitlines())
def test_the_commands_in_the_manual_run(line, tmp_path):
    scripts = str(Path(sys.executable).parent)
    environment = os.environ | {"PATH": os.pathsep.join([scripts, os.environ["PATH"]])}
    script = ["bash", "-o", "pipefail", "-c", line.removeprefix("$ ")]
    subprocess.run(script, check=True, capture_output=True, cwd=tmp_path, env=environment)
