"""Words that know where in a text they stand, so that a message can say where a bad one is."""

import json
import json.scanner
import re
from collections.abc import Callable
from typing import Any, TypeVar

Value = TypeVar("Value")
_WORD = re.compile(r"\S+")


class Placed(str):
    """A word of a text, or a string of the JSON in it, that begins at `at`, counted from 0."""

    text: str
    at: int

    def __new__(cls, word: str, text: str, at: int) -> "Placed":
        """Take the word, the text that it is from, and its place there."""
        placed = super().__new__(cls, word)
        placed.text, placed.at = text, at
        return placed

    def part(self, start: int, end: int) -> "Placed":
        """A piece of the word, at its own place."""
        return Placed(self[start:end], self.text, self.at + start)


def place(text: str, at: int) -> str:
    """Line and character of a place in a text, both counted from 1."""
    line, before = text.count("\n", 0, at) + 1, text.rfind("\n", 0, at)
    return f"line {line}, character {at - before}"


def words(text: str, start: int = 0, end: int | None = None) -> list[Placed]:
    """The words of a text, or of a piece of it, as white space parts them."""
    found = _WORD.finditer(text, start, len(text) if end is None else end)
    return [Placed(match[0], text, match.start()) for match in found]


def parsed(parse: Callable[[str], Value], word: str) -> Value:
    """What `parse` makes of a word; its error says where the word stands, if that is known."""
    try:
        return parse(word)
    except ValueError as error:
        if not isinstance(word, Placed):
            raise
        raise type(error)(f"{place(word.text, word.at)}: {error}") from None


def load_json(text: str) -> Any:
    """The value that a JSON text holds, its strings `Placed`; raises what `json.loads` does."""
    decoder: Any = json.JSONDecoder()
    scan_string = decoder.parse_string

    def placed(string: str, begin: int, strict: bool) -> tuple[Placed, int]:
        word, end = scan_string(string, begin, strict)
        return Placed(word, text, begin), end

    # The scanner in C takes no other function for strings; the one in Python does.
    decoder.parse_string = placed
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(text)
