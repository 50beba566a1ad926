"""A computer player at the table of a person: what it does now, and what it would advise."""

import math
from typing import NamedTuple

import numpy as np

from ..engine.jit import Record
from ..rating.interval import CONFIDENCE_95, wilson
from ..rating.players import CASUAL_SLIP, PLAYER
from .contest import PLAYOUTS, Entrant, decide
from .game import Action, Player
from .habits import set_models, watch
from .playout import CASUAL, act, pack_table, seed_players
from .record import GameRecord
from .replay import decode, encode
from .rollouts import weigh
from .tree import new_tree


class Tried(NamedTuple):
    """A move that the strong player has tried."""

    action: Action
    share: float
    """Of the play-outs after it, those won; a game without a winner is half of one."""
    lead: float
    """The lead in cards up at their end, on average."""
    tries: int
    """How many play-outs that rests on; 0 for the only move that makes sense."""
    interval: tuple[float, float]
    """The 95 % interval of the share."""
    lead_half: float
    """Half the 95 % interval of the lead."""


class Opponent:
    """A player of `contest.PLAYERS` with a memory of its own.

    It sees what a person would: no card that lies face down is read. The same record gives the same
    choice, also after the game was left and resumed.
    """

    def __init__(self, name: str, playouts: int = PLAYOUTS) -> None:
        """The player of this name; `playouts` are those of the strong one for a decision."""
        self._entrant = Entrant.of(name, playouts)
        self._players = np.zeros(2, PLAYER)
        self._tree = new_tree()[0]

    def choose(self, record: GameRecord, player: Player | None = None) -> Action:
        """What the player in turn after the moves of a record does.

        Where both move at once it is told which player, who then does what they would in turn.
        """
        table, seed = self._stand(record)
        if player is not None:
            table.turn = tuple(Player).index(player)
        entrant = np.array(self._entrant.numbers(), np.int64)
        p = self._players[int(table.turn)]
        return decode(int(decide(table, int(table.turn), p, self._tree, entrant, seed)))

    def advise(self, record: GameRecord) -> list[Tried]:
        """The sensible moves of the player in turn, best first, as the strong player sees them."""
        table, seed = self._stand(record)
        set_models(self._tree.thinking, int(table.turn))
        return advise_on(table, self._tree.thinking, self._entrant.playouts, seed)

    def _stand(self, record: GameRecord) -> tuple[Record, int]:
        """The table as it stands, with the players' chance set; and the seed of a decision.

        How both have played so far is noted.
        """
        count = len(record.steps)
        k = self._tree.thinking
        k.habits[:] = 0.0
        table = pack_table(record.rules, record.table, record.house)[0]
        for step in record.steps:
            if not step.is_late:
                player, move = tuple(Player).index(step.player), encode(step.action)
                watch(table, player, k.players[2], k.habits, move)
                act(table, player, move)
        slip = CASUAL_SLIP if self._entrant.skill == CASUAL else 0
        seed_players(self._players, record.seed, count, slip, slip)
        return table, record.seed + (count << 20)


def advise_on(table: Record, k: Record, playouts: int, seed: int) -> list[Tried]:
    """The sensible moves of the player in turn on a `TABLE`, best first; `k` is a `THINKING`.

    `playouts` are for all moves together, more for the better ones. No unseen card is read.
    """
    weigh(table, int(table.turn), k, playouts, seed)
    found = []
    for at in range(int(k.count)):
        tries = int(k.tries[at])
        count = max(tries, 1)
        share, lead = float(k.wins[at]) / count, float(k.leads[at]) / count
        variance = max(float(k.squares[at]) / count - lead * lead, 0.0)
        found.append(
            Tried(
                decode(int(k.moves[at])),
                share,
                lead,
                tries,
                wilson(round(share * tries), tries),
                CONFIDENCE_95 * math.sqrt(variance / count),
            )
        )
    return found
