"""The strong player: each sensible move is tried on the same samples of the unseen cards.

A sample deals the cards that nobody has seen, of both players, anew to the places where they lie,
each order as likely as the others. After each move the game is played out by players who do not
see them either, so a move's worth is that of real play and not of foresight (Bjarnason, Fern and
Tadepalli, ICAPS 2009; Long and others, AAAI 2010, on what goes wrong otherwise). The player is
careful in the play-outs, and the other greedy or careful, by the odds of what they have done so far
(`habits.py`).

Sequential halving (Karnin, Koren and Somekh, ICML 2013) gives the better half of the moves the next
round of samples. A move is chosen anew after each move and each card turned up.

Where every card has been seen, the moves that lose nothing against the best play of the other are
looked for first (`exact.py`), for as long as play-outs would take; if they are found, only those
are tried.
"""

import numpy as np

from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, kernel, record_type
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    DRAW,
    MAX_MOVES,
    RECYCLE,
    accepting_place,
    list_moves,
)
from ..engine.moves import COUNT_SHIFT, INDEX, KIND, SOURCE_SHIFT, TARGET_SHIFT
from ..engine.shuffle import GAMMA, mix
from ..rating.players import PLAYER, below
from ..solver.position import BASE_HOME, FREE_HOME
from .both import NO_STEP, do_step, step_of
from .exact import EXACT, LIMIT, YES, find_worth, reaches, start_exact
from .playout import (
    CAREFUL,
    GREEDY,
    NOBODY,
    PASS,
    TABLE,
    act,
    is_idle,
    lay_table,
    play_out,
)

MARGIN_WORTH = 0.004
"""What a card of lead is worth beside a game won. By hand; five times as much is not seen to be
better (docs/versus.md)."""
MAX_PLACES = 64
"""Of one player: there are 21 cards face down and 24 in the stock."""
NODES_A_PLAYOUT = 20
"""Positions of the exact search that take about as long as a play-out; an estimate."""
IN_TALON = 1 << 10
"""Marks an unseen place of the talon."""

THINKING = record_type(
    [
        ("table", TABLE),
        ("sample", TABLE),
        ("players", PLAYER, (3,)),
        ("habits", "f8", (2,)),
        ("greedy", "f8", (2,)),
        ("moves", "i8", (MAX_MOVES,)),
        ("worth", "f8", (MAX_MOVES,)),
        ("wins", "f8", (MAX_MOVES,)),
        ("leads", "f8", (MAX_MOVES,)),
        ("squares", "f8", (MAX_MOVES,)),
        ("tries", "i8", (MAX_MOVES,)),
        ("count", "i8"),
        ("playouts", "i8"),
        ("unseen", "i8", (2,)),
        ("places", "i8", (2, MAX_PLACES)),
        ("exact", EXACT),
    ]
)
"""The memory of a player who thinks: a table to play out on and one with sampled cards; those who
play out, and the chance of the samples; how both have played so far, as log odds of greedy to
careful, and in which share of the play-outs each is greedy; the moves tried, sums of what they were
worth, of games won (a game without a winner is half of one), of leads in cards and of their
squares, and how often each was tried; play-outs in all; how many cards of each layout are unseen,
and where they lie; and the memory of the exact search."""


def new_thinking() -> Record:
    """An array of one `THINKING`."""
    return np.zeros(1, THINKING)


@kernel
def is_sensible(layout: Record, foundations: Record, move: int) -> bool:
    """Whether a move between columns may bring the game on; all others may.

    It uncovers a card, empties a column otherwise than for a king's run that lies bare, or frees a
    card that can go up and covers none that can: so it is not taken back, and a turn ends.
    """
    if move & KIND != COLUMN_TO_COLUMN:
        return True
    word = layout.tableau[move >> SOURCE_SHIFT & INDEX]
    count = move >> COUNT_SHIFT
    if count == word >> RUN_SHIFT & RUN:
        return bool(word & HIDDEN != 0 or layout.tableau[move >> TARGET_SHIFT & INDEX] != 0)
    onto = layout.tableau[move >> TARGET_SHIFT & INDEX]
    if onto != 0 and accepting_place(foundations, run_card(onto, 0)) >= 0:
        return False
    return bool(accepting_place(foundations, run_card(word, count)) >= 0)


@kernel
def list_sensible(t: Record, player: int, k: Record) -> int:
    """Write the moves worth trying to `k.moves`; returns how many.

    Of empty columns as targets the first stands for all. A pass is among them where nothing can be
    drawn, or where it would end the game.
    """
    layout = t.layouts[player]
    listed = list_moves(layout, t.foundations, k.moves)
    count = 0
    turns_stock = False
    for index in range(listed):
        move = k.moves[index]
        if not is_sensible(layout, t.foundations, move):
            continue
        target = move >> TARGET_SHIFT & INDEX
        is_twin = False
        for other in range(count):
            same = k.moves[other] ^ move
            before = k.moves[other] >> TARGET_SHIFT & INDEX
            is_twin |= (
                same & ~(INDEX << TARGET_SHIFT) == 0
                and layout.tableau[target] == 0
                and layout.tableau[before] == 0
            )
        if not is_twin:
            k.moves[count] = move
            count += 1
            turns_stock |= move & KIND in (DRAW, RECYCLE)
    if not turns_stock or is_idle(t, 1 - player):
        k.moves[count] = PASS
        count += 1
    return count


def count_sensible(t: Record, k: Record) -> int:
    """How many moves the player in turn would try."""
    return int(list_sensible(t, int(t.turn), k))


@kernel
def find_unseen(layout: Record, places: Record) -> int:
    """Write where the unseen cards of a layout lie to `places`; returns how many there are.

    A place is 16 times the column and the depth, or `IN_TALON` and the place in the talon. Of the
    stock all is known once it has been gone through.
    """
    count = 0
    for column in range(layout.columns):
        for depth in range(layout.tableau[column] & HIDDEN):
            places[count] = column << 4 | depth
            count += 1
    if layout.recycles == 0:
        for index in range(layout.waste, layout.talon_cards):
            if layout.talon >> index & 1 != 0:
                places[count] = IN_TALON | index
                count += 1
    return count


@kernel
def card_at(layout: Record, place: int) -> int:
    """The card at an unseen place."""
    if place & IN_TALON != 0:
        of_talon: int = layout.talon_card[place & IN_TALON - 1]
        return of_talon
    card: int = layout.hidden_card[place >> 4, place & 15]
    return card


@kernel
def put_at(layout: Record, place: int, card: int) -> int:
    """Put a card at an unseen place."""
    if place & IN_TALON != 0:
        layout.talon_card[place & IN_TALON - 1] = card
    else:
        layout.hidden_card[place >> 4, place & 15] = card
    return 0


@kernel
def deal_unseen(k: Record, p: Record) -> int:
    """Deal the unseen cards of both layouts of `k.sample` anew, and those of `k.table` alike."""
    for player in range(2):
        layout, places = k.sample.layouts[player], k.places[player]
        for last in range(k.unseen[player] - 1, 0, -1):
            other = below(p, last + 1)
            card = card_at(layout, places[last])
            put_at(layout, places[last], card_at(layout, places[other]))
            put_at(layout, places[other], card)
        for index in range(k.unseen[player]):
            place = places[index]
            put_at(k.table.layouts[player], place, card_at(layout, place))
    return 0


@kernel
def model_of(k: Record, side: int, seed: np.uint64) -> int:
    """Who plays a side in the play-out of this chance, by `k.greedy`."""
    return GREEDY if uniform(seed) < k.greedy[side] else CAREFUL


@kernel
def uniform(seed: np.uint64) -> float:
    """A number in [0, 1) that a seed gives."""
    found: float = (mix(mix(seed) + GAMMA) >> np.uint64(11)) * 2.0**-53
    return found


@kernel
def play_sample(k: Record, player: int, move: int, seed: int) -> tuple[float, int]:
    """Play a move on the sample and then the game out; -1 for no move.

    Returns what the player has won of it, a game without a winner being half, and their lead. Equal
    seeds are equal chance for both sides.
    """
    lay_table(k.table, k.sample)
    for side in range(2):
        k.players[side].random = mix(seed + np.uint64(side) * GAMMA)
    if move >= 0:
        act(k.table, player, move)
    lead = play_out(
        k.table, k.players, model_of(k, 0, np.uint64(seed)), model_of(k, 1, np.uint64(seed))
    )
    if player == 1:
        lead = -lead
    won = 0.5
    if k.table.winner != NOBODY:
        won = 1.0 if k.table.winner == player else 0.0
    return won, lead


@kernel
def try_moves(k: Record, player: int, alive: int, samples: int) -> int:
    """Try the first `alive` moves on so many more samples, the same for all."""
    chance = k.players[2]
    for _ in range(samples):
        deal_unseen(k, chance)
        for index in range(alive):
            won, lead = play_sample(k, player, k.moves[index], chance.random)
            k.worth[index] += won + MARGIN_WORTH * lead
            k.wins[index] += won
            k.leads[index] += lead
            k.squares[index] += lead * lead
            k.tries[index] += 1
        k.playouts += alive
    return 0


@kernel
def order_moves(k: Record, count: int) -> int:
    """Sort the first moves by their mean worth, best first; equals stay in their order."""
    for index in range(1, count):
        at = index
        while at > 0 and k.worth[at] * k.tries[at - 1] > k.worth[at - 1] * k.tries[at]:
            for numbers in (k.worth, k.wins, k.leads, k.squares):
                numbers[at], numbers[at - 1] = numbers[at - 1], numbers[at]
            for counts in (k.moves, k.tries):
                counts[at], counts[at - 1] = counts[at - 1], counts[at]
            at -= 1
    return 0


@kernel
def start_samples(t: Record, k: Record, seed: int) -> int:
    """Make ready to deal the cards of a table that nobody has seen anew."""
    k.sample = t
    k.table = t
    for side in range(2):
        k.unseen[side] = find_unseen(t.layouts[side], k.places[side])
        sort_unseen(k.sample.layouts[side], k.places[side], k.unseen[side])
        k.players[side].slip = 0
    k.players[2].random = mix(np.uint64(seed) + GAMMA)
    return 0


@kernel
def step_towards(layout: Record, move: int) -> int:
    """The step that a sensible move is, or that it prepares: what it frees goes up."""
    step = step_of(layout, move)
    if step != NO_STEP:
        return step
    source = move >> SOURCE_SHIFT & INDEX
    word, count = layout.tableau[source], move >> COUNT_SHIFT
    card = run_card(word, count)
    is_lowest = count + 1 == word >> RUN_SHIFT & RUN
    if is_lowest and (word & HIDDEN != 0 or card >> 2 != layout.ranks - 1):
        return BASE_HOME | source << 3
    return FREE_HOME | card << 3


@kernel
def keep_best(t: Record, player: int, k: Record, nodes: int) -> int:
    """Of `k.moves` keep those that lose nothing against best play, if all cards are known.

    All are kept where that is not found out within so many positions. A move that prepares another
    is kept only if none is that needs no preparing, so that a turn comes to its end.
    """
    x, layout = k.exact, t.layouts[player]
    for side in range(2):
        # One card that is unseen is known all the same.
        if find_unseen(t.layouts[side], k.places[side]) > 1:
            return 0
    if not start_exact(x, t, nodes) or not find_worth(x, x.root):
        return 0
    x.nodes = 0
    best = 0
    prepares = True
    for index in range(k.count):
        move = k.moves[index]
        x.child = x.root
        do_step(x.play, x.child, step_towards(layout, move))
        answer = reaches(x, x.child, x.lower + player)
        if answer == LIMIT:
            return 0
        k.tries[index] = 0
        if (answer == YES) != (player == 0):
            continue
        k.tries[index] = 1
        best += 1
        prepares &= step_of(layout, move) == NO_STEP
    kept = 0
    for index in range(k.count):
        move = k.moves[index]
        if k.tries[index] == 1 and (prepares or step_of(layout, move) != NO_STEP):
            k.moves[kept] = move
            kept += 1
    if best > 0:
        k.count = kept
    return best


@kernel
def halve(t: Record, player: int, k: Record, playouts: int, seed: int) -> int:
    """Try the first `k.count` of `k.moves` for about so many play-outs, and put the best first."""
    k.playouts = 0
    for index in range(k.count):
        k.worth[index] = 0.0
        k.wins[index] = 0.0
        k.leads[index] = 0.0
        k.squares[index] = 0.0
        k.tries[index] = 0
    if k.count > 1:
        start_samples(t, k, seed)
        rounds = 0
        while 1 << rounds < k.count:
            rounds += 1
        alive = k.count
        for _ in range(rounds):
            try_moves(k, player, alive, max(playouts // (rounds * alive), 1))
            order_moves(k, alive)
            alive = (alive + 1) // 2
    best: int = k.moves[0]
    return best


@kernel
def weigh(t: Record, player: int, k: Record, playouts: int, seed: int) -> int:
    """Try all sensible moves, by play-outs alone; they are left in `k`, best first."""
    k.count = list_sensible(t, player, k)
    return halve(t, player, k, playouts, seed)


@kernel
def think(t: Record, player: int, k: Record, playouts: int, seed: int) -> int:
    """What the strong player does in their turn, a move or `PASS`, for about so many play-outs.

    Of the table nothing is read that nobody has seen; the same seed gives the same choice.
    """
    k.count = list_sensible(t, player, k)
    if k.count > 1:
        keep_best(t, player, k, playouts * NODES_A_PLAYOUT)
    return halve(t, player, k, playouts, seed)


@kernel
def sort_unseen(layout: Record, places: Record, count: int) -> int:
    """Put the unseen cards in order, so that no choice depends on where they really lie."""
    for index in range(1, count):
        at = index
        while at > 0 and card_at(layout, places[at - 1]) > card_at(layout, places[at]):
            card = card_at(layout, places[at])
            put_at(layout, places[at], card_at(layout, places[at - 1]))
            put_at(layout, places[at - 1], card)
            at -= 1
    return 0
