"""Deals, positions and records of the game for two, as `show`, `verify` and `perft` take them."""

from collections.abc import Callable, Iterable
from functools import partial

import click

from ..engine.errors import DealError, MoveError
from ..engine.formats import clean, object_in
from ..engine.rules import Rules, rules_for
from ..versus.codes import GAME, VersusCode
from ..versus.game import End, Player, Table, VersusGame
from ..versus.positions import is_table
from ..versus.record import CUT_OFF, GameRecord, read_record
from .deals import file_title, note, read_text
from .output import FAILED, flush, write

NO_PROOF = "the file says that both are dead; that cannot be proved of the position"


def holds_two(text: str) -> bool:
    """Whether a text is JSON about this game, also one that breaks off, or two typed layouts."""
    text = clean(text).lstrip()
    try:
        return is_table(object_in(text))
    except DealError:
        mark = '"{}"' if text.startswith("{") else "\n{}:"
        players = all(mark.format(player) in f"\n{text}" for player in Player)
        return players or mark.format(GAME) in text


def code_for_two(word: str) -> VersusCode:
    """The deal of an argument; a wrong one is a usage error."""
    try:
        return VersusCode.parse(word)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def record_of(code: VersusCode) -> GameRecord:
    """The game of a deal before its first move."""
    return GameRecord(code.rules, Table.start(code.deals()), code=code)


def load_record(
    path: str, rules: Rules, before: GameRecord | None = None, text: str | None = None
) -> GameRecord:
    """The record in a file, with a note if it is cut off; `text` is what was read from it.

    A plain list of moves is played from the table of `before`, which a record must not contradict.
    """
    if text is None:
        text = read_text(path)
    if before is not None:
        rules = before.rules
    rules = rules_for(GAME, rules.draw, rules.scoring)
    record = read_record(text, rules, None if before is None else before.table)
    if before is not None and record.table != before.table:
        name = before.code or "the deal given"
        raise MoveError(f"the file holds moves for another deal than {name}")
    if record.is_cut:
        note(f"note: {file_title(path)}: {CUT_OFF}, {_moves(len(record.steps))}")
    return record


def _moves(count: int) -> str:
    return "1 move" if count == 1 else f"{count} moves"


def show_two(
    codes: Iterable[str],
    files: Iterable[str],
    after: str | None,
    rules: Rules,
    show: Callable[[str, Rules, Table], None],
) -> None:
    """Hand the tables of codes and of files to `show`; of a record, as it stands after the moves.

    Before a table go its title and its rules.
    """
    records = [(word, record_of(code_for_two(word))) for word in codes]
    records += [(file_title(path), load_record(path, rules)) for path in files]
    for name, record in records:
        game = record.play()
        count = len(record.steps)
        if after is not None:
            start = GameRecord(record.rules, game.table(), record.house)
            later = load_record(after, record.rules, start)
            game, count = later.play(), count + len(later.steps)
        title = str(record.code or name) + (f" after {_moves(count)}" if count else "")
        show(title, record.rules, game.table())
        flush()


def verify_two(path: str, text: str, code: str | None, deal_file: str | None, rules: Rules) -> int:
    """Replay a record, or a list of moves from a code or from a file with the cards."""
    before = None
    if code is not None:
        before = record_of(code_for_two(code))
    elif deal_file is not None:
        before = load_record(deal_file, rules)
    record = load_record(path, rules, before, text)
    try:
        game = record.play()
    except MoveError as error:
        write(f"{error}\n")
        return FAILED
    wrong = _wrong(record, game)
    if wrong is not None:
        write(f"{wrong}\n")
        return FAILED
    a, b = (game.up(player) for player in Player)
    write(f"accepted: {_moves(len(record.steps))}, up {a}:{b}, {outcome(game)}\n")
    return 0


def outcome(game: VersusGame) -> str:
    """How a game ended, in words; or whose turn it is."""
    if game.end is not None:
        return f"{game.winner} wins ({game.end})" if game.winner else f"no winner ({game.end})"
    return "not over" if game.turn is None else f"not over, {game.turn} to move"


def _wrong(record: GameRecord, game: VersusGame) -> str | None:
    """What the record says of the end that the rules do not give; the game ends as it may say."""
    stated = record.stated
    end = stated.get("end")
    if game.end is None and end is End.DEAD:
        from ..versus.facts import Facts

        if not Facts(record.rules, record.house).are_both_dead(game.table()):
            return NO_PROOF
        game.finish(End.DEAD)
    elif game.end is None and end is End.CLOCK and game.turn is None:
        game.finish(End.CLOCK)
    ups = tuple(game.up(player) for player in Player)
    for name, found in (
        ("end", game.end),
        ("up", ups),
        ("last", game.last),
        ("winner", game.winner),
    ):
        said = stated.get(name)
        if said not in (None, found):
            return f"wrong {name}: the file says {_text(said)}, the rules give {_text(found)}"
    return None


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ":".join(map(str, value))
    return "none" if value is None else str(value)


def perft_two(word: str, depth: int, divide: bool) -> None:
    """Print the counts of sequences of a deal for two, in which a pass is a move."""
    from ..versus.perft import perft
    from .threads import apart

    record = record_of(code_for_two(word))
    count = partial(perft, record.rules, record.table, record.house)
    if not divide:
        for d in range(1, depth + 1):
            write(f"{d} {apart(partial(count, d))}\n")
            flush()
        return
    total = 0
    for action in record.start().legal(Player.A):
        below = apart(partial(count, depth - 1, (action,)))
        total += below
        write(f"{action} {below}\n")
        flush()
    write(f"total {total}\n")
