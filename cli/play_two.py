"""The game for two against the computer or another person, a line for each move."""

import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from ..engine.errors import MoveError
from ..table.both import (
    HINTS_OFF,
    PERSON,
    Proofs,
    hint_lines,
    kept_game,
    left,
    left_game,
    over,
    put_up,
)
from .board import print_picture
from .deals import note
from .options import HOUSE, paces
from .output import flush, write
from .progress import announce_compiling

if TYPE_CHECKING:
    from ..versus.game import Player
    from ..versus.live import LiveGame
    from ..versus.opponent import Opponent
    from ..versus.record import GameRecord
    from ..versus.session import Session

OPPONENTS = ("casual", "careful", "strong", "tree", PERSON)
OF_THE_RECORD = {
    "against": "against",
    "seat": "as",
    "hints": "hints",
    "seed": "seed",
    "is_at_once": "simultaneous",
    "pace": "pace",
    "progress_clock": "progress-clock",
} | HOUSE
"""Options that a record to resume has settled, by the names of their parameters."""
TICK = 0.05
"""Seconds after which the clock is looked at, where both move at once."""
HELP = """\
3>F       the top card of column 3 up; W is the waste; 3-F is the same
5>2x4     four cards of column 5 to column 2; one without the x
draw      turn the stock; ends the turn       recycle   the waste becomes the stock
pass      end the turn                        up        all that fits goes up
moves     all that may be done                hint      what the strong player would do
undo      take a move of this turn back       quit      leave; with a file it can be resumed
"""
HELP_AT_ONCE = """\
3>F       the top card of column 3 up; W is the waste; 3-F is the same
5>2x4     four cards of column 5 to column 2; one without the x
draw      turn the stock                      recycle   the waste becomes the stock
pass      say that you are blocked            show      the table; so does an empty line
moves     all that may be done                quit      leave; with a file it can be resumed
"""


def play_for_two(
    context: click.Context,
    code: str | None,
    output: str | None,
    resume: str | None,
    no_adjudicate: bool,
    playouts: int,
    quiet: bool,
    at_table: bool,
    shows_proofs: bool,
    settings: dict[str, Any],
) -> None:
    """Play the game for two of a code, or go on with that of a record.

    In turns at the table on the whole screen, if that is wished, else a line for each move.
    """
    from ..versus.session import Session

    if (code is None) == (resume is None):
        raise click.UsageError("a game goes on by --resume FILE alone; its record has the deal")
    if resume is not None:
        fixed = [name for name in OF_THE_RECORD if is_given(context, name)]
        if fixed:
            option = OF_THE_RECORD[fixed[0]]
            raise click.UsageError(
                f"the record says that already; --resume goes without --{option}"
            )
    else:
        _check(context, settings)
    record = _resumed(resume) if code is None else _begun(code, settings)
    name = output if output is not None else resume
    path = None if name is None else Path(name)
    if output is not None and output != resume and Path(output).exists():
        raise click.UsageError(f"{output} exists; --resume goes on with it, or give another name")
    if not quiet:
        announce_compiling()
    if at_table and record.table.to_move is None:
        note("both at once is played in lines, not at the table")
    elif at_table:
        _play_at_table(record, path, playouts, not no_adjudicate, shows_proofs)
        return
    session = Session(record, path, not no_adjudicate)
    computers = _computers(session, playouts)
    if record.table.to_move is not None or session.game.end is not None:
        _Keyboard(session, computers, _opponent("strong", playouts), shows_proofs).run()
        return
    from ..versus.live import LiveGame

    ((player, opponent),) = computers.items()
    live = LiveGame(session, player, opponent, record.pace or paces("3.5")[0])
    began = time.monotonic() - live.begun
    play_at_once(live, typed_lines(lambda: time.monotonic() - began))


def _opponent(name: str, playouts: int) -> "Opponent":
    from ..versus.opponent import Opponent

    return Opponent(name, playouts)


def _computers(session: "Session", playouts: int) -> "dict[Player, Opponent]":
    return {
        player: _opponent(name, playouts)
        for player, name in zip(session.game.layouts, session.record.players, strict=True)
        if name is not None and name != PERSON
    }


def _play_at_table(
    record: "GameRecord", path: Path | None, playouts: int, adjudicates: bool, shows_proofs: bool
) -> None:
    """Play at the table on the whole screen; a game that is begun there is always kept."""
    from ..table.app import TableApp
    from ..table.files import set_aside
    from ..table.two import sit_down_for_two
    from ..versus.session import Session

    fresh = None
    if path is None:
        path = kept_game(record)
        before = left_game(record, path)
        if before is None:
            set_aside(path)
        else:
            record, fresh = before, record
    session = Session(record, path, adjudicates)
    TableApp(sit_down_for_two(session, playouts, fresh, adjudicates, shows_proofs)).run()


def is_given(context: click.Context, name: str) -> bool:
    """Whether a parameter stands on the command line."""
    return context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def _check(context: click.Context, settings: dict[str, Any]) -> None:
    """Refuse options that do not go together."""
    if not settings["is_at_once"]:
        for name in ("pace", "progress_clock"):
            if is_given(context, name):
                raise click.UsageError(f"--{OF_THE_RECORD[name]} goes with --simultaneous")
        return
    if settings["against"] == PERSON:
        raise click.UsageError(
            "two people at one keyboard cannot play at once; --simultaneous needs a computer player"
        )
    for name in ("first", "turn", "hints"):
        if is_given(context, name):
            raise click.UsageError(f"--{name} is for play in turns, not for --simultaneous")
    if len(settings["pace"]) > 1:
        raise click.UsageError("--pace is that of the computer player, one number")


def _begun(code: str, settings: dict[str, Any]) -> "GameRecord":
    """A game before its first move."""
    from .for_two import begun, code_for_two, record_of

    names = (PERSON, str(settings["against"]))
    is_at_once = settings["is_at_once"]
    record = record_of(code_for_two(code))
    return replace(
        record,
        table=begun(record.table, settings["first"], is_at_once),
        house=settings["house"],
        players=names if settings["seat"] == "A" else names[::-1],
        hints=() if settings["hints"] else None,
        seed=settings["seed"],
        pace=settings["pace"][0] if is_at_once else None,
        clock=settings["progress_clock"],
    )


def _resumed(path: str | None) -> "GameRecord":
    """The game in a record that `play` can go on with."""
    from ..engine.errors import DealError
    from ..engine.rules import rules_for
    from .for_two import load_record

    assert path is not None
    record = load_record(path, rules_for("DS2", 1, "N"))
    if record.table.to_move is None and record.players == (PERSON, PERSON):
        raise DealError("in the record two people play at once; that goes on at a table only")
    if PERSON not in record.players or not set(record.players) <= set(OPPONENTS):
        names = " and ".join(str(name) for name in record.players)
        raise DealError(
            f"the record has {names} as players; one must be {PERSON}, "
            f"the other one of {', '.join(OPPONENTS)}"
        )
    return record


def typed_lines(clock: Callable[[], float]) -> Iterator[tuple[float, str | None]]:
    """The lines of standard input with the time of each, and None at least every `TICK`.

    A thread reads them, so that the time is that at which they were finished. The end of the input
    is an empty text.
    """
    typed: queue.SimpleQueue[tuple[float, str]] = queue.SimpleQueue()

    def read() -> None:
        line = " "
        while line:
            line = "" if sys.stdin is None else sys.stdin.readline()
            typed.put((clock(), line))

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            yield typed.get(timeout=TICK)
        except queue.Empty:
            yield clock(), None


def play_at_once(game: "LiveGame", lines: Iterable[tuple[float, str | None]]) -> None:
    """Play until the game is over or left: lines with their times, and None where time goes by."""
    keyboard = _KeyboardAtOnce(game)
    keyboard.show(game.begun)
    for now, line in lines:
        for when, words in game.advance(now):
            keyboard.tell(when, words)
        if game.is_over:
            break
        if line is not None and not keyboard.take(now, line):
            _say(left(game.session))
            return
        if game.is_over:
            break
    _say(over(game.session))


def _table(session: "Session", player: "Player", begin: str) -> None:
    """Show the table as a player sees it; `begin` is the beginning of its first line."""
    from .pair_board import count_text, foundation_line, head_line, other_line, own_lines

    record, game = session.record, session.game
    table, rules = game.table(), record.rules
    index = list(game.layouts).index(player)
    names = [
        f"{each}  {'you' if each is player else name}"
        for each, name in zip(game.layouts, record.players, strict=True)
    ]
    lines = [
        [],
        head_line(begin, count_text(rules, table)),
        *other_line(names[1 - index], table.sides[1 - index]),
        foundation_line(rules, table),
        *own_lines(names[index], table.sides[index]),
    ]
    print_picture(lines, "auto")


def _say(text: str) -> None:
    write(f"{text}\n")
    flush()


class _KeyboardAtOnce:
    """Does what a person types while the other goes on, and says what happens."""

    def __init__(self, game: "LiveGame") -> None:
        self._game = game

    def show(self, now: float) -> None:
        """The table as it stands."""
        session, player = self._game.session, self._game.person
        rules = session.record.rules
        begin = f"{session.record.code or 'deal'}  draw {rules.draw}   {clock_text(now)}"
        _table(session, player, f"{begin}, you ({player})")
        flush()

    def tell(self, now: float, words: str) -> None:
        """What the other did."""
        _say(f"{clock_text(now)} {self._game.person.other} {words}")

    def take(self, now: float, line: str) -> bool:
        """Do what a line says; whether the person stays."""
        from ..versus.game import parse_action

        word = line.strip().lower()
        game = self._game.session.game
        if not line or word == "quit":
            return False
        if word in ("", "show"):
            self.show(now)
        elif word in ("?", "help"):
            write(HELP_AT_ONCE)
        elif word == "moves":
            _say(" ".join(map(str, game.legal(self._game.person))))
        elif word in ("up", "undo", "hint"):
            _say(f"{word} is for play in turns")
        else:
            try:
                _, action = parse_action(f"{self._game.person} {word}")
                _say(f"{clock_text(now)} {self._game.person} {self._game.play(action, now)}")
            except MoveError as error:
                _say(f"{clock_text(now)} {error}")
        return True


def clock_text(seconds: float) -> str:
    """A time as minutes and seconds, `0:41.2`."""
    minutes, tenths = divmod(round(10 * seconds), 600)
    return f"{minutes}:{tenths / 10:04.1f}"


class _LeftError(Exception):
    """The person leaves the game."""


class _Keyboard:
    """Reads what a person types, and says what happens."""

    def __init__(
        self,
        session: "Session",
        computers: "dict[Player, Opponent]",
        adviser: "Opponent",
        shows_proofs: bool,
    ) -> None:
        self._session, self._computers, self._adviser = session, computers, adviser
        self._proofs = Proofs(session.record) if shows_proofs else None
        self._commands: dict[str, Callable[[], None]] = {
            "?": lambda: write(HELP),
            "help": lambda: write(HELP),
            "moves": self._list_moves,
            "hint": self._hint,
            "undo": self._undo,
            "up": self._put_up,
            "quit": self._quit,
        }

    def run(self) -> None:
        """Play until the game is over or left."""
        game = self._session.game
        shown_turn = None
        try:
            while self._session.game.end is None:
                game = self._session.game
                if game.turn in self._computers:
                    self._let_play()
                    continue
                if shown_turn != game.turns:
                    self._show()
                    shown_turn = game.turns
                self._read()
        except _LeftError:
            _say(left(self._session))
            return
        _say(over(self._session))

    def _show(self) -> None:
        """The table as the player in turn sees it."""
        record, game = self._session.record, self._session.game
        player = game.turn
        assert player is not None
        begin = f"{record.code or 'deal'}  draw {record.rules.draw}   turn {game.turns + 1}"
        _table(self._session, player, f"{begin}, you ({player})")
        proved = "" if self._proofs is None else self._proofs.of(game)
        if proved:
            _say(proved)

    def _let_play(self) -> None:
        """Play the turn of a computer player, and say it in a line."""
        game = self._session.game
        player, turns = game.turn, game.turns
        assert player is not None
        words = []
        while self._session.game.end is None and self._session.game.turns == turns:
            action = self._computers[player].choose(self._session.record)
            words.append(self._session.play(action))
        _say(f"{player}: {', '.join(words)}")

    def _read(self) -> None:
        """Ask for a line and do what it says."""
        write("> ")
        flush()
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            write("\n")
            raise _LeftError
        word = line.strip()
        if not word:
            _say("what next? moves, ?, hint, undo, draw, pass, quit")
            return
        command = self._commands.get(word.lower())
        try:
            if command is not None:
                command()
            else:
                self._play(word)
        except MoveError as error:
            _say(str(error))

    def _play(self, word: str) -> None:
        from ..versus.game import parse_action

        player = self._session.game.turn
        _, action = parse_action(f"{player} {word}")
        _say(f"{player}: {self._session.play(action)}")

    def _put_up(self) -> None:
        player = self._session.game.turn
        words = put_up(self._session)
        _say(f"{player}: {', '.join(words)}" if words else "nothing fits")

    def _list_moves(self) -> None:
        game = self._session.game
        assert game.turn is not None
        _say(" ".join(map(str, game.legal(game.turn))))

    def _hint(self) -> None:
        if self._session.record.hints is None:
            _say(HINTS_OFF)
            return
        self._session.note_hint()
        for line in hint_lines(self._adviser.advise(self._session.record)):
            _say(line)

    def _undo(self) -> None:
        _say(f"taken back: {self._session.undo()}")

    def _quit(self) -> None:
        raise _LeftError
