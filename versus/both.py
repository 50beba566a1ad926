"""Positions of both players with all cards known, as the searches of the game for two see them.

Each player's cards are a `NODE` of `solver/position.py`: how open cards are arranged does not
matter, parts of runs move freely, and that ends no turn and is no progress. Which cards of whom
are up does matter, so each side has a set of them; the heights of the foundations follow.

A *step* is what brings the game on, or what ends a turn: a dealt card leaves its place, a card
goes up, the stock is drawn from or turned over, a player passes. Each step but the last three is
progress, as the rules have it, and each progress is a step: a column that is emptied onto another
card, or whose last open card leaves a face-down one, loses a dealt card; no move of free cards
alone does that.
"""

from ..engine.bits import lowest_bit, popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    height_of,
)
from ..engine.moves import INDEX, KIND, SOURCE_SHIFT
from ..solver.position import (
    BASE_DOWN,
    BASE_HOME,
    DRAW_ONCE,
    FREE_HOME,
    GAME,
    LEVEL,
    NO_LIMIT,
    NODE,
    SUITS,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    apply_step,
    base_of,
    draw,
    exposed,
    home_place,
    room,
    waste_size,
    waste_top,
)
from .dead import load_side
from .playout import NOBODY, PASS, is_progress

PASS_STEP = -1
"""The step of who passes."""
NO_STEP = -2
"""A move that only rearranges open cards is no step."""
MAX_STEPS = 48
"""No position has more: of seven columns and eight foundations far less."""
MOST_TALON = 24
MOST_COLUMNS = 7
"""Of a deal of one deck: cards of the stock, and columns."""
KEY_WORDS = 4
"""So many words of 64 bits hold all of a position (`write_words`)."""
MOST_AHEAD = 52
"""A head start of more than a deck decides the game."""
PLAY = record_type(
    [
        ("games", GAME, (2,)),
        ("deck", "i8"),
        ("cards", "i8"),
        ("play_on", "i8"),
        ("ahead", "i8"),
    ]
)
"""What stays the same: both deals; a deck, a bit for each card, and its size; the house rules."""

STAND = record_type(
    [
        ("sides", NODE, (2,)),
        ("up", "i8", (2,)),
        ("turn", "i8"),
        ("last", "i8"),
        ("clean", "i8", (2,)),
        ("through", "i8", (2,)),
        ("passed", "i8", (2,)),
        ("is_over", "i8"),
    ]
)
"""A position; `up` has a bit for each own card that is up, the rest is as in `TABLE`."""


@kernel
def load_table(t: Record, play: Record, stand: Record) -> bool:
    """Write a table with all its cards as a position; False where there is no room for it.

    There is none for house rules under which the arrangement of open cards matters, or under which
    not only the count wins: `fits` and `solo_clear`. Nor is there where both move at once.
    """
    foundations = t.foundations
    if t.fits != 0 or t.solo_clear != 0 or foundations.places != 2:
        return False
    if t.turn not in (0, 1) or abs(t.ahead) > MOST_AHEAD:
        return False
    play.ahead = t.ahead
    play.play_on = t.play_on
    stand.turn = t.turn
    stand.last = t.last
    stand.is_over = int64(t.end != 0)
    deck = int64(0)
    for card in range(4 * t.layouts[0].ranks):
        if card & 3 < foundations.suits:
            deck |= int64(1) << card
    play.deck = deck
    play.cards = t.cards
    for player in range(2):
        layout, side = t.layouts[player], stand.sides[player]
        if layout.columns > MOST_COLUMNS or layout.talon_cards > MOST_TALON:
            return False
        if not load_side(layout, foundations.suits, play.games[player], side):
            return False
        if side.recycles not in (0, NO_LIMIT):
            return False
        stand.clean[player] = t.clean[player]
        stand.through[player] = t.through[player]
        stand.passed[player] = t.passed[player]
        left = int64(0)
        talon = layout.talon
        while talon:
            left |= int64(1) << layout.talon_card[lowest_bit(talon)]
            talon &= talon - 1
        for column in range(layout.columns):
            word = layout.tableau[column]
            for depth in range(word >> RUN_SHIFT & RUN):
                left |= int64(1) << run_card(word, depth)
            for row in range(word & HIDDEN):
                left |= int64(1) << layout.hidden_card[column, row]
        stand.up[player] = deck & ~left
        for suit in range(SUITS):
            first = second = int64(0)
            if suit < foundations.suits:
                first = height_of(foundations, suit, 0)
                second = height_of(foundations, suit, 1)
            side.home[2 * suit] = max(first, second)
            side.home[2 * suit + 1] = min(first, second)
    return True


@kernel
def step_of(layout: Record, move: int) -> int:
    """The step that a legal move of a layout is; `NO_STEP` for one that only rearranges."""
    kind = move & KIND
    if kind == PASS:
        return PASS_STEP
    if kind == DRAW:
        return DRAW_ONCE
    if kind == RECYCLE:
        return TURN_OVER
    if kind == WASTE_TO_FOUNDATION:
        return int64(TALON_HOME | layout.waste - 1 << 3)
    if kind == WASTE_TO_COLUMN:
        return int64(TALON_DOWN | layout.waste - 1 << 3)
    source = move >> SOURCE_SHIFT & INDEX
    word = layout.tableau[source]
    card = run_card(word, 0)
    if kind == COLUMN_TO_FOUNDATION:
        is_base = word >> RUN_SHIFT & RUN == 1
        if is_base and (word & HIDDEN != 0 or card >> 2 != layout.ranks - 1):
            return int64(BASE_HOME | source << 3)
        return int64(FREE_HOME | card << 3)
    if kind == COLUMN_TO_COLUMN and is_progress(layout, move):
        return int64(BASE_DOWN | source << 3)
    return NO_STEP


@kernel
def is_at_rest(play: Record, stand: Record, player: int) -> bool:
    """Whether a player is idle, as the rules say it."""
    if stand.through[player] != 0 or stand.passed[player] != 0:
        return True
    return bool(play.play_on != 0 and popcount(stand.up[player]) == play.cards)


@kernel
def next_turn(play: Record, stand: Record) -> int:
    """End the turn; the game too, if both are idle."""
    if is_at_rest(play, stand, 0) and is_at_rest(play, stand, 1):
        stand.is_over = 1
        return 0
    other = 1 - stand.turn
    if play.play_on == 0 or popcount(stand.up[other]) < play.cards:
        stand.turn = other
    stand.passed[stand.turn] = 0
    return 0


@kernel
def put_up(play: Record, stand: Record, player: int, card: int) -> int:
    """Note that a player's card has gone up; the game may be over."""
    stand.up[player] |= int64(1) << card
    stand.last = player
    other = stand.sides[1 - player]
    for place in range(2 * SUITS):
        other.home[place] = stand.sides[player].home[place]
    if popcount(stand.up[player]) == play.cards and (
        play.play_on == 0 or popcount(stand.up[1 - player]) == play.cards
    ):
        stand.is_over = 1
    return 0


@kernel
def card_of_step(game: Record, node: Record, step: int) -> int:
    """The card that a step takes from the columns or the talon."""
    kind, argument = step & 7, step >> 3
    if kind in (BASE_DOWN, BASE_HOME):
        return base_of(game, node, argument)
    if kind == FREE_HOME:
        return argument
    return int64(game.talon_card[argument])


@kernel
def goes_home(step: int) -> bool:
    """Whether a step puts a card up."""
    return step >= 0 and step & 7 in (BASE_HOME, FREE_HOME, TALON_HOME)


@kernel
def take_step(play: Record, stand: Record, player: int, step: int) -> int:
    """Carry out a step that brings a player on, whoever is in turn."""
    game, node = play.games[player], stand.sides[player]
    card = card_of_step(game, node, step)
    apply_step(game, node, step)
    for each in range(2):
        stand.clean[each] = 0
        stand.through[each] = 0
        stand.passed[each] = 0
    if goes_home(step):
        put_up(play, stand, player, card)
    return 0


@kernel
def do_step(play: Record, stand: Record, step: int) -> int:
    """Carry out a step of the player in turn, by the rules of play in turns."""
    player = stand.turn
    node = stand.sides[player]
    if step == PASS_STEP:
        stand.passed[player] = 1
        return next_turn(play, stand)
    if step & 7 == DRAW_ONCE:
        draw(play.games[player], node)
        if node.talon >> node.border == 0 and stand.clean[player] != 0:
            stand.through[player] = 1
        return next_turn(play, stand)
    if step & 7 == TURN_OVER:
        node.border = 0
        stand.clean[player] = 1
        return 0
    return take_step(play, stand, player, step)


@kernel
def list_columns(game: Record, node: Record, steps: Record) -> int:
    """Write the steps of cards in the columns, those that go up first; returns how many."""
    count = 0
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if home_place(node, card) >= 0 and exposed(node, LEVEL[card]) > 0:
                steps[count] = BASE_HOME | column << 3
                count += 1
    for suit in range(game.suits):
        for place in range(2):
            rank = int64(node.home[2 * suit + place])
            if rank == game.ranks or (place == 1 and rank == node.home[2 * suit]):
                continue
            card = rank << 2 | suit
            if node.free[card] > 0 and exposed(node, LEVEL[card]) > 0:
                steps[count] = FREE_HOME | card << 3
                count += 1
    for column in range(game.columns):
        if node.placed[column] > 0 and room(game, node, base_of(game, node, column)) > 0:
            steps[count] = BASE_DOWN | column << 3
            count += 1
    return count


@kernel
def list_steps(play: Record, stand: Record, steps: Record) -> int:
    """Write the steps of the player in turn to `steps`; returns how many, one at least."""
    game, node = play.games[stand.turn], stand.sides[stand.turn]
    count = 0
    top = waste_top(node)
    if top >= 0:
        card = int64(game.talon_card[top])
        if home_place(node, card) >= 0:
            steps[count] = TALON_HOME | top << 3
            count += 1
        if room(game, node, card) > 0:
            steps[count] = TALON_DOWN | top << 3
            count += 1
    count += list_columns(game, node, steps[count:])
    if node.talon >> node.border != 0:
        steps[count] = DRAW_ONCE
        count += 1
    elif node.talon != 0 and node.recycles == NO_LIMIT:
        steps[count] = TURN_OVER
        count += 1
    steps[count] = PASS_STEP
    return count + 1


@kernel
def worth_of(play: Record, stand: Record) -> int:
    """The lead of A in half cards as it stands; of equal counts the last play is worth a half."""
    lead = popcount(stand.up[0]) - popcount(stand.up[1]) + play.ahead
    if lead != 0:
        return int64(2 * lead)
    if stand.last == NOBODY:
        return 0
    return 1 if stand.last == 0 else -1


@kernel
def write_words(stand: Record, key: Record) -> int:
    """The key of a position: `KEY_WORDS` words that together tell it from every other of a deal."""
    placed = int64(0)
    for player in range(2):
        side = stand.sides[player]
        key[player] = stand.up[player] | waste_size(side) << 52
        for column in range(MOST_COLUMNS):
            placed = placed << 4 | int64(side.placed[column])
    marks = stand.turn | stand.last + 1 << 1
    for player in range(2):
        clean = stand.clean[player] | stand.through[player]
        marks = marks << 3 | clean << 2 | stand.through[player] << 1 | stand.passed[player]
    key[2] = stand.sides[0].talon | stand.sides[1].talon << MOST_TALON | marks << 2 * MOST_TALON
    key[3] = placed
    return 0
