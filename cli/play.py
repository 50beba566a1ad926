"""`dsol play`: a deal, or the game for two, at a table on the whole screen."""

import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..engine.errors import DealError
from ..engine.rules import Rules, rules_for
from ..table.chance import ANY, WISHES, chances, find_deal
from .deals import (
    SCHEME_NOTE,
    Asked,
    ask_for,
    ask_for_argument,
    ask_for_file,
    fixed_rules,
    is_terminal,
    known,
    note,
    read_text,
)
from .for_two import holds_two
from .needs import missing
from .one_of import OneOf
from .options import FILE, duration, examples, house_options, paces, quiet_option, rules_options
from .play_two import OF_THE_RECORD, OPPONENTS, is_given, play_for_two
from .progress import announce_compiling
from .threads import apart

if TYPE_CHECKING:
    from ..engine.moves import Move
    from ..table.screens import TableScreen
    from ..table.thinker import Thinker

LAST = ""
"""What `--resume` and `--follow` stand for without a file."""
GAME_FOR_TWO = "DS2"
_FOR_TWO = {name: option for name, option in OF_THE_RECORD.items() if name != "seed"} | {
    "no_adjudicate": "no-adjudicate",
    "lines": "lines",
    "playouts": "playouts",
}
"""The options that only the game for two has, by the names of their parameters."""


@click.command(
    epilog=examples(
        "dsol play DS2-D1N-AAAAAAB --against strong -o my-game.json",
        "dsol play DS2-D3N-AAAAAAC --as B --hints",
        "dsol play DS2-D1N-AAAAAAB --simultaneous --pace 5",
        note=SCHEME_NOTE,
    )
)
@click.argument("code", required=False)
@click.option(
    "--level",
    type=OneOf(WISHES),
    default=ANY,
    show_default=True,
    help="Without a CODE: deal one of this kind at random; all but any are winnable.",
)
@click.option(
    "--deal", type=FILE, metavar="FILE", help="Play the cards in this file; `dsol help formats`."
)
@click.option(
    "--follow",
    is_flag=False,
    flag_value=LAST,
    metavar="[FILE]",
    help="Follow the list of moves in FILE, or one that is looked for, step by step.",
)
@click.option(
    "--own", is_flag=True, help="Play with my own cards, on a phone or a table; I type what I see."
)
@click.option(
    "--light/--no-light",
    default=True,
    show_default=True,
    help="Show whether the game can still be won, of two what is proved; so does the key l.",
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
    type=OneOf(OPPONENTS),
    default="careful",
    show_default=True,
    help="Game for two: who the other is; person is a second one at the same keyboard.",
)
@click.option(
    "--as",
    "seat",
    type=OneOf(["A", "B"]),
    default="A",
    show_default=True,
    help="Game for two: which player you are.",
)
@click.option("--simultaneous", "is_at_once", is_flag=True, help="Game for two: both move at once.")
@click.option(
    "--pace",
    type=paces,
    default="3.5",
    show_default=True,
    metavar="SECONDS",
    help="Game for two: seconds a card of the computer player, with --simultaneous.",
)
@click.option(
    "--progress-clock",
    type=duration,
    metavar="TIME",
    help="Game for two: end a simultaneous game after so long without progress: 2m."
    "  [default: never]",
)
@click.option(
    "--hints", is_flag=True, help="Game for two: allow hints; each is marked in the record."
)
@click.option(
    "--lines",
    is_flag=True,
    help="Game for two: a line for each move, as where there is no terminal.",
)
@house_options
@click.option(
    "--playouts",
    type=click.IntRange(1, 10**7),
    default=1_000,
    show_default=True,
    help="Game for two: games that strong, tree or a hint plays out for a decision.",
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
    follow: str | None,
    own: bool,
    light: bool,
    output: str | None,
    resume: str | None,
    rules: Rules,
    no_adjudicate: bool,
    lines: bool,
    playouts: int,
    seed: int | None,
    quiet: bool,
    **settings: Any,
) -> None:
    """Play a deal at a table on the whole screen, or the game for two.

    Without a CODE a deal is chosen at random. Cards are moved with the mouse or with
    keys (? lists them). The game is kept after each move, and the same code goes on
    with it. With --follow a winning list is gone through step by step; with --own
    the cards lie elsewhere, and the table says what to do. A code such as
    DS2-D1N-AAAAAAB is the game for two, at the same table, or with --lines and where
    there is no terminal a line for each move: the end of the input, or quit, leaves it.
    With --simultaneous, which is always played in lines, the other does not wait for
    you: a move counts when its line is finished, and one that the table refuses by then
    is late.
    """
    if resume == LAST:
        resume = _last()
    if _is_for_two(code, resume):
        settings["seed"] = seed or 0
        at_table = not lines and _has_terminal() and _has_textual()
        play_for_two(
            context,
            code,
            output,
            resume,
            no_adjudicate,
            playouts,
            quiet,
            at_table,
            light,
            settings,
        )
        return
    _refuse(context, _FOR_TWO, f"is for the game for two, a code that begins with {GAME_FOR_TWO}")
    _need_textual()
    if own and follow is not None:
        raise click.UsageError("--own is for a game without a list yet; --follow needs one")
    if follow and code is None and not Path(follow).exists():
        # `--follow CODE`: the word after the option is the deal, not a file.
        code, follow = follow, LAST
    given = {"CODE": code, "--deal": deal, "--resume": resume}
    ways = [name for name, value in given.items() if value is not None]
    if len(ways) > 1:
        raise click.UsageError(f"only one of CODE, --deal and --resume, not {' and '.join(ways)}")
    if ways or own or follow is not None:
        _refuse(context, ("level", "seed"), "is for a new deal at random")
    if own and code is not None:
        raise click.UsageError("--own is for cards that lie elsewhere; a CODE is dealt here")
    if follow == LAST and not ways:
        raise click.UsageError("--follow needs the CODE of a deal, or a FILE with a list of moves")
    if resume is not None and output is not None:
        raise click.UsageError("a game that goes on is kept in its own record; not in --output")
    if not ways:
        _need_terminal()
    if resume is not None:
        screen = _resumed(resume, light)
    elif own and deal is None:
        screen = _own(None, rules, output)
    elif follow and not ways:
        screen = _followed(None, follow, output)
    else:
        asked = _asked(code, deal, rules, level, seed, quiet)
        if own or (asked.unknown and follow is None):
            screen = _own(asked, asked.rules, output)
        elif follow is None:
            screen = _sat_down(asked, output, light)
        else:
            screen = _followed(known(asked), follow, output)
    _need_terminal()
    from ..table.app import TableApp

    TableApp(screen).run()


def _is_for_two(code: str | None, resume: str | None) -> bool:
    """Whether the game for two is meant."""
    if code is not None:
        return code.strip().upper().startswith(GAME_FOR_TWO)
    return resume is not None and Path(resume).exists() and holds_two(read_text(resume))


def _refuse(context: click.Context, names: Iterable[str], why: str) -> None:
    """A usage error if one of these parameters was given on the command line."""
    for name in filter(partial(is_given, context), names):
        raise click.UsageError(f"--{_FOR_TWO.get(name, name)} {why}")


def _need_textual() -> None:
    try:
        import textual  # noqa: F401
    except ImportError as error:
        raise missing("dsol play", "play", error) from None


def _has_textual() -> bool:
    return find_spec("textual") is not None


def _has_terminal() -> bool:
    # What Textual draws goes to standard error.
    return all(map(is_terminal, (sys.stdin, sys.stdout, sys.stderr)))


def _need_terminal() -> None:
    if not _has_terminal():
        raise click.UsageError(
            "the table needs a terminal; only the game for two, a CODE such as DS2-D1N-AAAAAAB, "
            "is played without"
        )


def _asked(
    code: str | None, deal: str | None, rules: Rules, level: str, seed: int | None, quiet: bool
) -> Asked:
    """The deal that is asked for by name, by file or by kind."""
    if code is not None:
        return ask_for_argument(code, rules)
    if deal is not None:
        return ask_for_file(deal, rules, fixed_rules())
    from ..engine.dealing import random_numbers

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


def _last() -> str:
    """The file of the game that was kept last."""
    from ..table.files import last_kept

    path = last_kept()
    if path is None:
        raise DealError("no game has been kept; dsol play CODE begins one")
    return str(path)


def _resumed(resume: str, light: bool) -> "Callable[[Thinker], TableScreen]":
    """The table of the game in a record, or of the list that is being followed."""
    from ..notation.formats import object_in
    from ..table.opening import Opened
    from ..table.own import sit_down_own
    from ..table.play import sit_down
    from ..table.session import Session

    path = Path(resume)
    if not path.exists():
        raise click.UsageError(f"--resume: {path} does not exist")
    if "at" in object_in(read_text(str(path))):
        return _followed(None, str(path), str(path))
    session = Session.load(path)
    opened = Opened(session, None, begins=False)
    return sit_down_own(opened) if session.own else sit_down(opened, light)


def _own(
    asked: Asked | None, rules: Rules, output: str | None
) -> "Callable[[Thinker], TableScreen]":
    """The table of a game that lies elsewhere, from its beginning or from a position."""
    import datetime

    from ..rating.view import View
    from ..table.files import kept_path
    from ..table.opening import Opened
    from ..table.own import sit_down_own
    from ..table.session import Session, unseen_game

    if output is not None and Path(output).exists():
        raise click.UsageError(f"{output} exists; --resume goes on with it, or give another name")
    name = datetime.datetime.now().strftime("own-%Y-%m-%d-%H%M%S")
    path = kept_path(name) if output is None else Path(output)
    view = unseen_game(rules) if asked is None else View(asked.position(), asked.unknown)
    asks_rules = asked is None and not {"draw", "scoring"} & set(fixed_rules())
    return sit_down_own(Opened(Session(rules, view, None, path, own=True), None), asks_rules)


def _followed(
    asked: Asked | None, follow: str, output: str | None
) -> "Callable[[Thinker], TableScreen]":
    """The table of a list of moves, at the place where it was left."""
    from ..notation.solution import Head, play_lines, read_lines, read_solution
    from ..table.files import kept_path
    from ..table.follow import Follow
    from ..table.follow_screen import sit_down_to_follow
    from ..table.opening import deal_name

    moves: tuple[Move, ...] = ()
    head = None if asked else Head.of(read_text(follow))
    if head is not None:
        asked = ask_for(head.deal, rules_for("DS1", 1, "N"))
    if asked is None:
        solution = read_solution(read_text(follow))
        code = None if solution.code is None else str(solution.code)
        rules, start, moves = solution.rules, solution.position, solution.moves
    else:
        rules, start, code = asked.rules, asked.position(), asked.code
        if follow:
            lines = read_lines(read_text(follow))
            play_lines(rules, start, lines)
            moves = tuple(move for move, _ in lines)
    name = f"follow-{deal_name(rules, start, code)}"
    path = kept_path(name) if output is None else Path(output)
    followed = Follow(rules, start, moves, code, path)
    followed.take_place()
    return sit_down_to_follow(followed)
