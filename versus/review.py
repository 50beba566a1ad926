"""What a recorded game turned on: of each turn, the chance to win before and after, error and luck.

Chances are those of careful players who play the game out on samples of the cards that nobody had
seen by then. Each move is compared, on the same samples, with going on as the careful player would:
what it wins more or less is *play*. What the chance changed by beyond that is *luck*, the cards
that turned up: play and luck add up to all that changed, and luck is none on average. What a move
wins less than the strong player's, on other samples than those that chose it, is its *error*. Of
play and error what lies within the noise counts as none.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ..engine.errors import MoveError
from ..engine.jit import Record, kernel
from ..rating.interval import CONFIDENCE_95
from .bound import decided_for, new_reach
from .game import Action, Player
from .playout import GOES_ON, NOBODY, act
from .record import GameRecord
from .replay import decode, encode, replayed
from .rollouts import deal_unseen, new_thinking, play_sample, start_samples, think

PLAYOUTS = 400
"""Play-outs in which a better move is looked for. By hand, as the next."""
SAMPLES = 200
"""Samples on which two moves are compared, and a chance to win is found."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a player, as they see it."""

    number: int
    """From 1."""
    player: Player
    actions: tuple[Action, ...]
    before: float
    """Chance to win, 0 … 1; a game without a winner is half."""
    after: float
    play: float
    """What the moves won more than those of the careful player would have."""
    error: float
    """What the strong player's moves would have won more, 0 or more."""
    worst: tuple[Action, Action] | None
    """What was played where the greatest error was made, and what was better; None for no error."""
    decided: Player | None
    """Who wins after it however both go on, if a bound proves it, which knows all cards."""

    @property
    def luck(self) -> float:
        """What the chance rose by that the player's choices do not explain."""
        return self.after - self.before - self.play


@kernel
def find_chance(t: Record, k: Record, samples: int, seed: int) -> float:
    """What player 0 wins of a game from here on."""
    if t.end != GOES_ON:
        return 0.5 if t.winner == NOBODY else 1.0 - t.winner
    start_samples(t, k, seed)
    wins = 0.0
    for _ in range(samples):
        deal_unseen(k, k.players[2])
        wins += play_sample(k, 0, -1, k.players[2].random)[0]
    return wins / samples


@kernel
def compare(
    t: Record, k: Record, first: int, second: int, samples: int, seed: int
) -> tuple[float, float]:
    """By how much the first move wins more than the second for who is in turn; and the deviation.

    That of the mean over the samples, which are the same for both; -1 is for the careful player's.
    """
    start_samples(t, k, seed)
    total = 0.0
    squares = 0.0
    for _ in range(samples):
        deal_unseen(k, k.players[2])
        chance = k.players[2].random
        more = play_sample(k, t.turn, first, chance)[0] - play_sample(k, t.turn, second, chance)[0]
        total += more
        squares += more * more
    mean = total / samples
    return mean, np.sqrt(max(squares / samples - mean * mean, 0.0) / samples)


def review(record: GameRecord, seed: int = 0) -> Iterator[Turn]:
    """The turns of a record of a game in turns, as they are found; the last may be unfinished.

    Raises `MoveError` for an illegal move, and where both play at once.
    """
    if record.table.to_move is None:
        raise MoveError("in this game both play at once; a review is of games in turns")
    record.play()
    t = replayed(record.rules, record.table, record.house, ())[0]
    k, reach = new_thinking()[0], new_reach()[0]
    order = tuple(Player)
    at = 0
    chance = float(find_chance(t, k, SAMPLES, seed))
    while at < len(record.steps):
        turns, player = int(t.turns), order[int(t.turn)]
        begun, gain, error, worst, greatest = at, 0.0, 0.0, None, 0.0
        while at < len(record.steps) and t.turns == turns and t.end == GOES_ON:
            action = record.steps[at].action
            played, chance_seed = encode(action), seed + (at << 20)
            gain += _more(t, k, played, -1, chance_seed)
            best = int(think(t, int(t.turn), k, PLAYOUTS, chance_seed + 1))
            loss = 0.0 if best == played else max(_more(t, k, best, played, chance_seed + 2), 0.0)
            error += loss
            if loss > greatest:
                greatest, worst = loss, (action, decode(best))
            act(t, t.turn, played)
            at += 1
        before, chance = chance, float(find_chance(t, k, SAMPLES, seed + (at << 20)))
        for_a = player is Player.A
        yield Turn(
            turns + 1,
            player,
            tuple(step.action for step in record.steps[begun:at]),
            before if for_a else 1 - before,
            chance if for_a else 1 - chance,
            gain,
            error,
            worst,
            _decided(t, reach),
        )


def _decided(t: Record, reach: Record) -> Player | None:
    """Who has won, or is proved to win however it goes on."""
    winner = int(t.winner if t.end != GOES_ON else decided_for(t, reach))
    return None if winner == NOBODY else tuple(Player)[winner]


def _more(t: Record, k: Record, first: int, second: int, seed: int) -> float:
    """By how much a move wins more than another, as `compare` takes them; 0 within the noise."""
    more, deviation = compare(t, k, first, second, SAMPLES, seed)
    return float(more) if abs(more) > CONFIDENCE_95 * deviation else 0.0
