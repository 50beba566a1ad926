"""`dsol help`: the parts of the manual, for those who have only the program."""

import re
import sys
from importlib.resources import files

import click

from .main import COMMANDS, dsol
from .one_of import OneOf
from .options import examples
from .output import write

TOPICS = {
    "codes": "Deal codes",
    "environment": "Environment and terminals",
    "exit-codes": "Exit codes",
    "formats": "Deal files",
    "json": "JSON",
    "limits": "Limits",
    "moves": "Moves",
    "rules": "Rules that are our reading",
    "typing": "Typing a position",
}
"""Each topic, and the heading of its section in the manual."""


def section(heading: str) -> str:
    """The section of the manual under a heading, down to the next one, without the heading."""
    manual = files("double_solitaire.docs").joinpath("manual.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^#+ {re.escape(heading)}\n+(.*?)\n*(?=^#|\Z)", manual, re.MULTILINE | re.DOTALL
    )
    if found is None:
        raise AssertionError(f"the manual has no section {heading}")
    return found[1] + "\n"


@click.command(epilog=examples("dsol help moves", "dsol help limits", "dsol help check"))
@click.argument("topic", required=False, type=OneOf([*TOPICS, *COMMANDS]), metavar="[TOPIC]")
@click.pass_context
def help(context: click.Context, topic: str | None) -> None:
    """Explain a topic, such as moves, formats or limits.

    Without TOPIC the topics are listed. The name of a command gives its help.
    """
    if topic is None:
        lines = [f"{name:13}{heading}\n" for name, heading in TOPICS.items()]
        write("".join(["Topics of `dsol help TOPIC`, beside the commands:\n\n", *lines]))
    elif topic in COMMANDS:
        command = dsol.get_command(context, topic)
        assert command is not None
        write(command.get_help(click.Context(command, context.parent, topic)) + "\n")
    elif sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(file=sys.stdout).print(Markdown(section(TOPICS[topic])))
    else:
        write(section(TOPICS[topic]))
