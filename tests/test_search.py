"""The searches: verdicts on the fixtures, limits, determinism, and lists that win."""

import json
import random
import statistics
from pathlib import Path

import numpy as np
import pytest
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.moves import DRAW_MOVE
from double_solitaire.engine.referee import Game, replay
from double_solitaire.solver import dive, exhaust, warm
from double_solitaire.solver.evaluate import evaluate, evaluation_record, prepare
from double_solitaire.solver.method import Budget, Proof, Win
from double_solitaire.solver.position import load
from double_solitaire.solver.score import score
from double_solitaire.solver.search import Search
from double_solitaire.solver.solve import check, check_numbers, dive_numbers, solve
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.weights import SETS
from double_solitaire.solver.workspace import methods
from games import F1, F1_DRAW3, F2, F3, F6, MODES, fixture, mode

ROOT = Path(__file__).parent.parent
SMALL = Limits(nodes=200_000)


def start(rules, number):
    return Position.start(rules, deal_number(rules, number))


def answers_but_time(answers):
    return [(a.verdict, a.reason, a.nodes, a.moves, a.score) for a in answers]


@pytest.mark.parametrize("name", [F1, F1_DRAW3, F2])
@pytest.mark.parametrize("text", MODES)
def test_straight_wins_are_as_short_as_can_be(name, text):
    # B04, B12: 104 plays and one pass through the stock
    rules = mode(text)
    position = fixture(name, rules).position()
    answer = solve(rules, position, SMALL)
    assert answer.verdict is Verdict.WINNABLE
    end = replay(rules, position, answer.moves)
    assert end.won and end.recycles == 0
    assert len(answer.moves) == 104 + (59 if rules.draw == 1 else 20)
    assert answer.score == (1220 if text[2] == "N" else 416)


@pytest.mark.parametrize("text", MODES)
def test_dead_deal_is_proved_lost(text):
    # B08
    rules = mode(text)
    answer = solve(rules, fixture(F3, rules).position(), SMALL)
    assert answer.verdict is Verdict.UNWINNABLE
    assert answer.moves is None and answer.score is None


@pytest.mark.parametrize("text", MODES)
def test_blocked_column_is_proved_lost_at_once(text):
    # B05
    rules = mode(text)
    answer = solve(rules, fixture(F6, rules).position(), Limits(nodes=1_000))
    assert answer.verdict is Verdict.UNWINNABLE


def test_a_limit_gives_unknown():
    # B02
    rules = mode("D1N")
    answer = solve(rules, start(rules, 1), Limits(nodes=1))
    assert answer.verdict is Verdict.UNKNOWN
    assert answer.moves is None and "nodes" in answer.reason


def test_a_time_limit_gives_unknown():
    rules = mode("D3V")
    answer = solve(rules, start(rules, 0), Limits(nodes=None, seconds=1e-9))
    assert answer.verdict is Verdict.UNKNOWN and "time" in answer.reason


@pytest.mark.parametrize("text", ["D3N", "D1V", "D3V"])
@pytest.mark.parametrize("memory", [1 << 12, 5 << 20, 6 << 20])
def test_less_memory_only_takes_answers_away(text, memory):
    # B27: the answers that are left are those with more memory
    rules = mode(text, "KL1")
    fewer = 0
    for number in range(12):
        full, less = (
            check(rules, start(rules, number), limits)
            for limits in (Limits(nodes=400_000), Limits(nodes=400_000, memory=memory))
        )
        assert less.verdict in (full.verdict, Verdict.UNKNOWN)
        fewer += less.verdict is not full.verdict
        assert less.verdict is full.verdict or "memory" in less.reason
    assert fewer or text == "D3N" or memory > 1 << 12


@pytest.mark.parametrize("text", ["D1N", "D3N", "D1V", "D3V"])
@pytest.mark.parametrize("most", [1, 50, 1_234, 20_000, 180_000])
def test_no_more_nodes_than_the_limit(text, most):
    rules = mode(text)
    for number in range(20, 23):
        assert check(rules, start(rules, number), Limits(nodes=most)).nodes <= most
        # The limit is one for each of its two searches.
        assert score(rules, start(rules, number), Limits(nodes=most)).nodes <= 2 * most


def test_the_value_of_a_position_does_not_depend_on_those_valued_before():
    rules, source = mode("D3N"), random.Random(1)
    _, _, game, node = load(rules, start(rules, 5))
    shared, fresh = evaluation_record(SETS[0]), evaluation_record(SETS[0])
    prepare(game, shared)
    wastes = [source.getrandbits(source.randrange(1, rules.stock)) for _ in range(20)]
    values = set()
    for _ in range(200):
        waste = source.choice(wastes)
        node.talon, node.border = waste, waste.bit_length()
        node.home[0] = source.randrange(rules.ranks)
        prepare(game, fresh)
        values.add(value := evaluate(game, node, fresh))
        assert evaluate(game, node, shared) == value
    assert len(values) > 50


def test_deals_are_whole_after_a_game_under_way():
    # A talon with fewer cards was once dealt from then on, and lost deals were won.
    rules = mode("D3N", "KL1")
    numbers = np.arange(100)
    before = dive_numbers(rules, numbers, Limits(nodes=2_000))
    game = Game(rules, start(rules, 3))
    while not (moves := [move for move in game.legal_moves() if str(move).startswith("W>")]):
        game.play(DRAW_MOVE)
    game.play(moves[0])
    check(rules, game.position(), Limits(nodes=100))
    after = dive_numbers(rules, numbers, Limits(nodes=2_000))
    assert all((old == new).all() for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("text", ["D1N", "D3V"])
def test_answers_do_not_depend_on_jobs_or_company(text):
    rules = mode(text)
    limits = Limits(nodes=3_000)
    numbers = list(range(20, 34))
    alone = [check_numbers(rules, [number], limits)[0] for number in numbers]
    assert answers_but_time(check_numbers(rules, numbers, limits)) == answers_but_time(alone)
    assert answers_but_time(check_numbers(rules, numbers, limits, 4)) == answers_but_time(alone)


@pytest.mark.parametrize("chunk", [1_000, 7_777, 10**6])
def test_answers_do_not_depend_on_the_chunk(monkeypatch, chunk):
    rules = mode("D3N", "KL1")
    positions = [start(rules, number) for number in range(8)]

    def answers():
        return answers_but_time([check(rules, each, Limits(nodes=40_000)) for each in positions])

    before = answers()
    for module in (dive, exhaust):
        monkeypatch.setattr(module, "CHUNK_NODES", chunk)
    assert answers() == before


def test_more_nodes_keep_every_win():
    rules = mode("D1V")
    positions = [start(rules, number) for number in range(4)]
    for each in positions:
        little = check(rules, each, Limits(nodes=150_000))
        much = check(rules, each, Limits(nodes=300_000))
        assert little.verdict is Verdict.UNKNOWN or much.verdict is little.verdict


def test_the_deal_to_warm_up_with_is_won():
    # or else writing the plan of such a win would be compiled while a time limit runs
    rules = mode("D1V")
    easy = load(rules, start(rules, warm.EASY_DEAL))
    budget = Budget(Limits(nodes=warm.LIST_NODES))
    assert isinstance(methods.component_beam.run(easy, budget, warm.EASY_WIDTH), Win)


@pytest.mark.parametrize(("number", "width"), [(5, 20), (15, 300)])
def test_beams_do_not_disturb_a_proof_under_way(number, width):
    # The second deal is won by the beam; its win must not change how the search goes on either.
    rules = mode("D3V")
    begin = load(rules, start(rules, number))
    ends = []
    for between in (False, True):
        search = Search(begin, Limits(nodes=None))
        for most in (100, 1_000, 20_000):
            result = methods.exhaust.run(most)
            if between:
                found = methods.component_beam.run(begin, search.budget, width)
                assert isinstance(found, Win) == (number == 15)
        ends.append((result, methods.exhaust.nodes, int(methods.exhaust.walk.entered)))
    assert ends[0] == ends[1] and ends[0][1] > 1_000
    assert isinstance(ends[0][0], Proof) == (number == 5)


@pytest.mark.parametrize(("text", "most"), [("D1N", 1), ("D3N", 3)])
def test_lists_have_few_recycles(text, most):
    rules = mode(text)
    ends = []
    for number in range(6):
        position = start(rules, number)
        answer = solve(rules, position, Limits(nodes=None))
        ends.append(replay(rules, position, answer.moves))
        assert ends[-1].won and ends[-1].taken_back == 0
    assert statistics.median(end.recycles for end in ends) <= most


def test_one_pass_wins_are_replayed():
    rules = mode("D1V")
    answer = solve(rules, start(rules, 2), Limits(nodes=400_000))
    assert answer.verdict is Verdict.WINNABLE
    end = replay(rules, start(rules, 2), answer.moves)
    assert end.won and end.recycles == 0 and answer.score == 416


def test_a_game_under_way_can_be_solved():
    rules = mode("D3N")
    answer = solve(rules, start(rules, 5), Limits(nodes=None))
    for played in (40, 120):
        position = replay_to(rules, start(rules, 5), answer.moves[:played])
        again = solve(rules, position, Limits(nodes=None))
        assert again.verdict is Verdict.WINNABLE
        assert replay(rules, position, again.moves).won


def replay_to(rules, position, moves):
    game = Game(rules, position)
    for move in moves:
        game.play(move)
    return game.position()


def lost_deals():
    lines = (ROOT / "data" / "unwinnable.jsonl").read_text(encoding="utf-8").splitlines()
    return {row["code"]: row["nodes"] for row in map(json.loads, lines)}


def test_the_lost_deals_of_the_corpus_are_lost():
    small = [code for code, nodes in lost_deals().items() if nodes < 200_000]
    assert {code[4:7] for code in small} == set(MODES)
    for code in small[:100]:
        named = DealCode.parse(code)
        answer = check(named.rules, start(named.rules, named.number), Limits(nodes=400_000))
        assert answer.verdict is Verdict.UNWINNABLE, code


@pytest.mark.long
def test_the_deals_that_need_taking_back_need_it():
    lines = (ROOT / "data/needs_take_back.jsonl").read_text(encoding="utf-8").splitlines()
    assert lines
    for row in map(json.loads, lines):
        code = DealCode.parse(row["code"])
        position = start(code.rules, code.number)
        answer = solve(code.rules, position, Limits(nodes=None))
        end = replay(code.rules, position, answer.moves)
        assert end.won and end.taken_back > 0
        again = Search(load(code.rules, position), Limits(nodes=None))
        assert isinstance(again.run_forward(row["nodes"] + 1), Proof)


@pytest.mark.long
@pytest.mark.parametrize("text", ["D1N", "D3N"])
def test_the_first_ten_thousand_codes_are_won_and_replayed(text):
    rules = mode(text)
    for number in range(10_000):
        position = start(rules, number)
        answer = solve(rules, position, Limits(nodes=None), polish=False)
        assert answer.verdict is Verdict.WINNABLE, number
        assert replay(rules, position, answer.moves).won
