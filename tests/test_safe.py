"""The rule that says which cards can lose nothing at home, against its sentence."""

import random

import numpy as np
import pytest
from double_solitaire.engine.cards import is_red
from double_solitaire.engine.deal import Position
from double_solitaire.solver.position import BASE_HOME, CLOSED, NODE, TALON_HOME, load
from double_solitaire.solver.safe import all_up, forced_step, is_safe
from games import mode


def node_of(heights):
    node = np.zeros(1, NODE)[0]
    node.home[:] = heights
    return node


def both_up(heights, card):
    """Whether every copy of a card is up."""
    return all(height > card // 4 for height in heights[2 * (card % 4) : 2 * (card % 4) + 2])


@pytest.mark.parametrize("is_free", [False, True])
def test_safe_is_what_the_sentence_says(is_free):
    source, safe = random.Random(1), 0
    for _ in range(3_000):
        middle = source.randint(0, 11)
        heights = []
        for _ in range(4):
            pair = [min(max(middle + source.randint(-2, 2), 0), 13) for _ in range(2)]
            heights += sorted(pair, reverse=True)
        card = 4 * source.randint(max(middle - 2, 0), min(middle + 2, 12)) + source.randrange(4)
        asked = [
            other
            for other in range(52)
            if other // 4 < card // 4 - (2 if is_red(other) == is_red(card) else 1)
        ]
        # The rule asks for every rank below; a place has all below its height.
        expected = all(both_up(heights, other) for other in asked)
        if not is_free and card >= 4:
            expected &= both_up(heights, card - 4)
        assert bool(is_safe(node_of(heights), card, is_free)) == expected, (heights, card)
        safe += expected
    assert 300 < safe < 2_700


def test_a_game_of_one_deck_has_one_place_a_suit():
    node = node_of([3, CLOSED, 2, CLOSED, 0, CLOSED, 13, CLOSED])
    assert [all_up(node, suit) for suit in range(4)] == [3, 2, 0, 13]


def start_of(text, waste, stock=(), column=()):
    """Both copies of all below the threes up; what is given, and the rest on the foundations."""
    heights = [13] * 8
    for card in (*waste, *stock, *column):
        places = [2 * (card % 4), 2 * (card % 4) + 1]
        place = next(at for at in reversed(places) if heights[at] > card // 4)
        heights[place] = card // 4
    columns = [()] * 8 + [tuple(column)]
    hidden = (0,) * 8 + (max(len(column) - 1, 0),)
    rules = mode(text)
    return load(rules, Position(tuple(columns), hidden, stock, waste, tuple(heights), 0))


KS, KC = 48, 51


def test_a_base_that_is_safe_is_forced():
    start = start_of("D1V", (), (), (KC, KS))
    assert forced_step(start.game, start.node) == BASE_HOME | 8 << 3


@pytest.mark.parametrize(
    ("text", "waste", "stock", "forced"),
    [
        ("D1V", (KC, KS), (), TALON_HOME | 1 << 3),
        ("D1V", (), (KC, KS), TALON_HOME | 0 << 3),
        ("D3V", (), (KC, KS), -1),
        ("D1N", (), (KC, KS), TALON_HOME | 0 << 3),
        ("D3N", (), (KC, KS), TALON_HOME | 1 << 3),
        ("D3V", (KC,), (KS,), TALON_HOME | 0 << 3),
    ],
)
def test_a_talon_card_is_forced_only_where_it_costs_nothing(text, waste, stock, forced):
    start = start_of(text, waste, stock)
    assert forced_step(start.game, start.node) == forced
