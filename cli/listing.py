"""Lists of moves as they are printed for a person to follow, and read back by `dsol verify`."""

import functools
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from ..engine.moves import Move
from .board import plain, small_board
from .deals import Asked, is_terminal
from .options import Command


@dataclass(frozen=True, slots=True)
class Listing:
    """How a list is to be printed."""

    taps: bool
    """With what the app needs for each move."""
    boards: int | None
    """A small board after so many moves, each time."""
    ungrouped: bool
    """A line for each move, and nothing else."""

    def lines(self, asked: Asked, moves: Sequence[Move]) -> Iterator[str]:
        """The numbered lines of a list that the referee has accepted.

        On a terminal what is longer than its lines goes on below, behind the number.
        """
        from ..notation.solution import printed_lines

        first = asked.moves_before + 1
        if self.ungrouped:
            yield from printed_lines(
                asked.rules, asked.position(), moves, gestures=self.taps, first=first
            )
            return
        width = shutil.get_terminal_size().columns if is_terminal(sys.stdout) else None
        for number, text in self._steps(asked, moves, first):
            if width is None or not number:
                yield f"{number}. {text}" if number else text
                continue
            yield textwrap.fill(
                f"{number}. {text}",
                max(width - 1, 20),
                subsequent_indent=" " * (len(number) + 2),
                break_long_words=False,
                break_on_hyphens=False,
            )

    def _steps(self, asked: Asked, moves: Sequence[Move], first: int) -> Iterator[tuple[str, str]]:
        """Number and text of each line, with boards, which have no number, between them."""
        from ..engine.referee import Game
        from ..pages.story import numbers, rest_of, rest_text, tell

        steps = list(tell(asked.rules, asked.position(), moves, first))
        rest = rest_of(steps)
        for step in steps[:rest]:
            gesture = ""
            if self.taps:
                gesture = f", {Game(asked.rules, step.before).gesture(step.moves[0])}"
            yield step.number, step.text + gesture + step.turns
            passed = self.boards and (step.first - 1) // self.boards < step.last // self.boards
            if passed and step is not steps[-1]:
                yield "", _framed(plain(small_board(asked.rules, step.after)))
        if rest < len(steps):
            gesture = ", tap" if self.taps else ""
            yield numbers(steps[rest].first, steps[-1].last), rest_text(steps[rest:]) + gesture


def _framed(picture: str) -> str:
    """A picture with a line at its side, by which the reader of a list knows it."""
    return "\n".join(f"    | {line}".rstrip() for line in picture.splitlines())


def listing_options(command: Command) -> Command:
    """Options for how a list of moves is printed; the command gets them as `listing`."""

    @click.option(
        "--taps", is_flag=True, help="Say of each move whether to tap, double tap or drag."
    )
    @click.option(
        "--boards",
        type=click.IntRange(min=1),
        metavar="N",
        help="Print a small board after every N moves.",
    )
    @click.option("--ungrouped", is_flag=True, help="A line for each move, draws too, and no more.")
    @functools.wraps(command)
    def with_listing(*, taps: bool, boards: int | None, ungrouped: bool, **others: Any) -> Any:
        if boards is not None and ungrouped:
            raise click.UsageError("--ungrouped is a line a move, without --boards")
        return command(listing=Listing(taps, boards, ungrouped), **others)

    return with_listing
