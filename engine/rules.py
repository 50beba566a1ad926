"""The variants of the game as rows of data; nothing else in the project knows them by name."""

import functools
from dataclasses import dataclass
from enum import StrEnum

from .errors import CodeError

POINTS_HOME, POINTS_LANDED, POINTS_TURN_UP, RECYCLE_COST = 10, 5, 5, 100
"""Normal scoring: for a card on a foundation, one from the waste on a column, one turned up; what a
recycle costs, but for the floor at 0."""
DOLLARS_HOME = 5
"""Vegas scoring: for a card on a foundation."""


class Scoring(StrEnum):
    """How a game is scored; `rules_for` ties the number of passes to it."""

    NORMAL = "N"
    VEGAS = "V"


@dataclass(frozen=True, slots=True)
class Rules:
    """One variant. Column k (from 1) is dealt k cards, the last face up; the rest is the stock."""

    game: str
    title: str
    decks: int
    columns: int
    draw: int
    scoring: Scoring
    passes: int | None
    """How often the stock may be gone through; None for any number of times."""
    ranks: int = 13
    suits: int = 4

    @property
    def mode(self) -> str:
        """Draw and scoring as in a deal code, e.g. `D1N`."""
        return f"D{self.draw}{self.scoring}"

    @property
    def cards(self) -> int:
        """Number of cards in the game."""
        return self.decks * self.ranks * self.suits

    @property
    def tableau(self) -> int:
        """Number of cards dealt to the columns."""
        return self.columns * (self.columns + 1) // 2

    @property
    def stock(self) -> int:
        """Number of cards dealt to the stock."""
        return self.cards - self.tableau

    @property
    def foundations(self) -> int:
        """Number of foundation places, `decks` to a suit, in suit order."""
        return self.decks * self.suits

    @property
    def start_score(self) -> int:
        """Score before the first move: 0, or in Vegas scoring one dollar lost for each card."""
        return -self.cards if self.scoring is Scoring.VEGAS else 0

    @property
    def recycles(self) -> int | None:
        """How often the waste may become the stock again; None for any number of times."""
        return None if self.passes is None else self.passes - 1


def _rows() -> dict[tuple[str, int, Scoring], Rules]:
    games = (("DS1", "Double Solitaire", 2, 9), ("KL1", "Klondike", 1, 7))
    passes = {Scoring.NORMAL: None, Scoring.VEGAS: 1}
    return {
        (game, draw, scoring): Rules(game, title, decks, columns, draw, scoring, passes[scoring])
        for game, title, decks, columns in games
        for draw in (1, 3)
        for scoring in Scoring
    }


REGISTRY = _rows()
GAMES = tuple(dict.fromkeys(game for game, _, _ in REGISTRY))


@functools.cache
def rules_for(game: str, draw: int, scoring: str) -> Rules:
    """Look a variant up, e.g. `rules_for("DS1", 1, "N")`; `CodeError` names an unknown part."""
    if game not in GAMES:
        raise CodeError(f"no game is called {game!r}; known games: {', '.join(GAMES)}")
    if draw not in (1, 3):
        raise CodeError(f"draw {draw} is not played; draw is 1 or 3")
    if scoring not in tuple(Scoring):
        raise CodeError(f"no scoring is called {scoring!r}; scoring is N (Normal) or V (Vegas)")
    return REGISTRY[game, draw, Scoring(scoring)]
