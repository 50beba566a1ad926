"""A list of moves that a person follows: where they are in it, and where they left it."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..engine.deal import Position
from ..engine.moves import Move, parse_move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..notation.formats import clean, json_object, number_from_json
from ..notation.whole import write_whole
from ..pages.story import Step, tell
from ..rating.view import View
from .session import deal_json


class Follow:
    """A deal, a list of moves of it, and how many of them are done.

    It is kept in a file, a solution file with the place (`at`) and, where the person did something
    else, the list that was followed before (`given`).
    """

    def __init__(
        self,
        rules: Rules,
        start: Position,
        moves: Sequence[Move],
        code: str | None = None,
        path: Path | None = None,
    ) -> None:
        """Begin a list; `MoveError` if the referee refuses it. Without a path nothing is kept."""
        self.rules, self.code, self.path = rules, code, path
        self.start = start
        self.given = tuple(moves)
        """The list to follow."""
        self.done = 0
        self._lay(self.given)

    def _lay(self, moves: Sequence[Move]) -> None:
        """Have this list."""
        self.steps: list[Step] = list(tell(self.rules, self.start, moves))
        self.moves = tuple(moves)
        game = Game(self.rules, self.start)
        self._positions = [self.start]
        for move in self.moves:
            game.play(move)
            self._positions.append(game.position())

    @property
    def position(self) -> Position:
        """Where the person is."""
        return self._positions[self.done]

    @property
    def at(self) -> int:
        """Number of steps that are wholly done."""
        return sum(step.last <= self.done for step in self.steps)

    @property
    def next(self) -> Step | None:
        """What is to be done next; of draws in a row what is left of them."""
        if self.at == len(self.steps):
            return None
        rest = self.moves[self.done : self.steps[self.at].last]
        return next(tell(self.rules, self.position, rest, self.done + 1))

    @property
    def is_won(self) -> bool:
        """Whether the list ends with all cards up."""
        return sum(self._positions[-1].foundations) == self.rules.cards

    @property
    def has_left(self) -> bool:
        """Whether the person did something else than the list that was given."""
        return self.moves != self.given

    def forward(self) -> None:
        """Do the next step."""
        if self.at < len(self.steps):
            self.jump(self.steps[self.at].last)

    def back(self) -> None:
        """Go back to before the last step, or to the beginning of one that is half done."""
        if self.done:
            step = next(step for step in self.steps if step.first <= self.done <= step.last)
            self.jump(step.first - 1)

    def jump(self, done: int) -> None:
        """Have so many moves done, 0 … their number; before it was left, the list is as given."""
        self.done = max(0, min(done, len(self.moves)))
        if self.has_left and self.moves[: self.done] == self.given[: self.done]:
            self._lay(self.given)
        self.save()

    def play(self, move: Move) -> None:
        """The person did this: the next move of the list, or another, and then the list ends here.

        `MoveError` says why it is refused.
        """
        if move != (*self.moves, None)[self.done]:
            game = Game(self.rules, self.position)
            game.play(move)
            self._lay((*self.moves[: self.done], move))
        self.done += 1
        self.save()

    def go_on(self, moves: Sequence[Move]) -> None:
        """Have the list go on so from where the person is."""
        is_new = not self.given
        self._lay((*self.moves[: self.done], *moves))
        if is_new:
            self.given = self.moves
        self.save()

    # The file

    def save(self) -> None:
        """Write the file; raises `OSError` if that cannot be done."""
        if self.path is not None:
            write_whole(self.path, json.dumps(self.record(), ensure_ascii=False) + "\n")

    def record(self) -> dict[str, Any]:
        """The solution file with the place in it."""
        data = {
            "code": self.code,
            **deal_json(self.rules, View(self.start, ()), self.code),
            "moves": [str(move) for move in self.moves],
            "score": self._positions[-1].score,
            "won": self.is_won,
            "at": self.done,
        }
        if self.has_left:
            data["given"] = [str(move) for move in self.given]
        return data

    def take_place(self) -> None:
        """Go to the place that the file has, if the file is of this list."""
        if self.path is None or not self.path.exists():
            return
        try:
            data = json_object(clean(self.path.read_text(encoding="utf-8")))
            moves = [parse_move(str(move)) for move in data.get("moves", ())]
            given = [parse_move(str(move)) for move in data.get("given", data.get("moves", ()))]
            if self.given and self.given not in (tuple(given), tuple(moves)):
                return
            at = number_from_json(data.get("at", 0), "at")
            self._lay(moves)
        except (ValueError, OSError):
            self._lay(self.given)
            return
        self.given = tuple(given)
        self.done = max(0, min(at, len(self.moves)))
