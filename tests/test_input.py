"""What people type, paste and pipe into the commands, rightly and wrongly."""

import io
import json
from itertools import islice

import pytest
from double_solitaire.cli.options import cores, duration, size
from double_solitaire.engine.cards import card_text
from double_solitaire.engine.codes import DEAL_NUMBERS, DealCode
from double_solitaire.engine.dealing import random_numbers
from double_solitaire.engine.errors import CodeError, DealError
from double_solitaire.engine.moves import parse_move
from double_solitaire.notation.formats import foundations_from_json, read_deal, write_deal
from double_solitaire.notation.solution import lists_in, read_lines
from double_solitaire.rating.view import read_view
from games import F1, fixture, fixture_text, mode, straight

CODE = "DS1-D1N-AAAAAAB"
D1N = mode("D1N")
KL1 = mode("D1N", "KL1")
SHORT = ["draw", "W-9", "3-4"]
"""Legal moves of CODE."""


def codes(text):
    """The codes in lines of JSON."""
    return [json.loads(line)["code"] for line in text.splitlines()]


def moves_in(text):
    return tuple(move for move, _ in read_lines(text))


def refusal(text, rules=D1N, read=read_deal):
    with pytest.raises(DealError) as error:
        read(text, rules)
    assert "\n" not in str(error.value)
    return str(error.value)


# Foundations by their top cards


@pytest.mark.parametrize(
    ("foundations", "heights"),
    [
        (["2S", "AC"], (2, 0, 0, 0, 0, 0, 1, 0)),
        (["JS"], (11, 0, 0, 0, 0, 0, 0, 0)),
        (["5H", "3H", "KD"], (0, 0, 5, 3, 13, 0, 0, 0)),
        (["9C", "9C"], (0, 0, 0, 0, 0, 0, 9, 9)),
        ([None, "4S", "", "2D", []], (4, 0, 0, 0, 2, 0, 0, 0)),
        (["AS", "2S", "AS", "TH"], (2, 1, 10, 0, 0, 0, 0, 0)),
        ([["2S"], ["AS"], [], ["AH", "2H", "3H"]], (2, 1, 3, 0, 0, 0, 0, 0)),
        ([["AS", "AS", "2S"], []], (2, 1, 0, 0, 0, 0, 0, 0)),
        ({"S": "2S", "C": "AC"}, (2, 0, 0, 0, 0, 0, 1, 0)),
        ({"spades": 3, "♥": [1, 4], "D": None}, (3, 0, 1, 4, 0, 0, 0, 0)),
        ({"FH1": "10", "FH2": "k", "c": ["2C", "2C"]}, (0, 0, 10, 13, 0, 0, 2, 2)),
        ([3, 0, 0, 0, 0, 0, 1, 1], (3, 0, 0, 0, 0, 0, 1, 1)),
        ([], (0,) * 8),
        ({}, (0,) * 8),
    ],
)
def test_a8_a_lone_card_says_that_all_under_it_are_up(foundations, heights):
    assert foundations_from_json(foundations, D1N) == heights


@pytest.mark.parametrize(
    ("foundations", "words"),
    [
        (["AS", "4S", "6S"], "4S is up without 3S under it"),
        (["2S", "2S", "2S"], "2S is there 3 times, on the foundations alone"),
        ([["3S"], ["2S"], ["AS"]], "3 foundations of ♠; Double Solitaire has 2"),
        ({"S": [1, 2, 3]}, "3 foundations of ♠"),
        ({"S": "7H"}, "a card of another suit under 'S'"),
        ({"X": 1}, "has the key 'X'; keys are S, H, D, C"),
        ({"S": 14}, "a foundation of 14 cards"),
        ({"S": True}, "must be a whole number"),
        ({"S": {}}, "number 1 of it is {}"),
        (["0S"], "'0S' is no card"),
        (["AS", 2.5], "number 1 of it is 2.5"),
    ],
)
def test_a8_what_foundations_cannot_be(foundations, words):
    with pytest.raises(DealError) as error:
        foundations_from_json(foundations, D1N)
    assert words in str(error.value)


@pytest.mark.parametrize("rules", [D1N, mode("D3V")])
def test_a8_a_game_under_way_by_its_top_cards(dsol, written, rules):
    game = fixture(F1, rules)
    for move in straight(fixture(F1, rules))[:60]:
        game.play(move)
    position = game.position()
    data = json.loads(write_deal(position, rules))
    tops = [
        card_text((height - 1) * 4 + place // 2)
        for place, height in enumerate(position.foundations)
        if height
    ]
    by_suit = {suit: [top for top in tops if top[1] == suit] for suit in "SHDC"}
    for foundations in (tops, [[top] for top in tops], by_suit):
        text = json.dumps(data | {"foundations": foundations})
        assert read_deal(text, rules) == position
        assert read_view(text, rules).position == position


def test_a8_solvitaires_own_game_under_way():
    runs = ["KD QS JD TS 9D 8S 7D 6S 5D 4S 3D", "KC QH JC TH 9C 8H 7C 6H 5C 4H 3C 2H"]
    stock = ["QD", "JS", "TD", "9S", "8D", "7S", "6D", "5S", "4D", "3S", "2D", "KS"]
    rest = ["KH", "QC", "JH", "TC", "9H", "8C", "7H", "6C", "5H", "4C", "3H", "2C"]
    data = {
        "tableau piles": [run.split() for run in [*runs, " ".join(rest)]] + [[]] * 4,
        "stock": stock,
        "waste": [],
        "foundations": ["2S", "1H", "1D", "1C"],
    }
    assert read_deal(json.dumps(data), KL1).foundations == (2, 1, 1, 1)
    data["foundations"] = [["2S"], [], ["AD"], ["1C"]]
    data["waste"] = ["AH"]
    assert read_deal(json.dumps(data), KL1).foundations == (2, 0, 1, 1)


# An option that contradicts a code


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", CODE, "--draw", "3"], f"{CODE} says draw 1; --draw 3 contradicts it"),
        (["solve", "ds1-d1v-aaaaaab", "--scoring", "n"], "DS1-D1V-AAAAAAB says scoring V"),
        (["show", "KL1-D1N-AAAAAAB", "--game", "DS1"], "says game KL1; --game DS1"),
        (["score", CODE, "DS1-D3N-AAAAAAB", "--draw", "1"], "DS1-D3N-AAAAAAB says draw 3"),
        (["rate", CODE, "--draw", "3"], "says draw 1"),
        (["hint", CODE, "--scoring", "V"], "says scoring N"),
        (["perft", CODE, "2", "--draw", "3"], "says draw 1"),
        (["verify", CODE, "-", "--draw", "3"], "says draw 1"),
        (["batch", CODE, "-o", "none", "--draw", "3"], "says draw 1"),
        (["batch", CODE, "+5", "-o", "none", "--game", "KL1"], "says game DS1"),
        (["check", f"{CODE}..AAAAAAD", "--draw", "3"], "says draw 1"),
    ],
)
def test_a10_an_option_that_contradicts_a_code_is_wrong_usage(dsol, arguments, words):
    code, out, err = dsol(*arguments)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a10_a_contradicted_line_of_a_list_is_a_bad_line(dsol, written):
    text = f"DS1-D3N-AAAAAAB\n{CODE}\nDS1-D1N-AAAAAAC +2\npysol:1\n"
    for arguments in (["-"], ["-i", written("list", text)]):
        code, out, err = dsol("show", "-q", "--json", "--draw", 3, *arguments, stdin=text.encode())
        assert code == 1
        assert codes(out) == ["DS1-D3N-AAAAAAB", "pysol:1"]
        first, second = err.splitlines()
        assert first.endswith(f"line 2: {CODE} says draw 1; --draw 3 contradicts it")
        assert second.endswith("line 3: DS1-D1N-AAAAAAC says draw 1; --draw 3 contradicts it")


def test_a10_an_option_that_agrees_is_no_error(dsol):
    options = ("--draw", 1, "--scoring", "N", "--game", "DS1")
    assert dsol("show", "-q", "--json", CODE, *options)[0] == 0


# Cards that are there too often


def deal_with(*changes):
    """F1 as JSON with the last cards of the stock changed."""
    data = json.loads(fixture_text(F1))
    data["stock"][-len(changes) :] = changes
    return data


def test_b1_a_card_that_is_there_three_times_is_named_by_every_reader():
    data = deal_with("2C")
    position = read_deal(fixture_text(F1), D1N)
    talon, columns = write_deal(position, D1N, "pysol").split("\n", 1)
    solvitaire = json.loads(write_deal(position, D1N, "solvitaire"))
    solvitaire["stock"][0] = "2C"
    digits = write_deal(position, D1N, "digits").strip()
    texts = [json.dumps(data), json.dumps(solvitaire), digits[:-3] + "021"]
    texts.append(f"{talon.removesuffix('8H')}2C\n{columns}")
    for text in texts:
        message = refusal(text)
        assert "not a deck: 2C is there 3 times (1 too many), 8H is there once" in message


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"waste": ["8H", "8H", "8H"]}, "8H is there 3 times (1 too many"),
        ({"waste": ["8H", "8H"], "foundations": ["9H"]}, "8H is there 3 times (1 too many"),
        (
            {"columns": [["8H"], ["??", "8H"], ["??", "??", "8H"]], "waste": ["8H"]},
            "8H is there 4 times (2 too many",
        ),
        ({"waste": ["AS"], "foundations": {"S": [3, 2]}}, "AS is there 3 times (1 too many"),
    ],
)
def test_b1_a_view_names_the_card_and_not_the_count(change, words):
    rules = D1N
    columns = [["??"] * k + ["KS"] for k in range(9)]
    columns[2:] = [
        ["??"] * (k + 2) + [card]
        for k, card in enumerate(["KS", "QD", "JC", "TD", "9C", "QH", "7D"])
    ]
    columns[:2] = [["KH"], ["??", "KH"]]
    data = {"columns": columns, "stock": ["??"] * 59} | {
        key: value for key, value in change.items() if key != "columns"
    }
    for at, column in enumerate(change.get("columns", [])):
        data["columns"][at] = column
    message = refusal(json.dumps(data), rules, read_view)
    assert message.startswith(f"not a deck: {words}; line 1, character ")
    assert "missing" not in message


def test_b1_a_surplus_card_comes_before_the_faults_that_it_makes():
    data = deal_with("2C") | {"waste": ["8H", "8H"]}
    data["columns"][4] = data["columns"][4][::-1]
    assert "8H is there 3 times" in refusal(json.dumps(data))


# Units


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("512MB", 512 << 20),
        ("1GiB", 1 << 30),
        ("2 gb", 2 << 30),
        ("512mib", 512 << 20),
        ("2048KB", 2 << 20),
        ("1.5G", 3 << 29),
        ("1T", 1 << 40),
        ("2147483648", 2 << 30),
        ("1048576B", 1 << 20),
    ],
)
def test_b4_sizes(text, value):
    assert size(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("64", "write 64M or 64G"),
        ("512", "write 512M or 512G"),
        ("1000000", "less than 1M"),
        ("64K", "write 512M or 2G"),
        ("0.5MB", "less than 1M"),
        ("2X", "one looks like 512M or 2G"),
        ("GB", "one looks like"),
        ("-1G", "one looks like"),
        ("1e9", "one looks like"),
    ],
)
def test_b4_wrong_sizes_say_what_is_right(dsol, text, words):
    code, out, err = dsol("check", CODE, f"--memory={text}")
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1min", 60),
        ("90 s", 90),
        ("1h", 3600),
        ("2 hours", 7200),
        ("500 ms", 0.5),
        ("1.5sec", 1.5),
        ("10", 10),
        ("1d", 86400),
    ],
)
def test_b4_times(text, seconds):
    assert duration(text) == pytest.approx(seconds)


@pytest.mark.parametrize("command", ["check", "solve", "score", "rate", "hint", "batch"])
def test_b4_jobs_are_alike_everywhere(dsol, command, monkeypatch, tmp_path):
    output = ["-o", tmp_path / "out"] if command == "batch" else []
    for jobs in (-1, 100_000, "many"):
        code, out, err = dsol(command, CODE, "--jobs", jobs, *output)
        assert (code, out, err.count("\n")) == (2, "", 1)
    _, text, _ = dsol(command, "--help")
    assert "0: one for each core" in " ".join(text.split())


def test_b4_no_jobs_are_all_cores(dsol):
    assert cores() >= 1
    code, out, _ = dsol("check", "-q", CODE, "--jobs", 0)
    assert (code, out) == (0, f"{CODE} winnable\n")


# Encodings

MARKED = ["utf-16", "utf-8-sig", "utf-8"]


@pytest.mark.parametrize("encoding", [*MARKED, "utf-16-be"])
def test_b7_lists_moves_and_deals_are_read_with_their_mark(dsol, written, encoding):
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    listing = f"{mark}# é ♥\r\n{CODE}\r\n\r\nDS1-D1N-AAAAAAC +2\r\n"
    expected = [CODE, "DS1-D1N-AAAAAAC", "DS1-D1N-AAAAAAD"]
    for arguments in (["-i", written("list", listing, encoding)], ["-"]):
        code, out, err = dsol("show", "-q", "--json", *arguments, stdin=listing.encode(encoding))
        assert (code, err, codes(out)) == (0, "", expected)
    moves = written("moves", f"{mark}draw\r\nW-9 3-4\r\n", encoding)
    code, out, _ = dsol("verify", "-q", CODE, moves)
    assert (code, out.split(" (")[0]) == (
        0,
        "accepted: not won, 0 of 104 cards up, score 10, 3 moves",
    )
    printed = mark + "1. draw\r\n2. draw (1 card, 8♠ on top)\r\n"
    assert dsol("verify", "-q", CODE, "-", stdin=printed.encode(encoding))[0] == 0
    assert dsol("show", "-q", CODE, "--after", moves)[0] == 0
    for name in ("json", "pysol", "digits"):
        text = mark + write_deal(read_deal(fixture_text(F1), D1N), D1N, name)
        deal = written(f"deal.{name}", text.replace("\n", "\r\n"), encoding)
        assert dsol("show", "--deal", deal)[0] == 0


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32"])
def test_b7_what_does_not_say_its_encoding_gets_a_line(dsol, written, encoding):
    for arguments in (["-i"], [CODE, "--after"], ["--deal"]):
        file = written("file", f"{CODE}\ndraw\n", encoding)
        code, _, err = dsol("show", "-q", *arguments, file)
        assert code == 1
        assert "the text is not UTF-8 (perhaps UTF-16 without" in err
        assert err.count("\n") == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_b7_marks_within_and_any_line_ends(dsol, end):
    text = end.join(["\ufeff" + CODE, "\ufeff" + CODE, CODE])
    for encoding in ("utf-8", "utf-16-le"):
        code, out, err = dsol("show", "-q", "--json", "-", stdin=text.encode(encoding))
        assert (code, err, codes(out)) == (0, "", [CODE] * 3)


def test_b7_lines_are_answered_as_they_come(dsol, monkeypatch):
    class Stream(io.BytesIO):
        """A pipe whose writer waits for the answers."""

        def readline(self, *arguments):
            taken.append(len(answered))
            return super().readline(*arguments)

        __next__ = readline

    from double_solitaire.cli.deals import _lines

    taken, answered = [], []
    for line in islice(_lines(Stream(f"{CODE}\n".encode() * 3)), 3):
        answered.append(line)
    assert answered == [CODE] * 3
    assert taken == [0, 1, 2]


# Ranges and random deals


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["DS1-D1N-AAAAAAA", "+2"], ["DS1-D1N-AAAAAAA", CODE]),
        (["ds1-d1n-aaaaaaa+2"], ["DS1-D1N-AAAAAAA", CODE]),
        (["DS1-D1N-AAAAAAA +2"], ["DS1-D1N-AAAAAAA", CODE]),
        (["KL1-D3V-AAAAAA7..AAAAABA"], ["KL1-D3V-AAAAAA7", "KL1-D3V-AAAAABA"]),
        ([f"{CODE}..DS1-D1N-AAAAAAC", "pysol:9"], [CODE, "DS1-D1N-AAAAAAC", "pysol:9"]),
        (["pysol:1", "+2"], ["pysol:1", "pysol:2"]),
        (["pysol:31999..32001"], ["pysol:31999", "pysol:32000", "pysol:32001"]),
        (["pysol:ms9..pysol:ms10"], ["pysol:ms9", "pysol:ms10"]),
        (["pysol:ms9..10"], ["pysol:ms9", "pysol:ms10"]),
        (["pysol:99999999999999999999", "+2"], [f"pysol:{10**20 - 1}", f"pysol:{10**20}"]),
    ],
)
def test_b10_b24_ranges_are_read_by_every_command_and_in_lists(dsol, words, expected):
    code, out, err = dsol("show", "-q", "--json", *words)
    assert (code, err, codes(out)) == (0, "", expected)
    lines = "\n".join(" ".join(words).replace(" pysol:9", "\npysol:9").splitlines())
    code, out, err = dsol("show", "-q", "--json", "-", stdin=lines.encode())
    assert (code, err, codes(out)) == (0, "", expected)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["+5"], "+1000 stands after the first deal"),
        ([CODE, "+0"], "is no range"),
        ([CODE, "+many"], "is no range"),
        ([CODE, "+-1"], "is no range"),
        (["DS1-D1N-7777777", "+2"], "are no range; one ends at"),
        ([f"{CODE}..AAAAAAA"], "are no range; one ends at its start or later"),
        ([f"{CODE}..DS1-D3N-AAAAAAC"], "both ends are of one game and mode"),
        ([f"{CODE}..AAAAAA1"], "'1' in 'AAAAAA1'"),
        (["pysol:5..pysol:4"], "one ends at its start or later"),
        (["pysol:5..ms9"], "one kind of numbers"),
        (["pysol:0", "+5"], "numbers start at 1"),
        ([f"pysol:{10**20}", "+2"], f"end at {10**20}"),
        (["pysol:ms2147483647", "+2"], "up to 2147483647"),
        (["pysol:1..x"], "no PySolFC game number"),
    ],
)
def test_b10_b24_what_is_no_range(dsol, words, message):
    code, out, err = dsol("check", *words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_b10_a_batch_of_pysol_numbers(dsol, tmp_path):
    import pyarrow.dataset

    folder = tmp_path / "out"
    words = ("pysol:1", "+2", "pysol:7..8", f"{CODE}..AAAAAAC")
    assert dsol("batch", "-q", *words, "-j", 1, "-o", folder)[0] == 0
    table = pyarrow.dataset.dataset(folder, partitioning="hive").to_table(columns=["code"])
    assert sorted(table["code"].to_pylist()) == [
        CODE,
        "DS1-D1N-AAAAAAC",
        *(f"pysol:{number}" for number in (1, 2, 7, 8)),
    ]


@pytest.mark.parametrize("command", ["check", "solve", "rate", "score", "hint"])
def test_b24_every_command_takes_ranges_and_random_deals(dsol, command):
    few = ("--games", 1) if command == "rate" else ()
    code, out, _ = dsol(
        command, "-q", "--json", f"{CODE}..AAAAAAC", "--random", 1, "--max-nodes", 50, *few
    )
    assert code == 0
    assert codes(out)[:2] == [CODE, "DS1-D1N-AAAAAAC"]
    assert len(codes(out)) == 3


def test_b24_random_deals_are_those_of_their_seed_and_none_comes_twice(dsol):
    def asked(*options):
        code, out, err = dsol("show", "-q", "--json", *options)
        assert (code, err) == (0, "")
        return codes(out)

    ten = asked("--random", 10)
    assert asked("--random", 10, "--seed", 0) == ten
    assert asked("--random", 3) == ten[:3]
    assert not set(asked("--random", 10, "--seed", 1)) & set(ten)
    others = asked("--random", 10, "--game", "KL1", "--draw", 3, "--scoring", "V")
    assert others == [code.replace("DS1-D1N", "KL1-D3V") for code in ten]
    assert asked(CODE, "--random", 1) == [CODE, ten[0]]


def test_b24_random_numbers_are_spread_over_all_deals(monkeypatch):
    numbers = list(islice(random_numbers(7), 4000))
    assert len(set(numbers)) == 4000
    assert all(0 <= number < DEAL_NUMBERS for number in numbers)
    for low in range(8):
        share = sum(number * 8 // DEAL_NUMBERS == low for number in numbers)
        assert 400 < share < 600
    monkeypatch.setattr("double_solitaire.engine.dealing.DEAL_NUMBERS", 50)
    assert sorted(islice(random_numbers(3), 50)) == list(range(50))


@pytest.mark.parametrize(
    "options",
    [
        ["--seed", "1", CODE],
        ["--random", "0"],
        ["--random", "x"],
        ["--random", "5", "--seed", "-1"],
        ["--random", str(10**9)],
    ],
)
def test_b24_what_is_no_sample(dsol, options):
    code, out, err = dsol("check", *options)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_b24_a_batch_of_random_deals_goes_on(dsol, tmp_path):
    arguments = ("batch", "-q", "--random", 3, "--seed", 5, "-j", 1, "-o", tmp_path / "out")
    assert "1 file written; 3 deals" in dsol(*arguments)[1]
    assert "0 files written, 1 were there" in dsol(*arguments)[1]


# What is no deal code


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("123", "pysol:123"),
        ("#123", "pysol:123"),
        ("ms00123", "pysol:ms123"),
        ("pysol 123", "pysol:123"),
        ("pysol123", "pysol:123"),
        ("12345678901234567890", "pysol:12345678901234567890"),
        ("DS1D1NAAAAAAB", CODE),
        ("ds1 d1n aaaaaab", CODE),
        ("DS1_D3V_AAAAAAB", "DS1-D3V-AAAAAAB"),
        ("DS1–D1N–AAAAAAB", CODE),
        ("DS1-AAAAAAB", CODE),
        ("KL1-AAAAAAB", "KL1-D1N-AAAAAAB"),
        ("D3V-AAAAAAB", "DS1-D3V-AAAAAAB"),
        ("DS1-3V-AAAAAAB", "DS1-D3V-AAAAAAB"),
        ("DS1-D3-AAAAAAB", "DS1-D3N-AAAAAAB"),
        ("AAAAAAB", CODE),
        ("aaaaaab", CODE),
        ("DS1-D1N-AAAAAA1", "DS1-D1N-AAAAAAI"),
        ("DS1-D1N-0AAAAA8", "DS1-D1N-OAAAAAB"),
        (f'"{CODE}"', CODE),
        (f"{CODE},", CODE),
        (f"{CODE} winnable", CODE),
    ],
)
def test_b11_a_code_that_is_nearly_one_gets_it_named(text, meant):
    with pytest.raises(CodeError) as error:
        DealCode.parse(text)
    assert str(error.value).endswith(f"did you mean {meant}?")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("KL1", "a code looks like KL1-D1N-AAAAAAB"),
        ("DS1-D1N", "a code looks like DS1-D1N-AAAAAAB"),
        ("nonsense", "a code looks like DS1-D1N-AAAAAAB"),
        ("DS1-D1N-AAAAAA9", "'9' in 'AAAAAA9' is no symbol of a deal; these are A–Z, 2–7"),
        ("DS1-D1N-AAAAAAÀ", "a code looks like"),
        ("0", "a code looks like"),
        ("-5", "a code looks like"),
    ],
)
def test_b11_what_is_near_no_code_gets_an_example(text, words):
    with pytest.raises(CodeError) as error:
        DealCode.parse(text)
    assert words in str(error.value)
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize("word", ["d.txt", "deals/d", "game.json", "./list", "C:\\list.csv"])
def test_b11_a_file_in_place_of_a_deal_is_told_its_option(dsol, word):
    code, _, err = dsol("check", word)
    assert code == 2
    assert err.endswith(
        "is no deal code; a file with cards goes by --deal, a list of deals by -i\n"
    )
    assert dsol("perft", word, 1)[2].endswith("a code is not read from a file here\n")
    assert dsol("verify", word, "-")[2].endswith("a file with cards goes by --deal\n")


def test_b11_a_file_without_an_ending_is_seen_by_its_being_there(dsol, written, monkeypatch):
    monkeypatch.chdir(written("deals", CODE).parent)
    assert "a list of deals by -i" in dsol("check", "deals")[2]
    assert "nothing is read from the web" in dsol("check", "https://example.org/a.txt")[2]
    code, _, err = dsol("check", "--deal", "deals")
    assert code == 1
    assert err.endswith("; a list of deals goes by -i\n")


# What solve prints is what verify reads


@pytest.fixture
def won(dsol):
    """What `solve` prints of two deals, as text and as JSON."""
    deals = (CODE, "DS1-D3N-AAAAAAC")
    return dsol("solve", "-q", *deals)[1], dsol("solve", "-q", "--json", *deals)[1]


def test_b12_a_list_says_its_deal_in_the_line_above_it(dsol, written):
    for command in ("solve", "score"):
        for deal in (CODE, "DS1-D3V-AAAAAAB", "pysol:2"):
            out = dsol(command, "-q", deal, "--max-nodes", 20_000)[1]
            if ": " not in out.splitlines()[0]:
                continue
            code, text, err = dsol("verify", "-q", written("list.txt", out))
            assert (code, err, text[:9]) == (0, "", "accepted:")
    code, _, err = dsol("verify", "-q", "DS1-D1N-AAAAAAC", written("l", f"{CODE} {HEAD}\n1. draw"))
    assert (code, err) == (1, f"dsol: the file holds moves for {CODE}, not for DS1-D1N-AAAAAAC\n")


HEAD = "winnable: 1 moves, score 0"


@pytest.mark.parametrize(
    ("head", "code", "words"),
    [
        (f"{CODE} {HEAD}", 0, "accepted: not won"),
        (f"pysol:1 {HEAD}", 0, "accepted: not won"),
        (f"\ufeff{CODE} {HEAD}", 0, "accepted: not won"),
        (
            f"{CODE} best score between 0 and 5, taking back excluded (upper bound: x): 1 moves, "
            "score 0, not won",
            0,
            "accepted: not won",
        ),
        (f"{CODE} after 3 moves {HEAD}", 1, f"begins after 3 moves of {CODE}; give these with"),
        (f"F1.json {HEAD}", 2, "a plain list does not say its deal"),
        ("so far", 2, "a plain list does not say its deal"),
    ],
)
def test_b12_heads(dsol, written, head, code, words):
    status, out, err = dsol("verify", "-q", written("list", f"{head}\n1. draw\n"))
    assert status == code
    assert words in out + err


def test_b12_a_list_after_some_moves_is_played_after_them(dsol, written):
    so_far = written("so far", " ".join(SHORT))
    out = dsol("solve", "-q", CODE, "--after", so_far)[1]
    listing = written("list", out)
    assert " after 3 moves winnable: " in out
    if out.splitlines()[1].startswith("1."):
        assert dsol("verify", "-q", "--after", so_far, listing)[1].startswith("accepted: won")
    assert dsol("verify", "-q", listing)[0] == 1


def test_b12_many_lists_are_replayed_one_by_one(dsol, written, won):
    for name, text in zip(("text", "json"), won, strict=True):
        code, out, err = dsol("verify", "-q", written(name, text))
        assert (code, err) == (0, "")
        first, second = out.splitlines()
        assert first.startswith(f"{CODE}: accepted: won")
        assert second.startswith("DS1-D3N-AAAAAAC: accepted: won")
        code, out, err = dsol("verify", "-q", "-", stdin=text.encode())
        assert (code, len(out.splitlines())) == (0, 2)


def test_b12_bad_lists_among_many_are_named_and_the_rest_goes_on(dsol, written, won):
    good, other = won[1].splitlines()
    row = json.loads(good)
    lines = [
        json.dumps(row | {"score": row["score"] + 5}),
        json.dumps(row | {"moves": ["draw", "W>X"]}),
        json.dumps(row | {"moves": ["W>F"]}),
        json.dumps(row | {"moves": None}),
        good[:-10],
        json.dumps({"moves": []}),
        other,
    ]
    code, out, err = dsol("verify", "-q", written("rows", "\n".join(lines)))
    assert code == 1
    assert [line.split(": ", 1)[1][:11] for line in out.splitlines()] == [
        "wrong score",
        "illegal at ",
        "no list of ",
        "accepted: w",
    ]
    bad = err.splitlines()
    assert [line.split(": ")[1:3] for line in bad[:1]] == [
        ["rows", "the list in line 2"],
    ]
    assert "line 2, character " in bad[0]
    assert "'W>X' is no move" in bad[0]
    assert "line 5, character " in bad[1]
    assert "line 6: no solution file" in bad[2]


def test_b12_a_deal_that_is_not_won_has_no_list(dsol, written, won):
    text = f"{won[0]}DS1-D1V-AAAAAAB unwinnable (all positions searched)\n{won[0]}"
    code, out, _ = dsol("verify", "-q", written("text", text))
    assert code == 0
    assert out.splitlines()[2] == "DS1-D1V-AAAAAAB: no list of moves"
    assert len(out.splitlines()) == 5


def test_b12_one_object_over_several_lines_is_one_list():
    text = json.dumps({"moves": ["draw"], "more": [{"a": 1}, {"b": 2}]}, indent=1)
    assert len(list(lists_in(text))) == 1


# Moves without >


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("W-8", "W>8"),
        ("5-3x4", "5>3x4"),
        ("FH1-3", "FH1>3"),
        ("W-F", "W>F"),
        ("w-f", "W>F"),
        ("5->3", "5>3"),
        ("5→F", "5>F"),
        ("9–1X13", "9>1x13"),
    ],
)
def test_b13_moves_are_read_without_the_sign_of_the_shell(text, move):
    assert str(parse_move(text)) == move
    assert moves_in(f"1. {text}") == moves_in(json.dumps({"moves": [text]}))
    assert moves_in(f"draw {text} # so far")[1] == parse_move(move)


def test_b13_wherever_moves_are_read(dsol, written):
    so_far = written("so far", " ".join(SHORT))
    for command in (["show"], ["hint", "--max-nodes", 50]):
        assert dsol(*command, "-q", CODE, "--after", so_far)[0] == 0
    assert dsol("verify", "-q", CODE, so_far)[0] == 0
    solution = written("solution.json", {"code": CODE, "moves": SHORT})
    assert dsol("verify", "-q", solution)[0] == 0
    assert dsol("show", "-q", CODE, "--after", solution)[0] == 0


# Where a bad card or move is


def board():
    return write_deal(read_deal(fixture_text(F1), D1N), D1N, "pysol")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Talon: 7H 1S\n8H\n", "line 1, character 11: '1S' is no card"),
        ("# a board\n\nTalon: 7H\n: 8H <KX> 9C\n", "line 4, character 7: 'KX' is no card"),
        ("\ufeff\r\n  Talon: 7H 10H\r\n\r\n   8H  0D\r\n", "line 4, character 8: '0D' is no card"),
        ("Talon: 7H # KX\n8Q", "line 2, character 1: '8Q' is no card"),
        ("Talon: 7H\nReserve: 8H", "line 2, character 1: 'Reserve: 8H' does not belong here"),
        ("011\n012 145\n", "line 2, character 5: 145 is no card"),
        ("0111450", "7 digits"),
        ("\n 0 1\n1 0 1\n7", "line 3, character 3: 017 is no card"),
        ('{"columns": [["7H", "1S"]]}', "line 1, character 22: '1S' is no card"),
        ('# mine\n{"columns": [["7H"],\n ["8D", "KX"]]}', "line 3, character 10: 'KX' is no card"),
        ('{"columns": [],\n "waste": ["é", "Q♠"]}', "line 2, character 13: 'É' is no card"),
        ('{"columns": [], "foundations": ["AS", "S2"]}', "line 1, character 40: 'S2' is no card"),
        ('{"tableau piles": [["7H", "14s"]]}', "line 1, character 28: '14s' is no card"),
        ('{"columns": [["7H"],\n ["8D" "KX"]]}', "line 2, character 8: no JSON: Expecting ','"),
        ('{"columns": [["7H"],\n', "line 1, character 21: no JSON"),
        (
            '{"columns": [],\n "stock": [7]}',
            '"stock" must be a list of cards such as "7H"; number 1',
        ),
    ],
)
def test_b20_a_bad_card_is_named_with_its_place(text, place):
    assert place.lower() in refusal(text).lower()


def test_b20_a_view_says_where_too():
    text = '{"columns": [["KX"]],\n "stock": ["??", "0H"]}'
    assert refusal(text, D1N, read_view).startswith("line 1, character 16: 'KX' is no card")
    assert "line 1, character 9: no JSON" in refusal('{"stock"; 5}', D1N, read_view)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("draw W>3\n  draw 5>X\n", "line 2, character 8: '5>X' is no move"),
        ("# so far\ndraw W8", "line 2, character 6: 'W8' is no move"),
        ("X winnable\n1. draw\n2. 9Q column 5 -> column 3\n", "line 3, character 4: '9Q' is no"),
        ('{"moves": ["draw",\n "5>X"]}', "line 2, character 3: '5>X' is no move"),
    ],
)
def test_b20_a_bad_move_is_named_with_its_place(text, place):
    with pytest.raises(ValueError) as error:
        moves_in(text)
    assert place in str(error.value)


def test_b20_in_a_command(dsol, written):
    deal = written("deal.txt", board().replace("Talon: ", "Talon: 1S ", 1))
    code, out, err = dsol("show", "--deal", deal)
    assert (code, out) == (1, "")
    assert err.startswith(f"dsol: {deal}: line 1, character 8: '1S' is no card")
