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


@dataclass(frozen=True, slots=True)
class Points:
    """What the score of a player is made of."""

    home: int
    """For a card on a foundation."""
    landed: int
    """For a card from the waste on a column."""
    turned_up: int
    """For a face-down card turned up."""
    recycle_cost: int
    floor: int | None
    """What the score never falls below; None for no floor."""
    card_cost: int
    """What each card dealt costs at the start."""


class Scoring(StrEnum):
    """How a game is scored."""

    NORMAL = "N"
    VEGAS = "V"


_POINTS = {
    Scoring.NORMAL: Points(POINTS_HOME, POINTS_LANDED, POINTS_TURN_UP, RECYCLE_COST, 0, 0),
    Scoring.VEGAS: Points(DOLLARS_HOME, 0, 0, 0, None, 1),
}


@dataclass(frozen=True, slots=True)
class Rules:
    """One variant: how many play, what lies before each, and what is common to all.

    Each player has a *layout* of their own decks. Column k (from 1) is dealt k cards, the last
    face up; the rest is the stock. The foundations are common to all layouts.
    """

    game: str
    title: str
    copies: int
    """How often each card is in a layout: the decks of a player."""
    columns: int
    draw: int
    scoring: Scoring
    passes: int | None
    """How often the stock may be gone through; None for any number of times."""
    ranks: int = 13
    suits: int = 4
    players: int = 1
    gives_back: bool = True
    """Whether a card may be taken back from a foundation."""

    def __repr__(self) -> str:
        """How to get them: `rules_for('DS1', 1, 'N')`."""
        return f"rules_for({self.game!r}, {self.draw}, {self.scoring.value!r})"

    @property
    def mode(self) -> str:
        """Draw and scoring as in a deal code, e.g. `D1N`."""
        return f"D{self.draw}{self.scoring}"

    @property
    def points(self) -> Points:
        """What the score is made of."""
        return _POINTS[self.scoring]

    @property
    def places(self) -> int:
        """Foundation places of a suit: one for each deck of all players."""
        return self.copies * self.players

    @property
    def cards(self) -> int:
        """Number of cards of a layout."""
        return self.copies * self.ranks * self.suits

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
        """Number of foundation places, `places` to a suit, in suit order."""
        return self.places * self.suits

    @property
    def start_score(self) -> int:
        """Score before the first move: 0, or in Vegas scoring one dollar lost for each card."""
        return -self.cards * self.points.card_cost

    @property
    def recycles(self) -> int | None:
        """How often the waste may become the stock again; None for any number of times."""
        return None if self.passes is None else self.passes - 1


_PASSES = {Scoring.NORMAL: None, Scoring.VEGAS: 1}
"""How these games, and no rule of `Rules`, tie the number of passes to the scoring."""


def _rows() -> dict[tuple[str, int, Scoring], Rules]:
    games = (
        ("DS1", "Double Solitaire", 2, 9, 1),
        ("KL1", "Klondike", 1, 7, 1),
        ("DS2", "Double Solitaire for two", 1, 7, 2),
    )
    return {
        (game, draw, scoring): Rules(
            game,
            title,
            copies,
            columns,
            draw,
            scoring,
            passes,
            players=players,
            gives_back=players == 1,
        )
        for game, title, copies, columns, players in games
        for draw in (1, 3)
        for scoring, passes in _PASSES.items()
    }


REGISTRY = _rows()
GAMES = tuple(dict.fromkeys(rules.game for rules in REGISTRY.values() if rules.players == 1))
"""The games for one player."""
ALL_GAMES = tuple(dict.fromkeys(game for game, *_ in REGISTRY))


@functools.cache
def rules_for(game: str, draw: int, scoring: str) -> Rules:
    """Look a variant up, e.g. `rules_for("DS1", 1, "N")`; `CodeError` names an unknown part."""
    if game not in ALL_GAMES:
        raise CodeError(f"no game is called {game!r}; known games: {', '.join(ALL_GAMES)}")
    if draw not in (1, 3):
        raise CodeError(f"draw {draw} is not played; draw is 1 or 3")
    if scoring not in tuple(Scoring):
        raise CodeError(f"no scoring is called {scoring!r}; scoring is N (Normal) or V (Vegas)")
    return REGISTRY[game, draw, Scoring(scoring)]
