"""The levels of difficulty, apart from the players, so that reading results needs no search."""

from enum import StrEnum


class Level(StrEnum):
    """Fifths of the scale, from the lowest."""

    VERY_EASY = "very easy"
    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"


def level_of(difficulty: float) -> Level:
    """The fifth of the scale that a difficulty, 0 … 100, falls in."""
    levels = tuple(Level)
    return levels[min(int(difficulty * len(levels) / 100), len(levels) - 1)]
