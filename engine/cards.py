"""Cards as small integers: `rank * 4 + suit`, rank 0 (ace) … 12 (king), suit 0 … 3 (S H D C).

The copies of a card are never told apart, so a card of a two-deck game is one
of 52 values too.
"""

from .errors import DealError

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SUIT_SIGNS = "♠♥♦♣"


def card_of(rank: int, suit: int) -> int:
    """The card with this rank (0 … 12) and suit (0 … 3)."""
    return rank * 4 + suit


def rank_of(card: int) -> int:
    """Rank of a card: 0 for an ace … 12 for a king."""
    return card >> 2


def suit_of(card: int) -> int:
    """Suit of a card: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return card & 3


def is_red(card: int) -> bool:
    """Whether the card is a heart or a diamond."""
    return (card & 3) in (1, 2)


def fits(card: int, parent: int) -> bool:
    """Whether `card` may lie on `parent` in a column: other colour, exactly one rank lower."""
    return rank_of(card) + 1 == rank_of(parent) and is_red(card) != is_red(parent)


def card_text(card: int) -> str:
    """The card in the notation of deals and move lists, e.g. `7H`, `TC`."""
    return RANKS[card >> 2] + SUITS[card & 3]


def card_sign(card: int) -> str:
    """The card with its suit sign, e.g. `7♥`, `T♣`."""
    return RANKS[card >> 2] + SUIT_SIGNS[card & 3]


def parse_card(text: str) -> int:
    """Read a card: `7H`, `7h`, `10H`, `TH` or `7♥`.

    Raises `DealError` for anything else.
    """
    word = text.strip().upper().replace("10", "T", 1)
    if len(word) == 2 and word[0] in RANKS:
        for names in (SUITS, SUIT_SIGNS):
            if word[1] in names:
                return card_of(RANKS.index(word[0]), names.index(word[1]))
    raise DealError(f"{text.strip()!r} is no card; a card is rank and suit, as in 7H, TC or 10C")
