"""What a notebook shows of codes, games and answers."""

import xml.etree.ElementTree as ET

import pytest
from IPython.core.interactiveshell import InteractiveShell

from double_solitaire import DealCode, Limits, Verdict, new_game, parse_move, solve
from double_solitaire.notebook import show_in_notebook

CODE = "DS1-D1N-AAAAAAB"


@pytest.fixture(scope="module")
def shown():
    """What a notebook shows of a value: a text for each form."""
    shell = InteractiveShell.instance()
    shell.display_formatter.active_types = shell.display_formatter.format_types
    show_in_notebook()
    yield lambda value: shell.display_formatter.format(value)[0]
    InteractiveShell.clear_instance()


def names_in(picture):
    return [each.text for each in ET.fromstring(picture).iter() if each.tag.endswith("text")]


def test_a_code_and_its_game_are_pictures_of_the_table(shown):
    code = shown(DealCode.parse(CODE))["image/svg+xml"]
    game = new_game(CODE)
    assert names_in(code) == names_in(shown(game)["image/svg+xml"])
    game.play(parse_move("draw"))
    assert names_in(code) != names_in(shown(game)["image/svg+xml"])
    assert "prefers-color-scheme:dark" in code


def test_an_answer_shows_its_verdict_and_unfolds_its_moves(shown):
    answer = solve(CODE)
    html = shown(answer)["text/html"]
    assert answer.verdict is Verdict.WINNABLE
    assert "<b>winnable</b>" in html and f"{len(answer.moves)} moves" in html
    assert str(answer.moves[0]).replace(">", "&gt;") in html


def test_an_answer_without_moves_has_nothing_to_unfold(shown):
    html = shown(solve("DS1-D3V-AAAAAAA", Limits(nodes=10)))["text/html"]
    assert "<b>unknown</b>" in html and "<details" not in html
