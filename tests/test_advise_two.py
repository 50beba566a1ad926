"""`dsol advise` on positions and records of the game for two, with cards that are not known."""

import json
import random

import pytest
from double_solitaire.engine.cards import card_text
from double_solitaire.engine.errors import DealError
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.game import House, Player, Table
from double_solitaire.versus.opponent import Opponent
from double_solitaire.versus.positions import table_json
from double_solitaire.versus.record import GameRecord, write_record
from double_solitaire.versus.session import Session
from double_solitaire.versus.view import read_two_view
from tables import table

RULES = rules_for("DS2", 1, "N")


def record(moves=40, code="DS2-D1N-AAAAAAB"):
    of = VersusCode.parse(code)
    one = Session(GameRecord(of.rules, Table.start(of.deals()), code=of), None)
    greedy = Opponent("greedy")
    while len(one.record.steps) < moves:
        one.play(greedy.choose(one.record))
    return one


def seen(position, rules=RULES):
    """The position as one would write it down who has not seen what nobody has."""
    data = table_json(position, rules)
    for name, side in zip("AB", position.sides, strict=True):
        each = data["deal"][name]
        for number, hidden in enumerate(side.hidden):
            each["columns"][number][:hidden] = ["??"] * hidden
        if side.recycles == 0:
            each["stock"] = ["??"] * len(each["stock"])
        del each["hidden"]
        each["up"] = [card_text(card) for card in side.up(rules)]
    return data


def advised(dsol, written, data, *more):
    path = written("position.json", data)
    code, out, err = dsol("advise", path, "--quiet", "--json", *more)
    assert code == 0, err
    return json.loads(out)


def test_what_is_not_written_down_changes_nothing(dsol, written):
    for moves in (0, 25, 60):
        position = record(moves).game.table()
        full = advised(dsol, written, table_json(position, RULES), "--samples", "20")
        assert advised(dsol, written, seen(position), "--samples", "20") == full
        words = random.Random(moves)
        # Hidden cards in another order are the same position.
        data = table_json(position, RULES)
        for name, side in zip("AB", position.sides, strict=True):
            each = data["deal"][name]
            places = [(c, i) for c, hidden in enumerate(side.hidden) for i in range(hidden)]
            cards = [each["columns"][c][i] for c, i in places]
            words.shuffle(cards)
            for (c, i), card in zip(places, cards, strict=True):
                each["columns"][c][i] = card
        assert advised(dsol, written, data, "--samples", "20") == full


def test_the_first_move_is_the_strong_players(dsol, written):
    one = record(30)
    path = written("game.json", write_record(one.record, one.game))
    code, out, _ = dsol("advise", path, "--quiet", "--json", "--samples", "30")
    assert code == 0
    found = json.loads(out)
    assert found["to_move"] == one.game.turn
    names = {move["move"] for move in found["moves"]}
    assert names <= set(map(str, one.game.legal(one.game.turn)))
    best = found["moves"][0]
    assert best["move"] == found["recommended"]
    assert best["playouts"] == max(move["playouts"] for move in found["moves"])
    for move in found["moves"]:
        low, high = move["share_interval"]
        assert low <= move["share"] <= high
        assert move["lead_half_interval"] >= 0


def test_the_table_in_words(dsol, written):
    path = written("position.json", seen(record(0).game.table()))
    code, out, _ = dsol("advise", path, "--quiet", "--samples", "40")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("position.json: ")
    assert "cards unseen" in lines[0]
    assert lines[1].startswith("recommended: ")
    assert lines[2].startswith("why: ")
    assert lines[3].split() == ["move", "wins", "by", "cards", "play-outs"]
    assert len(lines) > 5


def test_a_win_at_hand_is_seen(dsol, written):
    found = advised(dsol, written, table_json(table("1 KH", "1 KS"), RULES))
    assert found["recommended"] == "1>F"
    assert found["moves"][0]["share"] == 1.0


def test_one_move_alone(dsol, written):
    path = written("position.json", table_json(table("1 (KH) (JS) QH", "1 (KS) (JH) QS"), RULES))
    code, out, _ = dsol("advise", path, "--quiet")
    assert (code, "why: nothing else brings the game on" in out) == (0, True)
    assert "recommended: pass" in out


@pytest.mark.parametrize("code", ["DS2-D1N-AAAAAAB", "DS2-D3N-AAAAAAC"])
def test_a_stock_that_is_known_is_used(code):
    one = record(10, code)
    while all(side.recycles == 0 for side in one.game.table().sides):
        one.play(Opponent("greedy").choose(one.record))
    position, rules = one.game.table(), one.record.rules
    number = next(n for n, side in enumerate(position.sides) if side.recycles)
    known = read_two_view(json.dumps(seen(position, rules)), rules)
    assert known.table[0].layouts[number].recycles > 0
    forgotten = seen(position, rules)
    side = forgotten["deal"]["AB"[number]]
    side["stock"] = ["??"] * len(side["stock"])
    view = read_two_view(json.dumps(forgotten), rules)
    if side["stock"]:
        assert view.table[0].layouts[number].recycles == 0


def test_ranges_of_cards_up_are_read():
    data = table_json(table("1 KH; stock KD KC", "1 KS"), RULES)
    data["deal"]["A"]["up"] = ["AS..KS", "AH..QH", "AD..TD", "JD", "QD", "AC..QC"]
    view = read_two_view(json.dumps(data), RULES)
    assert view.player is Player.A
    data["deal"]["A"]["stock"] = ["??", "??"]
    assert read_two_view(json.dumps(data), RULES).table[0].cards == 52


def changed(**sides):
    data = seen(table("1 (QC) KH; stock KD KC", "1 KS"))
    for name, change in sides.items():
        if name in "AB":
            data["deal"][name] |= change
        else:
            data[name] = change
    return data


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (changed(A={"up": []}), "A: 3 cards are unknown (??), but 51 of the 52 are not seen"),
        (changed(A={"up": 3}), 'A: "up" must be a list of cards'),
        (changed(A={"up": ["AS..4H"]}), "A: 'AS..4H' in \"up\" is no card and no range"),
        (changed(A={"up": ["1S"]}), "'1S' is no card"),
        (changed(A={"up": ["AS", "AS"]}), 'A: AS is twice in "up"'),
        (changed(B={"up": ["KS"]}), "B: KS lies in a pile and is listed as up"),
        (changed(B={"up": ["AS..QS"]}), "B: AH is nowhere: in no pile, and not up"),
        (changed(A={"waste": ["??"], "stock": ["??"]}), "A: the waste has an unknown card"),
        (changed(A={"columns": [["KH", "??"], [], [], [], [], [], []]}), "lies face up"),
        (changed(style="simultaneous"), "whose turn it is"),
    ],
)
def test_a_position_that_cannot_be_says_why(data, words, dsol, written):
    if data.get("style") == "simultaneous":
        del data["deal"]["to_move"]
    code, _, err = dsol("advise", written("position.json", data), "--quiet")
    assert (code, words in err, err.count("\n")) == (1, True, 1), err


def test_a_game_that_is_over_has_no_advice():
    start = GameRecord(RULES, table("1 KH", "1 KS"), House())
    one = Session(start, None)
    one.play(one.game.legal(Player.A)[0])
    assert one.game.end is not None
    with pytest.raises(DealError, match="the game is over"):
        read_two_view(write_record(one.record, one.game), RULES)


def test_limits_of_the_solo_game_are_not_for_two(dsol, written):
    path = written("position.json", changed())
    for option in ("--max-nodes", "--time-limit"):
        code, _, err = dsol("advise", path, option, "5")
        assert (code, f"{option} is not for the game for two" in err) == (2, True)
