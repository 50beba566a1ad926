"""Components: positions that lead to one another by sending free cards home and taking them back.

Sending a free card home can always be taken back, since the place that it leaves accepts it. So
such steps part the positions into *components* within which play moves freely; every other step
takes a dealt card from its place for good, so components form a graph without cycles of at most one
layer per card. A component is entered by its *representative*, where greedily every free card that
can is home; its *members* are listed by a breadth-first walk over taking back and sending home, and
every step from every member is an *entry* to another component.

A representative is not unique: which of two cards of a level goes home first may decide which of
them remains. So a component may be entered twice, by two representatives. That costs time and no
truth: each is a member, and from each all members are listed.
"""

import numpy as np

from ..engine.bits import popcount
from ..engine.jit import Record, int64, kernel, record_type
from .homes import take
from .position import (
    BASE_DOWN,
    BASE_HOME,
    FREE_HOME,
    HOME_DOWN,
    LEVEL,
    LEVEL_CARDS,
    SUITS,
    TALON,
    TALON_DOWN,
    TALON_HOME,
    base_of,
    exposed,
)
from .safe import is_safe
from .table import slot_of

MAX_MEMBERS = 1 << 15
"""By hand; of a component with more, a proof says so (`is_cut`)."""
MAX_PATH = 256
"""A way between two members takes back or sends home each of 104 cards at most once."""
MAX_ENTRIES = 1 << 20
"""Of the stack: 8 megabytes, of which is used what a search needs."""
EVERY_CARD = -1
"""As `spare` of an entry: all cards have room on its way."""
STACK_FULL = 5
"""Beside the states of `exhaust.py`."""
HOME_BITS = 4
"""Of a height, 0 … 13 or `CLOSED`."""
STEP_BITS = 16
"""Of a step in an entry, beside a home word of 32 bits."""
STEP_MASK = (1 << STEP_BITS) - 1

COMPONENT = record_type(
    [
        ("member", np.int64, (MAX_MEMBERS,)),
        ("where", np.int32, (MAX_MEMBERS,)),
        ("parent", np.int32, (MAX_MEMBERS,)),
        ("link", np.int16, (MAX_MEMBERS,)),
        ("rooms", np.int64, (MAX_MEMBERS,)),
        ("accepted", np.int64, (MAX_MEMBERS,)),
        ("bare", np.int64, (MAX_MEMBERS,)),
        ("slot", np.int64, (2 * MAX_MEMBERS,)),
        ("spare", np.int64, (MAX_MEMBERS,)),
        ("entry", np.int64, (MAX_ENTRIES,)),
        ("entry_spare", np.int64, (MAX_ENTRIES,)),
        ("waiting_columns", np.int64),
        ("waiting_talon", np.int64),
        ("talon", np.int64, (TALON,)),
        ("path", np.int64, (MAX_PATH,)),
        ("members", np.int64),
        ("entries", np.int64),
        ("most_members", np.int64),
        ("most_home", np.int64),
        ("takes_back", np.int64),
        ("skips_safe", np.int64),
        ("skips_alike", np.int64),
        ("safe", np.int64),
        ("alike", np.int64),
    ]
)
"""The members of the component at hand, and a stack of entries; each search has its own.

`member[:members]` are home words, each reached by the step `link` from `member[parent]`, and `slot`
is the hash table that finds them; `rooms` are the cards that a column has room for, a bit each,
`accepted` those that a foundation accepts, and `bare` those of levels of which one card is covered
by nothing. `spare` are the cards that have room in a member and all on the way there, and
`entry_spare` the same of the member that an entry starts from. `most_home` is how many cards are
home where most are. An entry of `entry[:entries]` is a home word << STEP_BITS | step.
`waiting_columns` and `waiting_talon` are bases and talon cards, a bit each, whose steps are not
listed while they wait (`waiting.py`). `talon` is for the caller to list the talon cards in that can
be had.

The rest is how members and entries are listed: at most `most_members`; without taking back unless
it `takes_back`; and what is left out: cards that it would be safe to send home at once are not
taken back (`skips_safe`, which has left out `safe` so far), nor is an entry listed that leads where
another does (`skips_alike`, `alike`).

Both may be left out together, though a step of an equal member is then left to a member that is
listed, while the component it leads to may list fewer members than it has. For both rules speak of
lines of play, not of what is listed. Take a component in which a line that wins begins, with as few
steps out of a dealt place as any from there. If the line goes through members that take back safe
cards, there is one as long that does not (`is_safe`). The first step that it takes out of its dealt
place stands on the list, or one that leads to the same component does (`put_entries`); and from
there one that wins begins with a step less. So by induction some line that wins is followed to its
end.
"""


@kernel
def start_listing(component: Record, takes_back: bool, most_members: int) -> None:
    """Make ready for a search, which leaves out all that may be left out."""
    component.entries = component.safe = component.alike = 0
    component.waiting_columns = component.waiting_talon = 0
    component.takes_back, component.most_members = takes_back, most_members
    component.skips_safe = component.skips_alike = True


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
        change = int64(1 if then < now else -1)
        for rank in range(min(now, then), max(now, then)):
            card = rank * 4 + place // 2
            node.free[card] += change
            node.free_level[LEVEL[card]] += change
            node.open_level[LEVEL[card]] += change
            if rank == game.ranks - 1:
                node.empty -= change
        node.home[place] = then


@kernel
def add_member(game: Record, component: Record, word: int, parent: int, link: int) -> bool:
    """Add a home word to the members unless it is one of them; False if they are too many."""
    mask = 2 * MAX_MEMBERS - 1
    slot = slot_of(word, 0) & mask
    while True:
        # A slot counts only if the member it names names it too, so old ones need no clearing.
        member = component.slot[slot]
        if member >= component.members or component.where[member] != slot:
            break
        if component.member[member] == word:
            return True
        slot = (slot + 1) & mask
    if component.members == component.most_members:
        return False
    component.most_home = max(component.most_home, count_home(game, word))
    component.slot[slot] = component.members
    component.where[component.members] = slot
    component.member[component.members] = word
    component.parent[component.members] = parent
    component.link[component.members] = link
    component.members += 1
    return True


@kernel
def list_members(game: Record, node: Record, component: Record) -> bool:
    """List the members of the component of a position, itself first; False if they are too many.

    `node` becomes one of the members.
    """
    component.members = component.most_home = 0
    is_whole = add_member(game, component, home_word(node), 0, 0)
    at = 0
    while at < component.members:
        word = component.member[at]
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
                        is_whole &= add_member(game, component, word + one, at, step)
                card -= 4
                if (
                    height > 0
                    and component.takes_back
                    and not (equal and place & 1 == 0)
                    and rooms >> card & 1
                ):
                    if component.skips_safe and is_safe(node, card, True):
                        component.safe += 1
                        continue
                    step = HOME_DOWN | card << 3
                    is_whole &= add_member(game, component, word - one, at, step)
        component.spare[at] = rooms & (component.spare[component.parent[at]] if at > 0 else rooms)
        component.rooms[at], component.accepted[at], component.bare[at] = rooms, accepted, bare
        at += 1
    return is_whole


@kernel
def put_entry(component: Record, word: int, step: int, spare: int) -> int:
    """Put a step from the member with this home word on the stack; `STACK_FULL`, or else 0.

    `spare` are the cards that have room on the whole way to that member.
    """
    if component.entries == MAX_ENTRIES:
        return STACK_FULL
    component.entry[component.entries] = word << STEP_BITS | step
    component.entry_spare[component.entries] = spare
    component.entries += 1
    return 0


@kernel
def put_entries(game: Record, node: Record, component: Record, reachable: int) -> int:
    """Put the steps from all members on the stack, of the talon those of `talon[:reachable]`.

    Returns 0, or `STACK_FULL`.

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
        heads |= int64(1) << game.talon_card[component.talon[i]]
    for at in range(component.members):
        down = component.rooms[at]
        base_home = component.accepted[at] & component.bare[at]
        talon_home = component.accepted[at]
        base_new, talon_new = down | base_home, down | talon_home
        if at > 0 and component.skips_alike:
            parent = component.parent[at]
            alike = down & component.rooms[parent]
            home_alike = ~down & component.accepted[parent]
            base_alike = (alike | (base_home & home_alike & component.bare[parent])) & bases
            talon_alike = (alike | (talon_home & home_alike)) & heads
            component.alike += popcount(base_alike) + popcount(talon_alike)
            base_new &= ~base_alike
            talon_new &= ~talon_alike
        if (base_new & bases) | (talon_new & heads) == 0:
            continue
        word, spare = component.member[at], int64(component.spare[at])
        # What is put there last is tried first: bases, then the talon, its next card before others.
        for i in range(reachable - 1, -1, -1):
            index = component.talon[i]
            card = int64(game.talon_card[index])
            waits = component.waiting_talon >> index & 1 and spare >> card & 1
            if talon_new >> card & 1 and not waits:
                step = (TALON_DOWN if down >> card & 1 else TALON_HOME) | index << 3
                state = put_entry(component, word, step, spare)
                if state:
                    return state
        for column in range(game.columns):
            if node.placed[column] > 0:
                card = base_of(game, node, column)
                waits = component.waiting_columns >> column & 1 and spare >> card & 1
                if base_new >> card & 1 and not waits:
                    step = (BASE_DOWN if down >> card & 1 else BASE_HOME) | column << 3
                    state = put_entry(component, word, step, spare)
                    if state:
                        return state
    return 0


@kernel
def take_entry(game: Record, nodes: Record, component: Record, trail: Record, entry: int) -> None:
    """Take `nodes[0]`, from which members were listed, where an entry leads, by noted steps.

    The last of `nodes` is spoilt.
    """
    spare = len(nodes) - 1
    nodes[spare] = nodes[0]
    list_members(game, nodes[spare], component)
    word, member = entry >> STEP_BITS, 0
    while component.member[member] != word:
        member += 1
    # The links lead back, so the way there is put together from its end.
    length = 0
    while member > 0:
        component.path[length] = component.link[member]
        length += 1
        member = component.parent[member]
    while length > 0:
        length -= 1
        take(game, nodes[0], trail, component.path[length])
    take(game, nodes[0], trail, entry & STEP_MASK)
