"""Compiled tables after moves of the referee, and how they are written there."""

from collections.abc import Iterable

from ..engine.jit import Record
from ..engine.moves import Move
from ..engine.rules import Rules
from . import playout
from .game import PASS, Action, House, Table


def encode(action: Action) -> int:
    """An action as the compiled code has it."""
    return playout.PASS if isinstance(action, str) else action.encode()


def decode(code: int) -> Action:
    """Undo `encode`."""
    return PASS if code & 7 == playout.PASS else Move.decode(code)


def replayed(rules: Rules, table: Table, house: House, actions: Iterable[Action]) -> Record:
    """An array of one `TABLE` after legal actions in turns, each of the player in turn then."""
    packed = playout.pack_table(rules, table, house)
    for action in actions:
        playout.act(packed[0], packed[0].turn, encode(action))
    return packed
