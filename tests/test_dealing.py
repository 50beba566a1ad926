import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from double_solitaire.engine.cards import card_text
from double_solitaire.engine.codes import DEAL_NUMBERS
from double_solitaire.engine.deal import Deal
from double_solitaire.engine.dealing import deal_number, deal_pysol, resolve
from double_solitaire.engine.errors import CodeError
from double_solitaire.engine.rules import rules_for
from hypothesis import given
from hypothesis import strategies as st

D1N = rules_for("DS1", 1, "N")
STORED = [
    line.split(maxsplit=1)
    for line in (Path(__file__).parent / "fixtures/dealt.txt").read_text().splitlines()
    if not line.startswith("#")
]


def text(cards):
    return " ".join(map(card_text, cards))


def lines(deal):
    return "".join(f"{text(pile)}\n" for pile in (*deal.columns, deal.stock))


def test_check_deal():
    deal = resolve("DS1-D1N-AAAAAAB").deal
    assert [text(column) for column in deal.columns[:5]] == [
        "8C",
        "7D KS",
        "9D KH 7C",
        "AD 3C 7D 8H",
        "TS 2D 7C TD 9S",
    ]
    assert text(deal.stock[:5]) == "JS 8S 4D 5S 7H"


@given(st.integers(0, DEAL_NUMBERS - 1), st.sampled_from(["DS1", "KL1"]))
def test_every_number_is_a_whole_deal_and_its_order_rebuilds_it(number, game):
    rules = rules_for(game, 1, "N")
    deal = deal_number(rules, number)
    deal.check(rules)
    assert Deal.from_order(rules, deal.order()) == deal


def test_draw_and_scoring_do_not_change_the_cards():
    deals = {resolve(f"DS1-{mode}-ABCDEFG").deal for mode in ("D1N", "D3N", "D1V", "D3V")}
    assert len(deals) == 1


@pytest.mark.parametrize(
    ("number", "digest"),
    [
        ("1", "338d0d3dcabe030a"),
        ("12345678901234567890", "495d642cf33f5346"),
        ("32000", "8bb5ce82e9fcf52e"),
    ],
)
def test_pysol_vectors(number, digest):
    deal = deal_pysol(number)
    deal.check(D1N)
    assert hashlib.sha256(lines(deal).encode()).hexdigest()[:16] == digest


def test_pysol_numbers_are_read_as_pysolfc_shows_them():
    assert lines(deal_pysol("32000")).startswith("KC\nKH AS\n")
    assert deal_pysol("# 12,345-678 901_234.567890") == deal_pysol("12345678901234567890")
    assert deal_pysol("ms1") == deal_pysol("0001") != deal_pysol("2")
    assert deal_pysol("ms32000") != deal_pysol("32000")
    assert deal_pysol("ms2147483647") != deal_pysol("2147483647")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ("0", "start at 1"),
        ("ms0", "start at 1"),
        ("ms2147483648", "up to 2147483647"),
        ("ms8589934592", "up to 2147483647"),
        ("100000000000000000001", "end at 100000000000000000000"),
        ("9" * 5000, "end at"),
        ("", "no PySolFC game number"),
        ("12x", "no PySolFC game number"),
        ("ms", "no PySolFC game number"),
        ("²", "no PySolFC game number"),
    ],
)
def test_pysol_refusals(number, words):
    with pytest.raises(CodeError, match=words):
        deal_pysol(number)


def test_resolve():
    code = resolve("  ds1-d3v-aaaaaab\r")
    assert (code.name, code.rules.mode) == ("DS1-D3V-AAAAAAB", "D3V")
    plain = resolve("PySol: # 0,123 ")
    assert (plain.name, plain.rules.mode, plain.deal) == ("pysol:123", "D1N", deal_pysol("123"))
    assert resolve("pysol:ms7", 3, "V").rules.mode == "D3V"
    with pytest.raises(CodeError, match="no deal code"):
        resolve("pysol")
    with pytest.raises(CodeError, match="draw 2"):
        resolve("pysol:5", draw=2)


@pytest.mark.parametrize("number", [-1, DEAL_NUMBERS])
def test_numbers_that_no_code_writes(number):
    with pytest.raises(CodeError, match="outside"):
        deal_number(D1N, number)


@pytest.mark.parametrize(("code", "cards"), STORED)
def test_stored_deals(code, cards):
    assert text(resolve(code).deal.order()) == cards


def test_same_number_same_cards_everywhere():
    codes = [code for code, _ in STORED]
    with ThreadPoolExecutor(4) as pool:
        dealt = list(pool.map(lambda code: text(resolve(code).deal.order()), codes * 4))
    assert dealt == [cards for _, cards in STORED] * 4
    assert deal_number(D1N, 1) != deal_number(D1N, 2)
    program = (
        "from double_solitaire.engine.dealing import resolve;"
        f"print([resolve(code).deal.order() for code in {[*codes, 'pysol:99999']!r}])"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(printed) == 1
