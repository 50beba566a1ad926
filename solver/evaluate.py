"""What a position is worth to the beam: a weighted sum of features, learned from wins.

The weights (`weights.py`) are those that best told positions on the way to a win from others of
the same layer, by logistic regression; the usual set on deals of numbers from 100000 up. Each
set has weights for the beginning and for the end of the stock; between them they are mixed. No
proof depends on any of this.
"""

import numpy as np

from ..engine.bits import lowest_bit, popcount
from ..engine.jit import Record, int64, kernel, record_type
from .position import (
    COLUMNS,
    LEVEL,
    LEVELS,
    SUITS,
    TALON,
    exposed,
    home_place,
    room,
    waste_cards,
)
from .weights import SETS

FEATURES = 94
NONE = -1
# Where the groups of features begin.
PLACED = 0
"""Columns with 0 … 9 cards in place."""
PARENTS = 10
"""For each rank from 2 up, families with an exposed card of it."""
MORE_PARENTS = 22
"""For each rank from 2 up, exposed cards beyond the first of a family, at most 2 each."""
WASTE_GAP = 34
"""Waste cards by how soon they can go home (`gap_class`)."""
WASTE_DEPTH = 42
"""The logarithm of what lies on them, by the same."""
PLACED_GAP = 50
"""Cards in place by how soon they can go home."""
PLACED_DEPTH = 58
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
) = range(66, FEATURES)

EVALUATION = record_type(
    [
        ("weight", np.float64, (TALON + 1, FEATURES)),
        ("log", np.float64, (64,)),
        ("above_near", np.int64, (TALON,)),
        ("above_far", np.int64, (TALON,)),
        ("above_very_far", np.int64, (TALON,)),
        ("above_parent", np.int64, (TALON,)),
        ("above_child", np.int64, (TALON,)),
        ("above_like", np.int64, (TALON,)),
        ("inversions", np.float64, (COLUMNS, COLUMNS + 1)),
        ("free_parents", np.int64, (LEVELS,)),
    ]
)
"""Weights by cards drawn, and what follows from the deal alone. A mask `above_…` of a talon card
has the earlier ones, so those it covers in the waste, that stand to it in some way."""


@kernel
def prepare(game: Record, evaluation: Record) -> None:
    """Fill in what follows from the deal."""
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
def gap_class(node: Record, card: int) -> int:
    """How soon a card can go home: 0 … 5 on the higher place of its suit, 6 or 7 on the lower."""
    rank, place = card >> 2, 2 * (card & 3)
    gap = rank - int64(node.home[place])
    if gap >= 0:
        if gap < 3:
            return gap
        return 3 if gap < 5 else (4 if gap < 8 else 5)
    return 6 if rank - int64(node.home[place + 1]) <= 1 else 7


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
        base = int64(game.dealt[column, placed - 1])
        if home_place(node, base) >= 0:
            value += weight[READY_BASES]
        if room(game, node, base) > 0 and (placed > 1 or base >> 2 != game.ranks - 1):
            value += weight[MOVABLE_BASES]
        for row in range(placed):
            gap = gap_class(node, int64(game.dealt[column, row]))
            value += weight[PLACED_GAP + gap] + (placed - 1 - row) * weight[PLACED_DEPTH + gap]
    return float(value)


@kernel
def value_waste(game: Record, node: Record, evaluation: Record, weight: Record) -> float:
    """The part of the value that the waste brings."""
    waste = waste_cards(node)
    size = popcount(waste)
    value = weight[WASTE] * size
    value += weight[WASTE_OVER_8] * max(0, size - 8)
    value += weight[WASTE_OVER_16] * max(0, size - 16)
    value += weight[WASTE_OVER_24] * max(0, size - 24)
    above, before, left = size, NONE, waste
    while left:
        above -= 1
        index = lowest_bit(left)
        left &= left - 1
        card = int64(game.talon_card[index])
        rank = card >> 2
        value += weight[ABOVE_NEAR] * popcount(waste & evaluation.above_near[index])
        value += weight[ABOVE_FAR] * popcount(waste & evaluation.above_far[index])
        value += weight[ABOVE_VERY_FAR] * popcount(waste & evaluation.above_very_far[index])
        value += weight[ABOVE_PARENT] * popcount(waste & evaluation.above_parent[index])
        value += weight[ABOVE_CHILD] * popcount(waste & evaluation.above_child[index])
        value += weight[ABOVE_LIKE] * popcount(waste & evaluation.above_like[index])
        gap = gap_class(node, card)
        value += weight[WASTE_GAP + gap] + weight[WASTE_DEPTH + gap] * evaluation.log[above]
        if before != NONE:
            value += weight[RISES] * max(0, rank - (before >> 2))
            if LEVEL[card] == LEVEL[before] + 2:
                value += weight[RUN_PAIRS]
            if card == before - 4:
                value += weight[SUIT_PAIRS]
        before = card
        if rank == game.ranks - 1:
            value += weight[WASTE_KINGS]
        elif exposed(node, LEVEL[card] + 2) <= 0:
            value += weight[ORPHANS]
            if above < 4:
                value += weight[TOP_ORPHANS] / (1 + above)
    return float(value)


@kernel
def value_stock(game: Record, node: Record, evaluation: Record, weight: Record) -> float:
    """The part of the value that the next cards of the stock bring: how many would find a place."""
    parents = evaluation.free_parents
    for level in range(2 * game.ranks):
        parents[level] = exposed(node, level)
    empty = int64(node.empty)
    left = node.talon >> node.border << node.border
    seen, placed, at_4, at_8 = 0, 0, 0, 0
    while left and seen < 16:
        card = int64(game.talon_card[lowest_bit(left)])
        left &= left - 1
        seen += 1
        level = LEVEL[card]
        if card >> 2 == game.ranks - 1:
            if empty > 0:
                empty -= 1
                placed += 1
                parents[level] += 1
        elif parents[level + 2] > 0:
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
        parents = exposed(node, level)
        if parents > 0:
            value += weight[PARENTS + (level >> 1) - 1]
            value += weight[MORE_PARENTS + (level >> 1) - 1] * min(parents - 1, 2)
    return float(value)


def evaluation_record(weights: int) -> Record:
    """An array of one `EVALUATION` with these of the `SETS` of weights filled in."""
    evaluation = np.zeros(1, EVALUATION)
    drawn = np.linspace(0.0, 1.0, TALON + 1)[:, None]
    start, end = np.array(SETS[weights])
    evaluation["weight"][0] = start * (1 - drawn) + end * drawn
    evaluation["log"][0] = np.log2(1.0 + np.arange(64))
    return evaluation
