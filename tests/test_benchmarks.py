"""The scripts in benchmarks/, on a few deals."""

import json
import re
import runpy
import sys
import time
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a script in this process; the lines it prints after its head."""

    def call(name, *arguments):
        monkeypatch.syspath_prepend(str(FOLDER))
        # Some scripts put another clock in its place.
        monkeypatch.setattr(time, "perf_counter", time.perf_counter)
        monkeypatch.setattr(sys, "argv", [f"benchmarks/{name}.py", *arguments])
        runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
        head, *lines = capsys.readouterr().out.splitlines()
        assert f"{name}.py {' '.join(arguments)}  20" in head
        return lines

    return call


def test_speed(run):
    first, second = run("speed", "--count", "30")
    for line, mode in ((first, "D1N"), (second, "D3N")):
        assert re.match(rf"{mode}: \d+ deals/s, \d+ nodes/s, .* 0 unknown, \d+% in", line)


def test_winnable(run):
    lines = run("winnable", "--count", "20", "--mode", "KL1-D3N", "--seconds", "0.2,0.1")
    shares = [re.findall(r"([\d.]+)%", line) for line in lines[2:4]]
    assert len(shares) == 2
    assert re.fullmatch(r"\d+ nodes, open: \[[\d, ]*\]", lines[4])
    for won, lost, unknown, low, high in (map(float, row) for row in shares):
        assert won + lost + unknown == pytest.approx(100, abs=0.2)
        assert low <= won <= 100 - lost <= high


def test_winnable_goes_on_where_it_stopped(run, tmp_path):
    words = ("winnable", "--mode", "KL1-D3N", "--seconds", "0.2", "--rows", str(tmp_path / "rows"))
    run(*words, "--count", "3")
    rows = (tmp_path / "rows").read_text().splitlines()
    run(*words, "--count", "5")
    after = (tmp_path / "rows").read_text().splitlines()
    assert after[:3] == rows and [json.loads(row)["number"] for row in after] == list(range(5))


def test_lists(run):
    (line,) = run("lists", "--count", "2")
    assert re.match(r"D1N: 2 wins of 2 deals; median [\d.]+ moves, ", line)


def test_gaps(run):
    (line,) = run("gaps", "--mode", "D3V", "--count", "2", "--seconds", "0.2")
    assert re.match(r"D3V: 2 deals, 0.2 s each at most; gap mean [\d.]+, ", line)


def test_widths(run):
    lines = run("widths", "--count", "2", "--mode", "D1V", "--widths", "40,20")
    assert [
        re.match(r"\| D1V \| (\d+) \| [\d.]+% \| [\d.]+ \| \d \|", row)[1] for row in lines[2:]
    ] == ["20", "40"]


@pytest.fixture
def versus(monkeypatch, capsys):
    """Run benchmarks/versus.py on a file; what it prints."""

    def call(path, *arguments):
        monkeypatch.syspath_prepend(str(FOLDER))
        # Some scripts put another clock in its place.
        monkeypatch.setattr(time, "perf_counter", time.perf_counter)
        monkeypatch.setattr(sys, "argv", ["benchmarks/versus.py", str(path), *arguments])
        runpy.run_path(str(FOLDER / "versus.py"), run_name="__main__")
        return capsys.readouterr().out

    return call


@pytest.mark.long
def test_versus(versus, tmp_path):
    path = tmp_path / "versus.jsonl"
    for measure in ("game", "race", "luck", "pace", "draw", "think", "race"):
        assert versus(path, measure, "6", "D3N").startswith(f"{measure} D3N: ")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [row["measure"] for row in rows] == (
        ["game", "race", "luck", "luck"] + ["pace"] * 4 + ["draw"] * 2 + ["think"] * 2
    )
    for row in rows[:2]:
        ends = [row[end][0] for end in ("out", "idle", "dead")]
        assert sum(ends) == pytest.approx(1, abs=1e-4)
        assert 0 <= row["deadlocks"] <= row["idle"][0] + 1e-4
    printed = versus(path, "tables")
    assert printed.count("| D3N") == 10


def test_the_tables_of_the_game_for_two_are_those_of_the_data(versus):
    printed = versus(FOLDER.parent / "data/versus.jsonl", "tables")
    document = (FOLDER.parent / "docs/versus.md").read_text(encoding="utf-8")
    assert len(printed.splitlines()) > 20
    for line in printed.splitlines():
        assert line in document, line


@pytest.mark.skipif(sys.platform == "win32", reason="plays in a pseudo terminal")
def test_screen(run):
    pytest.importorskip("textual")
    first, loading, searching = run("screen", "--starts", "1", "--keys", "7")
    assert re.match(r"first picture: median [\d.]+ s, most [\d.]+ s", first)
    assert re.match(r"key while the solver is loaded: median \d+ ms, most \d+ ms, ", loading)
    assert re.match(r"key while the solver searches: median \d+ ms, ", searching)
