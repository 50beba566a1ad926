"""Positions as a person types them, from a file, from standard input and in an editor."""

import json
import random
import re
import shlex
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from double_solitaire.engine.cards import card_sign, card_text
from double_solitaire.engine.deal import Position
from double_solitaire.engine.dealing import deal_number
from double_solitaire.engine.errors import DealError
from double_solitaire.notation.formats import object_in, read_deal, stated_rules, write_deal
from double_solitaire.rating.view import View, read_view
from games import cards, mode, walked
from hypothesis import given, settings
from hypothesis import strategies as st

D1N = mode("D1N")
OPEN = "8C KS 7C 8H 9S 2D 3H TC KD"
MOST_KEYS = 60
"""Besides the cards themselves, from a deal on the table to the first advice."""


def columns(*changed):
    """The lines of a deal of which the open cards are known, some of them changed."""
    lines = [
        f"{k}: ?x{k - 1} {card}" if k > 1 else f"1: {card}"
        for k, card in enumerate(OPEN.split(), 1)
    ]
    for number, line in changed:
        lines[number - 1] = line
    return "\n".join(lines) + "\n"


def refusal(text, rules=D1N):
    with pytest.raises(DealError) as error:
        read_view(text, rules)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_open_cards_alone_are_a_deal_before_its_first_move():
    view = read_view(OPEN, D1N)
    assert [card_text(column[-1]) for column in view.position.columns] == OPEN.split()
    assert view.position.hidden == tuple(range(9))
    assert len(view.position.stock) == 59
    assert len(view.places) == 36 + 59
    assert read_view(OPEN.replace(" ", "\n"), D1N) == view
    assert read_view(columns(), D1N) == view
    assert read_view(columns().replace("?x", "?×") + "stock:\nup:\nwaste: ", D1N) == view
    unnumbered = "\n".join(line.split(": ")[1] for line in columns().splitlines())
    assert read_view(unnumbered, D1N) == view
    backwards = "\n".join(reversed(columns().splitlines()))
    assert read_view(backwards, D1N) == view


def test_cards_are_written_in_any_way():
    view = read_view(columns() + "waste: 3H AC\nup: 2S\n", D1N)
    loud = columns() + "WASTE: 3♥, 1 AC\nUp: 2♠\n".replace("1 ", "")
    assert read_view(loud.replace("TC", "10♣"), D1N) == view
    quiet = f"# mine\n\n{columns()}\r\n  waste :3h ac  # two\r\nup:2s".lower()
    assert read_view("\ufeff" + quiet, D1N) == view


def test_what_is_up_and_what_is_known():
    text = columns((7, "7: ?x4 (4C) 9D 8C")) + "waste: 3H AC\nup: 2S AC -H 4H\nscore: 45\n"
    view = read_view(text + "recycles: 2", D1N)
    position = view.position
    assert position.foundations == (2, 0, 0, 4, 0, 0, 1, 0)
    assert position.hidden == (0, 1, 2, 3, 4, 5, 5, 7, 8)
    assert (position.score, position.recycles) == (45, 2)
    assert [card_text(card) for card in position.waste] == ["3H", "AC"]
    assert (6, 3) in view.places
    assert (6, 4) not in view.places


def test_vegas_counts_what_is_up():
    text = columns() + "up: 2S AC\nscoring: vegas\ndraw: 3"
    rules = stated_rules(object_in(text), D1N)
    assert rules == mode("D3V")
    assert read_view(text, rules).position.score == -104 + 3 * 5


def test_klondike_has_seven_columns():
    text = " ".join(OPEN.split()[:7]) + "\ngame: kl1"
    rules = stated_rules(object_in(text), D1N)
    view = read_view(text, rules)
    assert (rules.game, len(view.places)) == ("KL1", 21 + 24)
    assert "Klondike is game: KL1" in refusal(" ".join(OPEN.split()[:7]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (OPEN.replace("TC", "TX"), "line 1, character 22: 'TX' is no card"),
        (OPEN[:-3], "column 9 is missing"),
        (OPEN + " 5S", "10 columns; Double Solitaire has 9"),
        (
            OPEN.replace("KS", "8c") + "\nwaste: 8♣",
            "8C is there 3 times (1 too many; line 1, character 1; line 1, character 4; "
            "line 2, character 8)",
        ),
        (columns((4, "4: ?x2 8H")), "60 cards would be left for the stock"),
        (columns((4, "4: ?x9 8H")), "column 4: 9 cards are hidden; at the start there are 3"),
        (columns((4, "4: ?x3")), "line 4, character 4: the last card of a column lies open"),
        (columns((4, "4: 8H ?x3")), "line 4, character 7: ?x3 is face down and lies on 8H"),
        (
            columns((4, "4: ??? 8H")),
            "line 4, character 4: ???; one unknown card is ?, and 3 are ?x3",
        ),
        (columns((4, "4: ?x0 8H")), "line 4, character 4: ?x0 are no cards"),
        (columns((4, "4: (?x3 8H")), "line 4, character 4: '(' without its other half"),
        (columns((4, "4: ?x3) 8H")), "line 4, character 7: ')' without its other half"),
        (columns((4, "4:")), 'line 4, character 1: column 4 has no card; an empty one is "4: -"'),
        (columns((4, "")), "column 4 is missing"),
        (columns((4, "3: ?x3 8H")), "line 4, character 1: column 3 is there twice"),
        (columns((4, "?x3 8H")), "line 4, character 1: this column has no number"),
        ("8C\n" + columns((1, "")), "line 3, character 1: the columns before it have no numbers"),
        (columns((4, "4: ?x3 8H 6S")), "column 4: 6S lies open on 8H: no fit"),
        (columns() + "wast: 3H", "line 10, character 1: 'wast' is no pile"),
        (columns() + "waste: ?", "the waste has an unknown card"),
        (columns() + "waste: 3H\nwaste: 4H", "line 11, character 1: waste: is there twice"),
        (
            columns() + "stock: ?x57",
            "93 cards are unknown, but 95 of the 104 cards are not seen; 2 more must be unknown",
        ),
        (columns() + "stock: ?x60", "1 fewer must be unknown"),
        (columns() + "draw: three", "line 10, character 7: three is no whole number"),
        (columns() + "draw:", "line 10, character 1: draw: takes one word"),
        (columns() + "up: AS 2S 3S", "3 foundations of ♠; Double Solitaire has 2"),
        (columns() + "score: 7", "a score of 7; points come in fives"),
        ("A:\n1: 8C\nB:\n1: 9C", "two layouts, A: and B:"),
    ],
)
def test_mistakes_are_named_with_their_places(text, words):
    assert words in refusal(text)


def test_what_is_left_over_is_named():
    position = Position.start(D1N, deal_number(D1N, 5))
    text = write_deal(position, D1N, "text")
    first = text.split(": ")[1].split("\n")[0]
    less = text.replace(f"1: {first}\n", "1: -\n", 1)
    assert f"{first} is there once (1 missing)" in refusal(less)
    unknown = text.replace("(", "").replace(")", "").replace(f"1: {first}\n", "1: -\n", 1)
    name, *others = unknown.split("stock: ")[1].split("\n")[0].split()
    unseen = unknown.replace(f"stock: {name} ", "stock: ? ", 1)
    assert "1 cards are unknown, but 2 of the 104 cards are not seen: " in refusal(unseen)
    assert len(others) == 58


# Round trips


def some_unknown(position, draw):
    """A view of a position: all that a player has not seen, or some of it."""
    view = View.of(position)
    every = draw(st.integers(1, 4))
    return replace(view, places=view.places[::every]).blank()


@given(st.data(), walked())
@settings(max_examples=60, deadline=None)
def test_text_and_json_give_a_position_with_unknown_cards_back(data, walk):
    game, _ = walk
    rules, position = game.rules, game.position()
    view = some_unknown(position, data.draw)
    for format in ("text", "json"):
        text = write_deal(view.position, rules, format, view.places)
        assert read_view(text, rules) == view
    text = write_deal(view.position, rules, "text", view.places)
    assert stated_rules(object_in(text), D1N) == rules


@given(walked())
@settings(max_examples=60, deadline=None)
def test_text_gives_a_game_under_way_back(walk):
    game, _ = walk
    position = game.position()
    text = write_deal(position, game.rules, "text")
    assert read_deal(text, game.rules) == position
    signs = " ".join(card_sign_of(word) for word in text.replace("\n", " \n ").split(" "))
    assert read_deal(signs, game.rules) == position


def card_sign_of(word):
    """A card with its sign, `10` for T; other words as they are."""
    for card in range(52):
        if card_text(card) == word.strip("()"):
            return word.replace(card_text(card), card_sign(card).replace("T", "10"))
    return word


def test_a_position_that_looks_like_a_deal_says_that_nothing_is_hidden():
    runs = ["KS", "KH QS", "KD QC JD", "KC QD JC TD"]
    deck = sorted([*range(52), *range(52)], reverse=True)
    for card in (card for run in runs for card in cards(run)):
        deck.remove(card)
    rules = replace(D1N, columns=4)
    position = Position(tuple(map(cards, runs)), (0,) * 4, tuple(deck), (), (0,) * 8, 0)
    text = write_deal(position, rules, "text")
    assert "hidden: 0 0 0 0" in text
    assert read_deal(text, rules) == position
    assert read_deal(text.replace("hidden: 0 0 0 0\n", ""), rules).hidden == (0, 1, 2, 3)


# The commands


def test_show_proofreads_what_was_typed(dsol, written):
    file = written("table.txt", columns((7, "7: ?x4 (4C) 9D 8C")) + "waste: 3H\n")
    code, out, err = dsol("show", "--deal", file)
    assert (code, err) == (0, "")
    assert "92 unknown cards" in out
    assert out.count("(??)") == 34
    assert "(4♣)" in out
    assert "?? x58" in out.splitlines()[3]
    picture = file.with_suffix(".svg")
    assert dsol("show", "--deal", file, "--svg", picture)[0] == 0
    assert picture.read_text(encoding="utf-8").count('class="d"') == 36
    code, again, _ = dsol("show", "--deal", file, "--format", "text")
    assert dsol("show", "--deal", "-", "--format", "text", stdin=again)[1] == again
    code, out, _ = dsol("show", "--deal", file, "--json")
    assert json.loads(out)["deal"]["columns"][1] == ["??", "KS"]
    assert dsol("show", "--deal", "-", "--format", "text", stdin=out)[1] == again
    code, out, err = dsol("show", "--deal", file, "--format", "pysol")
    assert (code, out) == (1, "")
    assert "the formats that hold such are json and text" in err


@pytest.mark.parametrize("command", ["check", "solve", "score", "rate", "hint"])
def test_a_search_needs_all_cards(dsol, command):
    code, out, err = dsol(command, "--deal", "-", "-q", stdin=OPEN)
    assert (code, out) == (1, "")
    assert "95 cards are unknown" in err


def test_a_typed_deal_is_solved_as_its_code_is(dsol):
    text = dsol("show", "DS1-D3N-AAAAAAB", "--format", "text", "-q")[1]
    code, out, _ = dsol("check", "--deal", "-", "-q", stdin=text)
    assert (code, out) == (0, "standard input winnable\n")
    assert "--draw 1 contradicts it" in dsol("check", "--deal", "-", "--draw", 1, stdin=text)[2]


def editor(folder, source):
    """An editor for `$VISUAL` that makes of the text what the body of a function of it says."""
    script = folder / "editor.py"
    body = "\n".join(f"    {line}" for line in source.splitlines())
    script.write_text(
        "import pathlib, sys\n"
        f"def edit(text):\n{body}\n"
        "path = pathlib.Path(sys.argv[1])\n"
        "path.write_text(edit(path.read_text()))\n"
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    return shlex.join([sys.executable, str(script)])


FILL = f"""cards = {OPEN.split()!r}
lines = text.split("\\n")
for number, card in enumerate(cards):
    lines[number] += card
return "\\n".join(lines)"""


def test_a_form_is_filled_in_in_the_editor(dsol, tmp_path, monkeypatch):
    monkeypatch.setenv("VISUAL", editor(tmp_path, FILL))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code, out, err = dsol("show", "--edit")
    assert code == 0
    assert "95 unknown cards" in out
    (kept,) = tmp_path.glob("dsol-*.txt")
    assert f"what you typed is in {kept}" in err
    monkeypatch.setenv("VISUAL", editor(tmp_path, "return text.replace('waste: ', 'waste: 3H')"))
    code, out, err = dsol("show", "--deal", kept, "--edit")
    assert (code, err) == (0, "")
    assert "94 unknown cards" in out
    assert "waste: 3H" in kept.read_text()


def test_what_is_wrong_can_be_edited_again_and_is_kept(dsol, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setenv("VISUAL", editor(tmp_path, FILL.replace("'KS'", "'KX'")))
    code, out, err = dsol("advise", "--edit")
    assert (code, out) == (1, "")
    (kept,) = tmp_path.glob("dsol-*.txt")
    assert "line 2, character 6: 'KX' is no card" in err
    assert str(kept) in err
    assert "? KX" in kept.read_text()
    monkeypatch.setattr("double_solitaire.cli.editing.is_terminal", lambda _: True)
    mended = "return text.replace('KZ', 'KS').replace('KX', 'KZ')"
    monkeypatch.setenv("VISUAL", editor(tmp_path, "return text"))
    code, out, err = dsol("show", "--deal", kept, "--edit", stdin="n\n")
    assert (code, out) == (1, "")
    assert "Edit it again?" in err
    assert str(kept) in err
    monkeypatch.setenv("VISUAL", editor(tmp_path, mended))
    assert "95 unknown cards" in dsol("show", "--deal", kept, "--edit", stdin="y\n")[1]
    assert dsol("advise", "-", "--edit")[0] == 2
    assert dsol("advise")[0] == 2


MANUAL = (Path(__file__).parent.parent / "docs" / "manual.md").read_text(encoding="utf-8")
SESSION = re.search(r"## Typing a position\n.*?```console\n(.*?)```", MANUAL, re.DOTALL)[1]


def test_the_session_in_the_manual_is_true(dsol, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parts = re.findall(r"\$ (.*)\n((?:[^$].*\n|\n)*)", SESSION)
    assert len(parts) >= 4
    for command, output in parts:
        program, *words = shlex.split(command)
        if program == "cat":
            (tmp_path / words[0]).write_text(output)
        else:
            assert dsol(*words, "-q")[:2] == (0, output)


# How many keys it takes


def typed_keys(command, text):
    """The keys of a command and of a text on standard input, without those of the cards."""
    keys = f"{command}\n{text}\N{END OF TRANSMISSION}"
    return len(keys) - sum(map(len, OPEN.split()))


def test_first_advice_takes_few_keys_besides_the_cards(dsol):
    command, text = "dsol advise -", f"{OPEN}\n"
    assert typed_keys(command, text) <= MOST_KEYS
    code, out, _ = dsol(*command.split()[1:], "--samples", 2, stdin=text)
    assert code == 0
    assert "\nrecommended: " in out


def test_first_advice_takes_few_keys_in_an_editor(dsol, tmp_path, monkeypatch):
    # As in vi: the cursor is in the first line; A begins at its end, Escape and j go to the next.
    keys = "dsol advise --edit\n" + "".join(f"A{card}\033j" for card in OPEN.split()) + ":wq\n"
    assert len(keys) - sum(map(len, OPEN.split())) <= MOST_KEYS
    monkeypatch.setenv("VISUAL", editor(tmp_path, FILL))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code, out, _ = dsol("advise", "--edit", "--samples", 2)
    assert code == 0
    assert "\nrecommended: " in out


def test_deals_at_random_are_typed_from_what_lies_open(dsol):
    source = random.Random(1)
    for _ in range(5):
        position = Position.start(D1N, deal_number(D1N, source.randrange(2**35)))
        text = " ".join(card_text(column[-1]) for column in position.columns)
        out = dsol("show", "--deal", "-", "--json", stdin=text)[1]
        view = View.of(position)
        assert json.loads(out)["deal"] == json.loads(write_deal(position, D1N, "json", view.places))


@pytest.mark.parametrize("code", ["DS2-D1N-AAAAAAB", "DS2-D3V-AAAAAAC+AAAAAAD"])
@pytest.mark.parametrize("actions", ["", "A draw\nB draw\nA draw\n"])
def test_two_layouts_are_written_as_they_are_read(dsol, tmp_path, code, actions):
    played, text = tmp_path / "played", tmp_path / "two.txt"
    played.write_text(actions)
    after = ("--after", played) if actions else ()
    text.write_text(dsol("show", "-q", code, *after, "--format", "text")[1])
    assert text.read_text().startswith("A:\n1: ")
    shown = json.loads(dsol("show", "-q", code, *after, "--json")[1])
    again = json.loads(dsol("show", "-q", "--deal", text, "--json")[1])
    assert again["deal"]["A"] == shown["deal"]["A"]
    assert again["deal"]["B"] == shown["deal"]["B"]
    assert dsol("show", "-q", "--deal", text, "--format", "text")[1] == text.read_text()
    # A card that is taken from one layout and lies in the other is named.
    text.write_text(text.read_text().replace("stock: ", "stock: AS ", 1))
    code_of_exit, out, err = dsol("show", "-q", "--deal", text)
    assert (code_of_exit, out, err.count("\n")) == (1, "", 1)
    assert "AS" in err
