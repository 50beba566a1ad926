"""Compiled code of the game of two loaded, or compiled, before it is needed."""

from .codes import EXAMPLE, VersusCode
from .contest import Arena, Entrant
from .game import House, Table
from .playout import CASUAL


def _match() -> None:
    code = VersusCode.parse(EXAMPLE)
    players = [Entrant(CASUAL), Entrant(CASUAL)]
    Arena().play_pair(code.rules, Table.start(code.deals()), House(), players, 0)


STEPS = (_match,)
"""Together they call every compiled function of this folder, in any order."""
