"""From the number of a deal to its cards: the scheme of this project, and that of PySolFC."""

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from .cards import SUITS, card_of
from .codes import DEAL_NUMBERS, PYSOL_PREFIX, DealCode
from .deal import Deal
from .errors import CodeError
from .rules import Rules, rules_for

MASK64 = (1 << 64) - 1
# PySolFC's own bounds: its largest number, below which one a plain number is dealt by the generator
# of Microsoft's games, and where that one ends.
PYSOL_GAME = "DS1"
PYSOL_LARGEST = 10**20
MICROSOFT_BELOW = 32000
MICROSOFT_LIMIT = 1 << 31


@dataclass(frozen=True, slots=True)
class NamedDeal:
    """A deal, the name by which it can be asked for again, and the rules it is played by."""

    name: str
    rules: Rules
    deal: Deal


def resolve(text: str, draw: int = 1, scoring: str = "N") -> NamedDeal:
    """The deal that a code (`DS1-D1N-AAAAAAB`) or a PySolFC number (`pysol:123`) names.

    `draw` and `scoring` are for PySolFC numbers, which say neither; a code says both itself.
    Raises `CodeError` for a text that names no deal.
    """
    word = text.strip()
    if word.lower().startswith(PYSOL_PREFIX):
        body = pysol_number(word[len(PYSOL_PREFIX) :])
        return NamedDeal(
            PYSOL_PREFIX + body, rules_for(PYSOL_GAME, draw, scoring), deal_pysol(body)
        )
    code = DealCode.parse(word)
    return NamedDeal(str(code), code.rules, deal_number(code.rules, code.number))


def deal_number(rules: Rules, number: int) -> Deal:
    """The deal with this number (0 … 2**35 - 1), the same under every draw and scoring.

    A shuffle by Fisher and Yates, its numbers from SplitMix64 (Steele, Lea and Flood 2014)
    brought into range without bias (Lemire 2019). A scheme of this project, not the app's.
    """
    if not 0 <= number < DEAL_NUMBERS:
        raise CodeError(f"deal number {number} is outside 0 … {DEAL_NUMBERS - 1}")
    deck = [
        card_of(rank, suit)
        for _ in range(rules.copies)
        for suit in range(rules.suits)
        for rank in range(rules.ranks)
    ]
    words = splitmix64(number)
    _shuffle(deck, lambda count: bounded(words, count))
    return Deal.from_order(rules, deck)


def splitmix64(state: int) -> Iterator[int]:
    """Random words of 64 bits, without end."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK64
        word = state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & MASK64
        word = (word ^ word >> 27) * 0x94D049BB133111EB & MASK64
        yield word ^ word >> 31


def random_numbers(seed: int) -> Iterator[int]:
    """Deal numbers of our scheme at random, each as likely as the others, none of them twice."""
    seen: set[int] = set()
    for word in splitmix64(seed):
        number = word * DEAL_NUMBERS >> 64
        if number not in seen:
            seen.add(number)
            yield number


def bounded(words: Iterator[int], count: int) -> int:
    """A random integer in [0, count), each as likely as the others."""
    uneven = (1 << 64) % count
    while True:
        product = next(words) * count
        if product & MASK64 >= uneven:
            return product >> 64


def deal_pysol(text: str) -> Deal:
    """The deal of PySolFC's Double Klondike with this number: `123`, `ms123` or one of 20 digits.

    The spaces and the signs `# - _ . ,` with which PySolFC shows a number do not matter.
    Raises `CodeError` for what is no number, for 0 and for Microsoft numbers of 2**31 or more,
    which PySolFC deals in another way. Source: PySolFC, `pysollib/pysolrandom.py` and
    `pysollib/games/klondike.py`.
    """
    rules = rules_for(PYSOL_GAME, 1, "N")
    name = pysol_number(text)
    deck = [
        card_of(rank, SUITS.index(suit))
        for _ in range(rules.copies)
        for suit in "CSHD"
        for rank in range(rules.ranks)
    ]
    if name.startswith("ms"):
        _shuffle(deck, _microsoft(int(name[2:])))
    elif int(name) < MICROSOFT_BELOW:
        _shuffle(deck, _microsoft(int(name)))
    else:
        twister = random.Random(int(name))
        _shuffle(deck, lambda count: int(twister.random() * count))
    columns: list[list[int]] = [[] for _ in range(rules.columns)]
    for row in range(rules.columns):
        for column in columns[row + 1 :]:
            column.append(deck.pop())
    for column in columns:
        column.append(deck.pop())
    return Deal(tuple(map(tuple, columns)), tuple(reversed(deck)))


def pysol_number(text: str) -> str:
    """A PySolFC number as we write it, `123` or `ms123`; `CodeError` if it names no deal."""
    word = re.sub(r"[\s#\-_.,]", "", text.lower())
    match = re.fullmatch(r"(ms)?0*([0-9]+?)", word)
    if match is None:
        raise CodeError(
            f"{text.strip()!r} is no PySolFC game number; one looks like 123, ms123 or "
            "12345678901234567890"
        )
    prefix, digits = match[1] or "", match[2]
    if digits == "0":
        raise CodeError("PySolFC game number 0 names no deal; numbers start at 1")
    if len(digits) > len(str(PYSOL_LARGEST)) or int(digits) > PYSOL_LARGEST:
        raise CodeError(f"PySolFC game numbers end at {PYSOL_LARGEST}; this one is larger")
    if prefix and int(digits) >= MICROSOFT_LIMIT:
        raise CodeError(f"{word}: Microsoft numbers are dealt here up to {MICROSOFT_LIMIT - 1}")
    return prefix + digits


def _microsoft(state: int) -> Callable[[int], int]:
    def below(count: int) -> int:
        nonlocal state
        state = (state * 214013 + 2531011) & ((1 << 33) - 1)
        return (state >> 16 & 0x7FFF) % count

    return below


def _shuffle(deck: list[int], below: Callable[[int], int]) -> None:
    """Shuffle in place; `below(n)` gives a random integer in [0, n)."""
    for i in range(len(deck) - 1, 0, -1):
        j = below(i + 1)
        deck[i], deck[j] = deck[j], deck[i]
