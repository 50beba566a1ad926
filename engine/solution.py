"""Lists of moves as text: the solution file, and the lines that are printed for a person."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from .cards import card_of, card_sign, card_text, parse_card, suit_of
from .codes import DealCode
from .deal import Position
from .dealing import deal_number
from .errors import DealError, MoveError
from .formats import clean, json_object, json_text, position_from_json, position_json
from .moves import DRAW, RECYCLE, WASTE_TO_FOUNDATION, Kind, Move, parse_move
from .referee import Game, replay
from .rules import Rules, rules_for

DEFAULT_GAME = "DS1"
_NUMBERED = re.compile(r"\s*(\d+)[.)]\s+(.*?)(?:,\s*(?:tap|double tap|drag))?\s*")
_STOCK_LINE = re.compile(r"(draw|recycle)(?:\s+\(.*\))?", re.IGNORECASE)
_CARD_LINE = re.compile(
    r"(?P<card>\S+)\s+(?P<source>waste|column|foundation)(?:\s+(?P<number>[1-9]))?\s+(?:→|->)\s+"
    r"(?P<target>foundation|column\s+(?P<column>[1-9]))(?:\s+\((?P<count>\d+)\s+cards?\))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Solution:
    """A deal or position, moves from it, and what the file says they come to."""

    rules: Rules
    position: Position
    moves: tuple[Move, ...]
    score: int | None
    """Points or dollars after the last move; None where the file does not say."""
    won: bool | None
    """Whether all cards are up at the end; None where the file does not say."""
    code: DealCode | None = None
    """The code of the deal, if it has one."""

    @classmethod
    def played(
        cls, rules: Rules, position: Position, moves: Iterable[Move], code: DealCode | None = None
    ) -> "Solution":
        """The solution with score and outcome as the referee finds them; `MoveError` if illegal."""
        moves = tuple(moves)
        end = replay(rules, position, moves)
        return cls(rules, position, moves, end.score, end.won, code)


def write_solution(solution: Solution) -> str:
    """The solution file of `rules.md` section 6, as JSON."""
    rules = solution.rules
    data: dict[str, Any] = {}
    if solution.code is not None:
        data["code"] = str(solution.code)
    else:
        if rules.game != DEFAULT_GAME:
            data["game"] = rules.game
        data["deal"] = position_json(solution.position, rules)
        data |= {"draw": rules.draw, "scoring": str(rules.scoring)}
    data["moves"] = [str(move) for move in solution.moves]
    data |= {"score": solution.score, "won": solution.won}
    return json_text({key: value for key, value in data.items() if value is not None})


def read_solution(text: str) -> Solution:
    """Read a solution file. Raises a `ValueError` of this package for what is none."""
    data = json_object(clean(text))
    score, won = data.get("score"), data.get("won")
    if not isinstance(score, int | None) or isinstance(score, bool):
        raise DealError('"score" must be a whole number')
    if not isinstance(won, bool | None):
        raise DealError('"won" must be true or false')
    moves = _moves_in(data)
    if "code" in data and "deal" not in data:
        code = DealCode.parse(str(data["code"]))
        start = Position.start(code.rules, deal_number(code.rules, code.number))
        return Solution(code.rules, start, moves, score, won, code)
    if not {"deal", "draw", "scoring"} <= data.keys():
        raise DealError('no solution file: it needs "code", or "deal", "draw" and "scoring"')
    rules = rules_for(data.get("game", DEFAULT_GAME), data["draw"], data["scoring"])
    return Solution(rules, position_from_json(data["deal"], rules), moves, score, won)


def read_moves(text: str) -> tuple[Move, ...]:
    """The moves in a solution file, in a list of the notation, or in printed lines.

    Where a text holds lines with numbers (`17. 9♥ column 5 → column 3 (4 cards)`), the others
    are passed over: they are what a command printed around them. Raises `MoveError` for what
    is no move and for a gap in the numbers.
    """
    text = clean(text)
    if text.startswith("{"):
        return _moves_in(json_object(text))
    numbered = [match for match in map(_NUMBERED.fullmatch, text.split("\n")) if match]
    if not numbered:
        return tuple(map(parse_move, text.split()))
    for expected, match in enumerate(numbered, 1):
        if int(match[1]) != expected:
            raise MoveError(f"move {expected} is missing from the list; {match[1]} stands there")
    return tuple(parse_line(match[2]) for match in numbered)


def parse_line(text: str) -> Move:
    """Undo `describe`, with signs or in ASCII; the notation is read too. Raises `MoveError`."""
    stock = _STOCK_LINE.fullmatch(text.strip())
    if stock is not None:
        return DRAW if stock[1].lower() == "draw" else RECYCLE
    match = _CARD_LINE.fullmatch(text.strip())
    if match is None:
        return parse_move(text)
    source, number, column = match["source"].lower(), match["number"], match["column"]
    index = int(number or 0) - 1
    target = int(column or 0) - 1
    if (source == "waste") == (number is None):
        if source == "waste":
            return Move(Kind.WASTE_TO_COLUMN, 0, target) if column else WASTE_TO_FOUNDATION
        if source == "foundation" and column:
            return Move(Kind.TAKE_BACK, suit_of(parse_card(match["card"])), target, index + 1)
        if source == "column" and column:
            return Move(Kind.COLUMN_TO_COLUMN, index, target, int(match["count"] or 1))
        if source == "column":
            return Move(Kind.COLUMN_TO_FOUNDATION, index)
    raise MoveError(f"{text.strip()!r} is no move; a line reads 9♥ column 5 → column 3 (4 cards)")


def describe(move: Move, game: Game, ascii: bool = False) -> str:
    """A legal move of the game, before it is played, as a line for a person.

    For example `9♥ column 5 → column 3 (4 cards)`, in ASCII `9H column 5 -> column 3 (4 cards)`.
    """
    name = card_text if ascii else card_sign
    arrow = "->" if ascii else "→"
    match move.kind:
        case Kind.DRAW:
            drawn = game.stock[: game.rules.draw]
            return f"draw ({_cards(len(drawn))}, {name(drawn[-1])} on top)"
        case Kind.RECYCLE:
            return f"recycle ({_cards(len(game.waste))})"
        case Kind.WASTE_TO_FOUNDATION:
            return f"{name(game.waste[-1])} waste {arrow} foundation"
        case Kind.WASTE_TO_COLUMN:
            return f"{name(game.waste[-1])} waste {arrow} column {move.target + 1}"
        case Kind.COLUMN_TO_FOUNDATION:
            card = game.columns[move.source][-1]
            return f"{name(card)} column {move.source + 1} {arrow} foundation"
        case Kind.COLUMN_TO_COLUMN:
            card = game.columns[move.source][-move.count]
            where = f"column {move.source + 1} {arrow} column {move.target + 1}"
            return f"{name(card)} {where} ({_cards(move.count)})"
        case Kind.TAKE_BACK:
            height = game.foundations[move.source * game.rules.decks + move.count - 1]
            card = card_of(height - 1, move.source)
            return f"{name(card)} foundation {move.count} {arrow} column {move.target + 1}"


def printed_lines(
    rules: Rules,
    position: Position,
    moves: Iterable[Move],
    ascii: bool = False,
    gestures: bool = False,
) -> Iterator[str]:
    """The numbered lines of a list of moves that `replay` has accepted.

    With `gestures` each line also says whether to tap, double tap or drag.
    """
    game = Game(rules, position)
    for number, move in enumerate(moves, 1):
        gesture = f", {game.gesture(move)}" if gestures else ""
        yield f"{number}. {describe(move, game, ascii)}{gesture}"
        game.play(move)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _moves_in(data: dict[str, Any]) -> tuple[Move, ...]:
    moves = data.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise MoveError('"moves" must be a list of moves such as "W>3"')
    return tuple(map(parse_move, moves))
