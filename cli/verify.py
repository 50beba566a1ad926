"""`dsol verify`: replay a list of moves by the rules."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from ..engine.deal import Position
from ..engine.errors import CodeError, MoveError
from ..engine.rules import Rules
from ..pages.words import score_text
from .deals import (
    SCHEME_NOTE,
    Asked,
    ask_for,
    ask_for_argument,
    ask_for_file,
    file_rules,
    file_title,
    fixed_rules,
    note,
    note_scheme,
    played,
    read_once,
    read_text,
)
from .options import FILE, after_option, complete_file, examples, quiet_option, rules_options
from .output import FAILED, write

if TYPE_CHECKING:
    from ..notation.solution import Head, Written


@click.command(
    epilog=examples(
        "dsol solve DS1-D1N-AAAAAAB | dsol verify DS1-D1N-AAAAAAB -",
        "dsol verify DS1-D1N-AAAAAAB so-far.txt",
        "dsol verify --deal cards.json moves.txt",
        note=SCHEME_NOTE,
    )
)
@click.argument(
    "names", nargs=-1, required=True, metavar="[CODE] FILE", shell_complete=complete_file
)
@click.option("--deal", "deal_file", type=FILE, metavar="FILE", help="File with the cards dealt.")
@after_option
@rules_options
@quiet_option
@click.pass_context
def verify(
    context: click.Context,
    names: tuple[str, ...],
    deal_file: str | None,
    after: str | None,
    rules: Rules,
    quiet: bool,
) -> int:
    """Replay the moves in FILE by the rules.

    FILE is what `dsol solve` or `dsol score` printed, as text or with --json, of one deal
    or of many; a solution file; or a list of moves such as "draw W-3 5-3x4". CODE or --deal
    is only needed for such a list, which does not say its deal, and must agree with what
    FILE says. The moves of a solution file start at the position that it states, if it
    does. An illegal move, or a score that the file states and the rules do not give, ends
    with exit code 1.

    A record of a game for two, or the lines of one such as "A 3>F", is replayed by the
    rules of that game; one that is cut off, up to there.
    """
    from ..notation.formats import clean
    from ..notation.solution import lists_in, read_lines
    from ..versus.codes import is_for_two
    from .for_two import holds_two, verify_two

    *codes, path = names
    if len(codes) + (deal_file is not None) > 1:
        raise click.UsageError("give one deal, as CODE or with --deal, and one FILE of moves")
    read_once([path, deal_file, after])
    is_two = bool(codes) and is_for_two(codes[0])
    given = ask_for_argument(codes[0], rules) if codes and not is_two else None
    text = read_text(str(FILE.convert(path, None, context)))
    if not clean(text):
        raise MoveError(f"no moves in {file_title(path)}")
    if is_two or holds_two(text) or (deal_file is not None and holds_two(read_text(deal_file))):
        return verify_two(path, text, codes[0] if codes else None, deal_file, after, rules)
    if deal_file is not None:
        given = ask_for_file(deal_file, rules, fixed_rules())
    before = None if after is None else read_lines(read_text(after))
    replay = partial(_replay, given=given, is_file=not codes, before=before, rules=rules)
    lists = list(lists_in(text))
    if len(lists) == 1:
        found = replay(text)
        if not quiet:
            note_scheme(found.asked)
        write(f"{found.words}\n")
        return 0 if found.accepted else FAILED
    return _replay_all(lists, replay, file_title(path), quiet)


@dataclass(frozen=True, slots=True)
class _Replayed:
    """What became of a list of moves."""

    asked: Asked
    words: str
    accepted: bool


def _replay_all(
    lists: "list[tuple[int, str]]", replay: Callable[[str], _Replayed], title: str, quiet: bool
) -> int:
    """Replay lists one after the other, a line for each; the exit code."""
    noted, failed = quiet, False
    for lines_before, text in lists:
        name = _without_list(text)
        if name is not None:
            write(f"{name}: no list of moves\n")
            continue
        try:
            found = replay(text)
        except ValueError:
            try:
                # Once more with all in its line, as the message says where it is.
                replay("\n" * lines_before + text)
            except ValueError as error:
                note(f"{title}: the list in line {lines_before + 1}: {error}")
                failed = True
            continue
        noted = noted or note_scheme(found.asked)
        write(f"{found.asked.title}: {found.words}\n")
        failed = failed or not found.accepted
    return FAILED if failed else 0


def _without_list(text: str) -> str | None:
    """The deal of an answer that holds no list of moves, as it is not won; None if it holds one."""
    from ..engine.errors import DealError
    from ..notation.formats import object_in
    from ..notation.solution import Head

    try:
        stated = object_in(text)
    except DealError:
        return None
    if stated:
        has_none = "moves" in stated and stated["moves"] is None
        return str(stated.get("code") or "deal") if has_none else None
    head = Head.of(text)
    return head.deal if head is not None and not head.has_list else None


def _replay(
    text: str,
    given: Asked | None,
    is_file: bool,
    before: "Sequence[Written] | None",
    rules: Rules,
) -> _Replayed:
    """Play a list from the deal that is given or that it says, after the moves `before`.

    `is_file` says that the deal, if one is given, was given as a file.
    """
    from ..engine.referee import replay
    from ..notation.formats import object_in
    from ..notation.solution import Head, play_lines, read_lines

    stated = object_in(text)
    rules = file_rules(stated, rules, fixed_rules())
    head = None if stated else Head.of(text)
    asked = _deal(given, is_file, text, stated, head, rules)
    if before is not None:
        asked = played(asked, before)
    elif head is not None and head.after:
        raise MoveError(
            f"the list begins after {head.after} moves of {head.deal}; give these with --after"
        )
    start = _start(asked, stated, may_be_later=given is not None and not is_file and before is None)
    lines = read_lines(text, asked.moves_before)
    try:
        play_lines(asked.rules, start, lines, asked.moves_before + 1)
    except MoveError as error:
        return _Replayed(asked, str(error), False)
    end = replay(asked.rules, start, [move for move, _ in lines])
    for name, found in (("score", end.score), ("won", end.won)):
        if stated.get(name, found) not in (found, None):
            words = f"wrong {name}: the file says {stated[name]}, the rules give {found}"
            return _Replayed(asked, words, False)
    outcome = "won" if end.won else f"not won, {end.cards_up} of {asked.rules.cards} cards up"
    words = (
        f"accepted: {outcome}, score {score_text(asked.rules, end.score)}, {end.moves} moves "
        f"({end.draws} draws, {end.recycles} recycles, {end.waste_to_column} from waste to column, "
        f"{end.taken_back} taken back)"
    )
    return _Replayed(asked, words, True)


def _deal(
    given: Asked | None,
    is_file: bool,
    text: str,
    stated: dict[str, Any],
    head: "Head | None",
    rules: Rules,
) -> Asked:
    """The deal that was given, or that the file says; they must not contradict."""
    from ..notation.formats import stated_code, stated_rules
    from ..notation.solution import read_solution

    said = _asked_in(head, rules) if given is None or not is_file else None
    if given is not None:
        code = said.code if said is not None else stated_code(stated)
        if not is_file and code not in (given.code, None):
            raise MoveError(f"the file holds moves for {code}, not for {given.code}")
        asked = given
    elif said is not None:
        return said
    elif stated:
        solution = read_solution(text)
        number = solution.code.number if solution.code else None
        title = str(solution.code) if solution.code else str(stated.get("code") or "deal")
        return Asked(title, solution.rules, number, solution.position)
    else:
        raise click.UsageError("a plain list does not say its deal; give CODE or --deal FILE")
    ruled = stated_rules(stated, asked.rules)
    if ruled != asked.rules:
        raise MoveError(
            f"the file holds moves for {ruled.game}-{ruled.mode}, "
            f"but {asked.title} is played as {asked.rules.game}-{asked.rules.mode}"
        )
    return asked


def _asked_in(head: "Head | None", rules: Rules) -> Asked | None:
    """The deal that the line above a list names by its code or number; None if it names a file."""
    if head is None:
        return None
    try:
        return ask_for(head.deal, rules)
    except CodeError:
        return None


def _start(asked: Asked, stated: dict[str, Any], may_be_later: bool) -> Position:
    """Where the moves start: at the deal, or at the position that the solution file states.

    With `may_be_later` that can be a later one of the same deal, as the code of the file says.
    """
    from ..notation.formats import position_from_json

    dealt = asked.position()
    if "deal" not in stated:
        return dealt
    start = position_from_json(stated["deal"], asked.rules)
    if start != dealt and not (may_be_later and stated.get("code") is not None):
        raise MoveError(f"the moves in the file start from another position than {asked.title}")
    return start
