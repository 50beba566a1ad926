"""A bound on the number of moves, against the shortest wins of small deals."""

import random

import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.referee import Game, replay
from double_solitaire.solver import solve as solve_module
from double_solitaire.solver.fewest import Fewest
from double_solitaire.solver.position import load
from double_solitaire.solver.solve import solve
from double_solitaire.solver.tries import FOR_SHORTER_LISTS
from double_solitaire.solver.verdict import Limits
from exhaustive import reduced_deals
from games import F1, F1_DRAW3, fixture, mode, straight
from shortest import shortest_win

fewest = Fewest()


def under_way(rules, deal, source):
    """The start of a deal, and positions after some random moves from there."""
    game = Game(rules, Position.start(rules, deal))
    yield game.position()
    for _ in range(3):
        for _ in range(source.randint(1, 8)):
            legal = game.legal_moves()
            if legal:
                game.play(source.choice(legal))
        yield game.position()


def compare(seed, count):
    """How many wins, with how many moves and by how many too few the bound is."""
    source = random.Random(seed)
    gaps, wins = [], 0
    for rules, deal in reduced_deals(seed, count):
        for position in under_way(rules, deal, source):
            shortest = shortest_win(rules, position)
            if shortest is not None:
                bound = fewest.run(load(rules, position))
                assert bound <= shortest, (rules, position)
                wins += 1
                gaps.append(shortest - bound)
    return wins, gaps


def test_no_win_of_a_small_deal_is_shorter():
    wins, gaps = compare(3, 100)
    assert wins > 150
    # It says something: nearly as many moves as are needed, and often just so many.
    assert sum(gaps) / wins < 2
    assert gaps.count(0) > wins / 4


@pytest.mark.long
def test_no_win_of_many_small_deals_is_shorter():
    wins, _ = compare(4, 25_000)
    assert wins > 30_000


@pytest.mark.parametrize(("name", "text"), [(F1, "D1N"), (F1_DRAW3, "D3N")])
def test_the_bound_is_reached_where_every_card_goes_straight(name, text):
    game = fixture(name, mode(text))
    start = load(game.rules, game.position())
    assert fewest.run(start) == len(straight(game))


def test_a_list_that_was_looked_for_longer_is_no_longer(monkeypatch):
    monkeypatch.setattr(solve_module, "FOR_SHORTER_LISTS", FOR_SHORTER_LISTS[:3])
    gained = 0
    for text in ("D1N", "D3N", "D1V"):
        rules = mode(text)
        start = Position.start(rules, deal_number(rules, 2))
        usual = solve(rules, start, Limits())
        answer = solve(rules, start, Limits(), shorter=600)
        end = replay(rules, start, answer.moves)
        assert end.won and end.score == answer.score
        assert answer.fewest <= len(answer.moves) <= len(usual.moves)
        assert usual.fewest is None
        gained += len(usual.moves) - len(answer.moves)
    assert gained > 0
