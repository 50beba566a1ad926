"""`dsol match`: two players of the game for two against each other, in pairs of games."""

import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from .one_of import OneOf
from .options import examples, house_options, jobs_option, paces, quiet_option
from .output import flush, write
from .progress import announce_compiling
from .threads import in_order

if TYPE_CHECKING:
    from ..batch.matches import MatchFolder
    from ..versus.codes import VersusCode
    from ..versus.contest import Contest, Pair
    from ..versus.game import House

NAMES = ("casual", "greedy", "careful", "strong", "tree")


@click.command(
    epilog=examples(
        "dsol match careful casual +10",
        "dsol match greedy casual +5 --json",
        "dsol match greedy greedy +10 --simultaneous --pace 1.5,1.8",
        "dsol match careful greedy +10 -o games",
    )
)
@click.argument("first_player", type=OneOf(NAMES), metavar="FIRST")
@click.argument("second_player", type=OneOf(NAMES), metavar="SECOND")
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
    "--simultaneous",
    "is_at_once",
    is_flag=True,
    help="Both play at once, each as fast as they can.",
)
@click.option(
    "--pace",
    type=paces,
    default="1.5",
    show_default=True,
    metavar="SECONDS",
    help="Seconds a card of both at once, or of FIRST and of SECOND: 1.5,1.8.",
)
@click.option(
    "--playouts",
    type=click.IntRange(1, 10**7),
    default=1_000,
    show_default=True,
    help="Games that the strong player, or the tree, plays out for a decision.",
)
@click.option("--seed", type=click.IntRange(0, 2**31), default=0, show_default=True, help="Chance.")
@house_options
@click.option(
    "-o",
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Keep a row for each game in Parquet files there; the same command goes on with it.",
)
@click.option(
    "--shard-size",
    type=click.IntRange(1, 9_999_999),
    metavar="N",
    help="Pairs in a file.  [default: 1000; with strong or tree 20000 / PLAYOUTS]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@jobs_option(1, "Cores that play at once")
@quiet_option
@click.pass_context
def match(
    context: click.Context,
    /,
    first_player: str,
    second_player: str,
    count: str,
    start: str,
    is_at_once: bool,
    pace: tuple[float, ...],
    playouts: int,
    seed: int,
    house: "House",
    first: str,
    no_adjudicate: bool,
    output: Path | None,
    shard_size: int | None,
    as_json: bool,
    jobs: int,
    quiet: bool,
) -> None:
    """Let two players of Double Solitaire for two play FIRST against SECOND.

    Each deal is played twice, with sides swapped, so that the luck of the deal falls out. Shares
    and leads are those of FIRST, with 95 % intervals over pairs; a game without a winner is half of
    one, as is one of a mirror deal with equal counts.

    Players: casual, greedy, careful, who also looks across the table, strong, who plays each move
    out on samples of the unseen cards, and tree, who thinks further ahead.
    """
    from ..versus.codes import VersusCode
    from ..versus.contest import Arena, Contest, Entrant, Pair
    from ..versus.game import Table
    from .for_two import begun

    code = VersusCode.parse(start)
    pairs = _count(code, count)
    _check(context, is_at_once, output)
    names = (first_player, second_player)
    both = (pace[0], pace[-1])
    entrants = [Entrant.of(*each) for each in zip(names, (playouts, playouts), both, strict=True)]
    if not quiet:
        announce_compiling()
    local = threading.local()

    def play(code: VersusCode) -> Pair:
        if not hasattr(local, "arena"):
            local.arena = Arena(not no_adjudicate)
        arena: Arena = local.arena
        number = code.number or 0
        table = begun(Table.start(code.deals()), first, is_at_once)
        return Pair(code, arena.play_pair(code.rules, table, house, entrants, seed + number))

    contest = Contest()
    if output is None:
        for pair in in_order(play, _codes(code, pairs), jobs):
            contest.add(pair)
            flush()
    else:
        from ..batch.matches import MatchFolder, MatchSettings, pairs_in_a_file
        from ..versus.positions import AT_ONCE

        style = AT_ONCE if is_at_once else first
        settings = MatchSettings(names, playouts, house, style, both, seed, not no_adjudicate)
        folder = MatchFolder(output, settings)
        size = shard_size or pairs_in_a_file(names, playouts)
        _play_into(folder, code, pairs, size, jobs, play, contest)
    heading = f"{first_player} against {second_player}"
    if as_json:
        row = {"first": first_player, "second": second_player, "deals": str(code)}
        write(json.dumps(row | _row(contest)) + "\n")
    else:
        style = f", both at once at {both[0]:g} and {both[1]:g} s a card" if is_at_once else ""
        write(_text(heading, code, style, contest))


def _check(context: click.Context, is_at_once: bool, output: Path | None) -> None:
    """Refuse options that would do nothing."""
    for name, goes, why in (
        ("pace", is_at_once, "is for --simultaneous"),
        ("first", not is_at_once, "is for play in turns; with --simultaneous nobody begins"),
        ("turn", not is_at_once, "is for play in turns; at once a draw ends nothing"),
        ("shard_size", output is not None, "is the size of the files of -o FOLDER"),
    ):
        given = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if given and not goes:
            raise click.UsageError(f"--{name.replace('_', '-')} {why}")


def _count(start: "VersusCode", count: str) -> int:
    """How many deals are asked for, from the first on."""
    from ..engine.codes import DEAL_NUMBERS

    digits = count.removeprefix("+")
    if not digits.isascii() or not digits.isdecimal() or not 1 <= int(digits[:12]) <= 10**9:
        raise click.UsageError(f"{count!r} is no number of deals; one looks like +1000")
    if start.number is None:
        if int(digits) > 1:
            raise click.UsageError(f"{start} has no next deal; give +1 or a code of one number")
    elif start.number + int(digits) > DEAL_NUMBERS:
        raise click.UsageError(
            f"there are only {DEAL_NUMBERS - start.number} deals from {start} on"
        )
    return int(digits)


def _codes(start: "VersusCode", count: int) -> Iterator["VersusCode"]:
    """The deals from the first on."""
    from ..versus.codes import VersusCode

    if start.number is None:
        return iter([start])
    numbers = range(start.number, start.number + count)
    return (VersusCode.of_number(start.rules, number) for number in numbers)


def _play_into(
    folder: "MatchFolder",
    start: "VersusCode",
    count: int,
    size: int,
    jobs: int,
    play: "Callable[[VersusCode], Pair]",
    contest: "Contest",
) -> None:
    """Play what is not in a folder yet, and count all that was asked for."""
    from ..batch.matches import codes_of

    for shard in folder.shards(start, count, size):
        pairs = folder.read(shard)
        if pairs is None:
            pairs = []
            for pair in in_order(play, codes_of(shard), jobs):
                pairs.append(pair)
                flush()
            folder.write(shard, pairs)
        for pair in pairs:
            contest.add(pair)


def _text(heading: str, code: "VersusCode", style: str, contest: "Contest") -> str:
    share, margin = contest.share, contest.margin
    games = contest.games
    first, second = heading.split(" against ")
    pairs = "pair" if games == 2 else "pairs"
    interval = "" if games == 2 else f" ± {100 * share.half:.1f}"
    by = "" if games == 2 else f" ± {margin.half:.1f}"
    lines = [
        f"{heading}, {code.rules.game}-{code.rules.mode} from {code}, "
        f"{games // 2} {pairs} of games{style}",
        f"{first} wins {100 * share.value:.1f} %{interval}, by {margin.value:+.1f}{by} cards",
    ]
    if contest.correlation is not None:
        lines.append(f"leads in the two games of a pair correlate at {contest.correlation:+.2f}")
    if contest.pairs_to_tell is not None and games > 2:
        lines.append(f"about {contest.pairs_to_tell} pairs tell these two apart")
    ends = ", ".join(f"{end} {100 * n / games:.0f} %" for end, n in contest.ends.items() if n)
    up = (contest.mean("up_a") + contest.mean("up_b")) / 2
    lines.append(f"{contest.mean('turns'):.0f} turns a game, {up:.1f} cards up each; ended {ends}")
    if style:
        late = contest.mean("late_a") + contest.mean("late_b")
        lines.append(
            f"{contest.mean('milliseconds') / 1000:.0f} s and {late:.1f} late moves a game"
        )
    else:
        lines[-1] += f"; who begins wins {100 * contest.first_won / games:.1f} %"
    winner = contest.match_winner
    result = "is drawn" if winner is None else f"goes to {(first, second)[winner]}"
    cards, won = (":".join(map(str, each)) for each in (contest.cards, contest.won))
    lines.append(f"as one match it {result}: {cards} cards up, {won} games")
    return "\n".join(lines) + "\n"


def _row(contest: "Contest") -> dict[str, object]:
    share, margin = contest.share, contest.margin
    few = contest.games == 2
    return {
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
        "share_of_beginner": round(contest.first_won / contest.games, 5),
        "cards": contest.cards,
        "games_won": contest.won,
        "match_winner": contest.match_winner,
        "late": round(contest.mean("late_a") + contest.mean("late_b"), 3),
        "game_seconds": round(contest.mean("milliseconds") / 1000, 2),
    }
