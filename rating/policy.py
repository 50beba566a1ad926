"""The fast player: chooses by learned weights of what can be seen; a game takes microseconds.

They think in the solver's steps (`solver/position.py`), as how the open cards are arranged does not
matter: a card that lies on its dealt place goes to a column or a foundation, or one of the talon
does; cards go home only when a step needs them there (`solver/homes.py`). Each step that may be
possible is described by `FEATURES`, which are numbers that the player can see; the steps are tried
in the order of their worth, the sum of the features times the weights of the mode. What lies face
down is not looked at: a test deals those cards anew and asks for the same choice.

Where the stock may be turned over without limit they go through it once before anything else, which
costs nothing and shows all of its cards. Where it is gone through once, a draw is a choice like
others. None takes a card back. Every step is one that cannot be undone, so a game ends: won when it
is sure to be, or when nothing is possible any more, and then all goes home that can.

`learning/policy.py` makes the weights (`data/policy.json`).
"""

import json
import math
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..engine.bits import lowest_bit, popcount
from ..engine.column import HIDDEN, RUN, RUN_SHIFT, run_card
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.listing import height_of
from ..engine.rules import Rules
from ..engine.shuffle import GAMMA, mix
from ..solver.homes import TRAIL, WAY_NEARER, WAY_SHIFT, gap_below, perform, send_all_home
from ..solver.position import (
    BASE_DOWN,
    BASE_HOME,
    CLOSED,
    DRAW_ONCE,
    GAME,
    LEVEL,
    LEVELS,
    NO_LIMIT,
    NODE,
    SUITS,
    TALON_DOWN,
    TALON_HOME,
    base_of,
    derive,
    draw,
    home_place,
    is_sure_win,
    room,
    total_home,
    waste_size,
)

FILE = Path(__file__).resolve().parent.parent / "data" / "policy.json"

FEATURES = {
    "base_home_ready": "a base that a foundation takes now",
    "base_home_later": "one that needs others home first",
    "base_home_hidden": "cards face down under it",
    "base_home_last": "nothing lies under it",
    "base_home_rank": "its rank",
    "base_home_ahead": "ranks that it is ahead of the lowest foundation",
    "base_down_ready": "a base that a column takes now",
    "base_down_later": "one that needs others home first",
    "base_down_hidden": "cards face down under it",
    "base_down_last": "nothing lies under it",
    "base_down_last_king": "nothing lies under it, and a king that lies on cards waits",
    "base_down_last_talon_king": "nothing lies under it, and a king of the talon can be had",
    "base_down_king": "it is a king",
    "base_down_rank": "its rank",
    "base_down_spare": "places that are left for others like it",
    "base_down_rivals": "other bases that want the place",
    "base_down_talon_rivals": "cards of the talon that can be had and want the place",
    "talon_home_ready": "a card of the talon that a foundation takes now",
    "talon_home_later": "one that needs others home first",
    "talon_home_rank": "its rank",
    "talon_home_ahead": "ranks that it is ahead of the lowest foundation",
    "talon_down_ready": "a card of the talon that a column takes now",
    "talon_down_rank": "its rank",
    "talon_down_wanted": "bases that wait for it",
    "talon_down_wanted_hidden": "cards face down under those",
    "talon_down_wanted_talon": "cards of the talon that can be had and wait for it",
    "talon_down_takes": "bases that want its place, where there are not places for all",
    "talon_down_king": "it is a king",
    "talon_down_king_rivals": "kings that lie on cards and want the empty column",
    "talon_down_home": "a foundation takes it now",
    "talon_reach": "cards of the talon that can be had afterwards, less those now",
    "talon_useful": "the same, of those that have a place now",
    "talon_place": "where in the talon it lies, 0 first to 1 last",
    "talon_left": "share of the talon that is left",
    "home_bases": "bases that can go home afterwards",
    "home_hidden": "cards face down under those",
    "home_talon": "cards of the talon that can be had and go home afterwards",
    "draw": "a draw",
    "draw_over": "a draw over a card that has a place",
    "draw_left": "a draw, times the share of the stock that is left",
}
"""What of a step each number is; ranks go from 0 for aces to 1 for kings, other counts as such."""
NAMES = tuple(FEATURES)
COUNT = len(NAMES)
(
    BASE_HOME_READY,
    BASE_HOME_LATER,
    BASE_HOME_HIDDEN,
    BASE_HOME_LAST,
    BASE_HOME_RANK,
    BASE_HOME_AHEAD,
    BASE_DOWN_READY,
    BASE_DOWN_LATER,
    BASE_DOWN_HIDDEN,
    BASE_DOWN_LAST,
    BASE_DOWN_LAST_KING,
    BASE_DOWN_LAST_TALON_KING,
    BASE_DOWN_KING,
    BASE_DOWN_RANK,
    BASE_DOWN_SPARE,
    BASE_DOWN_RIVALS,
    BASE_DOWN_TALON_RIVALS,
    TALON_HOME_READY,
    TALON_HOME_LATER,
    TALON_HOME_RANK,
    TALON_HOME_AHEAD,
    TALON_DOWN_READY,
    TALON_DOWN_RANK,
    TALON_DOWN_WANTED,
    TALON_DOWN_WANTED_HIDDEN,
    TALON_DOWN_WANTED_TALON,
    TALON_DOWN_TAKES,
    TALON_DOWN_KING,
    TALON_DOWN_KING_RIVALS,
    TALON_DOWN_HOME,
    TALON_REACH,
    TALON_USEFUL,
    TALON_PLACE,
    TALON_LEFT,
    HOME_BASES,
    HOME_HIDDEN,
    HOME_TALON,
    DRAW,
    DRAW_OVER,
    DRAW_LEFT,
) = range(COUNT)
MAX_CHOICES = 96
"""A draw, two for each of 9 bases, one for each of 59 cards of the talon, and one more for those of
it that fit both a foundation and a column, of which there are 12 at most."""
NONE = -1
DOUBLE = "DS1"
NOISE = 0.2
"""How much chance moves the worth of a step when the player plays for a rating. By hand; with 0.5
they win far fewer games (docs/difficulty.md)."""
_EVERY_CARD = (1 << 63) - 1
_EVERY_THIRD = sum(1 << number for number in range(2, 63, 3))

POLICY = record_type(
    [
        ("weights", np.float64, (COUNT,)),
        ("noise", np.float64),
        ("random", np.uint64),
        ("all_seen", np.int64),
        ("count", np.int64),
        ("choice", np.int64, (MAX_CHOICES,)),
        ("worth", np.float64, (MAX_CHOICES,)),
        ("bases", np.int64, (LEVELS + 2,)),
        ("talon_level", np.int64, (LEVELS + 2,)),
        ("reachable", np.int64),
        ("useful", np.int64),
        ("size", np.int64),
        ("kings", np.int64),
        ("trail", TRAIL),
        ("before", NODE),
    ]
)
"""A player: their weights, how much chance moves the worth of a step, and the state of SplitMix64;
1 if all cards of the talon are known; the steps of a position, and what they are worth; and of a
position, for each level, the bases and the talon's cards that can be had; the latter also as bits,
by their number in the talon, and those known that have a place now; the size of the talon, and the
bases that are kings on face-down cards; the steps of the game, and a position to go back to."""


@kernel
def load_state(layout: Record, foundations: Record, game: Record, node: Record, p: Record) -> None:
    """Write a position of the engine as the solver's records, of the layout's rules."""
    game.columns, game.ranks, game.suits = layout.columns, layout.ranks, foundations.suits
    game.decks, game.draw = foundations.places, layout.draw
    for column in range(layout.columns):
        word = layout.tableau[column]
        hidden = word & HIDDEN
        node.placed[column] = 0
        if word != 0:
            node.placed[column] = hidden + 1
            for row in range(hidden):
                game.dealt[column, row] = layout.hidden_card[column, row]
            game.dealt[column, hidden] = run_card(word, (word >> RUN_SHIFT & RUN) - 1)
    for suit in range(SUITS):
        first, second = layout.ranks, CLOSED
        if suit < foundations.suits:
            first = height_of(foundations, suit, 0)
            if foundations.places > 1:
                second = height_of(foundations, suit, 1)
                first, second = max(first, second), min(first, second)
        node.home[2 * suit], node.home[2 * suit + 1] = first, second
    game.talon_size = layout.talon_cards
    for index in range(layout.talon_cards):
        game.talon_card[index] = layout.talon_card[index]
    node.talon = layout.talon
    node.border = layout.waste
    node.recycles = NO_LIMIT
    if layout.max_recycles >= 0:
        node.recycles = layout.max_recycles - layout.recycles
    node.landed = node.lost = 0
    derive(game, node)
    p.all_seen = layout.recycles > 0


@kernel
def cards_home(game: Record, node: Record) -> int:
    """Cards on the foundations that the game has."""
    closed = 0
    for place in range(2 * SUITS):
        if place // 2 >= game.suits or place % 2 >= game.decks:
            closed += int64(node.home[place])
    return total_home(node) - closed


@kernel
def can_be_had_of(game: Record, node: Record, waste: int, size: int) -> int:
    """Which cards of a talon of this size can be had, a bit each by their number in it.

    `waste` of them are in the waste, which is `can_be_had` for all of them at once.
    """
    if size == 0:
        return 0
    every = _EVERY_CARD if game.draw == 1 else _EVERY_THIRD
    bits = every << waste | int64(1) << size - 1
    if waste > 0:
        bits |= int64(1) << waste - 1
    if node.recycles > 0:
        bits |= every
    return int64(bits & ((int64(1) << size) - 1))


@kernel
def survey(game: Record, node: Record, p: Record) -> None:
    """Count what the features of all steps of a position have in common."""
    p.bases[:] = 0
    p.talon_level[:] = 0
    p.kings = 0
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            p.bases[LEVEL[card]] += 1
            p.kings += card >> 2 == game.ranks - 1
    p.size = popcount(node.talon)
    waste = waste_size(node)
    p.reachable = can_be_had_of(game, node, waste, p.size)
    if not p.all_seen:
        p.reachable = int64(1) << waste - 1 if waste > 0 else int64(0)
    p.useful = 0
    number = 0
    left = node.talon if p.all_seen else node.talon & (int64(1) << node.border) - 1
    while left:
        card = int64(game.talon_card[lowest_bit(left)])
        if p.reachable >> number & 1:
            p.talon_level[LEVEL[card]] += 1
        if room(game, node, card) > 0 or home_place(node, card) >= 0:
            p.useful |= int64(1) << number
        number += 1
        left &= left - 1


@kernel
def lowest_home(game: Record, node: Record) -> int:
    """The height of the lowest foundation."""
    lowest = int64(game.ranks)
    for suit in range(game.suits):
        for place in range(game.decks):
            lowest = min(lowest, int64(node.home[2 * suit + place]))
    return lowest


@kernel
def chance(p: Record) -> float:
    """A random number in (0, 1), of SplitMix64."""
    p.random = p.random + GAMMA
    return (int64(mix(p.random) >> np.uint64(11)) + 0.5) / 9007199254740992.0


@kernel
def new_choice(p: Record, choice: int) -> int:
    """Add a step to the list, worth what chance says; returns its place."""
    at = p.count
    p.choice[at] = choice
    p.worth[at] = 0.0
    if p.noise > 0.0:
        p.worth[at] = -p.noise * math.log(-math.log(chance(p)))
    p.count = at + 1
    return int64(at)


@kernel
def add(p: Record, at: int, feature: int, value: float) -> None:
    """Add a feature of a step to its worth."""
    p.worth[at] += p.weights[feature] * value


@kernel
def describe_home(game: Record, node: Record, p: Record, at: int, card: int) -> None:
    """What a card that goes home opens."""
    following = card + 4
    if following >> 2 >= game.ranks:
        return
    for column in range(game.columns):
        if node.placed[column] > 0 and base_of(game, node, column) == following:
            add(p, at, HOME_BASES, 1)
            add(p, at, HOME_HIDDEN, int64(node.placed[column]) - 1)
    left, number = node.talon, 0
    while p.reachable >> number:
        if p.reachable >> number & 1:
            add(p, at, HOME_TALON, game.talon_card[lowest_bit(left)] == following)
        left &= left - 1
        number += 1


@kernel
def list_bases(game: Record, node: Record, p: Record, lowest: int) -> None:
    """List the steps of bases."""
    king = game.ranks - 1
    talon_kings = p.talon_level[2 * king] + p.talon_level[2 * king + 1]
    for column in range(game.columns):
        if node.placed[column] == 0:
            continue
        hidden = int64(node.placed[column]) - 1
        card = base_of(game, node, column)
        rank, level = card >> 2, LEVEL[card]
        if gap_below(node, card) >= 0:
            at = new_choice(p, BASE_HOME | column << 3)
            ready = home_place(node, card) >= 0
            add(p, at, BASE_HOME_READY if ready else BASE_HOME_LATER, 1)
            add(p, at, BASE_HOME_HIDDEN, hidden)
            add(p, at, BASE_HOME_LAST, hidden == 0)
            add(p, at, BASE_HOME_RANK, rank / 12)
            add(p, at, BASE_HOME_AHEAD, rank - lowest)
            describe_home(game, node, p, at, card)
        places = room(game, node, card)
        if rank == king and (places == 0 or hidden == 0):
            continue
        at = new_choice(p, BASE_DOWN | column << 3 | WAY_NEARER << WAY_SHIFT)
        add(p, at, BASE_DOWN_READY if places > 0 else BASE_DOWN_LATER, 1)
        add(p, at, BASE_DOWN_HIDDEN, hidden)
        if hidden == 0:
            add(p, at, BASE_DOWN_LAST, 1)
            add(p, at, BASE_DOWN_LAST_KING, min(p.kings, 2))
            add(p, at, BASE_DOWN_LAST_TALON_KING, min(talon_kings, 2))
        add(p, at, BASE_DOWN_KING, rank == king)
        add(p, at, BASE_DOWN_RANK, rank / 12)
        rivals = p.kings - 1 if rank == king else p.bases[level] - 1
        talon_rivals = talon_kings if rank == king else p.talon_level[level]
        add(p, at, BASE_DOWN_SPARE, min(max(places - 1 - rivals, -2), 2))
        add(p, at, BASE_DOWN_RIVALS, rivals)
        add(p, at, BASE_DOWN_TALON_RIVALS, min(talon_rivals, 3))


@kernel
def describe_talon(game: Record, node: Record, p: Record, at: int, number: int) -> None:
    """What a step of the talon's card of this number does to the talon."""
    add(p, at, TALON_PLACE, number / p.size)
    add(p, at, TALON_LEFT, p.size / game.talon_size)
    if p.all_seen:
        before = (int64(1) << number) - 1
        useful = p.useful & before | p.useful >> 1 & ~before
        after = can_be_had_of(game, node, number, p.size - 1)
        add(p, at, TALON_REACH, popcount(after) - popcount(p.reachable))
        add(p, at, TALON_USEFUL, popcount(after & useful) - popcount(p.reachable & p.useful))


@kernel
def list_talon_steps(game: Record, node: Record, p: Record, lowest: int) -> None:
    """List the steps of the talon's cards that can be had, and the draw."""
    king = game.ranks - 1
    left, number = node.talon, -1
    while p.reachable >> number + 1:
        index = lowest_bit(left)
        left &= left - 1
        number += 1
        if p.reachable >> number & 1 == 0:
            continue
        card = int64(game.talon_card[index])
        rank, level = card >> 2, LEVEL[card]
        places = room(game, node, card)
        gap = gap_below(node, card)
        if gap == 0 or (gap > 0 and places <= 0):
            at = new_choice(p, TALON_HOME | index << 3)
            add(p, at, TALON_HOME_READY if gap == 0 else TALON_HOME_LATER, 1)
            add(p, at, TALON_HOME_RANK, rank / 12)
            add(p, at, TALON_HOME_AHEAD, rank - lowest)
            describe_home(game, node, p, at, card)
            describe_talon(game, node, p, at, number)
        if places <= 0:
            continue
        at = new_choice(p, TALON_DOWN | index << 3)
        add(p, at, TALON_DOWN_READY, 1)
        add(p, at, TALON_DOWN_RANK, rank / 12)
        add(p, at, TALON_DOWN_HOME, gap == 0)
        describe_talon(game, node, p, at, number)
        below = level - 2
        if rank > 0 and node.open_level[level] - node.free_level[below] <= 0:
            add(p, at, TALON_DOWN_WANTED_TALON, min(p.talon_level[below], 3))
            for column in range(game.columns):
                if node.placed[column] > 0 and LEVEL[base_of(game, node, column)] == below:
                    add(p, at, TALON_DOWN_WANTED, 1)
                    add(p, at, TALON_DOWN_WANTED_HIDDEN, int64(node.placed[column]) - 1)
        if rank == king:
            add(p, at, TALON_DOWN_KING, 1)
            add(p, at, TALON_DOWN_KING_RIVALS, p.kings)
        elif p.bases[level] >= places:
            add(p, at, TALON_DOWN_TAKES, p.bases[level])
    if not p.all_seen:
        at = new_choice(p, DRAW_ONCE)
        add(p, at, DRAW, 1)
        add(p, at, DRAW_OVER, p.reachable & p.useful != 0)
        stock = popcount(node.talon >> node.border)
        add(p, at, DRAW_LEFT, stock / game.talon_size)


@kernel
def list_choices(game: Record, node: Record, p: Record) -> None:
    """List the steps of a position that may be possible, with features and worth."""
    survey(game, node, p)
    p.count = 0
    lowest = lowest_home(game, node)
    list_bases(game, node, p, lowest)
    list_talon_steps(game, node, p, lowest)


@kernel
def best_choice(p: Record) -> int:
    """Take the step of the highest worth off the list; -1 if there is none."""
    if p.count == 0:
        return NONE
    best = 0
    for at in range(1, p.count):
        if p.worth[at] > p.worth[best]:
            best = at
    choice: int = p.choice[best]
    p.count -= 1
    p.choice[best] = p.choice[p.count]
    p.worth[best] = p.worth[p.count]
    return choice


@kernel
def goes_through(game: Record, node: Record, p: Record) -> bool:
    """Whether drawing through the unknown stock, and turning it over, loses nothing."""
    waste = waste_size(node)
    return bool(not p.all_seen and node.recycles == NO_LIMIT and waste % game.draw == 0)


@kernel
def see_all(game: Record, node: Record, p: Record) -> None:
    """Go through the stock where that loses nothing, and note whether all of it is known."""
    if goes_through(game, node, p):
        while node.talon >> node.border != 0:
            draw(game, node)
    if node.talon >> node.border == 0:
        p.all_seen = 1


@kernel
def take_best(game: Record, node: Record, p: Record) -> bool:
    """Take the step of the highest worth that can be taken, and note it in the trail.

    False if none can; all goes home then that can.
    """
    list_choices(game, node, p)
    length = p.trail.length
    set_node(p.before, node)
    while True:
        choice = best_choice(p)
        if choice < 0:
            send_all_home(game, node, p.trail)
            return False
        if perform(game, node, p.trail, choice):
            return True
        p.trail.length = length
        set_node(node, p.before)


@kernel
def play_on(game: Record, node: Record, p: Record) -> bool:
    """Play a game from `node` to its end; whether it is won. The steps are in the trail."""
    p.trail.length = 0
    while not is_sure_win(game, node):
        see_all(game, node, p)
        if not take_best(game, node, p):
            return False
    return True


@kernel
def set_node(node: Record, other: Record) -> None:
    """Make a node equal to another, which is quicker field by field."""
    node.talon = other.talon
    node.placed[:] = other.placed
    node.home[:] = other.home
    node.free[:] = other.free
    node.open_level[:] = other.open_level
    node.free_level[:] = other.free_level
    node.border = other.border
    node.recycles = other.recycles
    node.empty = other.empty
    node.landed = other.landed
    node.lost = other.lost


@kernel
def play_fast_games(
    start: Record, game: Record, nodes: Record, p: Record, seed: int, ends: Record
) -> int:
    """Play a game of one position for each of `ends`, as `players.play_games` does; games won.

    `game` and two `nodes` are scratch.
    """
    load_state(start.layout, start.foundations, game, nodes[0], p)
    all_seen = p.all_seen
    wins = 0
    for number in range(len(ends)):
        set_node(nodes[1], nodes[0])
        p.all_seen = all_seen
        p.random = mix(mix(np.uint64(seed) + GAMMA) + np.uint64(number) * GAMMA)
        if play_on(game, nodes[1], p):
            wins += 1
            ends[number] = game.ranks * game.suits * game.decks
        else:
            ends[number] = cards_home(game, nodes[1])
    return wins


class Fast:
    """The fast player, and a table for their games."""

    def __init__(self, rules: Rules, noise: float = NOISE) -> None:
        """Read the weights for the rules; `noise` is how much chance moves their choices."""
        self._game, self._nodes = np.zeros(1, GAME)[0], np.zeros(2, NODE)
        self._player: Record = np.zeros(1, POLICY)[0]
        self._player.weights[:], self._player.noise = weights_for(rules), noise

    def play(self, start: Record, seed: int, count: int) -> NDArray[np.int64]:
        """The cards that are up at the end of so many games from a `STATE`; all in a game won."""
        ends = np.zeros(count, np.int64)
        play_fast_games(start, self._game, self._nodes, self._player, seed, ends)
        return ends


def weights_for(rules: Rules) -> NDArray[np.float64]:
    """The weights of the game and mode; of one not learned, those of Double Solitaire's mode."""
    known = sets()
    name = f"{rules.game}-{rules.mode}"
    return known.get(name, known[f"{DOUBLE}-{rules.mode}"])


@cache
def sets() -> dict[str, NDArray[np.float64]]:
    """The weights of the file, by game and mode, in the order of `NAMES`."""
    data = json.loads(FILE.read_text(encoding="utf-8"))
    return {mode: np.array([one["weights"][name] for name in NAMES]) for mode, one in data.items()}
