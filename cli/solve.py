"""`dsol solve`: a winning list of moves, as the referee has replayed it."""

import json
from pathlib import Path

import click

from ..pages.words import score_text
from ..solver.verdict import Answer, Verdict
from .board import describe_rules
from .deals import SCHEME_NOTE, Asked, DealReader, note
from .listing import Listing, listing_options
from .options import SearchOptions, deal_options, duration, examples, search_options
from .output import answer_row, answer_text, exit_code, flush, write
from .progress import watched
from .threads import in_order


@click.command(
    epilog=examples(
        "dsol solve DS1-D1N-AAAAAAB",
        "dsol solve DS1-D1N-AAAAAAB --after so-far.txt --taps --boards 50",
        "dsol solve --deal cards.json --html win.html",
        "dsol solve DS1-D3N-AAAAAAB --shorter 20s",
        note=SCHEME_NOTE,
    )
)
@deal_options
@search_options
@listing_options
@click.option(
    "--shorter",
    type=duration,
    metavar="TIME",
    help="Look so long for a list with fewer moves, and say how few there can be.",
)
@click.option(
    "--html",
    "page",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write the list of one deal as a page too, to step through with the cards in sight.",
)
def solve(
    reader: DealReader,
    search: SearchOptions,
    listing: Listing,
    shorter: float | None,
    page: str | None,
) -> int:
    """Find a winning list of moves for each DEAL.

    The list is printed in numbered lines, draws in a row as one. It wins; it is not
    claimed to be the shortest or the best-scoring one, unless --shorter comes down to as
    few moves as there must be. `dsol verify` replays it.
    """
    verdicts: set[Verdict] = set()
    pages = 0

    def find(asked: Asked) -> tuple[Asked, Answer]:
        from ..solver.solve import solve as search_win

        return asked, search_win(asked.rules, asked.position(), search.limits, shorter=shorter)

    for asked, answer in in_order(find, watched(reader, search.limits), search.jobs):
        if search.as_json:
            write(json.dumps(answer_row(asked, answer)) + "\n")
        else:
            write(_text(asked, answer, listing))
        if page is not None:
            pages += 1
            if pages > 1:
                raise click.UsageError("--html is for the list of one deal; give one deal")
            _write_page(page, asked, answer)
        verdicts.add(answer.verdict)
        flush()
    return exit_code(verdicts, reader.bad, search.with_exit_code)


def _write_page(path: str, asked: Asked, answer: Answer) -> None:
    """Write the page of a win; one that is there is replaced whole or not at all."""
    from ..pages.walkthrough import walkthrough

    if answer.moves is None or answer.score is None:
        note(f"no page written: {answer_text(asked, answer)}")
        return
    about = f"{describe_rules(asked.rules)}; {_head(asked, answer)}"
    first = asked.moves_before + 1
    text = walkthrough(asked.title, about, asked.rules, asked.position(), answer.moves, first)
    Path(path).write_text(text, encoding="utf-8")


def _head(asked: Asked, answer: Answer) -> str:
    """What a list comes to."""
    moves, score = answer.moves or (), answer.score or 0
    fewest = f" (no list has fewer than {answer.fewest})" if answer.fewest is not None else ""
    return f"{len(moves)} moves{fewest}, score {score_text(asked.rules, score)}"


def _text(asked: Asked, answer: Answer, listing: Listing) -> str:
    """The verdict and, for a win, its numbered moves."""
    if answer.moves is None or answer.score is None:
        return answer_text(asked, answer) + "\n"
    lines = listing.lines(asked, answer.moves)
    return "\n".join([f"{answer_text(asked, answer)}: {_head(asked, answer)}", *lines, ""])
