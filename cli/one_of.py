"""A choice of words as an option's value, and the word that was meant by one that is none."""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

import click
from click.shell_completion import CompletionItem


def did_you_mean(word: str, words: Iterable[str]) -> str:
    """A question to put after a message about a word that is none of these; empty for no idea."""
    cased = {each.lower(): each for each in words}
    close = [repr(cased[each]) for each in get_close_matches(word.lower(), cased)]
    if len(close) > 1:
        return f" (Did you mean one of: {', '.join(close)}?)"
    return f" Did you mean {close[0]}?" if close else ""


class OneOf(click.Choice[str]):
    """One of some words in either case; completed as they are written in the help."""

    def __init__(self, choices: Iterable[str]) -> None:
        """Take the words as the command is to get them."""
        super().__init__(list(choices), case_sensitive=False)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The word that is meant; `BadParameter` names all, and a close one as a question."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as error:
            self.fail(error.message + did_you_mean(str(value), self.choices), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """The words that begin in this way, in either case."""
        begun = incomplete.lower()
        return [CompletionItem(word) for word in self.choices if word.lower().startswith(begun)]
