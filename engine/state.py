"""The state of a game as one numpy record, which the kernel changes in place.

    tableau[9]    32 bits each   see `column.py`
    talon         63 bits        bit i: card i of `talon_card` is still in stock or waste
                                 62 … waste | waste - 1 … 0
                                    stock   |    waste
    waste         6 bits         one more than the place of the waste's top card; 0: no waste
    foundations   32 bits        31..28 27..24 23..20 19..16 15..12 11..8  7..4   3..0
                                   C2     C1     D2     D1     H2     H1    S2     S1   height

Stock and waste are one line of cards, first drawn first, with a border in it: a draw
moves the border up, a recycle sets it to 0. When a card leaves the line and the other
copy of a later card left a gap before it, the later card moves down into that gap, so
equal lines have equal bits (`close_gap` in `kernel.py`).

Which cards are hidden, and the rules of the variant, stand in the record too and do
not change while it is played. A row of `journal`, which is a ring, holds what `undo` needs:
the move, the words of its source and target column, talon, waste, foundations, score and
recycles; the key is beside it in `journal_key`.

All numbers but the key are int64, so that compiled and plain arithmetic agree.
"""

import numpy as np

from .column import MAX_HIDDEN, RUN, RUN_SHIFT, card_word, put_run, run_card
from .deal import Position
from .errors import DealError
from .jit import Record
from .key import recompute_key
from .rules import (
    DOLLARS_HOME,
    POINTS_HOME,
    POINTS_LANDED,
    POINTS_TURN_UP,
    RECYCLE_COST,
    Rules,
    Scoring,
)

MAX_COLUMNS = 9
MAX_TALON = 63
UNDO_LIMIT = 256
"""Actions the journal holds; a power of 2."""
JOURNAL_WORDS = 8
NO_FLOOR = -(1 << 31)

STATE = np.dtype(
    (
        np.record,
        [
            ("key", "u8", (2,)),
            ("talon", "i8"),
            ("waste", "i8"),
            ("score", "i8"),
            ("recycles", "i8"),
            ("moves", "i8"),
            ("undoable", "i8"),
            ("journal_top", "i8"),
            ("tableau", "i8", (MAX_COLUMNS,)),
            ("foundations", "i8"),
            ("decks", "i8"),
            ("ranks", "i8"),
            ("suits", "i8"),
            ("columns", "i8"),
            ("draw", "i8"),
            ("max_recycles", "i8"),
            ("home_points", "i8"),
            ("waste_points", "i8"),
            ("turn_points", "i8"),
            ("recycle_points", "i8"),
            ("score_floor", "i8"),
            ("talon_cards", "i8"),
            ("talon_card", "i8", (64,)),
            ("talon_twin", "i8", (64,)),
            ("hidden_card", "i8", (MAX_COLUMNS, 16)),
            ("hidden_key", "u8", (MAX_COLUMNS, 16)),
            ("journal", "i8", (UNDO_LIMIT, JOURNAL_WORDS)),
            ("journal_key", "u8", (UNDO_LIMIT, 2)),
        ],
    )
)
"""`moves` counts every action and is not lowered by `undo`. `undoable` and `journal_top` are the
filled length and the next place of the journal. `max_recycles` is -1 for no limit. `talon_twin`
is the place of the same card earlier in the line, or -1."""


def pack(rules: Rules, position: Position) -> Record:
    """The position as an array of one `STATE`, with an empty journal and the counter at 0.

    Raises `DealError` for a position that breaks the rules or has no room in the record.
    """
    position.check(rules)
    line = position.waste + position.stock
    if len(line) > MAX_TALON or max(position.hidden) > MAX_HIDDEN:
        raise DealError(
            f"{len(line)} cards in stock and waste, {max(position.hidden)} hidden in a column; "
            f"at most {MAX_TALON} and {MAX_HIDDEN} can be packed"
        )
    state = np.zeros(1, STATE)
    s = state[0]
    _write_rules(s, rules)
    s.talon = (1 << len(line)) - 1
    s.waste = len(position.waste)
    s.talon_cards = len(line)
    s.talon_twin = -1
    for index, card in enumerate(line):
        s.talon_card[index] = card
        if card in line[:index]:
            s.talon_twin[index] = line.index(card)
    for number, (column, hidden) in enumerate(zip(position.columns, position.hidden, strict=True)):
        s.hidden_card[number, :hidden] = column[:hidden]
        word = hidden
        for card in column[hidden:]:
            word = put_run(word, card_word(card), 1)
        s.tableau[number] = word
    foundations = 0
    for place, height in enumerate(position.foundations):
        suit, copy = divmod(place, rules.decks)
        foundations |= height << 8 * suit + 4 * copy
    s.foundations = foundations
    s.score = position.score
    s.recycles = position.recycles
    recompute_key(s)
    return state


def _write_rules(s: Record, rules: Rules) -> None:
    normal = rules.scoring is Scoring.NORMAL
    s.decks = rules.decks
    s.ranks = rules.ranks
    s.suits = rules.suits
    s.columns = rules.columns
    s.draw = rules.draw
    s.max_recycles = -1 if rules.recycles is None else rules.recycles
    s.home_points = POINTS_HOME if normal else DOLLARS_HOME
    s.waste_points = POINTS_LANDED if normal else 0
    s.turn_points = POINTS_TURN_UP if normal else 0
    s.recycle_points = -RECYCLE_COST if normal else 0
    s.score_floor = 0 if normal else NO_FLOOR


def unpack(s: Record) -> Position:
    """The position that the record `s`, an element of the array of `pack`, stands at."""
    left = [index for index in range(s.talon_cards) if s.talon >> index & 1]
    columns, hidden = [], []
    for number in range(s.columns):
        word = int(s.tableau[number])
        down = word & MAX_HIDDEN
        run = word >> RUN_SHIFT & RUN
        under = [int(card) for card in s.hidden_card[number, :down]]
        columns.append((*under, *(int(run_card(word, depth)) for depth in reversed(range(run)))))
        hidden.append(down)
    heights = int(s.foundations)
    return Position(
        columns=tuple(columns),
        hidden=tuple(hidden),
        stock=tuple(int(s.talon_card[index]) for index in left if index >= s.waste),
        waste=tuple(int(s.talon_card[index]) for index in left if index < s.waste),
        foundations=tuple(
            heights >> 8 * suit + 4 * copy & 15
            for suit in range(s.suits)
            for copy in range(s.decks)
        ),
        score=int(s.score),
        recycles=int(s.recycles),
    )
