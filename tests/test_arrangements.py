"""Verdicts, bounds and scores in positions under way of the whole deck, against every arrangement.

`arrangements.py` shares nothing with the package. The positions have high and uneven foundations,
and twins that block each other. Each of these, broken on purpose, makes a test of this file fail:

- `safe.is_safe`: one rank less asked for; or no more of a base or a talon card than of a free one;
- `safe.forced_step`: any talon card in the last pass taken for one that is had at no cost;
- `components.put_entries`: a card that goes down taken as alike where it cannot from the parent;
- `exhaust.may_recycle`: the points of cards that are home not taken off what a recycle can cost.
"""

from collections import Counter

import arrangements
import pytest
from double_solitaire.engine.cards import parse_card
from double_solitaire.engine.deal import Position
from double_solitaire.engine.rules import POINTS_HOME, POINTS_LANDED, POINTS_TURN_UP, rules_for
from double_solitaire.solver.bounds import Ceiling
from double_solitaire.solver.exhaust import Question
from double_solitaire.solver.lists import Line
from double_solitaire.solver.method import NO_END, Budget, Limit, Win
from double_solitaire.solver.position import load
from double_solitaire.solver.score import prove, score
from double_solitaire.solver.search import Search
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.solver.workspace import methods

LIMITS = Limits(nodes=300_000)
COLUMNS = ("4S", "5S", "6S", "7S", "8S", "9S", "TS", "KC JS", "QS KD QC")
OFF = (
    {},
    *({name: False} for name in ("forces", "relaxes", "waits", "skips_safe", "skips_alike")),
    {"forces": False, "skips_safe": False},
)
"""Every rule that leaves something out, off alone, and the two that ask what is safe."""


def position_of(table, points):
    return Position(
        columns=tuple(cards for _, cards in table.columns),
        hidden=tuple(down for down, _ in table.columns),
        stock=table.stock,
        waste=table.waste,
        foundations=tuple(height for pair in table.up for height in pair),
        score=points,
    )


def is_win(start, **question):
    """What the exhaustive search says; None at its limit."""
    methods.exhaust.begin(start, Budget(LIMITS), Question(**question))
    result = methods.exhaust.run()
    return None if isinstance(result, Limit) else isinstance(result, Win)


def check(seed, count, cap, every):
    """Hold the solver against the truth; whole answers for one of `every` positions.

    Returns how many positions were seen, lost, need a recycle for their best score, or need to
    take back; and how many proofs ended.
    """
    counts = Counter()
    for table, points, draw, is_vegas, truth in arrangements.positions(seed, count, cap):
        rules = rules_for("DS1", draw, "V" if is_vegas else "N")
        position = position_of(table, points)
        position.check(rules)
        name = (rules, position)
        start = load(rules, position)
        for off in OFF:
            found = is_win(start, **off)
            assert found in (None, truth.winnable), (*name, off)
            counts["ended"] += found is not None
            found = is_win(start, only_forward=True, **off)
            assert found in (None, truth.winnable_straight), (*name, off)
        assert methods.relaxation.reach(start).home >= truth.most_home, name
        search = Search(start, LIMITS)
        ceiling = Ceiling(search)
        assert ceiling.high >= truth.best, name
        line = prove(search, ceiling, Line((), points, False, 0), NO_END)
        assert line.score <= truth.best <= ceiling.high, name
        if line.won:
            assert line.score == truth.best == ceiling.high, name
        if is_vegas and not truth.winnable:
            assert ceiling.high == 5 * truth.most_home - rules.cards, name
        counts["met"] += ceiling.high == truth.best
        if counts["seen"] % every == 0:
            check_answers(rules, position, truth)
        counts["seen"] += 1
        counts["lost"] += not truth.winnable
        counts["recycles"] += truth.needs_recycle
        counts["takes back"] += truth.winnable and not truth.winnable_straight
    return counts


def check_answers(rules, position, truth):
    """Hold what `solve` and `score` answer against the truth."""
    name = (rules, position)
    answer = solve(rules, position, LIMITS)
    assert answer.verdict is (Verdict.WINNABLE if truth.winnable else Verdict.UNWINNABLE), name
    assert answer.winnable_without_take_back in (None, truth.winnable_straight), name
    found = score(rules, position, Limits(nodes=30_000))
    assert found.line.score == found.low <= truth.best <= found.high, name


def test_positions_under_way_of_the_whole_deck():
    counts = check(1, 300, 400, 10)
    assert counts["seen"] > 80 and counts["ended"] > 5 * counts["seen"]
    assert counts["lost"] > 5 and counts["recycles"] > 3 and counts["takes back"] > 20


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_thousands_of_positions_under_way_of_the_whole_deck(part):
    counts = check(100 + part, 3_600, 400, 20)
    print(part, counts)
    assert counts["seen"] > 1_000
    assert counts["lost"] > 50 and counts["recycles"] > 30


@pytest.mark.parametrize("points", [0, 5, 10, 15])
def test_a_recycle_is_cheaper_before_a_card_goes_up(points):
    # The three of spades lies in the waste under a king that has nowhere to go. The queen of clubs
    # could go up at once, but 10 points more would then be lost as the waste is turned over.
    columns = tuple(tuple(map(parse_card, text.split())) for text in COLUMNS)
    waste = tuple(map(parse_card, ("3S", "KH", "KS")))
    hidden, heights = (0, 0, 0, 0, 0, 0, 0, 1, 1), (13, 2, 13, 12, 13, 12, 13, 11)
    position = Position(columns, hidden, (), waste, heights, points)
    rules = rules_for("DS1", 1, "N")
    found = score(rules, position, LIMITS)
    most = points + 15 * POINTS_HOME + 3 * POINTS_LANDED + 2 * POINTS_TURN_UP
    # All of the points there were, and the three of spades lands nowhere.
    assert found.low == most - points - POINTS_LANDED <= found.high
    methods.exhaust.begin(
        load(rules, position), Budget(LIMITS), Question(most_lost=most - found.low)
    )
    assert isinstance(methods.exhaust.run(), Win)
