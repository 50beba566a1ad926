"""Players of the game for two: compiled play by the rules, pairs, no peeking, strength."""

import json
import random

import numpy as np
import pytest
from double_solitaire.cli.main import run
from double_solitaire.engine.moves import Move
from double_solitaire.engine.rules import rules_for
from double_solitaire.rating.players import PLAYER
from double_solitaire.versus import playout
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.contest import COLUMNS, ENDS, PLAYERS, Arena, Contest, Entrant, Pair
from double_solitaire.versus.game import PASS, End, House, Player, Table, VersusGame
from double_solitaire.versus.habits import set_models, watch
from double_solitaire.versus.playout import (
    CAREFUL,
    GOES_ON,
    GREEDY,
    act,
    choose,
    count_up,
    has_open,
    pack_table,
    seed_players,
)
from double_solitaire.versus.rollouts import think
from double_solitaire.versus.tree import new_tree, seen_key, think_ahead

MODES = ("D1N", "D3N", "D1V", "D3V")
HOUSES = (House(), House(fits=True), House(play_on=True), House(solo_clear=True))


def rules_of(mode):
    return rules_for("DS2", int(mode[1]), mode[2])


def dealt(mode, number):
    return Table.start(VersusCode.of_number(rules_of(mode), number).deals())


def decoded(code):
    return PASS if code & 7 == playout.PASS else Move.decode(code)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("house", HOUSES)
def test_compiled_games_are_the_referees(mode, house):
    rules = rules_of(mode)
    p = np.zeros(2, PLAYER)
    for number, names in enumerate([("casual", "careful"), ("greedy", "casual")]):
        t = pack_table(rules, dealt(mode, number), house)[0]
        game = VersusGame(rules, dealt(mode, number), house)
        seed_players(p, number, 0, 128, 128)
        order = tuple(Player)
        while game.end is None:
            player = int(t.turn)
            assert order[player] is game.turn
            code = int(choose(t, player, p[player], PLAYERS[names[player]]))
            act(t, player, code)
            game.play(game.turn, decoded(code))
            assert [count_up(t, each) for each in range(2)] == [game.up(each) for each in Player]
        assert ENDS[int(t.end)] is game.end
        assert int(t.winner) == (-1 if game.winner is None else order.index(game.winner))
        assert int(t.turns) == game.turns


def redealt(table, seed):
    """The table with the cards that nobody has seen in another order, for each player."""
    words = random.Random(seed)
    sides = []
    for side in table.sides:
        places = [(c, i) for c, hidden in enumerate(side.hidden) for i in range(hidden)]
        if side.recycles == 0:
            places += [(-1, i) for i in range(len(side.stock))]
        piles = [*map(list, side.columns), list(side.stock)]
        cards = [piles[c][i] for c, i in places]
        words.shuffle(cards)
        for (c, i), card in zip(places, cards, strict=True):
            piles[c][i] = card
        columns = tuple(map(tuple, piles[:-1]))
        sides.append(type(side)(columns, side.hidden, tuple(piles[-1]), side.waste, side.recycles))
    return Table((sides[0], sides[1]), table.to_move, table.last)


@pytest.mark.parametrize("mode", MODES)
def test_no_player_sees_what_nobody_has_seen(mode):
    rules = rules_of(mode)
    p, tree = np.zeros(2, PLAYER), new_tree()[0]
    k = tree.thinking
    game = VersusGame(rules, dealt(mode, 5))
    for turn in range(60):
        player = tuple(Player).index(game.turn)
        codes = []
        k.greedy[1 - player] = 0.5
        for seed in range(3):
            table = redealt(game.table(), seed) if seed else game.table()
            t = pack_table(rules, table, House())[0]
            seed_players(p, turn, 0, 128, 128)
            chosen = [int(choose(t, player, p[player], skill)) for skill in range(3)]
            thought = [int(think(t, player, k, 60, turn))]
            thought.append(int(think_ahead(t, player, tree, 60, turn)))
            for move in chosen:
                habits = np.zeros(2)
                watch(t, player, p[0], habits, move)
                thought.append(habits[player])
            codes.append([*chosen, *thought])
        assert codes[0] == codes[1] == codes[2]
        game.play(game.turn, decoded(codes[0][2]))
        if game.end is not None:
            break
    assert turn > 10


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_against_itself_is_even_in_every_pair(name):
    arena = Arena()
    entrants = [Entrant.of(name, 20)] * 2
    for number in range(2 if name in ("strong", "tree") else 20):
        code = VersusCode.of_number(rules_of("D1N"), number)
        rows = arena.play_pair(code.rules, dealt("D1N", number), House(), entrants, number)
        pair = Pair(code, rows)
        assert sum(pair.margins) == 0
        assert pair.share == 0.5
        assert (rows[0] == rows[1]).all()


def test_positions_of_a_tree_are_told_apart_by_what_is_seen():
    game, p = VersusGame(rules_of("D3N"), dealt("D3N", 6)), np.zeros(2, PLAYER)
    begin, keys, count = np.zeros(2, np.int64), set(), 0
    while game.end is None:
        tables = [game.table(), redealt(game.table(), count)]
        seen = {int(seen_key(pack_table(game.rules, table, House())[0], begin)) for table in tables}
        # Not until a card of the stock has gone by is it part of what is seen.
        assert len(seen) == 1
        keys |= seen
        count += 1
        t = pack_table(game.rules, tables[0], House())[0]
        player = tuple(Player).index(game.turn)
        game.play(game.turn, decoded(int(choose(t, player, p[player], CAREFUL))))
    assert len(keys) > 0.9 * count > 20


@pytest.mark.parametrize("mode", ["D1N", "D3N"])
def test_habits_tell_the_greedy_from_the_careful(mode):
    rules, p, told = rules_of(mode), np.zeros(3, PLAYER), 0
    for number in range(20):
        t, habits = pack_table(rules, dealt(mode, number), House())[0], np.zeros(2)
        seed_players(p, number, 0, 0, 0)
        skills = (CAREFUL, GREEDY) if number % 2 else (GREEDY, CAREFUL)
        while t.end == GOES_ON:
            player = int(t.turn)
            move = int(choose(t, player, p[player], skills[player]))
            watch(t, player, p[2], habits, move)
            act(t, player, move)
        told += (habits[0] > 0) == (skills[0] == GREEDY)
        told += (habits[1] > 0) == (skills[1] == GREEDY)
    assert told >= 30


def test_the_tree_beats_the_careful_player():
    found = contest("tree", "careful", "D1N", 16, playouts=150)
    assert found.share.value - found.share.half > 0.5


def test_a_choice_rests_on_what_the_other_has_done():
    """Against one who is surely greedy the players choose otherwise now and then."""
    rules, tree = rules_of("D1N"), new_tree()[0]
    t = pack_table(rules, dealt("D1N", 3), House())[0]
    changed = 0
    while t.end == GOES_ON:
        player, moves = int(t.turn), []
        for odds in (-9.0, 9.0):
            tree.thinking.habits[:] = odds
            set_models(tree.thinking, player)
            moves.append(int(think(t, player, tree.thinking, 60, int(t.turns))))
        changed += moves[0] != moves[1]
        act(t, player, moves[0])
    assert changed > 0


def contest(first, second, mode, count, playouts=1):
    arena, found = Arena(), Contest()
    entrants = [Entrant.of(first, playouts), Entrant.of(second, playouts)]
    for number in range(count):
        code = VersusCode.of_number(rules_of(mode), number)
        table = Table.start(code.deals())
        rows = arena.play_pair(code.rules, table, House(), entrants, number)
        found.add(Pair(code, rows))
    return found


@pytest.mark.parametrize(("mode", "least"), [("D1N", 0.54), ("D3N", 0.52)])
def test_careful_beats_greedy(mode, least):
    found = contest("careful", "greedy", mode, 2_000)
    assert found.share.value - found.share.half > 0.5
    assert found.share.value + found.share.half > least


@pytest.mark.long
@pytest.mark.parametrize(("mode", "least"), [("D1N", 0.54), ("D3N", 0.52)])
def test_careful_beats_greedy_by_what_the_docs_say(mode, least):
    assert contest("careful", "greedy", mode, 10_000).share.value >= least


def test_strong_beats_greedy():
    found = contest("strong", "greedy", "D3N", 8, playouts=200)
    assert found.share.value > 0.5


def test_what_a_contest_counts():
    found = contest("careful", "casual", "D1N", 30)
    assert found.games == 60
    assert sum(found.ends.values()) == 60
    assert 0 < found.mean("up_a") <= 52
    assert found.mean("draws_a") > found.mean("recycles_a")
    assert -1 <= found.correlation <= 1
    assert set(COLUMNS) >= {"winner", "end", "turns"}


def test_an_open_card_is_one_on_top():
    t = pack_table(rules_of("D1N"), dealt("D1N", 1), House())[0]
    tops = [column[-1] for column in dealt("D1N", 1).sides[0].columns]
    for card in range(52):
        assert has_open(t.layouts[0], card) == (card in tops)


def test_match_says_how_two_players_did(capsys):
    arguments = ["match", "careful", "greedy", "+20", "--quiet", "--deals", "DS2-D3N-AAAAAAA"]
    assert run(arguments) == 0
    text = capsys.readouterr().out
    assert "20 pairs" in text
    assert run([*arguments, "--json", "--jobs", "2"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert row["pairs"] == 20
    assert f"wins {100 * row['share']:.1f} %" in text
    assert run(["match", "greedy", "greedy", "+1", "--quiet", "--turn", "fits"]) == 0
    assert "wins 50.0 %, by +0.0 cards" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["careful", "nobody"], "'nobody' is not one of"),
        (["careful", "greedy", "many"], "'many' is no number of deals"),
        (["careful", "greedy", "+0"], "'+0' is no number of deals"),
        (["careful", "greedy", "--deals", "DS1-D1N-AAAAAAB"], "no code of a deal for two"),
        (["careful", "greedy", "+2", "--deals", "DS2-D1N-AAAAAAB+AAAAAAB"], "has no next deal"),
        (["careful", "greedy", "+2", "--deals", "DS2-D1N-7777777"], "only 1 deals"),
        (["careful", "greedy", "--playouts", "0"], "not in the range"),
    ],
)
def test_match_says_what_is_wrong(arguments, words, capsys):
    assert run(["match", *arguments]) in (1, 2)
    assert words in capsys.readouterr().err


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("house", HOUSES)
def test_an_end_by_proof_changes_no_winner(mode, house):
    dead = 0
    for number in range(12):
        table, rules = dealt(mode, number), rules_of(mode)
        entrants = [Entrant.of("careful"), Entrant.of("casual")]
        rows = [
            Arena(adjudicates).play_pair(rules, table, house, entrants, number)
            for adjudicates in (True, False)
        ]
        for early, late in zip(*rows, strict=True):
            for column in ("winner", "up_a", "up_b", "last"):
                at = COLUMNS.index(column)
                assert early[at] == late[at]
            turns = COLUMNS.index("turns")
            assert early[turns] <= late[turns]
            dead += ENDS[early[1]] is End.DEAD
            assert ENDS[late[1]] is not End.DEAD
    assert dead


def test_a_match_goes_by_cards_and_then_by_games():
    found = contest("careful", "casual", "D1N", 20)
    ups = [0, 0]
    for number in range(20):
        code = VersusCode.of_number(rules_of("D1N"), number)
        entrants = [Entrant.of("careful"), Entrant.of("casual")]
        rows = Arena().play_pair(code.rules, dealt("D1N", number), House(), entrants, number)
        ups[0] += rows[0][2] + rows[1][3]
        ups[1] += rows[0][3] + rows[1][2]
    assert found.cards == tuple(ups)
    assert found.match_winner == int(ups[1] > ups[0])
    even = contest("careful", "careful", "D1N", 3)
    assert even.match_winner is None
    even.won = (2, 4)
    assert even.match_winner == 1
    even.cards = (5, 4)
    assert even.match_winner == 0


def test_a_mirror_deal_is_drawn_where_the_counts_are_equal():
    code = VersusCode.parse("DS2-D3N-AAAAAAB+AAAAAAB")
    entrants = [Entrant.of("careful")] * 2
    rows = Arena().play_pair(code.rules, Table.start(code.deals()), House(), entrants, 0)
    pair = Pair(code, rows)
    assert pair.is_mirror
    assert pair.share == sum(0.5 + 0.5 * ((m > 0) - (m < 0)) for m in pair.margins) / 2


@pytest.mark.parametrize("more", [["--first", "B"], ["--first", "low"], ["--ahead-b", "30"]])
def test_match_knows_who_begins_and_head_starts(more, capsys):
    words = ["match", "greedy", "greedy", "+30", "--quiet", "--json"]
    assert run(words) == 0
    usual = json.loads(capsys.readouterr().out)
    assert run([*words, *more]) == 0
    other = json.loads(capsys.readouterr().out)
    if more[0] == "--first":
        assert other["turns"] != usual["turns"]
    else:
        # Greedy players do not look at the count: the same games, but for who wins them.
        assert (other["turns"], other["up_a"]) == (usual["turns"], usual["up_a"])
        assert other["share_of_beginner"] < 0.1 < usual["share_of_beginner"]


def test_a_head_start_decides_no_sooner_than_it_may():
    """What is decided with a head start of A is decided by the count of the referee."""
    rules = rules_of("D1N")
    from double_solitaire.versus.facts import Facts

    start = dealt("D1N", 3)
    assert Facts(rules, House(ahead_a=52)).decided_for(start) is None
    near = Table.start(VersusCode.of_number(rules, 3).deals())
    game = VersusGame(rules, near, House(ahead_a=52))
    p, t = np.zeros(2, PLAYER), pack_table(rules, near, House(ahead_a=52))[0]
    facts, decided = Facts(rules, House(ahead_a=52)), None
    seed_players(p, 3, 0, 0, 0)
    while game.end is None:
        code = int(choose(t, int(t.turn), p[int(t.turn)], PLAYERS["greedy"]))
        game.play(game.turn, decoded(code))
        act(t, int(t.turn), code)
        if decided is None:
            decided = facts.decided_for(game.table())
    assert decided in (None, game.winner)
    assert game.winner is Player.A


def test_a_turn_of_the_strong_player_comes_to_its_end():
    # Two cards that can go up, and one run to lie on either: it went to and fro.
    code = VersusCode.of_number(rules_of("D1N"), 31)
    entrants = [Entrant.of("strong", 200), Entrant.of("greedy")]
    rows = Arena().play_pair(code.rules, dealt("D1N", 31), House(), entrants, 31)
    assert (rows[:, COLUMNS.index("moves_a")] < 300).all()
