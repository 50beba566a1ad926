"""`dsol review`: chances, play, luck and errors of recorded games."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.errors import MoveError
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.game import PASS, Player, Table
from double_solitaire.versus.opponent import Opponent
from double_solitaire.versus.record import GameRecord, Step, write_record
from double_solitaire.versus.review import review
from double_solitaire.versus.session import Session
from tables import table

RULES = rules_for("DS2", 1, "N")


@pytest.fixture(scope="module")
def record():
    """A game of a careful A and a B who mostly passes."""
    code = VersusCode.parse("DS2-D3N-AAAAAAB")
    one = Session(GameRecord(code.rules, Table.start(code.deals()), code=code), None)
    careful = Opponent("careful")
    while one.game.end is None and len(one.record.steps) < 40:
        turns = one.game.turns
        lazy = one.game.turn is Player.B and turns % 6 != 1
        one.play(PASS if lazy else careful.choose(one.record))
    return one.record


def test_play_and_luck_add_up(record):
    turns = list(review(record))
    assert [step for turn in turns for step in turn.actions] == [
        step.action for step in record.steps
    ]
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
    for turn, later in pairwise(turns):
        same = turn.after if turn.player is later.player else 1 - turn.after
        assert later.before == pytest.approx(same)
        assert turn.after - turn.before == pytest.approx(turn.play + turn.luck)
        assert turn.error >= 0
    # A plays as the careful player does.
    assert abs(sum(turn.play for turn in turns if turn.player is Player.A)) < 0.1


def test_a_missed_win_is_an_error():
    position = table("1 KH", "1 KS, 2 (KH) QS; stock JS")
    start = GameRecord(RULES, position)
    (missed,) = review(replace(start, steps=(Step(Player.A, PASS),)))
    assert missed.error == 0
    both = table("1 KH", "1 KS")
    one, *_ = review(replace(GameRecord(RULES, both), steps=(Step(Player.A, PASS),)))
    assert (one.before, one.error) == (1.0, 1.0)
    assert one.play == -1.0
    assert str(one.worst[1]) == "1>F"
    assert (one.after, one.luck) == (0.0, 0.0)


def test_a_review_says_when_it_was_decided(tmp_path, capsys):
    ahead = table("1 (KH) (JS) QH", "1 (KC) (KD) (KS) (JH) QS")
    one = replace(GameRecord(RULES, ahead), steps=(Step(Player.A, PASS), Step(Player.B, PASS)))
    assert [turn.decided for turn in review(one)] == [Player.A, Player.A]
    even = table("1 (KH) (JS) QH, 2 KC", "1 (KS) (JH) QS")
    open_still = replace(GameRecord(RULES, even), steps=(Step(Player.A, PASS),))
    assert [turn.decided for turn in review(open_still)] == [None]
    path = tmp_path / "game.json"
    path.write_text(write_record(one, one.play()))
    assert run(["review", str(path), "--quiet"]) == 0
    assert capsys.readouterr().out.endswith("after turn 1 A wins, however it goes on\n")


def test_the_lines_and_the_objects(record, tmp_path, capsys):
    path = tmp_path / "game.json"
    short = replace(record, steps=record.steps[:8])
    path.write_text(write_record(short, short.play()))
    assert run(["review", str(path), "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert run(["review", str(path), "--quiet", "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == len(rows) + 3
    assert [row["turn"] for row in rows] == list(range(1, len(rows) + 1))
    assert sum(len(row["moves"]) for row in rows) == 8
    assert lines[-3].startswith("A: play ")
    assert lines[-1].startswith("decided by turns ")


def test_a_review_says_what_is_wrong(tmp_path, capsys):
    path = tmp_path / "game.json"
    path.write_text('{"code": "DS2-D1N-AAAAAAB", "moves": ["A 7>F"]}')
    assert run(["review", str(path), "--quiet"]) == 1
    assert "illegal at move 1 (A 7>F)" in capsys.readouterr().err
    path.write_text('{"code": "DS2-D1N-AAAAAAB", "style": "simultaneous", "moves": []}')
    assert run(["review", str(path), "--quiet"]) == 1
    assert "a review is of games in turns" in capsys.readouterr().err
    with pytest.raises(MoveError):
        list(review(GameRecord(RULES, table("1 KH", "1 KS", to_move=None))))
