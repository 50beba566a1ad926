"""Two layouts over one set of foundations, as a game of two players needs them."""

import random
from dataclasses import replace

import numpy as np
import pytest
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.kernel import play
from double_solitaire.engine.layout import Foundations, Layout
from double_solitaire.engine.listing import MAX_MOVES, count_home, list_moves
from double_solitaire.engine.moves import Kind, parse_move
from double_solitaire.engine.rules import rules_for
from double_solitaire.engine.state import FOUNDATIONS, LAYOUT, lay_out, set_heights, unpack
from games import cards


def for_two(text="D1N"):
    """Rules of Klondike for two: a deck each, eight places, and what is up stays up."""
    return replace(rules_for("KL1", int(text[1]), text[2]), players=2, gives_back=False)


def test_rules_say_what_is_common_and_what_is_not():
    rules = for_two()
    assert (rules.copies, rules.places, rules.foundations) == (1, 2, 8)
    assert (rules.cards, rules.tableau, rules.stock) == (52, 28, 24)
    alone = rules_for("DS1", 3, "V")
    assert (alone.copies, alone.places, alone.players) == (2, 2, 1)
    once = replace(rules_for("DS1", 1, "N"), passes=1)
    assert (once.recycles, once.start_score, once.points.recycle_cost) == (0, 0, 100)


def table(rules, *layouts):
    """The layouts of a table on which only these columns and stocks are left, and what is up."""
    heights = [0] * rules.foundations
    foundations = Foundations(rules, tuple(heights))
    sides = []
    for columns, stock in layouts:
        piles = [cards(column) for column in columns] + [()] * (rules.columns - len(columns))
        position = Position(tuple(piles), (0,) * rules.columns, cards(stock), (), (), 0)
        sides.append(Layout(rules, foundations, position))
    return foundations, *sides


def test_a_card_goes_onto_the_other_players_ace():
    foundations, a, b = table(for_two(), (["AH"], "2H"), (["2H"], ""))
    assert b.refusal(parse_move("1>F")) == "no foundation takes 2H: its suit is at 0 and 0"
    a.make(parse_move("1>F"))
    assert b.refusal(parse_move("1>F")) is None
    b.make(parse_move("1>F"))
    assert foundations.heights[2:4] == [2, 0]
    a.make(parse_move("draw"))
    assert a.refusal(parse_move("W>F")) == "no foundation takes 2H: its suit is at 2 and 0"
    assert (a.score, b.score) == (10, 10)


def test_a_piece_of_each_layout_is_its_own():
    _, a, b = table(for_two(), (["KS", "QH"], "5C"), (["KH", "QS"], ""))
    assert b.refusal(parse_move("draw")) == "the stock is empty"
    a.make(parse_move("2>1"))
    assert [len(pile) for pile in a.columns[:2]] == [2, 0]
    assert [len(pile) for pile in b.columns[:2]] == [1, 1]


@pytest.mark.parametrize("move", ["FS1>2", "FH1>3", "FC2>1"])
def test_what_is_up_stays_up(move):
    foundations, a, _ = table(for_two(), (["", "2H", "2S", "2D"], ""), ([], ""))
    foundations.heights[:] = [1] * 8
    assert a.refusal(parse_move(move)) == "a card on a foundation stays there"
    assert not [found for found in a.legal_moves() if found.kind is Kind.TAKE_BACK]


@pytest.mark.parametrize("text", ["D1N", "D1V", "D3N", "D3V"])
def test_the_kernel_plays_two_layouts_as_the_referee_does(text):
    rules = for_two(text)
    source, out = random.Random(text), np.zeros(MAX_MOVES, np.int64)
    most = 0
    for number in range(4):
        foundations, up = Foundations(rules, (0,) * 8), np.zeros(1, FOUNDATIONS)[0]
        set_heights(up, rules, (0,) * 8)
        sides = []
        for half in range(2):
            deal: Deal = deal_number(rules_for("KL1", 1, "N"), 2 * number + half)
            start = Position.start(rules, deal)
            record = np.zeros(1, LAYOUT)[0]
            lay_out(record, rules, start)
            sides.append((Layout(rules, foundations, start), record))
        for step in range(300):
            layout, record = sides[step % 2]
            codes = out[: list_moves(record, up, out)].tolist()
            moves = layout.legal_moves()
            assert sorted(codes) == sorted(move.encode() for move in moves)
            if moves:
                home = [m for m in moves if str(m).endswith("F")]
                move = source.choice(home or moves)
                before = layout.score
                layout.make(move)
                assert play(record, up, move.encode()) == layout.score - before
            for plain, packed in sides:
                assert unpack(packed, up) == plain.position()
            assert count_home(up) == foundations.cards_up
            piles = [pile for s, _ in sides for pile in (*s.columns, s.stock, s.waste)]
            assert foundations.cards_up + sum(map(len, piles)) == 104
        most = max(most, *foundations.heights)
    assert most > 1
