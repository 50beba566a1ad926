"""Reading deals: from arguments, from lists of them (a file or standard input), from deal files."""

import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.codes import DealCode
from ..engine.deal import Position
from ..engine.errors import CodeError, DealError
from ..engine.rules import Rules

if TYPE_CHECKING:
    from ..engine.solution import Line

STANDARD_INPUT = "-"
SCHEME_NOTE = (
    "the cards behind a code are dealt by a scheme of this project, not the app's; "
    "to ask about a game of the app, enter its cards with --deal FILE"
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LONGEST_MESSAGE = 500
_LONG_NUMBER = re.compile(r"Exceeds the limit \((\d+) digits\) for integer.*")
"""What Python says of a longer number, with advice for programmers."""


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
    """One line on standard error, without the middle of what is very long."""
    line = _LONG_NUMBER.sub(r"a number has more than \1 digits", " ".join(message.split()))
    if len(line) > _LONGEST_MESSAGE:
        half = _LONGEST_MESSAGE // 2
        line = f"{line[:half]} … {line[-half:]}"
    click.echo(f"dsol: {line}", err=True)


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
    if named.rules.game != rules.game:
        raise CodeError(
            f"{named.name} cannot be played as {rules.game} (--game); "
            f"the game numbers of PySolFC are deals of {named.rules.title}"
        )
    start = Position.start(named.rules, named.deal)
    return Asked(named.name, named.rules, None, start, named.name)


def ask_for_argument(word: str, rules: Rules) -> Asked:
    """As `ask_for`; a word that names no deal is a usage error."""
    try:
        return ask_for(word, rules)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def ask_for_file(path: str, rules: Rules, fixed: Collection[str] = ()) -> Asked:
    """The deal in a file, read in whatever format it is; raises `DealError` if none.

    It is played by the rules that the file states, else by `rules`; see `file_rules`.
    """
    from ..engine.formats import object_in, read_deal

    text = read_text(path)
    rules = file_rules(object_in(text), rules, fixed)
    return Asked(file_title(path), rules, None, read_deal(text, rules))


def file_title(path: str) -> str:
    """What a file is called in answers."""
    return "standard input" if path == STANDARD_INPUT else Path(path).name


def file_rules(data: dict[str, Any], rules: Rules, fixed: Collection[str]) -> Rules:
    """The rules that a solution file states, else `rules`.

    `fixed` are parts of `rules` (see `fixed_rules`); `DealError` if the file contradicts one.
    """
    from ..engine.formats import stated_rules

    stated = stated_rules(data, rules)
    for part in fixed:
        said, asked = getattr(stated, part), getattr(rules, part)
        if said != asked:
            raise DealError(f"the file says {part} {said}; --{part} {asked} contradicts it")
    return stated


def fixed_rules() -> list[str]:
    """Those of the options for the rules that the user gave to the command that runs."""
    context = click.get_current_context()
    given = (ParameterSource.COMMANDLINE, ParameterSource.ENVIRONMENT)
    parts = ("game", "draw", "scoring")
    return [part for part in parts if context.get_parameter_source(part) in given]


def played(asked: Asked, lines: "Sequence[Line]") -> Asked:
    """The deal as it stands after these moves; `MoveError` if one is illegal."""
    from ..engine.solution import play_lines

    game = play_lines(asked.rules, asked.position(), lines)
    count = "1 move" if len(lines) == 1 else f"{len(lines)} moves"
    return Asked(f"{asked.title} after {count}", asked.rules, None, game.position(), asked.code)


def read_once(paths: Iterable[str | None]) -> None:
    """A usage error if more than one of these is standard input, which has one end only."""
    if list(paths).count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input (-) can be read only once; write one to a file")


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`; bytes that are no UTF-8 become signs."""
    with _open(path) as stream:
        text = stream.read()
    _refuse_utf16(text)
    return text


def _open(path: str) -> IO[str]:
    if path == STANDARD_INPUT and sys.stdin is None:
        raise OSError("standard input is closed")
    return click.open_file(path, encoding="utf-8-sig", errors="replace")


def _refuse_utf16(text: str) -> None:
    """`DealError` for the zero bytes of UTF-16, which no text in UTF-8 has."""
    if "\0" in text:
        raise DealError("the text is not UTF-8 (perhaps UTF-16); save it as UTF-8")


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
        read_once([*deals, *lists, *files, after])
        self.bad = 0
        self.quiet = quiet
        self._lists, self._files = lists, files
        self._rules, self._fixed = rules, fixed_rules()
        self._arguments = [
            None if word == STANDARD_INPUT else ask_for_argument(word, rules) for word in deals
        ]
        self._after: Sequence[Line] | None = None
        if after is not None:
            from ..engine.solution import read_lines

            self._after = read_lines(read_text(after))

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
                yield ask_for_file(path, self._rules, self._fixed)
            except ValueError as error:
                self._report(path, error)

    def _read_list(self, path: str) -> Iterator[Asked]:
        with _open(path) as stream:
            yield from self._read_lines(path, stream)

    def _read_lines(self, path: str, lines: Iterable[str]) -> Iterator[Asked]:
        for number, line in enumerate(lines, 1):
            try:
                _refuse_utf16(line)
            except ValueError as error:
                self._report(path, error)
                return
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
        note(f"{place}: {error}")
