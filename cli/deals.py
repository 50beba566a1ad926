"""Reading deals: from arguments, from lists of them (a file or standard input), from deal files."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..engine.codes import DealCode
from ..engine.deal import Position
from ..engine.rules import Rules

if TYPE_CHECKING:
    from ..engine.moves import Move

STANDARD_INPUT = "-"
SCHEME_NOTE = (
    "the cards behind a code are dealt by a scheme of this project, not the app's; "
    "to ask about a game of the app, enter its cards with --deal FILE"
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LONGEST_MESSAGE = 300


@dataclass(frozen=True, slots=True)
class Asked:
    """A deal that was asked for: a number of our dealing scheme, or cards."""

    title: str
    """Its code, or the name of the file it came from."""
    rules: Rules
    number: int | None
    """Number in our scheme; None for a deal that came as cards or by another program's number."""
    cards: Position | None = None
    """The position; None where `number` says it."""
    code: str | None = None
    """What to ask for to get the deal again; None for a deal file."""

    def position(self) -> Position:
        """The position that is asked about."""
        if self.cards is not None:
            return self.cards
        from ..engine.dealing import deal_number

        assert self.number is not None
        return Position.start(self.rules, deal_number(self.rules, self.number))


def note(message: str) -> None:
    """One line on standard error."""
    click.echo(f"dsol: {message}", err=True)


def note_scheme(asked: Asked) -> bool:
    """Say that the dealing scheme is ours, if the deal is of it; whether it is."""
    if asked.number is not None:
        note(f"note: {SCHEME_NOTE}")
    return asked.number is not None


def ask_for(text: str, rules: Rules) -> Asked:
    """The deal that an argument or a line names; raises `CodeError` if none.

    `rules` say draw and scoring for a game number of PySolFC, which says neither.
    """
    if ":" not in text:
        code = DealCode.parse(text)
        name = str(code)
        return Asked(name, code.rules, code.number, None, name)
    from ..engine.dealing import resolve

    named = resolve(text, rules.draw, rules.scoring)
    start = Position.start(named.rules, named.deal)
    return Asked(named.name, named.rules, None, start, named.name)


def ask_for_argument(word: str, rules: Rules) -> Asked:
    """As `ask_for`; a word that names no deal is a usage error."""
    try:
        return ask_for(word, rules)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def ask_for_file(path: str, rules: Rules) -> Asked:
    """The deal in a file, read in whatever format it is; raises `DealError` if none."""
    from ..engine.formats import read_deal

    title = "standard input" if path == STANDARD_INPUT else Path(path).name
    return Asked(title, rules, None, read_deal(read_text(path), rules))


def played(asked: Asked, moves: "Sequence[Move]") -> Asked:
    """The deal as it stands after these moves; `MoveError` if one is illegal."""
    from ..engine.referee import play_all

    game = play_all(asked.rules, asked.position(), moves)
    count = "1 move" if len(moves) == 1 else f"{len(moves)} moves"
    return Asked(f"{asked.title} after {count}", asked.rules, None, game.position(), asked.code)


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`; bytes that are no UTF-8 become signs."""
    with click.open_file(path, encoding="utf-8-sig", errors="replace") as stream:
        text: str = stream.read()
    return text


class DealReader:
    """The deals that a command was given, in order: arguments, lists, deal files.

    A wrong argument is a usage error, found before any work begins. A wrong line or
    file is reported on standard error, counted in `bad`, and the rest goes on.
    """

    def __init__(
        self,
        deals: tuple[str, ...],
        lists: tuple[str, ...],
        files: tuple[str, ...],
        rules: Rules,
        quiet: bool,
        after: str | None = None,
    ) -> None:
        """Take the words, the paths of lists and of deal files, and rules for deals without.

        `after` is the path of a list of moves to be played from each deal.
        """
        if not (deals or lists or files):
            raise click.UsageError(
                "no deal given; give codes such as DS1-D1N-AAAAAAB, -i FILE, --deal FILE, "
                "or - for standard input"
            )
        self.bad = 0
        self.quiet = quiet
        self._lists, self._files = lists, files
        self._rules = rules
        self._arguments = [
            None if word == STANDARD_INPUT else ask_for_argument(word, rules) for word in deals
        ]
        self._after: Sequence[Move] | None = None
        if after is not None:
            from ..engine.solution import read_moves

            self._after = read_moves(read_text(after))

    def __iter__(self) -> Iterator[Asked]:
        """Read on, saying once that the dealing scheme of codes is ours."""
        noted = self.quiet
        for asked in self._read():
            noted = noted or note_scheme(asked)
            if self._after is None:
                yield asked
                continue
            try:
                yield played(asked, self._after)
            except ValueError as error:
                self._report(asked.title, error)

    def _read(self) -> Iterator[Asked]:
        for asked in self._arguments:
            if asked is None:
                yield from self._read_list(STANDARD_INPUT)
            else:
                yield asked
        for path in self._lists:
            yield from self._read_list(path)
        for path in self._files:
            try:
                yield ask_for_file(path, self._rules)
            except ValueError as error:
                self._report(path, error)

    def _read_list(self, path: str) -> Iterator[Asked]:
        with click.open_file(path, encoding="utf-8-sig", errors="replace") as stream:
            yield from self._read_lines(path, stream)

    def _read_lines(self, path: str, lines: Iterable[str]) -> Iterator[Asked]:
        for number, line in enumerate(lines, 1):
            word = _COMMENT.sub("", line).strip()
            if not word:
                continue
            try:
                asked = ask_for(word, self._rules)
            except ValueError as error:
                self._report(f"{path}: line {number}", error)
            else:
                yield asked

    def _report(self, place: str, error: ValueError) -> None:
        self.bad += 1
        note(f"{place}: {error}"[:_LONGEST_MESSAGE])
