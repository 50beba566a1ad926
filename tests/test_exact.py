"""The worth of open positions for two, against plain minimax; what the strong player loses."""

import dataclasses
import random

import pytest
from double_solitaire.engine.cards import card_of
from double_solitaire.engine.deal import Deal
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.exact import Exact
from double_solitaire.versus.game import House, Player, Table, VersusGame
from double_solitaire.versus.most import Climber
from double_solitaire.versus.regret import Endgames
from minimax import Deck, Minimax, TooLargeError, most_up
from tables import table

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


def follow(game, plan):
    for player, action in plan:
        game.play(player, action)


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
    for _ in range(200):
        if len(worths) == 6:
            break
        rules = small_rules(mode, *words.choice([(3, 2, 2), (4, 2, 2), (2, 3, 4), (3, 3, 3)]))
        exact = Exact(rules, house)
        game = VersusGame(rules, small_table(rules, words), house)
        play_on(game, words, words.randint(3, 6))
        start = game.table()
        if game.end is not None or sum(len(side.cards) for side in start.sides) > 6:
            continue
        deck = Deck(rules.ranks, rules.cards, rules.draw, rules.recycles is None, house.play_on)
        try:
            worth = Minimax(deck, 2_000).worth(plain_state(rules, start))
        except TooLargeError:
            continue
        found = exact.worth(start)
        assert (found.lower, found.upper) == (worth, worth)
        worths.append(worth)
    assert len(set(worths)) > 1
    assert len(worths) > 4


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
def test_the_most_cards_are_those_of_exhaustive_play(mode):
    words = random.Random(mode)
    found = {"alone": set(), "together": set()}
    for number in range(45):
        rules = small_rules(mode, *words.choice([(3, 2, 2), (4, 2, 2), (2, 3, 4)]))
        climber, order = Climber(rules), tuple(Player)
        deck = Deck(rules.ranks, rules.cards, rules.draw, rules.recycles is None, True)
        movers = ((0,), (1,), (0, 1))[number % 3]
        game = VersusGame(rules, small_table(rules, words), House(play_on=True))
        if len(movers) == 2:
            play_on(game, words, 6)
        start = game.table()
        try:
            most = most_up(deck, plain_state(rules, start), movers, 2_500)
        except TooLargeError:
            continue
        if len(movers) == 1:
            answer = climber.alone(start, order[movers[0]])
            assert (answer.lower, answer.upper) == (most, most)
            found["alone"].add(most)
        else:
            answer = climber.together(start)
            assert answer.lower <= most <= answer.upper
            found["together"].add(answer.lower == answer.upper)
        game = VersusGame(rules, start, House(play_on=True))
        follow(game, answer.plan)
        assert sum(game.up(order[player]) for player in movers) == answer.lower
    assert len(found["alone"]) > 1
    assert True in found["together"]


@pytest.mark.parametrize(
    ("code", "alone", "together"),
    [("DS2-D1N-AAAAAAB", (52, 52), 104), ("DS2-D1N-AAAAAAE", (20, 52), 104)],
)
def test_the_most_cards_of_dealt_games(code, alone, together):
    deal = VersusCode.parse(code)
    table_of, climber = Table.start(deal.deals()), Climber(deal.rules)
    for player, least in zip(Player, alone, strict=True):
        found = climber.alone(table_of, player)
        assert found.lower >= least
        game = VersusGame(deal.rules, table_of, House(play_on=True))
        follow(game, found.plan)
        assert game.up(player) == found.lower
        assert game.up(player.other) == 0
    found = climber.together(table_of)
    game = VersusGame(deal.rules, table_of, House(play_on=True))
    follow(game, found.plan)
    assert sum(map(game.up, Player)) == found.lower == found.upper == together


HEARTS = ("1 AH; stock 2H..KH", "1 2H; stock 3H..KH")


@pytest.mark.parametrize(
    ("sides", "last", "margin", "winner"),
    [
        (("1 KH", "1 KH"), None, 1, Player.A),
        (QUEENS, Player.B, 0, Player.B),
        ((QUEENS[0] + ", 2 KC", QUEENS[1]), Player.B, 0, Player.A),
        (("1 KC; stock KD KH KS", "1 KH"), None, -3, Player.B),
        (("1 (KD) (KH) (JS) QH; stock QD", "1 (KS) (JD) (JH) QS"), Player.B, -1, Player.B),
        (HEARTS, None, -2, Player.B),
    ],
)
def test_worth_of_situations(sides, last, margin, winner):
    found = Exact(rules_for("DS2", 1, "N")).worth(table(*sides, last=last))
    assert found.is_exact
    assert (found.margin, found.winner) == (margin, winner)


def test_a_limit_leaves_bounds_that_hold():
    rules = rules_for("DS2", 1, "N")
    exact = Exact(rules).worth(table(*HEARTS))
    open_still = 0
    for limit in (1, 10, 100, 1_000, 10_000, 100_000):
        found = Exact(rules, limit=limit).worth(table(*HEARTS))
        assert found.lower <= exact.lower <= found.upper
        open_still += not found.is_exact
        assert found.is_exact or (found.margin is None)
    assert open_still > 3


@pytest.mark.parametrize("house", [House(fits=True), House(solo_clear=True)])
def test_nothing_is_claimed_where_the_search_has_no_room(house):
    found = Exact(rules_for("DS2", 1, "N"), house).worth(table("1 KH", "1 KH"))
    assert (found.lower, found.upper, found.margin, found.winner) == (-104, 104, None, None)


def endgames(count, **options):
    rules, played = rules_for("DS2", 1, "N"), Endgames(**options)
    number = 28
    while played.regret.endgames < count:
        played.add(VersusCode.of_number(rules, number), number)
        number += 1
    return played.regret


def test_the_strong_player_loses_next_to_nothing_in_endgames():
    with_search = endgames(12, playouts=200)
    assert with_search.unfinished == 0
    assert with_search.decisions > 100
    assert with_search.mean <= 0.05


def test_play_outs_alone_lose_more():
    assert endgames(12, playouts=200, by_playouts=True).mean > endgames(12, playouts=200).mean
