"""How codes, games and answers show themselves in a notebook (Jupyter, IPython)."""

import sys
from html import escape

from .engine.codes import DealCode
from .engine.referee import Game
from .pages.picture import svg
from .pages.words import score_text
from .solver.verdict import Answer


def game_svg(game: Game) -> str:
    """The table of a game as a picture."""
    position = game.position()
    title = f"score {score_text(game.rules, position.score)}"
    return svg(title, game.rules, position)


def code_svg(code: DealCode) -> str:
    """The table of a code, just dealt, as a picture."""
    from .api import new_game

    game = new_game(str(code))
    return svg(str(code), game.rules, game.position())


def answer_html(answer: Answer) -> str:
    """The verdict and how it is known, and below it, to be unfolded, the moves."""
    told = f"<b>{escape(answer.verdict)}</b>: {escape(answer.reason)}"
    if answer.moves is None:
        return f"<p>{told}</p>"
    moves = escape(" ".join(map(str, answer.moves)))
    head = f"{len(answer.moves)} moves, score {answer.score}"
    return f"<p>{told}</p><details><summary>{head}</summary><p>{moves}</p></details>"


def show_in_notebook() -> None:
    """Tell the notebook, if there is one, how to show these types."""
    module = sys.modules.get("IPython")
    shell = None if module is None else module.get_ipython()
    if shell is None:
        return
    formatters = shell.display_formatter.formatters
    formatters["image/svg+xml"].for_type(Game, game_svg)
    formatters["image/svg+xml"].for_type(DealCode, code_svg)
    formatters["text/html"].for_type(Answer, answer_html)
