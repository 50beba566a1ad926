"""`dsol review`: what the turns of a recorded game for two were worth."""

import json
from typing import TYPE_CHECKING

import click

from .options import FILE, examples, quiet_option
from .output import flush, write
from .progress import announce_compiling
from .threads import in_order

if TYPE_CHECKING:
    from ..versus.review import Turn

SAYS_MOST = 5
"""Turns that the summary names."""


@click.command(epilog=examples("dsol review game.json", "dsol review game.json --json"))
@click.argument("path", type=FILE, metavar="FILE")
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="Chance.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for each turn.")
@quiet_option
def review(path: str, seed: int, as_json: bool, quiet: bool) -> None:
    """Say of a game for two what each turn changed: error and luck.

    FILE is a record as `dsol play -o` writes it. For each turn stand the player's chance
    to win before and after it, as play-outs of careful players on samples of the unseen
    cards have it; play, what the moves won more or less than careful ones; luck, all
    else: the cards that turned up; and the error, what the strong player's moves would
    have won more. At the end stand the sums, the turns that decided it, and the turn
    after which one wins however it goes on: a proof, from all cards.
    """
    from ..engine.rules import rules_for
    from ..versus.game import Player
    from ..versus.review import review as find
    from .for_two import load_record

    record = load_record(path, rules_for("DS2", 1, "N"))
    if not quiet:
        announce_compiling()
    found = find(record, seed)
    turns: list[Turn] = []
    # Each turn is found in a thread, so that Ctrl-C is heard.
    for turn in in_order(lambda _: next(found, None), iter(int, 1), 1):
        if turn is None:
            break
        turns.append(turn)
        write(_json(turn) if as_json else _line(turn))
        flush()
    if as_json:
        return
    for player in Player:
        own = [turn for turn in turns if turn.player is player]
        gain, luck = sum(turn.play for turn in own), sum(turn.luck for turn in own)
        errors = [turn.error for turn in own if turn.error > 0]
        worst = f", the worst {100 * max(errors):.0f} %" if errors else ""
        write(
            f"{player}: play {100 * gain:+.0f} %, luck {100 * luck:+.0f} %, "
            f"errors in {len(errors)} turns{worst}\n"
        )
    most = sorted(turns, key=lambda turn: -abs(turn.after - turn.before))[:SAYS_MOST]
    write(f"decided by turns {', '.join(str(turn.number) for turn in most)}\n" if most else "")
    sure = next((turn for turn in turns if turn.decided is not None), None)
    if sure is not None:
        write(f"after turn {sure.number} {sure.decided} wins, however it goes on\n")


def _line(turn: "Turn") -> str:
    better = ""
    if turn.worst is not None:
        played, best = turn.worst
        better = f"; {best} was better than {played}"
    before, after = (f"{100 * chance:3.0f} %" for chance in (turn.before, turn.after))
    return (
        f"{turn.number:3} {turn.player}  {before} to {after}  play {100 * turn.play:+4.0f}  "
        f"luck {100 * turn.luck:+4.0f}  error {100 * turn.error:3.0f}  "
        f"{' '.join(map(str, turn.actions))}{better}\n"
    )


def _json(turn: "Turn") -> str:
    row = {
        "turn": turn.number,
        "player": str(turn.player),
        "moves": list(map(str, turn.actions)),
        "before": round(turn.before, 4),
        "after": round(turn.after, 4),
        "play": round(turn.play, 4),
        "luck": round(turn.luck, 4),
        "error": round(turn.error, 4),
        "played": None if turn.worst is None else str(turn.worst[0]),
        "better": None if turn.worst is None else str(turn.worst[1]),
        "decided": turn.decided and str(turn.decided),
    }
    return json.dumps(row) + "\n"
