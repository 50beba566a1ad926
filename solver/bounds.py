"""Upper bounds on the best score, over all games in which no card is taken back.

The searches behind them allow taking back, so what they exclude is excluded all the more.
"""

from enum import StrEnum

from ..engine.bits import lowest_bit
from ..engine.deal import Position
from ..engine.rules import (
    DOLLARS_HOME,
    POINTS_HOME,
    POINTS_LANDED,
    POINTS_TURN_UP,
    Scoring,
)
from . import exhaust
from .position import LEVEL
from .relax import relax
from .search import NO_END, Search


class Bound(StrEnum):
    """The upper bounds, each with why it holds."""

    ALL_HOME = "every card home"
    """No game earns more: as no card is taken back, each card comes home once, each hidden card
    is turned up once and each waste card goes to a column once at most."""
    CAN_LEAVE = "every card home that can ever leave its place"
    """The same of those cards only for which `relax.py` does not prove that they never can."""
    MOST_HOME = "most cards home, by exhaustive search"
    """All positions were searched for one with more cards at home, but for those where a safe card
    waits and those that lead to no more by the relaxation (`exhaust.SEARCH`, `goal`)."""
    LEAST_LOST = "points that every game loses, by exhaustive search"
    """All wins that lose fewer points were searched; going straight home from the waste loses 5, a
    recycle what it costs (`exhaust.SEARCH`, `most_lost`). A game that is not won loses
    `exhaust.MOST_LOST`, or could go on and win with no more lost: if no card is hidden and none
    left in stock and waste, all can go home; if one is left there that alone is not home, it can go
    home, which loses 5. Otherwise two cards are not home, which loses 20, and the one that is
    hidden, or left in stock or waste, is not turned up, or has not landed, which loses 5 more."""


class Ceiling:
    """The upper bound at hand, which `lower` lowers by exhaustive search."""

    def __init__(self, search: Search, position: Position) -> None:
        """Begin with what is known at once of the position, which is that of the search."""
        self._search, self._position = search, position
        rules = search.workspace.rules
        self._is_vegas = rules.scoring is Scoring.VEGAS
        talon = len(position.stock) + len(position.waste)
        self.top = self._score(rules.cards, sum(position.hidden), talon)
        """The score of a game in which nothing is lost from here on (`Bound.ALL_HOME`)."""
        self.high, self.bound = self.top, Bound.ALL_HOME
        self._take(self._relaxed(), Bound.CAN_LEAVE)
        self._most_lost = 0
        self._is_begun = self._is_over = self._is_lost = False

    def lower(self, best: int, nodes: int = NO_END) -> bool:
        """Search up to about so many positions more; `best` is a score that has been reached.

        Returns whether a win was found that, but for cards it may take back, reaches the bound;
        `Search.take_exhaust_win` has it.
        """
        until = self._search.nodes + nodes
        work = self._search.workspace.search[0]
        while best < self.high and not self._is_over:
            if not self._is_begun:
                self._begin(best)
            state = self._search.run_exhaust(int(work.nodes) + until - self._search.nodes)
            if state == exhaust.OUT_OF_NODES:
                return False
            self._is_begun = False
            if state != exhaust.EXHAUSTED or work.is_cut:
                self._is_over = True
                return state == exhaust.WON
            if self._is_vegas:
                self._take(self._score(int(work.goal) - 1, 0, 0), Bound.MOST_HOME)
                self._is_over = self._is_lost
                self._is_lost = True
            else:
                self._most_lost += POINTS_LANDED
                self._take(self.top - self._most_lost, Bound.LEAST_LOST)
                self._is_over = self._most_lost == exhaust.MOST_LOST
        return False

    def _begin(self, best: int) -> None:
        """Begin a search for a win and then for one card more at home than `best` has, or for the
        next loss."""
        self._is_begun = True
        if self._is_vegas and not self._is_lost:
            self._search.start_exhaust()
        elif self._is_vegas:
            home = sum(self._position.foundations) + (best - self._position.score) // DOLLARS_HOME
            self._search.start_exhaust(home + 1)
        else:
            self._search.start_exhaust(most_lost=self._most_lost)

    def _take(self, high: int, bound: Bound) -> None:
        if high < self.high:
            self.high, self.bound = high, bound

    def _score(self, home: int, turned: int, landed: int) -> int:
        """The score with so many cards at home, turned up and landed from here on."""
        more = home - sum(self._position.foundations)
        if self._is_vegas:
            return self._position.score + DOLLARS_HOME * more
        earned = POINTS_HOME * more + POINTS_TURN_UP * turned + POINTS_LANDED * landed
        return self._position.score + earned

    def _relaxed(self) -> int:
        """The score with all that can ever be, by `relax.py`."""
        work = self._search.workspace
        game, relaxed = work.game[0], work.search[0].relaxed
        relaxed.must_land = False
        home = relax(game, work.start[0], relaxed)
        stay = sum(max(int(placed) - 1, 0) for placed in relaxed.placed[: game.columns])
        landed, gone = 0, int(work.start[0].talon & ~relaxed.talon)
        while gone:
            level = LEVEL[game.talon_card[lowest_bit(gone)]]
            landed += int(relaxed.open) >> (level + 2) & 1
            gone &= gone - 1
        return self._score(home, sum(self._position.hidden) - stay, landed)
