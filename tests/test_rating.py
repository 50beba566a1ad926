import json
import random
import threading
from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest
from double_solitaire.batch.rows import answer
from double_solitaire.batch.schema import decode
from double_solitaire.batch.settings import Settings
from double_solitaire.batch.shards import Item, Shard
from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.listing import list_moves
from double_solitaire.engine.moves import Kind, Move
from double_solitaire.engine.referee import Game, replay
from double_solitaire.engine.state import pack
from double_solitaire.notation.formats import read_deal
from double_solitaire.rating import expert, players, policy
from double_solitaire.rating.expert import expert_games
from double_solitaire.rating.figures import figures
from double_solitaire.rating.level import Level, level_of
from double_solitaire.rating.percentiles import harder_than
from double_solitaire.rating.rate import VEGAS_DOLLARS, Rating, WinRate, fared, rate, rate_if
from double_solitaire.rating.view import View
from double_solitaire.solver.homes import plan_of
from double_solitaire.solver.lists import Lister
from double_solitaire.solver.position import GAME, NODE, blank, can_be_had, load
from double_solitaire.solver.solve import check, solve
from double_solitaire.solver.verdict import Limits, Verdict
from games import F1, F1_DRAW3, F2, F3, MODES, fixture_text, mode

SKILLS = (players.CASUAL, players.CAREFUL)


def dealt(rules, number):
    return Position.start(rules, deal_number(rules, number))


def player(slip=0, fruitless=0, looks=1):
    p = np.zeros(1, players.PLAYER)
    p[0].slip, p[0].fruitless, p[0].looks, p[0].random = slip, fruitless, looks, 7
    return p[0]


def choices(rules, position):
    """What each player does in a position, patient or not, attentive or not."""
    state = pack(rules, position)[0]
    return [
        int(players.choose(state.layout, state.foundations, player(slip, fruitless), skill))
        for skill in SKILLS
        for slip in (0, 300)
        for fruitless in (0, 1)
    ]


def played(rules, number, skill, most):
    """The positions of a game of a player, move by move, as the referee has them."""
    game, p = Game(rules, dealt(rules, number)), player(64)
    for _ in range(most):
        yield game.position()
        move = int(players.choose(*pack(rules, game.position())[0], p, skill))
        if move < 0:
            break
        game.play(Move.decode(move))


# The players


@pytest.mark.parametrize("skill", SKILLS)
@pytest.mark.parametrize("text", MODES)
def test_what_cannot_be_seen_changes_no_choice(text, skill):
    rules = mode(text)
    words = iter(lambda: random.getrandbits(64), None)
    for position in islice(played(rules, 3, skill, 200), 0, None, 6):
        other = View.of(position).sample(words)
        assert choices(rules, other) == choices(rules, position)


def test_a_view_hides_what_lies_face_down_and_the_stock_of_the_first_pass():
    rules = mode("D1N")
    start = dealt(rules, 5)
    assert len(View.of(start).places) == 36 + 59
    assert len(View.of(replace(start, recycles=1)).places) == 36
    other = View.of(start).sample(iter(range(1 << 20, 1 << 21)))
    assert [column[-1] for column in other.columns] == [column[-1] for column in start.columns]
    other.check(rules)


@pytest.mark.parametrize("skill", SKILLS)
@pytest.mark.parametrize("text", MODES)
def test_players_make_legal_moves(text, skill):
    # The referee in `played` refuses others.
    assert sum(1 for _ in played(mode(text), 8, skill, 300)) > 30


@pytest.mark.parametrize("text", MODES)
def test_drawing_on_passes_over_nothing_that_could_be_played(text):
    rules = mode(text)
    state, out = pack(rules, dealt(rules, 9)), np.zeros(192, np.int64)
    fast = state.copy()
    players.draw_on(*fast[0])
    while state[0].layout.waste != fast[0].layout.waste:
        layout, foundations = state[0].layout, state[0].foundations
        players.play(layout, foundations, players.turn_stock(layout))
        kinds = {int(move) & 7 for move in out[: list_moves(layout, foundations, out)]}
        playable = kinds & {int(Kind.WASTE_TO_COLUMN), int(Kind.WASTE_TO_FOUNDATION)}
        assert not playable or state[0].layout.waste == fast[0].layout.waste


def test_the_careful_player_holds_back_a_card_that_may_be_needed():
    rules = mode("D1N")
    game = Game(rules, read_deal(fixture_text(F1), rules))
    while not game.waste or game.waste[-1] != parse_card("3S"):
        game.play(game.tap("waste") or game.tap("stock"))
    state = pack(rules, game.position())[0]
    up, draw = game.tap("waste").encode(), game.tap("stock").encode()
    assert players.choose(state.layout, state.foundations, player(looks=0), players.CAREFUL) == up
    # Spades at two, and no red two is up that could want to lie on the three.
    state.foundations.heights = 2
    assert players.choose(state.layout, state.foundations, player(looks=0), players.CAREFUL) == draw
    assert (
        players.choose(
            state.layout, state.foundations, player(fruitless=1, looks=0), players.CAREFUL
        )
        == up
    )


# The players who think in steps


def fast_steps(rules, position, seed=0):
    """The steps that the fast player takes first in a position, as the referee has it."""
    game, node = np.zeros(1, GAME)[0], np.zeros(1, NODE)[0]
    p = np.zeros(1, policy.POLICY)[0]
    p.weights[:], p.noise, p.random = policy.weights_for(rules), policy.NOISE, seed
    policy.load_state(*pack(rules, position)[0], game, node, p)
    policy.see_all(game, node, p)
    policy.take_best(game, node, p)
    return p.trail.steps[: p.trail.length].tolist()


def expert_step(rules, position, seed=0):
    """The choice of the expert in a position."""
    t = expert.Expert(rules)._tree
    policy.load_state(*pack(rules, position)[0], t.game, t.root, t.player)
    t.player.random = seed
    expert.begin(t)
    policy.see_all(t.game, t.root, t.player)
    return int(expert.think(t, 30))


@pytest.mark.parametrize("steps", [fast_steps, expert_step])
@pytest.mark.parametrize("text", MODES)
def test_the_fast_player_and_the_expert_do_not_see_hidden_cards(text, steps):
    rules = mode(text)
    words = iter(lambda: random.getrandbits(64), None)
    differ = 0
    for at in islice(played(rules, 3, players.CAREFUL, 120), 0, None, 6):
        # Where the stock may be gone through first, what it holds may count.
        position = at if rules.recycles == 0 else replace(at, recycles=1)
        other = View.of(position).sample(words)
        assert steps(rules, other) == steps(rules, position)
        differ += other != position
    assert differ > 5


@pytest.mark.parametrize("text", ["D1N", "D3N", "D1V", "D3V"])
@pytest.mark.parametrize("name", ["DS1", "KL1"])
def test_games_of_fast_and_expert_are_lists_that_the_referee_replays(text, name):
    rules = mode(text, name)
    won = 0
    for number in range(4):
        start = load(rules, dealt(rules, number))
        fast, best = policy.Fast(rules), expert.Expert(rules, 20)
        for player, trail in ((fast, fast._player.trail), (best, best._tree.trail)):
            (cards,) = player.play(pack(rules, start.position)[0], number, 1)
            plan = plan_of(trail)
            if cards == rules.cards:
                assert Lister().list_win(start, plan).won
                won += 1
            else:
                line = Lister().list_lost(start, plan)
                assert replay(rules, start.position, line.moves).cards_up == cards
    assert won > 0 or text[2] == "V" or name == "KL1"


def test_dollars_of_a_rating_are_those_of_the_cards_that_are_up():
    rules = mode("D3V")
    found = fared(rules, dealt(rules, 0), np.array([104, 21, 20, 0]))
    assert found.won == WinRate(1, 4)
    assert found.dollars.above == WinRate(2, 4)
    assert found.dollars.mean == pytest.approx((416 + 1 - 4 - 104) / 4)
    low, high = found.dollars.interval
    assert -416 <= low < found.dollars.mean < high <= 416
    one = fared(rules, dealt(rules, 0), np.array([21]))
    assert one.dollars.interval == (-416, 416)


def test_vegas_deals_are_rated_whatever_the_verdict_by_dollars():
    rules = mode("D3V")
    rating = rate_if(Verdict.UNKNOWN, rules, dealt(rules, 1))
    worst, best = VEGAS_DOLLARS[3]
    for dollars, difficulty in ((best + 1, 0), (best, 0), (worst, 100), ((worst + best) / 2, 50)):
        changed = replace(rating.dollars["fast"], mean=dollars)
        other = replace(rating, dollars=rating.dollars | {"fast": changed})
        assert other.difficulty == pytest.approx(difficulty, abs=0.1)
    low, high = rating.interval
    assert low <= rating.difficulty <= high


def test_the_file_of_weights_says_of_each_mode_how_it_was_made():
    data = json.loads(policy.FILE.read_text(encoding="utf-8"))
    assert {f"DS1-{text}" for text in MODES} <= set(data)
    for one in data.values():
        assert one["made_by"].startswith("python -m learning.policy ")
        assert tuple(one["weights"]) == policy.NAMES


def test_what_can_be_had_of_the_talon_at_once_is_what_can_be_had_card_by_card():
    for text in MODES:
        game, node = blank(mode(text))
        for size in (1, 2, 3, 7, 24, 59):
            for waste in range(size + 1):
                bits = int(policy.can_be_had_of(game, node, waste, size))
                numbers = [n for n in range(size) if can_be_had(game, node, waste, n, size)]
                assert bits == sum(1 << number for number in numbers)


# The rating


@pytest.mark.parametrize(("name", "draw"), [(F1, 1), (F2, 1), (F1_DRAW3, 3)])
@pytest.mark.parametrize("scoring", "NV")
def test_straight_wins_have_the_lowest_level(name, draw, scoring):
    rules = mode(f"D{draw}{scoring}")
    rating = rate(rules, read_deal(fixture_text(name), rules), games=50)
    assert (rating.difficulty, rating.level) == (0, Level.VERY_EASY)


def test_a_deal_that_plain_play_to_the_foundations_does_not_win_is_harder():
    rules = mode("D3N")
    rating = rate(rules, dealt(rules, 1), games=200)
    assert rating.difficulty > 20
    assert rating.level is not Level.VERY_EASY
    low, high = rating.interval
    assert low < rating.difficulty < high < low + 10


def test_only_winnable_deals_are_rated():
    rules = mode("D1N")
    dead = read_deal(fixture_text(F3), rules)
    assert rate_if(Verdict.UNWINNABLE, rules, dead) is None
    assert rate_if(Verdict.UNKNOWN, rules, dead) is None
    assert rate_if(Verdict.WINNABLE, rules, dealt(rules, 1), games=2) is not None


def test_ratings_are_the_same_on_every_run_and_thread():
    rules = mode("D3N")
    numbers, found = range(12), {}
    alone = {number: rate(rules, dealt(rules, number), games=20) for number in numbers}

    def some(part):
        for number in part:
            found[number] = rate(rules, dealt(rules, number), games=20)

    threads = [threading.Thread(target=some, args=(numbers[k::3],)) for k in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == alone
    assert rate(rules, dealt(rules, 0), seed=1, games=20) != alone[0]


def test_games_are_taken_one_after_the_other():
    rules = mode("D1N")
    start = pack(rules, dealt(rules, 6))
    ends = np.zeros(20, np.int64)
    won = [
        int(players.play_games(start[0], start.copy()[0], player(), players.CASUAL, 5, some))
        for some in (ends[:count].copy() for count in range(1, 20))
    ]
    assert all(0 <= after - before <= 1 for before, after in pairwise(won))


def test_the_rule():
    rating = Rating(WinRate(10, 20), WinRate(20, 20), WinRate(10, 10), 0.9)
    assert rating.difficulty == pytest.approx(100 - 90 * 0.75 - 10 * 0.9)
    assert [level_of(value) for value in (0, 19.9, 20, 59.9, 60, 100)] == [
        *(Level.VERY_EASY, Level.VERY_EASY, Level.EASY),
        *(Level.MEDIUM, Level.HARD, Level.VERY_HARD),
    ]
    assert rating.casual.interval[0] < 0.5 < rating.casual.interval[1]


@pytest.mark.parametrize("text", MODES)
def test_the_easiest_deal_is_harder_than_none_and_the_hardest_than_all(text):
    assert harder_than(mode(text), -1) == 0
    assert harder_than(mode(text), 101) == 100
    assert harder_than(mode(text, "KL1"), 50) is None


# Figures and the expert


def test_figures_of_a_straight_win():
    rules = mode("D1N")
    position = read_deal(fixture_text(F1), rules)
    line = solve(rules, position, Limits()).moves
    found = figures(rules, position, line, places=False)
    assert (found.recycles, found.low_cards_hidden, found.low_cards_depth) == (0, 0, 0)
    assert found.first_moves == len(Game(rules, position).legal_moves())
    assert found.first_moves_winning == found.first_moves
    assert found.forced_places is None


def test_figures_find_where_a_game_is_lost():
    rules = mode("D3N", "KL1")
    for number in (11, 4, 2, 6):
        position = dealt(rules, number)
        line = solve(rules, position, Limits()).moves
        found = figures(rules, position, line, places=True)
        if found.losing_moves:
            break
    game = Game(rules, position)
    for move in line[: found.first_loss - 1]:
        game.play(move)
    verdicts = []
    for move in game.legal_moves():
        game.play(move)
        verdicts.append(check(rules, game.position(), Limits()).verdict)
        game.undo()
    assert Verdict.UNWINNABLE in verdicts
    assert Verdict.WINNABLE in verdicts
    assert found.losing_moves >= verdicts.count(Verdict.UNWINNABLE)


def test_the_expert_turns_up_what_is_hidden_and_wins():
    rules = mode("D3N", "KL1")
    data = {
        "columns": [["KD"], ["QS", "KH"], *[[]] * 5],
        "hidden": [0, 1, *[0] * 5],
        "stock": ["KS"],
        "foundations": [11, 12, 12, 13],
    }
    assert expert_games(rules, read_deal(json.dumps(data), rules), 0, 1).won == WinRate(1, 1)


def test_batches_rate_winnable_deals_alone():
    items = (
        Item(None, cards=fixture_text(F1)),
        Item(None, cards=fixture_text(F3)),
        Item("DS1-D1N-AAAAAAB", 1),
    )
    shard = Shard(mode("D1N"), 0, 3, items)
    settings = Settings(Limits(nodes=20_000), timing=False, rate=True)
    columns, _ = decode(answer(shard, settings, lambda _: None).data)
    assert columns["verdict"] == ["winnable", "unwinnable", "winnable"]
    assert columns["level"][:2] == ["very easy", None]
    assert columns["difficulty"][:2] == [0, None]
    rating = rate(mode("D1N"), dealt(mode("D1N"), 1))
    assert columns["difficulty"][2] == pytest.approx(rating.difficulty)
    assert columns["win_rate_careful"] == [1, None, pytest.approx(rating.careful.rate)]
    assert columns["win_rate_expert"] == [None] * 3
