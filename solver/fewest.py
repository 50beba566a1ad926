"""A number of moves that no winning list has fewer than.

Every card that is not home needs a move home, its last one, and the stock has to be drawn once.
To that comes a move for each card that does not go *straight*: the move by which it leaves the
place it was dealt to, or the waste, is not its last. Those moves are all different, and none is a
draw. How many cards cannot go straight is asked of each suit alone: the other suits leave whenever
they like, and of this suit only these rules are kept, two copies of a card being told apart.

    in a column    cards leave from the top
    in the waste   cards leave from the top, and what is drawn comes on top
    straight       a card goes to a foundation that is as high as it needs, at once
    otherwise      it leaves, at the cost of a move, and goes home for nothing when it can

A search by cost finds the least, or stops at a cost below which there is none.

Proof. Take a winning list. A card's *end* is its last move, which brings it to a foundation to
stay; the card below it there had its end earlier. So the ends of a suit, in their order, are a
game by the rules above, in which the cards cost a move that do not go straight: a card that leaves
by being moved with a run on it, or as the top of the waste, is the lowest of what is moved, so that
the move counts for it alone. If a card that is home at the start is taken back, the game above
keeps it there: of each rank it counts the greater of the copies home at the start and of those
whose end is past. Where the end of another copy then raises nothing, that copy is counted as not
going straight, a move, and takes the place of the later end of the one taken back, which has cost
the list two moves: taking back and going home again.

The waste is a pile until it is turned over. A list without a recycle is bounded by that game. One
with a recycle, the first of m cards, costs that recycle and at least as many draws as m cards
take. Those m cards may go straight later. So it costs at least what it takes if the talon is no
pile but all of it within reach, and at least what it takes in the pile but for m cards.
"""

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from .position import COLUMNS, Start
from .table import FULL, SEEN, TAGS, insert, new_table

SUIT_CARDS = 26
"""Of both copies."""

# A position of a suit: heights 4 bits each, the lower first; cards drawn; cards in the talon, a bit
# each; cards in place, mixed radix.
HIGHER = 1 << 4
DRAWN_SHIFT = 8
DRAWN = 31
TALON_SHIFT = 13
PLACED_SHIFT = TALON_SHIFT + SUIT_CARDS

SUIT_GAME = record_type(
    [
        ("ranks", np.int64),
        ("is_pile", np.int64),
        ("placed", np.int64, (COLUMNS,)),
        ("rank", np.int64, (COLUMNS, COLUMNS)),
        ("talon", np.int64),
        ("talon_rank", np.int64, (SUIT_CARDS,)),
        ("drawn_with", np.int64, (SUIT_CARDS,)),
        ("tag", np.int64),
        ("positions", np.int64),
        ("now", np.int64),
        ("next", np.int64),
        ("left", np.int64, (COLUMNS,)),
    ]
)
"""The cards of one suit: the ranks of those in place in each column, from below, and of the `talon`
in the order of drawing; `drawn_with` says how many of it are drawn when that card is. `now` and
`next` positions wait at this cost and the next one. `left` is room for cards left in place."""

MOST_POSITIONS = 250_000
"""Of a suit; by hand: what is not settled by then seldom is with many more."""
ROWS = 1 << 19
"""Of the table: twice as many as positions, as it may be half full."""
ROOM = 1 << 21
"""Positions that may wait; eight for each that is looked at."""
MOST_AT_ONCE = 2 * COLUMNS + SUIT_CARDS + 3
"""More than can follow from a position."""


@kernel
def put_now(suit: Record, now: Record, position: int) -> None:
    """Add a position that costs no more."""
    now[suit.now] = position
    suit.now += 1


@kernel
def put_next(suit: Record, later: Record, position: int) -> None:
    """Add a position that costs one move more."""
    later[suit.next] = position
    suit.next += 1


@kernel
def raised(position: int, is_higher: bool) -> int:
    """The position with the higher or the lower foundation one card higher."""
    return position + (HIGHER if is_higher else 1)


@kernel
def leave(suit: Record, now: Record, later: Record, position: int, gone: int, rank: int) -> bool:
    """Add what follows when a card within reach leaves; `gone` is what it stands for.

    True if nothing else need be tried: its copy is home, so that it goes straight at no loss.
    """
    lower, higher = position & 15, position >> 4 & 15
    if rank in (lower, higher):
        put_now(suit, now, raised(position, rank == higher) - gone)
        if higher > rank:
            return True
    put_next(suit, later, position - gone)
    return False


@kernel
def send_free(suit: Record, now: Record, position: int, talon: int) -> bool:
    """Add what follows when a card goes home that has left; True if that can do no harm.

    It can where its copy is in place yet, which may want to go straight there.
    """
    lower, higher = position & 15, position >> 4 & 15
    for is_higher in range(lower == higher, 2):
        rank = higher if is_higher else lower
        if rank == suit.ranks:
            continue
        held = 0
        for column in range(COLUMNS):
            for row in range(suit.left[column]):
                held += suit.rank[column, row] == rank
        for index in range(suit.talon):
            held += talon >> index & 1 and suit.talon_rank[index] == rank
        if 2 - held - (higher > rank) > 0:
            put_now(suit, now, raised(position, bool(is_higher or lower == higher)))
            if held == 0:
                return True
    return False


@kernel
def follow(suit: Record, now: Record, later: Record, position: int) -> None:
    """Add all that follows from a position; no more than need be tried, where that is seen."""
    talon = position >> TALON_SHIFT & ((1 << SUIT_CARDS) - 1)
    drawn = position >> DRAWN_SHIFT & DRAWN
    placed = position >> PLACED_SHIFT
    for column in range(COLUMNS):
        suit.left[column] = placed % (suit.placed[column] + 1)
        placed //= suit.placed[column] + 1
    if send_free(suit, now, position, talon):
        return
    one = int64(1) << PLACED_SHIFT
    for column in range(COLUMNS):
        left = suit.left[column]
        if left > 0 and leave(suit, now, later, position, one, suit.rank[column, left - 1]):
            return
        one *= suit.placed[column] + 1
    for index in range(drawn - 1, -1, -1):
        if talon >> index & 1:
            gone = int64(1) << (TALON_SHIFT + index)
            if leave(suit, now, later, position, gone, suit.talon_rank[index]):
                return
            if suit.is_pile:
                break
    if drawn < suit.talon:
        put_now(suit, now, position + (suit.drawn_with[drawn] - drawn << DRAWN_SHIFT))


@kernel
def least_cost(suit: Record, table: Record, now: Record, later: Record, start: int) -> int:
    """Cards of the suit that cannot go straight: a number that no game of it has fewer of."""
    suit.positions = suit.next = 0
    suit.now = 1
    now[0] = start
    cost = 0
    while True:
        while suit.now > 0:
            suit.now -= 1
            position = now[suit.now]
            state = insert(table, len(table) - 1, suit.tag, position, 0)
            if state == SEEN:
                continue
            suit.positions += 1
            room = len(now) - MOST_AT_ONCE
            if (
                position & 15 == suit.ranks
                or state == FULL
                or suit.positions > MOST_POSITIONS
                or suit.now > room
                or suit.next > room
            ):
                return cost
            follow(suit, now, later, position)
        if suit.next == 0:
            return cost
        cost += 1
        for at in range(suit.next):
            now[at] = later[at]
        suit.now, suit.next = suit.next, 0


class Fewest:
    """The method that bounds how short a winning list can be."""

    def __init__(self) -> None:
        """Reserve its memory, of which a search touches what it needs."""
        self._suit = np.zeros(1, SUIT_GAME)[0]
        self._table = new_table(ROWS)
        self._now, self._later = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64)

    def run(self, start: Start) -> int:
        """A number of moves that no list from this start to a win has fewer than."""
        rules, position = start.rules, start.position
        stock, talon = len(position.stock), int(start.game.talon_size)
        moves = rules.cards - sum(position.foundations) + -(-stock // rules.draw)
        in_pile = sum(self._cost(start, suit, True) for suit in range(rules.suits))
        if start.node.recycles == 0 or talon == 0:
            return moves + in_pile
        at_hand = sum(self._cost(start, suit, False) for suit in range(rules.suits))
        turned_over = min(
            max(at_hand, in_pile - cards) + 1 + -(-cards // rules.draw)
            for cards in range(1, talon + 1)
        )
        return moves + min(in_pile, turned_over)

    def _cost(self, start: Start, suit: int, is_pile: bool) -> int:
        """How many cards of a suit cannot go straight; the talon is a pile, or all within reach."""
        game, node, record = start.game, start.node, self._suit
        record.tag = record.tag % TAGS + 1
        if record.tag == 1:
            self._table[:] = 0
        record.ranks, record.is_pile = start.rules.ranks, is_pile
        placed, radix = 0, 1
        for column in range(COLUMNS):
            cards = game.dealt[column, : node.placed[column]]
            ranks = cards[cards & 3 == suit] >> 2
            record.placed[column] = len(ranks)
            record.rank[column, : len(ranks)] = ranks
            placed += len(ranks) * radix
            radix *= len(ranks) + 1
        waste, draw = int(node.border), int(game.draw)
        cards = game.talon_card[: game.talon_size]
        own = np.flatnonzero(cards & 3 == suit)
        # A card of the waste is there from the start on, the others come draw by draw.
        batch = np.where(own < waste, 0, (own - waste) // draw + 1)
        drawn_with = (batch[:, None] >= batch[None, :]).sum(axis=1)
        record.talon = len(own)
        record.talon_rank[: len(own)] = cards[own] >> 2
        record.drawn_with[: len(own)] = drawn_with
        drawn = int((own < waste).sum()) if is_pile else len(own)
        home = sorted(int(height) for height in node.home[2 * suit : 2 * suit + 2])
        if start.rules.copies == 1:
            # The second place is as good as full.
            home = [home[0], start.rules.ranks]
        in_talon = (1 << len(own)) - 1
        key = home[0] | home[1] << 4 | drawn << DRAWN_SHIFT | in_talon << TALON_SHIFT
        key |= placed << PLACED_SHIFT
        return int(least_cost(record, self._table, self._now, self._later, key))
