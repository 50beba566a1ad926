"""What can never happen: a bound on all play from a position, in about two microseconds.

The *relaxation* is a game in which nothing is ever used up: a card that could once lie open
in a column does so for ever, a foundation that was once so high accepts all cards up to
there. It asks only what can be reached at all.

    a card that can be had lies in a column   if a card that it fits on lies in one; a king,
                                              if a column can be empty
    the foundations of a suit rise            by a card of which one copy (the higher of the
                                              two) or both copies (the lower) can be had
    a dealt card, or one of the talon, leaves if it can lie in another column or if a
                                              foundation of its suit can be as high as it needs;
                                              and if there is room (below)
    what was under it                         can then be had

Room: when a card leaves, all that lay on it in its pile (its column, the waste, its draw) has left
before. Those cards, the card itself, and all that were out before are *out for certain*: they lie
in columns or are home, of each as many at most as the foundations can hold. Each of those in a
column lies on a card of its own, one rank up (a king in a column of its own). So there must be as
many cards of that rank, among those that can be had; and of these, all but the bases lie in
columns too, and need such places in turn, up to the kings and the number of columns.

Proof: by induction over the moves of any real game from the position, taking back included,
what a game brings about is true in the relaxation. A card that leaves has gone onto a card
that lies open, or onto a foundation; both hold there and stay. At that moment the cards under it
are still in their places, so what is open or home then is so in the relaxation before the card
leaves there, and what was said about room is true in the game, so all the more of the greater
numbers there. Copies are counted, so that the lower foundation of a suit never passes a card of
which only one copy can be had.

So if a card never leaves in the relaxation, it never does in the game, which then cannot be won;
and no game has more cards home than the heights there add up to.
"""

from typing import NamedTuple

import numpy as np

from ..engine.bits import highest_bit, lowest_bit, popcount
from ..engine.cards import RANKS, card_text, is_red
from ..engine.jit import Record, int64, kernel, record_type
from .method import Budget, Proof, Result
from .position import (
    CARDS,
    COLUMNS,
    LEVEL,
    LEVEL_CARDS,
    LEVELS,
    SUITS,
    Start,
    base_of,
    waste_cards,
)

SUIT_CARDS = sum(1 << 4 * rank for rank in range(CARDS // 4))
"""The cards of the first suit, a bit each."""
WORTH, SELDOM = 20, 15
"""A search asks at every position while one in `WORTH` can be left out, else at one of
`SELDOM` + 1. By hand."""

RELAXED = record_type(
    [
        ("talon", np.int64),
        ("open", np.int64),
        ("had", np.int64),
        ("once", np.int64),
        ("twice", np.int64),
        ("higher", np.int64),
        ("lower", np.int64),
        ("home", np.uint8, (2 * SUITS,)),
        ("placed", np.uint8, (COLUMNS,)),
        ("bases", np.uint8, (LEVELS,)),
        ("heads", np.int64),
        ("lowest", np.int64),
        ("out_once", np.int64),
        ("out_twice", np.int64),
        ("waste_once", np.int64),
        ("waste_twice", np.int64),
        ("is_on", np.int64),
        ("asked", np.int64),
        ("blocked", np.int64),
    ]
)
"""What the relaxation has come to, mostly a bit each: the cards of the talon that stay; the levels
that can lie in columns, with two bits above the kings for an empty column; the levels of cards that
can be had; the cards of which a copy can be had, and both; those that the higher and the lower
foundation of their suit can hold. `home` is how high the foundations can be, `placed` are the dealt
cards of each column that stay, the last of which is blocked, and `bases` how many of a level can be
bases. `heads` are the cards of the talon that can be had, `lowest` those under which no other lies.
`out_…` are the cards that are out of their dealt places in the position itself, `waste_…` those and
the cards of the waste that have left. If it `is_on`, a search has `asked` it so many times
(`is_blocked`), and been told of so many positions that they are `blocked`."""


@kernel
def find_heads(game: Record, node: Record) -> tuple[int, int]:
    """Cards of the talon that can be had at once, and those under which no other lies.

    While there may be a recycle, each card is taken to be had at once. In the last pass the
    waste is a pile, and so is each of the draws to come.
    """
    if node.recycles > 0:
        return int64(node.talon), int64(node.talon)
    waste = waste_cards(node)
    heads, lowest = int64(0), waste & -waste
    if waste:
        heads = int64(1) << highest_bit(waste)
    stock, at = node.talon ^ waste, 0
    while stock:
        bit = stock & -stock
        stock ^= bit
        if at == 0:
            lowest |= bit
        at += 1
        if at == game.draw or stock == 0:
            heads |= bit
            at = 0
    return heads, lowest


@kernel
def can_leave(relaxed: Record, card: int, must_land: bool) -> bool:
    """Whether the card, if it can be had, can go to a column or, unless it must land, home."""
    return relaxed.open >> (LEVEL[card] + 2) & 1 != 0 or (
        not must_land and relaxed.home[2 * (card & 3)] >= card >> 2
    )


@kernel
def has_place(game: Record, relaxed: Record, level: int, once: int, twice: int) -> bool:
    """Whether the columns have room for all that is out for certain.

    That is one copy of each card of `once` and both of `twice`; the last that left is of `level`.
    """
    once, twice = once & ~relaxed.higher, twice & ~relaxed.lower
    kings = 2 * game.ranks - 2
    cards = LEVEL_CARDS[level]
    need = popcount(once & cards) + popcount(twice & cards)
    while level < kings:
        level += 2
        cards = LEVEL_CARDS[level]
        if need > popcount(relaxed.once & cards) + popcount(relaxed.twice & cards):
            return False
        need -= int64(relaxed.bases[level])
        # What the cards of a level above need of themselves was seen when the last of them left.
        if need <= popcount(once & cards) + popcount(twice & cards):
            return True
    # The kings were there before the last card left, so its column counts as taken.
    cards = LEVEL_CARDS[level ^ 1]
    need += popcount(once & cards) + popcount(twice & cards)
    for column in range(game.columns):
        need += relaxed.placed[column] > 0
    return bool(need <= game.columns)


@kernel
def add_copy(once: int, twice: int, card: int) -> tuple[int, int]:
    """The cards of which there is one copy, and those of which there are both, with one more."""
    bit = int64(1) << card
    return once | bit, twice | (once & bit)


@kernel
def have(relaxed: Record, card: int) -> None:
    """Note that one more copy of the card can be had."""
    relaxed.once, relaxed.twice = add_copy(relaxed.once, relaxed.twice, card)
    relaxed.had |= int64(1) << LEVEL[card]


@kernel
def begin(game: Record, node: Record, relaxed: Record) -> None:
    """Note what holds in the position itself."""
    relaxed.higher = relaxed.lower = once = twice = int64(0)
    for suit in range(game.suits):
        cards = int64(SUIT_CARDS) << suit
        relaxed.home[2 * suit] = node.home[2 * suit]
        relaxed.higher |= cards & ((int64(1) << 4 * node.home[2 * suit]) - 1)
        if game.decks == 2:
            relaxed.home[2 * suit + 1] = node.home[2 * suit + 1]
            relaxed.lower |= cards & ((int64(1) << 4 * node.home[2 * suit + 1]) - 1)
    for card in range(4 * game.ranks):
        once |= int64(node.free[card] > 0) << card
        twice |= int64(node.free[card] > 1) << card
    twice |= relaxed.lower | (once & relaxed.higher)
    once |= relaxed.higher
    relaxed.once, relaxed.twice, relaxed.had = once, twice, int64(0)
    relaxed.open = int64(3) << 2 * game.ranks if node.empty > 0 else int64(0)
    for level in range(2 * game.ranks):
        relaxed.bases[level] = 0
        relaxed.open |= int64(node.open_level[level] > 0) << level
        relaxed.had |= int64(once & LEVEL_CARDS[level] != 0) << level
    for column in range(game.columns):
        relaxed.placed[column] = node.placed[column]
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            have(relaxed, card)
            relaxed.bases[LEVEL[card]] += 1
    relaxed.out_once, relaxed.out_twice = once, twice
    relaxed.waste_once, relaxed.waste_twice = once, twice
    relaxed.talon = node.talon
    relaxed.heads, relaxed.lowest = find_heads(game, node)
    left = int64(relaxed.heads)
    while left:
        have(relaxed, game.talon_card[lowest_bit(left)])
        left &= left - 1


@kernel
def settle(game: Record, relaxed: Record) -> bool:
    """Raise the foundations and open levels as far as the cards that can be had allow.

    Returns whether a foundation has risen.
    """
    risen = False
    for suit in range(game.suits):
        place = 2 * suit
        while relaxed.once >> (4 * relaxed.home[place] + suit) & 1:
            relaxed.higher |= int64(1) << (4 * relaxed.home[place] + suit)
            relaxed.home[place] += 1
            risen = True
        if relaxed.home[place] == game.ranks:
            relaxed.open |= int64(3) << 2 * game.ranks
        place += 1
        while game.decks == 2 and relaxed.twice >> (4 * relaxed.home[place] + suit) & 1:
            relaxed.lower |= int64(1) << (4 * relaxed.home[place] + suit)
            relaxed.home[place] += 1
            risen = True
    more = relaxed.had & relaxed.open >> 2 & ~relaxed.open
    while more:
        relaxed.open |= more
        more = relaxed.had & relaxed.open >> 2 & ~relaxed.open
    return risen


@kernel
def go_on(
    game: Record, node: Record, relaxed: Record, must_land: bool, columns: int, talon: int
) -> None:
    """Add to what the relaxation has come to all that follows while the bases of these columns and
    these talon cards stay, a bit each.

    It comes to the same however it was begun: nothing that was found with more of them staying is
    ever taken back.
    """
    out_once, out_twice = int64(relaxed.out_once), int64(relaxed.out_twice)
    heads, lowest = int64(relaxed.heads), int64(relaxed.lowest)
    waste = waste_cards(node) if node.recycles == 0 else int64(0)
    changed = True
    while changed:
        changed = settle(game, relaxed)
        for column in range(game.columns):
            placed = int64(relaxed.placed[column])
            if placed == 0 or columns >> column & 1:
                continue
            card = int64(game.dealt[column, placed - 1])
            if not can_leave(relaxed, card, False):
                continue
            once, twice = out_once, out_twice
            for row in range(placed, int64(node.placed[column])):
                once, twice = add_copy(once, twice, int64(game.dealt[column, row]))
            while True:
                once, twice = add_copy(once, twice, card)
                if not has_place(game, relaxed, LEVEL[card], once, twice):
                    break
                changed = True
                placed -= 1
                relaxed.placed[column] = placed
                if placed == 0:
                    relaxed.open |= int64(3) << 2 * game.ranks
                    break
                card = int64(game.dealt[column, placed - 1])
                have(relaxed, card)
                relaxed.open |= int64(1) << LEVEL[card]
                relaxed.bases[LEVEL[card]] += 1
                if not can_leave(relaxed, card, False):
                    break
        left = heads & ~talon
        while left:
            bit = left & -left
            left ^= bit
            card = int64(game.talon_card[lowest_bit(bit)])
            if not can_leave(relaxed, card, must_land):
                continue
            once, twice = out_once, out_twice
            if waste & bit:
                once, twice = int64(relaxed.waste_once), int64(relaxed.waste_twice)
            once, twice = add_copy(once, twice, card)
            if not has_place(game, relaxed, LEVEL[card], once, twice):
                continue
            if waste & bit:
                relaxed.waste_once, relaxed.waste_twice = once, twice
            changed = True
            heads ^= bit
            relaxed.talon ^= bit
            if lowest & bit == 0:
                below = highest_bit(relaxed.talon & (bit - 1))
                have(relaxed, game.talon_card[below])
                heads |= int64(1) << below
                left |= (int64(1) << below) & ~talon
    relaxed.heads = heads


@kernel
def relax(game: Record, node: Record, relaxed: Record, must_land: bool) -> int:
    """Fill in `relaxed` for a position; returns the most cards that can ever be home at once.

    With `must_land` cards of the talon go to columns only, not straight home.
    """
    begin(game, node, relaxed)
    return relax_whole(game, node, relaxed, must_land)


@kernel
def relax_whole(game: Record, node: Record, relaxed: Record, must_land: bool) -> int:
    """As `relax`, from what the relaxation has come to already."""
    go_on(game, node, relaxed, must_land, int64(0), int64(0))
    most = 0
    for place in range(2 * game.suits):
        most += int64(relaxed.home[place]) if game.decks == 2 or place & 1 == 0 else 0
    return int64(most)


@kernel
def start_asking(relaxed: Record, is_on: bool) -> None:
    """Make ready for the questions of a search."""
    relaxed.is_on = is_on
    relaxed.asked = relaxed.blocked = 0


@kernel
def pays(found: int, asked: int, number: int) -> bool:
    """Whether to ask at a position: always while one in so many is found, else now and then.

    `number` is that of the position.
    """
    return bool(found * WORTH >= asked or number & SELDOM == 0)


@kernel
def is_blocked(
    game: Record, node: Record, relaxed: Record, must_land: bool, goal: int, number: int
) -> bool:
    """Whether it is seen that fewer than `goal` cards ever come home from a position.

    It is asked while it `pays`; `number` is that of the position.
    """
    if not relaxed.is_on or not pays(relaxed.blocked, relaxed.asked, number):
        return False
    begin(game, node, relaxed)
    return is_blocked_now(game, node, relaxed, must_land, goal)


@kernel
def is_blocked_now(game: Record, node: Record, relaxed: Record, must_land: bool, goal: int) -> bool:
    """As `is_blocked`, asked in any case, of what the relaxation has come to already."""
    relaxed.asked += 1
    if relax_whole(game, node, relaxed, must_land) >= goal:
        return False
    relaxed.blocked += 1
    return True


class Reach(NamedTuple):
    """What can come about at most from a start."""

    home: int
    """Cards home at once."""
    turned: int
    """Face-down cards turned up."""
    landed: int
    """Cards of the talon that go to columns."""


class Relaxation:
    """The method that asks whether the start itself is blocked."""

    def __init__(self) -> None:
        """Reserve its memory."""
        self._relaxed = np.zeros(1, RELAXED)[0]

    def run(self, start: Start, _: Budget) -> Result:
        """A proof that there is no win, if a card can never leave its place."""
        if relax(start.game, start.node, self._relaxed, False) == start.rules.cards:
            return None
        return Proof(_blocked(start.game, self._relaxed))

    def reach(self, start: Start) -> Reach:
        """What can come about at most."""
        game, relaxed = start.game, self._relaxed
        home = relax(game, start.node, relaxed, False)
        turned = sum(start.position.hidden)
        turned -= sum(max(int(placed) - 1, 0) for placed in relaxed.placed[: game.columns])
        landed, gone = 0, int(start.node.talon & ~relaxed.talon)
        while gone:
            level = LEVEL[game.talon_card[lowest_bit(gone)]]
            landed += int(relaxed.open) >> (int(level) + 2) & 1
            gone &= gone - 1
        return Reach(int(home), turned, landed)


def _blocked(game: Record, relaxed: Record) -> str:
    """A line for a person that names what can never leave."""
    # Of several columns it is the one with most cards that stay.
    column = int(np.argmax(relaxed.placed[: game.columns]))
    placed = int(relaxed.placed[column])
    if placed > 0:
        card = int(game.dealt[column, placed - 1])
        return f"{card_text(card)} on column {column + 1} {_why(game, relaxed, card)}"
    if relaxed.talon:
        card = int(game.talon_card[highest_bit(int(relaxed.talon))])
        return f"{card_text(card)} in the stock {_why(game, relaxed, card)}"
    return ""


def _why(game: Record, relaxed: Record, card: int) -> str:
    rank = card >> 2
    if can_leave(relaxed, card, False):
        return "can never leave: more cards would lie in the columns then than have room there"
    if rank == game.ranks - 1:
        place = "no column can be emptied for it"
    else:
        place = f"no {'black' if is_red(card) else 'red'} {RANKS[rank + 1]} can be uncovered for it"
    return f"can never leave: {place}, nor can a foundation take it"
