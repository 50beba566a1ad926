"""Exhaustive search by components: finds a win or proves that there is none.

The search goes depth first through the graph of components (`components.py`) and tries every entry
of each.

Left out is only what is proved to be no loss, each by a rule with a switch and a counter: other
steps where one is `forced` (`safe.forced_step`), components that the relaxation shows to be lost
(`relax.is_blocked`), steps and components that only come to what was tried before (`waiting.py`),
members that take back what is safe, and entries that lead where another does
(`components.COMPONENT`).
"""

from typing import NamedTuple

import numpy as np

from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import POINTS_HOME, POINTS_LANDED
from .components import (
    COMPONENT,
    EVERY_CARD,
    MAX_ENTRIES,
    MAX_MEMBERS,
    STACK_FULL,
    STEP_BITS,
    STEP_MASK,
    count_home,
    home_word,
    list_members,
    put_entries,
    put_entry,
    set_home,
    start_listing,
    take_entry,
)
from .homes import MAX_STEPS, TRAIL, plan_of, send_all_home
from .method import CHUNK_NODES, NO_END, Budget, Limit, Proof, Result, Win
from .position import (
    BASE_DOWN,
    NODE,
    TALON_DOWN,
    TALON_HOME,
    TURN_OVER,
    Start,
    apply_step,
    is_sure_win,
    list_talon,
    points,
    turn_over,
    write_key,
)
from .relax import RELAXED, is_blocked, is_blocked_now, pays, start_asking
from .safe import forced_step
from .table import FULL, NEW, ROW_BYTES, SEEN, TAGS, copy_into, insert, new_table
from .waiting import still_waiting, waits_on

WON, EXHAUSTED, OUT_OF_NODES, OUT_OF_MEMORY = 1, 2, 3, 4
NOT_BEGUN = -1
UNCOUNTED = -1
"""Value of `most_lost` when no points are counted."""
MOST_LOST = 5 * POINTS_LANDED
"""`most_lost` must stay below this, since a game that cannot be made a win loses so much."""
LOST_SHIFT = 60
"""Where keys hold lost points, in fives: the place of recycles left, which are not counted then."""
MAX_DEPTH = 224
"""Each of 104 cards leaves its dealt place once, and a recycle can follow each time."""
SCRATCH, NODES = MAX_DEPTH, MAX_DEPTH + 1
"""Places in the array of nodes beyond those of the line; `NODES` is its length."""
FIRST_ROWS = 1 << 17
"""Of the table at first: the power of two that a chunk of positions fills by half at most."""

WALK = record_type(
    [
        ("first", np.int64, (MAX_DEPTH,)),
        ("chosen", np.int64, (MAX_DEPTH,)),
        ("depth", np.int64),
        ("nodes", np.int64),
        ("entered", np.int64),
        ("tag", np.int64),
        ("is_cut", np.int64),
        ("waits", np.int64),
        ("waited", np.int64),
        ("asked", np.int64),
        ("waiting_columns", np.int64, (MAX_DEPTH,)),
        ("waiting_talon", np.int64, (MAX_DEPTH,)),
        ("tried_columns", np.int64, (MAX_DEPTH,)),
        ("tried_talon", np.int64, (MAX_DEPTH,)),
        ("goal", np.int64),
        ("most_lost", np.int64),
        ("only_forward", np.int64),
        ("forces", np.int64),
        ("forced", np.int64),
        ("relaxed", RELAXED),
        ("component", COMPONENT),
    ]
)
"""Where the search stands. The entries of depth d begin at `first[d]` in the stack, and
`chosen[:depth]` are those on the line. It has generated so many `nodes`, and `entered` so many
components; of so many it was `asked` whether they only wait, and so many `waited`. It `is_cut` if
one had too many members to list. With `waits` the four masks say of each place on the line which
bases and talon cards wait there and which have been tried there (`waiting.py`). `goal`,
`most_lost` and `only_forward` are those of the `Question`."""


class Question(NamedTuple):
    """What an exhaustive search looks for, by default any win, and the switches of its rules."""

    goal: int | None = None
    """So many cards home at once. Wherever as many are seen, short of all, it goes on for one more,
    so that a proof says the most that are ever home."""
    most_lost: int = UNCOUNTED
    """From 0 up: a win that loses no more points than that, of those that could be had from the
    start on: 5 for each card that goes from the talon straight home, and what recycles cost.
    `NODE.lost` counts both, and `NODE.landed` all cards that left the talon. Then nothing is left
    out as safe, since what is safe for winning may cost points."""
    only_forward: bool = False
    """A win that takes no card back. Then a position stands for those to which it leads by sending
    cards home, which go home only there: no position is entered by its representative, and what is
    left out as above loses nothing, as no card is taken back there either."""
    forces: bool = True
    relaxes: bool = True
    waits: bool = True
    skips_safe: bool = True
    skips_alike: bool = True


ANY_WIN = Question()


@kernel
def advance(game: Record, node: Record, walk: Record, step: int) -> None:
    """Take a step; with `most_lost`, count what it loses."""
    kind = step & 7
    if kind == TURN_OVER:
        turn_over(game, node)
        return
    apply_step(game, node, step)
    if kind == TALON_HOME and walk.most_lost != UNCOUNTED:
        node.landed += 1
        node.lost += POINTS_LANDED


@kernel
def may_recycle(game: Record, node: Record, most_lost: int) -> bool:
    """Whether a recycle, now or later, can cost so little that `most_lost` allows it.

    It costs the points then, which are at least those now without the cards at home, and only
    rise but for what is lost.
    """
    least = points(game, node) - POINTS_HOME * count_home(game, home_word(node))
    return least + int64(node.lost) <= most_lost


@kernel
def put_recycle(game: Record, component: Record) -> int:
    """Put a recycle from the member with fewest cards home on the stack; `STACK_FULL`, or else 0.

    It leads to the component that a recycle from any other member leads to, and has lost fewest
    points there, as the fewest are at stake. Nor can it lose more later on: if c points are lost
    and p would be had without, the next recycle makes it c + min(100, max(p - c, 0)), which never
    falls as c grows.
    """
    lowest = 0
    for at in range(1, component.members):
        if count_home(game, component.member[at]) < count_home(game, component.member[lowest]):
            lowest = at
    return put_entry(component, component.member[lowest], TURN_OVER, EVERY_CARD)


@kernel
def expand(game: Record, nodes: Record, walk: Record) -> int:
    """Put all entries from the component of `nodes[walk.depth]` on the stack.

    Returns 0, or `STACK_FULL`. None is put there if not enough cards can ever come home.
    """
    node, component = nodes[walk.depth], walk.component
    counted = walk.most_lost != UNCOUNTED
    recycles = counted and may_recycle(game, node, walk.most_lost)
    must_land = counted and node.lost + POINTS_LANDED > walk.most_lost
    columns, talon = int64(walk.waiting_columns[walk.depth]), int64(walk.waiting_talon[walk.depth])
    if columns | talon and pays(walk.waited, walk.asked, walk.entered):
        walk.asked += 1
        if waits_on(game, node, walk.relaxed, columns, talon):
            walk.waited += 1
            return 0
        # The relaxation stands where only what waits is left to be let go.
        blocked = walk.relaxed.is_on and is_blocked_now(game, node, walk.relaxed, False, walk.goal)
    else:
        node.recycles += recycles
        blocked = is_blocked(game, node, walk.relaxed, must_land, walk.goal, walk.entered)
        node.recycles -= recycles
    if blocked:
        return 0
    if walk.forces:
        step = forced_step(game, node)
        if step >= 0:
            walk.forced += 1
            return put_entry(component, home_word(node), step, EVERY_CARD)
    component.waiting_columns, component.waiting_talon = columns, talon
    nodes[SCRATCH] = node
    if not list_members(game, nodes[SCRATCH], component):
        walk.is_cut = True
    cards = game.decks * game.ranks * game.suits
    walk.goal = min(max(walk.goal, component.most_home + 1), cards)
    if recycles:
        state = put_recycle(game, component)
        if state:
            return state
    return put_entries(game, node, component, list_talon(game, node, component.talon))


@kernel
def start_waiting(walk: Record, columns: int, talon: int) -> None:
    """Note which bases and talon cards wait in the position at hand, in which none is tried yet."""
    walk.waiting_columns[walk.depth], walk.waiting_talon[walk.depth] = columns, talon
    walk.tried_columns[walk.depth] = walk.tried_talon[walk.depth] = 0


@kernel
def note_tried(walk: Record, node: Record, entry: int) -> None:
    """Note that an entry is tried, if its card waits in what is tried after it.

    It must start from the representative, so that there was a place for the card from the first.
    """
    kind, bit = entry & 7, int64(1) << ((entry & STEP_MASK) >> 3)
    if not walk.waits or entry >> STEP_BITS != home_word(node):
        return
    if kind == BASE_DOWN:
        walk.tried_columns[walk.depth] |= bit
    elif kind == TALON_DOWN and node.recycles == 0:
        walk.tried_talon[walk.depth] |= bit


@kernel
def enter(
    game: Record,
    nodes: Record,
    walk: Record,
    trail: Record,
    table: Record,
    entry: int,
    spare: int,
) -> int:
    """Go from `nodes[walk.depth]` where an entry leads; put what can follow on the stack.

    `spare` is that of the entry (`COMPONENT.entry_spare`).

    Returns `WON` if it is won, `OUT_OF_MEMORY` or `STACK_FULL` if there is no room, and 0
    otherwise; without going deeper if the component has been entered before or loses too much.
    """
    nodes[walk.depth + 1] = nodes[walk.depth]
    node = nodes[walk.depth + 1]
    set_home(game, node, entry >> STEP_BITS)
    advance(game, node, walk, entry & STEP_MASK)
    walk.nodes += 1
    before = nodes[walk.depth]
    columns = walk.waiting_columns[walk.depth] | walk.tried_columns[walk.depth]
    talon = walk.waiting_talon[walk.depth] | walk.tried_talon[walk.depth]
    note_tried(walk, before, entry)
    if walk.most_lost != UNCOUNTED and node.lost > walk.most_lost:
        return 0
    walk.chosen[walk.depth] = entry
    if is_sure_win(game, node):
        walk.depth += 1
        return WON
    nodes[SCRATCH] = node
    if not walk.only_forward:
        trail.length = 0
        send_all_home(game, node, trail)
    word_0, word_1 = write_key(game, node)
    if walk.most_lost != UNCOUNTED:
        word_1 |= int64(node.lost) // POINTS_LANDED << LOST_SHIFT
    state = insert(table, len(table) - 1, walk.tag, word_0, word_1)
    if state == FULL:
        return OUT_OF_MEMORY
    if state == SEEN:
        return 0
    walk.entered += 1
    walk.depth += 1
    walk.first[walk.depth] = walk.component.entries
    if columns | talon:
        columns, talon = still_waiting(
            game, before, nodes[SCRATCH], node, spare, entry & STEP_MASK, columns, talon
        )
    start_waiting(walk, columns, talon)
    return expand(game, nodes, walk)


@kernel
def start_walk(game: Record, nodes: Record, walk: Record, trail: Record) -> None:
    """Make ready for a search from `nodes[0]`; `tag` must be a new one, and the question set."""
    walk.nodes = walk.entered = walk.is_cut = walk.forced = walk.waited = walk.asked = 0
    if not walk.only_forward:
        trail.length = 0
        send_all_home(game, nodes[0], trail)
    if walk.most_lost != UNCOUNTED:
        nodes[0].recycles = 0
    walk.depth = NOT_BEGUN


@kernel
def go_on(
    game: Record, nodes: Record, walk: Record, trail: Record, table: Record, most_nodes: int
) -> int:
    """Search until `walk.nodes` reaches `most_nodes`; call again with more to go on.

    Returns `WON`, `EXHAUSTED` (a proof, unless `walk.is_cut`), `OUT_OF_NODES`, `OUT_OF_MEMORY` or
    `STACK_FULL`; after these last two the search is over.
    """
    component = walk.component
    if walk.depth == NOT_BEGUN:
        walk.depth = 0
        walk.first[0] = 0
        start_waiting(walk, int64(0), int64(0))
        state = WON if is_sure_win(game, nodes[0]) else expand(game, nodes, walk)
        if state:
            return state
    while walk.nodes < most_nodes:
        while component.entries == walk.first[walk.depth]:
            if walk.depth == 0:
                return EXHAUSTED
            walk.depth -= 1
        component.entries -= 1
        entry, spare = component.entry[component.entries], component.entry_spare[component.entries]
        state = enter(game, nodes, walk, trail, table, entry, spare)
        if state:
            return state
    return OUT_OF_NODES


@kernel
def retrace(game: Record, nodes: Record, walk: Record, trail: Record) -> None:
    """Note the steps of the win that was found; `nodes[0]` is where the search was started from."""
    trail.length = 0
    for at in range(walk.depth):
        if not walk.only_forward:
            send_all_home(game, nodes[0], trail)
        take_entry(game, nodes, walk.component, trail, walk.chosen[at])


class Exhaust:
    """The method; it goes on where it stopped, until another question is put to it."""

    def __init__(self) -> None:
        """Reserve its memory, little of which is touched by short searches."""
        self.walk = np.zeros(1, WALK)[0]
        self._nodes = np.zeros(NODES, NODE)
        self._trail = np.zeros(1, TRAIL)[0]
        self._table = new_table(FIRST_ROWS)
        self._end: Result = None

    def begin(self, start: Start, budget: Budget, question: Question = ANY_WIN) -> None:
        """Put a question about a start, to be gone into at the first `run`."""
        self._start, self._budget, self._question = start, budget, question
        self._is_begun, self._end = False, None
        if len(self._table) > FIRST_ROWS:
            self._table = new_table(FIRST_ROWS)
            self.walk.tag = 0
        budget.table_bytes = len(self._table) * ROW_BYTES

    def _begin(self) -> None:
        start, question, walk = self._start, self._question, self.walk
        self._is_begun = True
        walk.tag += 1
        if walk.tag > TAGS:
            self._table[:] = 0
            walk.tag = 1
        walk.goal = start.rules.cards if question.goal is None else question.goal
        walk.most_lost, walk.only_forward = question.most_lost, question.only_forward
        counted = question.most_lost != UNCOUNTED
        walk.forces = question.forces and not counted
        walk.waits = question.waits and not counted
        start_asking(walk.relaxed, question.relaxes)
        start_listing(walk.component, not question.only_forward, MAX_MEMBERS)
        walk.component.skips_safe = question.skips_safe and not counted
        walk.component.skips_alike = question.skips_alike
        self._nodes[0] = start.node
        start_walk(start.game, self._nodes, walk, self._trail)

    @property
    def nodes(self) -> int:
        """Positions generated for the question."""
        return int(self.walk.nodes) if self._is_begun else 0

    def run(self, most: int = NO_END) -> Result:
        """The answer, if it is found in up to so many positions in all; from then on it stays."""
        if self._end is not None:
            return self._end
        if not self._is_begun:
            self._begin()
        budget, walk, state = self._budget, self.walk, OUT_OF_NODES
        most = min(most, self.nodes + budget.left)
        while state == OUT_OF_NODES and self.nodes < most and budget.limit() is None:
            self._make_room()
            before, pause = self.nodes, min(self.nodes + CHUNK_NODES, most)
            state = go_on(self._start.game, self._nodes, walk, self._trail, self._table, pause)
            budget.nodes += self.nodes - before
        if state == OUT_OF_NODES:
            return budget.limit()
        self._end = self._answer(state)
        return self._end

    def _answer(self, state: int) -> Result:
        """What it means that the search is over."""
        if state == WON:
            return self._win()
        if state == OUT_OF_MEMORY:
            return self._budget.limit() or self._budget.memory_limit()
        if state == STACK_FULL:
            return Limit(f"more than {MAX_ENTRIES} steps waiting to be tried")
        if self.walk.is_cut:
            return Limit(f"more than {MAX_MEMBERS} arrangements at a time")
        found = f"all {self.nodes} positions searched"
        return Proof(
            found if self.nodes else "no card can leave its place", int(self.walk.goal) - 1
        )

    def _win(self) -> Result:
        self._nodes[0] = self._start.node
        retrace(self._start.game, self._nodes, self.walk, self._trail)
        plan = plan_of(self._trail)
        if plan is None:
            return Limit(f"a win of more than {MAX_STEPS} steps cannot be written")
        return Win(plan, "win found by exhaustive search")

    def _make_room(self) -> None:
        """Let the table grow when it might get more than half full, as far as memory goes."""
        rows = len(self._table)
        while rows < 2 * (self.walk.entered + CHUNK_NODES):
            rows *= 2
        # The old table is still there while its rows are copied.
        if rows > len(self._table) and self._budget.may_grow(3 * rows // 2 * ROW_BYTES):
            larger = new_table(rows)
            if copy_into(self._table, larger, self.walk.tag) == NEW:
                self._table = larger
                self._budget.table_bytes = rows * ROW_BYTES
