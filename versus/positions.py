"""Tables of the game for two as JSON: the cards of A and of B, and what of the play counts.

    {"deal": {"A": {"columns": …, "stock": …}, "B": …}, "draw": 1, "scoring": "N"}

A game under way adds `hidden`, `waste` and `recycles` to a side, and `to_move` and `last` to the
sides or, in a file without moves, beside them. What lies in no pile of a player is up.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from ..engine.deal import Deal
from ..engine.errors import DealError
from ..engine.rules import Rules, Scoring, rules_for
from ..notation.formats import (
    cards_from_json,
    is_run,
    number_from_json,
    numbers_from_json,
    piles_from_json,
    texts,
)
from ..notation.typed import layout_lines
from .codes import GAME, VersusCode, is_for_two
from .game import Player, Side, Table

AT_ONCE = "simultaneous"
IN_TURNS = "alternating"
STYLES = (IN_TURNS, AT_ONCE)


def is_table(data: Mapping[str, Any]) -> bool:
    """Whether a JSON object is about this game, right or wrong."""
    deal = data.get("deal", data)
    has_sides = isinstance(deal, dict) and all(player in deal for player in Player)
    return has_sides or data.get("game") == GAME or is_for_two(str(data.get("code")))


def choice_from_json(data: Mapping[str, Any], key: str, choices: tuple[Any, ...]) -> Any:
    """The value of a key that is one of some, the first if it is not there; else `DealError`."""
    value = data.get(key, choices[0])
    if not any(value is each or (isinstance(value, str) and value == each) for each in choices):
        names = ", ".join("null" if each is None else str(each).lower() for each in choices)
        raise DealError(f'"{key}" is {value!r:.40}; it is one of {names}')
    return value


def player_from_json(data: Mapping[str, Any], key: str) -> Player | None:
    """The player whom a key names; None for null and where it is not there."""
    value = choice_from_json(data, key, (None, *Player))
    return None if value is None else Player(value)


def rules_from_json(data: Mapping[str, Any], rules: Rules) -> Rules:
    """The rules that an object states by its code or its `draw` and `scoring`, else `rules`.

    Raises `DealError` for what is no rule of the game, and if it contradicts its code.
    """
    if data.get("game", GAME) != GAME:
        raise DealError(f'"game" is {data["game"]!r:.40}; the game for two is {GAME}')
    code = data.get("code")
    stated = rules if code is None else VersusCode.parse(str(code)).rules
    draw, scoring = data.get("draw", stated.draw), data.get("scoring", stated.scoring)
    if draw not in (1, 3) or scoring not in tuple(Scoring):
        raise DealError(f"no rules: draw is 1 or 3, scoring N or V; not {draw!r}, {scoring!r}")
    if code is not None and (draw, scoring) != (stated.draw, stated.scoring):
        raise DealError(f"the file contradicts itself: it is for {code}, draw {draw}, {scoring}")
    return rules_for(GAME, draw, scoring)


def table_from_json(data: Mapping[str, Any], rules: Rules) -> Table:
    """The checked table of an object: of its `deal`, or else of its `code`.

    It is the turn of whom `to_move` or `first` says, A's if neither does, or of both where the
    style is simultaneous. `DealError` says which player's cards are wrong.
    """
    deal = data.get("deal", data)
    if not isinstance(deal, dict) or not any(player in deal for player in Player):
        if data.get("code") is None or "deal" in data:
            raise DealError('no deal for two: it needs "code", or "deal" with A\'s and B\'s cards')
        deals = VersusCode.parse(str(data["code"])).deals()
        return Table.start(deals, _to_move(data, {}))
    sides = [_side(deal, player, rules) for player in Player]
    # Beside moves stands the last play at their end.
    last = player_from_json(deal if "last" in deal or "moves" in data else data, "last")
    table = Table((sides[0], sides[1]), _to_move(data, deal), last)
    table.check(rules)
    return table


def _to_move(data: Mapping[str, Any], deal: Mapping[str, Any]) -> Player | None:
    if choice_from_json(data, "style", STYLES) == AT_ONCE:
        return None
    said = player_from_json(deal, "to_move") or player_from_json(data, "to_move")
    return said or player_from_json(data, "first") or Player.A


def _side(deal: Mapping[str, Any], player: Player, rules: Rules) -> Side:
    data = deal.get(player)
    try:
        if not isinstance(data, dict) or "columns" not in data:
            raise DealError('no cards; they are {"columns": …, "stock": …}')
        columns = tuple(piles_from_json(data["columns"], "columns"))
        stock = cards_from_json(data.get("stock", []), "stock")
        waste = cards_from_json(data.get("waste", []), "waste")
        recycles = number_from_json(data.get("recycles", 0), "recycles")
        sizes = [len(column) for column in columns]
        if "hidden" in data:
            hidden = tuple(numbers_from_json(data["hidden"], "hidden"))
        elif sizes == list(range(1, rules.columns + 1)) and not waste:
            hidden = Side.start(Deal(columns, stock)).hidden
        elif all(map(is_run, columns)):
            hidden = (0,) * len(columns)
        else:
            raise DealError('a game under way must mark its face-down cards by "hidden"')
        side = Side(columns, hidden, stock, waste, recycles)
        side.check(rules)
        return side
    except DealError as error:
        raise DealError(f"{player}: {error}") from None


def table_json(table: Table, rules: Rules) -> dict[str, Any]:
    """Undo `table_from_json`: the sides and whose turn it is, and the rules."""
    deal: dict[str, Any] = {
        str(player): _side_json(side) for player, side in zip(Player, table.sides, strict=True)
    }
    if table.to_move is not None:
        deal["to_move"] = str(table.to_move)
    if table.last is not None:
        deal["last"] = str(table.last)
    style = AT_ONCE if table.to_move is None else IN_TURNS
    return {
        "deal": deal,
        "game": GAME,
        "draw": rules.draw,
        "scoring": rules.scoring.value,
        "style": style,
    }


def _side_json(side: Side) -> dict[str, Any]:
    return {
        "columns": [texts(column) for column in side.columns],
        "hidden": list(side.hidden),
        "stock": texts(side.stock),
        "waste": texts(side.waste),
        "recycles": side.recycles,
    }


def table_text(table: Table, rules: Rules) -> str:
    """The table as a person types it (`notation/typed.py`), ended by a newline."""
    return "".join(f"{line}\n" for line in _typed_lines(table, rules))


def _typed_lines(table: Table, rules: Rules) -> Iterator[str]:
    for player, side in zip(Player, table.sides, strict=True):
        yield f"{player}:"
        yield from layout_lines(side.columns, side.hidden, side.waste, side.stock)
        if side.recycles:
            yield f"recycles: {side.recycles}"
    yield from (f"game: {GAME}", f"draw: {rules.draw}", f"scoring: {rules.scoring}")
    yield f"style: {AT_ONCE}" if table.to_move is None else f"to move: {table.to_move}"
    if table.last is not None:
        yield f"last: {table.last}"
