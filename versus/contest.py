"""Games of the computer players against each other, in pairs: each deal twice, with sides swapped.

Half of what a single game comes to is the deal, so a pair is the unit of all statistics: its share
is the mean of both games, and the interval is that of the mean over pairs. Chance belongs to the
sides and not to the players, so a player against itself is even in every pair, to the card.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.jit import Record, int64, kernel
from ..engine.listing import DRAW, RECYCLE
from ..engine.moves import KIND
from ..engine.rules import Rules
from ..rating.interval import CONFIDENCE_95
from ..rating.players import CASUAL_SLIP, PLAYER
from .codes import VersusCode
from .dead import are_both_dead, new_probe
from .game import End, House, Table
from .habits import set_models, watch
from .playout import (
    BOTH,
    CAREFUL,
    CASUAL,
    DEAD,
    GOES_ON,
    GREEDY,
    MOST_TURNS,
    NOBODY,
    PASS,
    TABLE,
    act,
    choose,
    count_up,
    finish,
    lay_table,
    pack_table,
    seed_players,
)
from .race import PACE, RUNNER, is_late, next_time, see_own, seed_runner, set_out
from .rollouts import think
from .tree import new_tree, think_ahead

STRONG, TREE = 3, 4
PLAYERS = {"casual": CASUAL, "greedy": GREEDY, "careful": CAREFUL, "strong": STRONG, "tree": TREE}
"""The players by name."""
PLAYOUTS = 1_000
"""Play-outs of the strong player for a decision, of which a turn has one or more. By hand: a game
takes one or two seconds."""
ENDS = (None, End.OUT, End.IDLE, End.CLEAR, End.DEAD)
COLUMNS = (
    "winner",
    "end",
    "up_a",
    "up_b",
    "last",
    "turns",
    "moves_a",
    "moves_b",
    "draws_a",
    "draws_b",
    "recycles_a",
    "recycles_b",
    "late_a",
    "late_b",
    "milliseconds",
    "first",
    "thought_a",
    "thought_b",
)
"""What is counted of a game: players are 0 for A and 1 for B, `NOBODY` for neither; moves are all
but draws, recycles and passes. Where both move at once there are late moves and a time on the
clock, turns are draws and passes, and nobody is first. `thought` are games played out to decide."""


class Entrant(NamedTuple):
    """A player of a contest."""

    skill: int
    playouts: int = PLAYOUTS
    pace: float = PACE
    """Seconds a card where both move at once."""

    @classmethod
    def of(cls, name: str, playouts: int = PLAYOUTS, pace: float = PACE) -> "Entrant":
        """The player of this name, one of `PLAYERS`."""
        return cls(PLAYERS[name], playouts, pace)

    def numbers(self) -> tuple[int, int]:
        """What `decide` takes."""
        return self.skill, self.playouts


@kernel
def decide(t: Record, player: int, p: Record, k: Record, entrant: Record, seed: int) -> int:
    """What a player does now, a move or `PASS`."""
    if entrant[0] >= STRONG:
        set_models(k.thinking, player)
        if entrant[0] == TREE:
            return think_ahead(t, player, k, entrant[1], seed)
        return think(t, player, k.thinking, entrant[1], seed)
    return choose(t, player, p, entrant[0])


@kernel
def thought(k: Record, entrant: Record) -> int:
    """How many games a player has played out for the last decision."""
    return int64(k.thinking.playouts) if entrant[0] >= STRONG else 0


@kernel
def play_game(
    t: Record, p: Record, k: Record, probe: Record, entrants: Record, seed: int, row: Record
) -> int:
    """Play a table to its end by the entrants of A and B; count into `row`, as `COLUMNS` says.

    With the memory of a search for dead players the game is over as soon as both are dead.
    """
    row[:] = 0
    row[15] = t.turn
    watches = entrants[0, 0] >= STRONG or entrants[1, 0] >= STRONG
    k.thinking.habits[:] = 0.0
    decisions = 0
    has_changed = len(probe) > 0
    while t.end == GOES_ON and t.turns < MOST_TURNS:
        if has_changed:
            has_changed = False
            if are_both_dead(t, probe[0]):
                finish(t, DEAD, NOBODY)
                break
        player = t.turn
        decisions += 1
        move = decide(t, player, p[player], k, entrants[player], seed + decisions)
        row[16 + player] += thought(k, entrants[player])
        has_changed = count_move(row, player, move) and len(probe) > 0
        if watches:
            watch(t, player, k.thinking.players[2], k.thinking.habits, move)
        act(t, player, move)
    return count_end(t, row)


@kernel
def play_race(
    t: Record,
    p: Record,
    k: Record,
    probe: Record,
    entrants: Record,
    paces: Record,
    seed: int,
    runners: Record,
    row: Record,
) -> int:
    """Play a table on which both move at once to its end, as `play_game` does one in turns."""
    row[:] = 0
    row[15] = NOBODY
    watches = entrants[0, 0] >= STRONG or entrants[1, 0] >= STRONG
    k.thinking.habits[:] = 0.0
    now = 0.0
    decisions = 0
    for player in range(2):
        runner = runners[player]
        runner.seen = t
        seed_runner(runner, seed, player)
        move = decide_at_once(runner, player, p[player], k, entrants[player], seed + player)
        row[16 + player] += thought(k, entrants[player])
        set_out(runner, move, paces[player], now)
    has_changed = len(probe) > 0
    while t.end == GOES_ON and decisions < MOST_TURNS:
        if has_changed:
            has_changed = False
            if are_both_dead(t, probe[0]):
                finish(t, DEAD, NOBODY)
                break
        player = int64(next_time(runners[1]) < next_time(runners[0]))
        runner = runners[player]
        now = next_time(runner)
        if runner.has_looked == 0:
            lay_table(runner.seen, t)
            runner.has_looked = 1
            continue
        move = runner.move
        # Who has passed already waits on.
        if move != PASS or t.passed[player] == 0:
            lands = not is_late(t, player, move)
            if lands:
                has_changed = count_move(row, player, move) and len(probe) > 0
                if watches:
                    watch(t, player, k.thinking.players[2], k.thinking.habits, move)
                act(t, player, move)
            else:
                row[12 + player] += 1
            see_own(t, player, runner, lands)
        decisions += 1
        move = decide_at_once(runner, player, p[player], k, entrants[player], seed + 1 + decisions)
        row[16 + player] += thought(k, entrants[player])
        set_out(runner, move, paces[player], now)
    row[14] = int64(1000.0 * now)
    return count_end(t, row)


@kernel
def decide_at_once(
    runner: Record, player: int, p: Record, k: Record, entrant: Record, seed: int
) -> int:
    """What a player does on the table that they see, as if it were their turn."""
    runner.seen.turn = player
    move = decide(runner.seen, player, p, k, entrant, seed)
    runner.seen.turn = BOTH
    return move


@kernel
def count_move(row: Record, player: int, move: int) -> bool:
    """Count what a player does; whether it is a move of a card."""
    kind = move & KIND
    if kind == DRAW:
        row[8 + player] += 1
    elif kind == RECYCLE:
        row[10 + player] += 1
    elif kind != PASS:
        row[6 + player] += 1
        return True
    return False


@kernel
def count_end(t: Record, row: Record) -> int:
    """Write down how a game has ended."""
    row[0] = t.winner
    row[1] = t.end
    row[2] = count_up(t, 0)
    row[3] = count_up(t, 1)
    row[4] = t.last
    row[5] = t.turns
    return 0


@kernel
def play_pair(
    start: Record,
    t: Record,
    p: Record,
    k: Record,
    probe: Record,
    entrants: Record,
    paces: Record,
    seed: int,
    runners: Record,
    rows: Record,
) -> int:
    """Play a deal twice, the entrants' sides swapped the second time; fills two rows."""
    for seat in range(2):
        lay_table(t, start)
        slips = np.zeros(2, np.int64)
        for side in range(2):
            slips[side] = CASUAL_SLIP if entrants[side ^ seat, 0] == CASUAL else 0
        seed_players(p, seed, 0, slips[0], slips[1])
        order = entrants if seat == 0 else entrants[::-1]
        if t.turn == BOTH:
            times = paces if seat == 0 else paces[::-1]
            play_race(t, p, k, probe, order, times, seed << 20, runners, rows[seat])
        else:
            play_game(t, p, k, probe, order, seed << 20, rows[seat])
    return 0


class Arena:
    """The memory of one thread that plays games."""

    def __init__(self, adjudicates: bool = True) -> None:
        """Reserve it; `adjudicates` says whether a game is over as soon as both are dead."""
        self.probe = new_probe()[: int(adjudicates)]
        self.table = np.zeros(1, TABLE)
        self.players = np.zeros(2, PLAYER)
        self.tree = new_tree()
        self.runners = np.zeros(2, RUNNER)

    def play_pair(
        self, rules: Rules, table: Table, house: House, entrants: Sequence[Entrant], seed: int
    ) -> NDArray[np.int64]:
        """Play a table twice; two rows of `COLUMNS`, the first entrant as A in the first of them.

        It is played in turns, or at once if it is nobody's turn. Equal arguments give equal games.
        """
        start = pack_table(rules, table, house)
        self.table[:] = start
        rows = np.zeros((2, len(COLUMNS)), np.int64)
        play_pair(
            start[0],
            self.table[0],
            self.players,
            self.tree[0],
            self.probe,
            np.array([each.numbers() for each in entrants], np.int64),
            np.array([each.pace for each in entrants]),
            seed,
            self.runners,
            rows,
        )
        return rows


@dataclass(frozen=True, slots=True)
class Pair:
    """Both games of a deal."""

    code: VersusCode
    rows: NDArray[np.int64]
    """Two rows of `COLUMNS`: in the first the first entrant is A, in the second B."""

    @property
    def share(self) -> float:
        """What the first entrant won of the two games; a game without a winner is half.

        Of a mirror deal one with equal counts is half, too: the last play is mostly the second
        player's then.
        """
        if self.is_mirror:
            return sum(0.5 * (margin >= 0) + 0.5 * (margin > 0) for margin in self.margins) / 2
        return sum(_share(int(row[0]), seat) for seat, row in enumerate(self.rows)) / 2

    @property
    def is_mirror(self) -> bool:
        """Whether both players have the same cards."""
        return self.code.numbers[0] == self.code.numbers[1]

    @property
    def margins(self) -> tuple[int, int]:
        """The first entrant's leads in cards up."""
        first, second = (int(row[2] - row[3]) for row in self.rows)
        return first, -second


def _share(winner: int, player: int) -> float:
    return 0.5 if winner == NOBODY else float(winner == player)


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over pairs and half the width of its 95 % interval."""

    value: float
    half: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Mean":
        """The mean of some values, of which there is one at least."""
        array = np.asarray(values, float)
        deviation = float(array.std(ddof=1)) if len(array) > 1 else math.inf
        return cls(float(array.mean()), CONFIDENCE_95 * deviation / math.sqrt(len(array)))


class Contest:
    """What the pairs of two entrants come to."""

    def __init__(self) -> None:
        """No pair yet."""
        self.shares: list[float] = []
        self.margins: list[tuple[int, int]] = []
        self._sums = np.zeros(len(COLUMNS))
        self.ends = dict.fromkeys((end for end in ENDS if end is not None), 0)
        self.first_won = 0.0
        """Games won by who began; where both move at once nobody does."""
        self.cards: tuple[int, ...] = (0, 0)
        """What both entrants' decks put up in all games."""
        self.won: tuple[int, ...] = (0, 0)
        """Games that they won."""

    def add(self, pair: Pair) -> None:
        """Count a pair."""
        self.shares.append(pair.share)
        self.margins.append(pair.margins)
        self._sums += pair.rows.sum(axis=0)
        for seat, row in enumerate(pair.rows):
            winner, first = int(row[0]), int(row[COLUMNS.index("first")])
            if first != NOBODY:
                self.first_won += _share(winner, first)
            self.cards = tuple(self.cards[each] + int(row[2 + (each ^ seat)]) for each in (0, 1))
            self.won = tuple(self.won[each] + (winner == each ^ seat) for each in (0, 1))
            end = ENDS[int(row[1])]
            if end is not None:
                self.ends[end] += 1

    @property
    def games(self) -> int:
        """Games played."""
        return 2 * len(self.shares)

    @property
    def share(self) -> Mean:
        """What the first entrant wins of a pair."""
        return Mean.of(self.shares)

    @property
    def margin(self) -> Mean:
        """By how many cards the first entrant leads."""
        return Mean.of([sum(pair) / 2 for pair in self.margins])

    def mean(self, column: str) -> float:
        """The mean of a column over all games."""
        return float(self._sums[COLUMNS.index(column)] / self.games)

    @property
    def match_winner(self) -> int | None:
        """The entrant, 0 or 1, who wins all games as one match; None if it is drawn.

        More cards up in all games win; if equal, more games won.
        """
        for first, second in (self.cards, self.won):
            if first != second:
                return int(second > first)
        return None

    @property
    def correlation(self) -> float | None:
        """Of the first entrant's leads in the two games of a pair.

        Near -1 the deal decides, near 1 skill; None where one of them never varies.
        """
        first, second = np.asarray(self.margins, float).T
        if len(first) < 2 or not first.std() or not second.std():
            return None
        return float(np.corrcoef(first, second)[0, 1])

    @property
    def pairs_to_tell(self) -> int | None:
        """How many pairs would tell the two apart; None where they are even so far."""
        edge = abs(self.share.value - 0.5)
        if edge == 0 or len(self.shares) < 2:
            return None
        deviation = float(np.asarray(self.shares).std(ddof=1))
        return math.ceil((CONFIDENCE_95 * deviation / edge) ** 2)
