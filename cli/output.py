"""What goes to standard output: plain lines, JSON lines, and signs where they can be printed."""

import json
import sys
from typing import TYPE_CHECKING, Any

from ..engine.cards import SUIT_SIGNS, SUITS
from ..engine.rules import Rules, Scoring
from ..solver.verdict import Answer, Verdict
from .deals import Asked

if TYPE_CHECKING:
    from ..solver.hint import Hint
    from ..solver.score import ScoreAnswer

FAILED = 1
EXIT_CODES = {Verdict.WINNABLE: 10, Verdict.UNWINNABLE: 20, Verdict.UNKNOWN: 30}
_ASCII = str.maketrans(dict(zip(SUIT_SIGNS, SUITS, strict=True)))


def write(text: str) -> None:
    """Write to standard output; `flush` sends it off."""
    if sys.stdout is None:
        raise OSError("standard output is closed")
    sys.stdout.write(text)


def flush() -> None:
    """Send off what was written, so that a reader at the other end has it."""
    sys.stdout.flush()


def exit_code(verdicts: set[Verdict], bad: int, wanted: bool) -> int:
    """1 if some of the input was bad; else, if wanted, the code of the least welcome verdict."""
    if bad:
        return FAILED
    return max((EXIT_CODES[verdict] for verdict in verdicts), default=0) if wanted else 0


def has_signs() -> bool:
    """Whether standard output can carry suit signs and the arrows of move lists."""
    try:
        f"{SUIT_SIGNS}→".encode(getattr(sys.stdout, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def until_sign() -> str:
    """What stands between the ends of an interval."""
    return "–" if has_signs() else "-"


def to_ascii(text: str) -> str:
    """The text with letters for the suit signs."""
    return text.translate(_ASCII)


def score_text(rules: Rules, score: int) -> str:
    """Points as they are; dollars as `$416`, `-$104`."""
    if rules.scoring is not Scoring.VEGAS:
        return str(score)
    return f"{'-' if score < 0 else ''}${abs(score)}"


def deal_json(asked: Asked) -> dict[str, Any]:
    """The cards and the rules of a deal, as solution files give them (`rules.md` section 6)."""
    from ..engine.formats import position_json

    return {
        "deal": position_json(asked.position(), asked.rules),
        "game": asked.rules.game,
        "draw": asked.rules.draw,
        "scoring": asked.rules.scoring.value,
    }


def answer_json(asked: Asked, answer: Answer) -> str:
    """One line of JSON: a solution file, with the verdict beside it.

    `moves`, `score` and `won` are null where there is no move list. The cards and the
    rules follow for a deal that is not of our dealing scheme.
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
    return _row(asked, row)


def score_json(asked: Asked, answer: "ScoreAnswer") -> str:
    """One line of JSON: a solution file, with the bounds of the best score beside it."""
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
        {"move": str(choice.move), "verdict": choice.verdict.value, "reason": choice.reason}
        for choice in hint.choices
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
    return _row(asked, row)


def _row(asked: Asked, row: dict[str, Any]) -> str:
    """The row as a line, with the cards and the rules where no code of ours says them."""
    return json.dumps(row | deal_json(asked) if asked.number is None else row)


def answer_text(asked: Asked, answer: Answer) -> str:
    """The verdict in one line, with the reason where it is not a plain yes."""
    reason = "" if answer.verdict is Verdict.WINNABLE else f" ({answer.reason})"
    return f"{asked.title} {answer.verdict.value}{reason}"
