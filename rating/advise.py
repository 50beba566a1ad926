"""Advice under hidden cards: of each legal move, how often the game can still be won after it."""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..engine.deal import Position
from ..engine.dealing import splitmix64
from ..engine.jit import Record
from ..engine.moves import Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..engine.state import pack
from ..solver.solve import check
from ..solver.verdict import Limits, Verdict
from . import players
from .interval import wilson
from .view import View


@dataclass(slots=True)
class Advice:
    """What became of the sampled deals after one move."""

    move: Move
    samples: int = 0
    winnable: int = 0
    undecided: int = 0
    """Samples on which the search hit its limit."""
    careful_wins: int = 0
    """Samples that a careful player who does not see the cards went on to win."""

    @property
    def share(self) -> float:
        """Share of samples known to be winnable after the move."""
        return self.winnable / max(self.samples, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the share still winnable, undecided samples counted both ways."""
        low, _ = wilson(self.winnable, self.samples)
        return low, wilson(self.winnable + self.undecided, self.samples)[1]

    @property
    def careful_share(self) -> float:
        """Share of samples that the careful player won."""
        return self.careful_wins / max(self.samples, 1)

    @property
    def careful_interval(self) -> tuple[float, float]:
        """95 % interval of `careful_share`."""
        return wilson(self.careful_wins, self.samples)


class Judge:
    """Tries moves on sampled deals: the solver, and one game of the careful player."""

    def __init__(self, rules: Rules, nodes: int) -> None:
        """`nodes` is what a verdict may cost."""
        self._rules, self._limits = rules, Limits(nodes=nodes)
        self._player = np.zeros(1, players.PLAYER)

    def try_move(self, advice: Advice, sample: Position, seed: int, games: int = 1) -> None:
        """Count what becomes of a sample after the move; a win by the player is a proof, too."""
        game = Game(self._rules, sample)
        game.play(advice.move)
        after = game.position()
        start = pack(self._rules, after)
        wins = self._careful_wins(start, seed, games)
        advice.samples += 1
        advice.careful_wins += wins
        if wins:
            advice.winnable += 1
            return
        verdict = check(self._rules, [after], self._limits)[0].verdict
        advice.winnable += verdict is Verdict.WINNABLE
        advice.undecided += verdict is Verdict.UNKNOWN

    def _careful_wins(self, start: Record, seed: int, games: int) -> int:
        result = players.play_games(
            start[0], start.copy()[0], self._player[0], players.CAREFUL, seed, games
        )
        return int(result) >> 32


def advise(
    rules: Rules,
    view: View,
    samples: int,
    nodes: int,
    seed: int,
    goes_on: Callable[[], bool] = lambda: True,
) -> list[Advice]:
    """The legal moves of a view, the best first.

    All moves are tried on the same samples, of which there are `samples`, or fewer if
    `goes_on` says so before one. Equal arguments give equal advice.
    """
    advice = [Advice(move) for move in Game(rules, view.position).legal_moves()]
    judge, words = Judge(rules, nodes), splitmix64(seed)
    for _ in range(samples):
        if not goes_on():
            break
        sample, number = view.sample(words), next(words) >> 2
        for each in advice:
            judge.try_move(each, sample, number)
    return sorted(advice, key=lambda each: (-each.share, -each.careful_share))


def until(seconds: float | None) -> Callable[[], bool]:
    """Whether there is time left, asked for again and again from now on; always for None."""
    end = None if seconds is None else time.monotonic() + seconds
    return lambda: end is None or time.monotonic() < end
