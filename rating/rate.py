"""`Rating`: how often players who see only what lies open win a deal, and the one number from it.

The rule. Each player plays `GAMES` games of the deal. Let `wins` be the mean of the two
shares of games won, and `cards` the mean share of the cards that were up at the end of a game
(a game won counts as all). Then

    difficulty = 100 - 90 * wins - 10 * cards

and the level is the fifth of the scale that it falls in. So the difficulty is in the main the
chance to lose, in percent; the last ten points tell deals apart that hardly anyone wins, by
how far the games go. A deal that is not known to be winnable has no difficulty.
"""

from dataclasses import dataclass

import numpy as np

from ..engine.deal import Position
from ..engine.dealing import splitmix64
from ..engine.rules import Rules
from ..engine.state import pack
from ..solver.verdict import Verdict
from . import players
from .interval import wilson
from .level import Level, level_of

GAMES = 200
"""Games of each player: the interval of the difficulty is then within 5 points either way."""
WIN_POINTS, CARD_POINTS = 90, 10
_LOW_HALF = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class WinRate:
    """Games won of games played."""

    wins: int
    games: int

    @property
    def rate(self) -> float:
        """The share won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Its 95 % interval."""
        return wilson(self.wins, self.games)


@dataclass(frozen=True, slots=True)
class Rating:
    """What the games of the players came to."""

    casual: WinRate
    careful: WinRate
    cards: float
    """Mean share of the cards that were up at the end."""

    @property
    def difficulty(self) -> float:
        """0 … 100, by the rule at the head of this file, rounded to a tenth."""
        wins = (self.casual.rate + self.careful.rate) / 2
        # Adding 0 makes a rounded -0.0 a plain 0.
        return round(100 - WIN_POINTS * wins - CARD_POINTS * self.cards, 1) + 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difficulty, from that of all games counted together."""
        games = self.casual.games + self.careful.games
        low, high = wilson(self.casual.wins + self.careful.wins, games)
        rest = 100 - CARD_POINTS * self.cards
        return max(rest - WIN_POINTS * high, 0.0), min(rest - WIN_POINTS * low, 100.0)

    @property
    def level(self) -> Level:
        """The difficulty in words."""
        return level_of(self.difficulty)


def rate(rules: Rules, position: Position, seed: int = 0, games: int = GAMES) -> Rating:
    """Let both players play a position that is known to be winnable.

    The games depend on the cards, the seed and their number only.
    """
    start = pack(rules, position)
    scratch, player = start.copy(), np.zeros(1, players.PLAYER)
    base = seed_of(position, seed)
    casual, careful = (
        int(players.play_games(start[0], scratch[0], player[0], skill, base + skill, games))
        for skill in (players.CASUAL, players.CAREFUL)
    )
    cards = (casual & _LOW_HALF) + (careful & _LOW_HALF)
    return Rating(
        WinRate(casual >> 32, games),
        WinRate(careful >> 32, games),
        cards / (2 * games * rules.cards),
    )


def rate_if(
    verdict: Verdict, rules: Rules, position: Position, seed: int = 0, games: int = GAMES
) -> Rating | None:
    """The rating of a position; None unless the verdict on it is `winnable`."""
    return rate(rules, position, seed, games) if verdict is Verdict.WINNABLE else None


def seed_of(position: Position, seed: int) -> int:
    """A number of 62 bits from the cards and the seed, so that equal cards play equal games."""
    word = seed
    for pile in (*position.columns, position.waste, position.stock, position.foundations):
        for card in (*pile, -1):
            word = next(splitmix64(word + card))
    return word >> 2
