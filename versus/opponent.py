"""A computer player at the table of a person: what it does now, and what it would advise."""

from typing import NamedTuple

import numpy as np

from ..engine.jit import Record
from ..rating.players import CASUAL_SLIP, PLAYER
from .contest import PLAYOUTS, Entrant, decide
from .game import Action
from .playout import CASUAL, seed_players
from .record import GameRecord
from .replay import decode, replayed
from .rollouts import new_thinking, think


class Tried(NamedTuple):
    """A move that the strong player has tried."""

    action: Action
    share: float
    """Of the play-outs after it, those won; a game without a winner is half of one."""
    lead: float
    """The lead in cards up at their end, on average."""


class Opponent:
    """A player of `contest.PLAYERS` with a memory of its own.

    It sees what a person would: no card that lies face down is read. The same record gives the same
    choice, also after the game was left and resumed.
    """

    def __init__(self, name: str, playouts: int = PLAYOUTS) -> None:
        """The player of this name; `playouts` are those of the strong one for a decision."""
        self._entrant = Entrant.of(name, playouts)
        self._players = np.zeros(2, PLAYER)
        self._thinking = new_thinking()

    def choose(self, record: GameRecord) -> Action:
        """What the player in turn after the moves of a record does."""
        table, seed = self._stand(record)
        entrant = np.array(self._entrant.numbers(), np.int64)
        player = int(table.turn)
        p = self._players[player]
        return decode(int(decide(table, player, p, self._thinking[0], entrant, seed)))

    def advise(self, record: GameRecord) -> list[Tried]:
        """The sensible moves of the player in turn, best first, as the strong player sees them."""
        table, seed = self._stand(record)
        k = self._thinking[0]
        think(table, int(table.turn), k, self._entrant.playouts, seed)
        sums = zip(k.moves, k.wins, k.leads, np.maximum(k.tries, 1), strict=True)
        return [
            Tried(decode(int(move)), float(wins / tries), float(leads / tries))
            for move, wins, leads, tries in list(sums)[: int(k.count)]
        ]

    def _stand(self, record: GameRecord) -> tuple[Record, int]:
        """The table as it stands, with the players' chance set; and the seed of a decision."""
        actions = [step.action for step in record.steps]
        table = replayed(record.rules, record.table, record.house, actions)[0]
        slip = CASUAL_SLIP if self._entrant.skill == CASUAL else 0
        seed_players(self._players, record.seed, len(actions), slip, slip)
        return table, record.seed + (len(actions) << 20)
