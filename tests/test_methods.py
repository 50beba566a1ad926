"""What methods of searching answer, what ends them, and that they run uncompiled as well."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.rules import REGISTRY
from double_solitaire.engine.shuffle import deal_order
from double_solitaire.solver.components import MAX_ENTRIES
from double_solitaire.solver.exhaust import Question
from double_solitaire.solver.homes import MAX_PLAN, TRAIL, plan_of
from double_solitaire.solver.method import Budget, Limit, Proof
from double_solitaire.solver.position import HOME_DOWN, SUITS, apply_step, blank, lay, load
from double_solitaire.solver.score import score
from double_solitaire.solver.search import Search
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.workspace import methods
from exhaustive import reduced_deals
from games import F6, MODES, fixture, mode
from walks import parts, start_of, walk

UNLIMITED = Limits(nodes=None)


@pytest.mark.parametrize("rules", REGISTRY.values(), ids=lambda rules: f"{rules.game}-{rules.mode}")
def test_a_deal_is_laid_as_its_position_is(rules):
    order = np.zeros(rules.cards, np.int64)
    for number in range(30):
        start = load(rules, Position.start(rules, deal_number(rules, number)))
        deal_order(number, rules.cards, order)
        game, node = blank(rules)
        lay(game, node, order)
        assert parts(node) == parts(start.node)
        assert (game.dealt == start.game.dealt).all()
        assert (game.talon_card == start.game.talon_card).all()
        assert game.base_points + rules.start_score == start.game.base_points


@pytest.mark.parametrize("seed", range(8))
def test_the_higher_foundation_of_a_suit_stays_the_higher(seed):
    # Taking a card back from two places of one height once lowered the first, the higher.
    start = start_of(mode("D1N"), seed)
    steps, node = walk(start, 70, seed)
    taken_back = [step >> 3 & 3 for step in steps if step & 7 == HOME_DOWN]
    assert all(node.home[2 * suit] >= node.home[2 * suit + 1] for suit in range(SUITS))
    node.home[:] = 5
    for suit in {*taken_back, 0}:
        apply_step(start.game, node, HOME_DOWN | 4 * 4 + suit << 3)
        assert node.home[2 * suit : 2 * suit + 2].tolist() == [5, 4]


def test_a_component_that_is_whole_is_not_cut():
    methods.exhaust.begin(start_of(mode("D3V"), 5), Budget(UNLIMITED))
    assert isinstance(methods.exhaust.run(), Proof) and not methods.exhaust.walk.is_cut


@pytest.mark.parametrize("text", MODES)
def test_a_full_stack_is_said_as_what_it_is(text):
    search = Search(start_of(mode(text), 1), UNLIMITED)
    methods.exhaust.run(0)
    methods.exhaust.walk.component.entries = MAX_ENTRIES
    result = methods.exhaust.run()
    assert result == Limit(f"more than {MAX_ENTRIES} steps waiting to be tried")
    assert search.budget.limit() is None


@pytest.mark.parametrize("text", MODES)
def test_a_proof_goes_on_where_it_stopped(text):
    rules = mode(text, "KL1")
    ends = []
    for mosts in ((4_000,), (1, 7, 1_000, 4_000)):
        search = Search(start_of(rules, 3), UNLIMITED)
        results = [methods.exhaust.run(most) for most in mosts]
        ends.append((results[-1], search.budget.nodes, int(methods.exhaust.walk.entered)))
    assert ends[0] == ends[1]


def test_another_question_is_asked_anew():
    start = start_of(mode("D3V"), 5)
    budget, proofs = Budget(UNLIMITED), []
    for question in (Question(), Question(only_forward=True), Question()):
        methods.exhaust.begin(start, budget, question)
        before = budget.nodes
        proofs.append((methods.exhaust.run(), budget.nodes - before))
    assert proofs[0] == proofs[2] != proofs[1]


def test_results_do_not_change_when_something_else_is_searched():
    start, budget = start_of(mode("D1N"), 1), Budget(UNLIMITED)
    methods.dives.begin(start, budget)
    first = methods.dives.run()
    line = methods.lister.list_win(start, first.plan, True)
    for number in (2, 3):
        solve(mode("D3N"), start_of(mode("D3N"), number).position, Limits())
    assert methods.lister.list_win(start, first.plan, True) == line
    with pytest.raises(TypeError):
        first.plan[0] = 0


def test_a_plan_that_is_too_long_is_none():
    trail = np.zeros(1, TRAIL)[0]
    trail.length = MAX_PLAN
    assert plan_of(trail) is None
    trail.length = 3
    trail.steps[:3] = (1, 6, 5)
    assert plan_of(trail) == (1, 5)


def test_what_is_blocked_is_proved_without_a_position():
    start = load(mode("D1V"), fixture(F6, mode("D1V")).position())
    budget = Budget(UNLIMITED)
    result = methods.relaxation.run(start, budget)
    assert isinstance(result, Proof) and "can never leave" in result.reason
    assert budget.nodes == 0


def trace():
    """What the methods answer on deals that are small enough to be searched uncompiled."""
    numbers = []
    with np.errstate(over="ignore"):
        for rules, deal in reduced_deals(3, 14):
            position = Position.start(rules, deal)
            start, budget = load(rules, position), Budget(Limits(nodes=400))
            methods.exhaust.begin(start, budget)
            methods.dives.begin(start, budget)
            results = [methods.straight.run(start, budget), methods.relaxation.run(start, budget)]
            results += [methods.dives.run(40), methods.exhaust.run(120)]
            for beam in (methods.lazy_beam, methods.component_beam):
                results.append(beam.run(start, budget, 4))
            numbers += [(result, budget.nodes) for result in results]
            answer = solve(rules, position, Limits(nodes=60))
            found = score(rules, position, Limits(nodes=60))
            numbers += [(str(answer.verdict), answer.nodes, answer.score and len(answer.moves))]
            numbers += [(found.low, found.high, found.nodes, len(found.line.moves))]
    return [str(each) for each in numbers]


def test_same_without_compilation():
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "import test_methods; print(test_methods.trace())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    compiled = trace()
    assert plain.stdout.strip() == str(compiled)
    kinds = "".join(compiled)
    assert all(kind in kinds for kind in ("Win(", "Proof(", "Limit(", Verdict.UNKNOWN))


ASK_FOR_ALL = """
import test_methods
from double_solitaire.engine.cache import Store
from double_solitaire.solver import warm
asked, load = [], Store.load_overload
def note(self, *others):
    asked.append(self._function.__qualname__)
    return load(self, *others)
Store.load_overload = note
warm.load()
assert {"retrace", "copy_into"} <= set(asked)
asked.clear()
test_methods.trace()
test_methods.Search(test_methods.start_of(test_methods.mode("D3V"), 1), test_methods.UNLIMITED)
test_methods.methods.exhaust.run(60_000)
print(sorted(asked))
"""


def test_warming_up_leaves_nothing_to_compile_while_a_clock_runs():
    ended = subprocess.run(
        [sys.executable, "-c", ASK_FOR_ALL],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout.strip() == "[]", ended.stdout + ended.stderr
