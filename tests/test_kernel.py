import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from double_solitaire.engine.bits import highest_bit, lowest_bit, popcount
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.errors import DealError
from double_solitaire.engine.jit import kernel
from double_solitaire.engine.kernel import perft, play, undo
from double_solitaire.engine.listing import (
    MAX_MOVES,
    count_home,
    list_moves,
    stock_size,
    waste_size,
)
from double_solitaire.engine.moves import Kind, Move
from double_solitaire.engine.referee import Game
from double_solitaire.engine.rules import REGISTRY, rules_for
from double_solitaire.engine.shuffle import deal_order
from double_solitaire.engine.state import UNDO_LIMIT, pack, unpack
from exhaustive import reduced_deals
from perft_file import check, load_perft

ROWS = load_perft()
VARIANTS = [pytest.param(rules, id=f"{rules.game}-{rules.mode}") for rules in REGISTRY.values()]


def start_of(rules, number):
    return Position.start(rules, deal_number(rules, number))


def listed(s):
    out = np.zeros(MAX_MOVES, np.int64)
    return out[: list_moves(s.layout, s.foundations, out)].tolist()


def without_journal(s):
    """All bits but those of the journal."""
    names = [name for name in s.layout.dtype.names if not name.startswith("journal")]
    return [s.layout[name].tolist() for name in names] + [s.foundations.tolist()]


def walk(s, most, source):
    """Play up to `most` random legal moves and return them."""
    played = []
    while len(played) < most and (moves := listed(s)):
        played.append(source.choice(moves))
        play(s.layout, s.foundations, played[-1])
    return played


def count_sequences(s, depth):
    if depth == 0:
        return 1
    return perft(
        s.layout,
        s.foundations,
        depth,
        np.zeros((depth, MAX_MOVES), np.int64),
        np.zeros(depth, np.int64),
    )


def divide(row):
    s = pack(row.code.rules, start_of(row.code.rules, row.code.number))[0]
    for move in row.moves:
        play(s.layout, s.foundations, move.encode())

    def counts(depth):
        found = {}
        for move in listed(s):
            play(s.layout, s.foundations, move)
            found[str(Move.decode(move))] = count_sequences(s, depth - 1)
            undo(s.layout, s.foundations)
        return found

    return counts


@pytest.mark.parametrize("row", ROWS, ids=[row.id for row in ROWS])
def test_perft(row):
    for depth in row.counts:
        check(row, depth, divide(row))


def walk_beside_referee(rules, position, steps, source):
    """Play the same random moves in both engines, which must show the same at each step."""
    game = Game(rules, position)
    s = pack(rules, position)[0]
    for _ in range(steps):
        assert unpack(s.layout, s.foundations) == game.position()
        moves = game.legal_moves()
        codes = listed(s)
        assert sorted(codes) == sorted(move.encode() for move in moves)
        assert count_home(s.foundations) == game.cards_up
        assert (stock_size(s.layout), waste_size(s.layout)) == (len(game.stock), len(game.waste))
        if not moves:
            return
        forward = [move for move in moves if move.kind is not Kind.TAKE_BACK]
        move = source.choice(forward if forward and source.random() < 0.8 else moves)
        before = game.score
        game.play(move)
        assert play(s.layout, s.foundations, move.encode()) == game.score - before


@pytest.mark.parametrize("rules", VARIANTS)
def test_walks_beside_referee(rules):
    for number in range(2):
        walk_beside_referee(rules, start_of(rules, number), 150, random.Random(number))


def test_walks_beside_referee_on_reduced_decks():
    source = random.Random(1)
    for rules, deal in reduced_deals(11, 60):
        walk_beside_referee(rules, Position.start(rules, deal), 40, source)


@pytest.mark.parametrize("rules", VARIANTS)
def test_conversion_within_a_game(rules):
    s = pack(rules, start_of(rules, 5))[0]
    walk(s, 200, random.Random(5))
    position = unpack(s.layout, s.foundations)
    again = pack(rules, position)[0]
    assert unpack(again.layout, again.foundations) == position
    assert sorted(listed(again)) == sorted(listed(s))


def test_pack_refuses_a_position_that_breaks_the_rules():
    rules = rules_for("DS1", 1, "N")
    start = start_of(rules, 1)
    with pytest.raises(DealError):
        pack(rules, replace(start, stock=start.stock[1:]))


@pytest.mark.parametrize("rules", VARIANTS)
def test_undo_restores_every_bit(rules):
    for number in range(5):
        s = pack(rules, start_of(rules, number))[0]
        before = []
        source = random.Random(number)
        for _ in range(UNDO_LIMIT):
            moves = listed(s)
            if not moves:
                break
            before.append(without_journal(s))
            play(s.layout, s.foundations, source.choice(moves))
        while undo(s.layout, s.foundations) >= 0:
            assert without_journal(s) == before.pop()
        assert not before


def test_undo_brings_back_what_the_floor_swallowed():
    rules = rules_for("DS1", 3, "N")
    position = start_of(rules, 1)
    s = pack(rules, replace(position, stock=(), waste=position.stock, score=30))[0]
    assert play(s.layout, s.foundations, Move(Kind.RECYCLE).encode()) == -30
    assert (s.layout.score, s.layout.recycles) == (0, 1)
    undo(s.layout, s.foundations)
    assert (s.layout.score, s.layout.recycles) == (30, 0)


def test_journal_keeps_the_last_actions():
    rules = rules_for("DS1", 1, "N")
    s = pack(rules, start_of(rules, 3))[0]
    moves = walk(s, UNDO_LIMIT + 50, random.Random(9))
    assert len(moves) == UNDO_LIMIT + 50
    for move in reversed(moves[50:]):
        assert undo(s.layout, s.foundations) == move
    assert undo(s.layout, s.foundations) == -1
    again = pack(rules, start_of(rules, 3))[0]
    for move in moves[:50]:
        play(again.layout, again.foundations, move)
    assert unpack(s.layout, s.foundations) == unpack(again.layout, again.foundations)


@pytest.mark.parametrize(("game", "cards"), [("DS1", 104), ("KL1", 52)])
def test_dealer_equals_the_plain_one(game, cards):
    rules = rules_for(game, 1, "N")
    order = np.zeros(cards, np.int8)
    for number in [*range(200), 2**32, 2**35 - 1]:
        assert deal_order(number, cards, order) == cards
        assert tuple(order.tolist()) == deal_number(rules, number).order()


@kernel
def bits_of(word):
    return popcount(word) * 10000 + lowest_bit(word) * 100 + highest_bit(word)


def test_bit_counts():
    for word in (1, 6, 0b1010000, 1 << 62, (1 << 63) - 1):
        plain = popcount(word) * 10000 + lowest_bit(word) * 100 + highest_bit(word)
        assert bits_of(word) == plain


def trace():
    """What the kernel does, in numbers: moves, scores, counts, words and cards."""
    numbers = []
    with np.errstate(over="ignore"):
        for rules in REGISTRY.values():
            s = pack(rules, start_of(rules, 77))[0]
            numbers += [*walk(s, 60, random.Random(1)), s.layout.score, count_sequences(s, 2)]
            numbers += [undo(s.layout, s.foundations) for _ in range(20)]
            numbers += [s.layout.score, s.layout.talon, s.foundations.heights, *s.layout.tableau]
        order = np.zeros(104, np.int8)
        deal_order(2**35 - 1, 104, order)
    return [int(number) for number in (*numbers, *order)]


def test_same_without_compilation():
    plain = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "import test_kernel; print(test_kernel.trace())"],
        cwd=Path(__file__).parent,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == str(trace())
