"""Codes of deals for two, such as `DS2-D1N-AAAAAAB`, and the two Klondike deals that they name."""

import re
from dataclasses import dataclass

from ..engine.codes import DEAL_NUMBERS, SYMBOLS, decode_number, encode_number
from ..engine.deal import Deal
from ..engine.dealing import deal_number, splitmix64
from ..engine.errors import CodeError
from ..engine.rules import Rules, rules_for

GAME, HALF = "DS2", "KL1"
EXAMPLE = "DS2-D1N-AAAAAAB"
NUMBER_BITS = 35
"""Bits of the number of a deal."""
_SHAPE = re.compile(r"DS2-D(\d+)([A-Z])-([A-Z0-9]*)(?:\+([A-Z0-9]*))?")


@dataclass(frozen=True, slots=True)
class VersusCode:
    """The deal of both players; `str()` writes the code.

    `number` (0 … 2**35 - 1) deals both decks; without it, `numbers` are the players' own Klondike
    deals. The same one twice is a mirror deal.
    """

    rules: Rules
    number: int | None
    numbers: tuple[int, int]

    @classmethod
    def of_number(cls, rules: Rules, number: int) -> "VersusCode":
        """The deal of one number for both.

        The number is the state of SplitMix64; the top 35 bits of its first two words are the
        numbers of A's and B's Klondike deals.
        """
        if not 0 <= number < DEAL_NUMBERS:
            raise CodeError(f"deal number {number} is outside 0 … {DEAL_NUMBERS - 1}")
        words = splitmix64(number)
        first, second = (next(words) >> 64 - NUMBER_BITS for _ in range(2))
        return cls(rules, number, (first, second))

    @classmethod
    def parse(cls, text: str) -> "VersusCode":
        """Read a code; case and surrounding white space do not matter. Raises `CodeError`."""
        word = text.strip().upper()
        match = _SHAPE.fullmatch(word)
        if match is None:
            raise CodeError(
                f"{text.strip()!r} is no code of a deal for two; one looks like {EXAMPLE}, "
                "or DS2-D1N-SEFC33E+X3VY3IL with a deal for each player"
            )
        draw, scoring, *letters = match.groups()
        try:
            rules = rules_for(GAME, int(draw), scoring)
            for part in letters:
                if part is not None and len(part) != SYMBOLS:
                    raise CodeError(f"the deal has {len(part)} symbols instead of {SYMBOLS}")
            first = decode_number(letters[0])
            if letters[1] is None:
                return cls.of_number(rules, first)
            return cls(rules, None, (first, decode_number(letters[1])))
        except CodeError as error:
            raise CodeError(f"{word}: {error}") from None

    def __str__(self) -> str:
        """The code in upper case."""
        numbers = self.numbers if self.number is None else (self.number,)
        return f"{GAME}-{self.rules.mode}-{'+'.join(map(encode_number, numbers))}"

    @property
    def halves(self) -> tuple[str, str]:
        """The codes of the two Klondike deals, which the solo commands know."""
        first, second = (f"{HALF}-{self.rules.mode}-{encode_number(n)}" for n in self.numbers)
        return first, second

    def deals(self) -> tuple[Deal, Deal]:
        """The cards of A and of B."""
        half = rules_for(HALF, self.rules.draw, self.rules.scoring)
        first, second = (deal_number(half, number) for number in self.numbers)
        return first, second


def is_for_two(text: str) -> bool:
    """Whether a text means a code of this game, right or wrong."""
    return text.strip().upper().startswith(f"{GAME}-")
