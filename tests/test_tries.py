"""Tries for a good line: what they yield is replayed, and keeps to what was asked for."""

import pytest
from double_solitaire.engine.referee import replay
from double_solitaire.engine.rules import Scoring
from double_solitaire.solver.bounds import Ceiling
from double_solitaire.solver.search import Search
from double_solitaire.solver.tries import FOR_SHORT_LISTS, TRIES, Try, run_try
from double_solitaire.solver.verdict import Limits
from double_solitaire.solver.weights import SETS
from double_solitaire.solver.workspace import methods
from games import MODES, mode
from walks import start_of

NARROW = Try(12, 4, 10, 100)
USUAL = Limits()


def lines_of(text, number, a_try, limits=USUAL, **options):
    search = Search(start_of(mode(text), number), limits)
    return search, list(run_try(search, a_try, **options))


@pytest.mark.parametrize("text", MODES)
def test_every_line_is_a_game_and_the_last_alone_a_win(text):
    for number in (1, 4, 8):
        search, lines = lines_of(text, number, NARROW)
        assert lines and not any(line.won for line in lines[:-1])
        for line in lines:
            end = replay(search.start.rules, search.start.position, line.moves)
            assert (end.score, end.won, end.recycles) == (line.score, line.won, line.recycles)


def test_lost_lines_are_worth_more_and_more():
    for number in range(3):
        _, lines = lines_of("D3V", number, NARROW)
        scores = [line.score for line in lines]
        assert scores == sorted(scores) and not lines[-1].won


def test_only_a_win_of_the_least_merit_is_found():
    search, lines = lines_of("D1N", 1, NARROW)
    assert lines[-1].won
    top = Ceiling(search).top
    least = (lines[-1].score - top) // 5 + 1
    _, better = lines_of("D1N", 1, NARROW, least_merit=least)
    assert all(line.score > lines[-1].score for line in better if line.won)


@pytest.mark.parametrize("text", MODES)
def test_tries_for_short_lists_find_wins_only(text):
    for number in (2, 3):
        _, lines = lines_of(text, number, Try(4, 0, 0, 100), shortens=True)
        assert all(line.won for line in lines)


@pytest.mark.parametrize("text", ["D1N", "D3N"])
def test_the_merit_of_a_short_list_counts_its_moves(text):
    search, (line,) = lines_of(text, 3, Try(4, 0, 0, 100), shortens=True)
    rules, position = search.start.rules, search.start.position
    needed = rules.cards + -(-len(position.stock) // rules.draw)
    merit = int(methods.lazy_beam.state.won_merit)
    # What no merit counts are runs moved out of the way, and the list may be tidied.
    assert needed - merit <= len(line.moves) <= needed - merit + 20
    _, none = lines_of(text, 3, Try(4, 0, 0, 100), least_merit=merit + 1, shortens=True)
    assert all(len(other.moves) < len(line.moves) + 20 for other in none)
    assert methods.lazy_beam.state.won_merit > merit or not none


def test_a_try_ends_at_the_limit():
    search, lines = lines_of("D3N", 1, NARROW, Limits(nodes=700))
    assert search.budget.nodes <= 700 and not any(line.won for line in lines)


def test_without_memory_nothing_is_tried():
    search, lines = lines_of("D1N", 1, NARROW, Limits(memory=1 << 12))
    assert lines == [] and "memory" in search.budget.limit().reason


def test_the_tables_of_tries_are_in_order():
    assert set(TRIES) == {(draw, scoring) for draw in (1, 3) for scoring in Scoring}
    for tries in (*TRIES.values(), *FOR_SHORT_LISTS.values()):
        assert all(0 <= each.weights < len(SETS) for each in tries)
        assert all((each.max_cost == 0) == (each.seeds == 0) for each in tries)
        widths = [each.width for each in tries]
        assert widths == sorted(widths)
