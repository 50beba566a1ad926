"""The state of a game as numpy records, which the kernel changes in place.

A `LAYOUT` is what one player has before them, and `FOUNDATIONS` what is common to all layouts of
a game; every move is one of a layout over some foundations. A game alone is a `STATE`, one of each.

    tableau[9]    32 bits each   see `column.py`
    talon         63 bits        bit i: card i of `talon_card` is still in stock or waste
                                 62 … waste | waste - 1 … 0
                                    stock   |    waste
    waste         6 bits         one more than the place of the waste's top card; 0: no waste
    heights       32 bits        31..28 27..24 23..20 19..16 15..12 11..8  7..4   3..0
                                   C2     C1     D2     D1     H2     H1    S2     S1   height

Stock and waste are one line of cards, first drawn first, with a border in it: a draw
moves the border up, a recycle sets it to 0.

Which cards are hidden, and the rules of the variant, stand in the records too and do
not change while it is played. A row of `journal`, which is a ring, holds what `undo` needs:
the move, the words of its source and target column, talon, waste, heights, score and recycles.

All numbers are int64, so that compiled and plain arithmetic agree.
"""

import numpy as np

from .column import MAX_HIDDEN, RUN, RUN_SHIFT, card_word, put_run, run_card
from .deal import Position
from .errors import DealError
from .jit import Record, record_type
from .rules import Rules

MAX_COLUMNS = 9
"""Of the largest game, two decks."""
MAX_TALON = 63
"""Bits of an int64 that is not negative; the largest game has 59 cards in the stock."""
UNDO_LIMIT = 256
"""Actions the journal holds; a power of 2, not less than the app's 200."""
JOURNAL_WORDS = 8
"""Of a row, as said above."""
NO_FLOOR = -(1 << 31)
"""Less than any score."""

LAYOUT = record_type(
    [
        ("talon", np.int64),
        ("waste", np.int64),
        ("score", np.int64),
        ("recycles", np.int64),
        ("undoable", np.int64),
        ("journal_top", np.int64),
        ("tableau", np.int64, (MAX_COLUMNS,)),
        ("ranks", np.int64),
        ("columns", np.int64),
        ("draw", np.int64),
        ("max_recycles", np.int64),
        ("home_points", np.int64),
        ("landed_points", np.int64),
        ("turn_points", np.int64),
        ("recycle_cost", np.int64),
        ("score_floor", np.int64),
        ("talon_cards", np.int64),
        ("talon_card", np.int64, (64,)),
        ("hidden_card", np.int64, (MAX_COLUMNS, 16)),
        ("journal", np.int64, (UNDO_LIMIT, JOURNAL_WORDS)),
    ]
)
"""`undoable` and `journal_top` are the filled length and the next place of the journal.
`max_recycles` is -1 for no limit."""

FOUNDATIONS = record_type(
    [("heights", np.int64), ("suits", np.int64), ("places", np.int64), ("gives_back", np.int64)]
)
"""`places` of each of the `suits`; `gives_back` is 1 where cards may be taken back."""

STATE = record_type([("layout", LAYOUT), ("foundations", FOUNDATIONS)])


def pack(rules: Rules, position: Position) -> Record:
    """The position as an array of one `STATE`, with an empty journal.

    Raises `DealError` for a position that breaks the rules or has no room in the record.
    """
    position.check(rules)
    state = np.zeros(1, STATE)
    lay_out(state[0].layout, rules, position)
    set_heights(state[0].foundations, rules, position.foundations)
    return state


def lay_out(layout: Record, rules: Rules, position: Position) -> None:
    """Write the piles and the score of a position to a `LAYOUT` of zeros.

    Raises `DealError` for what has no room in it.
    """
    talon = position.waste + position.stock
    if len(talon) > MAX_TALON or max(position.hidden) > MAX_HIDDEN:
        raise DealError(
            f"{len(talon)} cards in stock and waste, {max(position.hidden)} hidden in a column; "
            f"at most {MAX_TALON} and {MAX_HIDDEN} can be packed"
        )
    points = rules.points
    layout.ranks = rules.ranks
    layout.columns = rules.columns
    layout.draw = rules.draw
    layout.max_recycles = -1 if rules.recycles is None else rules.recycles
    layout.home_points = points.home
    layout.landed_points = points.landed
    layout.turn_points = points.turned_up
    layout.recycle_cost = points.recycle_cost
    layout.score_floor = NO_FLOOR if points.floor is None else points.floor
    layout.talon = (1 << len(talon)) - 1
    layout.waste = len(position.waste)
    layout.talon_cards = len(talon)
    layout.talon_card[: len(talon)] = talon
    for number, (column, hidden) in enumerate(zip(position.columns, position.hidden, strict=True)):
        layout.hidden_card[number, :hidden] = column[:hidden]
        word = hidden
        for card in column[hidden:]:
            word = put_run(word, card_word(card), 1)
        layout.tableau[number] = word
    layout.score = position.score
    layout.recycles = position.recycles


def set_heights(foundations: Record, rules: Rules, heights: tuple[int, ...]) -> None:
    """Write the heights of all places, `rules.places` to a suit, to a `FOUNDATIONS`."""
    foundations.suits = rules.suits
    foundations.places = rules.places
    foundations.gives_back = rules.gives_back
    word = 0
    for index, height in enumerate(heights):
        suit, place = divmod(index, rules.places)
        word |= height << 8 * suit + 4 * place
    foundations.heights = word


def unpack(layout: Record, foundations: Record) -> Position:
    """The position of a `LAYOUT` over these `FOUNDATIONS`."""
    left = [index for index in range(layout.talon_cards) if layout.talon >> index & 1]
    columns, hidden = [], []
    for number in range(layout.columns):
        word = int(layout.tableau[number])
        down = word & MAX_HIDDEN
        run = word >> RUN_SHIFT & RUN
        under = [int(card) for card in layout.hidden_card[number, :down]]
        columns.append((*under, *(int(run_card(word, depth)) for depth in reversed(range(run)))))
        hidden.append(down)
    heights = int(foundations.heights)
    return Position(
        columns=tuple(columns),
        hidden=tuple(hidden),
        stock=tuple(int(layout.talon_card[index]) for index in left if index >= layout.waste),
        waste=tuple(int(layout.talon_card[index]) for index in left if index < layout.waste),
        foundations=tuple(
            heights >> 8 * suit + 4 * place & 15
            for suit in range(foundations.suits)
            for place in range(foundations.places)
        ),
        score=int(layout.score),
        recycles=int(layout.recycles),
    )
