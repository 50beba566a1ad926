"""How many cards each player can still bring, at most: a bound on all play of both.

The *relaxation* is a game in which nothing is ever used up: a card that a player could once have
can be had for ever, and a card that could once lie open in their columns is there for ever.

    the stock                   can be had at once
    the base of a column        leaves if a card that it fits on can lie open, or if it can go up
    what is face down under it  can then be had
    a column                    can be empty if all its cards can leave, or a king can go up
    a card of a player          can go up if it can be had and the copies of the card below that
                                can be up are more than the other's copies of it that are

Proof, by induction over the moves of any real game from the table, of both players in any order:
what a game brings about is true in the relaxation. A card that moves was open, so it can be had,
and it went onto a card that lay open or to a foundation. Of a card going up, less copies of it are
up than of the card below (`heights_of`); those of the card below are no more than can be up, and
those of the card itself at least as many as the other's at the start, since nothing comes back.

So no game gives a player more cards up than can go up here. If that is less than the other has up
already, the other wins however it goes on: the game is *decided*.
"""

import numpy as np

from ..engine.bits import lowest_bit, popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.state import MAX_COLUMNS
from ..solver.position import LEVEL
from .playout import NOBODY, count_up

EMPTY = 3
"""Two bits above those of the kings: the levels on which kings lie, in an empty column."""
BOTH_MOVE = 3
"""Players who move, a bit each."""

REACH = record_type(
    [
        ("had", "i8", (2,)),
        ("open", "i8", (2,)),
        ("up", "i8", (2,)),
        ("can_be_up", "i8", (2,)),
        ("placed", "i8", (2, MAX_COLUMNS)),
        ("base", "i8", (2, MAX_COLUMNS)),
    ]
)
"""Of each player: the cards that can be had, a bit each; the levels that can lie open in columns;
the cards up, and those that can be; the face-down cards of a column that stay, and the card that
lies on them, -1 for none."""


def new_reach() -> Record:
    """An array of one `REACH`."""
    return np.zeros(1, REACH)


@kernel
def open_card(reach: Record, player: int, card: int) -> int:
    """Note that a card can be had and can lie open in a column."""
    reach.had[player] |= int64(1) << card
    reach.open[player] |= int64(1) << LEVEL[card]
    return 0


@kernel
def begin(t: Record, reach: Record) -> int:
    """Note what holds on the table itself."""
    for player in range(2):
        layout = t.layouts[player]
        reach.had[player] = 0
        reach.open[player] = 0
        reach.base[player] = -1
        talon = layout.talon
        while talon:
            reach.had[player] |= int64(1) << layout.talon_card[lowest_bit(talon)]
            talon &= talon - 1
        left = reach.had[player]
        for column in range(layout.columns):
            word = layout.tableau[column]
            hidden = word & HIDDEN
            reach.placed[player, column] = hidden
            if word == 0:
                reach.open[player] |= EMPTY << 2 * layout.ranks
            for depth in range(word >> RUN_SHIFT & RUN):
                card = run_card(word, depth)
                open_card(reach, player, card)
                left |= int64(1) << card
                reach.base[player, column] = card
            for row in range(hidden):
                left |= int64(1) << layout.hidden_card[column, row]
        deck = int64(0)
        for card in range(4 * layout.ranks):
            if card & 3 < t.foundations.suits:
                deck |= int64(1) << card
        reach.up[player] = deck & ~left
        reach.can_be_up[player] = reach.up[player]
    return 0


@kernel
def can_go_up(reach: Record, player: int, card: int) -> bool:
    """Whether a player's card, if it can be had, can go up."""
    others = reach.up[1 - player] >> card & 1
    if card >> 2 == 0:
        return True
    below = card - 4
    copies = (reach.can_be_up[0] >> below & 1) + (reach.can_be_up[1] >> below & 1)
    return bool(copies > others)


@kernel
def widen(ranks: int, dealt: Record, player: int, reach: Record) -> bool:
    """Let all follow once that follows for a player; whether that was anything.

    `dealt` has the face-down cards of each column, from the lowest.
    """
    before = (reach.had[player], reach.open[player], reach.can_be_up[player])
    left = reach.had[player]
    while left:
        card = lowest_bit(left)
        left &= left - 1
        if can_go_up(reach, player, card):
            reach.can_be_up[player] |= int64(1) << card
            if card >> 2 == ranks - 1:
                reach.open[player] |= EMPTY << 2 * ranks
        if reach.open[player] >> LEVEL[card] + 2 & 1 != 0:
            reach.open[player] |= int64(1) << LEVEL[card]
    for column in range(MAX_COLUMNS):
        base = reach.base[player, column]
        while base >= 0 and (
            reach.open[player] >> LEVEL[base] + 2 & 1 != 0
            or reach.can_be_up[player] >> base & 1 != 0
        ):
            hidden = reach.placed[player, column]
            base = -1
            if hidden == 0:
                reach.open[player] |= EMPTY << 2 * ranks
            else:
                base = int64(dealt[column, hidden - 1])
                reach.placed[player, column] = hidden - 1
                open_card(reach, player, base)
            reach.base[player, column] = base
    return bool(before != (reach.had[player], reach.open[player], reach.can_be_up[player]))


@kernel
def find_reach(t: Record, reach: Record) -> int:
    """Fill in `reach`: `can_be_up` are the cards that can ever be up."""
    begin(t, reach)
    goes_on = True
    while goes_on:
        goes_on = False
        for player in range(2):
            layout = t.layouts[player]
            goes_on |= widen(layout.ranks, layout.hidden_card, player, reach)
    return 0


@kernel
def find_reach_at(play: Record, stand: Record, reach: Record, movers: int) -> int:
    """The same for a position of `both.py`, if only the players play whose bits are in `movers`."""
    for player in range(2):
        game, side = play.games[player], stand.sides[player]
        hidden = int64(0)
        reach.open[player] = 0
        reach.base[player] = -1
        for column in range(game.columns):
            placed = int64(side.placed[column])
            reach.placed[player, column] = placed - 1
            if placed > 0:
                reach.base[player, column] = game.dealt[column, placed - 1]
                for row in range(placed - 1):
                    hidden |= int64(1) << game.dealt[column, row]
        for level in range(2 * game.ranks):
            if side.open_level[level] > 0:
                reach.open[player] |= int64(1) << level
        if side.empty > 0:
            reach.open[player] |= EMPTY << 2 * game.ranks
        reach.up[player] = stand.up[player]
        reach.can_be_up[player] = stand.up[player]
        reach.had[player] = play.deck & ~stand.up[player] & ~hidden
        if movers >> player & 1 == 0:
            reach.had[player] = 0
            reach.base[player] = -1
    goes_on = True
    while goes_on:
        goes_on = False
        for player in range(2):
            game = play.games[player]
            goes_on |= widen(game.ranks, game.dealt, player, reach)
    return 0


@kernel
def decided_for(t: Record, reach: Record) -> int:
    """The player for whom the game is decided by the count; `NOBODY` if that is not proved.

    Where cleared columns win, no count decides.
    """
    if t.solo_clear != 0:
        return NOBODY
    find_reach(t, reach)
    for player in range(2):
        ahead = t.ahead if player == 0 else -t.ahead
        if count_up(t, player) + ahead > popcount(reach.can_be_up[1 - player]):
            return player
    return NOBODY
