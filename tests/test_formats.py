import json
from dataclasses import replace

import pytest
from double_solitaire.engine.cards import card_text
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.dealing import deal_number, deal_pysol, resolve
from double_solitaire.engine.errors import DealError
from double_solitaire.notation.formats import FORMATS, read_deal, write_deal
from games import F1, F1_DRAW3, F2, F3, F6, cards, fixture, fixture_text, mode, straight, walked
from hypothesis import given, settings
from hypothesis import strategies as st

D1N = mode("D1N")
KL1 = mode("D1N", "KL1")
FIXTURES = (F1, F1_DRAW3, F2, F3, F6)
NUMBERS = st.integers(0, 2**35 - 1)


def f1():
    return json.loads(fixture_text(F1))


def start(number=1, rules=D1N):
    return Position.start(rules, deal_number(rules, number))


def refusal(text, rules=D1N):
    with pytest.raises(DealError) as error:
        read_deal(text, rules)
    assert "\n" not in str(error.value)
    return str(error.value)


@given(NUMBERS, st.sampled_from(FORMATS), st.sampled_from([D1N, mode("D3V"), KL1]))
def test_every_format_gives_a_deal_back(number, format, rules):
    position = start(number, rules)
    text = write_deal(position, rules, format)
    assert read_deal(text, rules) == position
    assert read_deal("\ufeff# a deal\r\n\r\n" + text.replace("\n", "\r\n"), rules) == position


@given(NUMBERS)
def test_ten_may_be_written_as_t(number):
    position = start(number)
    for format in ("solvitaire", "pysol", "json"):
        text = write_deal(position, D1N, format)
        assert read_deal(text.replace("10", "T"), D1N) == position
        swapped = text.replace("T", "10").replace("10alon", "Talon")
        assert read_deal(swapped, D1N) == position


@given(walked())
@settings(max_examples=12, deadline=None)
def test_json_gives_a_game_under_way_back(walk):
    game, _ = walk
    position = game.position()
    assert read_deal(write_deal(position, game.rules), game.rules) == position


@given(walked())
@settings(max_examples=12, deadline=None)
def test_other_formats_give_back_what_they_can_hold(walk):
    game, _ = walk
    rules, position = game.rules, game.position()
    for format in ("solvitaire", "pysol", "digits"):
        try:
            text = write_deal(position, rules, format)
        except DealError as error:
            assert "\n" not in str(error)
            continue
        back = read_deal(text, rules)
        assert sorted(back.foundations) == sorted(position.foundations)
        same = {"score": position.score, "recycles": position.recycles}
        assert replace(back, foundations=position.foundations, **same) == position


@pytest.mark.parametrize("name", FIXTURES)
def test_b10_unmarked_cards_are_a_fresh_deal(name):
    position = read_deal(fixture_text(name), D1N)
    assert position.hidden == tuple(range(9))
    assert sum(map(len, position.columns)) - sum(position.hidden) == 9
    assert sum(position.hidden) == 36


@pytest.mark.parametrize("name", FIXTURES)
@pytest.mark.parametrize("format", FORMATS)
def test_b13_cards_stay_where_they_are(name, format):
    position = read_deal(fixture_text(name), D1N)
    assert [len(column) for column in position.columns] == list(range(1, 10))
    assert len(position.stock) == 59
    assert read_deal(write_deal(position, D1N, format), D1N) == position


def test_b13_columns_from_9_to_1_are_refused():
    data = f1()
    data["columns"].reverse()
    message = refusal(json.dumps(data))
    assert message.startswith("columns of 9, 8, 7, 6, 5, 4, 3, 2, 1 cards; they must hold 1, 2,")


@pytest.mark.parametrize("text", ["", "\ufeff", "\r\n \n", "# only a comment\n"])
def test_b17_empty(text):
    assert refusal(text).startswith("0 cards found")


def test_b17_103_and_105_cards():
    data = f1()
    last = data["stock"].pop()
    message = refusal(json.dumps(data))
    assert "103 cards found" in message
    assert "8H is there once (1 missing)" in message
    data["stock"] += [last, "2C"]
    message = refusal(json.dumps(data))
    assert "105 cards found" in message
    assert "2C is there 3 times (1 too many)" in message


def test_b18_a_twin_is_gone():
    data = f1()
    data["columns"][0] = ["KD"]
    message = refusal(json.dumps(data))
    assert "KD is there 3 times (1 too many), KC is there once (1 missing)" in message
    assert "cards found" not in message


@pytest.mark.parametrize("format", ["solvitaire", "pysol", "digits"])
def test_wrong_decks_are_named_in_every_format(format):
    position = read_deal(fixture_text(F1), D1N)
    deal = Deal(position.columns, (*position.stock[:-1], *cards("2C")))
    message = refusal(write_unchecked(deal, format))
    assert "2C is there 3 times (1 too many), 8H is there once (1 missing)" in message


def write_unchecked(deal, format):
    """The deal as the format would be written without any check."""
    if format == "digits":
        order = map(card_text, deal.order())
        return "".join(
            f"{'A23456789TJQK'.index(text[0]) + 1:02}{'CDHS'.index(text[1]) + 1}" for text in order
        )
    if format == "pysol":
        rows = [deal.stock, *deal.columns]
        lines = [" ".join(map(card_text, row)) for row in rows]
        return "\n".join(["Talon: " + lines[0], *lines[1:]])
    piles = [list(map(card_text, column)) for column in deal.columns]
    return json.dumps({"tableau piles": piles, "stock": list(map(card_text, reversed(deal.stock)))})


def test_known_texts():
    position = start()
    lines = write_deal(position, D1N, "pysol").split("\n")
    assert lines[0].startswith("Talon: JS 8S 4D 5S 7H ")
    assert lines[1:4] == ["8C", "<7D> KS", "<9D> <KH> 7C"]
    data = json.loads(write_deal(position, D1N, "solvitaire"))
    assert set(data) == {"tableau piles", "stock", "waste", "foundations"}
    assert data["tableau piles"][:3] == [["8C"], ["7d", "KS"], ["9d", "Kh", "7C"]]
    assert data["tableau piles"][4][0] == "10s"
    assert data["stock"][-5:] == ["7H", "5S", "4D", "8S", "JS"]
    digits = write_deal(position, D1N, "digits").strip()
    assert len(digits) == 312
    assert digits.startswith("081072092012104")
    assert json.loads(write_deal(position, D1N))["columns"][1] == ["7D", "KS"]


def test_solvitaire_ranks_may_be_numbers():
    data = json.loads(write_deal(start(), D1N, "solvitaire"))
    numbers = {"A": "1", "J": "11", "Q": "12", "K": "13"}
    data["stock"] = [numbers.get(card[:-1], card[:-1]) + card[-1].lower() for card in data["stock"]]
    assert read_deal(json.dumps(data), D1N) == start()
    data["hole"] = "AS"
    assert '"hole" is not known here' in refusal(json.dumps(data))


def test_board_text_as_pysolfc_prints_it():
    position = Position.start(D1N, deal_pysol("1"))
    lines = write_deal(position, D1N, "pysol").split("\n")
    prefixed = "\n\n".join([lines[0].lower(), *(f": {line}" for line in lines[1:] if line)])
    assert read_deal(prefixed.replace("talon:", "Talon:"), D1N) == position
    unmarked = "\n".join(lines).replace("<", "").replace(">", "")
    assert read_deal(unmarked, D1N) == position
    assert "does not belong here" in refusal("\n".join(["Reserves: AS", *lines]))
    assert "'<3D' is no card" in refusal("\n".join(lines).replace("<3D> TH", "<3D TH"))
    swapped = "\n".join(lines).replace("<3D> TH", "3D <TH>")
    assert "column 2: a face-down card lies on an open one" in refusal(swapped)


def test_board_text_keeps_empty_columns():
    runs = [cards("KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS")]
    runs += [cards("KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH"), cards("KD QC")]
    stock = cards("QD JD TD 9D 8D 7D 6D 5D 4D 3D 2D AD KC JC TC 9C 8C 7C 6C 5C 4C 3C 2C AC")
    position = Position(((), *runs, (), (), ()), (0,) * 7, stock, (), (0,) * 4, 0)
    text = write_deal(position, KL1, "pysol")
    assert text.split("\n")[1] == ":"
    assert read_deal(text, KL1) == position


def test_digits_are_checked():
    digits = write_deal(start(), D1N, "digits").strip()
    assert "311 digits" in refusal(digits[:-1])
    assert "103 cards found" in refusal(digits[:-3])
    assert "145 is no card" in refusal("145" + digits[3:])
    spaced = "\n".join(digits[k : k + 3] for k in range(0, 312, 3))
    assert read_deal(spaced, D1N) == start()


def test_solution_files_are_deals_too():
    deal = {"code": "DS1-D3V-AAAAAAB", "moves": ["draw"]}
    assert read_deal(json.dumps(deal), D1N) == start()
    assert "is a deal of Double Solitaire" in refusal(json.dumps(deal), KL1)
    inner = {"deal": f1(), "draw": 1, "scoring": "N", "moves": []}
    assert read_deal(json.dumps(inner), D1N) == read_deal(fixture_text(F1), D1N)


def test_comments_in_json():
    text = fixture_text(F1).replace('"stock"', '# the stock\n"stock"')
    text = text.replace('"note": "', '"note": "no #1 ')
    assert read_deal(text, D1N) == read_deal(fixture_text(F1), D1N)


def under_way():
    """F1 with 40 cards up, and its position file."""
    game = fixture(F1, D1N)
    for move in straight(fixture(F1, D1N))[:81]:
        game.play(move)
    return game.position(), json.loads(write_deal(game.position(), D1N))


def test_foundations_as_heights_or_cards():
    position, data = under_way()
    assert data["foundations"] == list(position.foundations)
    up = [
        "A23456789TJQK"[rank] + "SHDC"[place // 2]
        for place, height in enumerate(position.foundations)
        for rank in range(height)
    ]
    data["foundations"] = up
    assert read_deal(json.dumps(data), D1N) == position
    data["foundations"] = [up[:4], up[4:]]
    assert read_deal(json.dumps(data), D1N) == position
    data["foundations"] = [card for card in up if card != "2S"]
    assert "3S is up without 2S under it" in refusal(json.dumps(data))
    data["foundations"] = [*up, "AS"]
    assert "AS is there 3 times, on the foundations alone" in refusal(json.dumps(data))


def test_score_of_a_position_without_one():
    position, data = under_way()
    del data["score"]
    assert read_deal(json.dumps(data), D1N).score == 0
    vegas = read_deal(json.dumps(data), mode("D1V"))
    assert vegas.score == -104 + 5 * sum(position.foundations)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hidden": [0] * 8}, '"hidden" has 8 numbers for 9 columns'),
        ({"hidden": [0] * 9}, "lies open on"),
        ({"hidden": [1, *range(1, 9)]}, "column 1: 1 of 1 cards are hidden"),
        ({"hidden": "none"}, '"hidden" must be a list of whole numbers'),
        ({"hidden": [0.5] * 9}, '"hidden" must be a whole number'),
        ({"score": True}, '"score" must be a whole number'),
        ({"score": -5}, "it is never below 0"),
        ({"recycles": -1}, "-1 recycles"),
        ({"waste": "AS"}, '"waste" must be a list of cards'),
        ({"waste": [1]}, '"waste" must be a list of cards'),
        ({"stock": ["1X"]}, "'1X' is no card"),
        ({"columns": {}}, '"columns" must be a list of lists'),
        ({"columns": [1]}, '"columns" must be a list of cards'),
        ({"foundations": 8}, '"foundations" must be a list'),
        ({"foundations": [14] + [0] * 7}, "a foundation of 14 cards"),
        ({"foundations": [0] * 7 + [True]}, "must be a whole number"),
        ({"foundations": [1, 0]}, "2 foundation places, not 8"),
        ({"foundations": ["AS", 1]}, '"foundations" must be a list of cards'),
    ],
)
def test_wrong_position_files(change, words):
    _, data = under_way()
    assert words in refusal(json.dumps(data | change))


def test_unmarked_games_under_way():
    _, data = under_way()
    del data["hidden"]
    assert "must mark its face-down cards" in refusal(json.dumps(data))
    done = {"columns": [["KS"], ["KH"]] + [[]] * 7, "foundations": [12, 13, 12] + [13] * 5}
    assert read_deal(json.dumps(done), D1N).hidden == (0,) * 9


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "no JSON"),
        ("[]", "no object"),
        ("{}", "no deal in the JSON"),
        ('{"deal": 5}', "no deal in the JSON"),
        ('{"tableau piles": 5}', "must be a list of lists"),
        ('{"tableau piles": [5]}', "must be a list of cards"),
        ('{"tableau piles": [[5]]}', "must be a list of cards"),
        ('{"tableau piles": [], "foundations": 5}', "must be a list of heights or of cards"),
        ("[" * 100_000, "nested too deep"),
        ("hello", "'hello' is no card"),
        ("7H 8H", "columns 3 to 9 are missing"),
        ("Talon: 7H\nTalon: 8H", "does not belong here"),
    ],
)
def test_what_is_no_deal(text, words):
    assert words in refusal(text)


def test_what_a_format_cannot_hold():
    position, _ = under_way()
    for format, words in (
        ("solvitaire", "both places of a suit hold cards"),
        ("pysol", "neither waste nor foundations"),
        ("digits", "not a game under way"),
        ("csv", "no format is called 'csv'; formats are json, text, solvitaire, pysol, digits"),
    ):
        with pytest.raises(DealError, match=words):
            write_deal(position, D1N, format)


def test_solvitaire_holds_one_place_a_suit():
    game = fixture(F1, D1N)
    for move in straight(fixture(F1, D1N))[:2]:
        game.play(move)
    data = json.loads(write_deal(game.position(), D1N, "solvitaire"))
    assert data["foundations"] == ["AS"]
    assert replace(read_deal(json.dumps(data), D1N), score=10) == game.position()
    data["foundations"] = [["AS"], [], [], []]
    assert replace(read_deal(json.dumps(data), D1N), score=10) == game.position()


def test_an_open_table_in_the_shape_of_a_deal_is_not_passed_for_one():
    position = replace(start(1, KL1), hidden=(0,) * 7)
    for format in ("solvitaire", "pysol"):
        with pytest.raises(DealError, match="as a deal before its first move"):
            write_deal(position, KL1, format)


def test_position_without_hidden_cards_is_written_and_read():
    game = fixture(F1, D1N)
    for move in straight(fixture(F1, D1N)):
        game.play(move)
        if not any(game.hidden):
            assert read_deal(write_deal(game.position(), D1N), D1N) == game.position()
    assert game.won


def test_resolved_deals_can_be_written():
    named = resolve("pysol:32000")
    position = Position.start(named.rules, named.deal)
    assert write_deal(position, named.rules, "pysol").split("\n")[1:3] == ["KC", "<KH> AS"]
