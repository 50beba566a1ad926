"""New deals: any, a winnable one, or one of a level."""

import secrets
from collections.abc import Iterator
from itertools import count

from ..engine.codes import DEAL_NUMBERS, DealCode
from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.rules import Rules
from ..rating.level import Level
from .thinker import STEPS, GoesOn, Report, look_for_win

ANY, WINNABLE = "any", "winnable"
WISHES = (ANY, WINNABLE, *(level.value for level in Level))
"""What a new deal may be asked to be."""


def find_deal(rules: Rules, wish: str, numbers: Iterator[int], goes_on: GoesOn) -> DealCode | None:
    """The first of these deal numbers that is as wished; None if it is no longer wanted.

    A deal is winnable, or has a level, only if the search has found a win.
    """
    for number in numbers:
        code = DealCode(rules, number)
        if wish == ANY:
            return code
        position = Position.start(rules, deal_number(rules, number))
        answer = look_for_win(rules, position, STEPS, False, goes_on)
        if answer is None:
            return None
        if answer.moves is not None and wish in (WINNABLE, _level(rules, position)):
            return code
    raise AssertionError("there are more deals than anyone can look at")


def find_any_deal(rules: Rules, wish: str, goes_on: GoesOn, _: Report) -> DealCode | None:
    """A deal at random that is as wished; None if it is no longer wanted."""
    return find_deal(rules, wish, chances(), goes_on)


def _level(rules: Rules, position: Position) -> str:
    """The level of a winnable deal."""
    from ..rating.rate import rate

    return rate(rules, position).level.value


def chances() -> Iterator[int]:
    """Deal numbers at random, without end."""
    return map(lambda _: secrets.randbelow(DEAL_NUMBERS), count())
