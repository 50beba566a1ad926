"""Games for two as compiled functions: the rules of `game.py`, players who see what lies open.

A `TABLE` is two layouts over one set of foundations. Players see the face-up cards of both, how
many lie under them, both wastes and the sizes of the stocks; of the stocks what has gone by.
Nothing else may be read where a move is chosen.

**Casual** is the casual player of the games alone.

**Greedy** puts up what can go up, the lowest card first; uncovers face-down cards, those of the
column with most of them first; moves the upper part of a run away if the card under it can then go
up; empties a column if a king is there to fill it; puts the card on the waste onto a column; else
turns the stock.

**Careful** does the same, but looks across the table first:

1. A card that the other could put up now goes before others (it is contested).
2. A card that *feeds* stays: the next of its suit lies open before the other and not before the
   player. It goes once a pass has brought nothing and the player would lose if that were all.
"""

import numpy as np

from ..engine.bits import popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.kernel import play
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    accepting_place,
    fits_on,
)
from ..engine.moves import COUNT_SHIFT, INDEX, KIND, ONE_CARD, SOURCE_SHIFT, TARGET_SHIFT
from ..engine.rules import Rules
from ..engine.shuffle import GAMMA, mix
from ..engine.state import FOUNDATIONS, LAYOUT, lay_out, set_heights
from ..rating.players import (
    choose_casual,
    king_waits,
    lay_again,
    offer,
    offer_waste,
    red_of,
    start_look,
    turn_stock,
    wanted_cards,
    waste_card,
)
from .game import House, Player, Table, heights_of, position_of

CASUAL, GREEDY, CAREFUL = 0, 1, 2
"""The players, as `play_out` takes them."""
PASS = 7
"""The code of a pass, beside those of moves."""
GOES_ON, OUT, IDLE, CLEAR, DEAD = 0, 1, 2, 3, 4
"""How a game has ended."""
NOBODY = -1
BOTH = -1
MOST_TURNS = 10_000
"""No game has so many: between two of 208 events of progress each stock runs out at most once."""

TABLE = record_type(
    [
        ("layouts", LAYOUT, (2,)),
        ("foundations", FOUNDATIONS),
        ("turn", "i8"),
        ("last", "i8"),
        ("end", "i8"),
        ("winner", "i8"),
        ("turns", "i8"),
        ("clean", "i8", (2,)),
        ("through", "i8", (2,)),
        ("passed", "i8", (2,)),
        ("cards", "i8"),
        ("fits", "i8"),
        ("play_on", "i8"),
        ("solo_clear", "i8"),
        ("ahead", "i8"),
    ]
)
"""Players are 0 and 1. `cards` is the size of a deck; `last` and `winner` may be `NOBODY`, and
`turn` is `BOTH` where both move at once. `ahead` counts for player 0 beside the cards up."""


def pack_table(rules: Rules, table: Table, house: House) -> Record:
    """The table as an array of one `TABLE`, at a start of play. It is trusted."""
    packed = np.zeros(1, TABLE)
    t = packed[0]
    for layout, player, side in zip(t.layouts, Player, table.sides, strict=True):
        lay_out(layout, house.rules_of(rules, player), position_of(side))
    set_heights(t.foundations, rules, heights_of(rules, table.sides))
    order = tuple(Player)
    t.turn = BOTH if table.to_move is None else order.index(table.to_move)
    t.last = NOBODY if table.last is None else order.index(table.last)
    t.winner = NOBODY
    t.clean[:] = 1
    t.cards = rules.cards
    t.fits, t.play_on, t.solo_clear = house.fits, house.play_on, house.solo_clear
    t.ahead = house.ahead
    return packed


@kernel
def lay_table(t: Record, start: Record) -> int:
    """Make a table, of the same deals as `start`, stand as that one does."""
    for player in range(2):
        lay_again(t.layouts[player], start.layouts[player])
        t.clean[player] = start.clean[player]
        t.through[player] = start.through[player]
        t.passed[player] = start.passed[player]
    t.foundations.heights = start.foundations.heights
    t.turn = start.turn
    t.last = start.last
    t.end = start.end
    t.winner = start.winner
    t.turns = start.turns
    return 0


@kernel
def count_up(t: Record, player: int) -> int:
    """Own cards of a player on the foundations."""
    layout = t.layouts[player]
    left = popcount(layout.talon)
    for column in range(layout.columns):
        word = layout.tableau[column]
        left += (word & HIDDEN) + (word >> RUN_SHIFT & RUN)
    up: int = t.cards - left
    return up


@kernel
def find_lead(t: Record) -> int:
    """By how much the count of player 0 is higher."""
    lead: int = count_up(t, 0) - count_up(t, 1) + t.ahead
    return lead


@kernel
def finish(t: Record, end: int, winner: int) -> int:
    """End the game; with `NOBODY` as the winner the count says who that is."""
    t.end = end
    lead = find_lead(t)
    if winner == NOBODY:
        winner = t.last if lead == 0 else int64(lead < 0)
    t.winner = winner
    return 0


@kernel
def is_idle(t: Record, player: int) -> bool:
    """Whether a player has passed, or gone through the stock, since the last progress."""
    if t.through[player] != 0 or t.passed[player] != 0:
        return True
    return bool(t.play_on != 0 and count_up(t, player) == t.cards)


@kernel
def end_turn(t: Record, player: int) -> int:
    """The turn of a player is over; the game too, if both are idle."""
    t.turns += 1
    if is_idle(t, 0) and is_idle(t, 1):
        return finish(t, IDLE, NOBODY)
    if t.turn == BOTH:
        return 0
    other = 1 - player
    if t.play_on == 0 or count_up(t, other) < t.cards:
        t.turn = other
    t.passed[t.turn] = 0
    return 0


@kernel
def waste_fits(t: Record, player: int) -> bool:
    """Whether the card on the waste fits a foundation or a column of its owner."""
    layout = t.layouts[player]
    card = waste_card(layout)
    if accepting_place(t.foundations, card) >= 0:
        return True
    fits = False
    for column in range(layout.columns):
        fits |= fits_on(layout, card >> 2, red_of(card), column)
    return fits


@kernel
def is_progress(layout: Record, move: int) -> bool:
    """Whether a move puts a card up or a waste card down, turns one up, or empties a column."""
    kind = move & KIND
    if kind == COLUMN_TO_COLUMN:
        word = layout.tableau[move >> SOURCE_SHIFT & INDEX]
        if move >> COUNT_SHIFT < word >> RUN_SHIFT & RUN:
            return False
        return bool(word & HIDDEN != 0 or layout.tableau[move >> TARGET_SHIFT & INDEX] != 0)
    return kind in (COLUMN_TO_FOUNDATION, WASTE_TO_FOUNDATION, WASTE_TO_COLUMN)


@kernel
def act(t: Record, player: int, move: int) -> int:
    """Do what is legal for a player, a move or `PASS`."""
    layout = t.layouts[player]
    kind = move & KIND
    if kind == PASS:
        t.passed[player] = 1
        return end_turn(t, player)
    if is_progress(layout, move):
        for each in range(2):
            t.clean[each] = 0
            t.through[each] = 0
            t.passed[each] = 0
    play(layout, t.foundations, move)
    if kind == RECYCLE:
        t.clean[player] = 1
    elif kind == DRAW:
        if layout.talon >> layout.waste == 0 and t.clean[player] != 0:
            t.through[player] = 1
        if t.fits == 0 or not waste_fits(t, player):
            end_turn(t, player)
    elif kind in (COLUMN_TO_FOUNDATION, WASTE_TO_FOUNDATION):
        t.last = player
        up = count_up(t, player)
        if up == t.cards and (t.play_on == 0 or count_up(t, 1 - player) == t.cards):
            finish(t, OUT, NOBODY)
        elif t.solo_clear != 0:
            left = 0
            for column in range(layout.columns):
                left |= layout.tableau[column]
            if left == 0:
                finish(t, CLEAR, player)
    if t.turn == BOTH and t.end == GOES_ON and is_idle(t, 0) and is_idle(t, 1):
        finish(t, IDLE, NOBODY)
    return 0


@kernel
def has_open(layout: Record, card: int) -> bool:
    """Whether a card lies on top of the waste or of a column."""
    if waste_card(layout) == card:
        return True
    for column in range(layout.columns):
        word = layout.tableau[column]
        if word != 0 and run_card(word, 0) == card:
            return True
    return False


_CONTESTED, _UP, _UNCOVER, _RELEASE, _EMPTY, _WASTE, _HELD = 400, 300, 100, 90, 80, 60, 20
"""What a move is worth; the number of face-down cards is added to one that uncovers, the rank taken
from one that goes up. Only their order counts, as in `rating/players.py`: contested cards first."""


@kernel
def is_behind(t: Record, player: int) -> bool:
    """Whether a player would lose if the game ended now."""
    lead = find_lead(t) if player == 0 else -find_lead(t)
    return bool(lead < 0 or (lead == 0 and t.last != player))


@kernel
def worth_up(t: Record, player: int, skill: int, card: int) -> int:
    """What it is worth to a player to put up a card that can go; 0 for nothing."""
    if skill == GREEDY:
        return _UP - (card >> 2)
    mine, others = t.layouts[player], t.layouts[1 - player]
    if has_open(others, card):
        return _CONTESTED - (card >> 2)
    follower = card + 4
    feeds = accepting_place(t.foundations, follower) < 0 and has_open(others, follower)
    if feeds and not has_open(mine, follower):
        return _HELD if t.through[player] != 0 and is_behind(t, player) else 0
    return _UP - (card >> 2)


@kernel
def choose_by_worth(t: Record, player: int, p: Record, skill: int) -> int:
    """The move of the greedy or the careful player; -1 if they see none."""
    layout, foundations = t.layouts[player], t.foundations
    top = start_look(layout, p)
    if top >= 0 and accepting_place(foundations, top) >= 0:
        worth = worth_up(t, player, skill, top)
        if worth > 0:
            offer(p, worth, WASTE_TO_FOUNDATION | ONE_CARD)
    for source in range(layout.columns):
        word = layout.tableau[source]
        if word != 0 and accepting_place(foundations, run_card(word, 0)) >= 0:
            worth = worth_up(t, player, skill, run_card(word, 0))
            if worth > 0:
                move = COLUMN_TO_FOUNDATION | source << SOURCE_SHIFT | ONE_CARD
                offer(p, worth, move)
    if p.best > _UNCOVER + HIDDEN:
        sure: int = p.move
        return sure
    wanted = wanted_cards(layout, foundations)
    for source in range(layout.columns):
        word = layout.tableau[source]
        hidden = word & HIDDEN
        run = word >> RUN_SHIFT & RUN
        for count in range(1, run + 1):
            first = run_card(word, count - 1)
            if wanted >> first & 1 == 0:
                continue
            if count < run:
                under = run_card(word, count)
                if (
                    accepting_place(foundations, under) < 0
                    or worth_up(t, player, skill, under) <= _HELD
                ):
                    continue
                worth = _RELEASE
            elif hidden != 0:
                worth = _UNCOVER + hidden
            elif first >> 2 == layout.ranks - 1 or not king_waits(layout):
                continue
            else:
                worth = _EMPTY
            move = COLUMN_TO_COLUMN | source << SOURCE_SHIFT | count << COUNT_SHIFT
            for target in range(layout.columns):
                if target != source and fits_on(layout, first >> 2, red_of(first), target):
                    offer(p, worth, move | target << TARGET_SHIFT)
    if top >= 0 and wanted >> top & 1 != 0:
        offer_waste(layout, p, top, _WASTE)
    if p.best >= _HELD:
        found: int = p.move
        return found
    return turn_stock(layout)


@kernel
def choose(t: Record, player: int, p: Record, skill: int) -> int:
    """What a player does now, a move or `PASS`."""
    p.looks = 1
    if skill == CASUAL:
        move = choose_casual(t.layouts[player], t.foundations, p)
    else:
        move = choose_by_worth(t, player, p, skill)
    return move if move >= 0 else PASS


@kernel
def play_out(t: Record, p: Record, skill_a: int, skill_b: int) -> int:
    """Play a game in turns to its end; returns the lead of player 0 in cards up.

    `p` is an array of two `PLAYER`s, whose `random` says what chance they have.
    """
    while t.end == GOES_ON and t.turns < MOST_TURNS:
        player = t.turn
        move = choose(t, player, p[player], skill_a if player == 0 else skill_b)
        act(t, player, move)
    return count_up(t, 0) - count_up(t, 1)


@kernel
def seed_players(p: Record, seed: int, game: int, slip_a: int, slip_b: int) -> int:
    """Set the chance of both players for a game; each depends on the side, not on who plays it."""
    for side in range(2):
        p[side].random = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(2 * game + side) * GAMMA)
        p[side].looks = 1
        p[side].fruitless = 0
    p[0].slip = slip_a
    p[1].slip = slip_b
    return 0
