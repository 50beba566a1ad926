"""`dsol verify`: replay a list of moves by the rules."""

from typing import Any

import click

from ..engine.errors import MoveError
from ..engine.rules import Rules
from .deals import (
    SCHEME_NOTE,
    Asked,
    ask_for_argument,
    ask_for_file,
    note_scheme,
    played,
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
    a solution file says it, or with --deal. An illegal move, or a score that the file
    states and the rules do not give, ends with exit code 1.
    """
    from ..engine.referee import replay
    from ..engine.solution import read_moves

    *codes, path = names
    if len(codes) + (deal_file is not None) > 1:
        raise click.UsageError("give one deal, as CODE or with --deal, and one FILE of moves")
    text = read_text(str(FILE.convert(path, None, context)))
    stated = _stated(text)
    asked = _deal(codes, deal_file, text, stated, rules)
    if not quiet:
        note_scheme(asked)
    if after is not None:
        asked = played(asked, read_moves(read_text(after)))
    moves = read_moves(text)
    try:
        end = replay(asked.rules, asked.position(), moves)
    except MoveError as error:
        write(f"{error}\n")
        return FAILED
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


def _stated(text: str) -> dict[str, Any]:
    """What a solution file states; nothing if the text is a plain list."""
    from ..engine.formats import clean, json_object

    text = clean(text)
    return json_object(text) if text.startswith("{") else {}


def _deal(
    codes: list[str], deal_file: str | None, text: str, stated: dict[str, Any], rules: Rules
) -> Asked:
    """The deal that the moves start from: as given, or as the solution file says."""
    from ..engine.solution import read_solution

    if deal_file is not None:
        return ask_for_file(deal_file, rules)
    if codes:
        asked = ask_for_argument(codes[0], rules)
        if stated.get("code", asked.code) not in (asked.code, None):
            raise MoveError(f"the file holds moves for {stated['code']}, not for {asked.code}")
        return asked
    if not stated:
        raise click.UsageError("a plain list does not say its deal; give CODE or --deal FILE")
    solution = read_solution(text)
    code = solution.code
    return Asked(
        title=str(code) if code else "deal",
        rules=solution.rules,
        number=code.number if code else None,
        cards=solution.position,
    )
