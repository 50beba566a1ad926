"""Compiled tables after moves of the referee, and how they are written there."""

from collections.abc import Iterable

from ..engine.jit import Record
from ..engine.moves import Move
from ..engine.rules import Rules
from . import playout
from .game import PASS, Action, House, Player, Table
from .record import Step


def encode(action: Action) -> int:
    """An action as the compiled code has it."""
    return playout.PASS if isinstance(action, str) else action.encode()


def decode(code: int) -> Action:
    """Undo `encode`."""
    return PASS if code & 7 == playout.PASS else Move.decode(code)


def replayed(rules: Rules, table: Table, house: House, steps: Iterable[Step]) -> Record:
    """An array of one `TABLE` after legal steps; those that came too late count for nothing."""
    packed = playout.pack_table(rules, table, house)
    order = tuple(Player)
    for step in steps:
        if not step.is_late:
            playout.act(packed[0], order.index(step.player), encode(step.action))
    return packed
