"""`dsol report`: what the rows of a batch come to, as text, as JSON or as a page."""

import datetime
import json
import logging
import shlex
from pathlib import Path

import click

from .compact import FOLDER
from .deals import note
from .needs import missing
from .options import examples
from .output import write

LISTED = 20
"""Lost and undecided deals of each mode that are listed if nothing is said."""


@click.command(
    epilog=examples(
        "dsol report results",
        'dsol report results --html results.html --title "Two hundred deals"',
    )
)
@click.argument("folder", type=FOLDER)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page with plots instead; it needs no other file.",
)
@click.option("--title", metavar="TEXT", help="Title of the page.  [default: name of the folder]")
@click.option(
    "--list",
    "listed",
    type=click.IntRange(min=0),
    metavar="N",
    default=LISTED,
    show_default=True,
    help="Lost and undecided deals of each mode to list at most.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def report(folder: Path, page: Path | None, title: str | None, listed: int, as_json: bool) -> None:
    """Say what the rows of a batch come to.

    Counts, shares of winnable deals with 95 % intervals that count undecided deals both
    ways, distributions, the lost and the undecided deals, the hardest deals and the
    longest lists of moves.
    """
    from ..batch.report import data, text
    from ..batch.summary import summarise

    summary = summarise(folder, listed, note)
    if as_json:
        write(json.dumps(data(summary)) + "\n")
    elif page is None:
        write(text(summary))
    if page is not None:
        # Where its cache lies, and that it makes one, is nothing a person asked for.
        logging.getLogger("matplotlib").setLevel(logging.ERROR)
        try:
            from ..batch.page import html
        except ImportError as error:
            raise missing("--html", "report", error) from None
        words = ["dsol", "report", str(folder), "--html", str(page)]
        words += ["--title", title] if title else []
        words += ["--list", str(listed)] if listed != LISTED else []
        made = datetime.date.today().isoformat()
        shown = html(summary, title or f"Results in {folder.name}", made, shlex.join(words))
        page.write_text(shown, encoding="utf-8")
