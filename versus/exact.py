"""The value of a position with all cards known, when both play as well as can be.

Worth is counted in half cards of A's lead: twice the lead at the end, or for equal counts 1 to who
made the last play. So more of it is a greater lead, and its sign says who wins.

The search asks whether A reaches a worth, yes or no, going over the steps of `both.py`: A needs one
step that does, B one that does not. It stops where the game is over, where the bounds of
`bound.py` answer, or where the table of positions does. No position comes twice in a line: progress
is for good, and between two steps of progress the players draw through their stocks twice at
most, or pass one after the other, which ends the game. Halving between proved bounds then gives
the worth itself; where the limit of positions comes first, what is proved by then.
"""

from dataclasses import dataclass

import numpy as np

from ..engine.bits import popcount
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import Rules
from .both import (
    KEY_WORDS,
    MAX_STEPS,
    PLAY,
    STAND,
    do_step,
    list_steps,
    load_table,
    worth_of,
    write_words,
)
from .bound import BOTH_MOVE, REACH, find_reach_at
from .game import House, Player, Table
from .playout import pack_table

NO, YES, LIMIT = 0, 1, 2
"""What a search answers."""
DEPTH = 600
"""Steps of a line, by hand; where one is longer the search answers `LIMIT`."""
PROBES = 8
"""Rows that a position may stand in; where others have them all, the first of them is written over,
which costs time and no truth. By hand, as the next two."""
ROWS = 1 << 17
MOST_NODES = 2_000_000
"""Positions of a search where nothing else is said: some seconds."""
_STEP_BITS, _WORTH_BITS, _OFFSET = 10, 9, 256
"""Of the last word of a row: a step, and two bounds of twice a lead, which is less than 256 either
way with a head start of 52 cards."""
_MIX = (
    np.uint64(0x9E3779B97F4A7C15),
    np.uint64(0xC2B2AE3D27D4EB4F),
    np.uint64(0x165667B19E3779F9),
    np.uint64(0xD6E8FEB86659FD93),
)
"""Odd constants with bits well spread, as in `solver/table.py`."""
_HALF = np.uint64(32)

FRAME = record_type(
    [("stand", STAND), ("steps", "i8", (MAX_STEPS,)), ("count", "i8"), ("at", "i8"), ("slot", "i8")]
)
"""A position of the line that is looked at: its steps, how many are tried, its row in the table."""

EXACT = record_type(
    [
        ("play", PLAY),
        ("frames", FRAME, (DEPTH,)),
        ("root", STAND),
        ("child", STAND),
        ("reach", REACH),
        ("key", "i8", (KEY_WORDS,)),
        ("lower", "i8"),
        ("upper", "i8"),
        ("nodes", "i8"),
        ("limit", "i8"),
        ("tag", "i8"),
        ("table", "i8", (ROWS, KEY_WORDS + 1)),
    ]
)
"""The memory of the search; `root` is the position loaded, `child` one after it. `lower` and
`upper` bound the worth of the position looked at last; `nodes` of at most `limit` were looked at
for a position. A row of the table has a key and in one word its bounds, the step that answered, and
the number of the game (`tag`); rows of others count as empty."""


def new_exact() -> Record:
    """An array of one `EXACT`."""
    return np.zeros(1, EXACT)


@kernel
def bound_worth(x: Record, stand: Record) -> tuple[int, int]:
    """Bounds of the worth of a position, without search."""
    if stand.is_over != 0:
        worth = worth_of(x.play, stand)
        return worth, worth
    find_reach_at(x.play, stand, x.reach, BOTH_MOVE)
    most = (popcount(x.reach.can_be_up[0]), popcount(x.reach.can_be_up[1]))
    up = (popcount(stand.up[0]), popcount(stand.up[1]))
    if most == up:
        worth = worth_of(x.play, stand)
        return worth, worth
    least_lead = up[0] - most[1] + x.play.ahead
    most_lead = most[0] - up[1] + x.play.ahead
    return (
        int64(2 * least_lead - (least_lead == 0)),
        int64(2 * most_lead + (most_lead == 0)),
    )


@kernel
def find_row(x: Record, stand: Record) -> int:
    """The row of a position in the table, which is made its own if it had none."""
    key = x.key
    write_words(stand, key)
    mixed = np.uint64(0)
    for word in range(KEY_WORDS):
        mixed = (mixed ^ np.uint64(key[word])) * _MIX[0]
        mixed = mixed ^ (mixed >> _HALF)
    mixed = mixed * _MIX[1]
    first = int64(mixed >> np.uint64(33)) & ROWS - 1
    free = first
    for probe in range(PROBES):
        slot = first + probe & ROWS - 1
        row = x.table[slot]
        if row[KEY_WORDS] >> 2 * _WORTH_BITS + _STEP_BITS != x.tag:
            free = slot
            break
        is_same = True
        for word in range(KEY_WORDS):
            is_same &= row[word] == key[word]
        if is_same:
            return slot
    row = x.table[free]
    for word in range(KEY_WORDS):
        row[word] = key[word]
    row[KEY_WORDS] = (
        x.tag << 2 * _WORTH_BITS + _STEP_BITS
        | (MAX_STEPS << 2 * _WORTH_BITS)
        | 2 * _OFFSET - 1 << _WORTH_BITS
    )
    return free


@kernel
def is_row_of(x: Record, slot: int, stand: Record) -> bool:
    """Whether a row is still that of a position."""
    write_words(stand, x.key)
    is_same = True
    for word in range(KEY_WORDS):
        is_same &= x.table[slot, word] == x.key[word]
    return is_same


@kernel
def note_answer(x: Record, frame: Record, worth: int, answer: int, step: int) -> int:
    """Note in the table whether A reaches a worth, and the place of the step that answered."""
    if not is_row_of(x, frame.slot, frame.stand):
        return 0
    word = x.table[frame.slot, KEY_WORDS]
    lower = word & (1 << _WORTH_BITS) - 1
    upper = word >> _WORTH_BITS & (1 << _WORTH_BITS) - 1
    if answer == YES:
        lower = max(lower, worth + _OFFSET)
    else:
        upper = min(upper, worth - 1 + _OFFSET)
    x.table[frame.slot, KEY_WORDS] = (
        lower
        | upper << _WORTH_BITS
        | step << 2 * _WORTH_BITS
        | x.tag << 2 * _WORTH_BITS + _STEP_BITS
    )
    return 0


@kernel
def open_frame(x: Record, level: int, worth: int) -> int:
    """Look at the position of a frame; the answer if it is plain, else `LIMIT`, with the steps."""
    frame = x.frames[level]
    stand = frame.stand
    x.nodes += 1
    if stand.is_over != 0:
        return YES if worth_of(x.play, stand) >= worth else NO
    frame.slot = find_row(x, stand)
    word = x.table[frame.slot, KEY_WORDS]
    if (word & (1 << _WORTH_BITS) - 1) - _OFFSET >= worth:
        return YES
    if (word >> _WORTH_BITS & (1 << _WORTH_BITS) - 1) - _OFFSET < worth:
        return NO
    lower, upper = bound_worth(x, stand)
    if lower >= worth:
        return YES
    if upper < worth:
        return NO
    frame.count = list_steps(x.play, stand, frame.steps)
    frame.at = 0
    best = word >> 2 * _WORTH_BITS & (1 << _STEP_BITS) - 1
    if best < frame.count:
        # What answered before is tried first; the place of a step stays the same.
        step = frame.steps[best]
        for place in range(best, 0, -1):
            frame.steps[place] = frame.steps[place - 1]
        frame.steps[0] = step
    return LIMIT


@kernel
def reaches(x: Record, stand: Record, worth: int) -> int:
    """Whether A reaches a worth from a position; `LIMIT` if `x.nodes` came to `x.limit`."""
    x.frames[0].stand = stand
    answer = open_frame(x, 0, worth)
    level = 0
    while True:
        if answer != LIMIT:
            level -= 1
            if level < 0:
                return answer
            above = x.frames[level]
            wanted = YES if above.stand.turn == 0 else NO
            if answer == wanted:
                note_answer(x, above, worth, answer, place_of(x, above))
                continue
        frame = x.frames[level]
        if frame.at == frame.count:
            answer = NO if frame.stand.turn == 0 else YES
            note_answer(x, frame, worth, answer, MAX_STEPS)
            continue
        if x.nodes >= x.limit or level + 1 == DEPTH:
            return LIMIT
        below = x.frames[level + 1]
        below.stand = frame.stand
        do_step(x.play, below.stand, frame.steps[frame.at])
        frame.at += 1
        level += 1
        answer = open_frame(x, level, worth)


@kernel
def place_of(x: Record, frame: Record) -> int:
    """The place, as the steps are listed, of the step of a frame that was tried last."""
    step = frame.steps[frame.at - 1]
    count = list_steps(x.play, frame.stand, frame.steps)
    place = 0
    while place < count and frame.steps[place] != step:
        place += 1
    return place


@kernel
def find_worth(x: Record, stand: Record) -> bool:
    """Halve between bounds of a position's worth, `x.lower` to `x.upper`, till they meet.

    False if `x.limit` nodes were not enough; the bounds are proved all the same.
    """
    x.nodes = 0
    x.lower, x.upper = bound_worth(x, stand)
    middle = worth_of(x.play, stand) + (1 if stand.turn == 0 else 0)
    while x.lower < x.upper:
        middle = min(max(middle, x.lower + 1), x.upper)
        answer = reaches(x, stand, middle)
        if answer == LIMIT:
            return False
        if answer == YES:
            x.lower = middle
        else:
            x.upper = middle - 1
        middle = x.lower + (x.upper - x.lower + 1) // 2
    return True


@kernel
def start_exact(x: Record, t: Record, limit: int) -> bool:
    """Load a table as `x.root`, for searches of `limit` nodes each; False if it has no room."""
    x.tag += 1
    x.limit = limit
    return load_table(t, x.play, x.root)


@dataclass(frozen=True, slots=True)
class Worth:
    """What is proved of the lead at the end, with the best play of both; in half cards of A's."""

    lower: int
    upper: int

    @property
    def is_exact(self) -> bool:
        """Whether the bounds meet."""
        return self.lower == self.upper

    @property
    def margin(self) -> int | None:
        """A's lead in cards up; None if it is not known."""
        # Equal counts are worth a half to who made the last play.
        return int(self.lower / 2) if self.is_exact else None

    @property
    def winner(self) -> Player | None:
        """Who wins; None for neither, or if that is not known."""
        if self.lower > 0:
            return Player.A
        return Player.B if self.upper < 0 else None


class Exact:
    """The memory of a search for the worth of tables of one game, all of whose cards are known."""

    def __init__(self, rules: Rules, house: House | None = None, limit: int = MOST_NODES) -> None:
        """Reserve it; of a table `limit` positions are looked at."""
        self._rules, self._house, self._limit = rules, house or House(), limit
        self._memory = new_exact()

    def worth(self, table: Table) -> Worth:
        """What is proved of a table at the start of a turn."""
        return self.worth_of(pack_table(self._rules, table, self._house)[0])

    def worth_of(self, t: Record) -> Worth:
        """The same for a `TABLE`.

        Where the search has no room for it, under the house rules `fits` and `solo_clear` say, all
        that is claimed is the size of a deck.
        """
        x = self._memory[0]
        if not start_exact(x, t, self._limit):
            most = self._rules.cards + abs(self._house.ahead)
            return Worth(-2 * most, 2 * most)
        find_worth(x, x.root)
        return Worth(int(x.lower), int(x.upper))
