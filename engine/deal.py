"""`Deal`: the cards as dealt. `Position`: a game under way."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .cards import card_of, card_text, fits, rank_of, suit_of
from .errors import DealError
from .rules import Rules, Scoring

MAX_SCORE = 10**9
"""A score above this, or more recycles, is no game that anyone has played."""

Pile = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deal:
    """Columns bottom to top, the last card of each face up; stock with the first drawn first."""

    columns: tuple[Pile, ...]
    stock: Pile

    def __repr__(self) -> str:
        """How many cards lie where; `dsol show` has the cards."""
        cards = sum(map(len, self.columns))
        return f"<Deal: {cards} cards in {len(self.columns)} columns, stock {len(self.stock)}>"

    @classmethod
    def from_order(cls, rules: Rules, cards: Iterable[int]) -> "Deal":
        """Deal a shuffled deck from its front, row by row, as `rules.md` section 5 says."""
        deck = list(cards)
        columns: list[list[int]] = [[] for _ in range(rules.columns)]
        for row in range(rules.columns):
            for column in range(row, rules.columns):
                columns[column].append(
                    deck[len(columns) * row - row * (row - 1) // 2 + column - row]
                )
        return cls(tuple(map(tuple, columns)), tuple(deck[rules.tableau :]))

    def order(self) -> Pile:
        """The deck in the order in which it was dealt; undoes `from_order`."""
        rows = range(len(self.columns))
        tableau = [self.columns[c][r] for r in rows for c in range(r, len(self.columns))]
        return (*tableau, *self.stock)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless this is a whole deal of the game in the right shape."""
        sizes = [len(column) for column in self.columns]
        check_cards(rules, [card for column in self.columns for card in column] + list(self.stock))
        if sizes != list(range(1, rules.columns + 1)):
            raise DealError(
                f"columns of {', '.join(map(str, sizes))} cards; "
                f"they must hold 1, 2, … {rules.columns} from the left"
            )


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game: what the table shows, what lies hidden, and the count so far."""

    columns: tuple[Pile, ...]
    """Bottom to top."""
    hidden: Pile
    """Number of face-down cards at the bottom of each column."""
    stock: Pile
    """First drawn first."""
    waste: Pile
    """Top card last."""
    foundations: Pile
    """Height of each place, `places` to a suit, suits in the order S H D C."""
    score: int
    recycles: int = 0
    """How often the waste has become the stock again."""

    def __repr__(self) -> str:
        """How many cards lie where, and the score."""
        return (
            f"<Position: {sum(map(len, self.columns))} cards in {len(self.columns)} columns, "
            f"stock {len(self.stock)}, waste {len(self.waste)}, "
            f"{sum(self.foundations)} cards up, score {self.score}>"
        )

    @classmethod
    def start(cls, rules: Rules, deal: Deal) -> "Position":
        """The position before the first move."""
        hidden = tuple(max(len(column) - 1, 0) for column in deal.columns)
        places = (0,) * rules.foundations
        return cls(deal.columns, hidden, deal.stock, (), places, rules.start_score)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless the position can stand on the table under these rules.

        What the solver counts on is asked for, such as no more hidden cards than were dealt so; not
        whether play leads there from a deal.
        """
        cards = [card for pile in (*self.columns, self.stock, self.waste) for card in pile]
        if len(self.columns) != rules.columns or len(self.hidden) != rules.columns:
            raise DealError(f"{len(self.columns)} columns; {rules.title} has {rules.columns}")
        check_heights(rules, self.foundations)
        for place, height in enumerate(self.foundations):
            cards += [card_of(rank, place // rules.places) for rank in range(height)]
        check_cards(rules, cards)
        for number, (column, hidden) in enumerate(zip(self.columns, self.hidden, strict=True), 1):
            check_column(number, column, hidden)
            if hidden >= number:
                raise DealError(
                    f"column {number}: {hidden} cards are hidden; "
                    f"at the start there are {number - 1}"
                )
        if len(self.stock) + len(self.waste) > rules.stock:
            raise DealError(
                f"{len(self.stock) + len(self.waste)} cards in stock and waste; "
                f"{rules.title} has {rules.stock} there at the start, and never more"
            )
        self._check_counts(rules)

    def _check_counts(self, rules: Rules) -> None:
        most = MAX_SCORE if rules.recycles is None else rules.recycles
        if not 0 <= self.recycles <= most:
            raise DealError(f"{self.recycles} recycles; in {rules.mode} there are 0 … {most}")
        if not rules.start_score <= self.score <= MAX_SCORE:
            raise DealError(f"a score of {self.score}; it is never below {rules.start_score}")
        if rules.scoring is Scoring.NORMAL and self.score % 5:
            raise DealError(f"a score of {self.score}; points come in fives")


def check_column(number: int, column: Pile, hidden: int) -> None:
    """Raise `DealError` unless the open cards of a column, counted from 1, lie one on the other."""
    if column and not 0 <= hidden < len(column):
        raise DealError(
            f"column {number}: {hidden} of {len(column)} cards are hidden; the last is open"
        )
    if not column and hidden:
        raise DealError(f"column {number} is empty, yet {hidden} cards are hidden in it")
    for parent, card in zip(column[hidden:], column[hidden + 1 :], strict=False):
        if not fits(card, parent):
            raise DealError(
                f"column {number}: {card_text(card)} lies open on {card_text(parent)}: no fit"
            )


def check_heights(rules: Rules, foundations: Pile) -> None:
    """Raise `DealError` unless foundations can be so high, before anyone counts their cards."""
    if len(foundations) != rules.foundations:
        raise DealError(f"{len(foundations)} foundation places, not {rules.foundations}")
    for height in foundations:
        if not 0 <= height <= rules.ranks:
            raise DealError(f"a foundation of {height} cards; it holds 0 … {rules.ranks}")


def check_cards(
    rules: Rules,
    cards: Iterable[int],
    some_unknown: bool = False,
    where: Mapping[int, str] | None = None,
) -> None:
    """Raise `DealError`, naming surplus and missing cards, unless each is there `copies` times.

    With `some_unknown` cards may be missing: those that have not been seen. `where` is what the
    message adds to a surplus card.
    """
    count = Counter(cards)
    surplus, missing = [], []
    for card in sorted(
        {*count, *(card_of(r, s) for r in range(rules.ranks) for s in range(rules.suits))},
        key=lambda card: (suit_of(card), rank_of(card)),
    ):
        right = rules.copies if rank_of(card) < rules.ranks and suit_of(card) < rules.suits else 0
        gap = right - count[card]
        if gap < 0:
            told = (where or {}).get(card, "")
            surplus.append(f"{there(card, count[card])} ({-gap} too many{told})")
        elif gap > 0 and not some_unknown:
            missing.append(f"{there(card, count[card])} ({gap} missing)")
    total = sum(count.values())
    wrong = surplus + missing
    if wrong and total != rules.cards and not some_unknown:
        wrong.insert(0, f"{total} cards found")
    if wrong:
        few = wrong[:6] + ["…"] * (len(wrong) > 6)
        raise DealError(
            f"not a deck: {', '.join(few)}; "
            f"{rules.title} has {rules.cards} cards, each {rules.copies} times"
        )


def there(card: int, count: int) -> str:
    """How often a card is there, in words: `8H is there 3 times`."""
    often = ("not there", "there once", "there twice")
    return f"{card_text(card)} is {often[count] if count < len(often) else f'there {count} times'}"
