"""The truth about small deals: every position of the real game is visited, nothing is pruned.

A position is stored bit for bit and compared bit for bit, so no two are ever mixed up; the
only liberty taken is that the higher of a suit's two foundations is written first.

    word 0, 1, 2   two column words each, 32 bits apart
    word 3         47..0 talon   53..48 waste   62..56 recycles, where passes are limited
    word 4         foundations
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from double_solitaire.engine.bits import popcount
from double_solitaire.engine.cards import card_of
from double_solitaire.engine.column import HIDDEN
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.jit import kernel
from double_solitaire.engine.kernel import play, undo
from double_solitaire.engine.listing import MAX_MOVES, TAKE_BACK, count_home, list_moves
from double_solitaire.engine.rules import Rules, Scoring
from double_solitaire.engine.shuffle import GAMMA, mix
from double_solitaire.engine.state import pack

WORDS = 5
MAX_COLUMNS = 6
MAX_STOCK = 48
PROGRESS = 256
SCORES = 256
DONE = -(1 << 31)
COMPLETE, FULL, LATE = range(3)
STATES, MOST_HOME, BEST_SCORE = range(3)
_ZERO = np.uint64(0)

SHAPES = (
    (1, 2, 5, 3, 1, None),
    (1, 2, 6, 4, 3, None),
    (1, 2, 7, 3, 3, None),
    (1, 2, 8, 4, 1, None),
    (1, 2, 8, 5, 1, None),
    (1, 2, 9, 4, 3, None),
    (1, 4, 3, 3, 1, None),
    (1, 4, 4, 2, 3, None),
    (2, 2, 2, 2, 1, None),
    (2, 2, 3, 2, 1, None),
    (2, 2, 3, 3, 3, None),
    (2, 2, 4, 5, 3, None),
    (1, 2, 5, 2, 1, 1),
    (1, 2, 7, 3, 3, 1),
    (1, 2, 8, 5, 1, 1),
    (1, 4, 5, 2, 1, 1),
    (1, 4, 5, 3, 3, 1),
    (2, 2, 3, 3, 1, 1),
    (2, 2, 4, 3, 3, 1),
    (2, 2, 5, 2, 1, 1),
    (2, 2, 5, 2, 3, 1),
    (2, 2, 6, 3, 3, 1),
    (2, 2, 7, 2, 3, 1),
    (2, 2, 7, 3, 3, 1),
    (2, 2, 7, 4, 3, 1),
    (2, 4, 2, 2, 3, 1),
    (2, 4, 4, 2, 3, 1),
)
"""Copies, suits, ranks, columns, draw, passes: small enough for nearly every deal to be exhausted,
tight enough for many to be lost."""


@dataclass(frozen=True)
class Truth:
    """What is true of a deal. `straight` is about games in which no card is taken back."""

    winnable: bool
    winnable_straight: bool
    most_home: int
    """Most cards ever on the foundations at once."""
    most_home_straight: int
    best_normal: int
    """Best Normal score, straight, won or not."""
    best_vegas: int
    """The same in Vegas scoring, under the same number of passes."""
    states: int
    """Positions visited."""


@kernel
def store_state(s, row):
    layout = s.layout
    for word in range(3):
        row[word] = layout.tableau[2 * word] | layout.tableau[2 * word + 1] << 32
    row[3] = layout.talon | layout.waste << 48
    if layout.max_recycles >= 0:
        row[3] |= layout.recycles << 56
    row[4] = 0
    for suit in range(4):
        first = s.foundations.heights >> 8 * suit & 15
        second = s.foundations.heights >> 8 * suit + 4 & 15
        row[4] |= (max(first, second) | min(first, second) << 4) << 8 * suit
    return 0


@kernel
def load_state(s, row):
    layout = s.layout
    for word in range(3):
        layout.tableau[2 * word] = row[word] & 0xFFFFFFFF
        layout.tableau[2 * word + 1] = row[word] >> 32
    layout.talon = row[3] & (1 << 48) - 1
    layout.waste = row[3] >> 48 & 63
    layout.recycles = row[3] >> 56
    s.foundations.heights = row[4]
    return 0


@kernel
def find_row(rows, row, table):
    """The slot of the table that holds the number of this row, or the free slot for it."""
    word = _ZERO
    for i in range(WORDS):
        word = mix((word ^ np.uint64(row[i])) + GAMMA)
    mask = len(table) - 1
    slot = np.int64(word >> np.uint64(1)) & mask
    while table[slot] >= 0:
        same = True
        for i in range(WORDS):
            if rows[table[slot], i] != row[i]:
                same = False
        if same:
            break
        slot = slot + 1 & mask
    return slot


@kernel
def turn_of(s):
    """Which list of waiting positions a straight game's position belongs to; lower comes first.

    Less progress first, and at equal progress the higher score. Progress is what straight games
    never undo. Moves without progress bring no points, so no position is left too early.
    """
    layout = s.layout
    progress = count_home(s.foundations) - popcount(layout.talon)
    for column in range(layout.columns):
        progress -= layout.tableau[column] & HIDDEN
    return (progress + PROGRESS // 2) * SCORES - 1 - layout.score // 5


@kernel
def enlist(node, turn, first, after, before):
    """Put a position at the head of a list."""
    head = first[turn]
    first[turn] = node
    after[node] = head
    before[node] = -1 - turn
    if head >= 0:
        before[head] = node
    return 0


@kernel
def delist(node, first, after, before):
    """Take a position out of the list it is in."""
    if before[node] < 0:
        first[-1 - before[node]] = after[node]
    else:
        after[before[node]] = after[node]
    if after[node] >= 0:
        before[after[node]] = before[node]
    before[node] = DONE
    return 0


@kernel
def explore(s, taking_back, rows, score, first, after, before, table, moves, out):
    """Visit all positions reachable from `s`; `FULL` if there are more than `len(rows) - 1`.

    Straight games: each position is left once, with the highest score it can be reached with,
    which is never worse than a lower one (`LATE` says that this failed). With taking back there
    is no highest score, and all ends with the first win. `first`, `after` and `before` are the
    lists of waiting positions.
    """
    cap = len(rows) - 1
    row = rows[cap]
    layout, foundations = s.layout, s.foundations
    goal = foundations.places * foundations.suits * layout.ranks
    store_state(s, rows[0])
    table[find_row(rows, rows[0], table)] = 0
    score[0] = layout.score
    turn = 0 if taking_back else turn_of(s)
    enlist(0, turn, first, after, before)
    out[STATES] = 1
    out[MOST_HOME] = count_home(foundations)
    out[BEST_SCORE] = layout.score
    while turn < len(first):
        current = first[turn]
        if current < 0:
            turn += 1
            continue
        delist(current, first, after, before)
        load_state(s, rows[current])
        layout.score = score[current]
        for i in range(list_moves(layout, foundations, moves)):
            if moves[i] & 7 == TAKE_BACK and not taking_back:
                continue
            play(layout, foundations, moves[i])
            store_state(s, row)
            slot = find_row(rows, row, table)
            found = table[slot]
            if found < 0:
                found = out[STATES]
                if found == cap:
                    return FULL
                out[STATES] += 1
                table[slot] = found
                for word in range(WORDS):
                    rows[found, word] = row[word]
                out[MOST_HOME] = max(out[MOST_HOME], count_home(foundations))
                enlist(found, 0 if taking_back else turn_of(s), first, after, before)
                score[found] = layout.score
            elif layout.score > score[found] and not taking_back:
                if before[found] == DONE:
                    return LATE
                delist(found, first, after, before)
                enlist(found, turn_of(s), first, after, before)
                score[found] = layout.score
            out[BEST_SCORE] = max(out[BEST_SCORE], layout.score)
            undo(layout, foundations)
            if taking_back and out[MOST_HOME] == goal:
                return COMPLETE
    return COMPLETE


@lru_cache(maxsize=1)
def workspace(cap: int) -> tuple[np.ndarray, ...]:
    """What `explore` needs between the state and `out`, for `cap` positions."""
    return (
        np.zeros((cap + 1, WORDS), np.int64),
        np.zeros(cap, np.int64),
        np.zeros(PROGRESS * SCORES, np.int64),
        np.zeros(cap, np.int64),
        np.zeros(cap, np.int64),
        np.zeros(1 << (2 * cap).bit_length(), np.int64),
        np.zeros(MAX_MOVES, np.int64),
    )


def exhaust(rules: Rules, start: Position, cap: int = 100_000) -> Truth | None:
    """The truth about a position reached without taking back; None if it takes more than `cap`."""
    assert rules.columns <= MAX_COLUMNS and rules.stock <= MAX_STOCK
    # Normal points in any case: of Vegas scoring only the number of passes matters here.
    if rules.scoring is Scoring.VEGAS:
        rules, start = replace(rules, scoring=Scoring.NORMAL), replace(start, score=0)
    straight = visit(rules, start, cap, False)
    if straight is None:
        return None
    free = straight
    if straight[MOST_HOME] < rules.cards:
        free = visit(rules, start, cap, True)
        if free is None:
            return None
    return Truth(
        winnable=free[MOST_HOME] == rules.cards,
        winnable_straight=straight[MOST_HOME] == rules.cards,
        most_home=free[MOST_HOME],
        most_home_straight=straight[MOST_HOME],
        best_normal=straight[BEST_SCORE],
        best_vegas=5 * straight[MOST_HOME] - rules.cards,
        states=max(free[STATES], straight[STATES]),
    )


def visit(rules: Rules, start: Position, cap: int, taking_back: bool) -> list[int] | None:
    rows, score, first, after, before, table, moves = workspace(cap)
    first[:] = -1
    table[:] = -1
    out = np.zeros(3, np.int64)
    s = pack(rules, start)[0]
    status = explore(s, taking_back, rows, score, first, after, before, table, moves, out)
    assert status != LATE
    return out.tolist() if status == COMPLETE else None


def reduced_deals(seed: int, count: int, shapes=SHAPES) -> Iterator[tuple[Rules, Deal]]:
    """Small deals of all shapes, of `SHAPES` about a third lost, the same for the same seed."""
    source = random.Random(seed)
    for _ in range(count):
        copies, suits, ranks, columns, draw, passes = source.choice(shapes)
        scoring = Scoring.NORMAL if passes is None else Scoring.VEGAS
        rules = Rules(
            "RED", "Reduced Solitaire", copies, columns, draw, scoring, passes, ranks, suits
        )
        deck = [
            card_of(rank, suit)
            for _ in range(copies)
            for suit in range(suits)
            for rank in range(ranks)
        ]
        source.shuffle(deck)
        yield rules, Deal.from_order(rules, deck)
