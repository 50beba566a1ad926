"""Deal codes such as `DS1-D1N-AAAAAAB`: game, draw, scoring and the number of the deal."""

import re
from dataclasses import dataclass
from numbers import Integral

from .errors import CodeError
from .rules import Rules, rules_for

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
SYMBOLS = 7
DEAL_NUMBERS = 32**SYMBOLS
_SHAPE = re.compile(r"([A-Z0-9]+)-D(\d+)([A-Z])-([A-Z0-9]*)")


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
            raise CodeError(f"{text.strip()!r} is no deal code; a code looks like DS1-D1N-AAAAAAB")
        game, draw, scoring, letters = match.groups()
        try:
            rules = rules_for(game, int(draw), scoring)
        except CodeError as error:
            raise CodeError(f"{word}: {error}") from None
        if len(letters) != SYMBOLS:
            raise CodeError(f"{word}: the deal has {len(letters)} symbols instead of {SYMBOLS}")
        return cls(rules, decode_number(letters))

    def __str__(self) -> str:
        """The code in upper case."""
        return f"{self.rules.game}-{self.rules.mode}-{encode_number(self.number)}"

    def __repr__(self) -> str:
        """How to get it: `DealCode.parse('DS1-D1N-AAAAAAB')`."""
        return f"DealCode.parse({str(self)!r})"


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
