"""The worth of open positions for two, against plain minimax over the referee's moves."""

import dataclasses
import random

import pytest
from double_solitaire.engine.cards import card_of
from double_solitaire.engine.deal import Deal
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.exact import Exact
from double_solitaire.versus.game import House, Player, Table, VersusGame
from minimax import Deck, Minimax, TooLargeError

QUEENS = ("1 (KH) (JS) QH", "1 (KS) (JH) QS")


def plain_state(rules, start):
    """A table as `minimax.py` has it."""
    red = {0: 0, 1: 1, 2: 3, 3: 2}

    def cards(pile):
        return tuple((card >> 2, red[card & 3]) for card in pile)

    sides = [
        (
            tuple(map(cards, side.columns)),
            tuple(side.hidden),
            cards(side.stock),
            cards(side.waste),
            frozenset(cards(side.up(rules))),
            True,
            False,
            False,
        )
        for side in start.sides
    ]
    order = (None, *Player)
    last = order.index(start.last)
    return (*sides, order.index(start.to_move) - 1, last - 1 if last else None)


def small_rules(mode, ranks, columns, suits):
    rules = rules_for("DS2", int(mode[1]), mode[2])
    return dataclasses.replace(rules, ranks=ranks, suits=suits, columns=columns)


def small_table(rules, words):
    deals = []
    for _ in range(2):
        deck = [card_of(rank, suit) for rank in range(rules.ranks) for suit in range(rules.suits)]
        words.shuffle(deck)
        deals.append(Deal.from_order(rules, deck))
    return Table.start((deals[0], deals[1]), words.choice(tuple(Player)))


def play_on(game, words, left):
    """Play by chance until no more than so many cards are left to both, or it is over."""
    for _ in range(200):
        if game.end is not None or sum(len(side.cards) for side in game.table().sides) <= left:
            break
        ahead = [move for move in game.legal(game.turn) if ">" in str(move)]
        game.play(game.turn, words.choice(ahead or game.legal(game.turn)))


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
@pytest.mark.parametrize("house", [House(), House(play_on=True)])
def test_worth_is_what_minimax_says(mode, house):
    words = random.Random(f"{mode} {house.play_on}")
    worths = []
    for _ in range(40):
        rules = small_rules(mode, *words.choice([(3, 2, 2), (4, 2, 2), (2, 3, 4), (3, 3, 3)]))
        exact = Exact(rules, house)
        game = VersusGame(rules, small_table(rules, words), house)
        play_on(game, words, words.randint(3, 8))
        start = game.table()
        if game.end is not None or sum(len(side.cards) for side in start.sides) > 8:
            continue
        deck = Deck(rules.ranks, rules.cards, rules.draw, rules.recycles is None, house.play_on)
        try:
            worth = Minimax(deck, 3_000).worth(plain_state(rules, start))
        except TooLargeError:
            continue
        found = exact.worth(start)
        assert (found.lower, found.upper) == (worth, worth)
        worths.append(worth)
    assert len(set(worths)) > 2
