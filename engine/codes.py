"""Deal codes such as `DS1-D1N-AAAAAAB`: game, draw, scoring and the number of the deal.

PySolFC's numbers, `pysol:123`, are `dealing.py`'s to read; here is only their prefix.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from numbers import Integral

from .errors import CodeError
from .rules import GAMES, Rules, rules_for

# As in `rules.md`, section 5: base 32 (RFC 4648), 35 bits in seven symbols.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SYMBOLS = 7
DEAL_NUMBERS = 32**SYMBOLS
PYSOL_PREFIX = "pysol:"
_SHAPE = re.compile(r"([A-Z0-9]+)-D(\d+)([A-Z])-([A-Z0-9]*)")
_GAME = "|".join(GAMES)
_WITHIN = re.compile(rf"\b({_GAME})-D[13][NV]-[A-Z2-7]{{{SYMBOLS}}}\b")
"""A code with something around it."""
_LOOSE = re.compile(rf"({_GAME})?(?:D?([13])([NV])?)?((?!{_GAME})[A-Z0-8]{{{SYMBOLS}}})")
"""A code without its dashes, and perhaps without its game or its mode."""
_BETWEEN = re.compile(r"[\s_:,‐-―−-]")
_LOOK_ALIKE = str.maketrans("018", "OIB")
_NUMBER = re.compile(r"(?:(?:PYSOL|GAME)[\s#:-]*|#\s*)?(MS)?0*([1-9]\d{0,19})")


@dataclass(frozen=True, slots=True)
class DealCode:
    """A deal (`number`, 0 … 2**35 - 1) and the rules it is played by; `str()` writes the code."""

    rules: Rules
    number: int

    def __post_init__(self) -> None:
        """Refuse what is no number and no rules, and a number that no code can write."""
        if not isinstance(self.rules, Rules) or not isinstance(self.number, Integral):
            raise TypeError(
                "a deal code is made of Rules and a whole number, not of "
                f"{type(self.rules).__name__} and {type(self.number).__name__}"
            )
        if not 0 <= self.number < DEAL_NUMBERS:
            raise CodeError(f"deal number {self.number} is outside 0 … {DEAL_NUMBERS - 1}")

    @classmethod
    def parse(cls, text: str) -> "DealCode":
        """Read a code; case and surrounding white space do not matter.

        Raises `CodeError` for what is no code, and `TypeError` for what is no text.
        """
        if not isinstance(text, str):
            raise TypeError(
                f"a code is a text such as 'DS1-D1N-AAAAAAB', not {type(text).__name__}"
            )
        word = text.strip().upper()
        match = _SHAPE.fullmatch(word)
        if match is None:
            raise CodeError(f"{text.strip()!r} is no deal code; {_advice(word)}")
        game, draw, scoring, letters = match.groups()
        try:
            rules = rules_for(game, int(draw), scoring)
        except CodeError as error:
            raise CodeError(f"{word}: {error}") from None
        if rules.players > 1:
            raise CodeError(
                f"{word} is a deal of {rules.title}; here it is one player's, DS1 or KL1"
            )
        if len(letters) != SYMBOLS:
            raise CodeError(f"{word}: the deal has {len(letters)} symbols instead of {SYMBOLS}")
        try:
            return cls(rules, decode_number(letters))
        except CodeError as error:
            meant = _meant(word)
            raise CodeError(f"{error}; did you mean {meant}?" if meant else str(error)) from None

    def __str__(self) -> str:
        """The code in upper case."""
        return f"{self.rules.game}-{self.rules.mode}-{encode_number(self.number)}"

    def __repr__(self) -> str:
        """How to get it: `DealCode.parse('DS1-D1N-AAAAAAB')`."""
        return f"DealCode.parse({str(self)!r})"


@dataclass(frozen=True, slots=True)
class Range:
    """Deal numbers `first` … `last` of our scheme."""

    rules: Rules
    first: int
    last: int

    def __post_init__(self) -> None:
        """Refuse a range that is empty or ends beyond the last deal."""
        if not 0 <= self.first <= self.last < DEAL_NUMBERS:
            raise CodeError(
                f"deal numbers {self.first} … {self.last} are no range; "
                f"one ends at its start or later, and at {DEAL_NUMBERS - 1} at most"
            )

    def codes(self) -> Iterator[DealCode]:
        """The codes of the deals, in order."""
        return (DealCode(self.rules, number) for number in range(self.first, self.last + 1))


def encode_number(number: int) -> str:
    """Seven symbols of base 32 (RFC 4648 alphabet), most significant first."""
    return "".join(ALPHABET[number >> 5 * k & 31] for k in reversed(range(SYMBOLS)))


def decode_number(letters: str) -> int:
    """The number that `encode_number` writes as these seven symbols. Raises `CodeError`."""
    number = 0
    for letter in letters:
        if letter not in ALPHABET:
            raise CodeError(f"{letter!r} in {letters!r} is no symbol of a deal; these are A–Z, 2–7")
        number = number * 32 + ALPHABET.index(letter)
    return number


def _advice(word: str) -> str:
    """What to write in place of a word, in upper case, that is no code."""
    meant = _meant(word)
    if meant is not None:
        return f"did you mean {meant}?"
    game = next((game for game in GAMES if word.startswith(game)), GAMES[0])
    return f"a code looks like {game}-D1N-AAAAAAB"


def _meant(word: str) -> str | None:
    """The code, or the game number of PySolFC, that was perhaps meant by a word in upper case."""
    word = word.strip("\"'`.,;()[]<>")
    number = _NUMBER.fullmatch(word)
    if number is not None:
        return f"{PYSOL_PREFIX}{(number[1] or '').lower()}{number[2]}"
    within = _WITHIN.search(word)
    if within is not None:
        return within[0]
    loose = _LOOSE.fullmatch(_BETWEEN.sub("", word))
    if loose is None:
        return None
    game, draw, scoring, letters = loose.groups()
    return f"{game or GAMES[0]}-D{draw or 1}{scoring or 'N'}-{letters.translate(_LOOK_ALIKE)}"
