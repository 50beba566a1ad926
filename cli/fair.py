"""`dsol fair`: whether a deal of the game for two is even."""

import json
from typing import TYPE_CHECKING

import click

from .options import examples, jobs_option, list_option, quiet_option
from .output import flush, write
from .progress import announce_compiling
from .threads import in_order

if TYPE_CHECKING:
    from ..versus.codes import VersusCode
    from ..versus.fair import Fairness, Reach

Found = tuple["VersusCode", "Fairness", "Reach"]


@click.command(
    epilog=examples(
        "dsol fair DS2-D1N-AAAAAAB DS2-D1N-AAAAAAC --jobs 2", "dsol fair DS2-D3N-AAAAAAB --json"
    )
)
@click.argument("codes", nargs=-1, metavar="[DEAL]...")
@list_option
@click.option(
    "--games",
    type=click.IntRange(4, 10**7),
    default=2_400,
    show_default=True,
    help="Games of a deal, half of them begun by either; an odd number is one more.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="Chance.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@jobs_option(1, "Cores that play at once")
@quiet_option
def fair(
    codes: tuple[str, ...],
    lists: tuple[str, ...],
    games: int,
    seed: int,
    as_json: bool,
    jobs: int,
    quiet: bool,
) -> None:
    """Say of each DEAL for two whether it is even, a line each.

    Two equal careful players play it many times, half of the games begun by either. The
    line says what share of the games A wins and by how many cards, with 95 % intervals,
    how long they are and how many are played out, and what beginning is worth in points
    of the share; in what share of the games either gets stuck with 10 cards up or less;
    how many cards ahead make the weaker side most nearly even (--ahead-a, --ahead-b of
    other commands); and how many cards A and B could put up alone, if the other only
    passed, and both together: a number, or the least and the most where not all is proved.
    """
    from ..versus.fair import fairness, reach
    from .for_two import deals_for_two

    deals = deals_for_two(codes, lists)
    if not quiet:
        announce_compiling()

    def play(code: "VersusCode") -> Found:
        return code, fairness(code, games + games % 2, seed), reach(code)

    for code, found, most in in_order(play, deals, jobs):
        write(_json(code, found, most) if as_json else _text(code, found, most))
        flush()


def _text(code: "VersusCode", found: "Fairness", most: "Reach") -> str:
    a, b = most.alone
    stuck_a, stuck_b = (f"{100 * share:.0f} %" for share in found.stuck)
    even = f"{'A' if found.ahead > 0 else 'B'} {abs(found.ahead)}" if found.ahead else "none"
    margin = found.margin.value
    ahead = "A" if margin >= 0 else "B"
    return (
        f"{code} A {100 * found.share.value:.0f} % ± {100 * found.share.half:.1f}, "
        f"{ahead} by {abs(margin):.1f} ± {found.margin.half:.1f} cards, {found.turns:.0f} turns, "
        f"out {100 * found.out:.0f} %, first move {100 * found.first_gain.value:+.1f} "
        f"± {100 * found.first_gain.half:.1f}, stuck early A {stuck_a} B {stuck_b}, "
        f"most even with {even} ahead ({100 * found.share_ahead:.0f} %); "
        f"alone A {a} B {b}, together {most.together}\n"
    )


def _json(code: "VersusCode", found: "Fairness", most: "Reach") -> str:
    row: dict[str, object] = {"code": str(code), "games": found.games}
    for name, mean in (
        ("share_a", found.share),
        ("margin_a", found.margin),
        ("first_gain", found.first_gain),
    ):
        row[name] = round(mean.value, 5)
        row[f"{name}_half_interval"] = round(mean.half, 5)
    row |= {
        "turns": round(found.turns, 2),
        "out": round(found.out, 5),
        "stuck_early_a": round(found.stuck[0], 5),
        "stuck_early_b": round(found.stuck[1], 5),
        "even_ahead_a": found.ahead,
        "even_share_a": round(found.share_ahead, 5),
    }
    for name, each in (
        ("alone_a", most.alone[0]),
        ("alone_b", most.alone[1]),
        ("together", most.together),
    ):
        row |= {f"{name}_low": each.lower, f"{name}_high": each.upper}
    return json.dumps(row) + "\n"
