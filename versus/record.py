"""Records of games for two: the deal, the rules of the table, the moves, and what they came to.

A record is a JSON object (`write_record`) or a plain list of moves such as `A 3>F`. One that breaks
off in the middle is read up to there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..engine.errors import DealError, MoveError
from ..engine.rules import Rules
from ..notation.formats import clean, json_object, json_text, object_in
from .codes import VersusCode
from .game import Action, End, House, Player, Table, VersusGame, parse_action
from .positions import (
    AT_ONCE,
    IN_TURNS,
    choice_from_json,
    player_from_json,
    rules_from_json,
    table_from_json,
    table_json,
)

CUT_OFF = "the record is cut off; it is read up to there"
LATE = "late"
LONGEST = 86_400
"""Seconds that a time in a record is at most: a day."""
_TIME = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Step:
    """A line of a record."""

    player: Player
    action: Action
    time: str | None = None
    """Seconds since the start, where both move at once."""
    is_late: bool = False
    """Whether it came too late and was refused."""

    @classmethod
    def parse(cls, text: str) -> "Step":
        """Read a line such as `A 3>F`, `12.340 A 3>F` or `12.410 B 2>F late`, or `MoveError`."""
        words = text.split()
        time = words.pop(0) if words and _TIME.fullmatch(words[0]) else None
        is_late = bool(words) and words[-1].lower() == LATE
        player, action = parse_action(" ".join(words[:-1] if is_late else words))
        return cls(player, action, time, is_late)

    def __str__(self) -> str:
        """The line."""
        words = [self.time, self.player, self.action, LATE if self.is_late else None]
        return " ".join(str(word) for word in words if word is not None)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game: where it began, by which rules, its moves, and what is said of how it stands."""

    rules: Rules
    table: Table
    house: House = field(default_factory=House)
    code: VersusCode | None = None
    players: tuple[str | None, str | None] = (None, None)
    """Who played A and B; None where nobody says."""
    steps: tuple[Step, ...] = ()
    stated: Mapping[str, Any] = field(default_factory=dict)
    """What the record says of the end: `up`, `last`, `winner`, `end`, where it does."""
    hints: tuple[int, ...] | None = None
    """Before which moves, counted from 0, a hint was asked for; None where hints were off."""
    seed: int = 0
    """Of the computer players' chance."""
    pace: float | None = None
    """Seconds a card of the computer player, where both move at once."""
    clock: float | None = None
    """Seconds without progress after which a game ends where both move at once; None: never."""
    is_cut: bool = False
    """Whether the text broke off."""

    def start(self) -> VersusGame:
        """The game before the first move."""
        return VersusGame(self.rules, self.table, self.house)

    def play(self) -> VersusGame:
        """The game after all moves; `MoveError` names the first that is illegal, from 1."""
        game = self.start()
        for number, step in enumerate(self.steps, 1):
            try:
                play_step(game, step)
            except MoveError as error:
                line = f"{step.player} {step.action}"
                raise MoveError(f"illegal at move {number} ({line}): {error}") from None
        return game


def play_step(game: VersusGame, step: Step) -> None:
    """Play a line of a record; one that came too late must be refused. Raises `MoveError`."""
    if not step.is_late:
        game.play(step.player, step.action)
    elif game.refusal(step.player, step.action) is None:
        raise MoveError("it is called late, but the rules do not refuse it")


def read_record(text: str, rules: Rules, table: Table | None = None) -> GameRecord:
    """Read a record.

    `rules` and `table` are those of a plain list of moves, which has none itself (`DealError`
    without them), and of an object that does not say them. Raises a `ValueError` of this package
    that says where something is wrong.
    """
    text = clean(text)
    if not text.lstrip().startswith("{") and not object_in(text):
        if table is None:
            raise DealError("a plain list does not say its deal; give a code before it")
        steps, is_cut = read_steps(text)
        return GameRecord(rules, table, steps=steps, is_cut=is_cut)
    data, is_cut = _object(text)
    rules = rules_from_json(data, rules)
    if table is None or "deal" in data or "code" in data:
        table = table_from_json(data, rules)
    moves = data.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise MoveError('"moves" must be a list of moves such as "A 3>F"')
    return GameRecord(
        rules,
        table,
        House(
            choice_from_json(data, "turn", ("draw", "fits")) == "fits",
            choice_from_json(data, "play_on", (False, True)),
            choice_from_json(data, "solo_clear", (False, True)),
            choice_from_json(data, "draw_a", (None, 1, 3)),
            choice_from_json(data, "draw_b", (None, 1, 3)),
            _whole(data, "ahead_a", 52),
            _whole(data, "ahead_b", 52),
        ),
        None if data.get("code") is None else VersusCode.parse(str(data["code"])),
        _players(data),
        tuple(_numbered(moves)),
        {} if is_cut else _stated(data),
        _hints(data),
        _whole(data, "seed", 2**63 - 1),
        _seconds(data, "pace"),
        _seconds(data, "clock"),
        is_cut,
    )


def read_steps(text: str) -> tuple[tuple[Step, ...], bool]:
    """The moves of a plain list, parted by line ends or commas, and whether its end is missing.

    A line end makes a line whole; what stands after the last one may be half a line.
    """
    lines = [line.strip() for line in re.split(r"[\n,]", text)]
    steps: list[Step] = []
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            steps.append(Step.parse(line))
        except MoveError as error:
            if number == len(lines):
                return tuple(steps), True
            raise MoveError(f"line {number}: {error}") from None
    return tuple(steps), False


def _numbered(moves: Iterable[str]) -> Iterator[Step]:
    for number, move in enumerate(moves, 1):
        try:
            yield Step.parse(move)
        except MoveError as error:
            raise MoveError(f"move {number}: {error}") from None


def _object(text: str) -> tuple[dict[str, Any], bool]:
    """The JSON object, and whether the text broke off in it; then it is read up to there."""
    try:
        return object_in(text) or json_object(text), False
    except DealError:
        for whole in _closed(text):
            try:
                return json_object(whole), True
            except DealError:
                continue
        raise


def _closed(text: str) -> Iterator[str]:
    """The text with what is open closed: all of it, and up to the last comma; none if all is."""
    closers: list[str] = []
    is_text = is_escaped = False
    at_comma = None
    for index, sign in enumerate(text):
        if is_text:
            is_text, is_escaped = sign != '"' or is_escaped, sign == "\\" and not is_escaped
        elif sign == '"':
            is_text = True
        elif sign in "{[":
            closers.append("}" if sign == "{" else "]")
        elif sign in "}]" and closers:
            closers.pop()
        elif sign == ",":
            at_comma = text[:index] + "".join(reversed(closers))
    if not closers and not is_text:
        return
    yield text + "".join(reversed(closers))
    if at_comma is not None:
        yield at_comma


def _players(data: Mapping[str, Any]) -> tuple[str | None, str | None]:
    names = data.get("players", {})
    if not isinstance(names, dict):
        raise DealError('"players" must be an object such as {"A": "person", "B": "strong"}')
    a, b = (names.get(player) for player in Player)
    return (None if a is None else str(a)), (None if b is None else str(b))


def _stated(data: Mapping[str, Any]) -> dict[str, Any]:
    """What is said of the end, in the types of the referee."""
    stated: dict[str, Any] = {}
    up = data.get("up")
    if up is not None:
        if not isinstance(up, dict) or any(type(up.get(player)) is not int for player in Player):
            raise DealError('"up" must be an object such as {"A": 31, "B": 27}')
        stated["up"] = tuple(up[player] for player in Player)
    if "moves" in data:
        for key in ("last", "winner"):
            if data.get(key) is not None:
                stated[key] = player_from_json(data, key)
    end = choice_from_json(data, "end", (None, *End))
    if end is not None:
        stated["end"] = End(end)
    return stated


def _hints(data: Mapping[str, Any]) -> tuple[int, ...] | None:
    hints = data.get("hints")
    if hints is None:
        return None
    if not isinstance(hints, list) or any(type(number) is not int for number in hints):
        raise DealError('"hints" must be a list of whole numbers')
    return tuple(hints)


def _whole(data: Mapping[str, Any], key: str, most: int) -> int:
    number = data.get(key, 0)
    if type(number) is not int or not 0 <= number <= most:
        raise DealError(f'"{key}" must be a whole number from 0 to {most}')
    return number


def _seconds(data: Mapping[str, Any], key: str) -> float | None:
    seconds = data.get(key)
    if seconds is None:
        return None
    if type(seconds) not in (int, float) or not 0 < seconds <= LONGEST:
        raise DealError(f'"{key}" must be seconds, more than 0 and {LONGEST} at most')
    return float(seconds)


def write_record(record: GameRecord, game: VersusGame) -> str:
    """The record as JSON, a key a line, with the game as it stands after the moves."""
    table = record.table
    if record.code is not None:
        data: dict[str, Any] = {
            "code": str(record.code),
            "style": AT_ONCE if table.to_move is None else IN_TURNS,
        }
    else:
        data = table_json(table, record.rules)
    data["turn"] = "fits" if record.house.fits else "draw"
    if record.house.play_on:
        data["play_on"] = True
    if record.house.solo_clear:
        data["solo_clear"] = True
    for key in ("draw_a", "draw_b", "ahead_a", "ahead_b"):
        if getattr(record.house, key):
            data[key] = getattr(record.house, key)
    for key in ("pace", "clock"):
        if getattr(record, key) is not None:
            data[key] = getattr(record, key)
    if table.to_move is not None:
        data["first"] = str(table.to_move)
    data["players"] = dict(zip(map(str, Player), record.players, strict=True))
    if record.hints is not None:
        data["hints"] = list(record.hints)
    data |= {
        "seed": record.seed,
        "moves": list(map(str, record.steps)),
        "up": {str(player): game.up(player) for player in Player},
        "last": None if game.last is None else str(game.last),
        "winner": None if game.winner is None else str(game.winner),
        "end": None if game.end is None else str(game.end),
    }
    return json_text(data)
