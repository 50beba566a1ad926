"""`dsol advise`: what to do in a position of which some cards are not known."""

import json
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.rules import Rules, Scoring
from ..pages.words import score_text
from .deals import file_title, note, read_cards
from .editing import ask_for_cards
from .options import FILE, duration, edit_option, examples, no_larger, quiet_option, rules_options
from .output import write
from .progress import announce_compiling
from .threads import apart

if TYPE_CHECKING:
    from ..rating.advise import Advice, Counsel, Tried

FIRST_TABLE, NEXT_LINE = 0.7, 10.0
"""Seconds after which standard error gets a first table, and after which a line each time."""


@click.command(
    epilog=examples(
        "dsol advise position.json --samples 20",
        "dsol advise table.txt --samples 20 --draw 3",
        "dsol advise position.json --time-limit 2s --json",
        "dsol advise game.json --samples 50",
    )
)
@click.argument("path", type=FILE, metavar="POSITION_FILE", required=False)
@edit_option
@rules_options
@click.option(
    "--samples",
    type=click.IntRange(min=1),
    default=200,
    show_default=True,
    help="Deals to try each move on, about.",
)
@click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Seed of the samples."
)
@click.option(
    "--max-nodes",
    type=click.IntRange(min=1),
    callback=no_larger,
    default=20_000,
    show_default=True,
    help="Positions to generate for a move on a sample at most.",
)
@click.option(
    "--time-limit",
    type=duration,
    metavar="TIME",
    help="Try no more samples after this time: 10s, 2m.  [default: none]",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@quiet_option
@click.pass_context
def advise(
    context: click.Context,
    /,
    path: str | None,
    edit: bool,
    rules: Rules,
    samples: int,
    seed: int,
    max_nodes: int,
    time_limit: float | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Recommend a move, and say of each how the game goes after it.

    POSITION_FILE, or - for standard input, has the cards, ? for those that are not known:
    the nine open cards of a deal in one line, or a line for each column such as
    "7: ?x6 2D", and lines such as "waste: 3H AC" and "up: 2S"; see `dsol help typing`.
    --edit opens your editor with a form. The cards that are not seen are dealt to these places at
    random, many times. "winnable" is the share of these deals that can be won after
    the move by someone who sees all cards; "fast" the share that a fast player
    wins who does not. In Vegas scoring it is that player's dollars and chance to win.

    Moves that only rearrange open cards are tried with what they lead to, or not at
    all, so whoever plays the first move of the table each time gets on. While it works,
    standard error gets a first table after about a second, and how far it is.

    For the game for two POSITION_FILE has the cards of both: {"deal": {"A": {"columns":
    ..., "stock": ..., "waste": ..., "up": ["AS..4S", "AH"]}, "B": ..., "to_move": "A"}}.
    With "??" in it "up" lists the own cards of a player on the foundations. Or it is a
    record of a game, and advice is for how it stands. The share that a move wins, and by
    how many cards, are those of careful players who play the game out from there.
    """
    from ..rating.advise import advise as find
    from ..rating.advise import until
    from ..rating.view import View
    from .for_two import advise_two, holds_two

    text = None if path is None or edit else read_cards(path)
    if path is not None and text is not None and holds_two(text):
        for name in ("max_nodes", "time_limit"):
            if context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
                option = name.replace("_", "-")
                raise click.UsageError(f"--{option} is not for the game for two; --samples is")
        if not quiet:
            announce_compiling()
        advise_two(file_title(path), text, rules, samples, seed, as_json)
        return
    asked = ask_for_cards(path, rules, edit, quiet, text)
    view = View(asked.position(), asked.unknown)
    report = _silent if quiet else _Watch(asked.title).look
    if not quiet:
        announce_compiling()
    goes_on = until(time_limit)
    counsel = apart(partial(find, asked.rules, view, samples, max_nodes, seed, goes_on, report))
    write(json.dumps(_json(counsel)) + "\n" if as_json else _text(asked.title, counsel))


def _silent(_: "Tried") -> None:
    """Show nothing."""


class _Watch:
    """Shows on standard error how far the trying has come, and what it has shown so far."""

    def __init__(self, title: str) -> None:
        self._title = title
        self._began = self._noted = time.monotonic()
        self._has_table = False

    def look(self, tried: "Tried") -> None:
        """Take note of a sample; from time to time it is worth a word."""
        if tried.done == tried.total:
            return
        now = time.monotonic()
        far = f"{100 * tried.done // tried.total} % of the work is done"
        if not self._has_table and now - self._began >= FIRST_TABLE:
            self._has_table = True
            self._noted = now
            note(f"{far}; so far:")
            # Not by click, which goes past what makes a stream carry every sign.
            sys.stderr.write(_text(self._title, tried.counsel()))
            sys.stderr.flush()
        elif self._has_table and now - self._noted >= NEXT_LINE:
            self._noted = now
            note(far)


def _json(counsel: "Counsel") -> dict[str, Any]:
    first = counsel.advice[0] if counsel.advice else None
    return {
        "unknown": len(counsel.view.places),
        "stage": counsel.standing.value,
        "recommended": first and str(first.move),
        "then": first and list(map(str, first.way.moves[1:])),
        "why": counsel.why(),
        "moves": [_row(counsel, each) for each in counsel.advice],
        "not_tried": list(map(str, counsel.others)),
    }


def _row(counsel: "Counsel", advice: "Advice") -> dict[str, Any]:
    row: dict[str, Any] = {
        "move": str(advice.move),
        "then": list(map(str, advice.way.moves[1:])),
        "brings": advice.way.gain.name.lower(),
        "known": counsel.known(advice).value,
        "why": counsel.reason(advice),
        "samples": advice.samples,
        "winnable": advice.winnable,
        "undecided": advice.undecided,
        "share": round(advice.share, 4),
        "interval": _rounded(advice.interval, 4),
        "win_rate_fast": round(advice.fast_share, 4),
        "win_rate_fast_interval": _rounded(advice.fast_interval, 4),
        "cards_up": round(advice.mean_cards, 2),
    }
    if counsel.rules.scoring is Scoring.VEGAS:
        row["dollars"] = round(counsel.dollars(advice.mean_cards), 2)
        row["dollars_interval"] = _rounded(_dollars(counsel, advice), 2)
    return row


def _rounded(interval: tuple[float, float], digits: int) -> list[float]:
    return [round(end, digits) for end in interval]


def _text(title: str, counsel: "Counsel") -> str:
    """The recommended move with the reason, and a line for each way."""
    from ..engine.moves import Kind
    from ..engine.referee import Game
    from ..notation.solution import describe
    from ..rating.progress import Gain

    count = len(counsel.view.places)
    cards = "1 unknown card" if count == 1 else f"{count} unknown cards"
    many = "1 sample" if counsel.samples == 1 else f"{counsel.samples} samples"
    lines = [f"{title}: {cards}, {many}"]
    if not counsel.advice:
        return "\n".join([*lines, counsel.why(), ""])
    first = counsel.advice[0]
    if first.way.gain is Gain.DRAW and not first.way.turns:
        told = str(first.move)
    else:
        game = Game(counsel.rules, counsel.view.position)
        told = describe(first.move, game)
    is_turn = first.move.kind in (Kind.DRAW, Kind.RECYCLE)
    lines.append(f"recommended: {told}" if is_turn else f"recommended: {first.move}, {told}")
    lines.append(f"why: {counsel.why()}")
    is_vegas = counsel.rules.scoring is Scoring.VEGAS
    names = ("dollars", "chance to win") if is_vegas else ("winnable", "fast")
    lines.append(f"{'move':8}{names[0]:>22}{names[1]:>20}  what is known")
    for each in counsel.advice:
        fast = _percent(each.fast_share, each.fast_interval)
        if is_vegas:
            measure = _dollars_text(counsel, each)
        elif each.undecided == each.samples:
            measure = "not decided"
        else:
            measure = _percent(each.share, each.interval)
        lines.append(f"{each.move!s:8}{measure:>22}{fast:>20}  {counsel.known(each)}")
        if each is not first:
            lines.append(f"        {counsel.reason(each)}")
    if counsel.others:
        lines.append(f"not tried, as of no use by itself: {', '.join(map(str, counsel.others))}")
    return "\n".join([*lines, ""])


def _percent(share: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * share:.0f} % ({100 * low:.0f}–{100 * high:.0f})"


def _dollars(counsel: "Counsel", advice: "Advice") -> tuple[float, float]:
    """The 95 % interval of a player's dollars."""
    low, high = advice.cards_interval(counsel.rules.cards)
    return counsel.dollars(low), counsel.dollars(high)


def _dollars_text(counsel: "Counsel", advice: "Advice") -> str:
    mean = counsel.dollars(advice.mean_cards)
    values = [score_text(counsel.rules, round(end)) for end in (mean, *_dollars(counsel, advice))]
    return f"{values[0]} ({values[1]} to {values[2]})"
