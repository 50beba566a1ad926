"""The abstract position that every search here works on, and the steps between positions.

How the open cards are arranged does not matter (ARCHITECTURE.md, "Why the search is
right"): between two neighbouring ranks of a *level* any card fits any parent, and any part
of a run may move, so only counts count. A level is a rank with one of the two families of
suits that alternate in a run; level = 2 * rank + (red ^ rank & 1), so a card of level v
lies on cards of level v + 2. A position is

    placed[k]   dealt cards of column k still in place, the hidden ones and the base on top
    home[2s]    the higher foundation of suit s, home[2s + 1] the lower one (every step keeps
                that order, which `safe.py` and `relax.py` count on)
    talon       bit i: card i of the talon (waste, then stock, as at the start) is still there
    border      the first index of the talon that is not yet drawn; those before are the waste
    recycles    how often the waste may still become the stock; NO_LIMIT for always
    landed      how many cards have gone from the waste to a column
    lost        points that recycles have cost, where a search counts them
    spent       moves on what need not be: a base laid on another column, a card taken back (and
                put up again), a recycle with the draws of the pass that it begins

and what follows from it (`derive`), kept up to date by each step:

    open_level[v]   open cards of level v in the columns
    free_level[v]   those that have left their dealt place: they lie on a parent, or are
                    kings in a column of their own
    free[c]         copies of card c among them
    empty           columns without cards

`placed`, `home`, `talon` and the size of the waste pack into a key of two words without
loss, so a table of keys never takes one position for another:

    word 0   bits 0-58 talon   59-62 tag
    word 1   bits 0-5 waste    6-37 home, 4 bits each    38-59 placed, mixed radix
             60-62 recycles left, 7 for always

A king dealt at the bottom of a column counts as free as soon as nothing is hidden under it.
"""

from typing import NamedTuple

import numpy as np

from ..engine.bits import highest_bit, lowest_bit, popcount
from ..engine.cards import is_red, rank_of
from ..engine.deal import Position
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import (
    POINTS_HOME,
    POINTS_LANDED,
    POINTS_TURN_UP,
    RECYCLE_COST,
    Rules,
    Scoring,
)

COLUMNS = 9
TALON = 59
SUITS = 4
"""Of the larger game: columns, cards of the stock at the start, suits."""
LEVELS = 28
"""Two for each rank, and two above the kings, which lie on nothing."""
CARDS = 52
NO_LIMIT = 255
"""As `NODE.recycles`: more than a byte could be counted down from."""
CLOSED = 15
"""Height of a second foundation that a one-deck game does not have: no card fits it."""

GAME = record_type(
    [
        ("dealt", np.uint8, (COLUMNS, COLUMNS)),
        ("talon_card", np.uint8, (64,)),
        ("talon_size", np.int64),
        ("columns", np.int64),
        ("decks", np.int64),
        ("ranks", np.int64),
        ("suits", np.int64),
        ("draw", np.int64),
        ("base_points", np.int64),
        ("is_vegas", np.int64),
    ]
)
"""What stays the same through a search: the cards and the rules, and the score at the start
(`base_points` is what `points` adds to get it)."""

NODE = record_type(
    [
        ("talon", np.int64),
        ("placed", np.uint8, (COLUMNS,)),
        ("home", np.uint8, (2 * SUITS,)),
        ("free", np.uint8, (CARDS,)),
        ("open_level", np.uint8, (LEVELS,)),
        ("free_level", np.uint8, (LEVELS,)),
        ("border", np.uint8),
        ("recycles", np.uint8),
        ("empty", np.uint8),
        ("landed", np.uint8),
        ("lost", np.int16),
        ("spent", np.int16),
    ]
)
"""A position."""

LEVEL = np.array([2 * rank_of(c) + (is_red(c) ^ (rank_of(c) & 1)) for c in range(CARDS)])
LEVEL_CARDS = np.array(
    [sum(1 << c for c in range(CARDS) if LEVEL[c] == level) for level in range(LEVELS)]
)
"""The cards of each level, a bit each."""

# A step is kind | argument << 3; the argument is a column, a card or an index of the talon.
BASE_DOWN = 0
"""The base of a column, with all that lies on it, to another column; turns up what was under it."""
BASE_HOME = 1
"""The base of a column to a foundation."""
FREE_HOME = 2
"""A free card to a foundation."""
HOME_DOWN = 3
"""A card from a foundation to a column."""
TALON_DOWN = 4
"""A card of the talon to a column."""
TALON_HOME = 5
"""A card of the talon to a foundation."""
DRAW_ONCE = 6
"""One draw from the stock. Only where plans must say when; otherwise talon steps imply draws."""
TURN_OVER = 7
"""The rest of the stock drawn, and the waste turned over."""


@kernel
def home_place(node: Record, card: int) -> int:
    """Index in `home` of the foundation that accepts the card, -1 if none does."""
    rank, place = card >> 2, 2 * (card & 3)
    if node.home[place] == rank:
        return place
    if node.home[place + 1] == rank:
        return place + 1
    return -1


@kernel
def exposed(node: Record, level: int) -> int:
    """How many open cards of a level are covered by nothing (any of them may be those)."""
    covered = int64(node.free_level[level - 2]) if level > 1 else 0
    return int64(node.open_level[level]) - covered


@kernel
def room(game: Record, node: Record, card: int) -> int:
    """How many places among the columns accept the card."""
    if card >> 2 == game.ranks - 1:
        return int64(node.empty)
    return exposed(node, LEVEL[card] + 2)


@kernel
def base_of(game: Record, node: Record, column: int) -> int:
    """The base of a column with `placed` > 0."""
    return int64(game.dealt[column, int64(node.placed[column]) - 1])


@kernel
def add_free(game: Record, node: Record, card: int, is_new: bool) -> None:
    """Count a card that is now free; `is_new` unless it was open before (as a base)."""
    level = LEVEL[card]
    node.free[card] += 1
    node.free_level[level] += 1
    if is_new:
        node.open_level[level] += 1


@kernel
def put_home(node: Record, card: int) -> None:
    """Raise the foundation of a card; one of its suit must accept it."""
    node.home[home_place(node, card)] += 1


@kernel
def turn_up(game: Record, node: Record, column: int) -> None:
    """The base of the column has left: open what is under it, if anything is."""
    left = int64(node.placed[column]) - 1
    node.placed[column] = left
    if left == 0:
        node.empty += 1
        return
    card = int64(game.dealt[column, left - 1])
    if left == 1 and card >> 2 == game.ranks - 1:
        node.placed[column] = 0
        add_free(game, node, card, True)
    else:
        node.open_level[LEVEL[card]] += 1


@kernel
def waste_cards(node: Record) -> int:
    """The cards of the talon that are in the waste, a bit each."""
    return int64(node.talon & ((int64(1) << node.border) - 1))


@kernel
def waste_size(node: Record) -> int:
    """Number of cards in the waste."""
    return popcount(waste_cards(node))


@kernel
def waste_top(node: Record) -> int:
    """Index of the top card of the waste; -1 if there is none."""
    return highest_bit(waste_cards(node))


@kernel
def is_ahead(game: Record, waste: int, number: int, size: int) -> bool:
    """Whether card number `number` of the `size` left in the talon can be had without a recycle.

    `waste` is how many of those are in the waste.
    """
    return number == waste - 1 or (
        number >= waste and ((number + 1 - waste) % game.draw == 0 or number == size - 1)
    )


@kernel
def can_be_had(game: Record, node: Record, waste: int, number: int, size: int) -> bool:
    """Whether card number `number` of the talon can become the waste's top at all.

    One recycle reaches whatever many do.
    """
    return is_ahead(game, waste, number, size) or (
        node.recycles > 0 and ((number + 1) % game.draw == 0 or number == size - 1)
    )


@kernel
def is_reachable(game: Record, node: Record, index: int) -> bool:
    """Whether card `index` is still in the talon and can become the top of the waste."""
    bit = int64(1) << index
    if node.talon & bit == 0:
        return False
    number = popcount(node.talon & (bit - 1))
    return can_be_had(game, node, waste_size(node), number, popcount(node.talon))


@kernel
def list_talon(game: Record, node: Record, out: Record) -> int:
    """Write the index of each card of the talon that can become the top of the waste.

    Returns their number (at most `TALON`), in the order of the talon.
    """
    size, waste, number, count = popcount(node.talon), waste_size(node), 0, 0
    left = node.talon
    while left:
        if can_be_had(game, node, waste, number, size):
            out[count] = lowest_bit(left)
            count += 1
        number += 1
        left &= left - 1
    return count


@kernel
def take_from_talon(game: Record, node: Record, index: int) -> None:
    """Remove a card of the talon that can be had; those before it now lie in the waste."""
    bit = int64(1) << index
    if node.recycles != NO_LIMIT:
        number = popcount(node.talon & (bit - 1))
        if not is_ahead(game, waste_size(node), number, popcount(node.talon)):
            node.recycles -= 1
    if waste_top(node) != index:
        node.border = index + 1
    node.talon ^= bit


@kernel
def draw(game: Record, node: Record) -> None:
    """Draw once from the stock."""
    left = node.talon >> node.border
    for _ in range(game.draw):
        if left == 0:
            break
        node.border += lowest_bit(left) + 1
        left = node.talon >> node.border


@kernel
def total_home(node: Record) -> int:
    """Sum of the foundations' heights."""
    total = 0
    for place in range(2 * SUITS):
        total += int64(node.home[place])
    return total


@kernel
def points(game: Record, node: Record) -> int:
    """The Normal score, if no card has been taken back on the way."""
    hidden = 0
    for column in range(game.columns):
        hidden += max(int64(node.placed[column]) - 1, 0)
    earned = POINTS_HOME * total_home(node) + POINTS_LANDED * int64(node.landed)
    return int64(game.base_points) + earned - POINTS_TURN_UP * hidden - int64(node.lost)


@kernel
def recycle_cost(game: Record, node: Record) -> int:
    """Points that turning the waste over now costs: they never fall below 0 by it."""
    return min(RECYCLE_COST, max(points(game, node), 0))


@kernel
def turn_over(game: Record, node: Record) -> None:
    """Turn the waste over, once the rest of the stock is drawn; recycles left are not counted."""
    node.lost += recycle_cost(game, node)
    node.spent += 1 + (popcount(node.talon) + game.draw - 1) // game.draw
    node.border = 0


@kernel
def apply_step(game: Record, node: Record, step: int) -> None:
    """Carry a step out that is legal; which of the equal places it uses does not matter."""
    kind, argument = step & 7, step >> 3
    if kind == BASE_DOWN:
        card = base_of(game, node, argument)
        if card >> 2 == game.ranks - 1:
            node.empty -= 1
        node.spent += 1
        add_free(game, node, card, False)
        turn_up(game, node, argument)
    elif kind == BASE_HOME:
        card = base_of(game, node, argument)
        put_home(node, card)
        node.open_level[LEVEL[card]] -= 1
        turn_up(game, node, argument)
    elif kind == FREE_HOME:
        put_home(node, argument)
        node.free[argument] -= 1
        node.free_level[LEVEL[argument]] -= 1
        node.open_level[LEVEL[argument]] -= 1
        if argument >> 2 == game.ranks - 1:
            node.empty += 1
    elif kind == HOME_DOWN:
        rank, place = argument >> 2, 2 * (argument & 3)
        # Of two places of one height the second is lowered, so that the first stays the higher.
        node.home[place + (node.home[place + 1] == rank + 1)] -= 1
        if argument >> 2 == game.ranks - 1:
            node.empty -= 1
        node.spent += 2
        add_free(game, node, argument, True)
    elif kind == DRAW_ONCE:
        draw(game, node)
    elif kind == TURN_OVER:
        turn_over(game, node)
        if node.recycles != NO_LIMIT:
            node.recycles -= 1
    else:
        card = int64(game.talon_card[argument])
        take_from_talon(game, node, argument)
        if kind == TALON_HOME:
            put_home(node, card)
        else:
            node.landed += 1
            if card >> 2 == game.ranks - 1:
                node.empty -= 1
            add_free(game, node, card, True)


@kernel
def derive(game: Record, node: Record) -> None:
    """Fill in what follows from `placed`, `home` and `talon`."""
    node.open_level[:] = 0
    node.free_level[:] = 0
    for card in range(CARDS):
        copies = game.decks if card >> 2 < game.ranks and card & 3 < game.suits else 0
        for place in range(game.decks if copies else 0):
            copies -= int64(node.home[2 * (card & 3) + place]) > card >> 2
        node.free[card] = copies
    left = node.talon
    while left:
        node.free[game.talon_card[lowest_bit(left)]] -= 1
        left &= left - 1
    node.empty = game.columns
    for column in range(game.columns):
        if node.placed[column] == 1 and base_of(game, node, column) >> 2 == game.ranks - 1:
            node.placed[column] = 0
        for row in range(int64(node.placed[column])):
            node.free[game.dealt[column, row]] -= 1
        if node.placed[column] > 0:
            node.open_level[LEVEL[base_of(game, node, column)]] += 1
            node.empty -= 1
    for card in range(CARDS):
        node.free_level[LEVEL[card]] += node.free[card]
        node.open_level[LEVEL[card]] += node.free[card]
    node.empty -= node.free_level[2 * game.ranks - 2] + node.free_level[2 * game.ranks - 1]


@kernel
def is_open(game: Record, node: Record) -> bool:
    """Whether no card of the columns is hidden."""
    column = 0
    while column < game.columns and node.placed[column] <= 1:
        column += 1
    return bool(column == game.columns)


@kernel
def is_sure_win(game: Record, node: Record) -> bool:
    """Nothing hidden, and every card of the talon can be had or none is left.

    The lowest card that is not home is then always within reach.
    """
    can_be_had = node.talon == 0 or (game.draw == 1 and node.recycles == NO_LIMIT)
    return bool(can_be_had and is_open(game, node))


@kernel
def lay(game: Record, node: Record, order: Record) -> None:
    """Lay cards out; the one way in which a deal, or a game under way, becomes records.

    `node` says how many go where (`placed`, `home`, `border`, `recycles`). `order` has the cards in
    place, row by row (`rules.md` section 5), then those of the waste and of the stock.
    """
    at = 0
    for row in range(game.columns):
        for column in range(game.columns):
            if row < node.placed[column]:
                game.dealt[column, row] = order[at]
                at += 1
    game.talon_size = len(order) - at
    for index in range(game.talon_size):
        game.talon_card[index] = order[at + index]
    node.talon = (int64(1) << game.talon_size) - 1
    node.landed = node.lost = node.spent = 0
    derive(game, node)
    game.base_points = -points(game, node)


@kernel
def pack_placed(game: Record, node: Record) -> int:
    """`placed` as one number of at most 22 bits."""
    mixed = 0
    for column in range(game.columns):
        mixed = mixed * (column + 2) + int64(node.placed[column])
    return mixed


@kernel
def write_key(game: Record, node: Record) -> tuple[int, int]:
    """The key of the position: two words that together tell it from every other.

    A waste whose size makes no difference is normalised: with no limit on recycles, every
    card can be reached with draw 1, and with draw 3 a waste of whole threes reaches what
    the whole waste does.
    """
    waste = waste_size(node)
    if node.recycles == NO_LIMIT and (waste % game.draw == 0 or waste == popcount(node.talon)):
        waste = 0
    word = waste | (int64(node.recycles) & 7) << 60
    for place in range(2 * SUITS):
        word |= int64(node.home[place]) << (6 + 4 * place)
    return int64(node.talon), word | pack_placed(game, node) << 38


class Start(NamedTuple):
    """A position to search from, as the referee has it and as records. No method changes it."""

    rules: Rules
    position: Position
    game: Record
    node: Record


def blank(rules: Rules) -> tuple[Record, Record]:
    """A `GAME` of the rules without cards, and a `NODE` with the places of a new deal."""
    game, node = np.zeros(1, GAME)[0], np.zeros(1, NODE)[0]
    game.columns, game.decks, game.draw = rules.columns, rules.copies, rules.draw
    game.ranks, game.suits = rules.ranks, rules.suits
    game.is_vegas = rules.scoring is Scoring.VEGAS
    node.placed[: rules.columns] = range(1, rules.columns + 1)
    for place in range(2 * SUITS):
        height = 0 if place // 2 < rules.suits else rules.ranks
        node.home[place] = height if place % 2 < rules.places else CLOSED
    node.recycles = NO_LIMIT if rules.recycles is None else rules.recycles
    return game, node


def load(rules: Rules, position: Position) -> Start:
    """A position of the referee with its records."""
    game, node = blank(rules)
    piles = zip(position.columns, position.hidden, strict=True)
    in_place = [cards[: hidden + 1] for cards, hidden in piles]
    node.placed[: rules.columns] = list(map(len, in_place))
    for suit in range(rules.suits):
        heights = position.foundations[suit * rules.places : (suit + 1) * rules.places]
        node.home[2 * suit : 2 * suit + rules.places] = sorted(heights, reverse=True)
    node.border = len(position.waste)
    if rules.recycles is not None:
        node.recycles = rules.recycles - position.recycles
    rows = [cards[row] for row in range(rules.columns) for cards in in_place if row < len(cards)]
    lay(game, node, np.array([*rows, *position.waste, *position.stock], np.int64))
    game.base_points += position.score
    return Start(rules, position, game, node)
