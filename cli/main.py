"""The group `dsol`, and the one place where exceptions become a line and an exit code."""

import contextlib
import importlib
import os
import sys

import click
from click.core import ParameterSource

from .one_of import did_you_mean
from .streams import open_streams, write_signs_in_ascii

INTERRUPTED = 130
COMMANDS = {
    "advise": "Recommend a move, and say of each how the game goes after it.",
    "batch": "Answer many deals and keep the rows in Parquet files.",
    "bench": "Search a fixed list of deals and count the nodes.",
    "check": "Say of each DEAL whether it is winnable, a line each.",
    "compact": "Merge the files of a batch into few large ones.",
    "completion": "Print the completion script of a shell.",
    "fair": "Say of each DEAL for two whether it is even, a line each.",
    "help": "Explain a topic, such as moves, formats or limits.",
    "hint": "Say how to go on in each DEAL, and which moves lose it.",
    "match": "Let two players of Double Solitaire for two play FIRST against SECOND.",
    "perft": "Count the sequences of legal moves, by depth.",
    "play": "Play a deal at a table on the whole screen, or the game for two.",
    "rate": "Say how hard each DEAL is for a person, a line each.",
    "report": "Say what the rows of a batch come to.",
    "review": "Say of a game for two what each turn changed: error and luck.",
    "score": "Find the best score of each DEAL, taking back excluded.",
    "show": "Show the cards of each DEAL.",
    "solve": "Find a winning list of moves for each DEAL.",
    "verify": "Replay the moves in FILE by the rules.",
    "warm": "Compile everything that the other commands need.",
}
"""Each command, in the module of its name, and the first line of its help."""


class Commands(click.Group):
    """A group that loads a command when it is called, so that the start is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, if there is one."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            importlib.import_module(f".{cmd_name}", __package__), cmd_name
        )
        _name_variables(command, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is named first; for a name that is none, those that come close."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            ctx.fail(f"No such command {name!r}.{did_you_mean(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; raises `ValueError` where data end too early.

        Click takes `EOFError` for Ctrl-D at a question, but nothing is ever asked here.
        """
        try:
            return super().invoke(ctx)
        except EOFError as error:
            raise ValueError(str(error) or "some data ended too early") from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _name_variables(command: click.Command, name: str) -> None:
    """Let environment variables preset options: `DSOL_CHECK_JOBS` of one command, `DSOL_JOBS`."""
    for option in command.params:
        if isinstance(option, click.Option):
            words = max(option.opts, key=len).strip("-").replace("-", "_").upper()
            option.envvar = [f"DSOL_{name.upper()}_{words}", f"DSOL_{words}"]


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="""\b
    Examples:
      dsol solve DS1-D1N-AAAAAAB
      dsol check DS1-D1N-AAAAAAB DS1-D3V-AAAAAAB
      dsol help moves

    Exit codes: 0 answered, 1 failed or some input was bad, 2 wrong usage, 130
    interrupted; with --exit-code 10 winnable, 20 unwinnable, 30 unknown.""",
)
@click.version_option(None, "-V", "--version", package_name="double-solitaire", prog_name="dsol")
@click.pass_context
def dsol(context: click.Context) -> None:
    """Solve and analyse deals of Double Solitaire (two-deck Klondike) and Klondike.

    A DEAL is a code such as DS1-D1N-AAAAAAB (game, draw 1 or 3, Normal or Vegas
    scoring, deal) or a PySolFC game number such as pysol:123.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def main() -> None:
    """Run the command line; every error is one line on standard error and an exit code."""
    open_streams()
    code = run()
    if code == INTERRUPTED:
        # Threads may be deep in compiled code, and leaving in the ordinary way waits for them.
        os._exit(code)
    sys.exit(code)


def run(arguments: list[str] | None = None) -> int:
    """Run with these arguments (those of the process by default) and return the exit code."""
    try:
        write_signs_in_ascii()
        code = dsol.main(arguments, prog_name="dsol", standalone_mode=False)
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit):
        # The reader has all it wanted; click has its own way of saying that the pipe is closed.
        _drop_output()
        return 0
    except (click.Abort, KeyboardInterrupt):
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        return INTERRUPTED
    except click.ClickException as error:
        return _fail(error.format_message() + _preset(error), error.exit_code)
    except (ValueError, MemoryError, RecursionError) as error:
        return _fail(str(error) or type(error).__name__)
    except OSError as error:
        _drop_output()
        name = f"{error.filename}: " if error.filename else ""
        return _fail(f"{name}{error.strerror or error}")
    return code if isinstance(code, int) else 0


def _preset(error: click.ClickException) -> str:
    """Where a bad value comes from, if it is a variable of the environment."""
    if not isinstance(error, click.BadParameter) or error.param is None or error.ctx is None:
        return ""
    if error.ctx.get_parameter_source(error.param.name or "") is not ParameterSource.ENVIRONMENT:
        return ""
    names = error.param.envvar or []
    return f" (set in the environment: {next(name for name in names if os.environ.get(name))})"


def _fail(message: str, code: int = 1) -> int:
    from .deals import note

    note(message)
    return code


def _drop_output() -> None:
    """Let the interpreter's last flush of an unwritable standard output go nowhere."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
