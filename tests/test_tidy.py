"""Lists of moves without what they can do without, which end at the same table."""

import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.referee import Game, replay
from double_solitaire.engine.tidy import tidy
from double_solitaire.notation.solution import read_lines
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from games import FIXTURES, mode, walked
from hypothesis import given
from hypothesis import settings as rules_of_testing


def with_detours(rules, position, moves, every):
    """The list with a needless pair put in at every so many moves, where there is one."""
    game, longer = Game(rules, position), []
    for number, move in enumerate(moves):
        if number % every == 0:
            kind = (Kind.TAKE_BACK, Kind.COLUMN_TO_COLUMN)[number // every % 2]
            for there in game.legal_moves():
                if there.kind is not kind:
                    continue
                before = game.position()
                trial = Game(rules, before)
                trial.play(there)
                back = next((m for m in trial.legal_moves() if leads_to(trial, m, before)), None)
                if back is not None:
                    longer += [there, back]
                    game.play(there)
                    game.play(back)
                    break
        longer.append(move)
        game.play(move)
    return longer


def leads_to(game, move, position):
    """Whether a move leads to this table."""
    trial = Game(game.rules, game.position())
    trial.play(move)
    return (trial.columns, trial.hidden, trial.foundations.heights) == (
        list(map(list, position.columns)),
        list(position.hidden),
        list(position.foundations),
    )


@pytest.mark.parametrize("text", ["D1N", "D3N", "D1V"])
@pytest.mark.parametrize("every", [3, 10])
def test_pairs_that_do_nothing_are_dropped(text, every):
    rules = mode(text)
    position = Position.start(rules, deal_number(rules, 1))
    moves = solve(rules, position, Limits()).moves
    longer = with_detours(rules, position, moves, every)
    kinds = [move.kind for move in longer]
    assert Kind.TAKE_BACK in kinds
    assert len(longer) > len(moves) + 4
    shorter = tidy(rules, position, longer)
    assert len(shorter) <= len(moves)
    end = replay(rules, position, shorter)
    assert (end.won, end.taken_back) == (True, 0)
    # Each card that is put up once more brings points, which a best score is not to lose.
    kept = replay(rules, position, tidy(rules, position, longer, keeps_score=True))
    assert kept.won
    assert kept.score >= replay(rules, position, longer).score


def test_nested_detours_and_ways_round():
    rules = mode("D1N")
    position = Position.start(rules, deal_number(rules, 1))
    moves = list(solve(rules, position, Limits()).moves)
    longer = with_detours(rules, position, with_detours(rules, position, moves, 15), 10)
    shorter = tidy(rules, position, longer)
    assert len(shorter) < len(longer) - 40
    assert len(shorter) <= len(moves) + 4
    assert tidy(rules, position, ()) == ()


@given(walked())
@rules_of_testing(max_examples=40, deadline=None)
def test_the_table_at_the_end_stays(game_and_moves):
    game, moves = game_and_moves
    rules = game.rules
    for _ in moves:
        game.undo()
    start = game.position()
    for keeps_score in (False, True):
        shorter = tidy(rules, start, moves, keeps_score)
        assert len(shorter) <= len(moves)
        ends = [Game(rules, start), Game(rules, start)]
        for end, played in zip(ends, (moves, shorter), strict=True):
            for move in played:
                end.play(move)
        one, other = (end.position() for end in ends)
        for part in ("columns", "hidden", "stock", "waste", "foundations", "recycles"):
            assert getattr(one, part) == getattr(other, part)
        assert not keeps_score or other.score >= one.score


def test_a_list_over_components_takes_back_what_it_must():
    rules = mode("D1V")
    position = Position.start(rules, deal_number(rules, 5))
    lines = read_lines((FIXTURES / "needless_moves.txt").read_text())
    moves = [move for move, _ in lines]
    before, after = (replay(rules, position, m) for m in (moves, tidy(rules, position, moves)))
    assert before.won
    assert after.won
    assert after.moves < before.moves
    assert after.taken_back < before.taken_back
