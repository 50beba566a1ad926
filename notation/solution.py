"""Lists of moves as text: the solution file, and the lines that are printed for a person."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ..engine.cards import card_sign, card_text, parse_card, suit_of
from ..engine.codes import DealCode
from ..engine.deal import Position
from ..engine.dealing import deal_number
from ..engine.errors import DealError, MoveError
from ..engine.layout import Layout
from ..engine.moves import DRAW_MOVE, RECYCLE_MOVE, WASTE_UP_MOVE, Kind, Move, parse_move
from ..engine.referee import Game
from ..engine.rules import Rules, rules_for
from .formats import (
    clean,
    is_json,
    json_object,
    position_from_json,
    stated_rules,
)
from .placed import Placed, parsed, place, words

DEFAULT_GAME = "DS1"
Written = tuple[Move, int | None]
"""A move as a text has it, and the card that its printed line names; None where it names none."""

_HEAD = re.compile(
    r"\ufeff?(?P<deal>\S.*?)(?: after (?P<after>\d+) moves?)? (?:(?:unwinnable|unknown) \(.*\)|"
    r"(?:winnable|best score \S.*): (?P<moves>\d+) moves?, score -?\$?\d+(?:, (?:not )?won)?)\s*"
)
"""What `solve` and `score` print above a list of moves."""
_NUMBERED = re.compile(
    r"\s*(?P<first>\d+)(?:[–-](?P<last>\d+))?[.)]\s+(?P<text>.*?)"
    r"(?:,\s*(?:tap|double tap|drag))?(?:;\s*turns\s+up\s+\S+)?\s*"
)
_CONTINUED = re.compile(r"\s+(?P<text>[^\s|].*)")
"""The rest of a line that was too long for the terminal; boards between the lines have a `|`."""
_STOCK_LINE = re.compile(
    r"(draw|recycle)(?:\s+\((?:[^()]*,\s*(?P<card>\S+)\s+on\s+top|[^()]*)\))?"
    r"(?:\s+[—-]\s+pass\s+\d+)?",
    re.IGNORECASE,
)
_DRAWS = re.compile(r"draw\s+(?P<count>\d{1,4})\s+times\s+\((?P<cards>[^()]*)\)", re.IGNORECASE)
_REST = re.compile(r"the\s+rest\s+goes\s+up\s+\(columns?\s+(?P<sources>[^()]*)\)", re.IGNORECASE)
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


def read_solution(text: str) -> Solution:
    """Read a solution file. Raises a `ValueError` of this package for what is none."""
    data = json_object(clean(text))
    score, won = data.get("score"), data.get("won")
    if not isinstance(score, int | None) or isinstance(score, bool):
        raise DealError('"score" must be a whole number')
    if not isinstance(won, bool | None):
        raise DealError('"won" must be true or false')
    moves = _moves_in(data)
    if data.get("code") is not None and "deal" not in data:
        code = DealCode.parse(str(data["code"]))
        start = Position.start(code.rules, deal_number(code.rules, code.number))
        return Solution(code.rules, start, moves, score, won, code)
    states_rules = data.get("code") is not None or {"draw", "scoring"} <= data.keys()
    if "deal" not in data or not states_rules:
        raise DealError('no solution file: it needs "code", or "deal", "draw" and "scoring"')
    rules = stated_rules(data, rules_for(DEFAULT_GAME, 1, "N"))
    return Solution(rules, position_from_json(data["deal"], rules), moves, score, won)


def read_lines(text: str, before: int = 0) -> tuple[Written, ...]:
    """The moves in a solution file, in a list of the notation, or in printed lines.

    Where a text holds lines with numbers (`17. 9♥ column 5 → column 3 (4 cards)`, or
    `18–21. draw 4 times (3♥, K♠, 2♦, 9♣)`), the others are passed over: they are what a command
    printed around them. The numbers begin with 1 or go on from those of the moves `before`. Raises
    `MoveError` for what is no move and for a gap in the numbers.
    """
    heads = [_HEAD.fullmatch(line) for line in text.strip().splitlines()]
    if all(head and head["moves"] == "0" for head in heads):
        return ()
    text = clean(text)
    if is_json(text):
        return _unnamed(_moves_in(json_object(text)))
    lines: list[Written] = []
    expected = 1
    for number, (first, last, line) in enumerate(_numbered(text)):
        if number == 0 and first == before + 1:
            expected = first
        if first != expected:
            raise MoveError(f"move {expected} is missing from the list; {first} stands there")
        moves = parsed(_moves_of, line)
        if len(moves) != last + 1 - first:
            raise MoveError(
                f"{place(text, line.at)}: the number of the line is for {last + 1 - first} moves, "
                f"the line has {len(moves)}"
            )
        lines += moves
        expected = last + 1
    if not lines:
        return _unnamed(parsed(parse_move, word) for word in words(text))
    return tuple(lines)


def _numbered(text: str) -> Iterator[tuple[int, int, Placed]]:
    """The lines with numbers, each with its first and its last number."""
    found: list[tuple[int, int, Placed]] = []
    whole = ""
    for line in re.finditer("[^\n]+", text):
        more = _CONTINUED.fullmatch(line[0])
        is_first = _NUMBERED.fullmatch(line[0]) is not None
        if not is_first and not (whole and more):
            whole = ""
            continue
        whole = line[0] if is_first or more is None else f"{whole} {more['text']}"
        match = _NUMBERED.fullmatch(whole)
        assert match is not None
        at = line.start() + match.start("text") if is_first else found.pop()[2].at
        first, last = int(match["first"]), int(match["last"] or match["first"])
        found.append((first, last, Placed(match["text"], text, at)))
    yield from found


def _moves_of(text: str) -> list[Written]:
    """The moves of a printed line, mostly one."""
    draws, rest = _DRAWS.fullmatch(text), _REST.fullmatch(text)
    if draws is not None:
        tops = [parse_card(word) for word in draws["cards"].split(",")]
        if len(tops) != int(draws["count"]):
            raise MoveError(f"{draws['count']} draws, but {len(tops)} cards")
        return [(DRAW_MOVE, top) for top in tops]
    if rest is not None:
        return [(parse_move(f"{source.strip()}>F"), None) for source in rest["sources"].split(",")]
    return [(parse_line(text), _card_in(text))]


@dataclass(frozen=True, slots=True)
class Head:
    """What `solve` or `score` says of a list of moves in the line above it."""

    deal: str
    """The code or the name of the deal."""
    after: int
    """How many moves of the game come before the list."""
    has_list: bool
    """Whether a list follows; none does where a deal is not won."""

    @classmethod
    def of(cls, text: str) -> "Head | None":
        """The first head in a text; None where it has none."""
        found = next(filter(None, map(_HEAD.fullmatch, text.splitlines())), None)
        if found is None:
            return None
        return cls(found["deal"], int(found["after"] or 0), found["moves"] is not None)


def lists_in(text: str) -> Iterator[tuple[int, str]]:
    """The lists of moves in what `solve` or `score` printed, as text or JSON, of one deal or more.

    Each is a text for `read_lines`, with the number of lines before it.
    """
    lines = text.split("\n")
    is_head = re.compile(r"\{.*").fullmatch if is_json(clean(text)) else _HEAD.fullmatch
    starts = [at for at, line in enumerate(lines) if is_head(line)]
    if len(starts) < 2:
        yield 0, text
        return
    for start, end in pairwise([*starts, len(lines)]):
        yield start, "\n".join(lines[start:end])


def _unnamed(moves: Iterable[Move]) -> tuple[Written, ...]:
    return tuple((move, None) for move in moves)


def _card_in(line: str) -> int | None:
    """The card that a printed line names."""
    match = _STOCK_LINE.fullmatch(line) or _CARD_LINE.fullmatch(line)
    return parse_card(match["card"]) if match and match["card"] else None


def play_lines(rules: Rules, position: Position, lines: Iterable[Written], first: int = 1) -> Game:
    """The game after a list of moves, each of which moves the card that its line names.

    `MoveError` names the first line, counted from `first`, that is illegal or means another card.
    """
    game = Game(rules, position)
    for number, (move, said) in enumerate(lines, first):
        card = moved_card(move, game)
        try:
            if said is not None and card is not None and said != card:
                raise MoveError(
                    f"the line says {card_text(said)}, the card there is {card_text(card)}"
                )
            game.play(move)
        except MoveError as error:
            raise MoveError(f"illegal at move {number}: {error}") from None
    return game


def moved_card(move: Move, game: Layout) -> int | None:
    """The card that a move of the game is about, before it is played; None where none lies there.

    Of a run it is the lowest card, of a draw the one that will lie on top.
    """
    pile: Sequence[int] = ()
    depth = 1
    match move.kind:
        case Kind.DRAW:
            pile = game.stock[: game.rules.draw]
        case Kind.WASTE_TO_FOUNDATION | Kind.WASTE_TO_COLUMN:
            pile = game.waste
        case Kind.COLUMN_TO_FOUNDATION | Kind.COLUMN_TO_COLUMN:
            pile = game.columns[move.source] if move.source < len(game.columns) else ()
            depth = move.count
        case Kind.TAKE_BACK if not game.foundations.give_back_refusal(move.source, move.count):
            pile = (game.foundations.top(move.source, move.count),)
    return pile[-depth] if depth <= len(pile) else None


def parse_line(text: str) -> Move:
    """Undo `describe`, its signs in ASCII or not; the notation is read too. Raises `MoveError`."""
    stock = _STOCK_LINE.fullmatch(text.strip())
    if stock is not None:
        return DRAW_MOVE if stock[1].lower() == "draw" else RECYCLE_MOVE
    match = _CARD_LINE.fullmatch(text.strip())
    if match is None:
        return parse_move(text)
    source, number, column = match["source"].lower(), match["number"], match["column"]
    index = int(number or 0) - 1
    target = int(column or 0) - 1
    if (source == "waste") == (number is None):
        if source == "waste":
            return Move(Kind.WASTE_TO_COLUMN, 0, target) if column else WASTE_UP_MOVE
        if source == "foundation" and column:
            return Move(Kind.TAKE_BACK, suit_of(parse_card(match["card"])), target, index + 1)
        if source == "column" and column:
            return Move(Kind.COLUMN_TO_COLUMN, index, target, int(match["count"] or 1))
        if source == "column":
            return Move(Kind.COLUMN_TO_FOUNDATION, index)
    raise MoveError(f"{text.strip()!r} is no move; a line reads 9♥ column 5 → column 3 (4 cards)")


def describe(move: Move, game: Game) -> str:
    """A legal move of the game, before it is played, as a line for a person.

    For example `9♥ column 5 → column 3 (4 cards)`.
    """
    card = moved_card(move, game)
    name = "" if card is None else card_sign(card)
    match move.kind:
        case Kind.DRAW:
            return f"draw ({_cards(len(game.stock[: game.rules.draw]))}, {name} on top)"
        case Kind.RECYCLE:
            return f"recycle ({_cards(len(game.waste))})"
        case Kind.WASTE_TO_FOUNDATION:
            return f"{name} waste → foundation"
        case Kind.WASTE_TO_COLUMN:
            return f"{name} waste → column {move.target + 1}"
        case Kind.COLUMN_TO_FOUNDATION:
            return f"{name} column {move.source + 1} → foundation"
        case Kind.COLUMN_TO_COLUMN:
            where = f"column {move.source + 1} → column {move.target + 1}"
            return f"{name} {where} ({_cards(move.count)})"
        case Kind.TAKE_BACK:
            return f"{name} foundation {move.count} → column {move.target + 1}"


def printed_lines(
    rules: Rules,
    position: Position,
    moves: Iterable[Move],
    gestures: bool = False,
    first: int = 1,
) -> Iterator[str]:
    """The numbered lines of a list of moves that `replay` has accepted, from number `first`.

    With `gestures` each line also says whether to tap, double tap or drag.
    """
    game = Game(rules, position)
    for number, move in enumerate(moves, first):
        gesture = f", {game.gesture(move)}" if gestures else ""
        yield f"{number}. {describe(move, game)}{gesture}"
        game.play(move)


def _cards(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _moves_in(data: dict[str, Any]) -> tuple[Move, ...]:
    moves = data.get("moves")
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise MoveError('"moves" must be a list of moves such as "W>3"')
    return tuple(parsed(parse_move, move) for move in moves)
