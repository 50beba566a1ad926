"""Hints: which moves keep a win, and how a game goes on; wins that take cards back."""

import json
from dataclasses import replace

import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.deal import Position
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.referee import Game
from double_solitaire.notation.formats import position_json, read_deal
from double_solitaire.solver.hint import can_be_undone
from games import F1, F3, MODES, fixture, mode

from double_solitaire import Limits, Verdict, check, hint, new_game, parse_move, replay, solve

CODE = "KL1-D1V-AAAAAAE"
SO_FAR = "4>7 draw W>1 draw draw draw draw W>3 W>2 W>F draw draw draw draw draw draw"
"""After them a draw loses the game, and other moves do not."""


def under_way(code, moves):
    game = new_game(code)
    for move in moves.split():
        game.play(parse_move(move))
    return game


def test_losing_moves_are_told_from_others():
    game = under_way(CODE, SO_FAR)
    found = hint(game)
    verdicts = {str(each.move): each.verdict for each in found.legal}
    assert [str(move) for move in game.legal_moves()] == list(verdicts)
    assert verdicts["draw"] is Verdict.UNWINNABLE
    assert verdicts[str(found.moves[0])] is Verdict.WINNABLE
    assert replay(CODE, [*map(parse_move, SO_FAR.split()), *found.moves]).won
    for move, verdict in verdicts.items():
        after = under_way(CODE, f"{SO_FAR} {move}")
        assert solve(after, Limits(nodes=1_000_000)).verdict is verdict


def test_after_a_losing_move_every_move_loses():
    found = hint(under_way(CODE, f"{SO_FAR} draw"))
    assert found.verdict is Verdict.UNWINNABLE
    assert found.moves is None
    assert found.next == ()
    assert {each.verdict for each in found.legal} == {Verdict.UNWINNABLE}


def test_the_next_moves_end_with_one_that_is_no_draw():
    found = hint(fixture(F1, mode("D1N")))
    *draws, last = found.next
    assert all(move.kind in (Kind.DRAW, Kind.RECYCLE) for move in draws)
    assert last.kind not in (Kind.DRAW, Kind.RECYCLE)
    assert found.moves[: len(found.next)] == found.next


@pytest.mark.parametrize(
    ("code", "moves", "move", "expected"),
    [
        ("DS1-D1N-AAAAAAB", "3>4", "4>6", True),
        ("DS1-D1N-AAAAAAB", "3>4", "4>5x2", False),
        ("DS1-D1N-AAAAAAB", "3>4", "draw", False),
        (CODE, SO_FAR, "FS1>6", True),
        (CODE, SO_FAR, "W>F", False),
    ],
)
def test_moves_that_can_be_undone(code, moves, move, expected):
    game = under_way(code, moves)
    assert can_be_undone(game.rules, game.position(), parse_move(move)) is expected


@pytest.mark.parametrize("limit", [1, 1000])
def test_a_limit_leaves_moves_unknown_and_never_lost(limit):
    found = hint(new_game("DS1-D1V-AAAAAAC"), Limits(nodes=limit))
    assert found.verdict is Verdict.UNKNOWN
    assert {each.verdict for each in found.legal} == {Verdict.UNKNOWN}


def test_wins_without_taking_back_are_told():
    assert solve("DS1-D1N-AAAAAAB").winnable_without_take_back is True
    assert check(["DS1-D3N-AAAAAAB"])[0].winnable_without_take_back is True
    assert solve(fixture(F3, mode("D1N"))).winnable_without_take_back is False
    assert solve("DS1-D1V-AAAAAAC", Limits(nodes=1)).winnable_without_take_back is None


def test_a_win_may_need_taking_back():
    """The jack is stuck under the queen unless a red king comes back to take the queen."""
    text = json.dumps(
        {
            "columns": [[]] * 9,
            "hidden": [0] * 9,
            "waste": ["JS", "QS"],
            "stock": ["KS"],
            "foundations": [13, 10, *[13] * 6],
        }
    )
    rules = mode("D1V")
    game = Game(rules, read_deal(text, rules))
    answer = solve(game)
    assert answer.verdict is Verdict.WINNABLE
    assert Kind.TAKE_BACK in {move.kind for move in answer.moves}
    assert answer.winnable_without_take_back is False


# Games that are won, and games that are over


def hinted(capsys, tmp_path, rules, position, *options):
    """What `dsol hint` prints of a position."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position_json(position, rules)))
    of_rules = ["--game", rules.game, "--draw", str(rules.draw), "--scoring", rules.scoring.value]
    assert run(["hint", "-q", "--deal", str(path), *of_rules, *options]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("game", ["DS1", "KL1"])
@pytest.mark.parametrize("text", MODES)
def test_a_game_that_is_won_has_nothing_to_go_on_with(game, text, capsys, tmp_path):
    rules = mode(text, game)
    empty = ((),) * rules.columns
    up = (rules.ranks,) * rules.foundations
    won = Position(empty, (0,) * rules.columns, (), (), up, rules.start_score)
    assert Game(rules, won).legal_moves()
    assert hint(Game(rules, won)).legal == ()
    out = hinted(capsys, tmp_path, rules, won)
    assert out == "position.json winnable: the game is won, all cards are up\n"
    row = json.loads(hinted(capsys, tmp_path, rules, won, "--json"))
    assert (row["state"], row["legal"], row["next"]) == ("won", [], [])


@pytest.mark.parametrize("text", MODES)
def test_a_game_that_no_move_can_bring_on_is_over(text, capsys, tmp_path):
    rules = mode(text)
    dealt = fixture(F3, rules).position()
    passed = replace(dealt, stock=(), waste=dealt.stock)
    for position in (dealt, passed):
        out = hinted(capsys, tmp_path, rules, position)
        assert out == "position.json unwinnable: the game is over, no move can bring it on\n"
        row = json.loads(hinted(capsys, tmp_path, rules, position, "--json"))
        assert (row["state"], row["verdict"]) == ("over", "unwinnable")


def test_a_lost_game_is_not_over_while_a_card_can_be_played(capsys, tmp_path):
    game = under_way(CODE, f"{SO_FAR} draw")
    row = json.loads(hinted(capsys, tmp_path, game.rules, game.position(), "--json"))
    assert (row["state"], row["verdict"]) == ("under way", "unwinnable")
