"""`dsol show`: the table of a deal, or its cards in a format of another program."""

import json
from pathlib import Path

import click

from .board import board, plain, print_in_colour, wants_colour
from .choice import Choice
from .deals import SCHEME_NOTE, DealReader
from .options import deal_options, examples
from .output import deal_json, exit_code, flush, write
from .streams import to_ascii


@click.command(
    epilog=examples(
        "dsol show DS1-D1N-AAAAAAB",
        "dsol show DS1-D1N-AAAAAAB --after so-far.txt --json",
        "dsol show pysol:123 --format solvitaire",
        note=SCHEME_NOTE,
    )
)
@deal_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--ascii", "as_ascii", is_flag=True, help="Letters in place of suit signs.")
@click.option(
    "--format",
    "format_name",
    type=Choice(["solvitaire", "pysol", "digits"]),
    help="Write the cards in the format of another program.",
)
@click.option(
    "--color",
    "colour",
    type=Choice(["auto", "always", "never"]),
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
            if as_ascii:
                write(to_ascii(plain(lines)))
            elif wants_colour(colour):
                print_in_colour(lines)
            else:
                write(plain(lines))
        flush()
    return exit_code(set(), reader.bad, wanted=False)
