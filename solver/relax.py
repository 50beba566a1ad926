"""What can never happen: a bound on all play from a position, in about a microsecond.

The *relaxation* is a game in which nothing is ever used up: a card that could once lie open
in a column does so for ever, a foundation that was once so high accepts all cards up to
there, and a place takes any number of cards. It asks only what can be reached at all.

    a card that can be had lies in a column   if a card that it fits on lies in one; a king,
                                              if a column can be empty
    the foundations of a suit rise            by a card of which one copy (the higher of the
                                              two) or both copies (the lower) can be had
    a dealt card, or one of the talon, leaves if it can lie in another column or if a
                                              foundation of its suit can be as high as it needs
    what was under it                         can then be had

Proof: by induction over the moves of any real game from the position, taking back included,
what a game brings about is true in the relaxation. A card that leaves has gone onto a card
that lies open, or onto a foundation; both hold there and stay. Copies are counted, so that the
lower foundation of a suit never passes a card of which only one copy can be had.

So if a card never leaves in the relaxation, it never does in the game, which then cannot be won;
and no game has more cards home than the heights there add up to.
"""

import numpy as np

from ..engine.bits import highest_bit, lowest_bit
from ..engine.cards import RANKS, card_text, is_red
from ..engine.jit import Record, int64, kernel, record_type
from .position import COLUMNS, LEVEL, SUITS, base_of

RELAXED = record_type(
    [
        ("talon", np.int64),
        ("open", np.int64),
        ("had", np.int64),
        ("must_land", np.int64),
        ("once", np.int64),
        ("twice", np.int64),
        ("home", np.uint8, (2 * SUITS,)),
        ("placed", np.uint8, (COLUMNS,)),
    ]
)
"""What the relaxation has come to, mostly a bit each: the cards of the talon that stay; the levels
that can lie in columns, with two bits above the kings for an empty column; the levels of cards that
can be had; the cards of which a copy can be had, and both. `home` is how high the foundations can
be, `placed` are the dealt cards of each column that stay, the last of which is blocked. `must_land`
is for the caller to set: whether cards of the talon go to columns only, not straight home."""


@kernel
def find_heads(game: Record, node: Record) -> tuple[int, int]:
    """Cards of the talon that can be had at once, and those under which no other lies.

    While there may be a recycle, each card is taken to be had at once. In the last pass the
    waste is a pile, and so is each of the draws to come.
    """
    if node.recycles > 0:
        return int64(node.talon), int64(node.talon)
    waste = node.talon & ((int64(1) << node.border) - 1)
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
def have(relaxed: Record, card: int) -> None:
    """Note that one more copy of the card can be had."""
    bit = int64(1) << card
    relaxed.twice |= relaxed.once & bit
    relaxed.once |= bit
    relaxed.had |= int64(1) << LEVEL[card]


@kernel
def begin(game: Record, node: Record, relaxed: Record) -> None:
    """Note what holds in the position itself."""
    relaxed.open = int64(3) << 2 * game.ranks if node.empty > 0 else int64(0)
    relaxed.had = relaxed.once = relaxed.twice = int64(0)
    for level in range(2 * game.ranks):
        if node.open_level[level] > 0:
            relaxed.open |= int64(1) << level
    for card in range(4 * game.ranks):
        if node.free[card] > 0:
            have(relaxed, card)
            if node.free[card] > 1:
                have(relaxed, card)
    for suit in range(game.suits):
        for place in range(2 * suit, 2 * suit + game.decks):
            relaxed.home[place] = node.home[place]
            for rank in range(int64(node.home[place])):
                have(relaxed, 4 * rank + suit)
    for column in range(game.columns):
        relaxed.placed[column] = node.placed[column]
        if node.placed[column] > 0:
            have(relaxed, base_of(game, node, column))


@kernel
def relax(game: Record, node: Record, relaxed: Record) -> int:
    """Fill in `relaxed` for a position; returns the most cards that can ever be home at once."""
    begin(game, node, relaxed)
    heads, lowest = find_heads(game, node)
    relaxed.talon = node.talon
    left = heads
    while left:
        have(relaxed, game.talon_card[lowest_bit(left)])
        left &= left - 1
    most, changed = 0, True
    while changed:
        changed, most = False, 0
        for suit in range(game.suits):
            higher = int64(relaxed.home[2 * suit])
            while higher < game.ranks and relaxed.once >> (4 * higher + suit) & 1:
                higher += 1
                changed = True
            relaxed.home[2 * suit] = higher
            most += higher
            if higher == game.ranks:
                relaxed.open |= int64(3) << 2 * game.ranks
            if game.decks == 2:
                lower = int64(relaxed.home[2 * suit + 1])
                while lower < higher and relaxed.twice >> (4 * lower + suit) & 1:
                    lower += 1
                    changed = True
                relaxed.home[2 * suit + 1] = lower
                most += lower
        more = relaxed.had & relaxed.open >> 2 & ~relaxed.open
        while more:
            relaxed.open |= more
            more = relaxed.had & relaxed.open >> 2 & ~relaxed.open
        for column in range(game.columns):
            placed = int64(relaxed.placed[column])
            while placed > 0 and can_leave(relaxed, game.dealt[column, placed - 1], False):
                placed -= 1
                changed = True
                if placed == 0:
                    relaxed.open |= int64(3) << 2 * game.ranks
                else:
                    card = int64(game.dealt[column, placed - 1])
                    have(relaxed, card)
                    relaxed.open |= int64(1) << LEVEL[card]
            relaxed.placed[column] = placed
        left = heads
        while left:
            bit = left & -left
            left ^= bit
            if can_leave(relaxed, game.talon_card[lowest_bit(bit)], relaxed.must_land != 0):
                changed = True
                heads ^= bit
                relaxed.talon ^= bit
                if lowest & bit == 0:
                    below = highest_bit(relaxed.talon & (bit - 1))
                    have(relaxed, game.talon_card[below])
                    heads |= int64(1) << below
                    left |= int64(1) << below
    return most


def blocked(game: Record, relaxed: Record) -> str:
    """A line for a person that names what can never leave; empty if nothing is blocked.

    Of several columns it is the one with most cards that stay.
    """
    column = int(np.argmax(relaxed.placed[: game.columns]))
    placed = int(relaxed.placed[column])
    if placed > 0:
        card = int(game.dealt[column, placed - 1])
        return f"{card_text(card)} on column {column + 1} {_why(game, card)}"
    if relaxed.talon:
        card = int(game.talon_card[highest_bit(int(relaxed.talon))])
        return f"{card_text(card)} in the stock {_why(game, card)}"
    return ""


def _why(game: Record, card: int) -> str:
    rank = card >> 2
    if rank == game.ranks - 1:
        place = "no column can be emptied for it"
    else:
        place = f"no {'black' if is_red(card) else 'red'} {RANKS[rank + 1]} can be uncovered for it"
    return f"can never leave: {place}, nor can a foundation take it"
