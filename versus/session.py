"""A game for two under way, kept in a file as it goes."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from ..engine.cards import card_sign
from ..engine.errors import MoveError
from ..engine.layout import Layout
from ..engine.moves import Kind
from ..notation.solution import moved_card
from ..notation.whole import write_whole
from .facts import Facts
from .game import Action, End, Player, VersusGame
from .record import GameRecord, Step, write_record


class Session:
    """The game after the moves of a record, and those that follow.

    Each move is written before the next is asked for: the whole file, beside the old one and then
    in its place, so that it is whole at any time.
    """

    def __init__(self, record: GameRecord, path: Path | None, adjudicates: bool = True) -> None:
        """Replay a record; `MoveError` if it is wrong. Without a path nothing is kept."""
        self.record = record
        self.path = path
        self.game: VersusGame = record.play()
        self._facts = Facts(record.rules, record.house) if adjudicates else None
        self._taken_back = 0
        """How many of the last moves may be taken back."""
        self._look_for_dead()
        self.save()

    def save(self) -> None:
        """Write the record."""
        if self.path is not None:
            write_whole(self.path, write_record(self.record, self.game))

    def play(self, action: Action, player: Player | None = None, time: float | None = None) -> str:
        """Let a player do it, and say it in words; `MoveError` if it is refused.

        In turns it is the player in turn; where both move at once it is told who, and when.
        """
        player = player or self.game.turn
        assert player is not None
        why = self.game.refusal(player, action)
        if why is not None:
            raise MoveError(why)
        words, shows_new = tell(self.game.layouts[player], action)
        self.game.play(player, action)
        self._set_steps([*self.record.steps, _step(player, action, time)])
        can_undo = not shows_new and self.game.turn is player and self.game.end is None
        self._taken_back = self._taken_back + 1 if can_undo else 0
        self._look_for_dead()
        self.save()
        return words

    def note_late(self, action: Action, player: Player, time: float) -> None:
        """Note a move that came too late."""
        self._set_steps([*self.record.steps, _step(player, action, time, is_late=True)])
        self.save()

    def finish(self, end: End) -> None:
        """End the game with the count as it is."""
        self.game.finish(end)
        self.save()

    def undo(self) -> Action:
        """Take the last move back; `MoveError` if it showed something new or ended a turn."""
        if self._taken_back == 0:
            raise MoveError(
                "nothing to undo; only moves of your turn that turned no card up can be taken back"
            )
        *steps, last = self.record.steps
        self._set_steps(steps)
        self._taken_back -= 1
        self.game = self.record.play()
        self.save()
        return last.action

    def note_hint(self) -> None:
        """Mark that a hint was asked for now."""
        here = len(self.record.steps)
        hints = self.record.hints or ()
        if here not in hints:
            self.record = replace(self.record, hints=(*hints, here))
            self.save()

    def _set_steps(self, steps: Iterable[Step]) -> None:
        self.record = replace(self.record, steps=tuple(steps), stated={}, is_cut=False)

    def _look_for_dead(self) -> None:
        """End the game if it is proved that no card can ever go up again."""
        if self._facts is None or self.game.end is not None:
            return
        if self._facts.are_both_dead(self.game.table()):
            self.game.finish(End.DEAD)


def _step(player: Player, action: Action, time: float | None, is_late: bool = False) -> Step:
    return Step(player, action, None if time is None else f"{time:.3f}", is_late)


def tell(layout: Layout, action: Action) -> tuple[str, bool]:
    """A legal action before it is done, in words such as `Q♥ → 4, turned up 2♣`.

    And whether it shows a card that was not seen before, or might.
    """
    if isinstance(action, str):
        return "passed", True
    card = moved_card(action, layout)
    name = "" if card is None else card_sign(card)
    if action.kind is Kind.DRAW:
        return f"drew {name}", True
    if action.kind is Kind.RECYCLE:
        return "turned the waste over", False
    to_column = action.kind in (Kind.COLUMN_TO_COLUMN, Kind.WASTE_TO_COLUMN)
    words = f"{name} → {action.target + 1}" if to_column else f"{name} up"
    if action.kind in (Kind.COLUMN_TO_COLUMN, Kind.COLUMN_TO_FOUNDATION):
        column, hidden = layout.columns[action.source], layout.hidden[action.source]
        if hidden and action.count == len(column) - hidden:
            return f"{words}, turned up {card_sign(column[hidden - 1])}", True
    return words, False
