import json

import pytest
from click.testing import CliRunner
from double_solitaire.cli.main import dsol
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number, splitmix64
from double_solitaire.engine.errors import DealError
from double_solitaire.engine.formats import position_json
from double_solitaire.engine.referee import Game
from double_solitaire.rating.advise import advise, until
from double_solitaire.rating.figures import figures
from double_solitaire.rating.view import View, read_view
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from games import F3, FIXTURES, mode

RULES = mode("D1N")


CODES = ("DS1-D3N-AAAAAAB", "DS1-D3N-AAAAAAC", "DS1-D3N-AAAAAAD")


def as_seen(number=1, rules=RULES):
    """A deal before its first move as a player sees it."""
    data = position_json(Position.start(rules, deal_number(rules, number)), rules)
    data["columns"] = [["??"] * (len(column) - 1) + column[-1:] for column in data["columns"]]
    data["stock"] = ["??"] * len(data["stock"])
    return data


def lost_place(rules):
    """A position on a winning list of a deal where another move loses."""
    for number in (11, 4, 2, 6):
        game = Game(rules, Position.start(rules, deal_number(rules, number)))
        line = solve(rules, game.position(), Limits()).moves
        first_loss = figures(rules, game.position(), line, places=True).first_loss
        if first_loss is not None:
            break
    for move in line[: first_loss - 1]:
        game.play(move)
    return game.position()


def invoke(*arguments):
    result = CliRunner().invoke(dsol, list(map(str, arguments)), standalone_mode=False)
    return result.output, result.exception


def test_samples_keep_what_is_seen_and_are_whole_decks():
    view, words = read_view(json.dumps(as_seen()), RULES), splitmix64(3)
    samples = [view.sample(words) for _ in range(5)]
    for sample in samples:
        sample.check(RULES)
        assert [c[-1] for c in sample.columns] == [c[-1] for c in view.position.columns]
    assert len({sample.stock for sample in samples}) == 5
    assert len(view.places) == 95


def test_a_known_position_has_no_samples_but_itself():
    position = Position.start(RULES, deal_number(RULES, 4))
    view = read_view(json.dumps(position_json(position, RULES)), RULES)
    assert view.places == ()
    assert view.sample(splitmix64(1)) == position


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"stock": ["??"] * 58}, "94 cards are unknown"),
        ({"waste": ["??"], "stock": ["??"] * 58}, "waste has an unknown card"),
        ({"hidden": [0, 0, 2, 3, 4, 5, 6, 7, 8]}, "column 2 has an unknown card"),
        ({"columns": "none"}, "no position"),
        ({"stock": ["?"] * 59}, "no card"),
        ({"foundations": [None]}, "must be a list of cards"),
        ({"foundations": [1.5]}, "must be a list of cards"),
        ({"foundations": [["AS", 2]]}, "must be a list of cards"),
        ({"foundations": None}, "must be a list of heights or of cards"),
        ({"foundations": [3 * 10**7, *[0] * 7]}, "a foundation of 30000000 cards"),
        ({"foundations": [-1, *[0] * 7]}, "a foundation of -1 cards"),
        ({"foundations": [0] * 9}, "9 foundation places, not 8"),
    ],
)
def test_a_wrong_view_is_refused_in_words(change, message):
    with pytest.raises(DealError, match=message):
        read_view(json.dumps(as_seen() | change), RULES)


def test_advice_is_the_same_on_every_run_and_counts_all_samples():
    view = read_view(json.dumps(as_seen()), RULES)
    first, second = (advise(RULES, view, 6, 2_000, seed=5) for _ in range(2))
    assert first == second
    assert {each.samples for each in first} == {6}
    assert all(each.careful_wins <= each.winnable <= 6 - each.undecided for each in first)
    assert [each.share for each in first] == sorted((each.share for each in first), reverse=True)
    assert {each.samples for each in advise(RULES, view, 6, 2_000, 5, until(0))} == {0}


def test_a_move_that_loses_is_told_from_one_that_wins():
    rules = mode("D3N", "KL1")
    advice = advise(rules, View(lost_place(rules), ()), 2, 100_000, seed=0)
    shares = [each.share for each in advice]
    assert (shares[0], shares[-1]) == (1, 0)
    assert advice[-1].careful_wins == 0


def test_the_command_prints_a_table_and_json(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(as_seen()))
    out, error = invoke("advise", path, "--samples", 3, "-q")
    assert error is None
    head, names, *rows = out.splitlines()
    assert head == "table.json: 95 unknown cards, 3 samples"
    assert names.split() == ["move", "winnable", "careful"]
    out, _ = invoke("advise", path, "--samples", 3, "-q", "--json")
    moves = json.loads(out)["moves"]
    assert [row.split()[0] for row in rows] == [move["move"] for move in moves]
    assert all(move["interval"][0] <= move["share"] <= move["interval"][1] for move in moves)


def test_the_command_plays_by_the_rules_that_the_file_states(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps({"deal": as_seen(), "draw": 3, "scoring": "V"}))
    stated = invoke("advise", path, "--samples", 2, "-q", "--json")[0]
    path.write_text(json.dumps(as_seen()))
    options = ("--draw", 3, "--scoring", "V")
    assert invoke("advise", path, "--samples", 2, "-q", "--json", *options)[0] == stated
    path.write_text(json.dumps({"deal": as_seen(), "draw": 3}))
    _, error = invoke("advise", path, "--draw", 1)
    assert str(error) == "the file says draw 3; --draw 1 contradicts it"


def test_the_command_rates_deals():
    out, error = invoke("rate", "-q", "--games", 20, *CODES[:2])
    assert error is None
    assert len(out.splitlines()) == 2
    assert "difficulty" in out
    rows = {
        jobs: invoke("rate", "-q", "--json", "--games", 20, "-j", jobs, *CODES)[0]
        for jobs in (1, 3)
    }
    assert rows[1] == rows[3]
    row = json.loads(rows[1].splitlines()[0])
    assert 0 <= row["difficulty"] <= 100
    assert row["win_rate_casual_interval"][0] <= row["win_rate_casual"]
    assert row["win_rate_expert"] is None
    assert row["figures"]["first_moves"] >= 1


def test_a_deal_that_is_not_winnable_has_no_difficulty(tmp_path):
    out, _ = invoke("rate", "-q", "--json", "--deal", FIXTURES / f"{F3}.json")
    row = json.loads(out)
    assert row["verdict"] == "unwinnable"
    for name in ("difficulty", "level", "harder_than", "win_rate_casual", "win_rate_careful"):
        assert row[name] is None
