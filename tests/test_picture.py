"""The table as an SVG picture."""

import xml.etree.ElementTree as ET

from double_solitaire.cli.main import run
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import resolve
from double_solitaire.pages.picture import svg

CODE = "DS1-D1N-AAAAAAB"
SVG = "{http://www.w3.org/2000/svg}"


def texts(picture):
    return [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_picture_shows_each_card_of_the_columns_once():
    named = resolve(CODE)
    position = Position.start(named.rules, named.deal)
    shown = texts(svg("<title> & more", named.rules, position))
    assert shown.count("10♠") == sum(column.count(36) for column in position.columns)
    assert len([text for text in shown if text[-1] in "♠♥♦♣" and len(text) > 1]) == 45
    assert "stock 59" in shown


def test_unknown_cards_are_backs_without_a_name():
    named = resolve(CODE)
    position = Position.start(named.rules, named.deal)
    places = frozenset((column, index) for column in range(9) for index in range(column))
    shown = texts(svg(CODE, named.rules, position, places))
    assert len([text for text in shown if text[-1] in "♠♥♦♣" and len(text) > 1]) == 9


def test_show_writes_a_picture_of_one_deal(tmp_path, capsys):
    file = tmp_path / "table.svg"
    assert run(["show", CODE, "--quiet", "--svg", str(file)]) == 0
    assert ET.fromstring(file.read_text(encoding="utf-8")).tag == f"{SVG}svg"
    assert run(["show", CODE, CODE, "--quiet", "--svg", str(file)]) == 2
    assert run(["show", CODE, "--json", "--svg", str(file)]) == 2
    assert run(["show", CODE, "--svg", str(tmp_path / "no" / "table.svg")]) == 1
    assert "No such file" in capsys.readouterr().err
