"""Positions that are typed in an editor, which is opened again where something is wrong."""

import sys
from pathlib import Path

import click

from ..engine.errors import DealError
from ..engine.rules import Rules
from .deals import (
    STANDARD_INPUT,
    Asked,
    ask_for_file,
    asked_in,
    fixed_rules,
    is_terminal,
    kept,
    note,
    read_text,
)

_HELP = """
# Type the cards you see where they lie, a line for each column, bottom to top: the open ones at the
# end of the line. Cards: 7H, 10c, k♠ (S H D C). ? is a card that you have not seen, ?x6 are six;
# a card that lies face down and is known stands in parentheses. An empty column is "-".
# waste: the top card last. up: the top card of each foundation; all under it are up.
# stock: nothing, if you have not seen it, else the card drawn next in front. Example:
#   1: KS QH JS
#   2: -
#   7: ?x4 (4C) 9D 8C
#   waste: 3H AC
#   up: 2S AH AH
# draw: 1 or 3. scoring: N (unlimited redeals) or V (Vegas). Lines with # do not count.
"""


def template(rules: Rules) -> str:
    """A form to be filled in: the shape of a deal before its first move."""
    columns = ["1: ", "2: ? ", *(f"{n + 1}: ?x{n} " for n in range(2, rules.columns))]
    about = [f"game: {rules.game}", f"draw: {rules.draw}", f"scoring: {rules.scoring}"]
    return "\n".join([*columns, "waste: ", "up: ", "stock: ", *about, _HELP])


def ask_for_cards(
    path: str | None, rules: Rules, edit: bool, quiet: bool, text: str | None = None
) -> Asked:
    """The deal in a file, some of whose cards may be unknown; `text` where it has been read.

    With `edit` the user edits the file first, or a new one, which has a form to fill in. If the
    user gives up, or cannot be asked again, `DealError` says what is wrong and where the text is.
    """
    if edit and path == STANDARD_INPUT:
        raise click.UsageError("--edit is for a file, or for a new one; not for standard input")
    if edit:
        return _edited(path, rules, quiet)
    if path is None:
        raise click.UsageError("no cards given; give a file, - for standard input, or --edit")
    return ask_for_file(path, rules, fixed_rules(), text)


def _edited(path: str | None, rules: Rules, quiet: bool) -> Asked:
    file = Path(path or kept(template(rules)))
    while True:
        click.edit(filename=str(file))
        try:
            asked = asked_in(read_text(str(file)), file.name, rules, fixed_rules())
        except ValueError as error:
            if not is_terminal(sys.stdin):
                raise DealError(f"{error}; what you typed is in {file}") from None
            note(str(error))
            if not click.confirm("Edit it again?", default=True, err=True):
                raise DealError(f"not read; what you typed is in {file}") from None
            continue
        if path is None and not quiet:
            note(f"note: what you typed is in {file}")
        return asked
