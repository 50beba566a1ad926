"""`dsol play`: a deal at a table on the whole screen, or the game for two in lines."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..engine.errors import DealError
from ..engine.rules import Rules
from .choice import Choice
from .deals import SCHEME_NOTE, Asked, ask_for_argument, ask_for_file, fixed_rules, note, read_text
from .for_two import holds_two
from .needs import missing
from .options import FILE, examples, house_options, quiet_option, rules_options
from .play_two import OPPONENTS, play_for_two
from .progress import announce_compiling
from .threads import apart

if TYPE_CHECKING:
    from ..table.screens import TableScreen
    from ..table.thinker import Thinker

LAST = ""
"""What `--resume` and `--follow` stand for without a file."""
LEVELS = ("any", "winnable", "very easy", "easy", "medium", "hard", "very hard")
GAME_FOR_TWO = "DS2"
_FOR_TWO = (
    "against",
    "seat",
    "hints",
    "turn",
    "play_on",
    "solo_clear",
    "no_adjudicate",
    "playouts",
)
"""Parameters that only the game for two has."""


@click.command(
    epilog=examples(
        "dsol play DS2-D1N-AAAAAAB --against strong -o my-game.json",
        "dsol play DS2-D3N-AAAAAAC --as B --hints",
        note=SCHEME_NOTE,
    )
)
@click.argument("code", required=False)
@click.option(
    "--level",
    type=Choice(LEVELS),
    default="any",
    show_default=True,
    help="Without a CODE: deal one of this kind at random; all but any are winnable.",
)
@click.option(
    "--deal", type=FILE, metavar="FILE", help="Play the cards in this file; `dsol help formats`."
)
@click.option(
    "--light/--no-light",
    default=True,
    show_default=True,
    help="Show whether the game can still be won; the key l does the same.",
)
@click.option(
    "-o",
    "--output",
    "--record",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Keep the record in FILE, written after each move.",
)
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LAST,
    metavar="[FILE]",
    help="Go on with the game in this record, and in it; without FILE with the last one.",
)
@rules_options
@click.option(
    "--against",
    type=Choice(OPPONENTS),
    default="careful",
    show_default=True,
    help="Game for two: who the other is; person is a second one at the same keyboard.",
)
@click.option(
    "--as",
    "seat",
    type=Choice(["A", "B"]),
    default="A",
    show_default=True,
    help="Game for two: which player you are; A begins.",
)
@click.option(
    "--hints", is_flag=True, help="Game for two: allow hints; each is marked in the record."
)
@house_options
@click.option(
    "--playouts",
    type=click.IntRange(1, 10**7),
    default=1_000,
    show_default=True,
    help="Game for two: games that the strong player, or a hint, plays out for a decision.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**31),
    default=None,
    help="Chance of a new deal, or of the computer player.  [default: the clock's; 0 for two]",
)
@quiet_option
@click.pass_context
def play(
    context: click.Context,
    /,
    code: str | None,
    level: str,
    deal: str | None,
    light: bool,
    output: str | None,
    resume: str | None,
    rules: Rules,
    no_adjudicate: bool,
    playouts: int,
    seed: int | None,
    quiet: bool,
    **settings: str | bool | int,
) -> None:
    """Play a deal at a table on the whole screen, or the game for two.

    Without a CODE a deal is chosen at random. Cards are moved with the mouse or with
    keys (? lists them). The game is kept after each move, and the same code goes on
    with it. A code such as DS2-D1N-AAAAAAB is the game for two, in lines.
    """
    if _is_for_two(code, resume):
        settings["seed"] = seed or 0
        play_for_two(context, code, output, resume, no_adjudicate, playouts, quiet, settings)
        return
    _refuse(context, _FOR_TWO, f"is for the game for two, a code that begins with {GAME_FOR_TWO}")
    _need_textual()
    ways = [name for name in ("code", "deal", "resume") if context.params[name] is not None]
    if len(ways) > 1:
        raise click.UsageError(f"only one of CODE, --deal and --resume; not {' and '.join(ways)}")
    if ways:
        _refuse(context, ("level",), "is for a new deal at random")
    if resume is not None:
        screen = _resumed(resume, light)
    else:
        asked = _asked(code, deal, rules, level, seed, quiet)
        screen = _sat_down(asked, output, light)
    _show(screen)


def _is_for_two(code: str | None, resume: str | None) -> bool:
    """Whether the game for two is meant."""
    if code is not None:
        return code.strip().upper().startswith(GAME_FOR_TWO)
    return bool(resume) and Path(resume or "").exists() and holds_two(read_text(resume or ""))


def _refuse(context: click.Context, names: tuple[str, ...], why: str) -> None:
    """A usage error if one of these parameters was given on the command line."""
    for name in names:
        if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            option = name.replace("seat", "as").replace("_", "-")
            raise click.UsageError(f"--{option} {why}")


def _need_textual() -> None:
    try:
        import textual  # noqa: F401
    except ImportError as error:
        raise missing("dsol play", "play", error) from None


def _asked(
    code: str | None, deal: str | None, rules: Rules, level: str, seed: int | None, quiet: bool
) -> Asked:
    """The deal that is asked for by name, by file or by kind."""
    if code is not None:
        return ask_for_argument(code, rules)
    if deal is not None:
        return ask_for_file(deal, rules, fixed_rules())
    from ..engine.dealing import random_numbers
    from ..table.chance import ANY, chances, find_deal

    if level != ANY and not quiet:
        announce_compiling()
        note(f"looking for a deal that is {level}")
    numbers = chances() if seed is None else random_numbers(seed)
    found = apart(lambda: find_deal(rules, level, numbers, lambda: True))
    assert found is not None
    return Asked(str(found), found.rules, found.number, code=str(found))


def _sat_down(asked: Asked, output: str | None, light: bool) -> "Callable[[Thinker], TableScreen]":
    """The table of a deal."""
    from ..table.opening import open_deal
    from ..table.play import sit_down

    path = None if output is None else Path(output)
    return sit_down(open_deal(asked.rules, asked.position(), asked.code, path), light)


def _resumed(resume: str, light: bool) -> "Callable[[Thinker], TableScreen]":
    """The table of the game in a record."""
    from ..table.files import last_kept
    from ..table.opening import Opened
    from ..table.play import sit_down
    from ..table.session import Session

    path = Path(resume) if resume else last_kept()
    if path is None:
        raise DealError("no game has been kept; dsol play CODE begins one")
    session = Session.load(path)
    return sit_down(Opened(session, None, begins=False), light)


def _show(screen: "Callable[[Thinker], TableScreen]") -> None:
    """Let the table have the screen until the person leaves it."""
    import sys

    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("the table needs a terminal as standard input and output")
    from ..table.app import TableApp

    TableApp(screen).run()
