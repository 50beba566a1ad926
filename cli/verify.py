"""`dsol verify`: replay a list of moves by the rules."""

from typing import Any

import click

from ..engine.deal import Position
from ..engine.errors import MoveError
from ..engine.rules import Rules
from .deals import (
    SCHEME_NOTE,
    Asked,
    ask_for_argument,
    ask_for_file,
    file_rules,
    file_title,
    fixed_rules,
    note_scheme,
    played,
    read_once,
    read_text,
)
from .options import FILE, after_option, quiet_option, rules_options
from .output import FAILED, score_text, write


@click.command(epilog=f"Note: {SCHEME_NOTE}.")
@click.argument("names", nargs=-1, required=True, metavar="[CODE] FILE")
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

    FILE is a solution file as `dsol solve --json` prints it, the numbered lines of
    `dsol solve`, or a list of moves such as "draw W>3 5>3x4". CODE can be left out if
    a solution file says it, or with --deal. The moves of a solution file start at the
    position that it states, if it does. An illegal move, or a score that the file
    states and the rules do not give, ends with exit code 1.
    """
    from ..engine.formats import clean, object_in
    from ..engine.referee import replay
    from ..engine.solution import play_lines, read_lines

    *codes, path = names
    if len(codes) + (deal_file is not None) > 1:
        raise click.UsageError("give one deal, as CODE or with --deal, and one FILE of moves")
    read_once([path, deal_file, after])
    text = read_text(str(FILE.convert(path, None, context)))
    if not clean(text):
        raise MoveError(f"no moves in {file_title(path)}")
    stated = object_in(text)
    rules = file_rules(stated, rules, fixed_rules())
    asked = _deal(codes, deal_file, text, stated, rules)
    if not quiet:
        note_scheme(asked)
    if after is not None:
        asked = played(asked, read_lines(read_text(after)))
    start = _start(asked, stated, may_be_later=bool(codes) and after is None)
    lines = read_lines(text)
    try:
        play_lines(asked.rules, start, lines)
    except MoveError as error:
        write(f"{error}\n")
        return FAILED
    end = replay(asked.rules, start, [move for move, _ in lines])
    for name, found in (("score", end.score), ("won", end.won)):
        if stated.get(name, found) not in (found, None):
            write(f"wrong {name}: the file says {stated[name]}, the rules give {found}\n")
            return FAILED
    outcome = "won" if end.won else f"not won, {end.cards_up} of {asked.rules.cards} cards up"
    write(
        f"accepted: {outcome}, score {score_text(asked.rules, end.score)}, {end.moves} moves "
        f"({end.draws} draws, {end.recycles} recycles, {end.waste_to_column} from waste to column, "
        f"{end.taken_back} taken back)\n"
    )
    return 0


def _deal(
    codes: list[str], deal_file: str | None, text: str, stated: dict[str, Any], rules: Rules
) -> Asked:
    """The deal that was given, or that the solution file says; they must not contradict."""
    from ..engine.formats import stated_code, stated_rules
    from ..engine.solution import read_solution

    if deal_file is not None:
        asked = ask_for_file(deal_file, rules, fixed_rules())
    elif codes:
        asked = ask_for_argument(codes[0], rules)
        code = stated_code(stated)
        if code not in (asked.code, None):
            raise MoveError(f"the file holds moves for {code}, not for {asked.code}")
    elif stated:
        solution = read_solution(text)
        number = solution.code.number if solution.code else None
        title = str(solution.code) if solution.code else "deal"
        return Asked(title, solution.rules, number, solution.position)
    else:
        raise click.UsageError("a plain list does not say its deal; give CODE or --deal FILE")
    said = stated_rules(stated, asked.rules)
    if said != asked.rules:
        raise MoveError(
            f"the file holds moves for {said.game}-{said.mode}, "
            f"but {asked.title} is played as {asked.rules.game}-{asked.rules.mode}"
        )
    return asked


def _start(asked: Asked, stated: dict[str, Any], may_be_later: bool) -> Position:
    """Where the moves start: at the deal, or at the position that the solution file states.

    With `may_be_later` that can be a later one of the same deal, as the code of the file says.
    """
    from ..engine.formats import position_from_json

    dealt = asked.position()
    if "deal" not in stated:
        return dealt
    start = position_from_json(stated["deal"], asked.rules)
    if start != dealt and not (may_be_later and stated.get("code") is not None):
        raise MoveError(f"the moves in the file start from another position than {asked.title}")
    return start
