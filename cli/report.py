"""`dsol report`: what the rows of a batch come to, as text or as a page."""

import logging
from pathlib import Path

import click

from .compact import FOLDER
from .output import write


@click.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a page with plots instead; it needs no other file.",
)
@click.option("--title", metavar="TEXT", help="Title of the page.  [default: name of the folder]")
def report(folder: Path, page: Path | None, title: str | None) -> None:
    """Say what the rows of a batch come to.

    Counts, shares of winnable deals with 95 % intervals that count undecided deals both
    ways, distributions, the hardest deals and the longest lists of moves.
    """
    from ..batch.report import text
    from ..batch.summary import summarise

    summary = summarise(folder)
    if page is None:
        write(text(summary))
        return
    # Where its cache lies, and that it makes one, is nothing a person asked for.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    try:
        from ..batch.page import html
    except ImportError as error:
        raise click.UsageError(
            f"--html needs {error.name}: pip install 'double-solitaire[report]'"
        ) from None
    page.write_text(html(summary, title or f"Results in {folder.name}"), encoding="utf-8")
