"""Tables of the game for two from short texts, as `docs/rules.md` lists its situations."""

import re

from double_solitaire.engine.cards import RANKS, card_of, parse_card
from double_solitaire.versus.game import Player, Side, Table
from versus_referee import Side as PlainSide
from versus_referee import VersusReferee


def pile(text):
    """The cards of `(KC) JC` or `2H..KH`, and how many of them lie face down."""
    cards, hidden = [], 0
    for word in text.split():
        if ".." in word:
            first, last = map(parse_card, word.split(".."))
            cards += [card_of(rank, first % 4) for rank in range(first // 4, last // 4 + 1)]
        else:
            hidden += word.startswith("(")
            cards.append(parse_card(word.strip("()")))
    return tuple(cards), hidden


def side(text):
    """A side from `1 (KC) JC, 2 QH; stock KS QS`; piles that are not listed are empty."""
    columns, hidden, stock = [()] * 7, [0] * 7, ()
    table, *rest = text.split(";")
    for part in table.split(","):
        if part.strip():
            number, cards = part.split(maxsplit=1)
            columns[int(number) - 1], hidden[int(number) - 1] = pile(cards)
    for part in rest:
        stock, _ = pile(part.replace("stock", ""))
    return Side(tuple(columns), tuple(hidden), stock)


def table(a, b, to_move=Player.A, last=None):
    return Table((side(a), side(b)), to_move, last)


def names(cards):
    return [RANKS[card // 4] + "SHDC"[card % 4] for card in cards]


def plain(position, **others):
    """The same table for the plain referee of the tests."""
    sides = [
        PlainSide(
            [names(column) for column in each.columns],
            each.hidden,
            names(each.stock),
            names(each.waste),
        )
        for each in position.sides
    ]
    first = "A" if position.to_move is None else str(position.to_move)
    last = None if position.last is None else str(position.last)
    return VersusReferee(
        *sides, first=first, simultaneous=position.to_move is None, last=last, **others
    )


def script(text):
    """The steps of a text such as `A 1>F, B 2>F x, B draw`: player, move, whether it is refused."""
    for step in text.split(","):
        match = re.fullmatch(r"\s*(?:[\d.]+\s+)?([AB])\s+(\S+)(\s+x)?\s*", step)
        yield match[1], match[2], match[3] is not None
