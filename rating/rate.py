"""`Rating`: how players who see only what lies open fare with a deal, and the one number from it.

Each player plays `GAMES` games of the deal, the fast one half as many. The rule:

**With unlimited redeals** let `wins` be the mean of the shares of games that the casual and the
careful player win, and `cards` the mean share of the cards that were up at the end of their games
(a game won counts as all). Then

    difficulty = 100 - 90 * wins - 10 * cards

So it is in the main the chance to lose, in percent; the last ten points tell deals apart that
hardly anyone wins, by how far the games go. A deal that is not known to be winnable has no
difficulty.

**In Vegas scoring**, where hardly a game is won and what counts is dollars, the difficulty goes by
the mean that the fast player ends with. It falls evenly from 100 at the first of `VEGAS_DOLLARS`
for the draw, and less, to 0 at the second and more; these are about the 5th and the 95th percentile
of all deals. Every deal has one, as dollars are won and lost with any.

The level is the fifth of the scale that the difficulty falls in.
"""

import math
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..engine.deal import Position
from ..engine.dealing import splitmix64
from ..engine.rules import DOLLARS_HOME, Rules, Scoring
from ..engine.state import pack
from ..solver.verdict import Verdict
from . import players
from .interval import CONFIDENCE_95, wilson
from .level import Level, level_of
from .policy import Fast

GAMES = 40
"""Games of the casual and of the careful player. By hand: the difficulty is then known to some ten
points either way, in a hundredth of a second (docs/difficulty.md)."""
FAST_SHARE = 2
"""The fast player plays one game for so many of each of the others, as a game takes them longer."""
FAST_SEED = 2
"""Added to the seed for the fast player, as the number of the others is for them."""
WIN_POINTS, CARD_POINTS = 90, 10
"""By hand: the chance to lose in percent, but for ten points that order what hardly anyone wins."""
VEGAS_DOLLARS = {1: (-40.0, 160.0), 3: (-95.0, 10.0)}
"""Dollars of the fast player at which a deal has difficulty 100 and 0, by the cards of a draw:
about the 5th and 95th percentile of 800 deals each from number 100,000 up (docs/difficulty.md)."""


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
class Dollars:
    """What a player has at the end of games in Vegas scoring."""

    mean: float
    deviation: float
    """The standard deviation of a game's dollars."""
    above: WinRate
    """Games that end above $0."""
    most: float
    """What a game won comes to."""

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean; all that is possible after a single game."""
        games = self.above.games
        half = CONFIDENCE_95 * self.deviation / math.sqrt(games) if games > 1 else self.most * 2
        return max(self.mean - half, -self.most), min(self.mean + half, self.most)


class Fared(NamedTuple):
    """What a player's games of a deal came to."""

    won: WinRate
    dollars: Dollars | None
    """In Vegas scoring."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What the games of the players came to."""

    casual: WinRate
    careful: WinRate
    fast: WinRate
    cards: float
    """Mean share of the cards that were up at the end, of the casual and the careful player."""
    dollars: dict[str, Dollars] | None = None
    """In Vegas scoring what each player ends with, by name: casual, careful, fast."""
    draw: int = 1
    """Cards of a draw."""

    @property
    def difficulty(self) -> float:
        """0 … 100, by the rule at the head of this file, rounded to a tenth."""
        if self.dollars is not None:
            return self._of_dollars(self.dollars["fast"].mean)
        wins = (self.casual.rate + self.careful.rate) / 2
        # Adding 0 makes a rounded -0.0 a plain 0.
        return round(100 - WIN_POINTS * wins - CARD_POINTS * self.cards, 1) + 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the difficulty: from that of all games that count for it together,
        or in Vegas scoring from that of the fast player's dollars."""
        if self.dollars is not None:
            low, high = self.dollars["fast"].interval
            return self._of_dollars(high), self._of_dollars(low)
        games = self.casual.games + self.careful.games
        low, high = wilson(self.casual.wins + self.careful.wins, games)
        rest = 100 - CARD_POINTS * self.cards
        return max(rest - WIN_POINTS * high, 0.0), min(rest - WIN_POINTS * low, 100.0)

    @property
    def level(self) -> Level:
        """The difficulty in words."""
        return level_of(self.difficulty)

    def _of_dollars(self, dollars: float) -> float:
        worst, best = VEGAS_DOLLARS[self.draw]
        share = (best - dollars) / (best - worst)
        return round(100 * min(max(share, 0.0), 1.0), 1)


def rate(rules: Rules, position: Position, seed: int = 0, games: int = GAMES) -> Rating:
    """Let all players play a position, which with unlimited redeals is known to be winnable.

    The games depend on the cards, the seed and their number only.
    """
    start = pack(rules, position)
    scratch, player = start.copy(), np.zeros(1, players.PLAYER)
    base = seed_of(position, seed)
    ends: dict[str, NDArray[np.int64]] = {}
    for name, skill in (("casual", players.CASUAL), ("careful", players.CAREFUL)):
        ends[name] = np.zeros(games, np.int64)
        players.play_games(start[0], scratch[0], player[0], skill, base + skill, ends[name])
    few = -(-games // FAST_SHARE)
    ends["fast"] = Fast(rules).play(start[0], base + FAST_SEED, few)
    found = {name: fared(rules, position, each) for name, each in ends.items()}
    dollars = {name: each.dollars for name, each in found.items() if each.dollars is not None}
    cards = (int(ends["casual"].sum()) + int(ends["careful"].sum())) / (2 * games * rules.cards)
    return Rating(
        **{name: each.won for name, each in found.items()},
        cards=cards,
        dollars=dollars or None,
        draw=rules.draw,
    )


def fared(rules: Rules, position: Position, ends: NDArray[np.int64]) -> Fared:
    """What games come to that end with so many cards up, all of them being a win."""
    won = WinRate(int(np.count_nonzero(ends == rules.cards)), len(ends))
    if rules.scoring is not Scoring.VEGAS:
        return Fared(won, None)
    most, *each = (
        position.score + DOLLARS_HOME * (int(cards) - sum(position.foundations))
        for cards in (rules.cards, *ends)
    )
    above = WinRate(sum(dollars > 0 for dollars in each), len(each))
    deviation = stdev(each) if len(each) > 1 else 0.0
    return Fared(won, Dollars(fmean(each), deviation, above, most))


def rate_if(
    verdict: Verdict, rules: Rules, position: Position, seed: int = 0, games: int = GAMES
) -> Rating | None:
    """The rating of a position; None where redeals are unlimited and it is not `winnable`."""
    if verdict is not Verdict.WINNABLE and rules.scoring is not Scoring.VEGAS:
        return None
    return rate(rules, position, seed, games)


def seed_of(position: Position, seed: int) -> int:
    """A number of 62 bits from the cards and the seed, so that equal cards play equal games."""
    word = seed
    for pile in (*position.columns, position.waste, position.stock, position.foundations):
        for card in (*pile, -1):
            word = next(splitmix64(word + card))
    return word >> 2
