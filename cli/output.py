"""What goes to standard output: plain lines, and rows for programs."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from enum import Enum
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ..solver.verdict import Answer, Verdict
from .deals import Asked

if TYPE_CHECKING:
    from ..solver.hint import Hint
    from ..solver.score import ScoreAnswer

FAILED = 1
EXIT_CODES = {Verdict.WINNABLE: 10, Verdict.UNWINNABLE: 20, Verdict.UNKNOWN: 30}
_GAP = "  "
"""Between the columns of a table."""


def write(text: str) -> None:
    """Write to standard output; `flush` sends it off."""
    sys.stdout.write(text)


def flush() -> None:
    """Send off what was written, so that a reader at the other end has it."""
    sys.stdout.flush()


def exit_code(verdicts: set[Verdict], bad: int, wanted: bool) -> int:
    """1 if some of the input was bad; else, if wanted, the code of the least welcome verdict."""
    if bad:
        return FAILED
    return max((EXIT_CODES[verdict] for verdict in verdicts), default=0) if wanted else 0


class Form(Enum):
    """In what form answers are printed."""

    TEXT = "text"
    JSON = "json"
    """An object a line, as they come."""
    CSV = "csv"
    """A line of names, then a line each, as they come."""
    TABLE = "table"
    """Columns below each other, all at the end."""


class Rows:
    """Prints rows in a form that is not `TEXT`; a table when the `with` block ends, however."""

    def __init__(self, form: Form, columns: Sequence[str], table: Sequence[str]) -> None:
        """`columns` are those of CSV, and `table` the fewer ones that a table has room for."""
        self._form = form
        self._columns = columns if form is Form.CSV else table
        self._lines: list[list[str]] = [list(self._columns)]
        self._numeric = [True] * len(self._columns)

    def __enter__(self) -> "Rows":
        """Print the names of the columns, in CSV."""
        if self._form is Form.CSV:
            write(_csv_line(self._columns))
        return self

    def add(self, asked: Asked, row: dict[str, Any]) -> None:
        """Print a row as it goes to JSON, or keep it for the table.

        In columns an interval `x_interval` is `x_low` and `x_high`, the parts of an object stand
        by their own names, and `deal` is the code or the name of the file.
        """
        if self._form is Form.JSON:
            write(json.dumps(row) + "\n")
            return
        flat = _flat(row) | {"deal": asked.title}
        cells = [flat.get(name) for name in self._columns]
        if self._form is Form.CSV:
            write(_csv_line([_cell(cell) for cell in cells]))
        elif self._form is Form.TABLE:
            self._lines.append([_cell(cell) for cell in cells])
            for at, cell in enumerate(cells):
                is_number = isinstance(cell, (int, float)) and not isinstance(cell, bool)
                self._numeric[at] &= cell is None or is_number

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Print the table, also of what there is when something ends the work early."""
        if self._form is not Form.TABLE:
            return
        widths = [max(map(len, column)) for column in zip(*self._lines, strict=True)]
        for line in self._lines:
            cells = [
                cell.rjust(width) if is_number else cell.ljust(width)
                for cell, width, is_number in zip(line, widths, self._numeric, strict=True)
            ]
            write(_GAP.join(cells).rstrip() + "\n")


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    """The cells of a row, each by its own name."""
    flat: dict[str, Any] = {}
    for name, value in row.items():
        if isinstance(value, dict):
            # The cells of the row itself come before those of an object in it.
            flat = value | flat
        elif name.endswith("_interval") and value is not None:
            base = name.removesuffix("_interval")
            flat[f"{base}_low"], flat[f"{base}_high"] = value
        else:
            flat[name] = value
    return flat


def _cell(value: Any) -> str:
    """A value as the text of a cell: nothing for null, and moves with spaces between."""
    if value is None:
        return ""
    if isinstance(value, list):
        return " ".join(value)
    return value if isinstance(value, str) else json.dumps(value)


def _csv_line(cells: Sequence[str]) -> str:
    """A line of CSV (RFC 4180, but ended by a newline alone)."""
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerow(cells)
    return stream.getvalue()


def deal_json(asked: Asked) -> dict[str, Any]:
    """The cards and the rules of a deal, as solution files give them (`rules.md` section 6)."""
    from ..notation.formats import position_json

    return {
        "deal": position_json(asked.position(), asked.rules, asked.unknown),
        "game": asked.rules.game,
        "draw": asked.rules.draw,
        "scoring": asked.rules.scoring.value,
    }


def answer_row(asked: Asked, answer: Answer) -> dict[str, Any]:
    """A row that is a solution file, with the verdict beside it.

    `moves`, `score` and `won` are null where there is no move list. `fewest_moves` is there only
    if it was asked for. The cards and the rules follow for a deal that is not of our dealing
    scheme.
    """
    row: dict[str, Any] = {
        "code": asked.code,
        "verdict": answer.verdict.value,
        "reason": answer.reason,
        "winnable_without_take_back": answer.winnable_without_take_back,
        "moves": None if answer.moves is None else [str(move) for move in answer.moves],
        "score": answer.score,
        "won": None if answer.moves is None else answer.verdict is Verdict.WINNABLE,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
    }
    if answer.fewest is not None:
        row["fewest_moves"] = answer.fewest
    return _row(asked, row)


def score_row(asked: Asked, answer: "ScoreAnswer") -> dict[str, Any]:
    """A row that is a solution file, with the bounds of the best score beside it."""
    row: dict[str, Any] = {
        "code": asked.code,
        "score_low": answer.low,
        "score_high": answer.high,
        "bound": str(answer.bound),
        "best": answer.is_best,
        "taking_back": "excluded",
        "moves": [str(move) for move in answer.line.moves],
        "score": answer.line.score,
        "won": answer.line.won,
        "nodes": answer.nodes,
        "seconds": round(answer.seconds, 6),
    }
    return _row(asked, row)


def hint_json(asked: Asked, hint: "Hint", state: str) -> str:
    """One line of JSON: the verdict, the moves of a win, and the verdict after each legal move.

    `state` is how the game stands.
    """
    legal = [
        {"move": str(each.move), "verdict": each.verdict.value, "reason": each.reason}
        for each in hint.legal
    ]
    row: dict[str, Any] = {
        "code": asked.code,
        "verdict": hint.verdict.value,
        "reason": hint.reason,
        "state": state,
        "next": None if hint.moves is None else [str(move) for move in hint.next],
        "legal": legal,
        "nodes": hint.nodes,
        "seconds": round(hint.seconds, 6),
    }
    return json.dumps(_row(asked, row))


def _row(asked: Asked, row: dict[str, Any]) -> dict[str, Any]:
    """The row, with the cards and the rules where no code of ours says them."""
    return row | deal_json(asked) if asked.number is None else row


def answer_text(asked: Asked, answer: Answer) -> str:
    """The verdict in one line, with the reason where it is not a plain yes."""
    reason = "" if answer.verdict is Verdict.WINNABLE else f" ({answer.reason})"
    return f"{asked.title} {answer.verdict.value}{reason}"
