"""The game for two against the computer or another person, a line for each move."""

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from ..engine.errors import MoveError
from .board import print_picture
from .output import flush, write
from .progress import announce_compiling

if TYPE_CHECKING:
    from ..versus.game import Player
    from ..versus.opponent import Opponent
    from ..versus.record import GameRecord
    from ..versus.session import Session

PERSON = "person"
OPPONENTS = ("casual", "careful", "strong", PERSON)
HINTS_SHOWN = 3
_OF_THE_RECORD = ("against", "seat", "hints", "turn", "play_on", "solo_clear", "seed")
"""Parameters that a record to resume has settled."""
HELP = """\
3>F       the top card of column 3 up; W is the waste; 3-F is the same
5>2x4     four cards of column 5 to column 2; one without the x
draw      turn the stock; ends the turn       recycle   the waste becomes the stock
pass      end the turn                        up        all that fits goes up
moves     all that may be done                hint      what the strong player would do
undo      take a move of this turn back       quit      leave; with a file it can be resumed
"""


def play_for_two(
    context: click.Context,
    code: str | None,
    output: str | None,
    resume: str | None,
    no_adjudicate: bool,
    playouts: int,
    quiet: bool,
    settings: dict[str, str | bool | int],
) -> None:
    """Play the game for two of a code, or go on with that of a record, a line for each move."""
    from ..versus.opponent import Opponent
    from ..versus.session import Session

    if (code is None) == (resume is None):
        raise click.UsageError("a game goes on by --resume FILE alone; its record has the deal")
    if resume is not None:
        given = ParameterSource.COMMANDLINE
        fixed = [n for n in _OF_THE_RECORD if context.get_parameter_source(n) is given]
        if fixed:
            name = fixed[0].replace("seat", "as").replace("_", "-")
            raise click.UsageError(f"the record says that already; --resume goes without --{name}")
    record = _resumed(resume) if code is None else _begun(code, settings)
    path = output if output is not None else resume
    if output is not None and output != resume and Path(output).exists():
        raise click.UsageError(f"{output} exists; --resume goes on with it, or give another name")
    if not quiet:
        announce_compiling()
    session = Session(record, None if path is None else Path(path), not no_adjudicate)
    computers = {
        player: Opponent(name, playouts)
        for player, name in zip(session.game.layouts, record.players, strict=True)
        if name not in (PERSON, None)
    }
    _Keyboard(session, computers, Opponent("strong", playouts)).run()


def _begun(code: str, settings: dict[str, str | bool | int]) -> "GameRecord":
    """A game before its first move."""
    from ..versus.game import House
    from .for_two import code_for_two, record_of

    names = (PERSON, str(settings["against"]))
    return replace(
        record_of(code_for_two(code)),
        house=House(
            settings["turn"] == "fits", bool(settings["play_on"]), bool(settings["solo_clear"])
        ),
        players=names if settings["seat"] == "A" else names[::-1],
        hints=() if settings["hints"] else None,
        seed=int(settings["seed"]),
    )


def _resumed(path: str | None) -> "GameRecord":
    """The game in a record that `play` can go on with."""
    from ..engine.errors import DealError
    from ..engine.rules import rules_for
    from .for_two import load_record

    assert path is not None
    record = load_record(path, rules_for("DS2", 1, "N"))
    if record.table.to_move is None:
        raise DealError("the record is of a game in which both play at once; only games in turns")
    if PERSON not in record.players or not set(record.players) <= set(OPPONENTS):
        names = " and ".join(str(name) for name in record.players)
        raise DealError(
            f"the record has {names} as players; one must be {PERSON}, "
            f"the other one of {', '.join(OPPONENTS)}"
        )
    return record


class _LeftError(Exception):
    """The person leaves the game."""


class _Keyboard:
    """Reads what a person types, and says what happens."""

    def __init__(
        self, session: "Session", computers: "dict[Player, Opponent]", adviser: "Opponent"
    ) -> None:
        self._session, self._computers, self._adviser = session, computers, adviser
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
            where = self._session.path
            kept = "not kept, as there is no -o FILE" if where is None else f"kept in {where}"
            write(f"the game is not over; it is {kept}\n")
            return
        from .for_two import outcome

        game = self._session.game
        a, b = (game.up(player) for player in game.layouts)
        write(f"over after {game.turns} turns, up {a}:{b}: {outcome(game)}\n")

    def _say(self, text: str) -> None:
        write(f"{text}\n")
        flush()

    def _show(self) -> None:
        """The table as the player in turn sees it."""
        from .pair_board import count_text, foundation_line, head_line, other_line, own_lines

        record, game = self._session.record, self._session.game
        table, rules = game.table(), record.rules
        player = table.to_move
        assert player is not None
        index = list(game.layouts).index(player)
        names = [
            f"{each}  {'you' if each is player else name}"
            for each, name in zip(game.layouts, record.players, strict=True)
        ]
        left = f"{record.code or 'deal'}  draw {rules.draw}   turn {game.turns + 1}, you ({player})"
        lines = [
            [],
            head_line(left, count_text(rules, table)),
            *other_line(names[1 - index], table.sides[1 - index]),
            foundation_line(rules, table),
            *own_lines(names[index], table.sides[index]),
        ]
        print_picture(lines, "auto")

    def _let_play(self) -> None:
        """Play the turn of a computer player, and say it in a line."""
        game = self._session.game
        player, turns = game.turn, game.turns
        assert player is not None
        words = []
        while self._session.game.end is None and self._session.game.turns == turns:
            action = self._computers[player].choose(self._session.record)
            words.append(self._session.play(action))
        self._say(f"{player}: {', '.join(words)}")

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
            self._say("what next? moves, ?, hint, undo, draw, pass, quit")
            return
        command = self._commands.get(word.lower())
        try:
            if command is not None:
                command()
            else:
                self._play(word)
        except MoveError as error:
            self._say(str(error))

    def _play(self, word: str) -> None:
        from ..versus.game import parse_action

        player = self._session.game.turn
        _, action = parse_action(f"{player} {word}")
        self._say(f"{player}: {self._session.play(action)}")

    def _put_up(self) -> None:
        """Put up all that fits, the columns in their order and then the waste, until none does."""
        from ..engine.moves import WASTE_TO_FOUNDATION, Kind, Move

        game = self._session.game
        player = game.turn
        assert player is not None
        moves = [Move(Kind.COLUMN_TO_FOUNDATION, c) for c in range(game.rules.columns)]
        moves.append(WASTE_TO_FOUNDATION)
        words = []
        while fitting := [move for move in moves if game.refusal(player, move) is None]:
            words.append(self._session.play(fitting[0]))
        self._say(f"{player}: {', '.join(words)}" if words else "nothing fits")

    def _list_moves(self) -> None:
        game = self._session.game
        assert game.turn is not None
        self._say(" ".join(map(str, game.legal(game.turn))))

    def _hint(self) -> None:
        if self._session.record.hints is None:
            self._say("hints are off; a game begun with --hints has them")
            return
        self._session.note_hint()
        tried = self._adviser.advise(self._session.record)
        if len(tried) == 1:
            self._say(f"{tried[0].action} is all that makes sense")
            return
        for each in tried[:HINTS_SHOWN]:
            self._say(
                f"{each.action!s:8} wins {100 * each.share:3.0f} %, by {each.lead:+.1f} cards"
            )

    def _undo(self) -> None:
        self._say(f"taken back: {self._session.undo()}")

    def _quit(self) -> None:
        raise _LeftError
