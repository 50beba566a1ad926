"""Steps home that can lose nothing."""

from ..engine.bits import lowest_bit, popcount
from ..engine.jit import Record, int64, kernel
from .position import (
    BASE_HOME,
    CLOSED,
    LEVEL,
    NO_LIMIT,
    SUITS,
    TALON_HOME,
    base_of,
    exposed,
    home_place,
    waste_size,
)


@kernel
def all_up(node: Record, suit: int) -> int:
    """Number of ranks of a suit of which every copy is home."""
    lower = int64(node.home[2 * suit + 1])
    return int64(node.home[2 * suit]) if lower == CLOSED else lower


@kernel
def is_safe(node: Record, card: int, is_free: bool) -> bool:
    """Whether sending the card home, where it is accepted, can lose nothing.

    Say the card c has rank r. Asked is that both copies of every card of the other colour below
    rank r - 1, and of c's colour below r - 2, are home. Take any line of play from here, and play
    the same with c sent home first. Where that line lays a card on c, it is of the other colour and
    of rank r - 1: it goes home instead, whichever copy it is. Where the line lays a card on that
    one, it is of c's colour and of rank r - 2, and goes home instead, too; and all that could lie
    on that is home already. So whatever is uncovered in the line is uncovered here no later, and no
    place in the columns is missing but the one that c itself had, and c is where it must end.

    Only the twin of c can object, where the line sends it home while c waits in the columns. If c
    is free, the twin goes down into the place that c has left: one copy is home and one is free in
    both games. If c was a base or a talon card there is no such place; then both copies of the
    rank below it in its suit are asked to be home, so that the twin goes home as well.
    """
    rank, suit = card >> 2, card & 3
    for other in range(SUITS):
        near = other == suit or other + suit == 3
        if all_up(node, other) < rank - (2 if near else 1):
            return False
    return is_free or all_up(node, suit) >= rank


@kernel
def forced_step(game: Record, node: Record) -> int:
    """A step that can lose nothing, so that the others need not be tried; -1 if none is seen.

    A base or a talon card that is safe at home. A talon card must besides be had at no cost:
    its going must leave all others in reach. With draw 1 and no limit on recycles that is any
    card; with draw 3 the last one, while the waste reaches what the whole waste would; with
    a last pass the top of the waste, or the next of the stock if it is drawn alone.
    """
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if (
                home_place(node, card) >= 0
                and exposed(node, LEVEL[card]) > 0
                and is_safe(node, card, False)
            ):
                return BASE_HOME | column << 3
    size, waste, number = popcount(node.talon), waste_size(node), 0
    left = node.talon
    while left:
        is_last = left & (left - 1) == 0
        index = lowest_bit(left)
        card = int64(game.talon_card[index])
        if node.recycles == NO_LIMIT:
            fits = game.draw == 1 or (is_last and (waste % game.draw == 0 or waste == size))
        else:
            is_next = number == waste and (game.draw == 1 or is_last)
            fits = node.recycles == 0 and (number == waste - 1 or is_next)
        if fits and home_place(node, card) >= 0 and is_safe(node, card, False):
            return TALON_HOME | index << 3
        number += 1
        left &= left - 1
    return -1
