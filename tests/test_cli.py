"""The command line, run in this process."""

import csv
import io
import json
import re
from pathlib import Path

import pytest
from games import FIXTURES

DATA = Path(__file__).parent.parent / "data"

F1 = str(FIXTURES / "F1_straight_win_draw1.json")
F2 = str(FIXTURES / "F2_reversed_stock.json")
F3 = str(FIXTURES / "F3_dead_deal.json")
F6 = str(FIXTURES / "F6_blocked_column.json")
CODE = "DS1-D1N-AAAAAAB"
MOVE_LINE = re.compile(
    r"(\d+)\. (draw \(\d cards?, [A2-9TJQK][♠♥♦♣] on top\)|recycle \(\d+ cards?\)|"
    r"[A2-9TJQK][♠♥♦♣] (waste|column \d|foundation \d) → (foundation|column \d( \(\d+ cards?\))?))"
)
NO_UTF_8 = "the text is not UTF-8 (perhaps UTF-16 without a byte order mark); save it as UTF-8"
NOTE = "the cards behind a code are dealt by a scheme of this project"


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


# Reading deals


def test_b16_a_list_is_read_whatever_its_spelling_and_bad_lines_do_not_stop_it(dsol, tmp_path):
    text = f"  ds1-d1n-aaaaaab\r\n\n# note\nDS1-D2N-AAAAAAB\n{CODE}\n{CODE}  # again\n"
    path = tmp_path / "list é.txt"
    path.write_text("\ufeff" + text, encoding="utf-8")
    for arguments in (["-i", path], ["-"], ["-i", "-"]):
        code, out, err = dsol("show", "--json", "-q", *arguments, stdin=text)
        assert [row["code"] for row in rows(out)] == [CODE] * 3
        assert err.count("\n") == 1
        assert "line 4: DS1-D2N-AAAAAAB: draw 2 is not played" in err
        assert code == 1


def test_deals_come_in_the_order_arguments_lists_files(dsol):
    code, out, _ = dsol("show", "--json", "--deal", F1, "-", "pysol:1", stdin=CODE)
    assert [row["code"] for row in rows(out)] == [CODE, "pysol:1", None]
    assert code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "DS1-D2N-AAAAAAB"],
        ["show", "DS9-D1N-AAAAAAB"],
        ["show", "DS1-D1N-AAAAAA"],
        ["show", "DS1-D1N-AAAAAAAA"],
        ["show", "DS1-D1Q-AAAAAAB"],
        ["show", "DS1-D1N-AAAAAA1"],
        ["show", "pysol:0"],
        ["show", "--draw", "2", "pysol:1"],
        ["show", "--scoring", "Q", "pysol:1"],
        ["show"],
        ["show", "--json", "--format", "pysol", CODE],
        ["show", "-i", "no such file"],
        ["check", "--max-nodes", "0", CODE],
        ["check", "--time-limit", "soon", CODE],
        ["check", "--time-limit", "0s", CODE],
        ["check", "--memory", "2X", CODE],
        ["check", "--jobs", "-1", CODE],
        ["perft", CODE, "0"],
        ["perft", CODE],
        ["verify", CODE, "no such file"],
        ["verify", CODE, "-", "--after", "-"],
        ["verify", "--deal", "-", "-"],
        ["check", "-", "--after", "-"],
        ["show", "-", "-i", "-"],
        ["show", "--deal", "-", "--deal", "-"],
        ["show", "--game", "KL1", "pysol:1"],
        ["check", "--max-nodes", str(2**63), CODE],
        ["check", "--max-nodes", "9" * 5000, CODE],
        ["check", "--memory", str(2**63), CODE],
        ["check", "--memory", "9" * 400, CODE],
        ["check", "--memory", "9000000000G", CODE],
        ["check", "--time-limit", "9" * 400, CODE],
        ["show", f"DS1-D{'1' * 5000}N-AAAAAAB"],
        ["solve", "--no-such-option"],
        ["nonsense"],
    ],
)
def test_b20_wrong_usage_is_one_line_and_exit_code_2(dsol, arguments):
    code, out, err = dsol(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith("dsol: ")
    assert err.count("\n") == 1


def test_a_wrong_argument_is_found_before_any_work(dsol):
    assert dsol("show", CODE, "nonsense")[:2] == (2, "")


def test_b17_files_that_hold_no_deal_are_refused_with_the_number_of_cards(dsol, tmp_path):
    deal = json.loads((FIXTURES / "F1_straight_win_draw1.json").read_text())
    stock = deal["stock"]
    for cards, words in (
        (None, "0 cards found"),
        (stock[:-1], "103 cards found, 8H is there once"),
        ([*stock, "8H"], "105 cards found, 8H is there 3 times"),
    ):
        path = tmp_path / "deal.json"
        path.write_text("" if cards is None else json.dumps(deal | {"stock": cards}))
        code, out, err = dsol("check", "--deal", path, "-q")
        assert (code, out) == (1, "")
        assert words in err
        assert err.count("\n") == 1


def test_b36_paths_may_hold_spaces_accents_and_backslashes(dsol, tmp_path):
    path = tmp_path / "a b é\\c.json"
    path.write_text((FIXTURES / "F1_straight_win_draw1.json").read_text())
    code, out, _ = dsol("show", "--deal", path)
    assert code == 0
    assert "a b é\\c.json" in out


def test_a_bad_position_is_reported_and_the_rest_goes_on(dsol, written):
    (row,) = rows(dsol("show", "-q", "--json", CODE, "--after", written("so far", "draw"))[1])
    deals = [row["deal"] | change for change in BAD_POSITIONS]
    files = [written(f"{number}.json", deal) for number, deal in enumerate(deals)]
    files.append(written("text", "[" * 100_000))
    files.append(written("utf-16.json", row, "utf-16-le"))
    options = [word for file in [*files, F1] for word in ("--deal", file)]
    code, out, err = dsol("show", "--json", *options)
    assert (code, len(rows(out)), err.count("\n")) == (1, 1, len(files))
    assert all(f"{file}: " in err for file in files)
    assert err.endswith(f"{files[-1]}: {NO_UTF_8}\n")


BAD_POSITIONS = (
    {"score": -5},
    {"score": 3},
    {"score": 10**30},
    {"recycles": -1},
    {"recycles": 10**30},
    {"hidden": [0, 2, *range(2, 9)]},
    {"hidden": [10**30] * 9},
    {"foundations": [1] * 8},
    {"foundations": [10**9] + [0] * 7},
    {"stock": []},
)


def test_a_list_in_utf_16_without_a_mark_is_one_line(dsol, written):
    code, out, err = dsol("show", "-q", "-i", written("list", f"{CODE}\n" * 9, "utf-16-le"), CODE)
    assert code == 1
    assert err.endswith(f"list: {NO_UTF_8}\n")
    assert err.count("\n") == 1
    assert out.startswith(CODE)


def test_numbers_of_thousands_of_digits_are_one_line(dsol, written):
    digits = "9" * 5000
    deal = written("deal.json", f'{{"columns": [], "score": {digits}}}')
    code, _, err = dsol("show", "--deal", deal)
    assert (code, err) == (
        1,
        f"dsol: {deal}: no JSON of a deal: a number has thousands of digits\n",
    )
    code, _, err = dsol("show", "-q", "-", stdin=f"DS1-D{digits}N-AAAAAAB")
    assert (code, err) == (1, "dsol: -: line 1: a number has more than 4300 digits\n")
    code, _, err = dsol("batch", CODE, "-o", deal.parent / "out", "--shard", f"1/{digits}")
    assert code != 0
    assert "digits" in err or "looks like" in err
    assert err.count("\n") == 1
    assert len(err) < 600


# What a file states is what is played


@pytest.mark.parametrize("code", ["DS1-D3V-AAAAAAB", "KL1-D3N-AAAAAAB"])
def test_a_deal_file_is_played_by_the_rules_it_states(dsol, written, code):
    shown = dsol("show", "-q", "--json", code)[1]
    (row,) = rows(shown)
    named = written("named.json", {"code": code.lower(), "moves": ["draw"]})
    files = [written("shown.json", shown), named]
    files.append(written("no code.json", row | {"code": None}))
    files.append(
        written("top.json", row["deal"] | {k: row[k] for k in ("game", "draw", "scoring")})
    )
    for file in files:
        (again,) = rows(dsol("show", "--json", "--deal", file)[1])
        assert again == row | {"code": None}
        draw = ("--draw", row["draw"], "--scoring", row["scoring"], "--game", row["game"])
        assert rows(dsol("show", "--json", "--deal", file, *draw)[1]) == [again]
        status, out, err = dsol("show", "--deal", file, "--draw", 1)
        assert (status, out) == (1, "")
        assert err == f"dsol: {file}: the file says draw 3; --draw 1 contradicts it\n"
        status, out, _ = dsol("verify", "-q", "--deal", file, named)
        assert (status, out[:9]) == (0, "accepted:")


def test_the_lists_of_the_corpus_win(dsol):
    lists = sorted(DATA.glob("DS1-*.txt"))
    assert lists
    for path in lists:
        status, out, _ = dsol("verify", "-q", path.stem, path)
        assert (status, out[:14]) == (0, "accepted: won,")


def test_a_game_under_way_is_given_back(dsol, written):
    shown = dsol("show", "-q", "--json", "DS1-D3V-AAAAAAE", "--after", written("m", "draw draw"))[1]
    again = dsol("show", "--json", "--deal", written("position.json", shown))[1]
    assert rows(again)[0] | {"code": "DS1-D3V-AAAAAAE"} == rows(shown)[0]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"draw": [1]}, '"draw" is [1]; draw is 1 or 3'),
        ({"draw": True}, '"draw" is true; draw is 1 or 3'),
        ({"draw": "1"}, '"draw" is "1"; draw is 1 or 3'),
        ({"game": ["DS1"]}, '"game" is ["DS1"]; game is DS1 or KL1'),
        ({"scoring": {}}, '"scoring" is {}; scoring is N or V'),
        ({"code": "DS1-D3N-AAAAAAB"}, "it is for DS1-D3N-AAAAAAB and says draw 1"),
        ({"code": "DS1-D9N-AAAAAAB"}, "draw 9 is not played"),
        ({"code": 5}, "'5' is no deal code"),
        ({"code": "pysol:1", "game": "KL1"}, "it is for pysol:1 and says game KL1"),
    ],
)
def test_what_no_file_can_state(dsol, written, change, words):
    (row,) = rows(dsol("show", "--json", "--deal", F1)[1])
    file = written("solution.json", row | {"moves": ["draw"]} | change)
    for arguments in (["verify", file], ["verify", "--deal", F1, file], ["show", "--deal", file]):
        code, out, err = dsol(*arguments)
        assert (code, out) == (1, "")
        assert words in err
        assert err.count("\n") == 1


def test_a_batch_plays_a_deal_file_by_its_rules_or_by_the_modes(dsol, written, tmp_path):
    file = written("deal.json", dsol("show", "-q", "--json", "DS1-D3N-AAAAAAB")[1])
    for out, modes in (("own", []), ("others", ["--modes", "D1N,D3N"])):
        arguments = ("batch", "-q", "--deal", file, "-j", 1, "-o", tmp_path / out, *modes)
        assert dsol(*arguments)[0] == 0
    assert [path.name for path in (tmp_path / "own").iterdir()] == ["mode=D3N"]
    names = sorted(path.name for path in (tmp_path / "others").iterdir())
    assert names == ["mode=D1N", "mode=D3N"]


# Notes


@pytest.mark.parametrize("deals", [[CODE], [CODE, "DS1-D3N-AAAAAAC"], ["KL1-D3N-AAAAAAA"]])
def test_the_scheme_is_named_once(dsol, deals):
    _, out, err = dsol("show", *deals)
    assert err.count(NOTE) == 1
    assert NOTE not in out
    assert dsol("show", "--quiet", *deals)[2] == ""


def test_the_scheme_is_not_named_for_other_deals(dsol):
    assert dsol("show", "pysol:1", "--deal", F1)[2] == ""


# show


def test_the_board_shows_every_card_at_its_place(dsol):
    _, out, _ = dsol("show", "--ascii", CODE)
    assert out.splitlines()[:4] == [
        f"{CODE}  Double Solitaire, draw 1, Normal scoring, unlimited redeals, score 0",
        "foundations  -S -S -H -H -D -D -C -C",
        "waste (0)",
        "stock (59)   JS 8S 4D 5S 7H 9C AH 5D 4H QS 2H 3D 6H JC AS KH JD 9H 4S 5C",
    ]
    assert out.splitlines()[7:10] == [
        "  1    2    3    4    5    6    7    8    9",
        " 8C  (7D) (9D) (AD) (TS) (9S) (5D) (8S) (3H)",
        "      KS  (KH) (3C) (2D) (KD) (QS) (QC) (QH)",
    ]
    assert out.isascii()
    assert "J♠ 8♠ 4♦" in dsol("show", CODE)[1]
    assert "Vegas scoring, passes: 1, score -$104" in dsol("show", "DS1-D1V-AAAAAAB")[1]


@pytest.mark.parametrize("form", [["--json"], *(["--format", f] for f in ("pysol", "digits"))])
@pytest.mark.parametrize("deal", [[CODE], ["pysol:1"], ["--deal", F6]])
def test_what_show_writes_can_be_read_back(dsol, tmp_path, form, deal):
    path = tmp_path / "deal"
    path.write_text(dsol("show", *form, *deal)[1])
    again = dsol("show", "--json", "--deal", path)[1]
    assert rows(again)[0]["deal"] == rows(dsol("show", "--json", *deal)[1])[0]["deal"]


# perft


def test_perft_counts_and_divides(dsol):
    assert dsol("perft", CODE, 3)[1] == "1 7\n2 45\n3 266\n"
    lines = dict(line.rsplit(" ", 1) for line in dsol("perft", CODE, 3, "--divide")[1].splitlines())
    assert lines.pop("total") == "266"
    assert sum(map(int, lines.values())) == 266
    assert lines["draw"] == "57"


# solve and verify


def test_b11_a_printed_list_is_accepted_with_its_count_and_score(dsol, tmp_path):
    listing = tmp_path / "list"
    for deal in ([CODE], ["pysol:1"], ["--deal", F1], ["--deal", F2]):
        for form in ([], ["--taps"], ["--json"]):
            code, out, err = dsol("solve", "-q", *deal, *form)
            assert (code, err) == (0, "")
            listing.write_text(out, encoding="utf-8")
            code, text, _ = dsol("verify", "-q", *deal, listing)
            assert code == 0
            assert text.startswith("accepted: won, score ")
            if not form:
                count, score = out.splitlines()[0].split(": ")[1].split(" moves, score ")
                assert f"score {score}, {count} moves" in text
    assert rows(out)[0]["won"] is True


def test_b11_each_line_names_card_count_source_and_target(dsol):
    first, *lines = dsol("solve", "-q", "--ungrouped", "--deal", F1)[1].splitlines()
    assert first.startswith(f"F1_straight_win_draw1.json winnable: {len(lines)} moves, score ")
    for number, line in enumerate(lines, 1):
        assert MOVE_LINE.fullmatch(line)[1] == str(number)


def test_b11_swapping_two_lines_that_need_each_other_is_illegal(dsol, tmp_path):
    moves = rows(dsol("solve", "-q", "--json", "--deal", F1)[1])[0]["moves"]
    draw = moves.index("draw")
    assert moves[draw + 1] == "W>F"
    path = tmp_path / "swapped"
    path.write_text(" ".join([*moves[:draw], "W>F", "draw", *moves[draw + 2 :]]))
    code, out, _ = dsol("verify", "--deal", F1, path)
    assert (code, out) == (1, f"illegal at move {draw + 1}: the waste is empty\n")


def test_verify_holds_a_file_to_what_it_states(dsol, tmp_path):
    path = tmp_path / "solution.json"
    row = rows(dsol("solve", "-q", "--json", CODE)[1])[0]
    path.write_text(json.dumps(row | {"score": row["score"] + 5}))
    code, out, _ = dsol("verify", path)
    assert code == 1
    assert out.startswith("wrong score: the file says")
    path.write_text(json.dumps(row))
    assert dsol("verify", path)[0] == 0
    path.write_text(json.dumps(row | {"code": CODE.lower()}))
    assert dsol("verify", CODE, path)[0] == 0
    assert dsol("verify", "DS1-D3N-AAAAAAB", path)[0] == 1
    assert dsol("verify", "DS1-D1N-AAAAAAC", path)[0] == 1


def test_a_list_that_ends_early_is_accepted_as_not_won(dsol, tmp_path):
    path = tmp_path / "moves"
    path.write_text("draw\ndraw\n")
    code, out, _ = dsol("verify", "-q", CODE, path)
    assert code == 0
    assert out.startswith("accepted: not won, 0 of 104 cards up, score 0, 2 moves (2 draws")
    assert dsol("verify", "-q", path)[0] == 2


def test_a_list_that_starts_later_is_played_from_where_its_file_says(dsol, written):
    so_far = written("so far", "draw draw")
    (row,) = rows(dsol("show", "-q", "--json", CODE, "--after", so_far)[1])
    rest = written("rest.json", row | {"moves": ["draw", "draw", "draw"]})
    for deal in ([], [CODE], ["--deal", rest], ["--after", so_far, CODE]):
        code, out, _ = dsol("verify", "-q", *deal, rest)
        assert code == 0
        assert out.startswith("accepted: not won, 0 of 104 cards up, score 0, 3 moves (3 draws")
    elsewhere = written("elsewhere.json", row | {"code": None, "moves": ["draw"]})
    for deal in ([CODE], ["pysol:1"], ["--deal", F1]):
        code, out, err = dsol("verify", "-q", *deal, elsewhere)
        assert (code, out) == (1, "")
        title = "F1_straight_win_draw1.json" if deal[0] == "--deal" else deal[0]
        assert err == f"dsol: the moves in the file start from another position than {title}\n"
    code, _, err = dsol("verify", "-q", CODE, rest, "--after", written("other", "draw"))
    assert (code, err.count("another position than DS1-D1N-AAAAAAB after 1 move")) == (1, 1)
    other = written("other.json", {"code": "DS1-D3N-AAAAAAB", "moves": ["draw"]})
    code, _, err = dsol("verify", "-q", "--deal", rest, other)
    assert code == 1
    assert "the file holds moves for DS1-D3N, but rest.json is played as DS1-D1N" in err


@pytest.mark.parametrize("command", ["score", "solve"])
def test_a_printed_list_of_no_moves_is_accepted(dsol, written, command):
    won = {"columns": [[]] * 9, "stock": [], "foundations": [13] * 8}
    deal = F3 if command == "score" else written("won.json", won)
    listing = written("list", dsol(command, "-q", "--deal", deal)[1])
    code, out, _ = dsol("verify", "-q", "--deal", deal, listing)
    assert code == 0
    assert ", 0 moves (0 draws" in out


@pytest.mark.parametrize("text", ["", "\n", "\ufeff# nothing\n"])
def test_a_text_without_moves_is_none_that_is_accepted(dsol, written, text):
    code, out, err = dsol("verify", "-q", CODE, written("list", text))
    assert (code, out, err) == (1, "", "dsol: no moves in list\n")
    assert dsol("verify", "-q", CODE, "-", stdin=text)[2] == "dsol: no moves in standard input\n"
    nothing = written("nothing.json", {"code": CODE, "moves": []})
    assert dsol("verify", "-q", CODE, nothing)[0] == 0


def test_b11_a_line_that_names_another_card_is_not_played(dsol, written):
    deal = ("-q", "--deal", F1)
    lines = dsol("solve", *deal)[1].splitlines()
    at = next(k for k, line in enumerate(lines) if "column 9 → foundation" in line)
    number, card, rest = lines[at].split(" ", 2)
    there = card.translate(str.maketrans("♠♥♦♣", "SHDC"))
    lines[at] = f"{number} K♦ {rest}"
    listing = written("list", "\n".join(lines))
    code, out, _ = dsol("verify", *deal, listing)
    words = f"illegal at move {at}: the line says KD, the card there is {there}\n"
    assert (code, out) == (1, words)
    code, _, err = dsol("show", *deal, "--after", listing)
    assert code == 1
    assert err.endswith(words)
    lines[at] = f"{number} K? {rest}"
    code, _, err = dsol("verify", *deal, written("list", "\n".join(lines)))
    assert code == 1
    assert err.startswith(f"dsol: line {at + 1}, character ")
    assert "'K?' is no card; a" in err


# Verdicts, fields and exit codes


def test_b02_a_limit_gives_unknown_and_its_own_exit_code(dsol):
    arguments = ("--exit-code", "--json", "-q", "--deal", F1)
    code, out, _ = dsol("check", "--max-nodes", 1, *arguments)
    row = rows(out)[0]
    assert (code, row["verdict"]) in ((30, "unknown"), (10, "winnable"))
    assert row["moves"] is None
    assert dsol("check", *arguments)[0] == 10


@pytest.mark.parametrize("command", ["check", "solve"])
def test_every_row_has_the_same_fields(dsol, command):
    code, out, _ = dsol(
        command, "--json", "-q", "--exit-code", CODE, "DS1-D3N-AAAAAAB", "--deal", F3
    )
    first, second, third = rows(out)
    fields = ["code", "verdict", "reason", "winnable_without_take_back"]
    fields += ["moves", "score", "won", "nodes", "seconds"]
    assert list(first) == list(second) == fields
    assert list(third) == [*fields, "deal", "game", "draw", "scoring"]
    assert third["code"] is third["moves"] is third["score"] is third["won"] is None
    assert third["verdict"] == "unwinnable"
    assert first["verdict"] == second["verdict"] == "winnable"
    without = [row["winnable_without_take_back"] for row in (first, second, third)]
    assert without == [True, True, False]
    assert (first["moves"] is None) == (command == "check")
    assert code == 20


def test_without_the_option_every_answer_is_exit_code_0(dsol):
    assert dsol("check", "-q", "--deal", F3)[0] == 0


def test_b38_minimal_is_not_claimed(dsol):
    assert "minimal" not in dsol("solve", "-q", "--deal", F1)[1]


@pytest.mark.parametrize("command", ["check", "solve"])
def test_jobs_change_nothing_but_times(dsol, command):
    codes = "\n".join(f"DS1-D{draw}N-AAAAA{letter}{letter}" for letter in "ABC" for draw in (1, 3))
    deals = f"{codes}\npysol:1\nKL1-D3N-AAAAAAB\npysol:2\n{CODE}\n"

    def answers(jobs):
        found = rows(dsol(command, "--json", "-q", "--jobs", jobs, "-", stdin=deals)[1])
        return [row | {"seconds": 0} for row in found]

    assert [row["code"] for row in answers(1)] == deals.split()
    assert answers(1) == answers(4)


# Games under way


def test_a_list_so_far_and_a_position_file_are_the_same_game(dsol, tmp_path):
    moves = rows(dsol("solve", "-q", "--json", CODE)[1])[0]["moves"]
    so_far, rest, position = tmp_path / "so far", tmp_path / "rest", tmp_path / "position.json"
    so_far.write_text(" ".join(moves[:40]))
    code, out, _ = dsol("solve", "-q", CODE, "--after", so_far)
    assert code == 0
    assert out.startswith(f"{CODE} after 40 moves winnable: ")
    rest.write_text(out, encoding="utf-8")
    assert dsol("verify", "-q", CODE, rest)[0] == 1
    code, out, _ = dsol("verify", "-q", CODE, rest, "--after", so_far)
    assert (code, out[:20]) == (0, "accepted: won, score")
    position.write_text(dsol("show", "-q", "--json", CODE, "--after", so_far)[1])
    rest.write_text(dsol("solve", "-q", "--json", CODE, "--after", so_far)[1])
    assert dsol("verify", "-q", rest)[1] == out
    (row,) = rows(rest.read_text())
    (again,) = rows(dsol("solve", "-q", "--json", "--deal", position)[1])
    assert row["code"] == CODE
    assert row["moves"] == again["moves"]
    assert row["deal"] == again["deal"] == rows(position.read_text())[0]["deal"]
    code, out, _ = dsol("check", "-q", CODE, "--after", so_far)
    assert (code, out) == (0, f"{CODE} after 40 moves winnable\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [("draw recycle", "illegal at move 2: the stock still has 58 cards"), ("up", "is no move")],
)
@pytest.mark.parametrize("command", ["show", "check", "solve", "score", "hint"])
def test_a_wrong_list_so_far_is_one_line(dsol, tmp_path, command, text, words):
    path = tmp_path / "so far"
    path.write_text(text)
    code, out, err = dsol(command, "-q", CODE, "--after", path)
    assert (code, out) == (1, "")
    assert words in err
    assert err.count("\n") == 1


# score


@pytest.mark.parametrize("deal", [[CODE], ["DS1-D3V-AAAAAAB"], ["--deal", F1], ["--deal", F3]])
def test_a_score_comes_with_its_list_and_its_bound(dsol, tmp_path, deal):
    limits = ("--max-nodes", 50_000, "-q")
    code, out, _ = dsol("score", "--json", *limits, *deal)
    (row,) = rows(out)
    assert code == 0
    assert list(row)[:6] == ["code", "score_low", "score_high", "bound", "best", "taking_back"]
    assert row["score_low"] == row["score"] <= row["score_high"]
    assert row["best"] == (row["score_low"] == row["score_high"])
    assert row["taking_back"] == "excluded"
    path = tmp_path / "solution.json"
    path.write_text(out)
    code, text, _ = dsol("verify", "-q", path)
    assert code == 0
    assert ", 0 taken back)" in text
    head, *lines = dsol("score", "--ungrouped", *limits, *deal)[1].splitlines()
    assert f"taking back excluded (upper bound: {row['bound']}): {len(row['moves'])} moves" in head
    assert all(MOVE_LINE.fullmatch(line) for line in lines)
    assert len(lines) == len(row["moves"])


# hint


def test_a_hint_says_what_each_legal_move_does(dsol, tmp_path):
    path = tmp_path / "so far"
    path.write_text("4>7 draw W>1 draw draw draw draw W>3 W>2 W>F" + 6 * " draw")
    deal = ("-q", "KL1-D1V-AAAAAAE", "--after", path)
    (row,) = rows(dsol("hint", "--json", *deal)[1])
    assert row["verdict"] == "winnable"
    assert {"move": "draw", "verdict": "unwinnable"}.items() <= row["legal"][0].items()
    code, out, _ = dsol("hint", "--exit-code", *deal)
    head, *lines = out.splitlines()
    assert code == 10
    assert head.startswith("KL1-D1V-AAAAAAE after 16 moves winnable; next: ")
    assert [line.split()[0] for line in lines] == [choice["move"] for choice in row["legal"]]
    words = {"winnable": "keeps the win", "unwinnable": "loses (proof)", "unknown": "unknown"}
    for line, choice in zip(lines, row["legal"], strict=True):
        assert words[choice["verdict"]] in line


def test_a_hint_counts_the_draws_before_the_next_move(dsol):
    head = dsol("hint", "-q", "--deal", F2)[1].splitlines()[0]
    assert re.search(r"winnable; next: .* waste → \w+( \d)?(, after \d+ draws?.*)?$", head)


# bench


def test_bench_compares_its_node_counts_with_the_file(dsol, monkeypatch, tmp_path):
    monkeypatch.setattr("double_solitaire.cli.bench.DEALS", {"DS1-D1N": 20, "DS1-D3N": 20})
    path = tmp_path / "signature.json"
    code, first, _ = dsol("bench", "--signature", path)
    assert code == 0
    assert "DS1-D1N: " in first
    assert dsol("bench", "--signature", path, "--update")[0] == 0
    signature = json.loads(path.read_text())
    assert f"signature {sum(signature.values())}\n" in first
    code, out, _ = dsol("bench", "--signature", path)
    assert (code, out.splitlines()[-1]) == (0, f"as in {path}")
    path.write_text(json.dumps(signature | {"DS1-D1N": 1}))
    code, out, _ = dsol("bench", "--signature", path)
    assert (code, out.splitlines()[-1]) == (1, f"differs from {path}: DS1-D1N 1 there")


@pytest.mark.parametrize("text", ["[1]", "5", "no JSON", "\x00"])
def test_bench_says_at_once_what_is_no_file_of_node_counts(dsol, written, text):
    path = written("signature.json", text)
    code, out, err = dsol("bench", "--signature", path)
    assert (code, out) == (1, "")
    assert err == f"dsol: {path} holds no node counts; --update writes such a file\n"


# completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(dsol, shell):
    code, out, _ = dsol("completion", shell)
    assert code == 0
    assert "_DSOL_COMPLETE" in out


# Rows for other programs


FORMS = [
    (command, deals)
    for command in ("check", "rate", "score")
    for deals in (
        ("DS1-D1N-AAAAAAB",),
        ("DS1-D1V-AAAAAAC", "KL1-D3N-AAAAAAB", "pysol:5"),
        ("DS1-D1N-AAAAAAB", "--deal", str(FIXTURES / "F3_dead_deal.json")),
    )
]
LIMITED = ("--max-nodes", "300")


@pytest.mark.parametrize(("command", "deals"), FORMS)
def test_csv_says_what_json_says(dsol, command, deals):
    code, out, _ = dsol(command, *deals, *LIMITED, "--quiet", "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    json_code, json_out, _ = dsol(command, *deals, *LIMITED, "--quiet", "--json")
    wanted = [json.loads(line) for line in json_out.splitlines()]
    assert code == json_code == 0
    assert len(rows) == len(wanted)
    for row, full in zip(rows, wanted, strict=True):
        assert row["deal"] == (full["code"] or "F3_dead_deal.json")
        for name in set(row) & set(full) - {"seconds", "deal"}:
            value = full[name]
            if value is None:
                assert row[name] == ""
            elif isinstance(value, list):
                assert row[name].split() == value
            else:
                assert row[name] == (value if isinstance(value, str) else json.dumps(value))
        for name in (name for name in full if name.endswith("_interval")):
            ends = [row[name.replace("_interval", end)] for end in ("_low", "_high")]
            assert ends == (["", ""] if full[name] is None else list(map(str, full[name])))
        for name, value in (full.get("figures") or {}).items():
            assert row[name] == ("" if value is None else str(value))


@pytest.mark.parametrize(("command", "deals"), FORMS)
def test_a_table_has_its_columns_below_each_other(dsol, command, deals):
    code, out, _ = dsol(command, *deals, *LIMITED, "--quiet", "--table")
    head, *lines = out.splitlines()
    assert code == 0 and len(lines) == len([word for word in deals if word != "--deal"])
    starts = [match.start() for match in re.finditer(r"\S+", head)]
    assert head.startswith("deal  ") and len(starts) >= 5
    ends = [match.end() for match in re.finditer(r"\S+", head)]
    for line in lines:
        for start, end in zip(starts, ends, strict=True):
            # Each name stands over an end of its cells, and between columns there is room.
            assert start == 0 or line[start - 1 : start] in (" ", "") or line[end : end + 1] in " "


def test_a_cell_of_csv_may_hold_anything(dsol, tmp_path):
    path = tmp_path / 'a "deal", of mine.json'
    path.write_text((FIXTURES / "F3_dead_deal.json").read_text(encoding="utf-8"), encoding="utf-8")
    _, out, _ = dsol("check", "--deal", str(path), "--quiet", "--csv")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["deal"] == path.name and row["verdict"] == "unwinnable"
    assert "," not in row["verdict"] and row["winnable_without_take_back"] == "false"


@pytest.mark.parametrize("form", ["--csv", "--table", "--json"])
def test_a_form_has_its_exit_codes_and_bad_lines_as_ever(dsol, tmp_path, form):
    path = tmp_path / "list.txt"
    path.write_text("DS1-D1N-AAAAAAB\nnonsense\n", encoding="utf-8")
    code, out, err = dsol("check", "-i", str(path), "--quiet", form)
    assert (code, err.count("\n")) == (1, 1) and "winnable" in out
    code, _, _ = dsol("check", "DS1-D1N-AAAAAAB", "--quiet", "--exit-code", form)
    assert code == 10


@pytest.mark.parametrize("memory", ["0.4", "0", "-1", "0.0001k", "nan"])
def test_less_than_a_byte_is_wrong_usage(dsol, memory):
    code, out, err = dsol("check", "DS1-D1N-AAAAAAB", "--memory", memory)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "512M or 2G" in err


@pytest.mark.parametrize("command", ["check", "rate", "score"])
@pytest.mark.parametrize(
    "forms", [("--csv", "--table"), ("--json", "--csv"), ("--table", "--json", "--csv")]
)
def test_two_forms_at_once_are_wrong_usage(dsol, command, forms):
    code, out, err = dsol(command, "DS1-D1N-AAAAAAB", *forms)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert all(form in err for form in forms)


def test_a_table_is_printed_also_when_the_work_is_interrupted(dsol, monkeypatch):
    from double_solitaire.cli import check as module

    answer = module._answer

    def interrupted(*arguments):
        yield next(answer(*arguments))
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "_answer", interrupted)
    code, out, _ = dsol("check", "DS1-D1N-AAAAAAB", "DS1-D1N-AAAAAAC", "--quiet", "--table")
    assert code == 130
    assert [line.split()[0] for line in out.splitlines()] == ["deal", "DS1-D1N-AAAAAAB"]
