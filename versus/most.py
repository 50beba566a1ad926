"""How many cards can go up: of a player alone, if the other only passes, and of both together.

The search goes over positions of `both.py` in which whoever moves has the stock within reach: the
other passes while they draw. What it finds is carried out move by move and replayed by the referee.
Where it has gone through all positions, no more is possible: the steps allowed are at least those
that a game allows, and a position is left out only if it was there before, or if `bound.py` proves
that it brings no more than what was found. A card that goes up alone without being wanted in the
columns any more goes at once: it can be in nobody's way.

A search that comes to its limit begins anew with the steps in another order; what is then left
between the cards found and the bound is said to be so.
"""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from ..engine.bits import lowest_bit, popcount
from ..engine.errors import MoveError
from ..engine.jit import Record, int64, kernel, record_type
from ..engine.rules import Rules
from ..engine.shuffle import GAMMA, mix
from ..engine.state import STATE
from ..rating.players import PLAYER, below
from ..solver.carry import FAILED, MAX_MOVES, carry_step
from ..solver.position import (
    NO_LIMIT,
    TALON_DOWN,
    TALON_HOME,
    home_place,
    is_reachable,
    room,
    waste_size,
)
from .both import (
    KEY_WORDS,
    PLAY,
    STAND,
    goes_home,
    list_columns,
    load_table,
    take_step,
    write_words,
)
from .bound import BOTH_MOVE, REACH, find_reach_at
from .game import PASS, Action, House, Player, Table, VersusGame
from .playout import pack_table
from .replay import decode

ROWS = 1 << 17
"""Three for each of the `NODES`, so that probes are short."""
PROBES = 64
"""By hand; a position for which so many rows are taken counts as new, which costs time only."""
DEPTH = 210
"""More than the steps of a line: two for each card."""
MAX_CHOICES = 160
"""More than two players have: two for each of 7 bases and of 24 cards of the stock, and 8 free
cards that go up."""
NODES, TRIES = 40_000, 5
"""Positions of one search, and searches at most. By hand."""
_PLAYER_SHIFT = 16
"""Above the bits of a step."""
_MIX_0 = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)

LEVEL_TYPE = record_type(
    [("stand", STAND), ("steps", "i8", (MAX_CHOICES,)), ("count", "i8"), ("at", "i8")]
)

MOST = record_type(
    [
        ("play", PLAY),
        ("levels", LEVEL_TYPE, (DEPTH,)),
        ("reach", REACH),
        ("chance", PLAYER),
        ("key", "i8", (KEY_WORDS,)),
        ("start", STAND),
        ("plan", "i8", (DEPTH,)),
        ("line", "i8", (DEPTH,)),
        ("best_line", "i8", (DEPTH,)),
        ("best_length", "i8"),
        ("most", "i8"),
        ("length", "i8"),
        ("best", "i8"),
        ("bound", "i8"),
        ("left_out", "i8"),
        ("nodes", "i8"),
        ("tag", "i8"),
        ("tags", "i8", (ROWS,)),
        ("table", "i8", (ROWS, KEY_WORDS)),
    ]
)
"""The memory: the line that is looked at; the plan of the best found, how many cards are up then
(`best`) and how many can be at most (`bound`); whether a step was left out of the search; where two
go by turns, where they start and the plans so far; and the positions that were there, those of this
search by their tag."""


@kernel
def is_new(x: Record, stand: Record) -> bool:
    """Note a position; False if it was there. One for which there is no room counts as new."""
    write_words(stand, x.key)
    for player in range(2):
        side = stand.sides[player]
        waste, draw = waste_size(side), x.play.games[player].draw
        # As in `write_key`, a waste whose size makes no difference counts as none.
        if side.recycles == NO_LIMIT and (waste % draw == 0 or waste == popcount(side.talon)):
            x.key[player] = stand.up[player]
    x.key[2] &= (int64(1) << 48) - 1
    mixed = np.uint64(0)
    for word in range(KEY_WORDS):
        mixed = (mixed ^ np.uint64(x.key[word])) * _MIX_0
        mixed = mixed ^ (mixed >> _HALF)
    first = int64((mixed * _MIX_1) >> np.uint64(33)) & ROWS - 1
    for probe in range(PROBES):
        slot = first + probe & ROWS - 1
        if x.tags[slot] != x.tag:
            x.tags[slot] = x.tag
            for word in range(KEY_WORDS):
                x.table[slot, word] = x.key[word]
            return True
        is_same = True
        for word in range(KEY_WORDS):
            is_same &= x.table[slot, word] == x.key[word]
        if is_same:
            return False
    return True


@kernel
def list_choices(x: Record, level: Record, movers: int) -> int:
    """Write the steps of all who move, cards that go up last: these are taken first."""
    stand = level.stand
    count = 0
    for player in range(2):
        if movers >> player & 1 == 0:
            continue
        game, node = x.play.games[player], stand.sides[player]
        begin = count
        count += list_columns(game, node, level.steps[count:])
        left = node.talon
        while left:
            index = lowest_bit(left)
            left &= left - 1
            if not is_reachable(game, node, index):
                continue
            card = int64(game.talon_card[index])
            goes_up, goes_down = home_place(node, card) >= 0, room(game, node, card) > 0
            if stand.clean[player] != 0 and left == 0 and node.talon >> node.border != 0:
                # To draw the whole stock before any progress ends the game, as the other passes.
                x.left_out |= int64(goes_up or goes_down)
                continue
            if goes_up:
                level.steps[count] = TALON_HOME | index << 3
                count += 1
            if goes_down:
                level.steps[count] = TALON_DOWN | index << 3
                count += 1
        for place in range(begin, count):
            level.steps[place] |= player << _PLAYER_SHIFT
    for last in range(count - 1, 0, -1):
        if x.chance.slip > 0:
            other = below(x.chance, last + 1)
            level.steps[last], level.steps[other] = level.steps[other], level.steps[last]
    ahead = 0
    for kinds in range(2):
        for place in range(ahead, count):
            step = level.steps[place] & (1 << _PLAYER_SHIFT) - 1
            uncovers = step & 7 == 0
            if (goes_home(step) and kinds == 0) or (uncovers and kinds == 1):
                level.steps[ahead], level.steps[place] = level.steps[place], level.steps[ahead]
                ahead += 1
    return count


@kernel
def up_of(stand: Record, movers: int) -> int:
    """Cards up of those who move."""
    up = 0
    for player in range(2):
        if movers >> player & 1 != 0:
            up += popcount(stand.up[player])
    return up


@kernel
def bound_up(x: Record, stand: Record, movers: int) -> int:
    """How many cards of those who move can be up at most."""
    find_reach_at(x.play, stand, x.reach, movers)
    most = 0
    for player in range(2):
        if movers >> player & 1 != 0:
            most += popcount(x.reach.can_be_up[player])
    return most


@kernel
def climb(x: Record, movers: int, nodes: int) -> bool:
    """Search from `levels[0]`; whether all was gone through, so that `best` is the most there is.

    More than `best` is looked for only.
    """
    x.tag += 1
    x.nodes = 0
    x.levels[0].at = 0
    x.levels[0].count = list_choices(x, x.levels[0], movers)
    is_new(x, x.levels[0].stand)
    level = 0
    while level >= 0:
        here = x.levels[level]
        if here.at == here.count:
            level -= 1
            continue
        if x.nodes >= nodes:
            return False
        step = here.steps[here.at]
        here.at += 1
        below_it = x.levels[level + 1]
        below_it.stand = here.stand
        stand = below_it.stand
        take_step(x.play, stand, step >> _PLAYER_SHIFT, step & (1 << _PLAYER_SHIFT) - 1)
        x.nodes += 1
        if not is_new(x, stand):
            continue
        up = up_of(stand, movers)
        if up > x.best:
            x.best = up
            x.length = level + 1
            for each in range(level + 1):
                x.plan[each] = x.levels[each].steps[x.levels[each].at - 1]
            if x.best >= x.bound:
                return True
        if bound_up(x, stand, movers) <= x.best:
            continue
        level += 1
        below_it.at = 0
        below_it.count = list_choices(x, below_it, movers)
    return True


@kernel
def find_most(x: Record, t: Record, movers: int, nodes: int, tries: int) -> bool:
    """Look for the most cards that can be up; False if the table has no room in the search.

    Then `x.best` of them can, by `x.plan`, and never more than `x.bound`.
    """
    start = x.levels[0].stand
    if not load_table(t, x.play, start):
        return False
    x.play.play_on = 1
    start.is_over = 0
    x.best = up_of(start, movers)
    x.length = 0
    x.bound = bound_up(x, start, movers)
    if movers == BOTH_MOVE:
        climb_in_turn(x, nodes)
    climb_again(x, movers, nodes, tries)
    return True


@kernel
def climb_again(x: Record, movers: int, nodes: int, tries: int) -> int:
    """Search from `levels[0]` for more than `x.best`, with steps in other orders each time."""
    x.left_out = 0
    for number in range(tries):
        if x.best >= x.bound:
            break
        x.chance.random = mix(np.uint64(number) + GAMMA)
        x.chance.slip = int64(number > 0)
        # Two who help each other could draw the whole stock, while one of them is not idle.
        if climb(x, movers, nodes) and (movers != BOTH_MOVE or x.left_out == 0):
            x.bound = x.best
    return 0


@kernel
def climb_in_turn(x: Record, nodes: int) -> int:
    """Find a plan for both by turns: each brings up what they can while the other waits."""
    stand, bound = x.levels[0].stand, x.bound
    x.start = stand
    x.best_length = 0
    x.most = x.best
    for first in range(2):
        stand = x.levels[0].stand
        x.levels[0].stand = x.start
        length = 0
        player, fruitless = first, 0
        while fruitless < 2:
            x.best = popcount(stand.up[player])
            x.bound = bound_up(x, stand, 1 << player)
            x.length = 0
            climb_again(x, 1 << player, nodes, 2)
            fruitless = fruitless + 1 if x.length == 0 else 0
            for at in range(x.length):
                x.line[length] = x.plan[at]
                length += 1
                take_step(x.play, stand, player, x.plan[at] & (1 << _PLAYER_SHIFT) - 1)
            player = 1 - player
        if up_of(stand, BOTH_MOVE) > x.most:
            x.most = up_of(stand, BOTH_MOVE)
            x.best_length = length
            for at in range(length):
                x.best_line[at] = x.line[at]
    x.levels[0].stand = x.start
    x.best = x.most
    x.bound = bound
    x.length = x.best_length
    for at in range(x.length):
        x.plan[at] = x.best_line[at]
    return 0


@kernel
def carry_plan(x: Record, t: Record, state: Record, moves: Record, makers: Record) -> int:
    """Write the moves that carry the plan out, and who makes them; returns how many.

    The draws are among them, the passes of the other are not. `FAILED` means it was no plan.
    """
    stand = x.levels[0].stand
    count = 0
    for at in range(x.length):
        player = x.plan[at] >> _PLAYER_SHIFT
        step = x.plan[at] & (1 << _PLAYER_SHIFT) - 1
        state.layout = t.layouts[player]
        state.foundations = t.foundations
        node = x.levels[1].stand.sides[player]
        x.levels[1].stand.sides[player] = stand.sides[player]
        before = count
        count = carry_step(x.play.games[player], node, state, moves, count, step)
        if count == FAILED or count > MAX_MOVES - 256:
            return FAILED
        t.layouts[player] = state.layout
        t.foundations = state.foundations
        for place in range(before, count):
            makers[place] = player
        take_step(x.play, stand, player, step)
    return count


@dataclass(frozen=True, slots=True)
class Most:
    """How many cards can be up: `lower` by `plan`, and never more than `upper`."""

    lower: int
    upper: int
    plan: tuple[tuple[Player, Action], ...] = ()
    """What the players do, passes among it, from the table on, under `House(play_on=True)`; empty
    where another search has found it."""

    def __str__(self) -> str:
        """As `37` or `37-51`."""
        return f"{self.lower}" if self.lower == self.upper else f"{self.lower}-{self.upper}"


class Climber:
    """The memory of the search for tables of one game, in turns."""

    def __init__(self, rules: Rules, nodes: int = NODES, tries: int = TRIES) -> None:
        """Reserve it; so many positions are looked at, up to so many times."""
        self._rules, self._nodes, self._tries = rules, nodes, tries
        self._memory, self._state = np.zeros(1, MOST), np.zeros(1, STATE)

    def alone(self, table: Table, player: Player) -> Most:
        """The most cards of a player if the other only passes."""
        return self._most(table, 1 << tuple(Player).index(player))

    def together(self, table: Table) -> Most:
        """The most cards of both if they help each other, and who is out does not end the game."""
        return self._most(table, BOTH_MOVE)

    def _most(self, table: Table, movers: int) -> Most:
        x, house = self._memory[0], House(play_on=True)
        packed = pack_table(self._rules, table, house)
        players = [p for index, p in enumerate(Player) if movers >> index & 1]
        game = VersusGame(self._rules, table, house)
        least = sum(map(game.up, players))
        if not find_most(x, packed[0], movers, self._nodes, self._tries):
            return Most(least, self._rules.cards * len(players), ())
        upper = int(x.bound)
        moves, makers = np.zeros(MAX_MOVES, np.int64), np.zeros(MAX_MOVES, np.int64)
        count = int(carry_plan(x, packed[0], self._state[0], moves, makers))
        plan: list[tuple[Player, Action]] = []
        order = tuple(Player)

        def play(player: Player, action: Action) -> None:
            game.play(player, action)
            plan.append((player, action))

        # Of two who help each other one may end the game by drawing all of their stock before any
        # progress, which the search does not see; then that is the plan, and what is up by then.
        with suppress(MoveError):
            for move, maker in zip(moves[: max(count, 0)], makers, strict=False):
                player = order[int(maker)]
                if game.turn is player.other:
                    play(player.other, PASS)
                play(player, decode(int(move)))
        return Most(max(least, sum(map(game.up, players))), upper, tuple(plan))
