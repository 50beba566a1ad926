"""Play in which both move at once: compiled contests, and a person against a player on a clock."""

import io
import json
import random
from dataclasses import asdict

import numpy as np
import pytest
from double_solitaire.cli.main import run
from double_solitaire.cli.play_two import clock_text, play_at_once
from double_solitaire.engine.errors import MoveError
from double_solitaire.engine.moves import Kind, Move, parse_move
from double_solitaire.engine.rules import rules_for
from double_solitaire.rating.players import PLAYER
from double_solitaire.versus import contest
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.contest import COLUMNS, ENDS, Arena, Contest, Entrant, Pair
from double_solitaire.versus.game import PASS, End, House, Player, Table
from double_solitaire.versus.live import LiveGame
from double_solitaire.versus.opponent import Opponent
from double_solitaire.versus.playout import act, pack_table
from double_solitaire.versus.race import (
    OF_A_CARD,
    PACE,
    REACTION,
    RUNNER,
    SPREAD,
    is_late,
    seconds_of,
    seed_runner,
)
from double_solitaire.versus.record import GameRecord, Step, read_record
from double_solitaire.versus.replay import encode
from double_solitaire.versus.session import Session
from tables import plain, table

CODE = "DS2-D1N-AAAAAAB"
RULES = rules_for("DS2", 1, "N")


def raced(first, second, mode="D1N", count=40, house=None, playouts=10, paces=(PACE, PACE)):
    rules = rules_for("DS2", int(mode[1]), mode[2])
    arena, found, pairs = Arena(), Contest(), []
    entrants = [
        Entrant.of(*each) for each in zip((first, second), (playouts,) * 2, paces, strict=True)
    ]
    for number in range(count):
        code = VersusCode.of_number(rules, number)
        start = Table.start(code.deals(), None)
        rows = arena.play_pair(rules, start, house or House(), entrants, number)
        pairs.append(Pair(code, rows))
        found.add(pairs[-1])
    return found, pairs


def test_a_time_is_as_long_as_the_model_says():
    runner = np.zeros(1, RUNNER)[0]
    seed_runner(runner, 5, 0)
    for text, middle in (("1>F", PACE), ("1>2", PACE), ("draw", PACE * OF_A_CARD)):
        move = encode(parse_move(text))
        logs = np.log([seconds_of(runner, move, PACE) / middle for _ in range(4000)])
        assert abs(logs.mean()) < 4 * SPREAD / 4000**0.5
        assert abs(logs.std() - SPREAD) < 0.03
    assert pytest.approx(0.8) == OF_A_CARD * PACE


@pytest.mark.parametrize("name", ["casual", "greedy", "careful", "strong"])
def test_a_player_against_itself_is_even_at_the_same_pace(name):
    found, pairs = raced(name, name, count=2 if name == "strong" else 20)
    assert all(pair.share == 0.5 and sum(pair.margins) == 0 for pair in pairs)
    assert all((pair.rows[0] == pair.rows[1]).all() for pair in pairs)
    assert found.mean("late_a") > 0 or name == "strong"
    assert found.mean("milliseconds") > 20_000


def test_pace_is_worth_what_it_costs():
    """The sketch: 10 % faster wins 56 % of the games, twice as fast 85 %."""
    faster, _ = raced("greedy", "greedy", count=600, paces=(PACE, 1.1 * PACE))
    assert faster.share.value - faster.share.half > 0.5
    twice, _ = raced("greedy", "greedy", count=300, paces=(PACE, 2 * PACE))
    assert twice.share.value > 0.78
    assert twice.share.value > faster.share.value
    slower, _ = raced("greedy", "greedy", count=300, paces=(2 * PACE, PACE))
    assert slower.share.value == pytest.approx(1 - twice.share.value)


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
def test_races_end_as_games_do(mode):
    house = House(play_on=mode[2] == "N", ahead_a=3)
    found, pairs = raced("careful", "casual", mode, 12, house)
    assert sum(found.ends.values()) == 24
    for row in (dict(zip(COLUMNS, row, strict=True)) for pair in pairs for row in pair.rows):
        lead = row["up_a"] + 3 - row["up_b"]
        assert row["winner"] == (row["last"] if lead == 0 else lead < 0)
        assert row["first"] == -1
        assert 0 < row["draws_a"] <= row["turns"]
        assert ENDS[row["end"]] is not None


def test_a_race_is_legal_play_of_the_plain_referee(monkeypatch):
    """Every move that lands is legal by the referee of the tests, and every late one is not."""
    # The functions as Python has them, so that what happens can be listened to.
    events = []
    names = ("play_race", "decide_at_once", "count_move", "count_end", "decide", "act", "is_late")
    for name in names:
        kernel = getattr(contest, name)
        monkeypatch.setattr(contest, name, getattr(kernel, "py_func", kernel))

    def listened(t, player, move):
        late = is_late(t, player, move)
        events.append((player, int(move), bool(late)))
        return late

    monkeypatch.setattr(contest, "is_late", listened)
    for number in range(3):
        code = VersusCode.of_number(RULES, number)
        start = Table.start(code.deals(), None)
        t, row = pack_table(RULES, start, House()), np.zeros(len(COLUMNS), np.int64)
        events.clear()
        contest.play_race(
            t[0],
            np.zeros(2, PLAYER),
            contest.new_tree()[0],
            contest.new_probe()[:0],
            np.array([(contest.GREEDY, 1)] * 2),
            np.array([PACE, PACE]),
            number,
            np.zeros(2, RUNNER),
            row,
        )
        referee = plain(start)
        for player, code_of_move, late in events:
            move = PASS if code_of_move & 7 == 7 else str(Move.decode(code_of_move))
            name = "AB"[player]
            if late:
                assert move not in referee.legal(name)
            else:
                referee.play(name, move)
        assert referee.over
        assert (referee.up("A"), referee.up("B")) == tuple(row[2:4])
        assert sum(late for _, _, late in events) == row[12] + row[13]


def test_only_a_foundation_play_can_be_late():
    start = table("1 2H; stock 3H..KH", "1 (AH) 2H; stock 3H..KH", to_move=None)
    t = pack_table(RULES, start, House())[0]
    up, draw = encode(parse_move("1>F")), encode(parse_move("draw"))
    assert not is_late(t, 0, up)
    act(t, 1, up)
    assert is_late(t, 0, up)
    assert not is_late(t, 0, draw)


# In a terminal


class Fake(Opponent):
    """Plays a list of moves, and keeps the records that it was shown."""

    def __init__(self, *moves):
        super().__init__("casual", 1)
        self.moves, self.shown = list(moves), []

    def choose(self, record, player=None):
        self.shown.append(record)
        text = self.moves.pop(0) if self.moves else PASS
        return text if text == PASS else parse_move(text)


def live(sides, *moves, pace=2.0, path=None, adjudicates=False, **more):
    start = table(*sides, to_move=None)
    record = GameRecord(RULES, start, players=("person", "casual"), **more)
    opponent = Fake(*moves)
    return LiveGame(Session(record, path, adjudicates), Player.B, opponent, pace), opponent


RACE = ("1 2H; stock 3H..KH", "1 (AH) 2H; stock 3H..KH")


def test_who_is_there_first_has_the_place():
    game, _ = live(RACE, "1>F", "1>F", "draw")
    due = game._arrives
    assert list(game.advance(due - 0.001)) == []
    assert list(game.advance(due)) == [(due, "2♥ up, turned up A♥")]
    with pytest.raises(MoveError, match="late: no foundation takes 2H"):
        game.play(parse_move("1>F"), due + 0.001)
    after = game._arrives
    assert [words for _, words in game.advance(after)] == ["A♥ up"]
    assert game.play(parse_move("1>F"), after + 0.4) == "2♥ up"
    steps = game.session.record.steps
    assert [(step.player, str(step.action), step.is_late) for step in steps] == [
        ("B", "1>F", False),
        ("A", "1>F", True),
        ("B", "1>F", False),
        ("A", "1>F", False),
    ]
    assert [game.session.game.up(player) for player in Player] == [41, 41]
    times = [float(step.time) for step in steps]
    assert times == sorted(times)


def test_the_player_comes_late_too_and_sees_it():
    game, opponent = live(RACE, "1>F", "1>F", "draw")
    due = game._arrives
    assert game.play(parse_move("1>F"), due - 0.001) == "2♥ up"
    assert [words for _, words in game.advance(due)] == ["late with 1>F"]
    assert game.session.record.steps[-1].is_late
    # It was refused, so it sees why.
    assert len(opponent.shown[-1].steps) == 2


def test_what_the_player_does_is_fixed_before_the_person_moves():
    game, opponent = live(RACE, "draw", "draw", "draw")
    first = game._arrives
    game.play(parse_move("draw"), first - REACTION / 2)
    ((time, _),) = game.advance(first)
    assert time == first
    # The person's draw is less than a reaction old as the player decides.
    assert [step.player for step in opponent.shown[-1].steps] == [Player.B]
    game.play(parse_move("draw"), first + 0.001)
    second = game._arrives
    assert second > first + 0.001 + REACTION
    list(game.advance(second))
    assert [step.player for step in opponent.shown[-1].steps] == ["A", "B", "A", "B"]


def test_what_was_never_legal_is_not_late():
    game, _ = live(RACE, "draw")
    with pytest.raises(MoveError, match=r"^the waste is empty"):
        game.play(parse_move("W>F"), 0.1)
    assert game.session.record.steps == ()


def test_a_pass_is_said_once_and_both_end_it():
    game, _ = live(("1 (KH) (JS) QH", "1 (KS) (JH) QS"), PASS, PASS, PASS)
    told = list(game.advance(60))
    assert [words for _, words in told] == ["passed"]
    game.play(PASS, 61)
    assert game.session.game.end is End.IDLE
    assert list(game.advance(70)) == []


def test_the_clock_of_progress_ends_it(tmp_path):
    path = tmp_path / "game.json"
    game, _ = live(RACE, *["draw"] * 200, clock=120.0, path=path)
    game.play(parse_move("1>F"), 5.0)
    list(game.advance(124.9))
    assert not game.is_over
    list(game.advance(125.5))
    assert game.session.game.end is End.CLOCK
    assert game.session.game.winner is Player.A
    assert run(["verify", str(path)]) == 0
    record = read_record(path.read_text(), RULES)
    assert (record.clock, record.stated["end"]) == (120.0, End.CLOCK)


def test_a_resumed_clock_goes_on():
    steps = (Step.parse("12.340 A draw"), Step.parse("13.000 B draw"))
    game, _ = live(RACE, "draw", steps=steps)
    assert game.begun == 13.0
    assert game._arrives > 13.0


def scripted(lines, capsys, name="careful", pace=3.5, seed=0, path=None):
    """A game in the terminal by a script of times and lines; None is for a look at the clock."""
    code = VersusCode.parse(CODE)
    record = GameRecord(
        code.rules,
        Table.start(code.deals(), None),
        code=code,
        players=("person", name),
        seed=seed,
        pace=pace,
    )
    session = Session(record, path)
    play_at_once(LiveGame(session, Player.B, Opponent(name, 10), pace), lines)
    return session, capsys.readouterr().out


def test_a_script_of_times_and_lines(capsys):
    lines = [
        (1.0, "1>F\n"),
        (1.5, "nonsense\n"),
        (2.0, "9>9\n"),
        (2.1, "moves\n"),
        (2.2, "?\n"),
        (2.3, "undo\n"),
        (20.0, None),
        (20.1, "draw\n"),
        (20.2, "\n"),
        (30.0, "quit\n"),
    ]
    session, out = scripted(lines, capsys)
    assert "0:01.0 A A♦ up" in out
    assert "'nonsense' is no move" in out
    assert "there is no column 9" in out
    assert "undo is for play in turns" in out
    assert "0:20.1 A drew 6♦" in out
    assert "the game is not over; it is not kept" in out
    steps = session.record.steps
    assert [str(step) for step in steps if step.player is Player.A] == [
        "1.000 A 1>F",
        "20.100 A draw",
    ]
    times = [float(step.time) for step in steps]
    assert times == sorted(times)
    assert sum(step.player is Player.B for step in steps) >= 4
    # What the player does before 20 s is told as the clock is next looked at.
    assert out.index(" B ") < out.index("0:20.1 A")
    again, repeated = scripted(lines, capsys)
    assert (again.record.steps, repeated) == (steps, out)


def test_a_whole_game_on_a_fake_clock(capsys, tmp_path):
    words, now, lines = random.Random(2), 0.0, []
    for _ in range(4000):
        now += words.uniform(0.2, 1.5)
        typed = ["draw", "recycle", "W>F", *(f"{c}>F" for c in range(1, 8)), "1>2", "W>3", "5>4"]
        lines.append((now, words.choice([*typed, "draw", "draw"]) + "\n"))
    path = tmp_path / "game.json"
    session, out = scripted(lines, capsys, "greedy", 1.5, 2, path)
    assert session.game.end is not None
    assert "over after" in out
    assert run(["verify", str(path)]) == 0
    assert session.game.progress <= 208
    referee = plain(session.record.table)
    for step in session.record.steps:
        move = str(step.action)
        if step.is_late:
            assert move not in referee.legal(str(step.player))
        else:
            referee.play(str(step.player), move)
        assert referee.margin_by_singles() == referee.up("A") - referee.up("B")
    assert referee.over or session.game.end is End.DEAD


def played(lines, monkeypatch, *words):
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return run(["play", *words, "--quiet"])


def test_typed_lines_are_kept_and_resumed(monkeypatch, capsys, tmp_path):
    path = tmp_path / "game.json"
    words = [CODE, "--simultaneous", "--progress-clock", "2m", "-o", str(path), "--ahead-b", "2"]
    assert played("1>F\ndraw\n", monkeypatch, *words) == 0
    assert f"kept in {path}" in capsys.readouterr().out
    record = json.loads(path.read_text())
    assert record["style"] == "simultaneous"
    assert (record["pace"], record["clock"], record["ahead_b"]) == (3.5, 120.0, 2)
    assert [move.split()[1:] for move in record["moves"][:2]] == [["A", "1>F"], ["A", "draw"]]
    assert played("draw\n", monkeypatch, "--resume", str(path)) == 0
    again = json.loads(path.read_text())
    assert again["moves"][:2] == record["moves"]
    assert len(again["moves"]) > 2
    assert run(["verify", str(path)]) == 0
    assert asdict(read_record(path.read_text(), RULES).house)["ahead_b"] == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--pace", "2"], "--pace goes with --simultaneous"),
        (["--progress-clock", "2m"], "--progress-clock goes with --simultaneous"),
        (["--simultaneous", "--pace", "0"], "seconds a card are 0.01 to 1000"),
        (["--simultaneous", "--pace", "1,2"], "one number"),
        (["--simultaneous", "--pace", "quick"], "'quick'; seconds a card"),
        (["--simultaneous", "--against", "person"], "two people at one keyboard"),
        (["--simultaneous", "--first", "B"], "--first is for play in turns"),
        (["--simultaneous", "--turn", "fits"], "--turn is for play in turns"),
        (["--simultaneous", "--hints"], "--hints is for play in turns"),
        (["--draw-a", "2"], "'2' is not one of"),
        (["--ahead-a", "53"], "not in the range"),
    ],
)
def test_options_that_do_not_go_together(words, told, monkeypatch, capsys):
    assert played("", monkeypatch, CODE, *words) == 2
    assert told in capsys.readouterr().err


def test_clock_text():
    assert [clock_text(each) for each in (0, 41.24, 59.96, 754.5)] == [
        "0:00.0",
        "0:41.2",
        "1:00.0",
        "12:34.5",
    ]


def test_late_is_told_of_no_draw():
    """What the kernel says of lateness is what the referee refuses."""
    words = random.Random(1)
    for number in range(6):
        code = VersusCode.of_number(RULES, number)
        start = Table.start(code.deals(), None)
        t, game = pack_table(RULES, start, House())[0], GameRecord(RULES, start).start()
        kept = {player: [] for player in Player}
        for _ in range(150):
            player = words.choice(tuple(Player))
            side = tuple(Player).index(player)
            legal = game.legal(player)
            if not legal:
                break
            homes = [m for m in kept[player] if m != PASS and m.kind is Kind.COLUMN_TO_FOUNDATION]
            for move in homes:
                if game.layouts[player].columns[move.source]:
                    refused = game.refusal(player, move) is not None
                    assert bool(is_late(t, side, encode(move))) == refused
            kept[player] = legal
            move = words.choice([m for m in legal if m != PASS] or legal)
            game.play(player, move)
            act(t, side, encode(move))
