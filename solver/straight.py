"""The plainest line: send home what can go home, and draw when nothing can.

It wins few deals. But where it does, with one pass, no list is shorter: each card moves
once and the stock is drawn once.
"""

from ..engine.jit import Record, int64, kernel
from .homes import send_all_home, take
from .position import (
    BASE_HOME,
    LEVEL,
    TALON_HOME,
    base_of,
    draw,
    exposed,
    home_place,
    is_sure_win,
    waste_top,
)


@kernel
def send_one_home(game: Record, node: Record, journal: Record) -> bool:
    """Send the top of the waste or a base home, if one can go."""
    top = waste_top(node)
    if top >= 0 and home_place(node, int64(game.talon_card[top])) >= 0:
        take(game, node, journal, TALON_HOME | top << 3)
        return True
    for column in range(game.columns):
        if node.placed[column] > 0:
            card = base_of(game, node, column)
            if home_place(node, card) >= 0 and exposed(node, LEVEL[card]) > 0:
                take(game, node, journal, BASE_HOME | column << 3)
                return True
    return False


@kernel
def go_straight(game: Record, node: Record, journal: Record) -> bool:
    """Play one pass in this way; True if it wins, with the steps in the journal."""
    journal.length = 0
    while True:
        send_all_home(game, node, journal)
        while send_one_home(game, node, journal):
            send_all_home(game, node, journal)
        if node.talon >> node.border == 0:
            return bool(node.talon == 0 and is_sure_win(game, node))
        draw(game, node)
