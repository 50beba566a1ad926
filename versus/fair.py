"""Whether a deal is even: games of equal careful players, half of them begun by either.

They overlook as much as the careful player of the games alone, so that the games differ.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ..engine.deal import Position
from ..engine.jit import Record, kernel
from ..engine.rules import rules_for
from ..rating.players import CAREFUL_SLIP, PLAYER
from ..solver.solve import solve
from ..solver.verdict import Limits
from .codes import HALF, VersusCode
from .contest import COLUMNS, ENDS, Entrant, Mean, play_game
from .dead import new_probe
from .game import End, House, Player, Table
from .most import Climber, Most
from .playout import NOBODY, TABLE, lay_table, pack_table, seed_players
from .tree import new_tree

GAMES = 2_400
"""The interval of the share is then less than 3 points each way."""
ALONE_LIMITS = Limits(nodes=200_000)
"""Of the search whether a player alone could put up all cards; by hand."""
Integers = NDArray[np.int64]
FEW = 10
"""Cards up with which a player who is at the end got stuck early. By hand, as docs/versus.md
counts them."""


@kernel
def play_games(
    start: Record,
    t: Record,
    p: Record,
    k: Record,
    probe: Record,
    entrants: Record,
    slip: int,
    seed: int,
    rows: Record,
) -> int:
    """Play a table once for each of `rows`, in which A and B begin in turn."""
    for game in range(len(rows)):
        lay_table(t, start)
        t.turn = game & 1
        seed_players(p, seed, game >> 1, slip, slip)
        play_game(t, p, k, probe, entrants, seed, rows[game])
    return 0


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the games of a deal came to."""

    games: int
    share: Mean
    """Of the games, those that A won; one without a winner is half."""
    margin: Mean
    """A's lead in cards up."""
    turns: float
    out: float
    """Share of games in which a player put up all own cards."""
    first_gain: Mean
    """What beginning adds to the share of who begins."""
    stuck: tuple[float, float]
    """Of the games, those that A and B end with `FEW` cards up or less."""
    ahead: int
    """Cards ahead from the start that make A, or if less than 0 B, most nearly even; in the same
    games."""
    share_ahead: float
    """The share that A then wins."""


def fairness(code: VersusCode, games: int = GAMES, seed: int = 0) -> Fairness:
    """Play a deal so many times (an even number, 2 at least); equal arguments, equal games."""
    start = pack_table(code.rules, Table.start(code.deals()), House())
    t = np.zeros(1, TABLE)
    t[:] = start
    rows = np.zeros((games, len(COLUMNS)), np.int64)
    entrants = np.array([Entrant.of("careful")] * 2, np.int64)
    players, tree = np.zeros(2, PLAYER), new_tree()
    play_games(
        start[0],
        t[0],
        players,
        tree[0],
        new_probe()[:0],
        entrants,
        CAREFUL_SLIP,
        seed,
        rows,
    )
    winners = rows[:, COLUMNS.index("winner")]
    shares = np.where(winners == NOBODY, 0.5, winners == 0)
    leads = rows[:, COLUMNS.index("up_a")] - rows[:, COLUMNS.index("up_b")]
    ends = rows[:, COLUMNS.index("end")]
    few = [float((rows[:, COLUMNS.index(up)] <= FEW).mean()) for up in ("up_a", "up_b")]
    ahead, found = _most_even(leads, rows[:, COLUMNS.index("last")], code.rules.cards)
    # The two games of a pair have the same chance, so the pair is the unit.
    return Fairness(
        games,
        Mean.of(list((shares[0::2] + shares[1::2]) / 2)),
        Mean.of(list((leads[0::2] + leads[1::2]) / 2)),
        float(rows[:, COLUMNS.index("turns")].mean()),
        float((ends == ENDS.index(End.OUT)).mean()),
        Mean.of(list((shares[0::2] - shares[1::2]) / 2)),
        (few[0], few[1]),
        ahead,
        found,
    )


def _most_even(leads: Integers, last: Integers, cards: int) -> tuple[int, float]:
    """How many cards ahead bring A's share of games nearest to half, and the share."""

    def share(ahead: int) -> float:
        after = np.where(leads + ahead == 0, np.where(last == 0, 1, -1), leads + ahead)
        after = np.where((leads + ahead == 0) & (last == NOBODY), 0, after)
        return float((after > 0).mean() + (after == 0).mean() / 2)

    ahead = min(range(-cards, cards + 1), key=lambda each: (abs(share(each) - 0.5), abs(each)))
    return ahead, share(ahead)


@dataclass(frozen=True, slots=True)
class Reach:
    """How many cards can go up on a deal."""

    alone: tuple[Most, Most]
    """A's and B's, if the other only passes."""
    together: Most
    """Of both, if they help each other and go on until both are out."""


def reach(code: VersusCode, limits: Limits = ALONE_LIMITS) -> Reach:
    """Look for the most cards; the solver is asked where the search leaves it open for one alone.

    To put all 52 up alone is to win the half as a game of Klondike without taking a card back.
    """
    rules = rules_for(HALF, code.rules.draw, code.rules.scoring)
    table, climber = Table.start(code.deals()), Climber(code.rules)
    alone = []
    for player, deal in zip(Player, code.deals(), strict=True):
        most = climber.alone(table, player)
        if most.lower < most.upper == rules.cards:
            won = solve(rules, Position.start(rules, deal), limits).winnable_without_take_back
            if won:
                most = Most(rules.cards, rules.cards)
            elif won is False:
                most = replace(most, upper=rules.cards - 1)
        alone.append(most)
    return Reach((alone[0], alone[1]), climber.together(table))
