"""What to do in a game with unknown cards, as it stands beside the board."""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.text import Text

from ..engine.moves import Move
from ..engine.rules import Rules, Scoring
from ..pages.words import score_text
from ..rating.view import View
from .thinker import GoesOn, Report

if TYPE_CHECKING:
    from ..rating.advise import Counsel, Tried

SHOWN_EACH = 0.5
"""Seconds between two looks at what the samples show so far; by hand."""


@dataclass(frozen=True, slots=True)
class Told:
    """Advice in words and numbers; with it goes no part of what has worked it out."""

    wide: Text
    """A table with a line for each move."""
    narrow: Text
    """The same with two lines for each."""
    moves: tuple[Move, ...]
    """The moves that are recommended; none where the game is over."""
    why: str


def tell_advice(
    rules: Rules, view: View, samples: int, nodes: int, goes_on: GoesOn, report: Report
) -> Told:
    """Work the advice out, as `dsol advise` does; what is known meanwhile is told now and then."""
    from ..rating.advise import advise

    shown = time.monotonic() - SHOWN_EACH

    def look(tried: "Tried") -> None:
        nonlocal shown
        if time.monotonic() - shown >= SHOWN_EACH:
            shown = time.monotonic()
            report(_told(tried.counsel(), False))

    return _told(advise(rules, view, samples, nodes, 0, goes_on, look), True)


def _told(counsel: "Counsel", is_last: bool) -> Told:
    return Told(
        _text(counsel, is_last, "  "),
        _text(counsel, is_last, "\n  "),
        counsel.advice[0].way.moves if counsel.advice else (),
        counsel.why(),
    )


def _text(counsel: "Counsel", is_last: bool, gap: str) -> Text:
    """The advice as a table: what the samples show of each move, in numbers and in words."""
    is_vegas = counsel.rules.scoring is Scoring.VEGAS
    text = Text()
    text.append(f"{counsel.samples} samples{'' if is_last else ' so far'}\n", "dim")
    if counsel.advice:
        names = ("dollars", "wins") if is_vegas else ("winnable", "fast")
        text.append(f"{'move':8}{names[0]:>8}{names[1]:>9}\n", "dim")
    for number, each in enumerate(counsel.advice):
        if is_vegas:
            measure = score_text(counsel.rules, round(counsel.dollars(each.mean_cards)))
        else:
            decided = each.undecided < each.samples
            measure = f"{100 * each.share:.0f} %" if decided else "?"
        fast = f"{100 * each.fast_share:.0f} %"
        text.append(f"{each.move!s:8}{measure:>8}{fast:>9}", "" if number else "bold #ffd75e")
        text.append(f"{gap}{counsel.known(each)}\n")
        if number:
            text.append(f"  {counsel.reason(each)}\n", "dim")
    if counsel.others:
        text.append(f"of no use by itself: {', '.join(map(str, counsel.others))}", "dim")
    return text
