"""Players who do not know the face-down cards, and their games, as compiled functions.

A player sees the face-up cards of the columns, how many cards lie under them, the tops of
the foundations, the waste, and the size of the stock. Of the stock they know the cards that
they have seen go by: none in the first pass, all of them afterwards (`is_seen`). Nothing else
of the record may be read in this file when a move is chosen; a test changes the other cards
and asks for the same choice.

**Casual** plays what they see. A card that can go to a foundation goes. Otherwise any
move that turns a card up or empties a column, or that gets the card on the waste onto a column,
just as it meets the eye. If nothing is seen, they turn the stock. They overlook
`CASUAL_SLIP` of 1024 of the moves on the table each time they look, but no play to a foundation.

**Careful** follows the advice that people publish, in this order:

1. A card goes to a foundation if it can hardly be missed: it is an ace or a two, or the cards
   of the other colour that are lower by two or more are all up. The lowest goes first.
2. Uncover face-down cards, those of the column with most of them first; last, by a card that
   goes to a foundation.
3. Move the upper part of a run away if the card under it can go up by rule 1.
4. Empty a column only if a king is there to fill it: one that lies open on face-down cards, or
   on top of the waste, or in the part of the stock that has been seen.
5. Put the card on the waste onto a column.
6. Turn the stock.
7. If a whole pass has brought nothing: put up the lowest card that rules 1 to 6 hold back.

Where the stock is gone through once only, the card on the waste goes up if it can. Of moves to
columns they overlook `CAREFUL_SLIP` of 1024.

Both look at the whole table after each move, at the start of a pass, and when a king is turned
from the stock; at other draws they look at the card on the waste alone, so what was overlooked
stays so for a while. Neither takes a card back from a foundation.

A game ends when it is won, or sure to be (all cards open, and all of the stock within
reach), and is given up after `PATIENCE` passes in a row without a move other than turning
the stock, or after `MAX_PASSES`. Where no pass is left, a look at the table counts as one.
"""

import numpy as np

from ..engine.column import (
    HIDDEN,
    RANK,
    RANK_SHIFT,
    RED_SHIFT,
    RUN,
    RUN_SHIFT,
    is_red_suit,
    run_card,
)
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.kernel import drawn, play
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    accepting_place,
    can_recycle,
    count_home,
    fits_on,
    height_of,
)
from ..engine.moves import COUNT_SHIFT, KIND, ONE_CARD, SOURCE_SHIFT, TARGET_SHIFT
from ..engine.shuffle import GAMMA, mix

CASUAL, CAREFUL = 0, 1
"""The players; also part of the seed of their games."""
CASUAL_SLIP, CAREFUL_SLIP = 128, 64
"""One move in eight and one in sixteen: by hand; no people were watched for it."""
PATIENCE = 2
"""By hand: in the pass after one without a move everything is looked at once more."""
MAX_PASSES = 100
"""By hand: a bound for games that would not come to an end by themselves."""
NONE = -1
_LOW_RANKS = 2
"""Aces and twos, as in the advice that people publish."""
_BLACK_SUITS, _RED_SUITS = 0b1001, 0b0110
_HALF = np.uint64(32)
_SLIP_BITS = 10

PLAYER = record_type(
    [
        ("random", "u8"),
        ("slip", "i8"),
        ("fruitless", "i8"),
        ("looks", "i8"),
        ("best", "i8"),
        ("equals", "i8"),
        ("move", "i8"),
    ]
)
"""State of SplitMix64; moves of 1024 that are overlooked; passes in a row without a move; 1 to
look at the whole table, 0 at the waste alone; and of this look: the worth of the best move seen,
how many are worth as much, and the one of these that is chosen."""


@kernel
def below(p: Record, count: int) -> int:
    """A random integer in [0, count); the bias for small counts is less than 2**-24."""
    p.random = p.random + GAMMA
    word = mix(p.random)
    index: int = int64((word >> _HALF) * np.uint64(count) >> _HALF)
    return index


@kernel
def offer(p: Record, worth: int, move: int) -> int:
    """Note a move that is seen; of those worth most, each is chosen with equal chance."""
    if worth > p.best:
        p.best = worth
        p.equals = 1
        p.move = move
    elif worth == p.best:
        p.equals += 1
        if below(p, p.equals) == 0:
            p.move = move
    return 0


@kernel
def overlooks(p: Record) -> bool:
    """Whether the player overlooks what is before them."""
    return bool(below(p, 1 << _SLIP_BITS) < p.slip)


@kernel
def is_seen(layout: Record, index: int) -> bool:
    """Whether the card at this place of the talon has been seen: in the waste, or in a pass."""
    return bool(index < layout.waste or layout.recycles > 0)


@kernel
def waste_card(layout: Record) -> int:
    """The top card of the waste; -1 for none."""
    if layout.waste == 0:
        return NONE
    card: int = layout.talon_card[layout.waste - 1]
    return card


@kernel
def start_look(layout: Record, p: Record) -> int:
    """Forget the last look; returns the top card of the waste, -1 for none."""
    p.best = NONE
    p.equals = 0
    p.move = NONE
    top = waste_card(layout)
    if top >> 2 == layout.ranks - 1:
        p.looks = 1
    return top


@kernel
def red_of(card: int) -> int:
    """1 for hearts and diamonds, 0 for spades and clubs."""
    return is_red_suit(card & 3)


@kernel
def offer_run(layout: Record, p: Record, source: int, first: int, worth: int, move: int) -> None:
    """Consider moving a run of a column that begins with this card to each that it fits."""
    for target in range(layout.columns):
        if (
            target != source
            and fits_on(layout, first >> 2, red_of(first), target)
            and not overlooks(p)
        ):
            offer(p, worth, move | target << TARGET_SHIFT)


@kernel
def offer_waste(layout: Record, p: Record, top: int, worth: int) -> None:
    """Consider laying the card on the waste on each column that it fits."""
    for target in range(layout.columns):
        if fits_on(layout, top >> 2, red_of(top), target) and not overlooks(p):
            offer(p, worth, WASTE_TO_COLUMN | target << TARGET_SHIFT | ONE_CARD)


@kernel
def is_missed_by_none(foundations: Record, card: int) -> bool:
    """Whether every card of the other colour that could lie on this one is up, or nearly.

    So for aces and twos, and for a card if each foundation of the other colour holds all
    cards that are lower by two or more.
    """
    rank = card >> 2
    if rank < _LOW_RANKS:
        return True
    red = red_of(card)
    for suit in range(foundations.suits):
        if red_of(suit) != red:
            for place in range(foundations.places):
                if height_of(foundations, suit, place) < rank - 1:
                    return False
    return True


@kernel
def wanted_cards(layout: Record, foundations: Record) -> int:
    """Bit c is set if card c would fit on a foundation or a column, and for kings."""
    wanted: int = 15 << 4 * (layout.ranks - 1)
    for suit in range(foundations.suits):
        for place in range(foundations.places):
            wanted |= 1 << 4 * height_of(foundations, suit, place) + suit
    for column in range(layout.columns):
        word = layout.tableau[column]
        rank = word >> RANK_SHIFT & RANK
        if word != 0 and rank > 0:
            colour = _BLACK_SUITS if word >> RED_SHIFT & 1 else _RED_SUITS
            wanted |= colour << 4 * (rank - 1)
    return wanted


@kernel
def turn_stock(layout: Record) -> int:
    """Draw or recycle, whichever can be done; -1 if neither."""
    if layout.talon >> layout.waste != 0:
        return DRAW | ONE_CARD
    if can_recycle(layout):
        return RECYCLE | ONE_CARD
    return NONE


@kernel
def choose_casual(layout: Record, foundations: Record, p: Record) -> int:
    """The move of the casual player; -1 if they see none."""
    top = start_look(layout, p)
    columns = layout.columns * p.looks
    wanted = wanted_cards(layout, foundations)
    if top >= 0 and accepting_place(foundations, top) >= 0:
        offer(p, 2, WASTE_TO_FOUNDATION | ONE_CARD)
    for source in range(columns):
        word = layout.tableau[source]
        if word != 0 and accepting_place(foundations, run_card(word, 0)) >= 0:
            offer(p, 2, COLUMN_TO_FOUNDATION | source << SOURCE_SHIFT | ONE_CARD)
    if p.move >= 0:
        chosen: int = p.move
        return chosen
    for source in range(columns):
        word = layout.tableau[source]
        if word == 0:
            continue
        run = word >> RUN_SHIFT & RUN
        first = run_card(word, run - 1)
        if wanted >> first & 1 == 0 or (first >> 2 == layout.ranks - 1 and word & HIDDEN == 0):
            continue
        move = COLUMN_TO_COLUMN | source << SOURCE_SHIFT | run << COUNT_SHIFT
        offer_run(layout, p, source, first, 1, move)
    if top >= 0 and wanted >> top & 1 != 0:
        offer_waste(layout, p, top, 1)
    if p.move < 0:
        return turn_stock(layout)
    seen: int = p.move
    return seen


_UP, _UNCOVER, _RELEASE, _EMPTY, _WASTE, _HELD = 200, 100, 90, 80, 60, 20
"""What a move is worth to the careful player; the number of face-down cards is added to one that
uncovers, the rank taken from one that goes up. Only their order counts: that of the rules in the
head of this file."""


@kernel
def open_kings(layout: Record) -> int:
    """Columns whose open run begins with a king and lies on face-down cards."""
    total = 0
    for source in range(layout.columns):
        word = layout.tableau[source]
        if word != 0 and word & HIDDEN != 0:
            first = run_card(word, (word >> RUN_SHIFT & RUN) - 1)
            total += first >> 2 == layout.ranks - 1
    return total


@kernel
def king_waits(layout: Record) -> bool:
    """Whether a king is known that could fill an empty column: open, on the waste, or in stock."""
    if open_kings(layout) > 0:
        return True
    top = waste_card(layout)
    if top >= 0 and top >> 2 == layout.ranks - 1:
        return True
    for index in range(layout.talon_cards):
        if (
            layout.talon >> index & 1 != 0
            and layout.talon_card[index] >> 2 == layout.ranks - 1
            and is_seen(layout, index)
        ):
            return True
    return False


@kernel
def offer_up(
    layout: Record, foundations: Record, p: Record, card: int, helps: bool, move: int
) -> int:
    """Consider a play to a foundation, which may help more than the card would in a column."""
    if accepting_place(foundations, card) < 0:
        return 0
    rank = card >> 2
    if is_missed_by_none(foundations, card):
        return offer(p, _UP - rank, move)
    if helps:
        return offer(p, _UNCOVER - 1, move)
    if p.fruitless > 0:
        return offer(p, _HELD - rank, move)
    return 0


@kernel
def choose_careful(layout: Record, foundations: Record, p: Record) -> int:
    """The move of the careful player; -1 if they see none."""
    top = start_look(layout, p)
    columns = layout.columns * p.looks
    wanted = wanted_cards(layout, foundations)
    if top >= 0:
        is_last_pass = layout.max_recycles >= 0
        offer_up(layout, foundations, p, top, is_last_pass, WASTE_TO_FOUNDATION | ONE_CARD)
    for source in range(columns):
        word = layout.tableau[source]
        if word != 0:
            turns_up = word >> RUN_SHIFT & RUN == 1 and word & HIDDEN != 0
            move = COLUMN_TO_FOUNDATION | source << SOURCE_SHIFT | ONE_CARD
            offer_up(layout, foundations, p, run_card(word, 0), turns_up, move)
    if p.best > _UNCOVER + HIDDEN:
        chosen: int = p.move
        return chosen
    waiting = -1
    for source in range(columns):
        word = layout.tableau[source]
        if word == 0:
            continue
        hidden = word & HIDDEN
        run = word >> RUN_SHIFT & RUN
        for count in range(1, run + 1):
            first = run_card(word, count - 1)
            if wanted >> first & 1 == 0:
                continue
            if count < run:
                under = run_card(word, count)
                if accepting_place(foundations, under) < 0 or not is_missed_by_none(
                    foundations, under
                ):
                    continue
                worth = _RELEASE
            elif hidden != 0:
                worth = _UNCOVER + hidden
            else:
                if first >> 2 == layout.ranks - 1:
                    continue
                if waiting < 0:
                    waiting = int64(king_waits(layout))
                if waiting == 0:
                    continue
                worth = _EMPTY
            move = COLUMN_TO_COLUMN | source << SOURCE_SHIFT | count << COUNT_SHIFT
            offer_run(layout, p, source, first, worth, move)
    if top >= 0 and wanted >> top & 1 != 0:
        offer_waste(layout, p, top, _WASTE)
    if p.best > _HELD:
        found: int = p.move
        return found
    turned = turn_stock(layout)
    if turned >= 0 and not (p.fruitless > 0 and p.move >= 0):
        return turned
    held: int = p.move
    return held


@kernel
def choose(layout: Record, foundations: Record, p: Record, skill: int) -> int:
    """The move of a player, `CASUAL` or `CAREFUL`; -1 if they see none."""
    if skill == CASUAL:
        return choose_casual(layout, foundations, p)
    return choose_careful(layout, foundations, p)


@kernel
def is_sure(layout: Record) -> bool:
    """Whether the rest plays itself: no card is face down, and every other one can be reached."""
    for column in range(layout.columns):
        if layout.tableau[column] & HIDDEN != 0:
            return False
    return bool(layout.talon == 0 or (layout.draw == 1 and layout.max_recycles < 0))


@kernel
def draw_on(layout: Record, foundations: Record) -> int:
    """Draw until a wanted card lies on the waste or the stock is empty.

    The same as one draw after the other, of which the player would use none.
    """
    wanted = wanted_cards(layout, foundations)
    waste = layout.waste
    while layout.talon >> waste != 0:
        waste = drawn(layout, waste)
        if wanted >> layout.talon_card[waste - 1] & 1 != 0:
            break
    layout.waste = waste
    return 0


@kernel
def play_game(s: Record, p: Record, skill: int) -> bool:
    """Play on until the game is won or given up, as the head of this file says; whether won."""
    p.fruitless = 0
    p.looks = 1
    moved = False
    passes = 0
    while not is_sure(s.layout):
        move = choose(s.layout, s.foundations, p, skill)
        kind = move & KIND
        if kind == DRAW:
            draw_on(s.layout, s.foundations)
        elif move >= 0:
            play(s.layout, s.foundations, move)
        if move < 0 or kind == RECYCLE:
            p.fruitless = 0 if moved else p.fruitless + 1
            p.looks = 1
            moved = False
            passes += kind == RECYCLE
            if p.fruitless >= PATIENCE or passes >= MAX_PASSES:
                return False
        elif kind == DRAW:
            p.looks = 0
        else:
            p.looks = 1
            moved = True
            p.fruitless = 0
    return True


@kernel
def lay_again(layout: Record, start: Record) -> int:
    """Make a layout, of the same deal as `start`, lie as that one does."""
    for column in range(layout.columns):
        layout.tableau[column] = start.tableau[column]
    layout.talon = start.talon
    layout.waste = start.waste
    layout.score = start.score
    layout.recycles = start.recycles
    layout.undoable = 0
    layout.journal_top = 0
    return 0


@kernel
def play_games(start: Record, s: Record, p: Record, skill: int, seed: int, ends: Record) -> int:
    """Play a game of one position for each of `ends`, int64, and write the cards up at its end.

    A game won counts as all cards up. Returns the games won. `s` is a copy of `start` and scratch.
    Game i depends on the position, `seed` and i alone.
    """
    slip = CASUAL_SLIP if skill == CASUAL else CAREFUL_SLIP
    all_cards = s.foundations.places * s.foundations.suits * s.layout.ranks
    wins = 0
    for game in range(len(ends)):
        lay_again(s.layout, start.layout)
        s.foundations.heights = start.foundations.heights
        p.random = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(game) * GAMMA)
        p.slip = slip
        if play_game(s, p, skill):
            wins += 1
            ends[game] = all_cards
        else:
            ends[game] = count_home(s.foundations)
    return wins
