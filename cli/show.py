"""`dsol show`: the table of a deal, or its cards in a format of another program."""

import json
import sys

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
def show(reader: DealReader, as_json: bool, as_ascii: bool, format_name: str | None) -> int:
    """Show the cards of each DEAL.

    Face-down cards stand in brackets; the stock is listed with the card drawn first in
    front. What --json and --format write can be read back with --deal.
    """
    if as_json and format_name:
        raise click.UsageError("--json and --format exclude each other; give one of them")
    for asked in reader:
        position = asked.position()
        if as_json:
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
