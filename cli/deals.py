"""Reading deals: from arguments, from lists of them (a file or standard input), from deal files."""

import codecs
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.codes import PYSOL_PREFIX, DealCode, Range
from ..engine.deal import Position
from ..engine.errors import CodeError, DealError
from ..engine.rules import Rules
from ..versus.codes import VersusCode, is_for_two

if TYPE_CHECKING:
    from ..notation.solution import Written

STANDARD_INPUT = "-"
SCHEME_NOTE = (
    "the cards behind a code are dealt by a scheme of this project, not the app's; "
    "to ask about a game of the app, enter its cards with --deal FILE"
)
_COMMENT = re.compile(r"(?:^|\s)#.*")
_LONGEST_MESSAGE = 500
_LONG_NUMBER = re.compile(r"Exceeds the limit \((\d+) digits\) for integer.*")
"""What Python says of a longer number, with advice for programmers."""
_COUNTED = re.compile(r"(.*?)\s*\+(\S*)")
_SPAN = re.compile(r"(.+?)\.\.(.+)")
_PYSOL_NUMBER = re.compile(r"(ms|)(\d+)")
_FILE_NAME = re.compile(r".*[/\\].*|.*(?<!\.)\.[a-z]\w{0,9}", re.IGNORECASE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


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
    moves_before: int = 0
    """Moves that were played before the position; the numbers of a list go on from there."""
    unknown: tuple[tuple[int, int], ...] = ()
    """Places of cards that are not known, as `rating.view.View` has them; see `known`."""

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
    sys.stderr.write(f"dsol: {line}\n")
    sys.stderr.flush()


def note_scheme(asked: Asked) -> bool:
    """Say that the dealing scheme is ours, if the deal is of it; whether it is."""
    if asked.number is not None:
        note(f"note: {SCHEME_NOTE}")
    return asked.number is not None


@dataclass(frozen=True, slots=True)
class PysolRange:
    """Deals of PySolFC in a row, by their numbers."""

    rules: Rules
    prefix: str
    """`ms` for the numbers of Microsoft's generator, else nothing."""
    first: int
    last: int

    def names(self) -> Iterator[str]:
        """What to ask for, deal by deal."""
        for number in range(self.first, self.last + 1):
            yield f"{PYSOL_PREFIX}{self.prefix}{number}"


@dataclass(frozen=True, slots=True)
class Sample:
    """Deals of our scheme at random, none of them twice; a larger sample begins with a smaller."""

    rules: Rules
    count: int
    seed: int

    def codes(self) -> Iterator[DealCode]:
        """The codes of the deals."""
        from ..engine.dealing import random_numbers

        for number in islice(random_numbers(self.seed), self.count):
            yield DealCode(self.rules, number)


Source = Asked | Range | PysolRange | Sample | None
"""Deals that were asked for in one place; None for the list that is standard input."""


def ask_for(text: str, rules: Rules, fixed: Collection[str] = ()) -> Asked:
    """The deal that a text names; raises `CodeError` if none.

    `rules` say draw and scoring for a game number of PySolFC, which says neither. `fixed` are
    parts of `rules` that a code must not contradict (see `fixed_rules`).
    """
    if not _is_pysol(text):
        return _asked_by(_parse_code(text, rules, fixed))
    from ..engine.dealing import resolve

    named = resolve(text, rules.draw, rules.scoring)
    if named.rules.game != rules.game:
        raise CodeError(
            f"{named.name} cannot be played as {rules.game} (--game); "
            f"the game numbers of PySolFC are deals of {named.rules.title}"
        )
    start = Position.start(named.rules, named.deal)
    return Asked(named.name, named.rules, None, start, named.name)


def _is_pysol(text: str) -> bool:
    return text.strip().lower().startswith(PYSOL_PREFIX)


def _asked_by(code: DealCode) -> Asked:
    name = str(code)
    return Asked(name, code.rules, code.number, None, name)


def _parse_code(text: str, rules: Rules, fixed: Collection[str]) -> DealCode:
    code = DealCode.parse(text)
    _refuse_contradiction(str(code), code.rules, rules, fixed)
    return code


def deals_in(text: str, rules: Rules, fixed: Collection[str] = ()) -> Asked | Range | PysolRange:
    """The deal that a text names, or the range: `CODE +1000`, `CODE..CODE`, `pysol:1 +100`.

    Of the last deal the letters, or the number, will do. Raises `CodeError` for what is neither;
    `rules` and `fixed` are as for `ask_for`.
    """
    counted, span = _COUNTED.fullmatch(text), _SPAN.fullmatch(text)
    if counted is not None:
        begin, end = counted.groups()
        if not begin or not end.isdecimal() or int(end) < 1:
            raise CodeError(
                f"{text!r} is no range; +1000 stands after the first deal of a range: CODE +1000"
            )
    elif span is not None:
        begin, end = span.groups()
    else:
        return ask_for(text, rules, fixed)
    if _is_pysol(begin):
        return _pysol_range(begin, end, counted is not None, rules)
    first = _parse_code(begin, rules, fixed)
    if counted is not None:
        return Range(first.rules, first.number, first.number + int(end) - 1)
    last = DealCode.parse(
        end if "-" in end else f"{first.rules.game}-{first.rules.mode}-{end.strip()}"
    )
    if last.rules != first.rules:
        raise CodeError(f"{first}..{last} is no range; both ends are of one game and mode")
    return Range(first.rules, first.number, last.number)


def _pysol_range(begin: str, end: str, is_count: bool, rules: Rules) -> PysolRange:
    """The numbers from one on, so many or up to another."""
    from ..engine.dealing import pysol_number

    first = ask_for(begin, rules)
    prefix, number = _pysol_parts(first.title.removeprefix(PYSOL_PREFIX))
    if is_count:
        end = f"{prefix}{number + int(end) - 1}"
    elif _is_pysol(end):
        end = end.strip()[len(PYSOL_PREFIX) :]
    prefix_of_end, last = _pysol_parts(pysol_number(end))
    if prefix_of_end not in ("", prefix) or last < number:
        raise CodeError(
            f"{first.title}..{prefix_of_end}{last} is no range; "
            "one ends at its start or later, and has one kind of numbers"
        )
    return PysolRange(first.rules, prefix, number, last)


def _pysol_parts(number: str) -> tuple[str, int]:
    match = _PYSOL_NUMBER.fullmatch(number)
    assert match is not None
    return match[1], int(match[2])


def sources_in(words: Iterable[str], rules: Rules) -> list[Source]:
    """What the arguments of the command that runs ask for; a wrong one is a usage error."""
    fixed = fixed_rules()
    joined: list[str] = []
    for word in words:
        if word.startswith("+") and joined:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return [_source(word, rules, fixed) for word in joined]


def _source(word: str, rules: Rules, fixed: Collection[str]) -> Source:
    if word == STANDARD_INPUT:
        return None
    try:
        return deals_in(word, rules, fixed)
    except ValueError as error:
        raise click.UsageError(_with_way_in(error, word)) from None


def _with_way_in(error: ValueError, word: str) -> str:
    """The error, and for the name of a file the option that the command reads it by."""
    if "://" in word:
        return f"{word!r} is no deal code; nothing is read from the web, save it to a file"
    if not _FILE_NAME.fullmatch(word) and not os.path.isfile(word):
        return str(error)
    options = {
        option for each in click.get_current_context().command.params for option in each.opts
    }
    ways = {"--deal": "a file with cards goes by --deal", "-i": "a list of deals by -i"}
    told = [words for option, words in ways.items() if option in options]
    return f"{word!r} is no deal code; {', '.join(told) or 'a code is not read from a file here'}"


def ask_for_argument(word: str, rules: Rules) -> Asked:
    """The one deal that an argument names; a word that names none is a usage error."""
    found = _source(word, rules, fixed_rules())
    if not isinstance(found, Asked):
        raise click.UsageError(
            f"{word!r} is not one deal; a deal is a code such as DS1-D1N-AAAAAAB"
        )
    return found


def read_cards(path: str) -> str:
    """The text of a file of cards; who is to type them is told so."""
    if path == STANDARD_INPUT and is_terminal(sys.stdin):
        note("type the cards, a line for each column, bottom to top, and then Ctrl-D")
    return read_text(path)


def ask_for_file(
    path: str, rules: Rules, fixed: Collection[str] = (), text: str | None = None
) -> Asked:
    """The deal in a file, read in whatever format it is; raises `DealError` if none.

    It is played by the rules that the file states, else by `rules`; see `file_rules`. Some of its
    cards may be unknown. `text` is what stands in the file, where it has been read.
    """
    text = read_cards(path) if text is None else text
    try:
        return asked_in(text, file_title(path), rules, fixed)
    except DealError as error:
        if path == STANDARD_INPUT and is_terminal(sys.stdin):
            raise DealError(f"{error}; what you typed is in {kept(text)}") from None
        raise


def asked_in(text: str, title: str, rules: Rules, fixed: Collection[str] = ()) -> Asked:
    """As `ask_for_file`, for its text."""
    from ..notation.formats import object_in
    from ..rating.view import read_view

    rules = file_rules(object_in(text), rules, fixed)
    try:
        view = read_view(text, rules)
    except DealError as error:
        if _begins_with_code(text):
            raise DealError(f"{error}; a list of deals goes by -i") from None
        raise
    return Asked(title, rules, None, view.position, unknown=view.places)


def known(asked: Asked) -> Asked:
    """The deal, all of whose cards are known; `DealError` if some are not."""
    if asked.unknown:
        count = len(asked.unknown)
        raise DealError(
            f"{count} card{'s are' if count > 1 else ' is'} unknown, and all must be known here; "
            "dsol advise says what to do without"
        )
    return asked


def is_terminal(stream: IO[str] | None) -> bool:
    """Whether a stream, if there is one, is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def kept(text: str) -> str:
    """Keep a text in a new file among the temporary ones; its path."""
    descriptor, path = tempfile.mkstemp(prefix="dsol-", suffix=".txt")
    with open(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    return path


def _begins_with_code(text: str) -> bool:
    try:
        DealCode.parse(text.split(maxsplit=1)[0])
    except (CodeError, IndexError):
        return False
    return True


def file_title(path: str) -> str:
    """What a file is called in answers."""
    return "standard input" if path == STANDARD_INPUT else Path(path).name


def file_rules(data: dict[str, Any], rules: Rules, fixed: Collection[str]) -> Rules:
    """The rules that a solution file states, else `rules`.

    `fixed` are parts of `rules` (see `fixed_rules`); a `ValueError` if the file contradicts one.
    """
    from ..notation.formats import stated_rules

    stated = stated_rules(data, rules)
    _refuse_contradiction("the file", stated, rules, fixed)
    return stated


def _refuse_contradiction(who: str, stated: Rules, rules: Rules, fixed: Collection[str]) -> None:
    """`CodeError` if what a code or a file says is not what an option says, in a `fixed` part."""
    for part in fixed:
        said, asked = getattr(stated, part), getattr(rules, part)
        if said != asked:
            raise CodeError(f"{who} says {part} {said}; --{part} {asked} contradicts it")


def fixed_rules() -> list[str]:
    """Those of the options for the rules that the user gave to the command that runs.

    A variable of the environment is a preset for what a file does not say.
    """
    source = click.get_current_context().get_parameter_source
    parts = ("game", "draw", "scoring")
    return [part for part in parts if source(part) is ParameterSource.COMMANDLINE]


def played(asked: Asked, lines: "Sequence[Written]") -> Asked:
    """The deal as it stands after these moves; `MoveError` if one is illegal."""
    from ..notation.solution import play_lines

    known(asked)
    game = play_lines(asked.rules, asked.position(), lines)
    count = "1 move" if len(lines) == 1 else f"{len(lines)} moves"
    title, before = f"{asked.title} after {count}", asked.moves_before + len(lines)
    return Asked(title, asked.rules, None, game.position(), asked.code, before)


def read_once(paths: Iterable[str | None]) -> None:
    """A usage error if more than one of these is standard input, which has one end only."""
    if list(paths).count(STANDARD_INPUT) > 1:
        raise click.UsageError("standard input (-) can be read only once; write one to a file")


def read_text(path: str) -> str:
    """The text of a file, or of standard input for `-`; bytes that are no text become signs."""
    with _open(path) as stream:
        text = "".join(_decoded(stream))
    _refuse_zeros(text)
    return text


def _open(path: str) -> IO[bytes]:
    if path == STANDARD_INPUT and sys.stdin is None:
        raise OSError("standard input is closed")
    return click.open_file(path, "rb")


def _decoded(stream: IO[bytes]) -> Iterator[str]:
    """The text of a stream as it comes: UTF-8 or, with its byte order mark, UTF-16.

    PowerShell's `>` writes UTF-16.
    """
    first = stream.readline()
    encoding = "utf-16" if first.startswith(_UTF_16) else "utf-8-sig"
    decoder = io.IncrementalNewlineDecoder(
        codecs.getincrementaldecoder(encoding)("replace"), translate=True
    )
    for piece in chain([first], stream):
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def _lines(stream: IO[bytes]) -> Iterator[str]:
    """The lines of a stream, each as soon as it is there."""
    rest = ""
    for piece in _decoded(stream):
        *lines, rest = (rest + piece).split("\n")
        yield from lines
    yield rest


class NoTextError(DealError):
    """Bytes that are no text."""


def listed(path: str) -> Iterator[tuple[int, str]]:
    """What the lines of a list ask for, with their numbers, each as soon as it is there.

    Raises `NoTextError` where it is none.
    """
    with _open(path) as stream:
        for number, line in enumerate(_lines(stream), 1):
            _refuse_zeros(line)
            word = _word_in(line)
            if word:
                yield number, word


def _refuse_zeros(text: str) -> None:
    """`NoTextError` for the zeros of UTF-16 that does not say so, which no text in UTF-8 has."""
    if "\0" in text:
        raise NoTextError(
            "the text is not UTF-8 (perhaps UTF-16 without a byte order mark); save it as UTF-8"
        )


def _word_in(line: str) -> str:
    """What a line of a list asks for; nothing for an empty one or a comment."""
    return _COMMENT.sub("", line.replace("\ufeff", "")).strip()


def _count(source: Source) -> int:
    """How many deals were asked for; 1 where that is not known."""
    match source:
        case Range() | PysolRange():
            return source.last - source.first + 1
        case Sample():
            return source.count
    return 1


def _count_in(path: str, rules: Rules) -> int:
    """How many deals a list in a file asks for."""
    total = 0
    with _open(path) as stream:
        for word in filter(None, map(_word_in, _lines(stream))):
            with contextlib.suppress(ValueError):
                total += _count(deals_in(word, rules))
    return total


class DealReader:
    """The deals that a command was given, in order: arguments, lists, deal files.

    A wrong argument is a usage error, found before any work begins. A wrong line or
    file is reported on standard error, counted in `bad`, and the rest goes on.
    """

    def __init__(
        self,
        deals: Sequence[Source],
        lists: tuple[str, ...],
        files: tuple[str, ...],
        rules: Rules,
        quiet: bool,
        after: str | None = None,
        edit: bool = False,
        takes_unknown: bool = False,
    ) -> None:
        """Take what the arguments ask for, paths of lists and deal files, rules for deals without.

        `after` is the path of a list of moves to be played from each deal. With `edit` the user
        edits the deal file first, or a new one. Deals with unknown cards are bad input unless
        `takes_unknown`.
        """
        if not (deals or lists or files or edit):
            raise click.UsageError(
                "no deal given; give codes such as DS1-D1N-AAAAAAB, -i FILE, --deal FILE, "
                "--edit, --random N, or - for standard input"
            )
        if edit and len(files) > 1:
            raise click.UsageError("--edit is for one file given with --deal, or for a new one")
        read_once([*(STANDARD_INPUT for source in deals if source is None), *lists, *files, after])
        self.bad = 0
        self.quiet = quiet
        self.take_two: Callable[[VersusCode], None] | None = None
        """Given the codes of deals for two in lists; without it they are wrong lines."""
        self._lists, self._files = lists, files
        self.rules, self._fixed = rules, fixed_rules()
        self._sources = deals
        self._edit, self._takes_unknown = edit, takes_unknown
        self._after: Sequence[Written] | None = None
        if after is not None:
            from ..notation.solution import read_lines

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

    def total(self) -> int | None:
        """How many deals there are, before they are read; None if standard input is among them.

        Lines that name no deal are not counted.
        """
        if None in self._sources or not all(Path(path).is_file() for path in self._lists):
            return None
        listed = (_count_in(path, self.rules) for path in self._lists)
        return sum(map(_count, self._sources)) + sum(listed) + (len(self._files) or self._edit)

    def _read(self) -> Iterator[Asked]:
        for source in self._sources:
            if source is None:
                yield from self._read_list(STANDARD_INPUT)
            else:
                yield from self._deals(source)
        for path in self._lists:
            yield from self._read_list(path)
        files: Sequence[str | None] = self._files or [None] * self._edit
        for file in files:
            try:
                asked = self._ask(file)
                yield asked if self._takes_unknown else known(asked)
            except ValueError as error:
                self._report(file or "what was typed", error)

    def _ask(self, path: str | None) -> Asked:
        """The deal in a file, which the user edits first if that was wanted."""
        from .editing import ask_for_cards

        return ask_for_cards(path, self.rules, self._edit, self.quiet)

    def _deals(self, source: Asked | Range | PysolRange | Sample) -> Iterator[Asked]:
        match source:
            case Asked():
                yield source
            case PysolRange():
                for name in source.names():
                    yield ask_for(name, source.rules)
            case _:
                yield from map(_asked_by, source.codes())

    def _read_list(self, path: str) -> Iterator[Asked]:
        try:
            for number, word in listed(path):
                try:
                    if self.take_two is not None and is_for_two(word):
                        self.take_two(VersusCode.parse(word))
                        continue
                    source = deals_in(word, self.rules, self._fixed)
                except ValueError as error:
                    self._report(f"{path}: line {number}", error)
                else:
                    yield from self._deals(source)
        except NoTextError as error:
            self._report(path, error)

    def _report(self, place: str, error: ValueError) -> None:
        self.bad += 1
        note(f"{place}: {error}")
