"""Positions of a real table of two, of which some cards are not known.

A position file (`positions.py`) has `??` for each card that is not known, and then says with `up`
which of a player's own cards are on the foundations, as that does not follow from what lies there:

    {"deal": {"A": {"columns": [["??", "7H"], …], "stock": ["??", …], "waste": ["3C"],
                    "up": ["AS..4S", "AH"]}, "B": …, "to_move": "A"}, "draw": 1}
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.cards import card_of, card_text, parse_card
from ..engine.deal import Pile
from ..engine.errors import DealError
from ..engine.jit import Record
from ..engine.rules import Rules
from ..notation.formats import clean, json_object
from ..notation.placed import parsed
from .game import House, Player
from .playout import pack_table
from .positions import rules_from_json, table_from_json
from .record import read_record
from .replay import replayed

UNKNOWN = "??"


@dataclass(frozen=True, slots=True)
class TwoView:
    """A table that is ready to be thought about; of its unseen cards no order counts."""

    rules: Rules
    table: Record
    """An array of one `TABLE`."""
    player: Player
    """Whose turn it is."""


def read_two_view(text: str, rules: Rules) -> TwoView:
    """The table in a position file, or after the moves of a record.

    Face-down cards and, in the first pass, the stock count as unseen also where the file names
    them. Raises a `ValueError` of this package for what is no such table, or over, and where both
    play at once.
    """
    data = json_object(clean(text))
    if "moves" in data:
        record = read_record(text, rules)
        game = record.play()
        if game.end is not None:
            raise DealError(f"the game is over ({game.end})")
        player = _in_turn(game.turn)
        packed = replayed(record.rules, record.table, record.house, record.steps)
        return TwoView(record.rules, packed, player)
    rules = rules_from_json(data, rules)
    deal = data.get("deal", data)
    unknown_stock = [False, False]
    if isinstance(deal, dict):
        deal = dict(deal)
        for number, player in enumerate(Player):
            side = deal.get(player)
            if isinstance(side, dict):
                unknown_stock[number] = UNKNOWN in (side.get("stock") or ())
                try:
                    deal[player] = _filled(side, rules)
                except DealError as error:
                    raise DealError(f"{player}: {error}") from None
        data = data | {"deal": deal} if "deal" in data else data | deal
    table = table_from_json(data, rules)
    packed = pack_table(rules, table, House())
    for number, is_unknown in enumerate(unknown_stock):
        if is_unknown:
            # Who has forgotten the stock is as in the first pass.
            packed[0].layouts[number].recycles = 0
    return TwoView(rules, packed, _in_turn(table.to_move))


def _in_turn(player: Player | None) -> Player:
    if player is None:
        raise DealError('both play at once there; say by "to_move" whose turn it is')
    return player


def _filled(side: Mapping[str, Any], rules: Rules) -> dict[str, Any]:
    """A side with the cards that are not seen, in the order of the deck, in place of the `??`."""
    columns, stock = side.get("columns"), side.get("stock", [])
    waste = side.get("waste", [])
    piles = [*(columns if isinstance(columns, list) else []), stock, waste]
    if not all(
        isinstance(pile, list) and all(isinstance(card, str) for card in pile) for pile in piles
    ):
        # What is wrong is told by who reads it.
        return dict(side)
    unknown = sum(pile.count(UNKNOWN) for pile in piles)
    up = _cards_up(side.get("up", []), rules)
    seen = {parsed(parse_card, card) for pile in piles for card in pile if card != UNKNOWN}
    twice = sorted(seen & set(up))
    if twice:
        raise DealError(f"{card_text(twice[0])} lies in a pile and is listed as up")
    deck = [card_of(rank, suit) for suit in range(rules.suits) for rank in range(rules.ranks)]
    missing = [card for card in deck if card not in seen and card not in up]
    if not unknown:
        if up and missing:
            raise DealError(f"{card_text(missing[0])} is nowhere: in no pile, and not up")
        return dict(side)
    if len(missing) != unknown:
        raise DealError(
            f"{unknown} cards are unknown ({UNKNOWN}), but {len(missing)} of the {rules.cards} "
            'are not seen; "up" lists the own cards on the foundations, such as ["AS..4S", "AH"]'
        )
    if UNKNOWN in waste:
        raise DealError("the waste has an unknown card; all of its cards have been seen")
    filled = dict(side)
    hidden = side.get("hidden")
    if hidden is None:
        hidden = [_leading(column) for column in piles[:-2]]
        filled["hidden"] = hidden
    for number, column in enumerate(piles[:-2]):
        open_cards = column[hidden[number] :] if _has_number(hidden, number) else []
        if UNKNOWN in open_cards:
            raise DealError(f"column {number + 1} has an unknown card that lies face up")
    left = iter(map(card_text, missing))
    filled["columns"] = [[next(left) if c == UNKNOWN else c for c in col] for col in piles[:-2]]
    filled["stock"] = [next(left) if card == UNKNOWN else card for card in stock]
    return filled


def _has_number(hidden: Any, column: int) -> bool:
    return isinstance(hidden, list) and column < len(hidden) and isinstance(hidden[column], int)


def _leading(column: list[str]) -> int:
    """How many cards at the bottom of a column are unknown."""
    return next((at for at, card in enumerate(column) if card != UNKNOWN), len(column))


def _cards_up(texts: Any, rules: Rules) -> Pile:
    """The cards of a list such as `["AS..4S", "AH"]`."""
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise DealError('"up" must be a list of cards such as ["AS..4S", "AH"]')
    cards: list[int] = []
    for text in texts:
        ends = [parsed(parse_card, part) for part in text.split("..")]
        if len(ends) > 2 or ends[0] & 3 != ends[-1] & 3 or ends[0] > ends[-1]:
            raise DealError(f'{text!r} in "up" is no card and no range such as "AS..4S"')
        cards += range(ends[0], ends[-1] + 1, 4)
    twice = [card for card in cards if cards.count(card) > 1]
    if twice:
        raise DealError(f'{card_text(twice[0])} is twice in "up"')
    return tuple(cards)
