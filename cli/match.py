"""`dsol match`: two players of the game for two against each other, in pairs of games."""

import json
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from .choice import Choice
from .options import examples, house_options, jobs_option, quiet_option
from .output import flush, write
from .progress import announce_compiling
from .threads import in_order

if TYPE_CHECKING:
    from ..versus.codes import VersusCode
    from ..versus.contest import Contest

NAMES = ("casual", "greedy", "careful", "strong")


@click.command(
    epilog=examples("dsol match careful casual +10", "dsol match greedy casual +5 --json")
)
@click.argument("first", type=Choice(NAMES))
@click.argument("second", type=Choice(NAMES))
@click.argument("count", default="+100", metavar="[+COUNT]")
@click.option(
    "--deals",
    "start",
    default="DS2-D1N-AAAAAAA",
    show_default=True,
    metavar="CODE",
    help="The first deal; the others follow it.",
)
@click.option(
    "--playouts",
    type=click.IntRange(1, 10**7),
    default=1_000,
    show_default=True,
    help="Games that the strong player plays out for a decision.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="Chance.")
@house_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@jobs_option(1, "Cores that play at once")
@quiet_option
def match(
    first: str,
    second: str,
    count: str,
    start: str,
    playouts: int,
    seed: int,
    turn: str,
    play_on: bool,
    solo_clear: bool,
    no_adjudicate: bool,
    as_json: bool,
    jobs: int,
    quiet: bool,
) -> None:
    """Let two players of Double Solitaire for two play FIRST against SECOND.

    Each deal is played twice, with sides swapped, so that the luck of the deal falls out. Shares
    and leads are those of FIRST, with 95 % intervals over pairs; a game without a winner is half of
    one.

    Players: casual, greedy, careful, who also looks across the table, and strong, who plays each
    move out on samples of the unseen cards.
    """
    from ..versus.codes import VersusCode
    from ..versus.contest import Arena, Contest, Entrant, Pair
    from ..versus.game import House, Table

    code = VersusCode.parse(start)
    house = House(turn == "fits", play_on, solo_clear)
    entrants = [Entrant.of(name, playouts) for name in (first, second)]
    if not quiet:
        announce_compiling()
    local = threading.local()

    def play(code: VersusCode) -> Pair:
        if not hasattr(local, "arena"):
            local.arena = Arena(not no_adjudicate)
        arena: Arena = local.arena
        table = Table.start(code.deals())
        number = code.number or 0
        return Pair(code, arena.play_pair(code.rules, table, house, entrants, seed + number))

    contest = Contest()
    for pair in in_order(play, _codes(code, count), jobs):
        contest.add(pair)
        flush()
    if as_json:
        write(json.dumps(_row(first, second, code, contest)) + "\n")
    else:
        write(_text(first, second, code, contest))


def _codes(start: "VersusCode", count: str) -> Iterator["VersusCode"]:
    """The deals from the first on."""
    from ..engine.codes import DEAL_NUMBERS
    from ..versus.codes import VersusCode

    digits = count.removeprefix("+")
    if not digits.isascii() or not digits.isdecimal() or not 1 <= int(digits[:12]) <= 10**9:
        raise click.UsageError(f"{count!r} is no number of deals; one looks like +1000")
    if start.number is None:
        if int(digits) > 1:
            raise click.UsageError(f"{start} has no next deal; give +1 or a code of one number")
        return iter([start])
    last = start.number + int(digits)
    if last > DEAL_NUMBERS:
        raise click.UsageError(
            f"there are only {DEAL_NUMBERS - start.number} deals from {start} on"
        )
    rules = start.rules
    return (VersusCode.of_number(rules, number) for number in range(start.number, last))


def _text(first: str, second: str, code: "VersusCode", contest: "Contest") -> str:
    share, margin = contest.share, contest.margin
    games = contest.games
    pairs = "pair" if games == 2 else "pairs"
    interval = "" if games == 2 else f" ± {100 * share.half:.1f}"
    by = "" if games == 2 else f" ± {margin.half:.1f}"
    lines = [
        f"{first} against {second}, {code.rules.game}-{code.rules.mode} from {code}, "
        f"{games // 2} {pairs} of games",
        f"{first} wins {100 * share.value:.1f} %{interval}, by {margin.value:+.1f}{by} cards",
    ]
    if contest.correlation is not None:
        lines.append(f"leads in the two games of a pair correlate at {contest.correlation:+.2f}")
    if contest.pairs_to_tell is not None and games > 2:
        lines.append(f"about {contest.pairs_to_tell} pairs tell these two apart")
    ends = ", ".join(f"{end} {100 * n / games:.0f} %" for end, n in contest.ends.items() if n)
    up = (contest.mean("up_a") + contest.mean("up_b")) / 2
    lines.append(
        f"{contest.mean('turns'):.0f} turns a game, {up:.1f} cards up each; ended {ends}; "
        f"A, who begins, wins {100 * contest.first_won / games:.1f} %"
    )
    return "\n".join(lines) + "\n"


def _row(first: str, second: str, code: "VersusCode", contest: "Contest") -> dict[str, object]:
    share, margin = contest.share, contest.margin
    few = contest.games == 2
    return {
        "first": first,
        "second": second,
        "deals": str(code),
        "pairs": contest.games // 2,
        "share": round(share.value, 5),
        "share_half_interval": None if few else round(share.half, 5),
        "margin": round(margin.value, 4),
        "margin_half_interval": None if few else round(margin.half, 4),
        "correlation": None if contest.correlation is None else round(contest.correlation, 4),
        "pairs_to_tell": contest.pairs_to_tell,
        "turns": round(contest.mean("turns"), 2),
        "up_a": round(contest.mean("up_a"), 3),
        "up_b": round(contest.mean("up_b"), 3),
        "ends": {str(end): count for end, count in contest.ends.items()},
        "share_of_a": round(contest.first_won / contest.games, 5),
    }
