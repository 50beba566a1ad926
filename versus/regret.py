"""What the strong player loses in endgames whose worth is proved, in cards a decision.

An endgame begins where greedy players have come to a table on which every card has been seen and
whose worth the exact search finds. Strong players play it on, and of each choice among several
sensible moves the loss is the worth before it less the worth after it.
"""

from dataclasses import dataclass

import numpy as np

from ..engine.jit import Record, kernel
from ..rating.players import PLAYER
from .both import NO_STEP, do_step, step_of
from .codes import VersusCode
from .exact import find_worth, new_exact, start_exact
from .game import House, Table
from .playout import GOES_ON, GREEDY, MOST_TURNS, act, choose, pack_table, seed_players
from .rollouts import find_unseen, list_sensible, new_thinking, think, weigh

NODES_TO_FIND = 100_000
NODES_TO_JUDGE = 4_000_000
"""Positions that the search may look at to find an endgame, and after each move of it. By hand:
the first closes most endgames of up to 38 cards in a tenth of a second (docs/versus.md)."""


@kernel
def come_to_endgame(t: Record, p: Record, k: Record, x: Record, nodes: int) -> bool:
    """Let greedy players play on to an endgame, which is loaded; False if there is none."""
    turns = -1
    while t.end == GOES_ON and t.turns < MOST_TURNS:
        if t.turns != turns:
            turns = t.turns
            unseen = 0
            for side in range(2):
                unseen += find_unseen(t.layouts[side], k.places[side])
            if unseen == 0 and start_exact(x, t, nodes) and find_worth(x, x.root):
                return True
        act(t, t.turn, choose(t, t.turn, p[t.turn], GREEDY))
    return False


@kernel
def lose_worth(
    t: Record, k: Record, x: Record, playouts: int, seed: int, by_playouts: bool, row: Record
) -> bool:
    """Let strong players play an endgame that is loaded; False if the search of a worth gave up.

    Adds to `row` the decisions, those that lost, and the half cards lost in all.
    """
    x.limit = NODES_TO_JUDGE
    if not find_worth(x, x.root):
        return False
    decisions = 0
    while t.end == GOES_ON:
        player = t.turn
        decisions += 1
        several = list_sensible(t, player, k) > 1
        if by_playouts:
            move = weigh(t, player, k, playouts, seed + decisions)
        else:
            move = think(t, player, k, playouts, seed + decisions)
        step = step_of(t.layouts[player], move)
        before = x.lower
        if step != NO_STEP:
            do_step(x.play, x.root, step)
            if not find_worth(x, x.root):
                return False
        act(t, player, move)
        lost = before - x.lower if player == 0 else x.lower - before
        row[0] += several
        row[1] += lost > 0
        row[2] += lost
    return True


@dataclass(slots=True)
class Regret:
    """What was lost in some endgames."""

    endgames: int = 0
    unfinished: int = 0
    """Endgames left out because the worth of a table on the way was not found."""
    decisions: int = 0
    wrong: int = 0
    """Decisions that lost anything."""
    half_cards: int = 0

    @property
    def mean(self) -> float:
        """Cards lost a decision; an equal count and the last play are half a card."""
        return self.half_cards / 2 / max(self.decisions, 1)


class Endgames:
    """The memory to find endgames and have them played."""

    def __init__(self, playouts: int, by_playouts: bool = False) -> None:
        """`by_playouts` says that the strong player does without the exact search."""
        self.regret = Regret()
        self._playouts, self._by_playouts = playouts, by_playouts
        self._players, self._thinking, self._exact = (
            np.zeros(2, PLAYER),
            new_thinking(),
            new_exact(),
        )

    def add(self, code: VersusCode, seed: int) -> bool:
        """Play the endgame of a deal and count it; False if there is none."""
        t = pack_table(code.rules, Table.start(code.deals()), House())[0]
        k, x = self._thinking[0], self._exact[0]
        seed_players(self._players, seed, 0, 0, 0)
        if not come_to_endgame(t, self._players, k, x, NODES_TO_FIND):
            return False
        row = np.zeros(3, np.int64)
        if lose_worth(t, k, x, self._playouts, seed << 20, self._by_playouts, row):
            self.regret.endgames += 1
            self.regret.decisions += int(row[0])
            self.regret.wrong += int(row[1])
            self.regret.half_cards += int(row[2])
        else:
            self.regret.unfinished += 1
        return True
