"""`dsol show`: the table of a deal, or its cards in a format of another program."""

import json
import sys
from pathlib import Path

import click

from .board import board, plain, print_in_colour
from .deals import SCHEME_NOTE, DealReader
from .options import deal_options
from .output import deal_json, exit_code, flush, has_signs, to_ascii, write


@click.command(epilog=f"Note: {SCHEME_NOTE}.")
@deal_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Letters in place of suit signs.")
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["solvitaire", "pysol", "digits"]),
    help="Write the cards in the format of another program.",
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
    picture: str | None,
) -> int:
    """Show the cards of each DEAL.

    Face-down cards stand in brackets; the stock is listed with the card drawn first in
    front. What --json and --format write can be read back with --deal.
    """
    if (as_json, format_name is not None, picture is not None).count(True) > 1:
        raise click.UsageError("--json, --format and --svg exclude each other; give one of them")
    pictures = 0
    for asked in reader:
        position = asked.position()
        if picture is not None:
            from ..engine.picture import svg

            pictures += 1
            if pictures > 1:
                raise click.UsageError("--svg is for the table of one deal; give one deal")
            Path(picture).write_text(svg(asked.title, asked.rules, position), encoding="utf-8")
        elif as_json:
            write(json.dumps({"code": asked.code} | deal_json(asked)) + "\n")
        elif format_name:
            from ..engine.formats import write_deal

            write(write_deal(position, asked.rules, format_name))
        else:
            lines = board(asked.title, asked.rules, position)
            if as_ascii or not has_signs():
                write(to_ascii(plain(lines)))
            elif sys.stdout.isatty():
                print_in_colour(lines)
            else:
                write(plain(lines))
        flush()
    return exit_code(set(), reader.bad, wanted=False)
