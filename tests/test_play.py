"""`dsol play` in line mode, driven by what a person types."""

import io
import json
import re

import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.errors import MoveError
from double_solitaire.engine.moves import parse_move
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.game import PASS, End, House, Player, Table
from double_solitaire.versus.opponent import Opponent
from double_solitaire.versus.record import GameRecord, read_record
from double_solitaire.versus.session import Session
from tables import table

CODE = "DS2-D1N-AAAAAAB"
OPEN = ("1 KS QD, 2 KC, 3 (AH) JS, 4 KD; stock 2H..KH QS", "1 KH")
RULES = rules_for("DS2", 1, "N")


@pytest.fixture
def played(monkeypatch, capsys):
    def play(lines, *words, code=0):
        monkeypatch.setattr("sys.stdin", io.StringIO(lines))
        assert run(["play", *words, "--quiet"]) == code
        return capsys.readouterr()

    return play


def test_a_turn_against_a_player(played, tmp_path):
    path = tmp_path / "game.json"
    words = [CODE, "--against", "casual", "-o", str(path)]
    out = played("\nmoves\n?\nup\nundo\n1-F\n6>7\n9>9\nnonsense\ndraw\npass\nquit\n", *words).out
    assert "what next?" in out
    assert "draw 1>F 1>2 5>3 pass" in out
    assert "undo" in out
    assert "A: A♦ up" in out
    assert "taken back: 1>F" in out
    assert "6C does not go on QS" in out
    assert "there is no column 9" in out
    assert "'nonsense' is no move" in out
    assert "A: drew 6♦" in out
    assert re.search(r"^B: .*(drew|passed)", out, re.MULTILINE)
    assert f"kept in {path}" in out
    assert max(map(len, out[: out.index("> ")].splitlines())) <= 80
    assert out.count("turn 1, you (A)") == 1
    record = json.loads(path.read_text())
    assert record["moves"][:2] == ["A 1>F", "A draw"]
    assert "A pass" in record["moves"]
    assert record["players"] == {"A": "person", "B": "casual"}
    assert record["end"] is None
    assert run(["verify", str(path)]) == 0
    assert [each.name for each in tmp_path.iterdir()] == ["game.json"]


def test_the_end_of_the_input_keeps_the_game_and_it_is_resumed(played, tmp_path):
    path = tmp_path / "game.json"
    played("draw\n", CODE, "-o", str(path))
    before = json.loads(path.read_text())["moves"]
    out = played("draw\n", "--resume", str(path)).out
    after = json.loads(path.read_text())["moves"]
    assert after[: len(before)] == before
    assert len(after) > len(before)
    assert "turn 3, you (A)" in out
    # Left and resumed, the game goes on as if it had not been left.
    other = tmp_path / "other.json"
    played("draw\ndraw\n", CODE, "-o", str(other))
    assert json.loads(other.read_text())["moves"] == after


def test_a_record_that_breaks_off_is_resumed_from_there(played, tmp_path):
    path = tmp_path / "game.json"
    played("draw\ndraw\n", CODE, "-o", str(path))
    text = path.read_text()
    path.write_text(text[: text.index('"B draw"') + 3])
    found = played("pass\n", "--resume", str(path))
    assert "is cut off" in found.err
    assert run(["verify", str(path)]) == 0


def test_a_game_to_its_end(played, tmp_path):
    path = tmp_path / "game.json"
    out = played("up\ndraw\nrecycle\n" * 400, CODE, "--as", "B", "-o", str(path)).out
    assert re.search(r"over after \d+ turns, up \d+:\d+: [AB] wins \((dead|idle|out)\)", out)
    record = read_record(path.read_text(), RULES)
    assert record.stated["end"] is not None
    assert run(["verify", str(path)]) == 0
    assert "over after" in played("", "--resume", str(path)).out


def test_an_end_by_proof_changes_no_winner(played, tmp_path):
    ends = []
    for name, more in (("a", []), ("b", ["--no-adjudicate"])):
        path = tmp_path / name
        played("up\ndraw\nrecycle\n" * 400, CODE, "--as", "B", "-o", str(path), *more)
        ends.append(json.loads(path.read_text()))
    early, late = ends
    assert (early["end"], late["end"]) == ("dead", "idle")
    assert (early["winner"], early["up"]) == (late["winner"], late["up"])
    assert len(early["moves"]) < len(late["moves"])


def test_two_people(played):
    out = played("draw\n1>2\ndraw\n", CODE, "--against", "person").out
    assert "turn 1, you (A)" in out
    assert "turn 2, you (B)" in out
    assert "6H goes" not in out
    assert "turn 3, you (A)" in out


def test_hints_are_marked(played, tmp_path):
    path = tmp_path / "game.json"
    words = ["--playouts", "20", "-o", str(path)]
    out = played("hint\nhint\ndraw\nhint\n", CODE, "--hints", *words).out
    assert re.search(r"^> (draw|1>F|1>2|5>3)\s+wins +\d+ %, by [+-]", out, re.MULTILINE)
    hints = json.loads(path.read_text())["hints"]
    assert len(hints) == 2
    assert hints[0] == 0
    path.unlink()
    out = played("hint\n", CODE, *words).out
    assert "hints are off" in out
    assert "hints" not in json.loads(path.read_text())


def test_the_rules_of_the_table_are_kept(played, tmp_path):
    path = tmp_path / "game.json"
    played("draw\n", CODE, "--turn", "fits", "--play-on", "--solo-clear", "-o", str(path))
    record = read_record(path.read_text(), RULES)
    assert record.house == House(True, True, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "the table needs a terminal; only the game for two, a CODE such as DS2-D1N-AAAAAAB"),
        (["DS1-D1N-AAAAAAB"], "the table needs a terminal"),
        ([CODE, "--against", "nobody"], "'nobody' is not one of"),
        ([CODE, "-o", "{game}"], "exists; --resume goes on with it"),
        (["--resume", "{game}", "--as", "B"], "--resume goes without --as"),
        (["--resume", "{game}", "--play-on"], "--resume goes without --play-on"),
        ([CODE, "--resume", "{game}"], "a game goes on by --resume FILE alone"),
        (["--resume", "no such file"], "does not exist"),
    ],
)
def test_wrong_usage(words, told, played, tmp_path):
    path = tmp_path / "game.json"
    played("", CODE, "-o", str(path))
    words = [word.replace("{game}", str(path)) for word in words]
    assert told in played("", *words, code=2).err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"code": "DS2-D1N-AAAAAAB", "moves": []}', "the record has None and None as players"),
        ('{"code": "DS2-D1N-AAAAAAB", "moves": ["A 3>F"]}', "as players"),
        ("[]", "the JSON holds no object"),
        ('{"code": "DS2-D1N-AAAAAAB", "style": "simultaneous", "players": '
         '{"A": "person", "B": "person"}}', "two people play at once"),
        ('{"code": "DS2-D1N-AAAAAAB", "players": {"A": "person", "B": "careful"}, '
         '"moves": ["A 3>F"]}', "illegal at move 1 (A 3>F)"),
    ],
)  # fmt: skip
def test_records_that_cannot_be_resumed(text, told, played, tmp_path):
    path = tmp_path / "game.json"
    path.write_text(text)
    assert told in played("", "--resume", str(path), code=1).err
    assert path.read_text() == text


def session(position, house=None):
    return Session(GameRecord(RULES, position, house or House()), None)


def test_what_can_be_undone():
    one = session(table(*OPEN))
    with pytest.raises(MoveError, match="nothing to undo"):
        one.undo()
    for text in ("1>2", "3>2"):
        one.play(parse_move(text))
    # What is turned up stays known.
    with pytest.raises(MoveError, match="nothing to undo"):
        one.undo()
    one.play(parse_move("3>F"))
    before = one.game.table()
    one.undo()
    one.play(parse_move("3>F"))
    assert one.game.table() == before
    one.play(parse_move("draw"))
    with pytest.raises(MoveError, match="nothing to undo"):
        one.undo()


def test_the_words_for_moves():
    one = session(table(*OPEN))
    assert one.play(parse_move("1>2")) == "Q♦ → 2"
    assert one.play(parse_move("3>2")) == "J♠ → 2, turned up A♥"
    assert one.play(parse_move("3>F")) == "A♥ up"
    assert one.play(parse_move("draw")) == "drew 2♥"
    assert one.play(PASS) == "passed"


def test_dead_players_need_not_play():
    one = session(table("1 (KH) (JS) QH, 2 KC", "1 (KS) (JH) QS"))
    assert one.game.end is None
    one.play(parse_move("2>F"))
    assert (one.game.end, one.game.winner) == (End.DEAD, Player.A)


@pytest.mark.parametrize("name", ["casual", "greedy", "careful", "strong", "tree"])
def test_a_choice_depends_on_the_record_alone(name):
    code = VersusCode.parse(CODE)
    record = GameRecord(code.rules, Table.start(code.deals()), code=code, seed=3)
    one = Session(record, None)
    first, second = Opponent(name, 20), Opponent(name, 20)
    for _ in range(12):
        action = first.choose(one.record)
        first.advise(one.record)
        assert second.choose(one.record) == action
        assert Opponent(name, 20).choose(one.record) == action
        one.play(action)
