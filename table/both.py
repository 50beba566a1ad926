"""The game for two at a table: what is said of it, here and in lines, and where it is kept."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..engine.moves import WASTE_UP_MOVE, Kind, Move
from ..versus.game import Action, Player, Table, VersusGame, outcome
from ..versus.record import GameRecord, read_record
from .files import kept_path
from .thinker import GoesOn, Report

if TYPE_CHECKING:
    from ..versus.opponent import Opponent, Tried
    from ..versus.session import Session

PERSON = "person"
HINTS_OFF = "hints are off; a game begun with --hints has them"
HINTS_SHOWN = 3
"""By hand, lines to read at a glance."""


def over(session: "Session") -> str:
    """What is said at the end of a game."""
    game = session.game
    a, b = (game.up(player) for player in game.layouts)
    last = session.record.steps[-1].time if session.record.steps else None
    length = f"{game.turns} turns" if last is None else f"{float(last):.1f} s"
    return f"over after {length}, up {a}:{b}: {outcome(game)}"


def left(session: "Session") -> str:
    """What is said when a game is left."""
    kept = "not kept, as there is no -o FILE" if session.path is None else f"kept in {session.path}"
    return f"the game is not over; it is {kept}"


def put_up(session: "Session") -> list[str]:
    """Put up all that fits, the columns in their order and then the waste, until none does.

    What each play was, in words.
    """
    game = session.game
    player = game.turn
    assert player is not None
    moves = [Move(Kind.COLUMN_TO_FOUNDATION, c) for c in range(game.rules.columns)]
    moves.append(WASTE_UP_MOVE)
    words = []
    while fitting := [move for move in moves if game.refusal(player, move) is None]:
        words.append(session.play(fitting[0]))
    return words


def hint_lines(tried: "list[Tried]") -> list[str]:
    """The best moves and what they bring, a line each."""
    if len(tried) == 1:
        return [f"{tried[0].action} is all that makes sense"]
    return [
        f"{each.action!s:8} wins {100 * each.share:3.0f} %, by {each.lead:+.1f} cards"
        for each in tried[:HINTS_SHOWN]
    ]


class Proofs:
    """What is proved of a game, in words. The proofs know all cards, but for who is stuck."""

    def __init__(self, record: GameRecord) -> None:
        """Of the games of this record's rules."""
        from ..versus.facts import Facts

        self._facts = Facts(record.rules, record.house)
        self._of: tuple[Table, str] | None = None
        """The table that was asked about last, and the answer."""

    def of(self, game: VersusGame) -> str:
        """Who wins whatever is played, who is dead, who is stuck; nothing where that is open.

        And nothing of a game that is over.
        """
        if game.end is not None:
            return ""
        table = game.table()
        if self._of is None or self._of[0] != table:
            self._of = table, "; ".join(self._proved(table))
        return self._of[1]

    def _proved(self, table: Table) -> Iterator[str]:
        winner = self._facts.decided_for(table)
        if winner is not None:
            yield f"decided: {winner} wins, whatever is played"
        for player in Player:
            if self._facts.is_dead(table, player):
                yield f"{player} is dead: nothing more goes up as the foundations stand"
            elif self._facts.is_stuck(table, player):
                yield f"{player} is stuck while the other does nothing"


# Where it is kept


def kept_game(record: GameRecord) -> Path:
    """The file of a deal's game that is kept without one having been named."""
    return kept_path(str(record.code or "DS2-deal"))


def left_game(record: GameRecord, path: Path) -> GameRecord | None:
    """The game in a file, if it is this one and was left before its end."""
    try:
        found = read_record(path.read_text(encoding="utf-8"), record.rules)
        is_open = found.play().end is None
    except (ValueError, OSError):
        return None
    is_same = (found.rules, found.table, found.house, found.players) == (
        record.rules,
        record.table,
        record.house,
        record.players,
    )
    return found if is_same and is_open and found.steps and "end" not in found.stated else None


# What the thinker does


def choose(name: str, playouts: int, record: GameRecord, _: GoesOn, __: Report) -> Action:
    """What a computer player in turn does."""
    return _opponent(name, playouts).choose(record)


def advise(playouts: int, record: GameRecord, _: GoesOn, __: Report) -> "list[Tried]":
    """The sensible moves of the player in turn, as the strong player sees them, best first."""
    return _opponent("strong", playouts).advise(record)


@cache
def _opponent(name: str, playouts: int) -> "Opponent":
    from ..versus.opponent import Opponent

    return Opponent(name, playouts)
