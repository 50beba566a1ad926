"""Exhaustive search by components: finds a win or proves that there is none.

Sending a free card home can always be taken back, so such steps part the positions into
*components* within which play moves freely; every other step takes a dealt card from its
place for good, so components form a graph without cycles of at most one layer per card.
The search goes through it depth first. A component is entered by its *representative*,
where greedily every free card that can is home; its *members* are listed by a breadth-first
walk over taking back and sending home, and every step from every member is tried.

Left out is only what is proved to be no loss: by `is_safe` and `forced_step`, by the relaxation
(`relax.py`), and where two members lead to one component (`expand`).
"""

import numpy as np

from ..engine.bits import lowest_bit, popcount
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import POINTS_HOME, POINTS_LANDED, RECYCLE_COST
from .homes import send_all_home, take
from .position import (
    BASE_DOWN,
    BASE_HOME,
    CLOSED,
    FREE_HOME,
    LEVEL,
    LEVEL_CARDS,
    NO_LIMIT,
    RECYCLE,
    SUITS,
    TAKE_BACK,
    TALON_DOWN,
    TALON_HOME,
    apply_step,
    base_of,
    exposed,
    home_place,
    is_sure_win,
    list_talon,
    points,
    waste_size,
    write_key,
)
from .relax import RELAXED, relax
from .table import FULL, SEEN, insert, slot_of

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
MAX_MEMBERS = 1 << 15
MAX_PATH = 256
"""A way between two members takes back or sends home each of 104 cards at most once."""
MAX_PENDING = 1 << 20

SEARCH = record_type(
    [
        ("member", np.int64, (MAX_MEMBERS,)),
        ("where", np.int32, (MAX_MEMBERS,)),
        ("parent", np.int32, (MAX_MEMBERS,)),
        ("link", np.int16, (MAX_MEMBERS,)),
        ("rooms", np.int64, (MAX_MEMBERS,)),
        ("accepted", np.int64, (MAX_MEMBERS,)),
        ("bare", np.int64, (MAX_MEMBERS,)),
        ("slot", np.int64, (2 * MAX_MEMBERS,)),
        ("members", np.int64),
        ("pending", np.int64, (MAX_PENDING,)),
        ("first", np.int64, (MAX_DEPTH,)),
        ("chosen", np.int64, (MAX_DEPTH,)),
        ("talon", np.int64, (MAX_PATH,)),
        ("top", np.int64),
        ("depth", np.int64),
        ("nodes", np.int64),
        ("entries", np.int64),
        ("tag", np.int64),
        ("is_cut", np.int64),
        ("cards", np.int64),
        ("goal", np.int64),
        ("most_lost", np.int64),
        ("only_forward", np.int64),
        ("relaxes", np.int64),
        ("asked", np.int64),
        ("blocked", np.int64),
        ("skips_alike", np.int64),
        ("alike", np.int64),
        ("relaxed", RELAXED),
    ]
)
"""The members of the component at hand and the stack.

`member[:members]` are home words, each reached by the step `link` from `member[parent]`, and
`slot` is the hash table that finds them; `rooms` are the cards that a column has room for, a bit
each, `accepted` those that a foundation accepts, and `bare` those of levels of which one card is
covered by nothing. An entry of `pending` is a home word << 16 | step;
those of depth d begin at `first[d]`, and `chosen[:depth]` are the entries on the line.

The search asks for `goal` cards home at once. Wherever as many are seen, short of all, it
goes on for one more, so when it is `EXHAUSTED`, no game ever has `goal` cards home.

With `most_lost` from 0 up it asks for a win that loses no more points than that, of those that
could be had from the start on: 5 for each card that goes from the talon straight home, and what
recycles cost. `NODE.lost` counts both, and `NODE.landed` all cards that left the talon. Then
nothing is left out as safe, since what is safe for winning may cost points.

With `only_forward` it asks for a win that takes no card back. Then a position stands for those to
which it leads by sending cards home, which go home only there: no position is entered by its
representative, and what is left out as above loses nothing, as no card is taken back there either.
"""

WORTH, SELDOM = 20, 15
"""The relaxation is asked at every component while one in so many is blocked, else now and then."""
HOME_BITS = 4
STEP_BITS = 16
SCRATCH, NODES = MAX_DEPTH, MAX_DEPTH + 1
"""Places in the array of nodes beyond those of the line; `NODES` is its length."""


@kernel
def home_word(node: Record) -> int:
    """The foundations' heights in one word, 4 bits each."""
    word = 0
    for place in range(2 * SUITS):
        word |= int64(node.home[place]) << (HOME_BITS * place)
    return word


@kernel
def count_home(game: Record, word: int) -> int:
    """How many cards are home at the heights of a home word."""
    count = 0
    for suit in range(game.suits):
        count += word >> (2 * HOME_BITS * suit) & 15
        if game.decks == 2:
            count += word >> (2 * HOME_BITS * suit + HOME_BITS) & 15
    return count


@kernel
def set_home(game: Record, node: Record, word: int) -> None:
    """Move free cards between the columns and home until the heights are those of the word."""
    for place in range(2 * SUITS):
        now, then = int64(node.home[place]), word >> (HOME_BITS * place) & 15
        change = 1 if then < now else -1
        for rank in range(min(now, then), max(now, then)):
            card = rank * 4 + place // 2
            node.free[card] += change
            node.free_level[LEVEL[card]] += change
            node.open_level[LEVEL[card]] += change
            if rank == game.ranks - 1:
                node.empty -= change
        node.home[place] = then


@kernel
def all_up(node: Record, suit: int) -> int:
    """Number of ranks of a suit of which every copy is home."""
    lower = int64(node.home[2 * suit + 1])
    return int64(node.home[2 * suit]) if lower == CLOSED else lower


@kernel
def is_safe(node: Record, card: int, is_free: bool) -> bool:
    """Whether sending the card home, where it is accepted, can lose nothing.

    Say the card c has rank r. Asked is that both copies of every card of the other colour below
    rank r - 1, and of c's colour below r - 2, are home. Take any line of play from here, and play
    the same with c sent home first. Where that line lays a card on c, it is of the other colour and
    of rank r - 1: it goes home instead, whichever copy it is. Where the line lays a card on that
    one, it is of c's colour and of rank r - 2, and goes home instead, too; and all that could lie
    on that is home already. So whatever is uncovered in the line is uncovered here no later, and no
    place in the columns is missing but the one that c itself had, and c is where it must end.

    Only the twin of c can object, where the line sends it home while c waits in the columns. If c
    is free, the twin goes down into the place that c has left: one copy is home and one is free in
    both games. If c was a base or a talon card there is no such place; then both copies of the
    rank below it in its suit are asked to be home, so that the twin goes home as well.
    """
    rank, suit = card >> 2, card & 3
    for other in range(SUITS):
        near = other == suit or other + suit == 3
        if all_up(node, other) < rank - (2 if near else 1):
            return False
    return is_free or all_up(node, suit) >= rank


@kernel
def add_member(game: Record, search: Record, word: int, parent: int, link: int, most: int) -> bool:
    """Add a home word to the members unless it is one of them; False if they are `most` already."""
    mask = 2 * MAX_MEMBERS - 1
    slot = slot_of(word, 0) & mask
    while True:
        # A slot counts only if the member it names names it too, so old ones need no clearing.
        member = search.slot[slot]
        if member >= search.members or search.where[member] != slot:
            break
        if search.member[member] == word:
            return True
        slot = (slot + 1) & mask
    if search.members == most:
        return False
    search.goal = min(max(search.goal, count_home(game, word) + 1), search.cards)
    search.slot[slot] = search.members
    search.where[search.members] = slot
    search.member[search.members] = word
    search.parent[search.members] = parent
    search.link[search.members] = link
    search.members += 1
    return True


@kernel
def list_members(game: Record, node: Record, search: Record, with_safe: bool, most: int) -> bool:
    """List the members of the component of a position, itself first; False if not all, but `most`.

    Unless `with_safe`, cards that it would be safe to send home at once are not taken back. `node`
    becomes one of the members.
    """
    search.members = 0
    is_whole = add_member(game, search, home_word(node), 0, 0, most)
    at = 0
    while at < search.members:
        word = search.member[at]
        set_home(game, node, word)
        rooms = LEVEL_CARDS[2 * game.ranks - 2] if node.empty > 0 else int64(0)
        rooms |= LEVEL_CARDS[2 * game.ranks - 1] if node.empty > 0 else int64(0)
        bare = accepted = int64(0)
        for level in range(2 * game.ranks):
            if exposed(node, level) > 0:
                bare |= LEVEL_CARDS[level]
                if level > 1:
                    rooms |= LEVEL_CARDS[level - 2]
        for suit in range(game.suits):
            for place in range(2 * suit, 2 * suit + game.decks):
                height = int64(node.home[place])
                one = int64(1) << (HOME_BITS * place)
                # Of two places of one height the first is raised and the second lowered.
                equal = height == node.home[place ^ 1]
                card = height * 4 + suit
                if height < game.ranks and not (equal and place & 1):
                    accepted |= int64(1) << card
                    if node.free[card] > 0 and bare >> card & 1:
                        step = FREE_HOME | card << 3
                        is_whole &= add_member(game, search, word + one, at, step, most)
                card -= 4
                if (
                    height > 0
                    and not search.only_forward
                    and not (equal and place & 1 == 0)
                    and rooms >> card & 1
                    and (with_safe or not is_safe(node, card, True))
                ):
                    step = TAKE_BACK | card << 3
                    is_whole &= add_member(game, search, word - one, at, step, most)
        search.rooms[at], search.accepted[at], search.bare[at] = rooms, accepted, bare
        at += 1
    return is_whole


@kernel
def forced_step(game: Record, node: Record) -> int:
    """A step that can lose nothing, so that the others need not be tried; -1 if none is seen.

    A base or a talon card that is safe at home. A talon card must besides be had at no cost:
    its going must leave all others in reach. With draw 1 and no limit on recycles that is any
    card; with draw 3 the last one, while the waste reaches what the whole waste would; with
    a last pass the top of the waste.
    """
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if (
                home_place(node, card) >= 0
                and exposed(node, LEVEL[card]) > 0
                and is_safe(node, card, False)
            ):
                return BASE_HOME | column << 3
    size, waste, rank = popcount(node.talon), waste_size(node), 0
    left = node.talon
    while left:
        is_last = left & (left - 1) == 0
        index = lowest_bit(left)
        card = int64(game.talon_card[index])
        if node.recycles == NO_LIMIT:
            fits = game.draw == 1 or (is_last and (waste % game.draw == 0 or waste == size))
        else:
            fits = node.recycles == 0 and rank == waste - 1
        if fits and home_place(node, card) >= 0 and is_safe(node, card, False):
            return TALON_HOME | index << 3
        rank += 1
        left &= left - 1
    return -1


@kernel
def advance(game: Record, node: Record, search: Record, step: int) -> None:
    """Take a step; with `most_lost`, count what it loses."""
    kind = step & 7
    if kind == RECYCLE:
        node.lost += min(RECYCLE_COST, max(points(game, node), 0))
        node.border = 0
        return
    apply_step(game, node, step)
    if kind == TALON_HOME and search.most_lost != UNCOUNTED:
        node.landed += 1
        node.lost += POINTS_LANDED


@kernel
def push(search: Record, word: int, step: int) -> int:
    """Put a step from the member with this home word on the stack; `OUT_OF_MEMORY` if full."""
    if search.top == MAX_PENDING:
        return OUT_OF_MEMORY
    search.pending[search.top] = word << STEP_BITS | step
    search.top += 1
    return 0


@kernel
def may_recycle(game: Record, node: Record, most_lost: int) -> bool:
    """Whether a recycle, now or later, can cost so little that `most_lost` allows it.

    It costs the points then, which are at least those now without the cards at home, and only
    rise but for what is lost.
    """
    least = points(game, node) - POINTS_HOME * count_home(game, home_word(node))
    return least + int64(node.lost) <= most_lost


@kernel
def expand(game: Record, nodes: Record, search: Record) -> int:
    """Put all steps from the component of `nodes[search.depth]` on the stack.

    Returns 0, or `OUT_OF_MEMORY` if there is no room. No step is put there if not enough cards can
    ever come home by the relaxation (`relaxes`).
    """
    node = nodes[search.depth]
    counted = search.most_lost != UNCOUNTED
    recycles = counted and may_recycle(game, node, search.most_lost)
    if search.relaxes and (search.blocked * WORTH >= search.asked or search.entries & SELDOM == 0):
        search.asked += 1
        search.relaxed.must_land = counted and node.lost + POINTS_LANDED > search.most_lost
        node.recycles += recycles
        most = relax(game, node, search.relaxed)
        node.recycles -= recycles
        if most < search.goal:
            search.blocked += 1
            return 0
    if not counted:
        step = forced_step(game, node)
        if step >= 0:
            return push(search, home_word(node), step)
    nodes[SCRATCH] = node
    if not list_members(game, nodes[SCRATCH], search, counted, MAX_MEMBERS):
        search.is_cut = True
    if recycles:
        lowest = 0
        for at in range(1, search.members):
            if count_home(game, search.member[at]) < count_home(game, search.member[lowest]):
                lowest = at
        state = push(search, search.member[lowest], RECYCLE)
        if state:
            return state
    return push_steps(game, node, search, list_talon(game, node, search.talon))


@kernel
def push_steps(game: Record, node: Record, search: Record, reachable: int) -> int:
    """Put the steps from all members on the stack, of the talon those of `talon[:reachable]`.

    Returns 0, or `OUT_OF_MEMORY` if there is no room.

    Where a card has room in the columns it is not sent home directly: going down and then home
    leads to the same component. And if a member can do with a card what the member it was
    reached from can (`skips_alike`), both lead to the same one: the two differ by one free card
    that is home in one and in the columns in the other. If the card goes down from both, there
    are two places for it where the free one is a place or needs one, which can thus come and go
    afterwards too. If the card goes home from both, so can the free one, which is not the
    only uncovered card of its level then, and has a foundation of its own or two equally high.
    """
    bases = heads = int64(0)
    for column in range(game.columns):
        if node.placed[column] > 0:
            bases |= int64(1) << base_of(game, node, column)
    for i in range(reachable):
        heads |= int64(1) << game.talon_card[search.talon[i]]
    for at in range(search.members):
        down = search.rooms[at]
        base_home = search.accepted[at] & search.bare[at]
        talon_home = search.accepted[at]
        base_new, talon_new = down | base_home, down | talon_home
        if at > 0 and search.skips_alike:
            parent = search.parent[at]
            alike = down & search.rooms[parent]
            home_alike = ~down & search.accepted[parent]
            base_alike = (alike | (base_home & home_alike & search.bare[parent])) & bases
            talon_alike = (alike | (talon_home & home_alike)) & heads
            search.alike += popcount(base_alike) + popcount(talon_alike)
            base_new &= ~base_alike
            talon_new &= ~talon_alike
        if (base_new & bases) | (talon_new & heads) == 0:
            continue
        word = search.member[at]
        # What is put there last is tried first: bases, then the talon, its next card before others.
        for i in range(reachable - 1, -1, -1):
            index = search.talon[i]
            card = int64(game.talon_card[index])
            if talon_new >> card & 1:
                step = (TALON_DOWN if down >> card & 1 else TALON_HOME) | index << 3
                state = push(search, word, step)
                if state:
                    return state
        for column in range(game.columns):
            if node.placed[column] > 0:
                card = base_of(game, node, column)
                if base_new >> card & 1:
                    step = (BASE_DOWN if down >> card & 1 else BASE_HOME) | column << 3
                    state = push(search, word, step)
                    if state:
                        return state
    return 0


@kernel
def enter(
    game: Record,
    nodes: Record,
    search: Record,
    journal: Record,
    table: Record,
    mask: int,
    entry: int,
) -> int:
    """Go from `nodes[search.depth]` where a stack entry leads; put what can follow on the stack.

    Returns `WON` if it is won, `OUT_OF_MEMORY` if there is no room, and 0 otherwise; without going
    deeper if the component has been entered before or loses too much.
    """
    nodes[search.depth + 1] = nodes[search.depth]
    node = nodes[search.depth + 1]
    set_home(game, node, entry >> STEP_BITS)
    advance(game, node, search, entry & ((1 << STEP_BITS) - 1))
    search.nodes += 1
    if search.most_lost != UNCOUNTED and node.lost > search.most_lost:
        return 0
    search.chosen[search.depth] = entry
    if is_sure_win(game, node):
        search.depth += 1
        return WON
    if not search.only_forward:
        journal.length = 0
        send_all_home(game, node, journal)
    word_0, word_1 = write_key(game, node)
    if search.most_lost != UNCOUNTED:
        word_1 |= int64(node.lost) // POINTS_LANDED << LOST_SHIFT
    state = insert(table, mask, search.tag, word_0, word_1)
    if state == FULL:
        return OUT_OF_MEMORY
    if state == SEEN:
        return 0
    search.entries += 1
    search.depth += 1
    search.first[search.depth] = search.top
    return expand(game, nodes, search)


@kernel
def start(game: Record, nodes: Record, search: Record, journal: Record, only_forward: bool) -> None:
    """Make ready for a search from the position in `nodes[0]`; `search.tag` must be a new one."""
    search.top = search.nodes = search.entries = search.is_cut = 0
    search.asked = search.blocked = search.alike = 0
    search.relaxes = search.skips_alike = True
    search.most_lost = UNCOUNTED
    search.only_forward = only_forward
    search.cards = search.goal = game.decks * game.ranks * game.suits
    if not only_forward:
        send_all_home(game, nodes[0], journal)
    search.depth = NOT_BEGUN


@kernel
def go_on(
    game: Record,
    nodes: Record,
    search: Record,
    journal: Record,
    table: Record,
    mask: int,
    most_nodes: int,
) -> int:
    """Search until `search.nodes` reaches `most_nodes`; call again with more to go on.

    Returns `WON`, `EXHAUSTED` (a proof, unless `search.is_cut`), `OUT_OF_NODES` or
    `OUT_OF_MEMORY`; after the last the search is over.
    """
    if search.depth == NOT_BEGUN:
        search.depth = 0
        search.first[0] = 0
        state = WON if is_sure_win(game, nodes[0]) else expand(game, nodes, search)
        if state:
            return state
    while search.nodes < most_nodes:
        while search.top == search.first[search.depth]:
            if search.depth == 0:
                return EXHAUSTED
            search.depth -= 1
        search.top -= 1
        state = enter(game, nodes, search, journal, table, mask, search.pending[search.top])
        if state:
            return state
    return OUT_OF_NODES


@kernel
def take_entry(
    game: Record,
    nodes: Record,
    search: Record,
    journal: Record,
    entry: int,
    with_safe: bool,
    most: int,
) -> None:
    """Take `nodes[0]`, from which members were listed, where a stack entry leads, by noted steps.

    `with_safe` and `most` as they were listed with, lest the one wanted be missing. The last of
    `nodes` is spoilt.
    """
    spare = len(nodes) - 1
    nodes[spare] = nodes[0]
    list_members(game, nodes[spare], search, with_safe, most)
    word, member = entry >> STEP_BITS, 0
    while search.member[member] != word:
        member += 1
    # The links lead back, so the way there is put together from its end.
    length = 0
    while member > 0:
        search.talon[length] = search.link[member]
        length += 1
        member = search.parent[member]
    while length > 0:
        length -= 1
        take(game, nodes[0], journal, search.talon[length])
    # The same cards are home now, but maybe each height at the other place of its suit.
    set_home(game, nodes[0], word)
    take(game, nodes[0], journal, entry & ((1 << STEP_BITS) - 1))


@kernel
def write_plan(game: Record, nodes: Record, search: Record, journal: Record) -> None:
    """Write the steps of the win that was found to the journal.

    `nodes[0]` must be the position the search was started from; it becomes the sure win at
    the end.
    """
    line, journal.length = search.depth, 0
    for at in range(line):
        if not search.only_forward:
            send_all_home(game, nodes[0], journal)
        with_safe = search.most_lost != UNCOUNTED
        take_entry(game, nodes, search, journal, search.chosen[at], with_safe, MAX_MEMBERS)
