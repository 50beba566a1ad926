from dataclasses import replace

import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.referee import Game
from double_solitaire.engine.rules import Scoring
from exhaustive import exhaust, reduced_deals

FEW = 2500


def plain_search(rules, deal, taking_back):
    """Most cards up and best score over all games, every pair of position and score visited.

    The score is left out with taking back, where it has no upper end.
    """
    start = Position.start(rules, deal)
    seen = {start}
    waiting = [start]
    while waiting:
        position = waiting.pop()
        for move in Game(rules, position).legal_moves():
            if move.kind is Kind.TAKE_BACK and not taking_back:
                continue
            game = Game(rules, position)
            game.play(move)
            following = replace(game.position(), recycles=0)
            if taking_back:
                following = replace(following, score=0)
            if following not in seen:
                seen.add(following)
                waiting.append(following)
    return max(sum(p.foundations) for p in seen), max(p.score for p in seen)


@pytest.fixture(scope="module")
def small_deals():
    rows = [
        (rules, deal, exhaust(rules, Position.start(rules, deal), FEW // 5))
        for rules, deal in reduced_deals(7, 80)
    ]
    return [row for row in rows if row[2] is not None][:12]


def test_against_plain_search(small_deals):
    lost = 0
    for rules, deal, truth in small_deals:
        normal = replace(rules, scoring=Scoring.NORMAL)
        home, points = plain_search(normal, deal, False)
        assert truth.most_home_straight == home
        assert truth.best_normal == points
        assert truth.winnable_straight == (home == rules.cards)
        vegas = replace(rules, scoring=Scoring.VEGAS)
        assert truth.best_vegas == plain_search(vegas, deal, False)[1]
        home, _ = plain_search(rules, deal, True)
        assert truth.most_home == home
        assert truth.winnable == (home == rules.cards)
        lost += not truth.winnable
    assert lost > 0


def test_cap_gives_no_answer():
    rules, deal = next(reduced_deals(1, 1))
    start = Position.start(rules, deal)
    assert exhaust(rules, start, 3) is None
    assert exhaust(rules, start) is not None
