"""`dsol show`: the table of a deal, or its cards in a format of another program."""

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from ..engine.rules import Rules, rules_for
from ..versus.codes import GAME, is_for_two
from ..versus.game import Table
from ..versus.positions import table_json, table_text
from .board import board, print_picture
from .deals import SCHEME_NOTE, STANDARD_INPUT, DealReader, note, read_text
from .one_of import OneOf
from .options import Command, deals_from, examples
from .output import deal_json, exit_code, flush, write
from .pair_board import open_tables


def _is_for_two(path: str) -> bool:
    """Whether a file is about the game for two; what cannot be read is told by who reads it."""
    from .for_two import holds_two

    try:
        return holds_two(read_text(path))
    except (OSError, ValueError):
        return False


def _show_table(options: Mapping[str, Any], title: str, rules: Rules, table: Table) -> None:
    """Print a table of the game for two as the options say."""
    if options["as_json"]:
        write(json.dumps(table_json(table, rules)) + "\n")
    elif options["format_name"] == "text":
        write(table_text(table, rules))
    else:
        lines = open_tables(title, rules, table)
        print_picture(lines, options["colour"], options["as_ascii"])


def _for_two_first(command: Command) -> Command:
    """Show the deals for two, if there are any, and hand the others on."""

    @functools.wraps(command)
    def split(*, deals: tuple[str, ...], files: tuple[str, ...], **others: Any) -> Any:
        from .for_two import show_two

        codes = [word for word in deals if is_for_two(word)]
        twos = [path for path in files if path != STANDARD_INPUT and _is_for_two(path)]
        if not codes and not twos:
            return command(deals=deals, files=files, **others)
        if others["format_name"] not in (None, "text") or others["picture"] is not None:
            raise click.UsageError("--svg, and --format but text, are not for the game for two")
        if codes and not others["quiet"]:
            note(f"note: {SCHEME_NOTE}")
        rules = rules_for(GAME, int(others["draw"]), others["scoring"].upper())
        show_two(codes, twos, others["after"], rules, functools.partial(_show_table, others))
        deals = tuple(word for word in deals if word not in codes)
        files = tuple(path for path in files if path not in twos)
        return command(deals=deals, files=files, **others) if deals or files else 0

    return split


@click.command(
    epilog=examples(
        "dsol show DS1-D1N-AAAAAAB",
        "dsol show DS1-D1N-AAAAAAB --after so-far.txt --json",
        "dsol show pysol:123 --format solvitaire",
        note=SCHEME_NOTE,
    )
)
@_for_two_first
@deals_from(takes_unknown=True)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Letters in place of suit signs.")
@click.option(
    "--format",
    "format_name",
    type=OneOf(["text", "solvitaire", "pysol", "digits"]),
    help="Write the cards as text, as they are typed, or in the format of another program.",
)
@click.option(
    "--color",
    "colour",
    type=OneOf(["auto", "always", "never"]),
    default="auto",
    show_default=True,
    help="Colours; auto: on a terminal, or as NO_COLOR or FORCE_COLOR say.",
)
@click.option(
    "--svg",
    "picture",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Draw the table of one deal as an SVG picture.",
)
def show(
    reader: DealReader,
    as_json: bool,
    as_ascii: bool,
    format_name: str | None,
    colour: str,
    picture: str | None,
) -> int:
    """Show the cards of each DEAL.

    Face-down cards stand in brackets, unknown ones as ??; the stock is listed with the
    card drawn first in front. What --json and --format write can be read back with
    --deal. Of a deal for two, and of a record of a game with --deal, both tables are
    shown.
    """
    from .for_two import show_two

    if format_name in (None, "text") and picture is None:
        chosen = {
            "as_json": as_json,
            "format_name": format_name,
            "colour": colour,
            "as_ascii": as_ascii,
        }
        rules = rules_for(GAME, reader.rules.draw, reader.rules.scoring)
        show = functools.partial(_show_table, chosen)
        reader.take_two = lambda code: show_two([str(code)], (), None, rules, show)
    if (as_json, format_name is not None, picture is not None).count(True) > 1:
        raise click.UsageError("--json, --format and --svg exclude each other; give one of them")
    pictures = 0
    for asked in reader:
        position = asked.position()
        if picture is not None:
            from ..pages.picture import svg

            pictures += 1
            if pictures > 1:
                raise click.UsageError("--svg is for the table of one deal; give one deal")
            drawn = svg(asked.title, asked.rules, position, frozenset(asked.unknown))
            Path(picture).write_text(drawn, encoding="utf-8")
        elif as_json:
            write(json.dumps({"code": asked.code} | deal_json(asked)) + "\n")
        elif format_name:
            from ..notation.formats import write_deal

            write(write_deal(position, asked.rules, format_name, asked.unknown))
        else:
            lines = board(asked.title, asked.rules, position, frozenset(asked.unknown))
            print_picture(lines, colour, as_ascii)
        flush()
    return exit_code(set(), reader.bad, wanted=False)
