import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from double_solitaire.engine.bits import highest_bit, lowest_bit, popcount
from double_solitaire.engine.deal import Deal, Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.errors import DealError
from double_solitaire.engine.jit import kernel
from double_solitaire.engine.kernel import perft, play, random_walk, undo
from double_solitaire.engine.key import recompute_key
from double_solitaire.engine.listing import (
    MAX_MOVES,
    count_home,
    is_won,
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
    return out[: list_moves(s, out)].tolist()


def key_of(s):
    return tuple(int(word) for word in s.key)


def key_at(rules, position):
    return key_of(pack(rules, position)[0])


def without_journal(s):
    """All bits but those of the journal and the move counter, which undo does not lower."""
    names = [name for name in s.dtype.names if not name.startswith("journal")]
    return [s[name].tolist() for name in names if name != "moves"]


def count_sequences(s, depth):
    if depth == 0:
        return 1
    return perft(s, depth, np.zeros((depth, MAX_MOVES), np.int64), np.zeros(depth, np.int64))


def divide(row):
    s = pack(row.code.rules, start_of(row.code.rules, row.code.number))[0]
    for move in row.moves:
        play(s, move.encode())

    def counts(depth):
        found = {}
        for move in listed(s):
            play(s, move)
            found[str(Move.decode(move))] = count_sequences(s, depth - 1)
            undo(s)
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
    for step in range(steps):
        assert unpack(s) == game.position()
        moves = game.legal_moves()
        codes = listed(s)
        assert sorted(codes) == sorted(move.encode() for move in moves)
        assert count_home(s) == game.cards_up
        assert is_won(s) == game.won
        assert (stock_size(s), waste_size(s)) == (len(game.stock), len(game.waste))
        assert s.moves == game.moves == step
        if not moves:
            return
        forward = [move for move in moves if move.kind is not Kind.TAKE_BACK]
        move = source.choice(forward if forward and source.random() < 0.8 else moves)
        before = game.score
        game.play(move)
        assert play(s, move.encode()) == game.score - before


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
    random_walk(s, 5, np.zeros(MAX_MOVES, np.int64), np.zeros(200, np.int64))
    position = unpack(s)
    again = pack(rules, position)[0]
    assert unpack(again) == position
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
            play(s, source.choice(moves))
        actions = int(s.moves)
        while undo(s) >= 0:
            assert without_journal(s) == before.pop()
        assert not before
        assert s.moves == actions


def test_undo_brings_back_what_the_floor_swallowed():
    rules = rules_for("DS1", 3, "N")
    position = start_of(rules, 1)
    s = pack(rules, replace(position, stock=(), waste=position.stock, score=30))[0]
    assert play(s, Move(Kind.RECYCLE).encode()) == -30
    assert (s.score, s.recycles) == (0, 1)
    undo(s)
    assert (s.score, s.recycles) == (30, 0)


def test_journal_keeps_the_last_actions():
    rules = rules_for("DS1", 1, "N")
    s = pack(rules, start_of(rules, 3))[0]
    moves = np.zeros(UNDO_LIMIT + 50, np.int64)
    assert random_walk(s, 9, np.zeros(MAX_MOVES, np.int64), moves) == len(moves)
    for move in reversed(moves[50:]):
        assert undo(s) == move
    assert undo(s) == -1
    again = pack(rules, start_of(rules, 3))[0]
    for move in moves[:50]:
        play(again, move)
    assert unpack(s) == unpack(again)
    assert key_of(s) == key_of(again)


@pytest.mark.parametrize("rules", VARIANTS)
def test_key_is_kept_up_to_date(rules):
    for number in range(20):
        s = pack(rules, start_of(rules, number))[0]
        played = np.zeros(20, np.int64)
        for step in range(10):
            random_walk(s, 100 * number + step, np.zeros(MAX_MOVES, np.int64), played)
            kept = key_of(s)
            recompute_key(s)
            assert key_of(s) == kept


def test_equal_positions_and_only_they_have_equal_keys():
    for rules, deal in reduced_deals(3, 15):
        s = pack(rules, Position.start(rules, deal))[0]
        key_by_position, position_by_key = {}, {}
        for seed in range(60):
            played = np.zeros(seed % 25, np.int64)
            random_walk(s, seed, np.zeros(MAX_MOVES, np.int64), played)
            while True:
                at = unpack(s)
                pairs = [
                    sorted(at.foundations[i : i + rules.decks])
                    for i in range(0, rules.foundations, rules.decks)
                ]
                position = (at.columns, at.hidden, at.stock, at.waste, str(pairs))
                assert key_by_position.setdefault(position, key_of(s)) == key_of(s)
                assert position_by_key.setdefault(key_of(s), position) == position
                if undo(s) < 0:
                    break


@pytest.fixture
def near_the_end():
    """Spades 3 and 1 up, and a column of two cards that may be hidden or open."""
    rules = rules_for("DS1", 1, "N")
    heights = (3, 1, 13, 13, 13, 13, 13, 13)
    spades = [rank * 4 for height in heights[:2] for rank in range(height, 13)]
    columns = ((spades[0],), (spades[1],)) + ((),) * 7
    return rules, Position(columns, (0,) * 9, tuple(spades[2:]), (), heights, 0)


def test_key_tells_hidden_from_open():
    rules = rules_for("DS1", 1, "N")
    start = start_of(rules, 1)
    nine, eight = 8 * 4, 7 * 4 + 1
    cards = [card for column in start.columns for card in column] + list(start.stock)
    cards.remove(nine)
    cards.remove(eight)
    order = [nine, eight, *cards]
    columns = [(order[2],), tuple(order[:2])]
    place = 3
    for size in range(3, 10):
        columns.append(tuple(order[place : place + size]))
        place += size
    hidden_one = replace(
        start,
        columns=tuple(columns),
        hidden=(0, 1, *range(2, 9)),
        stock=tuple(order[place:]),
    )
    open_one = replace(hidden_one, hidden=(0, 0, *range(2, 9)))
    assert key_at(rules, open_one) != key_at(rules, hidden_one)


def test_key_tells_waste_from_stock(near_the_end):
    rules, position = near_the_end
    split = replace(position, stock=position.stock[1:], waste=position.stock[:1])
    assert key_at(rules, position) != key_at(rules, split)


def test_key_tells_three_and_one_from_two_and_two(near_the_end):
    rules, position = near_the_end
    stock = list(position.stock)
    # The three of spades comes down and the two goes up, so the cards are still all there.
    stock[stock.index(1 * 4)] = 2 * 4
    even = replace(position, stock=tuple(stock), foundations=(2, 2, *position.foundations[2:]))
    assert key_at(rules, position) != key_at(rules, even)


def test_key_takes_the_places_of_a_suit_for_equal(near_the_end):
    rules, position = near_the_end
    swapped = replace(position, foundations=(1, 3, *position.foundations[2:]))
    assert key_at(rules, position) == key_at(rules, swapped)


def test_key_takes_the_copies_of_a_card_for_equal():
    rules = replace(rules_for("DS1", 1, "N"), ranks=2, suits=2, columns=1)
    ace_s, ace_h, two_s, two_h = 0, 1, 4, 5
    deal = Deal(((two_h,),), (ace_s, ace_s, two_s, two_s, ace_h, ace_h, two_h))
    draw, home = Move(Kind.DRAW).encode(), Move(Kind.WASTE_TO_FOUNDATION).encode()
    first, second = (pack(rules, Position.start(rules, deal))[0] for _ in range(2))
    for move in (draw, home, draw):
        play(first, move)
    for move in (draw, draw, home):
        play(second, move)
    assert unpack(first) == unpack(second)
    assert key_of(first) == key_of(second)


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
    """What the kernel does, in numbers: moves, scores, keys, counts and cards."""
    numbers = []
    with np.errstate(over="ignore"):
        for rules in REGISTRY.values():
            s = pack(rules, start_of(rules, 77))[0]
            played = np.zeros(60, np.int64)
            random_walk(s, 1, np.zeros(MAX_MOVES, np.int64), played)
            numbers += [*played.tolist(), int(s.score), *key_of(s), int(count_sequences(s, 2))]
            for _ in range(20):
                numbers.append(int(undo(s)))
            numbers += [int(s.score), int(s.talon), *s.tableau.tolist(), *key_of(s)]
        order = np.zeros(104, np.int8)
        deal_order(2**35 - 1, 104, order)
    return numbers + order.tolist()


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
