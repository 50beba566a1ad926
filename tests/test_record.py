"""Records and positions of the game for two: read, written, cut off, replayed, shown, counted."""

import json
import random
from dataclasses import replace

import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.errors import DealError, MoveError
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.game import PASS, End, House, Player, Table, VersusGame
from double_solitaire.versus.perft import perft
from double_solitaire.versus.positions import table_from_json, table_json
from double_solitaire.versus.record import GameRecord, Step, read_record, read_steps, write_record
from tables import plain, table
from versus_referee import VersusReferee

RULES = rules_for("DS2", 1, "N")
CODE = "DS2-D1N-AAAAAAB"
QUEENS = table("1 (KH) (JS) QH", "1 (KS) (JH) QS", last=Player.B)
RACE = table("1 2H; stock 3H..KH", "1 (AH) 2H; stock 3H..KH", to_move=None)


def played(code=CODE, seed=0, most=150, house=None):
    """A record of a game by chance, and the game."""
    words = random.Random(seed)
    code = VersusCode.parse(code)
    start = GameRecord(code.rules, Table.start(code.deals()), house or House(), code, ("x", None))
    game, steps = start.start(), []
    while game.end is None and len(steps) < most:
        moves = game.legal(game.turn)
        ahead = [move for move in moves if ">" in str(move)]
        step = Step(game.turn, words.choice(ahead if ahead and words.random() < 0.8 else moves))
        game.play(step.player, step.action)
        steps.append(step)
    record = GameRecord(code.rules, start.table, start.house, code, ("x", None), tuple(steps))
    return record, game


@pytest.mark.parametrize("code", [CODE, "DS2-D3V-7777777", "DS2-D3N-SEFC33E+X3VY3IL"])
@pytest.mark.parametrize("house", [House(), House(fits=True), House(play_on=True, solo_clear=True)])
def test_a_record_is_read_as_it_was_written(code, house):
    record, game = played(code, 1, house=house)
    text = write_record(record, game)
    again = read_record(text, RULES)
    assert again.play().table() == game.table()
    assert (again.rules, again.table, again.house) == (record.rules, record.table, record.house)
    assert (again.code, again.players, again.steps) == (record.code, record.players, record.steps)
    assert again.stated["up"] == (game.up(Player.A), game.up(Player.B))
    assert again.stated.get("winner") == game.winner
    assert not again.is_cut
    assert write_record(again, again.play()) == text


def test_a_position_is_read_as_it_was_written():
    for seed in range(20):
        _, game = played(seed=seed, most=40)
        seen = game.table()
        data = json.loads(json.dumps(table_json(seen, RULES)))
        assert table_from_json(data, RULES) == seen
    for seen in (QUEENS, RACE):
        data = json.loads(json.dumps(table_json(seen, RULES)))
        assert table_from_json(data, RULES) == seen


def test_a_record_cut_anywhere_is_read_up_to_there(tmp_path, capsys):
    record, game = played(most=12)
    text = write_record(record, game)
    lines = list(map(str, record.steps))
    begin = text.index('"moves"')
    seen = set()
    for end in range(begin, len(text) - 3):
        cut = read_record(text[:end], RULES)
        assert cut.is_cut
        assert list(map(str, cut.steps)) == lines[: len(cut.steps)]
        assert not cut.stated
        cut.play()
        seen.add(len(cut.steps))
    assert seen == set(range(13))
    path = tmp_path / "cut.json"
    path.write_text(text[: text.index(lines[7]) + 3])
    assert run(["verify", str(path)]) == 0
    out, err = capsys.readouterr()
    assert "accepted: 7 moves" in out
    assert "cut.json: the record is cut off; it is read up to there, 7 moves" in err


def test_a_plain_list_cut_anywhere_is_read_up_to_there():
    record, game = played(most=12)
    text = "\n".join(map(str, record.steps))
    for end in range(len(text)):
        steps, is_cut = read_steps(text[:end])
        assert len(steps) == text[:end].count("\n") + (not is_cut and text[end - 1 : end] > "\n")
        whole = record.steps[: len(steps)]
        # Half of `5>3x12` is a move too.
        assert steps[:-1] == whole[:-1]
    assert read_record(text, RULES, record.table).play().table() == game.table()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"code": "DS2-D1N-AAAAAAB", "moves": ["A 3>F", "C 1>F"]}', "move 2: 'C 1>F' is no move"),
        ('{"code": "DS2-D1N-AAAAAAB", "moves": ["A 3>>F"]}', "move 1: '3>>F' is no move"),
        ('{"code": "DS2-D1N-AAAAAAB", "moves": "A 3>F"}', '"moves" must be a list'),
        ('{"code": "DS2-D1N-AAAAAA", "moves": []}', "6 symbols instead of 7"),
        ('{"code": "DS2-D1N-AAAAAAB", "draw": 3, "moves": []}', "contradicts itself"),
        ('{"code": "DS2-D1N-AAAAAAB", "turn": "flits", "moves": []}', "\"turn\" is 'flits'"),
        (
            '{"code": "DS2-D1N-AAAAAAB", "first": "C", "moves": []}',
            "\"first\" is 'C'; it is one of",
        ),
        (
            '{"code": "DS2-D1N-AAAAAAB", "draw_a": 2, "moves": []}',
            '"draw_a" is 2; it is one of null, 1, 3',
        ),
        (
            '{"code": "DS2-D1N-AAAAAAB", "ahead_a": -1, "moves": []}',
            '"ahead_a" must be a whole number from 0 to 52',
        ),
        ('{"code": "DS2-D1N-AAAAAAB", "pace": "x", "moves": []}', '"pace" must be seconds'),
        ('{"code": "DS2-D1N-AAAAAAB", "clock": 0, "moves": []}', '"clock" must be seconds'),
        ('{"code": "DS2-D1N-AAAAAAB", "end": "won", "moves": []}', "one of null, out, idle, dead"),
        ('{"code": "DS2-D1N-AAAAAAB", "up": 3, "moves": []}', '"up" must be an object'),
        (
            '{"code": "DS2-D1N-AAAAAAB" "moves": []}',
            "line 1, character 28: no JSON: Expecting ',' delimiter",
        ),
        ('{"game": "DS2", "moves": []}', "no deal for two"),
        (
            '{"deal": {"A": {"columns": []}, "B": 3}}',
            "A: 0 columns; Double Solitaire for two has 7",
        ),
        (
            '{"deal": {"A": {"columns": [["1H"]]}, "B": 3}}',
            "A: line 1, character 31: '1H' is no card",
        ),
        ("A 1>F\nB x\nA draw", "line 2: 'x' is no move"),
        ("A draw", "a plain list does not say its deal"),
    ],
)
def test_a_wrong_record_says_where(text, words):
    with pytest.raises((MoveError, DealError, ValueError), match=words.replace("+", r"\+")):
        record = read_record(
            text, RULES, None if words.startswith("a plain") or "{" in text else QUEENS
        )
        record.play()


def verified(tmp_path, capsys, text, *before):
    path = tmp_path / "game"
    path.write_text(text)
    code = run(["verify", *before, str(path), "--quiet"])
    out, err = capsys.readouterr()
    return code, (out or err).strip()


def record_text(position, moves, **stated):
    return json.dumps(table_json(position, RULES) | {"moves": moves} | stated)


IDLE = ["A pass", "B pass"]
RACED = ["1.000 B 1>F", "1.001 A 1>F late", "2 B 1>F", "2.4 A 1>F"]


@pytest.mark.parametrize(
    ("position", "moves", "stated", "code", "words"),
    [
        (QUEENS, IDLE, {"end": "idle", "winner": "B"}, 0, "2 moves, up 49:49, B wins (idle)"),
        (QUEENS, [], {}, 0, "accepted: 0 moves, up 49:49, not over, A to move"),
        (QUEENS, [], {"end": "dead", "winner": "B"}, 0, "B wins (dead)"),
        (QUEENS, IDLE, {"winner": "A"}, 1, "wrong winner: the file says A, the rules give B"),
        (QUEENS, ["A pass"], {"end": "idle"}, 1, "wrong end: the file says idle, the rules give"),
        (QUEENS, [], {"up": {"A": 49, "B": 50}}, 1, "wrong up: the file says 49:50, the rules"),
        (QUEENS, ["B pass"], {}, 1, "illegal at move 1 (B pass): it is A's turn"),
        (QUEENS, ["A pass", "B 1>F"], {}, 1, "move 2 (B 1>F): no foundation takes QS"),
        (RACE, RACED, {}, 0, "accepted: 4 moves, up 41:41, not over"),
        (RACE, ["1.000 A 1>F late"], {}, 1, "illegal at move 1 (A 1>F): it is called late"),
        (RACE, [], {"end": "clock", "winner": "A"}, 0, "A wins (clock)"),
        (QUEENS, [], {"end": "clock"}, 1, "wrong end: the file says clock"),
    ],
)
def test_verify(position, moves, stated, code, words, tmp_path, capsys):
    found, told = verified(tmp_path, capsys, record_text(position, moves, **stated))
    assert (found, words in told) == (code, True), told


def test_dead_is_accepted_only_with_a_proof(tmp_path, capsys):
    alive = table("1 (KH) (JS) QH, 2 KC", "1 (KS) (JH) QS")
    found, told = verified(tmp_path, capsys, record_text(alive, [], end="dead"))
    assert found == 1
    assert "cannot be proved" in told


def test_verify_takes_a_code_and_a_list(tmp_path, capsys):
    record, game = played(seed=4, most=30)
    text = "\n".join(map(str, record.steps))
    found, told = verified(tmp_path, capsys, text, CODE)
    assert (found, f"accepted: {len(record.steps)} moves" in told) == (0, True)
    found, told = verified(tmp_path, capsys, write_record(record, game), "DS2-D1N-AAAAAAC")
    assert (found, "another deal than DS2-D1N-AAAAAAC" in told) == (1, True)
    found, told = verified(tmp_path, capsys, text)
    assert found != 0
    position = tmp_path / "deal.json"
    position.write_text(json.dumps(table_json(QUEENS, RULES)))
    found, told = verified(tmp_path, capsys, "A pass, B pass", "--deal", str(position))
    assert (found, "B wins (idle)" in told) == (0, True)


def test_verify_goes_on_after_a_list(tmp_path, capsys):
    record, _ = played(seed=4, most=30)
    lines = list(map(str, record.steps))
    before = tmp_path / "before.txt"
    before.write_text("\n".join(lines[:12]))
    rest = "\n".join(lines[12:])
    found, told = verified(tmp_path, capsys, rest, CODE, "--after", str(before))
    assert (found, f"accepted: {len(lines)} moves" in told) == (0, True)
    position = tmp_path / "deal.json"
    position.write_text(json.dumps(table_json(record.table, RULES)))
    words = ("--deal", str(position), "--after", str(before))
    assert verified(tmp_path, capsys, rest, *words) == (found, told)
    whole = write_record(record, record.play())
    found, told = verified(tmp_path, capsys, whole, "--after", str(before))
    assert (found, "--after goes on from a deal" in told) == (2, True)
    found, told = verified(tmp_path, capsys, "\n".join(lines[11:]), CODE, "--after", str(before))
    assert (found, "illegal at move 13" in told) == (1, True)
    # A record has its house rules with it.
    house = House(ahead_a=40)
    position.write_text(write_record(replace(record, house=house, steps=()), record.play()))
    found, told = verified(tmp_path, capsys, "A pass, B pass", "--deal", str(position))
    assert (found, "A wins (idle)" in told) == (0, True)


def test_handicaps_and_clocks_are_read_as_they_were_written():
    house = House(draw_a=3, ahead_a=2, ahead_b=52)
    record = GameRecord(RULES, RACE, house, pace=2.5, clock=90.0)
    again = read_record(write_record(record, record.start()), RULES)
    assert (again.house, again.pace, again.clock) == (house, 2.5, 90.0)


def test_lists_of_deals_for_two(tmp_path, capsys):
    path = tmp_path / "deals.txt"
    path.write_text(f"# two\n{CODE}\nKL1-D1N-AAAAAAC\n\nDS2-D3V-7777777 # last\n")
    assert run(["show", "-i", str(path), "--json", "--quiet"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert ["A" in row.get("deal", row) for row in rows] == [True, False, True]
    assert run(["show", CODE, "--json", "--quiet"]) == 0
    assert json.loads(capsys.readouterr().out) == rows[0]
    path.write_text(f"{CODE}\nDS2-D1N-AAAAAAC\n")
    assert run(["fair", "DS2-D1V-AAAAAAD", "-i", str(path), "--games", "4", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0][-1] for line in lines] == ["D", "B", "C"]
    path.write_text(f"{CODE}\nDS2-D1N-AAAAAA\n")
    assert run(["show", "-i", str(path), "--quiet"]) == 1
    assert "deals.txt: line 2: DS2-D1N-AAAAAA: the deal has 6 symbols" in capsys.readouterr().err
    assert run(["fair", "-i", str(path), "--games", "4", "--quiet"]) == 1
    assert "deals.txt: line 2: DS2-D1N-AAAAAA: the deal has 6 symbols" in capsys.readouterr().err
    assert run(["fair", "--quiet"]) == 2
    assert "no deal given" in capsys.readouterr().err


def test_show_has_both_tables_in_80_columns(tmp_path, capsys):
    record, game = played(seed=2, most=60)
    path = tmp_path / "game.json"
    path.write_text(write_record(record, game))
    for words in ([CODE], ["--deal", str(path)], ["DS2-D3N-SEFC33E+X3VY3IL"]):
        assert run(["show", *words, "--quiet"]) == 0
        text = capsys.readouterr().out
        assert max(map(len, text.splitlines())) <= 80
        assert text.count("stock (") == 2
    assert run(["show", "--deal", str(path), "--quiet"]) == 0
    text = capsys.readouterr().out
    assert f"after {len(record.steps)} moves" in text
    assert f"A {game.up(Player.A)} : {game.up(Player.B)} B" in text
    assert run(["show", CODE, "--json", "--quiet"]) == 0
    shown = tmp_path / "shown.json"
    shown.write_text(capsys.readouterr().out)
    assert run(["show", "--deal", str(shown), "--ascii", "--quiet"]) == 0
    assert "QH" in capsys.readouterr().out
    assert run(["show", CODE, "--svg", str(tmp_path / "x.svg"), "--quiet"]) == 2
    assert "not for the game for two" in capsys.readouterr().err


def count(game, depth):
    """Sequences by the plain referee of the tests."""
    if depth == 0:
        return 1
    import copy

    if game.over:
        return 0
    total = 0
    for move in [*game.legal(game.turn), PASS]:
        after = copy.deepcopy(game)
        after.play(after.turn, move)
        total += count(after, depth - 1)
    return total


@pytest.mark.parametrize("code", [CODE, "DS2-D3N-AAAAAAC", "DS2-D1V-7777777"])
def test_perft_is_the_plain_referees(code, capsys):
    of_code = VersusCode.parse(code)
    start = Table.start(of_code.deals())
    rules = of_code.rules
    other = plain(start, draw=rules.draw, passes=rules.passes)
    assert isinstance(other, VersusReferee)
    expected = [count(other, depth) for depth in range(1, 4)]
    assert run(["perft", code, "3", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{depth} {each}" for depth, each in enumerate(expected, 1)]
    assert run(["perft", code, "3", "--divide", "--quiet"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"total {expected[2]}"


@pytest.mark.parametrize(
    ("sides", "house"),
    [
        (("1 (KH) (JS) QH", "1 (KS) (JH) QS"), {}),
        (("1 (KD) (KH) (JS) QH; stock QD", "1 (KS) (JD) (JH) QS"), {}),
        (("1 KH", "1 KH"), {"play_on": True}),
        (("1 AH; stock 2H..KH", "1 2H; stock 3H..KH"), {"fits": True}),
        (("1 KC; stock KD KH KS", "1 KH"), {"solo_clear": True}),
    ],
)
def test_perft_knows_when_a_game_is_over(sides, house):
    position = table(*sides)
    for depth in range(5):
        expected = count(plain(position, **house), depth)
        assert perft(RULES, position, House(**house), depth) == expected


def test_a_record_says_dead_only_after_a_proof():
    game = VersusGame(RULES, QUEENS)
    game.finish(End.DEAD)
    text = write_record(GameRecord(RULES, QUEENS), game)
    assert read_record(text, RULES).stated["end"] is End.DEAD
