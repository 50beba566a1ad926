"""What one move brings about that a player can see, in words.

Each phrase states a fact about what lies open before and after the move; what it is worth is not
asked here. A card that is only now turned up, and the stock, have no part in it.
"""

from collections.abc import Iterator

from ..engine.cards import card_sign, fits, rank_of
from ..engine.moves import Kind, Move
from ..engine.referee import Game
from ..engine.rules import Rules
from ..notation.solution import moved_card

GOES_UP = (Kind.COLUMN_TO_FOUNDATION, Kind.WASTE_TO_FOUNDATION)


def reasons(game: Game, move: Move) -> list[str]:
    """What a legal move of a game brings about, each to be said after "it" or "that".

    Empty where nothing new is seen to come of it. Of a recycle, what it costs. The game stays as
    it is.
    """
    before, after = game, _copy(game)
    after.make(move)
    if move.kind is Kind.RECYCLE:
        cost = before.score - after.score
        return [f"costs {cost} points"] if cost else []
    if move.kind is Kind.DRAW:
        return []
    turned = move.source if before.hidden != after.hidden else None
    return [
        *_uncovered(before, after, move, turned),
        *_goes_up_next(before, after, turned),
        *_places(before, after, turned),
        *_twin(before, after, move),
    ]


def _copy(game: Game) -> Game:
    return Game(game.rules, game.position())


def _uncovered(before: Game, after: Game, move: Move, turned: int | None) -> Iterator[str]:
    """A card turned up, a column emptied, a king that gets a column."""
    if turned is not None:
        down = before.hidden[turned]
        lie = "1 lies" if down == 1 else f"{down} lie"
        yield f"turns up a card of column {turned + 1} ({lie} face down)"
    from_column = move.kind in (Kind.COLUMN_TO_FOUNDATION, Kind.COLUMN_TO_COLUMN)
    if from_column and not after.columns[move.source]:
        words = f"empties column {move.source + 1}"
        king = _waiting_king(after)
        yield words if king is None else f"{words}, where {king} could go"
    elif move.kind is Kind.WASTE_TO_COLUMN and not before.columns[move.target]:
        yield f"gives {card_sign(before.waste[-1])} a column"


def _waiting_king(game: Game) -> str | None:
    """A king on the waste, or one with face-down cards under it."""
    king = game.rules.ranks - 1
    if game.waste and rank_of(game.waste[-1]) == king:
        return f"{card_sign(game.waste[-1])} of the waste"
    for column, (cards, down) in enumerate(zip(game.columns, game.hidden, strict=True)):
        if 0 < down < len(cards) and rank_of(cards[down]) == king:
            return f"{card_sign(cards[down])} of column {column + 1}"
    return None


def _tops(game: Game, turned: int | None) -> set[int]:
    """The cards that lie on top, of the waste too, but for one just turned up."""
    tops = {cards[-1] for at, cards in enumerate(game.columns) if cards and at != turned}
    return tops | set(game.waste[-1:])


def _goes_up_next(before: Game, after: Game, turned: int | None) -> Iterator[str]:
    """Cards that can go up now and could not before."""
    could = {card for card in _tops(before, None) if before.foundations.accepting(card) is not None}
    can = {card for card in _tops(after, turned) if after.foundations.accepting(card) is not None}
    names = [card_sign(card) for card in sorted(can - could)]
    if names:
        yield f"lets {' and '.join(names)} go up"


def _has_place(game: Game, card: int, own: int | None = None) -> bool:
    """Whether a column but its own takes a card."""
    return any(
        _takes(game.rules, cards, card) for at, cards in enumerate(game.columns) if at != own
    )


def _takes(rules: Rules, cards: list[int], card: int) -> bool:
    return fits(card, cards[-1]) if cards else rank_of(card) == rules.ranks - 1


def _places(before: Game, after: Game, turned: int | None) -> Iterator[str]:
    """What finds a place in the columns now and found none before: the waste, whole runs."""
    seen = _without(after, turned)
    if seen.waste and _has_place(seen, seen.waste[-1]):
        name = card_sign(seen.waste[-1])
        if seen.waste != before.waste:
            yield f"brings out {name} of the waste, for which there is a place"
        elif not _has_place(before, before.waste[-1]):
            yield f"makes a place for {name} of the waste"
    for column, down in enumerate(after.hidden):
        same = column != turned and down and before.columns[column][: down + 1]
        if not same or after.columns[column][: down + 1] != same:
            continue
        if _has_place(seen, same[-1], column) and not _has_place(before, same[-1], column):
            yield f"makes a place for {card_sign(same[-1])} of column {column + 1}"


def _without(game: Game, turned: int | None) -> Game:
    """The game, but that a card just turned up takes nothing."""
    seen = _copy(game)
    if turned is not None:
        # An ace takes no card.
        seen.columns[turned][-1] = 0
    return seen


def _twin(before: Game, after: Game, move: Move) -> Iterator[str]:
    """Where the other copy of the card stands, if that is some comfort."""
    card = moved_card(move, before)
    if after.rules.copies == 1 or card is None or move.kind is Kind.TAKE_BACK:
        return
    opened = [cards[down:] for cards, down in zip(after.columns, after.hidden, strict=True)]
    if move.kind in GOES_UP:
        for column, cards in enumerate(opened):
            if card in cards and rank_of(card) > 0:
                yield f"leaves the other {card_sign(card)} open in column {column + 1}"
                return
        return
    is_up = any(
        after.foundations.heights[after.foundations.index(card & 3, place)] > rank_of(card)
        for place in range(after.rules.places)
    )
    if sum(cards.count(card) for cards in opened) > 1 or is_up:
        return
    for column, cards in enumerate(after.columns):
        if column != move.source and cards and fits(card, cards[-1]):
            yield f"leaves column {column + 1} for the other {card_sign(card)}"
            return
