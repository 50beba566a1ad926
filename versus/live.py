"""A game in which a person and a computer player move at once, on a clock that others read.

Times are seconds since the game began. What the player does and when it arrives is fixed as it
decides, before it can see what the person does (`race.py`).
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..engine.errors import MoveError
from .game import PASS, Action, End, Player
from .opponent import Opponent
from .race import REACTION, RUNNER, seconds_of, seed_runner
from .record import GameRecord, play_step
from .replay import encode
from .session import Session


class LiveGame:
    """The game of a session under way, and what its computer player is about to do."""

    def __init__(self, session: Session, computer: Player, opponent: Opponent, pace: float) -> None:
        """Go on after the last move of the record; `pace` is the player's seconds a card."""
        self.session, self.person = session, computer.other
        self._computer, self._opponent, self._pace = computer, opponent, pace
        steps = session.record.steps
        self.begun = max((float(step.time or 0) for step in steps), default=0.0)
        """The time at which the clock goes on."""
        self._runner = np.zeros(1, RUNNER)[0]
        seed_runner(self._runner, session.record.seed + len(steps), 0)
        self._progressed = self.begun
        self._action: Action = PASS
        self._arrives = self.begun
        self._decide(self.begun)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.session.game.end is not None

    def advance(self, now: float) -> Iterator[tuple[float, str]]:
        """Let happen what is due by now; the times and words of what the player did."""
        while not self.is_over:
            ends = self._progressed + (self.session.record.clock or float("inf"))
            if min(self._arrives, ends) > now:
                return
            if ends < self._arrives:
                self.session.finish(End.CLOCK)
                return
            time, action = self._arrives, self._action
            words = self._do(self._computer, action, time)
            if words is not None:
                yield time, words
            if not self.is_over:
                self._decide(time)

    def play(self, action: Action, now: float) -> str:
        """Let the person do it now, and say it in words; `MoveError` if it is refused.

        `advance` comes first. One that was legal since the person's last move is noted as late.
        """
        why = self.session.game.refusal(self.person, action)
        if why is None:
            return self._do(self.person, action, now) or ""
        if self._was_legal(action):
            self.session.note_late(action, self.person, now)
            raise MoveError(f"late: {why}")
        raise MoveError(why)

    def _do(self, player: Player, action: Action, time: float) -> str | None:
        """Do what a player has decided; None where it is a pass that says nothing new."""
        game = self.session.game
        if action == PASS and game.has_passed(player):
            return None
        why = game.refusal(player, action)
        if why is not None:
            self.session.note_late(action, player, time)
            return f"late with {action}"
        before = game.progress
        words = self.session.play(action, player, time)
        if self.session.game.progress > before:
            self._progressed = time
        return words

    def _decide(self, now: float) -> None:
        """Fix the player's next action and when it arrives."""
        self._action = self._opponent.choose(self._seen(now), self._computer)
        self._arrives = now + float(seconds_of(self._runner, encode(self._action), self._pace))

    def _seen(self, now: float) -> GameRecord:
        """The game as the computer player sees it: the person's last moves are not seen yet.

        Where its own moves do not go without them, it sees all.
        """
        record = self.session.record
        steps = tuple(
            step
            for step in record.steps
            if step.player is self._computer or float(step.time or 0) <= now - REACTION
        )
        seen = replace(record, steps=steps)
        try:
            seen.play()
        except MoveError:
            return record
        return seen

    def _was_legal(self, action: Action) -> bool:
        """Whether the person could have done it at some time since their own last move."""
        record = self.session.record
        own = [at for at, step in enumerate(record.steps) if step.player is self.person]
        begin = own[-1] + 1 if own else 0
        game = replace(record, steps=record.steps[:begin]).play()
        for step in record.steps[begin:]:
            if game.refusal(self.person, action) is None:
                return True
            play_step(game, step)
        return False
