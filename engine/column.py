"""A column as one word of 32 bits, and what happens to it when cards come and go.

    bit   25 ............ 13   12   11 .. 8   7 .. 4   3 .. 0
          suits of the run     red   rank      run      hidden

`hidden` face-down cards lie under a run of `run` face-up ones; `rank` and `red`
belong to the top card. Down the run ranks rise by one and colours alternate, so a
card needs one bit more: bit i of `suits` says which suit of its colour the card
i places below the top has (0 spades or hearts, 1 clubs or diamonds). Moving k cards
is a shift by k. An empty column is 0. Which cards are hidden is not in the word.

All words are int64 in here and are narrowed on store.
"""

from .jit import kernel

# The masks and places of the fields above.
HIDDEN = 15
RUN_SHIFT = 4
RUN = 15
RANK_SHIFT = 8
RANK = 15
RED_SHIFT = 12
SUITS_SHIFT = 13
TOP_CARD = RANK << RANK_SHIFT | 1 << RED_SHIFT
MAX_HIDDEN = HIDDEN


@kernel
def suit_bit(suit: int) -> int:
    """Which of the two suits of its colour this is: 0 for S and H, 1 for D and C."""
    return suit >> 1


@kernel
def is_red_suit(suit: int) -> int:
    """1 for hearts and diamonds, 0 for spades and clubs."""
    return (suit ^ suit >> 1) & 1


@kernel
def suit_from(red: int, bit: int) -> int:
    """The suit of this colour and `suit_bit`."""
    return red + bit * (3 - 2 * red)


@kernel
def run_card(word: int, depth: int) -> int:
    """The face-up card `depth` places below the top, 0 … run - 1."""
    red = (word >> RED_SHIFT ^ depth) & 1
    bit = word >> SUITS_SHIFT + depth & 1
    return ((word >> RANK_SHIFT & RANK) + depth) * 4 + suit_from(red, bit)


@kernel
def card_word(card: int) -> int:
    """A column that holds this card and nothing else."""
    suit = card & 3
    return (
        1 << RUN_SHIFT
        | card >> 2 << RANK_SHIFT
        | is_red_suit(suit) << RED_SHIFT
        | suit_bit(suit) << SUITS_SHIFT
    )


@kernel
def put_run(word: int, source: int, count: int) -> int:
    """The column after the top `count` cards of the column `source` have been laid on it."""
    run = (word >> RUN_SHIFT & RUN) + count
    tail = source >> SUITS_SHIFT & (1 << count) - 1
    suits = word >> SUITS_SHIFT << count | tail
    return word & HIDDEN | run << RUN_SHIFT | source & TOP_CARD | suits << SUITS_SHIFT


@kernel
def take_run(word: int, count: int) -> int:
    """The column without its top `count` face-up cards, before anything is turned up."""
    run = (word >> RUN_SHIFT & RUN) - count
    if run == 0:
        return word & HIDDEN
    rank = (word >> RANK_SHIFT & RANK) + count
    red = (word >> RED_SHIFT ^ count) & 1
    suits = word >> SUITS_SHIFT >> count
    return (
        word & HIDDEN
        | run << RUN_SHIFT
        | rank << RANK_SHIFT
        | red << RED_SHIFT
        | suits << SUITS_SHIFT
    )
