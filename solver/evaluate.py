"""What a position is worth to the beam: a weighted sum of features, learned from wins.

The weights (`weights.py`) are those that best told positions on the way to a win from others of
the same layer (`learning/weights.py`). Each set has weights for the beginning and for the end of
the stock; between them they are mixed. No proof depends on any of this.
"""

import numpy as np
from numpy.typing import NDArray

from ..engine.bits import lowest_bit, popcount
from ..engine.jit import Record, int64, kernel, record_type
from .position import (
    CARDS,
    CLOSED,
    COLUMNS,
    LEVEL,
    LEVELS,
    SUITS,
    TALON,
    exposed,
    home_place,
    waste_cards,
)
from .table import slot_of
from .weights import FEATURES

NONE = -1
# Where the groups of features begin.
PLACED = FEATURES.index("placed_0")
"""Columns with 0 … 9 cards in place."""
PARENTS = FEATURES.index("parents_2")
"""For each rank from 2 up, families with an exposed card of it."""
MORE_PARENTS = FEATURES.index("more_parents_2")
"""For each rank from 2 up, exposed cards beyond the first of a family, at most 2 each."""
WASTE_GAP = FEATURES.index("waste_gap_0")
"""Waste cards by how soon they can go home (`gap_class`)."""
WASTE_DEPTH = FEATURES.index("waste_depth_0")
"""The logarithm of what lies on them, by the same."""
PLACED_GAP = FEATURES.index("placed_gap_0")
"""Cards in place by how soon they can go home."""
PLACED_DEPTH = FEATURES.index("placed_depth_0")
"""What lies on them, by the same."""
(
    WASTE,
    HOME,
    EMPTY,
    ABOVE_NEAR,
    ABOVE_FAR,
    ABOVE_VERY_FAR,
    ABOVE_PARENT,
    ABOVE_CHILD,
    RUN_PAIRS,
    SUIT_PAIRS,
    RISES,
    MOVABLE_BASES,
    NEXT_4,
    NEXT_8,
    NEXT_16,
    LANDED,
    ORPHANS,
    TOP_ORPHANS,
    SPREAD,
    LOWEST,
    COLUMN_INVERSIONS,
    WASTE_KINGS,
    READY_BASES,
    ABOVE_LIKE,
    WASTE_OVER_8,
    WASTE_OVER_16,
    WASTE_OVER_24,
    LOWER_HOME,
) = range(FEATURES.index("waste"), len(FEATURES))

RANK_COUNT = CARDS // SUITS
HEIGHTS = CLOSED + 1
PAIRS_KEPT = 1024
"""Wastes of which the pairs are kept, a power of two. By hand: they stay in the processor's
cache."""

PAIRS = record_type(
    [
        ("waste", np.int64),
        ("near", np.int16),
        ("far", np.int16),
        ("very_far", np.int16),
        ("parent", np.int16),
        ("child", np.int16),
        ("like", np.int16),
        ("rises", np.int16),
        ("runs", np.int16),
        ("suits", np.int16),
        ("kings", np.int16),
    ]
)
"""What follows from which cards are in the waste: pairs of an upper and a lower card by how they
stand to each other, and what neighbours are. Many positions of a layer share it."""

EVALUATION = record_type(
    [
        ("weight", np.float64, (TALON + 1, len(FEATURES))),
        ("log", np.float64, (64,)),
        ("above_near", np.int64, (TALON,)),
        ("above_far", np.int64, (TALON,)),
        ("above_very_far", np.int64, (TALON,)),
        ("above_parent", np.int64, (TALON,)),
        ("above_child", np.int64, (TALON,)),
        ("above_like", np.int64, (TALON,)),
        ("inversions", np.float64, (COLUMNS, COLUMNS + 1)),
        ("pairs", PAIRS, (PAIRS_KEPT,)),
        ("gap_class", np.int8, (HEIGHTS * HEIGHTS, RANK_COUNT)),
        ("gaps_of", np.int64, (SUITS,)),
        ("parents", np.int64, (LEVELS + 2,)),
        ("free_parents", np.int64, (LEVELS + 2,)),
    ]
)
"""Weights by cards drawn, what follows from the deal alone, and what is noted of a position while
it is valued: the row of `gap_class` for each suit, and the places for the cards of level v in
`parents[v + 2]`. A mask `above_…` of a talon card has the earlier ones, so those it covers in the
waste, that stand to it in some way."""


@kernel
def prepare(game: Record, evaluation: Record) -> None:
    """Fill in what follows from the deal."""
    for at in range(PAIRS_KEPT):
        evaluation.pairs[at].waste = NONE
    for upper in range(game.talon_size):
        card = int64(game.talon_card[upper])
        evaluation.above_near[upper] = 0
        evaluation.above_far[upper] = 0
        evaluation.above_very_far[upper] = 0
        evaluation.above_parent[upper] = 0
        evaluation.above_child[upper] = 0
        evaluation.above_like[upper] = 0
        for lower in range(upper):
            other = int64(game.talon_card[lower])
            bit = int64(1) << lower
            ranks = (card >> 2) - (other >> 2)
            if card & 3 == other & 3:
                if 0 < ranks <= 2:
                    evaluation.above_near[upper] |= bit
                elif 2 < ranks <= 5:
                    evaluation.above_far[upper] |= bit
                elif ranks > 5:
                    evaluation.above_very_far[upper] |= bit
            levels = LEVEL[card] - LEVEL[other]
            if levels == -2:
                evaluation.above_parent[upper] |= bit
            elif levels == 2:
                evaluation.above_child[upper] |= bit
            elif levels == 0:
                evaluation.above_like[upper] |= bit
    for column in range(game.columns):
        for placed in range(column + 2):
            count = 0
            for upper in range(placed):
                for lower in range(upper):
                    card = int64(game.dealt[column, upper])
                    other = int64(game.dealt[column, lower])
                    count += card & 3 == other & 3 and other < card
            evaluation.inversions[column, placed] = count


@kernel
def note_position(game: Record, node: Record, evaluation: Record) -> None:
    """Note what of a position several features ask for."""
    parents = evaluation.parents
    for level in range(2 * game.ranks):
        parents[level] = exposed(node, level)
    # Kings, the highest of which have no parents, lie in empty columns.
    parents[2 * game.ranks] = parents[2 * game.ranks + 1] = int64(node.empty)
    for suit in range(SUITS):
        high, low = int64(node.home[2 * suit]), int64(node.home[2 * suit + 1])
        evaluation.gaps_of[suit] = high * HEIGHTS + low


@kernel
def value_columns(game: Record, node: Record, evaluation: Record, weight: Record) -> float:
    """The part of the value that the cards in place bring."""
    value = 0.0
    for column in range(COLUMNS):
        placed = int64(node.placed[column])
        value += weight[PLACED + placed]
        if placed == 0:
            continue
        value += weight[COLUMN_INVERSIONS] * evaluation.inversions[column, placed]
        for row in range(placed):
            card = int64(game.dealt[column, row])
            gap = int64(evaluation.gap_class[evaluation.gaps_of[card & 3], card >> 2])
            value += weight[PLACED_GAP + gap] + (placed - 1 - row) * weight[PLACED_DEPTH + gap]
        base = int64(game.dealt[column, placed - 1])
        if home_place(node, base) >= 0:
            value += weight[READY_BASES]
        if evaluation.parents[LEVEL[base] + 2] > 0 and (placed > 1 or base >> 2 != game.ranks - 1):
            value += weight[MOVABLE_BASES]
    return float(value)


@kernel
def pairs_of(game: Record, evaluation: Record, waste: int) -> int:
    """Index in `pairs` of what follows from the cards of a waste; counted unless it is there."""
    at = slot_of(waste, 0) & (PAIRS_KEPT - 1)
    pairs = evaluation.pairs[at]
    if pairs.waste == waste:
        return at
    near, far, very_far, parent, child, like = 0, 0, 0, 0, 0, 0
    rises, runs, suits, kings = 0, 0, 0, 0
    before, left = NONE, waste
    while left:
        index = lowest_bit(left)
        left &= left - 1
        near += popcount(waste & evaluation.above_near[index])
        far += popcount(waste & evaluation.above_far[index])
        very_far += popcount(waste & evaluation.above_very_far[index])
        parent += popcount(waste & evaluation.above_parent[index])
        child += popcount(waste & evaluation.above_child[index])
        like += popcount(waste & evaluation.above_like[index])
        card = int64(game.talon_card[index])
        if before != NONE:
            rises += max(0, (card >> 2) - (before >> 2))
            runs += LEVEL[card] == LEVEL[before] + 2
            suits += card == before - 4
        before = card
        kings += card >> 2 == game.ranks - 1
    pairs.waste = waste
    pairs.near, pairs.far, pairs.very_far = near, far, very_far
    pairs.parent, pairs.child, pairs.like = parent, child, like
    pairs.rises, pairs.runs, pairs.suits, pairs.kings = rises, runs, suits, kings
    return at


@kernel
def value_waste(game: Record, node: Record, evaluation: Record, weight: Record) -> float:
    """The part of the value that the waste brings."""
    waste = waste_cards(node)
    size = popcount(waste)
    value = weight[WASTE] * size
    value += weight[WASTE_OVER_8] * max(0, size - 8)
    value += weight[WASTE_OVER_16] * max(0, size - 16)
    value += weight[WASTE_OVER_24] * max(0, size - 24)
    pairs = evaluation.pairs[pairs_of(game, evaluation, waste)]
    value += weight[ABOVE_NEAR] * pairs.near
    value += weight[ABOVE_FAR] * pairs.far
    value += weight[ABOVE_VERY_FAR] * pairs.very_far
    value += weight[ABOVE_PARENT] * pairs.parent
    value += weight[ABOVE_CHILD] * pairs.child
    value += weight[ABOVE_LIKE] * pairs.like
    value += weight[RISES] * pairs.rises
    value += weight[RUN_PAIRS] * pairs.runs
    value += weight[SUIT_PAIRS] * pairs.suits
    value += weight[WASTE_KINGS] * pairs.kings
    above, orphans, left = size, 0, waste
    while left:
        above -= 1
        card = int64(game.talon_card[lowest_bit(left)])
        left &= left - 1
        gap = int64(evaluation.gap_class[evaluation.gaps_of[card & 3], card >> 2])
        value += weight[WASTE_GAP + gap] + weight[WASTE_DEPTH + gap] * evaluation.log[above]
        if card >> 2 < game.ranks - 1 and evaluation.parents[LEVEL[card] + 2] <= 0:
            orphans += 1
            if above < 4:
                value += weight[TOP_ORPHANS] / (1 + above)
    return float(value + weight[ORPHANS] * orphans)


@kernel
def value_stock(game: Record, node: Record, evaluation: Record, weight: Record) -> float:
    """The part of the value that the next cards of the stock bring: how many would find a place."""
    parents = evaluation.free_parents
    for level in range(2 * game.ranks + 2):
        parents[level] = evaluation.parents[level]
    left = node.talon >> node.border << node.border
    seen, placed, at_4, at_8 = 0, 0, 0, 0
    while left and seen < 16:
        card = int64(game.talon_card[lowest_bit(left)])
        left &= left - 1
        seen += 1
        level = LEVEL[card]
        if parents[level + 2] > 0:
            parents[level + 2] -= 1
            parents[level] += 1
            placed += 1
        if seen <= 4:
            at_4 = placed
        if seen <= 8:
            at_8 = placed
    return float(weight[NEXT_4] * at_4 + weight[NEXT_8] * at_8 + weight[NEXT_16] * placed)


@kernel
def evaluate(game: Record, node: Record, evaluation: Record) -> float:
    """The value of a position to the beam; more is better."""
    weight = evaluation.weight[node.border]
    note_position(game, node, evaluation)
    value = value_columns(game, node, evaluation, weight)
    value += value_waste(game, node, evaluation, weight)
    value += value_stock(game, node, evaluation, weight)
    home, lower, lowest, highest = 0, 0, 99, 0
    for suit in range(SUITS):
        high, low = int64(node.home[2 * suit]), int64(node.home[2 * suit + 1])
        home += high + low
        lower += low
        lowest = min(lowest, high)
        highest = max(highest, high)
    value += weight[HOME] * home + weight[LOWER_HOME] * lower
    value += weight[SPREAD] * (highest - lowest) + weight[LOWEST] * lowest
    value += weight[EMPTY] * int64(node.empty) + weight[LANDED] * int64(node.landed)
    for level in range(2, 2 * game.ranks):
        parents = evaluation.parents[level]
        if parents > 0:
            value += weight[PARENTS + (level >> 1) - 1]
            value += weight[MORE_PARENTS + (level >> 1) - 1] * min(parents - 1, 2)
    return float(value)


def gap_class(high: int, low: int, rank: int) -> int:
    """How soon a card can go home: 0 … 5 on the higher place of its suit, 6 or 7 on the lower."""
    gap = rank - high
    if gap >= 0:
        return min(gap, 2) if gap < 3 else 3 if gap < 5 else 4 if gap < 8 else 5
    return 6 if rank - low <= 1 else 7


def by_drawn(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """A set of weights, (2, features), mixed by the cards drawn: (TALON + 1, features)."""
    drawn = np.linspace(0.0, 1.0, TALON + 1)[:, None]
    mixed: NDArray[np.float64] = weights[0] * (1 - drawn) + weights[1] * drawn
    return mixed


def evaluation_record(weights: NDArray[np.float64]) -> Record:
    """An `EVALUATION` with a set of weights filled in."""
    evaluation = np.zeros(1, EVALUATION)[0]
    evaluation.weight[:] = by_drawn(weights)
    evaluation.log[:] = np.log2(1.0 + np.arange(64))
    for row in range(HEIGHTS * HEIGHTS):
        for rank in range(RANK_COUNT):
            evaluation.gap_class[row, rank] = gap_class(*divmod(row, HEIGHTS), rank)
    return evaluation
