"""Options that several commands share, and the units in which limits are written."""

import functools
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import click
from click.shell_completion import CompletionItem

from ..engine.rules import GAMES, Rules, Scoring, rules_for
from ..solver.verdict import LARGEST_LIMIT, Limits
from .deals import DealReader, Sample, sources_in
from .one_of import OneOf
from .output import Form

Command = Callable[..., Any]

DEALS = "[DEAL | DEAL +COUNT | DEAL..DEAL]..."
FILE = click.Path(exists=True, dir_okay=False, allow_dash=True)
MOST_JOBS = 1024
"""More than this many cores at once is a slip of the hand."""
LARGEST_SAMPLE = 10_000_000
"""Deals at random at most; those that were given out are kept in mind."""
_TIME_UNITS = {
    0.001: "ms msec millisecond milliseconds",
    1: "s sec secs second seconds",
    60: "m min mins minute minutes",
    3600: "h hr hrs hour hours",
    86400: "d day days",
}
TIMES = {"": 1.0} | {name: unit for unit, names in _TIME_UNITS.items() for name in names.split()}
"""Seconds in a unit of time."""
SIZES = {"": 1, "b": 1} | {
    letter + rest: 2 ** (10 * power)
    for power, letter in enumerate("kmgt", 1)
    for rest in ("", "b", "ib")
}
"""Bytes in a unit of memory."""
LEAST_MEMORY = 2**20
"""No search gets on with less."""


def no_larger(_: click.Context, __: click.Parameter, value: int | None) -> int | None:
    """A limit that is none, or no larger than `LARGEST_LIMIT`."""
    if value is not None and value > LARGEST_LIMIT:
        raise click.BadParameter(f"{value} is too large; the largest is {LARGEST_LIMIT}")
    return value


def _quantity(text: str, units: Mapping[str, float], example: str) -> float:
    """A number with a unit, in base units; `units` are written in lower case, `""` for none."""
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+)\s*([a-z]*)", text.strip().lower())
    if match is None or match[2] not in units or not float(match[1]) > 0:
        raise click.BadParameter(f"{text!r}; one looks like {example}")
    value = float(match[1]) * units[match[2]]
    if value > LARGEST_LIMIT:
        raise click.BadParameter(f"{text!r} is too large; one looks like {example}")
    return value


def duration(text: str) -> float:
    """Seconds in a text such as `500ms`, `1.5s`, `2m`, `90 s` or `1h`."""
    return _quantity(text, TIMES, "500ms, 1.5s or 2m")


def size(text: str) -> int:
    """Bytes in a text such as `512M`, `512MB`, `2G` or `2GiB`; the units are powers of 1024."""
    value = int(_quantity(text, SIZES, "512M or 2G"))
    if value >= LEAST_MEMORY:
        return value
    number = text.strip()
    meant = f"{number}M or {number}G" if number.isdecimal() else "512M or 2G"
    raise click.BadParameter(
        f"{text!r} is {value} bytes, and no search gets on with less than 1M; write {meant}"
    )


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def jobs_option(default: int, help: str) -> Callable[[Command], Command]:
    """The option `--jobs`; the command gets a number from 1 on."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(0, MOST_JOBS),
        default=default,
        show_default=True,
        callback=lambda _, __, jobs: jobs or cores(),
        help=f"{help}; 0: one for each core.",
    )


def complete_file(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Let the shell complete the name of a file, for an argument that is not always one."""
    return [CompletionItem(begun, type="file")]


def examples(*lines: str, note: str | None = None) -> str:
    """The end of a command's help: lines to try, each of which a test runs, and a note."""
    told = "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])
    return told if note is None else f"{told}\n\nNote: {note}."


def _all(*options: Command) -> Callable[[Command], Command]:
    """The decorators as one; the first listed comes first in the help."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a command was told to search and to answer."""

    limits: Limits
    jobs: int
    form: Form
    with_exit_code: bool

    @property
    def as_json(self) -> bool:
        """Whether to print JSON."""
        return self.form is Form.JSON


def rules_options(command: Command) -> Command:
    """Options for the rules of a deal that states none; the command gets them as `rules`."""

    @functools.wraps(command)
    def with_rules(*, draw: str, scoring: str, game: str, **others: Any) -> Any:
        rules = rules_for(game.upper(), int(draw), scoring.upper())
        return command(rules=rules, **others)

    return _all(
        click.option(
            "--draw",
            type=OneOf(["1", "3"]),
            default="1",
            show_default=True,
            help="Cards turned at a draw, for a deal that does not say it.",
        ),
        click.option(
            "--scoring",
            type=OneOf(scoring.value for scoring in Scoring),
            metavar="[N|V]",
            default=Scoring.NORMAL.value,
            show_default=True,
            help="Normal (unlimited redeals) or Vegas (one pass), for a deal that does not say it.",
        ),
        click.option(
            "--game",
            type=OneOf(GAMES),
            metavar="[DS1|KL1]",
            default=GAMES[0],
            show_default=True,
            help="Double Solitaire or one-deck Klondike, for a deal file that does not say it.",
        ),
    )(with_rules)


def quiet_option(command: Command) -> Command:
    """The option `--quiet`."""
    return click.option(
        "-q", "--quiet", is_flag=True, help="No notes and no progress on standard error."
    )(command)


def list_option(command: Command) -> Command:
    """The option `--input`; the command gets the paths as `lists`."""
    return click.option(
        "-i",
        "--input",
        "lists",
        multiple=True,
        type=FILE,
        metavar="FILE",
        help="File of deals, one a line; - for standard input. Lines with # are comments.",
    )(command)


def deal_file_option(command: Command) -> Command:
    """The option `--deal`; the command gets the paths as `files`."""
    return click.option(
        "--deal",
        "files",
        multiple=True,
        type=FILE,
        metavar="FILE",
        help="File with the cards of one deal; see `dsol help formats`.",
    )(command)


def edit_option(command: Command) -> Command:
    """The option `--edit`."""
    return click.option(
        "--edit",
        is_flag=True,
        help="Type the cards in your editor, in a form to fill in or in the file that is given.",
    )(command)


def after_option(command: Command) -> Command:
    """The option `--after`; the command gets the path as `after`."""
    return click.option(
        "--after",
        type=FILE,
        metavar="FILE",
        help="File of the moves played so far, in any form that `dsol verify` reads.",
    )(command)


def sample_options(seed_of: str = "") -> Callable[[Command], Command]:
    """The options `--random` and `--seed`; the command gets a `Sample` or None as `sample`.

    `seed_of` says what else the seed is of, in a command that takes `seed` for that.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_sample(*, rules: Rules, count: int | None, seed: int | None, **others: Any) -> Any:
            if seed is not None and count is None and not seed_of:
                raise click.UsageError("--seed is the seed of --random N")
            sample = None if count is None else Sample(rules, count, seed or 0)
            if seed_of:
                others["seed"] = seed or 0
            return command(rules=rules, sample=sample, **others)

        return _all(
            click.option(
                "--random",
                "count",
                type=click.IntRange(1, LARGEST_SAMPLE),
                metavar="N",
                help="N deals at random, by --draw, --scoring and --game; none of them twice.",
            ),
            click.option(
                "--seed",
                type=click.IntRange(0, LARGEST_LIMIT),
                metavar="S",
                help=f"Seed of --random{seed_of}; the same seed gives the same.  [default: 0]",
            ),
        )(with_sample)

    return decorate


def deals_from(seed_of: str = "", takes_unknown: bool = False) -> Callable[[Command], Command]:
    """Arguments and options of a command that takes many deals; it gets them as `reader`.

    `seed_of` is as for `sample_options`, `takes_unknown` as for `DealReader`.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_reader(
            *,
            deals: tuple[str, ...],
            lists: tuple[str, ...],
            files: tuple[str, ...],
            sample: Sample | None,
            rules: Rules,
            quiet: bool,
            after: str | None,
            edit: bool,
            **others: Any,
        ) -> Any:
            sources = [*sources_in(deals, rules), *([sample] if sample else [])]
            reader = DealReader(sources, lists, files, rules, quiet, after, edit, takes_unknown)
            return command(reader=reader, **others)

        return _all(
            click.argument("deals", nargs=-1, metavar=DEALS),
            list_option,
            deal_file_option,
            edit_option,
            after_option,
            rules_options,
            sample_options(seed_of),
            quiet_option,
        )(with_reader)

    return decorate


deal_options = deals_from()
"""The deals of a command that takes many."""


def limits_from(defaults: Limits) -> Callable[[Command], Command]:
    """Options for what a deal may cost; the command gets them as `limits`."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_limits(
            *, max_nodes: int | None, time_limit: float | None, memory: int, **others: Any
        ) -> Any:
            # Who gives a deal so much of one means to use it.
            if max_nodes is None and time_limit is None:
                max_nodes, time_limit = defaults.nodes, defaults.seconds
            return command(limits=Limits(max_nodes, time_limit, memory), **others)

        nodes = f"{defaults.nodes}; none with --time-limit" if defaults.nodes else "none"
        seconds = f"{defaults.seconds:g}s; none with --max-nodes" if defaults.seconds else "none"
        return _all(
            click.option(
                "--max-nodes",
                type=click.IntRange(min=1),
                callback=no_larger,
                help=f"Positions to generate for a deal at most.  [default: {nodes}]",
            ),
            click.option(
                "--time-limit",
                type=duration,
                metavar="TIME",
                help=f"Time for a deal at most: 500ms, 1s, 2min.  [default: {seconds}]",
            ),
            click.option(
                "--memory",
                type=size,
                default=str(defaults.memory),
                metavar="SIZE",
                help="Memory of the search at most: 512MB, 2GB.  [default: 2G]",
            ),
        )(with_limits)

    return decorate


limit_options = limits_from(Limits())
"""The limits of a search for a verdict."""


def search_from(
    defaults: Limits, has_verdict: bool = True, has_columns: bool = False
) -> Callable[[Command], Command]:
    """Options of a command that searches; it gets them as `search`, a `SearchOptions`.

    `has_columns` says that its answers can be printed as CSV and as a table, too.
    """

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_search(
            *,
            limits: Limits,
            jobs: int,
            as_json: bool,
            as_csv: bool = False,
            as_table: bool = False,
            with_exit_code: bool = False,
            **others: Any,
        ) -> Any:
            forms = [Form.JSON] * as_json + [Form.CSV] * as_csv + [Form.TABLE] * as_table
            if len(forms) > 1:
                names = " and ".join(f"--{form.value}" for form in forms)
                raise click.UsageError(f"{names} are two forms of one output; give one of them")
            form = forms[0] if forms else Form.TEXT
            return command(search=SearchOptions(limits, jobs, form, with_exit_code), **others)

        exit_code = click.option(
            "--exit-code",
            "with_exit_code",
            is_flag=True,
            help="Exit with 10 if all deals are winnable, 20 if one is not, 30 if one is open.",
        )
        columns = [
            click.option("--csv", "as_csv", is_flag=True, help="CSV, with a line of names."),
            click.option("--table", "as_table", is_flag=True, help="A table, all at the end."),
        ]
        return _all(
            limits_from(defaults),
            jobs_option(1, "Cores to use"),
            click.option("--json", "as_json", is_flag=True, help="One JSON object a line."),
            *(columns if has_columns else []),
            *([exit_code] if has_verdict else []),
        )(with_search)

    return decorate


search_options = search_from(Limits())
"""The options of a search for a verdict."""


HOUSE = {
    "turn": "turn",
    "play_on": "play-on",
    "solo_clear": "solo-clear",
    "first": "first",
    "draw_a": "draw-a",
    "draw_b": "draw-b",
    "ahead_a": "ahead-a",
    "ahead_b": "ahead-b",
}
"""The options of a table for two, by the names of their parameters."""


def house_options(command: Command) -> Command:
    """Options for what tables of the game for two differ in, and whether proofs end a game.

    The command gets a `House` as `house`, who begins as `first` (A, B or low), and
    `no_adjudicate`.
    """

    @functools.wraps(command)
    def with_house(
        *,
        turn: str,
        play_on: bool,
        solo_clear: bool,
        draw_a: str | None,
        draw_b: str | None,
        ahead_a: int,
        ahead_b: int,
        **others: Any,
    ) -> Any:
        from ..versus.game import House

        house = House(
            turn == "fits",
            play_on,
            solo_clear,
            None if draw_a is None else int(draw_a),
            None if draw_b is None else int(draw_b),
            ahead_a,
            ahead_b,
        )
        return command(house=house, **others)

    handicaps = [
        option
        for player in "AB"
        for option in (
            click.option(
                f"--draw-{player.lower()}",
                type=OneOf(["1", "3"]),
                help=f"Cards that {player} turns at a draw.  [default: as the deal says]",
            ),
            click.option(
                f"--ahead-{player.lower()}",
                type=click.IntRange(0, 52),
                default=0,
                metavar="CARDS",
                help=f"Cards that count for {player} from the start.  [default: 0]",
            ),
        )
    ]
    return _all(
        click.option(
            "--turn",
            type=OneOf(["draw", "fits"]),
            default="draw",
            show_default=True,
            help="A draw ends the turn; or only where the card turned fits nowhere.",
        ),
        click.option("--play-on", is_flag=True, help="Who is out does not end the game."),
        click.option("--solo-clear", is_flag=True, help="Who clears the own columns wins at once."),
        click.option(
            "--first",
            type=OneOf(["A", "B", "low"]),
            default="A",
            show_default=True,
            help="Who begins; low: the lower card in column 1, or else in 2, and so on.",
        ),
        *handicaps,
        click.option(
            "--no-adjudicate",
            is_flag=True,
            help="Play on where it is proved that no card can go up again.",
        ),
    )(with_house)


def paces(text: str) -> tuple[float, ...]:
    """Seconds a card in a text such as `1.5` or `1.5,1.8`."""
    parts = text.split(",")
    try:
        found = tuple(float(part) for part in parts)
    except ValueError:
        found = ()
    if not 1 <= len(found) <= 2 or not all(0.01 <= pace <= 1000 for pace in found):
        raise click.BadParameter(f"{text!r}; seconds a card are 0.01 to 1000, such as 1.5 or 1.5,2")
    return found
