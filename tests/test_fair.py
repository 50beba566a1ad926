"""`dsol fair`: equal players on a deal, with either beginning."""

import json
import re

import pytest
from double_solitaire.cli.main import run
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.fair import fairness, reach

CODE = "DS2-D1N-AAAAAAB"
SWAPPED = "DS2-D1N-X3VY3IL+SEFC33E"


def test_the_share_of_a_is_that_of_b_with_the_cards_swapped():
    one, other = (fairness(VersusCode.parse(code), 1_200) for code in (CODE, SWAPPED))
    apart = abs(one.share.value + other.share.value - 1)
    assert apart < 2 * (one.share.half + other.share.half)
    assert abs(one.margin.value + other.margin.value) < 2 * (one.margin.half + other.margin.half)
    assert one.share.value - one.share.half > 0.5


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
def test_a_mirror_deal_is_even(mode):
    found = fairness(VersusCode.parse(f"DS2-{mode}-AAAAAAB+AAAAAAB"), 800)
    assert abs(found.share.value - 0.5) <= 2 * found.share.half
    assert abs(found.margin.value) <= 2 * found.margin.half


@pytest.mark.parametrize("code", [CODE, "DS2-D3N-AAAAAAC", "DS2-D1V-7777777"])
def test_three_points_by_default(code):
    found = fairness(VersusCode.parse(code))
    assert found.share.half <= 0.03
    assert 0 <= found.out <= 1
    assert found == fairness(VersusCode.parse(code))
    assert found != fairness(VersusCode.parse(code), seed=1)


def test_alone_is_what_the_solver_says_of_the_halves(capsys):
    for code in (CODE, "DS2-D3N-AAAAAAC", "DS2-D1V-7777777", "DS2-D3V-AAAAAAF"):
        of_code = VersusCode.parse(code)
        assert run(["check", *of_code.halves, "--json", "--quiet", "--max-nodes", "200000"]) == 0
        rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        said = tuple(row["winnable_without_take_back"] for row in rows)
        for most, won in zip(reach(of_code).alone, said, strict=True):
            assert won in (None, most.lower == 52)
            assert won is not False or most.upper < 52


def test_the_line_and_the_object(capsys):
    words = ["fair", CODE, SWAPPED, "--games", "101", "--quiet"]
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    shape = (
        r"DS2\S+ A \d+ % ± \d+\.\d, [AB] by \d+\.\d ± \d+\.\d cards, \d+ turns, out \d+ %, "
        r"first move [+-]\d+\.\d ± \d+\.\d, stuck early A \d+ % B \d+ %, "
        r"most even with ([AB] \d+|none) ahead \(\d+ %\); "
        r"alone A \d+(-\d+)? B \d+(-\d+)?, together \d+(-\d+)?"
    )
    assert all(re.fullmatch(shape, line) for line in lines)
    assert run([*words, "--json", "--jobs", "2"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["code"] for row in rows] == [CODE, SWAPPED]
    assert rows[0]["games"] == 102
    assert f"A {100 * rows[0]['share_a']:.0f} %" in lines[0]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["DS1-D1N-AAAAAAB"], "is no code of a deal for two"),
        (["DS2-D1N-AAAAAA1"], "is no symbol"),
        ([CODE, "--games", "1"], "not in the range"),
        ([], "no deal given"),
    ],
)
def test_wrong_usage(words, told, capsys):
    assert run(["fair", *words]) == 2
    assert told in capsys.readouterr().err
