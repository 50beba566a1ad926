"""`dsol perft`: how many sequences of legal moves there are."""

import click

from ..engine.deal import Position
from ..engine.rules import Rules
from .deals import SCHEME_NOTE, ask_for_argument, note_scheme
from .options import examples, quiet_option, rules_options
from .output import flush, write
from .progress import announce_compiling
from .threads import apart

DEEPEST = 100
"""Deeper than anyone waits for; the journal of the kernel reaches further."""


@click.command(
    epilog=examples(
        "dsol perft DS1-D1N-AAAAAAB 3",
        "dsol perft KL1-D3N-AAAAAAB 3 --divide",
        note=SCHEME_NOTE,
    )
)
@click.argument("code")
@click.argument("depth", type=click.IntRange(1, DEEPEST))
@click.option("--divide", is_flag=True, help="Count below each first move, at DEPTH only.")
@rules_options
@quiet_option
def perft(code: str, depth: int, divide: bool, rules: Rules, quiet: bool) -> None:
    """Count the sequences of legal moves, by depth.

    There is a line for each depth up to DEPTH. The counts are for comparing programs:
    each target column, each number of cards and each foundation place that a card is
    taken back from makes a move of its own. In a game for two a pass is a move.
    """
    from ..versus.codes import is_for_two
    from .for_two import perft_two

    if is_for_two(code):
        if not quiet:
            announce_compiling()
        perft_two(code, depth, divide)
        return
    asked = ask_for_argument(code, rules)
    if not quiet:
        note_scheme(asked)
        announce_compiling()
    if divide:
        _divide(asked.rules, asked.position(), depth)
        return
    for d in range(1, depth + 1):
        write(f"{d} {count(asked.rules, asked.position(), d)}\n")
        flush()


def _divide(rules: Rules, position: Position, depth: int) -> None:
    """Print the count below each first move, and the sum."""
    from ..engine.referee import Game

    total = 0
    for move in Game(rules, position).legal_moves():
        game = Game(rules, position)
        game.play(move)
        below = count(rules, game.position(), depth - 1)
        total += below
        write(f"{move} {below}\n")
        flush()
    write(f"total {total}\n")


def count(rules: Rules, position: Position, depth: int) -> int:
    """Number of sequences of `depth` moves."""
    import numpy as np

    from ..engine.kernel import perft as count_below
    from ..engine.listing import MAX_MOVES
    from ..engine.state import pack

    if depth == 0:
        return 1
    state = pack(rules, position)[0]
    moves = np.empty((depth, MAX_MOVES), np.int64)
    left = np.empty(depth, np.int64)
    return int(apart(lambda: count_below(state.layout, state.foundations, depth, moves, left)))
