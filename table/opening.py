"""Which game a person sits down to: a new one, or one that was left."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from ..engine.deal import Position
from ..engine.errors import DealError
from ..engine.rules import Rules
from ..notation.formats import position_json
from ..rating.view import View
from .files import kept_path, set_aside
from .session import Session


@dataclass(frozen=True, slots=True)
class Opened:
    """A new game and, if one of the same deal was left before its end, that one."""

    fresh: Session
    left: Session | None
    begins: bool = True
    """Whether `fresh` is a game before its first move, not one that goes on."""


def open_deal(
    rules: Rules, position: Position, code: str | None, path: Path | None = None
) -> Opened:
    """The game of a deal, kept in a file of this name, or by default in the user's folder.

    Raises `DealError` if the file that is named holds something else.
    """
    is_named = path is not None
    path = path or kept_path(deal_name(rules, position, code))
    fresh = Session(rules, View(position, ()), code, path)
    left = None
    if path.exists():
        try:
            left = Session.load(path)
        except (ValueError, OSError):
            left = None
        is_same = left is not None and (left.view, left.rules) == (fresh.view, rules)
        if not is_same:
            if is_named:
                raise DealError(f"{path} holds something else than a game of this deal")
            left = None
        elif left is not None and (left.game.won or not left.moves):
            left = None
    return Opened(fresh, left)


def begin(session: Session) -> None:
    """Put a new game in the place of the one that was kept, which is given another name."""
    if session.path is not None:
        set_aside(session.path)
    session.save()


def deal_name(rules: Rules, position: Position, code: str | None) -> str:
    """A name for a deal: its code, or one made from its cards."""
    if code is not None:
        return code
    text = f"{rules!r} {position_json(position, rules)}"
    return f"deal-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
