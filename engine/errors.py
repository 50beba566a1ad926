"""The exceptions of this package; all are `ValueError`, and their text is one line for a person."""


class CodeError(ValueError):
    """A deal code or a game number that names no deal."""


class DealError(ValueError):
    """Cards that are no deal or position of the game."""


class MoveError(ValueError):
    """A move that cannot be read, or that the rules refuse."""
