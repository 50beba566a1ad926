"""Upper bounds on the best score, over all games in which no card is taken back.

The searches behind them allow taking back, so what they exclude is excluded all the more.
"""

from enum import StrEnum

from ..engine.rules import (
    DOLLARS_HOME,
    POINTS_HOME,
    POINTS_LANDED,
    POINTS_TURN_UP,
    Scoring,
)
from .exhaust import MOST_LOST, Question
from .homes import Plan
from .method import NO_END, Proof, Win
from .search import Search
from .workspace import methods


class Bound(StrEnum):
    """The upper bounds, each with why it holds."""

    ALL_HOME = "every card home"
    """No game earns more: as no card is taken back, each card comes home once, each hidden card
    is turned up once and each waste card goes to a column once at most."""
    CAN_LEAVE = "every card home that can ever leave its place"
    """The same of those cards only for which `relax.py` does not prove that they never can."""
    MOST_HOME = "most cards home, by exhaustive search"
    """All positions were searched for one with more cards at home, but for those where a safe card
    waits and those that lead to no more by the relaxation (`exhaust.Question`, `goal`)."""
    LEAST_LOST = "points that every game loses, by exhaustive search"
    """All wins that lose fewer points were searched; going straight home from the waste loses 5, a
    recycle what it costs (`exhaust.Question`, `most_lost`). A game that is not won loses
    `exhaust.MOST_LOST`, or could go on and win with no more lost: if no card is hidden and none
    left in stock and waste, all can go home; if one is left there that alone is not home, it can go
    home, which loses 5. Otherwise two cards are not home, which loses 20, and the one that is
    hidden, or left in stock or waste, is not turned up, or has not landed, which loses 5 more."""


class Ceiling:
    """The upper bound at hand, which `lower` lowers by exhaustive search."""

    def __init__(self, search: Search) -> None:
        """Begin with what is known at once of the start."""
        self._search, self._position = search, search.start.position
        rules, position = search.start.rules, self._position
        self._is_vegas = rules.scoring is Scoring.VEGAS
        talon = len(position.stock) + len(position.waste)
        self.top = self._score(rules.cards, sum(position.hidden), talon)
        """The score of a game in which nothing is lost from here on (`Bound.ALL_HOME`)."""
        self.high, self.bound = self.top, Bound.ALL_HOME
        reach = methods.relaxation.reach(search.start)
        self._take(self._score(reach.home, reach.turned, reach.landed), Bound.CAN_LEAVE)
        self._most_lost = 0
        self._is_begun = self._is_over = False

    def lower(self, best: int, nodes: int = NO_END) -> Plan | None:
        """Search up to about so many positions more; `best` is a score that has been reached.

        Returns the plan of a win that, but for cards it may take back, reaches the bound, if one
        is found.
        """
        exhaust, budget = methods.exhaust, self._search.budget
        until = budget.nodes + nodes
        while best < self.high and not self._is_over:
            if not self._is_begun:
                self._is_begun = True
                exhaust.begin(self._search.start, budget, self._question(best))
            result = exhaust.run(exhaust.nodes + until - budget.nodes)
            if result is None:
                return None
            self._is_begun = False
            if not isinstance(result, Proof):
                self._is_over = True
                return result.plan if isinstance(result, Win) else None
            if self._is_vegas:
                self._take(self._score(result.most_home, 0, 0), Bound.MOST_HOME)
                self._is_over = True
            else:
                self._most_lost += POINTS_LANDED
                self._take(self.top - self._most_lost, Bound.LEAST_LOST)
                self._is_over = self._most_lost == MOST_LOST
        return None

    def _question(self, best: int) -> Question:
        """How many more cards than those of `best` can be home; or whether there is a win with the
        next loss.

        The first takes hardly longer than the proof that there is no win, and says far more.
        """
        if not self._is_vegas:
            return Question(most_lost=self._most_lost)
        home = sum(self._position.foundations) + (best - self._position.score) // DOLLARS_HOME
        return Question(goal=home + 1)

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
