"""What is proved about tables of the game for two, against exhaustive play and the referees."""

import dataclasses
import random

import numpy as np
import pytest
from double_solitaire.engine.cards import card_of
from double_solitaire.engine.deal import Deal
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.rules import rules_for
from double_solitaire.rating.players import PLAYER
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.facts import Facts
from double_solitaire.versus.game import House, Player, Table, VersusGame
from double_solitaire.versus.playout import GREEDY, act, choose, pack_table, seed_players
from double_solitaire.versus.replay import decode
from tables import plain, table

TO_FOUNDATION = (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION)


def rules_of(mode):
    return rules_for("DS2", int(mode[1]), mode[2])


def small_rules(mode, ranks, columns, suits=2):
    return dataclasses.replace(rules_of(mode), ranks=ranks, suits=suits, columns=columns)


def small_table(rules, words):
    deals = []
    for _ in range(2):
        deck = [card_of(rank, suit) for rank in range(rules.ranks) for suit in range(rules.suits)]
        words.shuffle(deck)
        deals.append(Deal.from_order(rules, deck))
    return Table.start((deals[0], deals[1]), None)


def random_line(game, words, progress=0.8):
    """Play by chance to the end of the game, and give it after each move."""
    for _ in range(400):
        player = game.turn or words.choice(tuple(Player))
        moves = game.legal(player)
        ahead = [move for move in moves if ">" in str(move)]
        choice = ahead if ahead and words.random() < progress else moves
        game.play(player, words.choice(choice))
        if game.end is not None:
            return
        yield game


def greedy_line(mode, number, house=None):
    """A game of greedy players to its end, given after each move."""
    rules = rules_of(mode)
    start = Table.start(VersusCode.of_number(rules, number).deals())
    game = VersusGame(rules, start, house)
    t = pack_table(rules, start, game.house)[0]
    p = np.zeros(2, PLAYER)
    seed_players(p, number, 0, 0, 0)
    while game.end is None:
        code = int(choose(t, t.turn, p[t.turn], GREEDY))
        act(t, t.turn, code)
        game.play(game.turn, decode(code))
        yield game


def most_by_play(rules, start):
    """The most cards that each can have up, by trying all that both can do in any order."""
    seen, waiting, most = set(), [start], [0, 0]
    while waiting:
        if len(seen) > 150:
            return None
        position = waiting.pop()
        game = VersusGame(rules, position)
        for index, player in enumerate(Player):
            most[index] = max(most[index], game.up(player))
            for move in game.layouts[player].legal_moves():
                after = VersusGame(rules, position)
                after.layouts[player].make(move)
                reached = dataclasses.replace(after.table(), last=None)
                sides = tuple(dataclasses.replace(side, recycles=0) for side in reached.sides)
                if rules.recycles is None:
                    reached = dataclasses.replace(reached, sides=sides)
                if reached not in seen:
                    seen.add(reached)
                    waiting.append(reached)
    return tuple(most)


def is_dead_by_play(rules, start, player):
    """Whether no line of a player's own moves from a position reaches a foundation."""
    seen, waiting = set(), [start]
    while waiting:
        position = waiting.pop()
        layout = VersusGame(rules, position).layouts[player]
        for move in layout.legal_moves():
            if move.kind in TO_FOUNDATION:
                return False
            after = VersusGame(rules, position)
            after.layouts[player].make(move)
            sides = after.table().sides
            if rules.recycles is None:
                sides = tuple(dataclasses.replace(side, recycles=0) for side in sides)
            if sides not in seen:
                seen.add(sides)
                waiting.append(dataclasses.replace(position, sides=sides))
    return True


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
@pytest.mark.parametrize(("ranks", "columns"), [(4, 3), (6, 4)])
def test_dead_is_what_exhaustive_play_says(mode, ranks, columns):
    rules = small_rules(mode, ranks, columns)
    facts = Facts(rules)
    words = random.Random(f"{mode} {ranks}")
    found = {True: 0, False: 0}
    for _ in range(5):
        game = VersusGame(rules, small_table(rules, words))
        for index, each in enumerate(random_line(game, words)):
            if index % 3 == 0:
                for player in Player:
                    dead = is_dead_by_play(rules, each.table(), player)
                    assert facts.is_dead(each.table(), player) == dead
                    found[dead] += 1
    assert min(found.values()) > 3


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
def test_dead_is_what_the_plain_referee_says_of_dealt_games(mode):
    rules = rules_of(mode)
    facts = Facts(rules)
    words = random.Random(mode)
    found = {True: 0, False: 0}
    for number in range(6):
        game = VersusGame(rules, Table.start(VersusCode.of_number(rules, number).deals()))
        for index, each in enumerate(random_line(game, words)):
            if index % 25 != 24:
                continue
            seen = each.table()
            other = plain(seen, draw=rules.draw, passes=rules.passes)
            for player, side in zip(Player, seen.sides, strict=True):
                other.sides[str(player)].recycles = side.recycles
                # A player who lives is found out soon; of the dead a few are enough.
                dead = facts.is_dead(seen, player)
                if not dead or found[True] < 2:
                    assert other.is_dead(str(player)) == dead
                    found[dead] += 1
    assert found[False]


@pytest.mark.parametrize("mode", ["D1N", "D3N", "D1V", "D3V"])
def test_both_dead_is_never_revoked(mode):
    facts = Facts(rules_of(mode))
    ever = 0
    for number in range(8):
        count = None
        for each in greedy_line(mode, number):
            ups = tuple(each.up(player) for player in Player)
            if count is not None:
                assert ups == count
                assert facts.are_both_dead(each.table())
            elif facts.are_both_dead(each.table()):
                count = ups
                ever += 1
    assert ever


@pytest.mark.parametrize("mode", ["D1N", "D3V"])
@pytest.mark.parametrize(("ranks", "columns"), [(3, 2), (4, 2)])
def test_nobody_brings_more_than_the_bound_says(mode, ranks, columns):
    rules = small_rules(mode, ranks, columns)
    facts = Facts(rules)
    words = random.Random(f"{mode} {ranks}")
    compared = sharp = 0
    for _ in range(25):
        game = VersusGame(rules, small_table(rules, words))
        lines = [each.table() for each in random_line(game, words)]
        for start in lines[-12::4]:
            most = most_by_play(rules, start)
            if most is None:
                continue
            bound = facts.most_up(start)
            assert bound[0] >= most[0]
            assert bound[1] >= most[1]
            compared += 1
            sharp += bound == most
            winner = facts.decided_for(start)
            if winner is not None:
                ahead = tuple(Player).index(winner)
                assert VersusGame(rules, start).up(winner) > most[1 - ahead]
    assert compared > 8
    assert sharp > compared // 4


def test_no_winner_of_a_game_differs_from_what_was_decided():
    facts = Facts(rules_of("D1N"))
    ever = 0
    for number in range(8):
        said = set()
        for game in greedy_line("D1N", number):
            said.add(facts.decided_for(game.table()))
        said.discard(None)
        ever += bool(said)
        assert said <= {game.winner}
    assert ever


QUEENS = ("1 (KH) (JS) QH", "1 (KS) (JH) QS")


@pytest.mark.parametrize(
    ("sides", "dead"),
    [
        (QUEENS, "AB"),
        ((QUEENS[0] + ", 2 KC", QUEENS[1]), "B"),
        (("1 (KD) (KH) (JS) QH; stock QD", "1 (KS) (JD) (JH) QS"), "AB"),
        (("1 (KH) (JS) QH, 2 KC QD, 3 KD", QUEENS[1]), "B"),
        (("1 (KH) (JS) QH, 2 KS", "1 KH, 2 (JH) QS"), ""),
        (("1 KH", "1 KH"), ""),
        (("", "1 KH"), "A"),
    ],
)
def test_who_is_dead(sides, dead):
    facts = Facts(rules_of("D1N"))
    position = table(*sides)
    position.check(rules_of("D1N"))
    assert [str(player) for player in Player if facts.is_dead(position, player)] == list(dead)
    assert facts.are_both_dead(position) == (dead == "AB")


@pytest.mark.parametrize(
    ("mode", "a", "stuck"),
    [
        ("D1N", "1 (KH) (JS) QH", True),
        # The queen may go to the king, and nobody knows that what lies under it is no help.
        ("D1N", "1 (KH) (JS) QH, 2 KS", False),
        # Nobody has seen the stock.
        ("D1N", "1 (KD) (KH) (JS) QH; stock QD", False),
    ],
)
def test_who_is_stuck(mode, a, stuck):
    facts = Facts(rules_of(mode))
    b = "1 (JH) QS" if "KS" in a else QUEENS[1]
    assert facts.is_stuck(table(a, b), Player.A) == stuck


def test_being_stuck_needs_no_hidden_card():
    facts = Facts(rules_of("D3N"))
    words = random.Random(5)
    ever = 0
    for number in range(6):
        for game in greedy_line("D3N", number):
            seen = game.table()
            for index, player in enumerate(Player):
                stuck = facts.is_stuck(seen, player)
                ever += stuck
                side = seen.sides[index]
                places = [(c, i) for c, hidden in enumerate(side.hidden) for i in range(hidden)]
                columns = [list(column) for column in side.columns]
                cards = [columns[c][i] for c, i in places]
                words.shuffle(cards)
                for (c, i), card in zip(places, cards, strict=True):
                    columns[c][i] = card
                redealt = dataclasses.replace(side, columns=tuple(map(tuple, columns)))
                sides = [redealt if n == index else other for n, other in enumerate(seen.sides)]
                other = dataclasses.replace(seen, sides=tuple(sides))
                assert facts.is_stuck(other, player) == stuck
                if stuck:
                    assert facts.is_dead(seen, player)
    assert ever


def test_where_cleared_columns_win_no_count_decides():
    rules = rules_of("D1N")
    ahead = table(QUEENS[0], "1 (KC) (KD) (KS) (JH) QS")
    assert Facts(rules).decided_for(ahead) is Player.A
    assert Facts(rules, House(solo_clear=True)).decided_for(ahead) is None
