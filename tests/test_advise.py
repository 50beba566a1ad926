import io
import json
import random
import re
from dataclasses import replace

import pytest
from click.testing import CliRunner
from double_solitaire.cli.main import dsol, run
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number, splitmix64
from double_solitaire.engine.errors import DealError
from double_solitaire.engine.kernel import play, undo
from double_solitaire.engine.moves import DRAW_MOVE, Kind, parse_move
from double_solitaire.engine.referee import Game
from double_solitaire.engine.state import pack
from double_solitaire.notation.formats import position_json
from double_solitaire.rating.advise import Advice, Counsel, Known, advise, until
from double_solitaire.rating.figures import figures
from double_solitaire.rating.progress import Gain, Standing, Way, outlook
from double_solitaire.rating.rate import rate
from double_solitaire.rating.view import View, read_view
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from games import F3, FIXTURES, MODES, cards, fixture, fixture_text, mode, walked
from hypothesis import given, settings
from hypothesis import strategies as st

from double_solitaire import new_game

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
        ({"columns": "none"}, "must be a list of lists of cards"),
        ({"stock": ["?"] * 59}, "no card"),
        ({"foundations": [{}]}, "must be a list of cards"),
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
    assert {each.samples for each in first.advice} == {6}
    assert all(each.fast_wins <= each.winnable <= 6 - each.undecided for each in first.advice)
    moves = [each.move for each in first.advice] + first.others
    assert sorted(moves, key=str) == sorted(Game(RULES, view.position).legal_moves(), key=str)
    untried = advise(RULES, view, 6, 2_000, 5, until(0))
    assert {each.samples for each in untried.advice} == {0}
    assert {untried.known(each) for each in untried.advice} == {Known.UNTRIED}


def test_a_move_that_loses_is_told_from_one_that_wins():
    rules = mode("D3N", "KL1")
    counsel = advise(rules, View(lost_place(rules), ()), 2, 100_000, seed=0)
    best, *_, worst = counsel.advice
    assert (best.share, worst.share) == (1, 0)
    assert worst.fast_wins == 0
    assert (counsel.known(best), counsel.known(worst)) == (Known.KEEPS, Known.LOSES)


def test_the_command_prints_a_table_and_json(tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(as_seen()))
    out, error = invoke("advise", path, "--samples", 3, "-q")
    assert error is None
    head, recommended, why, names, *rows = out.splitlines()
    assert head == "table.json: 95 unknown cards, 3 samples"
    assert names.split()[:3] == ["move", "winnable", "fast"]
    out, _ = invoke("advise", path, "--samples", 3, "-q", "--json")
    data = json.loads(out)
    moves = data["moves"]
    assert data["recommended"] == moves[0]["move"]
    assert recommended.startswith(f"recommended: {data['recommended']}")
    assert why == f"why: {data['why']}"
    if data["not_tried"]:
        assert rows.pop().endswith(": " + ", ".join(data["not_tried"]))
    assert all(move["interval"][0] <= move["share"] <= move["interval"][1] for move in moves)
    told = [row.strip() for row in rows if row.startswith(" ")]
    assert told == [move["why"] for move in moves[1:]]
    rows = [row for row in rows if not row.startswith(" ")]
    assert [row.split()[0] for row in rows] == [move["move"] for move in moves]
    assert all(row.endswith(move["known"]) for row, move in zip(rows, moves, strict=True))


# What brings a game on, and what only rearranges


def cards_of(game):
    """Where all cards lie, and whether those of the stock have been seen; no score, no counts."""
    position = game.position()
    return replace(position, score=0, recycles=min(position.recycles, 1))


def play_on(game, choose):
    """Play the moves that `choose` gives until it gives None; no position may come back."""
    seen = {cards_of(game)}
    while (move := choose(game)) is not None:
        game.play(move)
        assert cards_of(game) not in seen, f"back after {move}"
        seen.add(cards_of(game))
    return len(seen) - 1


def first_row(samples, nodes=1, seed=0):
    """Play the first row of the table."""

    def choose(game):
        counsel = advise(game.rules, View.of(game.position()), samples, nodes, seed)
        return counsel.advice[0].move if counsel.advice else None

    return choose


def any_worth(seed):
    """Play as if the end of each way were worth any number at all, as the proof allows."""

    def choose(game):
        ways = outlook(game.rules, View.of(game.position())).ways
        if not ways:
            return None

        s = pack(game.rules, game.position())[0]

        def worth(way):
            for move in way.moves:
                play(s.layout, s.foundations, move.encode())
            piles = s.layout.tableau.tolist(), int(s.layout.talon), int(s.layout.waste)
            end = (*piles, int(s.foundations.heights))
            for _ in way.moves:
                undo(s.layout, s.foundations)
            number = random.Random(f"{seed}{end}").uniform(0, 10)
            return number - len(way.steps) - 0.01 * len(way.turns)

        return max(ways, key=worth).moves[0]

    return choose


@pytest.mark.parametrize("text", MODES)
def test_whoever_follows_the_first_row_gets_on(text):
    for name, number in (("DS1", 20), ("KL1", 21), ("KL1", 22)):
        rules = mode(text, name)
        game = Game(rules, Position.start(rules, deal_number(rules, number)))
        assert play_on(game, first_row(1, seed=number)) > 15
        view = View.of(game.position())
        assert game.won or outlook(rules, view).standing in (Standing.OVER, Standing.STUCK)


@settings(max_examples=4, deadline=None)
@given(walk=walked(most=60), seed=st.integers(0, 9))
def test_no_position_comes_back_whatever_the_samples_say(walk, seed):
    game, _ = walk
    play_on(game, any_worth(seed))


@pytest.mark.long
@pytest.mark.parametrize("text", MODES)
def test_the_first_row_wins_at_least_as_often_as_the_careful_player(text):
    rules, games = mode(text), 100
    won = careful = 0.0
    for number in range(20):
        start = Position.start(rules, deal_number(rules, number))
        game = Game(rules, start)
        play_on(game, first_row(8, nodes=200, seed=number))
        won, careful = won + game.won, careful + rate(rules, start, number, games).careful.rate
    print(f"{text}: {won:.0f} of 20 won, careful {careful:.1f}")
    assert won >= careful


@pytest.mark.parametrize("text", MODES)
@pytest.mark.parametrize("name", ["loop_1", "loop_2"])
def test_a_move_that_only_rearranges_is_not_tried_by_itself(name, text):
    view = read_view(fixture_text(name), mode(text))
    counsel = advise(mode(text), view, 12, 100, seed=0)
    rearranging = parse_move({"loop_1": "4>7", "loop_2": "7>4"}[name])
    assert counsel.others == [rearranging]
    # Two cards can go up, and the samples may prefer either; one of them turns a card up.
    assert str(counsel.advice[0].move) in ("8>F", "W>F")
    (way,) = (each.way for each in counsel.advice if str(each.move) == "8>F")
    assert way.gain is Gain.TURN_UP


# Games that are won or over, and cards that have to come back


@pytest.mark.parametrize("text", MODES)
def test_a_dead_game_is_over_once_the_stock_has_been_seen(text):
    game = fixture(F3, mode(text))
    assert play_on(game, first_row(1)) == -(-59 // game.rules.draw)
    counsel = advise(game.rules, View.of(game.position()), 1, 1, 0)
    assert counsel.standing is Standing.OVER
    assert counsel.why().startswith("the game is over")
    assert counsel.advice == []


@pytest.mark.parametrize("code", ["DS1-D3N-AABXDF2", "DS1-D3N-AABYKKU", "DS1-D3N-AAAY5SN"])
def test_no_one_is_told_to_turn_the_stock_for_ever(code):
    game = new_game(code)
    play_on(game, first_row(1))
    assert not game.won
    assert game.recycles <= game.moves - game.cards_up
    assert outlook(game.rules, View.of(game.position())).standing is Standing.OVER


def left_over(waste="", stock="", up=(13,) * 8, columns=(), score=0):
    """A position at the end of a game, with its few cards that are not up."""
    piles = tuple(map(cards, columns)) + ((),) * (9 - len(columns))
    return Position(piles, (0,) * 9, cards(stock), cards(waste), tuple(up), score)


BURIED = left_over("JS QS", "KS", (13, 10, *[13] * 6))
"""The jack lies under the queen, which needs a red king to come back."""


@pytest.mark.parametrize("text", ["D1V", "D3V", "D3N"])
def test_a_card_is_taken_back_where_nothing_else_brings_the_game_on(text):
    game, played = Game(mode(text), BURIED), []
    choose = first_row(1)

    def choose_and_note(game):
        counsel = advise(game.rules, View(game.position(), ()), 1, 1, 0)
        played.append(counsel)
        return choose(game)

    play_on(game, choose_and_note)
    assert game.won
    backs = [c for c in played if c.advice and c.advice[0].move.kind is Kind.TAKE_BACK]
    assert len(backs) == 1
    for counsel in backs:
        assert len(counsel.advice) == 1
        assert "taken back" in counsel.why()


def test_a_card_is_not_taken_back_where_it_leads_nowhere():
    game = Game(RULES, left_over("", "KH KS QS", (13, 11, 13, 12, *[13] * 4)))
    for counsel in iter(lambda: advise(RULES, View(game.position(), ()), 2, 100, 0), None):
        if not counsel.advice:
            break
        assert Kind.TAKE_BACK not in {each.move.kind for each in counsel.advice}
        game.play(counsel.advice[0].move)
    assert game.won


@pytest.mark.parametrize("text", MODES)
def test_a_game_that_is_won_is_said_to_be(text):
    counsel = advise(mode(text), View(left_over(), ()), 3, 100, 0)
    assert (counsel.standing, counsel.advice, counsel.others) == (Standing.WON, [], [])
    assert counsel.why() == "the game is won: all 104 cards are up"


def test_a_game_that_is_sure_to_be_won_is_said_to_be():
    up = (13, 11, 13, 12, *[13] * 4)
    counsel = advise(RULES, View(left_over("KH", "KS", up, ["QS"]), ()), 3, 100, 0)
    assert counsel.standing is Standing.SURE
    assert counsel.why().startswith("the game is won, as every card")


# What is said


def trial(wins, cards, winnable=0):
    way = Way((), (), DRAW_MOVE, Gain.DRAW, False)
    return Advice(way, wins, cards, winnable)


@pytest.mark.parametrize(
    ("text", "wins", "cards", "expected"),
    [
        ("D1N", [1] * 16, [104] * 16, Known.EQUAL),
        ("D1N", [1, 0] * 8, [104, 20] * 8, Known.FEWER_WINS),
        ("D1N", [0] * 16, [20] * 16, Known.FEWER_WINS),
        ("D1N", [1] * 15 + [0], [104] * 16, Known.EQUAL),
        ("D1V", [1] * 16, [99, 100] * 8, Known.FEWER_DOLLARS),
        ("D3V", [1] * 16, [105, 106] * 8, Known.MORE_DOLLARS),
        ("D1V", [1] * 16, [90, 118] * 8, Known.EQUAL),
    ],
)
def test_a_way_is_compared_with_the_best_on_the_same_samples(text, wins, cards, expected):
    view = read_view(json.dumps(as_seen()), mode(text))
    best = trial([1] * 16, [104] * 16, 16)
    other = trial(wins, cards, 16)
    counsel = Counsel(mode(text), view, Standing.UNDER_WAY, [best, other], [])
    assert (counsel.known(best), counsel.known(other)) == (Known.BEST, expected)


def test_what_is_not_decided_is_said_to_be():
    view = read_view(json.dumps(as_seen()), mode("D1V"))
    best, other = trial([0] * 16, [20, 30] * 8), trial([0] * 16, [30, 20] * 8)
    counsel = Counsel(mode("D1V"), view, Standing.UNDER_WAY, [best, other], [])
    assert counsel.known(other) is Known.OPEN
    other.lost = 1
    assert counsel.known(other) is Known.EQUAL


def test_what_cannot_be_seen_changes_no_advice():
    view = read_view(json.dumps(as_seen(7)), RULES)
    other = View(view.sample(splitmix64(5)), view.places)
    assert other.position != view.position
    assert advise(RULES, other, 4, 100, 1) == advise(RULES, view, 4, 100, 1)


@pytest.mark.parametrize("draw", [1, 3])
def test_in_vegas_the_measures_are_dollars_and_the_chance_to_win(draw, tmp_path):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(as_seen()))
    options = ("--draw", draw, "--scoring", "V", "--samples", 12, "--max-nodes", 100, "-q")
    out, error = invoke("advise", path, *options)
    assert error is None
    assert re.search(r"^move +dollars +chance to win +what is known$", out, re.MULTILINE)
    rows = re.findall(r"^\S+ +-?\$\d+ \(-?\$\d+ to -?\$\d+\) +\d+ % \(\d+–\d+\)  \D+$", out, re.M)
    data = json.loads(invoke("advise", path, *options, "--json")[0])
    assert len(rows) == len(data["moves"])
    for move in data["moves"]:
        low, high = move["dollars_interval"]
        assert -104 <= low <= move["dollars"] <= high <= 416
        assert move["dollars"] == pytest.approx(5 * move["cards_up"] - 104, abs=0.05)
        assert move["undecided"] == 12
        assert move["known"] in (Known.BEST, Known.OPEN, Known.FEWER_DOLLARS)


def test_a_card_put_up_twice_is_paid_once():
    position = replace(BURIED, score=300)
    counsel = advise(mode("D1V"), View(position, ()), 2, 100, 0)
    assert counsel.dollars(sum(position.foundations)) == 300
    assert counsel.dollars(104) == 315


def test_a_first_table_and_the_progress_go_to_standard_error(tmp_path, capsys, monkeypatch):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(as_seen()))
    arguments = ["advise", str(path), "--samples", "5", "--max-nodes", "100"]
    for name in ("FIRST_TABLE", "NEXT_LINE"):
        monkeypatch.setattr(f"double_solitaire.cli.advise.{name}", 0.0)
    assert run(arguments) == 0
    shown = capsys.readouterr()
    assert shown.out.count("recommended: ") == 1
    assert shown.err.count("recommended: ") == 1
    lines = [line for line in shown.err.splitlines() if "% of the work" in line]
    assert lines[0] == "dsol: 10 % of the work is done; so far:"
    assert len(lines) > 3
    assert run([*arguments, "-q"]) == 0
    quiet = capsys.readouterr()
    assert (quiet.out, quiet.err) == (shown.out, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252", "koi8-r"])
@pytest.mark.parametrize("scoring", "NV")
def test_a_terminal_without_signs_gets_ascii(encoding, scoring, tmp_path, monkeypatch):
    path = tmp_path / "table.json"
    path.write_text(json.dumps(as_seen()))
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr("sys.stdout", stream)
    options = ["--samples", "2", "--max-nodes", "10", "-q", "--scoring", scoring]
    assert run(["advise", str(path), *options]) == 0
    assert run(["rate", CODES[0], "--games", "5", "-q"]) == 0
    stream.flush()
    # What the encoding has may stay, such as the dash of cp1252; nothing is written as an escape.
    text = stream.buffer.getvalue().decode(encoding)
    assert "\\" not in text
    assert text.replace("–", "-").isascii()


@pytest.mark.parametrize("text", MODES)
def test_the_command_says_that_a_game_is_won_or_over(text, tmp_path):
    rules = mode(text)
    full = replace(fixture(F3, rules).position(), score=rules.start_score)
    seen = replace(full, stock=(), waste=full.stock)
    ends = {"won": left_over(score=rules.start_score)}
    # With more passes the waste is looked through again, and nothing fits.
    ends["over"] = seen
    for end, position in ends.items():
        path = tmp_path / f"{end}.json"
        path.write_text(json.dumps(position_json(position, rules)))
        out, error = invoke("advise", path, "-q", "--draw", rules.draw, "--scoring", text[2])
        assert error is None
        assert out.splitlines()[1].startswith(f"the game is {end}")
        data = json.loads(invoke("advise", path, "-q", "--json", "--scoring", text[2])[0])
        assert (data["stage"], data["recommended"], data["moves"]) == (end, None, [])


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
