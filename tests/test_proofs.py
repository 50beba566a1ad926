"""Verdicts and bounds against exhaustive search of the real game, on reduced decks."""

import random
from collections import Counter

import pytest
from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.moves import Kind
from double_solitaire.engine.referee import Game
from double_solitaire.engine.rules import Rules, Scoring
from double_solitaire.notation.formats import read_deal
from double_solitaire.solver.bounds import Bound, Ceiling
from double_solitaire.solver.exhaust import Question
from double_solitaire.solver.lists import Line
from double_solitaire.solver.method import NO_END, Budget, Limit, Proof, Win
from double_solitaire.solver.position import load
from double_solitaire.solver.score import prove, score
from double_solitaire.solver.search import Search
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.workspace import methods
from exhaustive import MOST_HOME, SHAPES, reduced_deals, visit
from exhaustive import exhaust as exhaust_real
from games import F3, F6, MODES, fixture_text, mode

CRAMPED = tuple(
    (2, 2, ranks, columns, draw, None)
    for ranks, columns in ((3, 4), (4, 4), (6, 6))
    for draw in (1, 3)
)
"""Shapes of two decks and unlimited recycles, most cards in the columns: some are lost."""
SWITCHES = ("forces", "relaxes", "waits", "skips_safe", "skips_alike")
OFF = (
    {},
    *({name: False} for name in SWITCHES),
    {"forces": False, "skips_safe": False},
    {"relaxes": False, "forces": False},
    dict.fromkeys(SWITCHES, False),
)
"""Every rule that leaves something out off, alone; all that asks what is safe; and all."""
UNLIMITED = Limits(nodes=None)


def known_positions(seed, count, shapes, most_moves=0):
    """Reduced deals with what is true of them, those left out that are too large.

    With `most_moves`, after up to so many moves at random, none of which takes back.
    """
    source = random.Random(seed)
    for rules, deal in reduced_deals(seed, count, shapes):
        game = Game(rules, Position.start(rules, deal))
        for _ in range(source.randint(0, most_moves)):
            moves = [move for move in game.legal_moves() if move.kind is not Kind.TAKE_BACK]
            if moves:
                game.play(source.choice(moves))
        truth = exhaust_real(rules, game.position(), 50_000)
        if truth is not None:
            yield rules, game.position(), truth


def search_all(start, **question):
    """The answer of the exhaustive search to a question."""
    methods.exhaust.begin(start, Budget(UNLIMITED), Question(**question))
    result = methods.exhaust.run()
    assert isinstance(result, Win | Proof)
    return result


def left_out():
    """How often each rule left something out in the last search, by the names of the switches."""
    walk = methods.exhaust.walk
    component = walk.component
    counters = walk.forced, walk.relaxed.blocked, walk.waited, component.safe, component.alike
    return Counter({name: int(count) for name, count in zip(SWITCHES, counters, strict=True)})


def check_proofs(seed, count, shapes=SHAPES, most_moves=0):
    """Hold the exhaustive search and the relaxation against the truth.

    Returns the numbers of positions, of those lost and of those seen as lost at once, and how
    often each rule left something out.
    """
    seen = lost = blocked = 0
    counts = Counter()
    for rules, position, truth in known_positions(seed, count, shapes, most_moves):
        name = (rules, position)
        start = load(rules, position)
        for off in OFF:
            result = search_all(start, **off)
            assert isinstance(result, Win) == truth.winnable, (name, off)
            counted = left_out()
            assert not any(counted[switch] for switch in off), (name, off)
            counts += counted
            result = search_all(start, only_forward=True, **off)
            assert isinstance(result, Win) == truth.winnable_straight, (name, off)
        counts["needs"] += truth.winnable and not truth.winnable_straight
        reach = methods.relaxation.reach(start)
        assert reach.home >= truth.most_home, name
        if not truth.winnable:
            blocked += reach.home < rules.cards
            for off in OFF:
                assert search_all(start, goal=1, **off).most_home == truth.most_home, (name, off)
            if truth.most_home > 0:
                assert search_all(start, goal=truth.most_home).most_home == truth.most_home, name
            lost += 1
        seen += 1
    return seen, lost, blocked, counts


def check_relaxation(seed, count, shapes=SHAPES):
    """Hold the relaxation against the truth in positions under way, in the last pass.

    Returns the numbers of positions, of those of which it says that a card has no room, and of
    those lost of which it says nothing.
    """
    source = random.Random(seed)
    seen = roomless = missed = 0
    for rules, deal in reduced_deals(seed, count, shapes):
        if rules.recycles is None:
            continue
        game = Game(rules, Position.start(rules, deal))
        for _ in range(source.randrange(30)):
            moves = [move for move in game.legal_moves() if move.kind is not Kind.RECYCLE]
            if moves:
                game.play(source.choice(moves))
        position = game.position()
        truth = visit(rules, position, 50_000, True)
        if truth is None:
            continue
        start = load(rules, position)
        reach, proof = methods.relaxation.reach(start), methods.relaxation.run(start, None)
        assert reach.home >= truth[MOST_HOME], (rules, position)
        seen += 1
        if reach.home < rules.cards:
            roomless += "have room" in proof.reason
        elif truth[MOST_HOME] < rules.cards:
            missed += 1
    return seen, roomless, missed


def best_of(rules, truth):
    return truth.best_vegas if rules.scoring is Scoring.VEGAS else truth.best_normal


def check_bounds(seed, count, shapes=SHAPES, most_moves=0):
    """Hold the upper bounds of the score against the truth; returns how often each was given."""
    given = dict.fromkeys(Bound, 0)
    for rules, position, truth in known_positions(seed, count, shapes, most_moves):
        name = (rules, position)
        ceiling = Ceiling(Search(load(rules, position), UNLIMITED))
        assert ceiling.high >= best_of(rules, truth), name
        ceiling.lower(position.score, 3)
        ceiling.lower(position.score)
        assert ceiling.high >= best_of(rules, truth), name
        if rules.scoring is Scoring.VEGAS:
            assert ceiling.high == 5 * truth.most_home - rules.cards, name
        given[ceiling.bound] += 1
    return given


def check_answers(seed, count, shapes=SHAPES, most_moves=0):
    """Hold whole answers of `solve` and `score` against the truth; returns their number."""
    seen = 0
    for rules, position, truth in known_positions(seed, count, shapes, most_moves):
        name = (rules, position)
        seen += 1
        answer = solve(rules, position, UNLIMITED)
        verdict = Verdict.WINNABLE if truth.winnable else Verdict.UNWINNABLE
        assert answer.verdict is verdict and answer.reason, name
        assert answer.winnable_without_take_back == truth.winnable_straight, name
        found = score(rules, position, Limits(nodes=30_000))
        assert found.low <= best_of(rules, truth) <= found.high, name
        assert found.low == found.line.score, name
    return seen


@pytest.mark.parametrize("most_members", [1, 2, 3])
def test_components_that_are_cut_short_prove_nothing(most_members):
    missed = counts = 0
    for rules, position, truth in known_positions(33, 160, SHAPES, 10):
        methods.exhaust.begin(load(rules, position), Budget(UNLIMITED))
        methods.exhaust.run(0)
        walk = methods.exhaust.walk
        walk.component.most_members = most_members
        result = methods.exhaust.run()
        if walk.is_cut and not isinstance(result, Win):
            assert result == Limit("more than 32768 arrangements at a time"), (rules, position)
            missed += truth.winnable
        else:
            assert isinstance(result, Win) == truth.winnable, (rules, position)
        counts += walk.is_cut
    assert counts > 10 and (missed > 0 or most_members > 1)


@pytest.mark.parametrize("name", MODES)
@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        (F6, "5S on column 9 can never leave: no red 6 can be uncovered for it"),
        (F3, "4S on column 9 can never leave: no red 5 can be uncovered for it"),
    ],
)
def test_blocked_columns_are_seen_at_once(name, deal, reason):
    rules = mode(name)
    position = Position.start(rules, read_deal(fixture_text(deal), rules))
    answer = solve(rules, position, Limits())
    assert answer.verdict is Verdict.UNWINNABLE and answer.nodes == 0
    assert answer.reason.startswith(reason)


def test_a_place_that_is_uncovered_while_another_goes_is_none_to_spare():
    # A 4S lies under another. If a 3H waits for a place on it, the upper one can go home only while
    # nothing is on it, though the lower one is a place right after.
    rules = Rules("RED", "Reduced Solitaire", 2, 2, 3, Scoring.VEGAS, 1, 7, 2)
    stock = "5H 7S 2H 6S 3S AS 3H AH 5S 6S 2S 4H 7S 6H 3H 2H AH 5S AS 3S 7H 5H 7H 2S 6H"
    deal = Deal.from_order(rules, map(parse_card, f"4H 4S 4S {stock}".split()))
    start = load(rules, Position.start(rules, deal))
    for off in ({}, {"relaxes": False, "forces": False}, {"waits": False}):
        assert search_all(start, goal=1, **off).most_home == 4
    assert left_out()["waits"] == 0


def test_proofs_on_reduced_deals():
    seen, lost, blocked, counts = check_proofs(11, 150)
    assert lost > seen // 5 and 0 < blocked < lost and all(counts.values())


def test_proofs_on_cramped_deals():
    _, lost, *_ = check_proofs(17, 120, CRAMPED)
    assert lost > 2


def test_bounds_on_reduced_deals():
    assert all(check_bounds(13, 200).values())


def test_answers_on_reduced_deals():
    assert check_answers(15, 20) > 10


def test_proofs_bounds_and_answers_in_positions_under_way():
    seen, lost, *_ = check_proofs(23, 150, most_moves=30)
    assert seen > lost > 30
    assert sum(check_bounds(24, 150, most_moves=30).values()) > 80
    assert check_answers(25, 30, most_moves=30) > 15


def test_a_wide_beam_over_components_wins_what_can_be_won():
    won = lost = 0
    for rules, position, truth in known_positions(12, 200, SHAPES, 20):
        if rules.recycles is None:
            continue
        start = load(rules, position)
        result = methods.component_beam.run(start, Budget(UNLIMITED), 2_000)
        is_won = isinstance(result, Win)
        assert is_won == truth.winnable, (rules, position)
        if is_won:
            assert methods.lister.list_win(start, result.plan).won
        won, lost = won + is_won, lost + (not is_won)
    assert won > 20 and lost > 20


def test_wins_that_the_proof_finds_become_lines():
    found = Counter()
    for rules, position, truth in known_positions(31, 300, SHAPES):
        search = Search(load(rules, position), Limits(nodes=200_000))
        ceiling, nothing = Ceiling(search), Line((), position.score, False, 0)
        line = prove(search, ceiling, nothing, NO_END)
        assert line.score <= best_of(rules, truth) <= ceiling.high
        if line.won:
            assert line.score == ceiling.high and not line.takes_back, (rules, position)
            found[rules.scoring] += 1
            found["recycles"] += line.recycles
    assert found[Scoring.NORMAL] and found[Scoring.VEGAS] and found["recycles"]


def test_relaxation_in_positions_under_way():
    seen, roomless, missed = check_relaxation(21, 500)
    assert seen > 100 and roomless > 0 and missed > 0


@pytest.mark.long
def test_relaxation_in_thousands_of_positions_under_way():
    seen, roomless, _ = check_relaxation(22, 20_000)
    assert seen > 5000 and roomless > 20


@pytest.mark.long
def test_proofs_on_thousands_of_reduced_deals():
    seen, lost, *_ = check_proofs(12, 6000)
    assert seen > 4000 and lost > 1000
    _, lost, *_ = check_proofs(19, 1000, CRAMPED)
    assert lost > 10


@pytest.mark.long
def test_bounds_on_thousands_of_reduced_deals():
    assert sum(check_bounds(14, 6000).values()) > 4000
    check_bounds(18, 500, CRAMPED)


@pytest.mark.long
def test_answers_on_hundreds_of_reduced_deals():
    assert check_answers(16, 300) > 200


@pytest.mark.long
def test_proofs_bounds_and_answers_in_thousands_of_positions_under_way():
    seen, lost, *_ = check_proofs(26, 4000, most_moves=30)
    assert seen > lost > 600
    assert sum(check_bounds(27, 4000, most_moves=30).values()) > 2500
    assert check_answers(28, 300, most_moves=30) > 150
