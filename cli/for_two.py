"""Deals, positions and records of the game for two, as `show`, `verify` and `perft` take them."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import click

from ..engine.errors import CodeError, DealError, MoveError
from ..engine.rules import Rules, rules_for
from ..notation.formats import clean, object_in
from ..versus.codes import GAME, VersusCode
from ..versus.game import End, Player, Table, VersusGame, outcome
from ..versus.positions import is_table
from ..versus.record import CUT_OFF, GameRecord, Step, read_record
from .deals import file_title, listed, note, read_text
from .output import FAILED, flush, write

if TYPE_CHECKING:
    from ..versus.opponent import Tried

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


def deals_for_two(words: Iterable[str], lists: Iterable[str]) -> list[VersusCode]:
    """The deals of arguments and of lists; a wrong one is an error that says where it stands."""
    codes = [code_for_two(word) for word in words]
    for path in lists:
        for number, word in listed(path):
            try:
                codes.append(VersusCode.parse(word))
            except ValueError as error:
                raise CodeError(f"{file_title(path)}: line {number}: {error}") from None
    if not codes:
        raise click.UsageError("no deal given; give codes such as DS2-D1N-AAAAAAB, or -i FILE")
    return codes


def record_of(code: VersusCode) -> GameRecord:
    """The game of a deal before its first move."""
    return GameRecord(code.rules, Table.start(code.deals()), code=code)


def begun(table: Table, first: str, is_at_once: bool) -> Table:
    """The table as it is begun: by A, B or who has the lower card, or by both at once."""
    if is_at_once:
        return table.begun_by(None)
    return table.begun_by_lower() if first == "low" else table.begun_by(Player(first))


def load_record(
    path: str, rules: Rules, before: GameRecord | None = None, text: str | None = None
) -> GameRecord:
    """The record in a file, with a note if it is cut off; `text` is what was read from it.

    A plain list of moves is played from the table of `before` by its house rules; a record has its
    own, and must not be of another table.
    """
    if text is None:
        text = read_text(path)
    if before is not None:
        rules = before.rules
    rules = rules_for(GAME, rules.draw, rules.scoring)
    record = read_record(text, rules, None if before is None else before.table)
    if before is not None and not holds_two(text):
        record = replace(record, house=before.house)
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


def verify_two(
    path: str, text: str, code: str | None, deal_file: str | None, after: str | None, rules: Rules
) -> int:
    """Replay a record, or a list of moves from a code or from a file with the cards.

    `after` is a list of the moves played before those of the list.
    """
    before = None
    if code is not None:
        before = record_of(code_for_two(code))
    elif deal_file is not None:
        before = load_record(deal_file, rules)
    if after is not None:
        if before is None:
            raise click.UsageError("--after goes on from a deal; give its CODE or --deal FILE")
        before = _joined(before, load_record(after, rules, before))
    record = load_record(path, rules, before, text)
    if after is not None and before is not None:
        record = _joined(before, record)
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


def _joined(before: GameRecord, record: GameRecord) -> GameRecord:
    """A record whose moves come after those of another one of the same deal."""
    return replace(record, steps=(*before.steps, *record.steps))


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
        below = apart(partial(count, depth - 1, (Step(Player.A, action),)))
        total += below
        write(f"{action} {below}\n")
        flush()
    write(f"total {total}\n")


def advise_two(title: str, text: str, rules: Rules, samples: int, seed: int, as_json: bool) -> None:
    """Print what the strong player has found about the moves of a position or a record."""
    from ..versus.opponent import advise_on
    from ..versus.rollouts import count_sensible, new_thinking
    from ..versus.view import read_two_view
    from .threads import apart

    view = read_two_view(text, rules_for(GAME, rules.draw, rules.scoring))
    k = new_thinking()[0]
    playouts = samples * count_sensible(view.table[0], k)
    tried = apart(lambda: advise_on(view.table[0], k, playouts, seed))
    unknown = sum(map(int, k.unseen)) if tried[0].tries else None
    if as_json:
        write(json.dumps(_advice_json(view.player, tried)) + "\n")
        return
    first = tried[0]
    lines = [f"{title}: {view.player} to move"]
    if unknown is not None:
        lines[0] += f", {unknown} cards unseen, {sum(each.tries for each in tried)} play-outs"
    lines += [f"recommended: {first.action}", f"why: {_why(tried)}"]
    if first.tries:
        lines.append(f"{'move':8}{'wins':>16}{'by cards':>18}{'play-outs':>11}")
    for each in tried if first.tries else ():
        low, high = (100 * end for end in each.interval)
        share = f"{100 * each.share:.0f} % ({low:.0f}–{high:.0f})"
        lead = f"{each.lead:+.1f} ± {each.lead_half:.1f}"
        lines.append(f"{each.action!s:8}{share:>16}{lead:>18}{each.tries:>11}")
    write("\n".join(lines) + "\n")


def _why(tried: "list[Tried]") -> str:
    """Why the first of the moves is recommended, in words."""
    first, *others = tried
    if not others:
        return "nothing else brings the game on"
    second = others[0]
    points = 100 * (first.share - second.share)
    words = f"{first.action} wins {100 * first.share:.0f} % of the games played out"
    if first.interval[0] > second.interval[1]:
        return f"{words}, {points:.0f} points more than {second.action}, the next best"
    return (
        f"{words}; {second.action} is as good as far as these samples tell "
        f"({100 * second.share:.0f} %)"
    )


def _advice_json(player: Player, tried: "list[Tried]") -> dict[str, object]:
    return {
        "to_move": str(player),
        "recommended": str(tried[0].action),
        "why": _why(tried),
        "moves": [
            {
                "move": str(each.action),
                "playouts": each.tries,
                "share": round(each.share, 4),
                "share_interval": [round(end, 4) for end in each.interval],
                "lead": round(each.lead, 2),
                "lead_half_interval": round(each.lead_half, 2),
            }
            for each in tried
        ],
    }
