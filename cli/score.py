"""`dsol score`: the best score of a deal, between what was reached and what was proved."""

from typing import TYPE_CHECKING

import click

from ..pages.words import score_text
from ..solver.verdict import SCORE_LIMITS
from .deals import SCHEME_NOTE, Asked, DealReader
from .listing import Listing, listing_options
from .options import SearchOptions, deal_options, examples, search_from
from .output import Form, Rows, exit_code, flush, score_row, write
from .progress import watched
from .threads import in_order

if TYPE_CHECKING:
    from ..solver.score import ScoreAnswer


COLUMNS = (
    *("deal", "score_low", "score_high", "bound", "best", "moves", "won", "nodes", "seconds"),
)
"""Of CSV."""
TABLE = ("deal", "score_low", "score_high", "bound", "best", "won", "nodes", "seconds")


@click.command(
    epilog=examples(
        "dsol score DS1-D3N-AAAAAAB --max-nodes 20000",
        "dsol score -i deals.txt --json --time-limit 500ms",
        note=SCHEME_NOTE,
    )
)
@deal_options
@search_from(SCORE_LIMITS, has_verdict=False, has_columns=True)
@listing_options
def score(reader: DealReader, search: SearchOptions, listing: Listing) -> int:
    """Find the best score of each DEAL, taking back excluded.

    The list that is printed reaches the lower score and need not win. No game in which
    no card is taken back from a foundation passes the upper one; where they meet, it is
    the best score. A win is looked for first, as `dsol solve` does; the limits are those
    of each of the two searches.
    """

    def find(asked: Asked) -> "tuple[Asked, ScoreAnswer]":
        from ..solver.score import score as search_score

        return asked, search_score(asked.rules, asked.position(), search.limits)

    with Rows(search.form, COLUMNS, TABLE) as rows:
        for asked, answer in in_order(find, watched(reader, search.limits), search.jobs):
            if search.form is Form.TEXT:
                write(_text(asked, answer, listing))
            else:
                rows.add(asked, score_row(asked, answer))
            flush()
    return exit_code(set(), reader.bad, wanted=False)


def _text(asked: Asked, answer: "ScoreAnswer", listing: Listing) -> str:
    """The bounds in one line, and the numbered moves that reach the lower one."""
    line = answer.line
    low, high = score_text(asked.rules, answer.low), score_text(asked.rules, answer.high)
    found = f"best score {low}" if answer.is_best else f"best score between {low} and {high}"
    outcome = "won" if line.won else "not won"
    head = (
        f"{asked.title} {found}, taking back excluded "
        f"(upper bound: {answer.bound}): {len(line.moves)} moves, score {low}, {outcome}"
    )
    lines = listing.lines(asked, line.moves)
    return "\n".join([head, *lines, ""])
