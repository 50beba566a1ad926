"""The scripts in benchmarks/, on a few deals."""

import re
import runpy
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "benchmarks"


@pytest.fixture
def run(monkeypatch, capsys):
    """Run a script in this process; the lines it prints after its head."""

    def call(name, *arguments):
        monkeypatch.syspath_prepend(str(FOLDER))
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
    shares = [re.findall(r"([\d.]+)%", line) for line in lines[2:]]
    assert len(shares) == 2
    for won, lost, unknown, low, high in (map(float, row) for row in shares):
        assert won + lost + unknown == pytest.approx(100, abs=0.2)
        assert low <= won <= 100 - lost <= high


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


@pytest.mark.skipif(sys.platform == "win32", reason="plays in a pseudo terminal")
def test_screen(run):
    pytest.importorskip("textual")
    first, loading, searching = run("screen", "--starts", "1", "--keys", "7")
    assert re.match(r"first picture: median [\d.]+ s, most [\d.]+ s", first)
    assert re.match(r"key while the solver is loaded: median \d+ ms, most \d+ ms, ", loading)
    assert re.match(r"key while the solver searches: median \d+ ms, ", searching)
