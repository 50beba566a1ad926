"""`dsol advise`: what to do in a position of which some cards are not known."""

import json
from functools import partial
from typing import TYPE_CHECKING

import click

from ..engine.rules import Rules
from .deals import file_rules, file_title, fixed_rules, read_text
from .options import FILE, duration, no_larger, quiet_option, rules_options
from .output import write
from .progress import announce_compiling
from .threads import apart

if TYPE_CHECKING:
    from ..rating.advise import Advice


@click.command()
@click.argument("path", type=FILE, metavar="POSITION_FILE")
@rules_options
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Deals to try each move on.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the samples."
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    callback=no_larger,
    default=20_000,
    show_default=True,
    help="Positions to generate for a move on a sample at most.",
)
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="Try no more samples after this time: 10s, 2m.  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@quiet_option
def advise(
    path: str,
    rules: Rules,
    samples: int,
    seed: int,
    max_nodes: int,
    time_limit: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say of each legal move how often the game can be won after it.

    POSITION_FILE is JSON as for --deal, with "??" for each card that is not known:
    {"columns": [["??", "7H"], ...], "stock": ["??", ...], "waste": ["3C"],
    "foundations": [...]}. The cards that are not seen are dealt to these places at
    random, many times. "winnable" is the share of these deals that can be won after
    the move by someone who sees all cards; "careful" the share that a careful player
    wins who does not.
    """
    from ..engine.formats import object_in
    from ..rating.advise import advise as find
    from ..rating.advise import until
    from ..rating.view import read_view

    text = read_text(path)
    rules = file_rules(object_in(text), rules, fixed_rules())
    view = read_view(text, rules)
    if not quiet:
        announce_compiling()
    advice = apart(partial(find, rules, view, samples, max_nodes, seed, until(time_limit)))
    if as_json:
        write(json.dumps({"unknown": len(view.places), "moves": list(map(_row, advice))}) + "\n")
        return
    tried = advice[0].samples if advice else 0
    write(f"{file_title(path)}: {len(view.places)} unknown cards, {tried} samples\n")
    write(f"{'move':8}{'winnable':>20}{'careful':>20}\n" if advice else "no legal move\n")
    for each in advice:
        winnable = _percent(each.share, each.interval)
        careful = _percent(each.careful_share, each.careful_interval)
        write(f"{each.move!s:8}{winnable:>20}{careful:>20}\n")


def _row(advice: "Advice") -> dict[str, object]:
    return {
        "move": str(advice.move),
        "samples": advice.samples,
        "winnable": advice.winnable,
        "undecided": advice.undecided,
        "share": round(advice.share, 4),
        "interval": [round(end, 4) for end in advice.interval],
        "win_rate_careful": round(advice.careful_share, 4),
        "win_rate_careful_interval": [round(end, 4) for end in advice.careful_interval],
    }


def _percent(share: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"
