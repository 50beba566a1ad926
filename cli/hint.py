"""`dsol hint`: how to go on, whether the game can still be won, and which moves lose it."""

from typing import TYPE_CHECKING

import click

from ..engine.moves import RECYCLE_MOVE
from ..solver.verdict import HINT_LIMITS, Verdict
from .deals import SCHEME_NOTE, Asked, DealReader
from .options import SearchOptions, deal_options, examples, search_from
from .output import exit_code, flush, hint_json, write
from .progress import watched
from .threads import in_order

if TYPE_CHECKING:
    from ..solver.hint import Hint

WORDS = {
    Verdict.WINNABLE: "keeps the win",
    Verdict.UNWINNABLE: "loses (proof)",
    Verdict.UNKNOWN: "unknown",
}
WON, OVER, UNDER_WAY = "won", "over", "under way"
"""How a game stands."""
ENDS = {
    WON: "the game is won, all cards are up",
    OVER: "the game is over, no move can bring it on",
}
_NOTATION = max(map(len, ("recycle", "9>9x13", "FC2>9")))


@click.command(
    epilog=examples(
        "dsol hint KL1-D1N-AAAAAAB --max-nodes 2000",
        "dsol hint KL1-D1N-AAAAAAB --after start.txt --max-nodes 2000",
        note=SCHEME_NOTE,
    )
)
@deal_options
@search_from(HINT_LIMITS)
def hint(reader: DealReader, search: SearchOptions) -> int:
    """Say how to go on in each DEAL, and which moves lose it.

    The first line gives the next moves of a winning list; then each legal move is
    searched, within the limits for a deal each. With --after the game is one under way.
    Of a game that is won, or over as no move can bring it on, it says just that.
    """
    verdicts: set[Verdict] = set()

    def find(asked: Asked) -> "tuple[Asked, Hint]":
        from ..solver.hint import hint as search_hint

        return asked, search_hint(asked.rules, asked.position(), search.limits)

    for asked, found in in_order(find, watched(reader, search.limits), search.jobs):
        state = _state(asked, found)
        write(
            hint_json(asked, found, state) + "\n" if search.as_json else _text(asked, found, state)
        )
        verdicts.add(found.verdict)
        flush()
    return exit_code(verdicts, reader.bad, search.with_exit_code)


def _state(asked: Asked, hint: "Hint") -> str:
    """Whether the game is `won`, `over` as no move can bring it on, or `under way`."""
    if hint.moves == ():
        return WON
    if hint.verdict is Verdict.WINNABLE:
        return UNDER_WAY
    from ..rating.progress import Standing, outlook
    from ..rating.view import View

    look = outlook(asked.rules, View(asked.position(), ()))
    return OVER if look.standing is Standing.OVER else UNDER_WAY


def _text(asked: Asked, hint: "Hint", state: str) -> str:
    """The verdict with the next moves, and a line for each legal move."""
    if state != UNDER_WAY:
        return f"{asked.title} {hint.verdict.value}: {ENDS[state]}\n"
    from ..engine.referee import Game
    from ..notation.solution import describe, printed_lines
    from ..rating.reasons import reasons

    told = "" if hint.verdict is Verdict.WINNABLE else f" ({hint.reason})"
    if hint.next:
        *before, last = printed_lines(asked.rules, asked.position(), hint.next)
        told = f"; next: {last.split('. ', 1)[1]}"
        recycles = hint.next[:-1].count(RECYCLE_MOVE)
        counts = {"draw": len(before) - recycles, "recycle": recycles}
        words = [f"{n} {word}{'s' * (n > 1)}" for word, n in counts.items() if n]
        if words:
            told += f", after {' and '.join(words)}"
    game = Game(asked.rules, asked.position())
    lines = [
        f"{each.move!s:{_NOTATION}}  {WORDS[each.verdict]:13}  "
        + "; ".join([describe(each.move, game), *reasons(game, each.move)])
        for each in hint.legal
    ]
    return "\n".join([f"{asked.title} {hint.verdict.value}{told}", *lines, ""])
