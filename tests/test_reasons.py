"""What a move is good for, in words: each phrase where it holds, and where it does not."""

import random

import pytest
from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.moves import parse_move
from double_solitaire.engine.referee import Game
from double_solitaire.rating.advise import advise
from double_solitaire.rating.reasons import reasons
from double_solitaire.rating.view import View
from games import mode

RULES = mode("D1N")


def table(*columns, waste="", up=(0,) * 8, stock="", score=0):
    """A game with these cards only; in a column those before `|` lie face down."""
    piles, hidden = [], []
    for text in (*columns, *[""] * (9 - len(columns))):
        down, _, faced = text.rpartition("|")
        piles.append(tuple(map(parse_card, (down + " " + faced).split())))
        hidden.append(len(down.split()))
    waste, stock = (tuple(map(parse_card, text.split())) for text in (waste, stock))
    return Game(RULES, Position(tuple(piles), tuple(hidden), stock, waste, up, score, 0))


@pytest.mark.parametrize(
    ("move", "columns", "others", "expected"),
    [
        # A card is turned up, or one lies open under it already, or the column is empty then.
        ("1>2", ("2S 3S|7C", "8D"), {}, "turns up a card of column 1 (2 lie face down)"),
        ("1>2", ("3S|7C", "8D"), {}, "turns up a card of column 1 (1 lies face down)"),
        ("1>2", ("8H 7C", "8D"), {}, None),
        ("1>2", ("7C", "8D"), {}, "empties column 1"),
        ("1>2", ("7C", "8D", "2S|KH 9C"), {}, "empties column 1, where K♥ of column 3 could go"),
        ("1>2", ("7C", "8D", "KH 9C"), {}, "empties column 1"),
        ("1>2", ("7C", "8D"), {"waste": "KS"}, "empties column 1, where K♠ of the waste could go"),
        ("w>2", ("7C",), {"waste": "KS"}, "gives K♠ a column"),
        # What goes up now, and what could go up before.
        ("1>F", ("AS", "2S"), {}, "empties column 1 and lets 2♠ go up"),
        ("1>F", ("AS", "3S"), {}, "empties column 1"),
        ("1>2", ("AH 7C", "8D"), {}, "lets A♥ go up"),
        ("1>2", ("9D 7C", "8D", "AH"), {}, None),
        ("1>2", ("AH|7C", "8D"), {}, "turns up a card of column 1 (1 lies face down)"),
        # Places for the waste and for what has cards under it.
        ("1>2", ("9D 7C", "8D"), {"waste": "8C"}, "makes a place for 8♣ of the waste"),
        ("1>2", ("9D 7C", "8D", "9H"), {"waste": "8C"}, None),
        ("1>2", ("9D 7C", "8D", "2S|8C"), {}, "makes a place for 8♣ of column 3"),
        ("1>2", ("9D 7C", "8D", "8C"), {}, None),
        (
            "w>1",
            ("8D", "9D"),
            {"waste": "8S 7C"},
            "brings out 8♠ of the waste, for which there is a place",
        ),
        ("w>1", ("8D",), {"waste": "8S 7C"}, None),
        # The twin.
        ("1>2", ("9D 7C", "8D", "8H"), {}, "leaves column 3 for the other 7♣"),
        ("1>2", ("9D 7C", "8D", "8H 7C"), {}, None),
        ("1>2", ("9D 7C", "8D", "8H"), {"up": (0, 0, 0, 0, 0, 0, 7, 0)}, None),
        (
            "1>F",
            ("3C 2S", "3H 2S"),
            {"up": (1, 0, 0, 0, 0, 0, 0, 0)},
            "leaves the other 2♠ open in column 2",
        ),
        ("1>F", ("3C 2S", "2S|3H"), {"up": (1, 0, 0, 0, 0, 0, 0, 0)}, None),
        ("recycle", ("7C",), {"waste": "8S", "score": 30}, "costs 30 points"),
        ("recycle", ("7C",), {"waste": "8S"}, None),
        ("draw", ("7C",), {"stock": "8S"}, None),
    ],
)
def test_a_reason_is_given_where_it_holds(move, columns, others, expected):
    game = table(*columns, **others)
    before = game.position()
    assert " and ".join(reasons(game, parse_move(move))) == (expected or "")
    assert game.position() == before


@pytest.mark.parametrize("text", ["D1N", "D3V"])
def test_what_is_not_seen_has_no_part_in_it(text):
    source, said = random.Random(3), 0
    for number in range(4):
        game = Game(mode(text), Position.start(mode(text), deal_number(mode(text), number)))
        for _ in range(40):
            view = View.of(game.position())
            words = iter(lambda: source.getrandbits(64), None)
            other = Game(game.rules, view.sample(words))
            for move in game.legal_moves():
                found = reasons(game, move)
                said += len(found)
                assert found == reasons(other, move), (number, str(move))
            game.play(source.choice(game.legal_moves()))
    assert said > 200


def test_advice_says_the_reason_of_each_way():
    position = Position.start(RULES, deal_number(RULES, 1))
    counsel = advise(RULES, View.of(position), 3, 100, 0)
    told = {str(each.move): counsel.reason(each) for each in counsel.advice}
    assert told["3>4"].endswith("(2 lie face down) and leaves column 6 for the other 7♣")
    assert told["draw"] == "turns the next card of the stock"
