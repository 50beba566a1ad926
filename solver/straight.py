"""The plainest line: send home what can go home, and draw when nothing can.

It wins few deals. But where it does, with one pass, no list is shorter: each card moves
once and the stock is drawn once.
"""

import numpy as np

from ..engine.jit import Record, int64, kernel
from .homes import TRAIL, plan_of, send_all_home, take
from .method import Budget, Result, Win
from .position import (
    BASE_HOME,
    LEVEL,
    NODE,
    TALON_HOME,
    Start,
    base_of,
    draw,
    exposed,
    home_place,
    is_sure_win,
    waste_top,
)


@kernel
def send_one_home(game: Record, node: Record, trail: Record) -> bool:
    """Send the top of the waste or a base home, if one can go."""
    top = waste_top(node)
    if top >= 0 and home_place(node, int64(game.talon_card[top])) >= 0:
        take(game, node, trail, TALON_HOME | top << 3)
        return True
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if home_place(node, card) >= 0 and exposed(node, LEVEL[card]) > 0:
                take(game, node, trail, BASE_HOME | column << 3)
                return True
    return False


@kernel
def go_straight(game: Record, node: Record, trail: Record) -> bool:
    """Play one pass in this way; True if it wins, with the steps in the trail."""
    trail.length = 0
    while True:
        send_all_home(game, node, trail)
        while send_one_home(game, node, trail):
            send_all_home(game, node, trail)
        if node.talon >> node.border == 0:
            return bool(node.talon == 0 and is_sure_win(game, node))
        draw(game, node)


class Straight:
    """The method."""

    def __init__(self) -> None:
        """Reserve its memory."""
        self._node = np.zeros(1, NODE)
        self._trail = np.zeros(1, TRAIL)[0]

    def run(self, start: Start, _: Budget) -> Result:
        """A win, if the plainest line is one."""
        self._node[0] = start.node
        if not go_straight(start.game, self._node[0], self._trail):
            return None
        plan = plan_of(self._trail)
        return None if plan is None else Win(plan, "won by sending home what can go home")
