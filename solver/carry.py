"""From a plan to the player's moves, on the kernel's own board.

A step that counts only on *some* card of a level to be exposed is carried out by moving the
tail of the card that is wanted onto one of its level that is exposed; the abstraction
promises that there is one. So a step is one move, at most one move of a tail before it, and
what draws and recycles a talon card takes.
"""

from ..engine.bits import popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel
from ..engine.kernel import play
from ..engine.listing import (
    COLUMN_TO_COLUMN,
    COLUMN_TO_FOUNDATION,
    DRAW,
    RECYCLE,
    TAKE_BACK,
    WASTE_TO_COLUMN,
    WASTE_TO_FOUNDATION,
    height_of,
    stock_size,
    waste_size,
)
from ..engine.moves import COUNT_SHIFT, ONE_CARD, SOURCE_SHIFT, TARGET_SHIFT
from .position import (
    BASE_DOWN,
    BASE_HOME,
    FREE_HOME,
    HOME_DOWN,
    LEVEL,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    apply_step,
)

MAX_MOVES = 8192
"""Room for 59 talon cards at most that take 120 draws each, and for all else."""
MOST_PER_STEP = 256
"""More than a step takes: two passes of 59 draws, a recycle, a tail out of the way, the card."""
FAILED = -1


@kernel
def make(state: Record, moves: Record, count: int, move: int) -> int:
    """Play a move and note it; returns the new number of moves."""
    play(state.layout, state.foundations, move)
    moves[count] = move
    return count + 1


@kernel
def run_of(state: Record, column: int) -> int:
    """Number of open cards of a column."""
    return int64(state.layout.tableau[column] >> RUN_SHIFT & RUN)


@kernel
def has_base(state: Record, column: int) -> bool:
    """Whether the lowest open card of a column still lies where it was dealt, or might."""
    word = state.layout.tableau[column]
    lowest = run_card(word, (word >> RUN_SHIFT & RUN) - 1)
    return bool(word & HIDDEN > 0 or lowest >> 2 != state.layout.ranks - 1)


@kernel
def find_place(state: Record, card: int, but: int) -> int:
    """A column other than `but` whose top accepts the card, the longest run first; -1 if none."""
    best, longest = -1, -1
    for column in range(state.layout.columns):
        word = state.layout.tableau[column]
        if column == but:
            continue
        if word == 0:
            if card >> 2 == state.layout.ranks - 1 and longest < 0:
                best, longest = column, 0
        elif LEVEL[run_card(word, 0)] == LEVEL[card] + 2 and run_of(state, column) > longest:
            best, longest = column, run_of(state, column)
    return best


@kernel
def bare(state: Record, moves: Record, count: int, column: int, depth: int) -> int:
    """Move the `depth` cards that lie on an open card of a column elsewhere.

    Returns the new number of moves, or `FAILED` if they fit nowhere.
    """
    if depth == 0:
        return count
    target = find_place(state, run_card(state.layout.tableau[column], depth - 1), column)
    if target < 0:
        return FAILED
    move = COLUMN_TO_COLUMN | column << SOURCE_SHIFT | target << TARGET_SHIFT | depth << COUNT_SHIFT
    return make(state, moves, count, move)


@kernel
def free_card_home(state: Record, moves: Record, count: int, card: int) -> int:
    """Send a copy of a free card home, the one that fewest cards lie on."""
    best, fewest = -1, RUN + 1
    for column in range(state.layout.columns):
        run = run_of(state, column)
        for depth in range(run):
            if run_card(state.layout.tableau[column], depth) != card or depth >= fewest:
                continue
            if depth < run - 1 or not has_base(state, column):
                best, fewest = column, depth
    if best < 0:
        return FAILED
    count = bare(state, moves, count, best, fewest)
    if count == FAILED:
        return FAILED
    return make(state, moves, count, COLUMN_TO_FOUNDATION | best << SOURCE_SHIFT | ONE_CARD)


@kernel
def draw_to(state: Record, moves: Record, count: int, number: int) -> int:
    """Draw, and recycle if need be, until card number `number` of the talon is the waste's top."""
    recycled = False
    while waste_size(state.layout) != number + 1:
        if stock_size(state.layout) > 0:
            count = make(state, moves, count, DRAW | ONE_CARD)
        elif recycled:
            return FAILED
        else:
            count = make(state, moves, count, RECYCLE | ONE_CARD)
            recycled = True
    return count


@kernel
def carry_step(
    game: Record, node: Record, state: Record, moves: Record, count: int, step: int
) -> int:
    """Carry one step out on both boards; returns the new number of moves or `FAILED`."""
    kind, argument = step & 7, step >> 3
    if kind in (TALON_DOWN, TALON_HOME):
        number = popcount(node.talon & ((1 << argument) - 1))
        count = draw_to(state, moves, count, number)
        if count == FAILED:
            return FAILED
        move = WASTE_TO_FOUNDATION
        if kind == TALON_DOWN:
            target = find_place(state, game.talon_card[argument], -1)
            if target < 0:
                return FAILED
            move = WASTE_TO_COLUMN | target << TARGET_SHIFT
        count = make(state, moves, count, move | ONE_CARD)
    elif kind == TURN_OVER:
        while stock_size(state.layout) > 0:
            count = make(state, moves, count, DRAW | ONE_CARD)
        count = make(state, moves, count, RECYCLE | ONE_CARD)
    elif kind == BASE_DOWN:
        count = bare(state, moves, count, argument, run_of(state, argument))
    elif kind == BASE_HOME:
        count = bare(state, moves, count, argument, run_of(state, argument) - 1)
        if count != FAILED:
            move = COLUMN_TO_FOUNDATION | argument << SOURCE_SHIFT | ONE_CARD
            count = make(state, moves, count, move)
    elif kind == FREE_HOME:
        count = free_card_home(state, moves, count, argument)
    elif kind == HOME_DOWN:
        suit = argument & 3
        copy = 0 if height_of(state.foundations, suit, 0) == (argument >> 2) + 1 else 1
        target = find_place(state, argument, -1)
        if target < 0:
            return FAILED
        move = TAKE_BACK | suit << SOURCE_SHIFT | target << TARGET_SHIFT | copy + 1 << COUNT_SHIFT
        count = make(state, moves, count, move)
    if count != FAILED:
        apply_step(game, node, step)
    return count


@kernel
def carry_out(
    game: Record, node: Record, state: Record, plan: Record, length: int, moves: Record
) -> int:
    """Write the moves that carry a plan out from a position to `moves`; returns their number.

    `node` and `state` are the position in both forms and end where the plan does. `FAILED`
    means that the plan was none.
    """
    count = 0
    for at in range(length):
        if count > MAX_MOVES - MOST_PER_STEP:
            return FAILED
        count = carry_step(game, node, state, moves, count, plan[at])
        if count == FAILED:
            return FAILED
    return count
