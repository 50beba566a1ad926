"""The game for two at the table, driven by Textual's pilot."""

import json
import os
import subprocess
import sys
import threading
from dataclasses import replace

import pytest
from double_solitaire.cli.for_two import record_of
from double_solitaire.cli.main import run
from double_solitaire.engine.moves import Kind, parse_move
from double_solitaire.engine.rules import rules_for
from double_solitaire.versus.codes import VersusCode
from double_solitaire.versus.game import PASS, Player
from double_solitaire.versus.opponent import Opponent
from double_solitaire.versus.record import GameRecord, read_record
from double_solitaire.versus.session import Session
from tables import table

pytest.importorskip("textual")
from double_solitaire.table import both
from double_solitaire.table.board import Board
from double_solitaire.table.screens import Asks
from double_solitaire.table.two import sit_down_for_two
from test_table import at, data_folder, drive, hurried_pilot, read_all, until, wait_for
from textual.widgets import Static

__all__ = ["data_folder", "hurried_pilot"]
CODE = "DS2-D1V-AAAAAAB"
PEOPLE = ("person", "person")
RULES = rules_for("DS2", 1, "N")


@pytest.fixture(autouse=True)
def no_pause(monkeypatch):
    monkeypatch.setattr("double_solitaire.table.two.PAUSE", 0.001)


@pytest.fixture
def sit(tmp_path):
    """Sit down to a code with these players."""

    def begin(players, code=CODE, **settings):
        record = replace(record_of(VersusCode.parse(code)), players=players, **settings)
        return sit_down_for_two(Session(record, tmp_path / "game.json"), 10)

    return begin


def keys_of(action):
    """What a person types for it."""
    if action == PASS:
        return ["p"]
    if action.kind in (Kind.DRAW, Kind.RECYCLE):
        return ["d"]
    source, target = str(action).lower().split(">")
    return [source, target[0]]


def is_at(app):
    """The moves of the record, and whose turn it is."""
    session = app.table.session
    return list(map(str, session.record.steps)), session.game.turn


def lines_of(app, name):
    return str(app.table.query_one(f"#{name}", Static).content)


def test_a_whole_game_by_keys_against_a_computer_player(sit, tmp_path):
    person = Opponent("careful")

    async def steps(app, pilot):
        session = app.table.session
        while session.game.end is None:
            await until(pilot, lambda: session.game.turn is Player.A or session.game.end)
            if session.game.end is None:
                count = len(session.record.steps)
                action = person.choose(session.record)
                await pilot.press(*keys_of(action))
                await until(pilot, lambda count=count: len(session.record.steps) > count)
                assert session.record.steps[count].action == action
        await until(pilot, lambda: "over after" in app.table.said)
        assert app.table.said.endswith(both.over(session))
        await pilot.press("d")
        await until(pilot, lambda: "the game is over" in app.table.said)
        assert "over" in str(app.table.head())
        return session

    session = drive(sit(("person", "careful")), steps)
    assert session.game.turns > 20
    record = read_record((tmp_path / "game.json").read_text(), RULES)
    assert record.steps == session.record.steps
    assert record.stated["end"] == session.game.end
    assert run(["verify", str(tmp_path / "game.json")]) == 0


def test_refusals_say_why_and_moves_are_taken_back_that_showed_nothing(sit, tmp_path):
    async def steps(app, pilot):
        async def told(words, *keys):
            await pilot.press(*keys)
            await until(pilot, lambda: app.table.said.startswith(words))

        await told("6>7: 6C does not go on QS", "6", "7")
        await told("W>F: the waste is empty", "w", "f")
        await told("nothing to undo", "u")
        await told("FD1>3: a card on a foundation stays there", "f", "d", "3")
        await told("none of the 24 cards of the stock", "s")
        await told("hints are off", "h")
        assert is_at(app) == ([], Player.A)
        await told("A: A♦ up", "1", "f")
        await told("taken back: 1>F", "u")
        await told("A: A♦ up", "a")
        await told("A: drew 6♦", "d")
        assert is_at(app) == (["A 1>F", "A draw"], Player.B)
        # A second person has the turn, whose layout stands in front now.
        await told("nothing to undo", "u")
        assert app.table.player is Player.B
        assert "A person  up 1" in lines_of(app, "folded")
        await told("B: passed", "p")
        assert app.table.player is Player.A

    drive(sit(PEOPLE, code="DS2-D1N-AAAAAAB"), steps)
    assert json.loads((tmp_path / "game.json").read_text())["moves"][-1] == "B pass"


def test_the_other_one_cannot_be_played_for_nor_taken_back(sit, monkeypatch):
    async def steps(app, pilot):
        monkeypatch.setattr(app.table.thinker, "ask", lambda *_: None)
        await pilot.press("d")
        await until(pilot, lambda: app.table.session.game.turn is Player.B)
        for keys in ("u", "a", "h", "p", "d", "1f"):
            app.table.say("")
            await pilot.press(*keys)
            await until(pilot, lambda: "it is B's turn" in app.table.said)
        assert len(app.table.session.record.steps) == 1

    drive(sit(("person", "casual"), hints=()), steps)


def test_a_search_that_fails_is_tried_again(sit, monkeypatch):
    async def steps(app, pilot):
        ask = app.table.thinker.ask
        monkeypatch.setattr(
            app.table.thinker, "ask", lambda _, __, ___, fail, *____: fail(OSError("no memory"))
        )
        await pilot.press("d")
        await until(pilot, lambda: "the search failed: no memory" in app.table.said)
        monkeypatch.setattr(app.table.thinker, "ask", ask)
        await pilot.press("z")
        await until(pilot, lambda: app.table.session.game.turn is Player.A)

    drive(sit(("person", "casual")), steps)


def test_a_hint_is_marked_in_the_record(sit, tmp_path):
    async def steps(app, pilot):
        await pilot.press("h")
        await until(pilot, lambda: "wins" in app.table.said or "makes sense" in app.table.said)
        assert app.table.scene().next

    drive(sit(PEOPLE, code="DS2-D1N-AAAAAAB", hints=()), steps)
    assert json.loads((tmp_path / "game.json").read_text())["hints"] == [0]


def test_what_is_proved_is_said_at_the_table_and_in_lines(sit, tmp_path, dsol):
    # Each has taken the other's queen's place and buries the jack below; A has two more up.
    dead = table("1 (KH) (JS) QH", "1 (KC) (KD) (KS) (JH) QS")
    session = Session(GameRecord(RULES, dead, players=PEOPLE), tmp_path / "game.json", False)

    async def steps(app, pilot):
        await until(pilot, lambda: "decided: A wins" in lines_of(app, "panel"))
        assert "A is dead" in lines_of(app, "panel") and "B is dead" in lines_of(app, "panel")
        await pilot.press("l")
        await until(pilot, lambda: not app.table.query_one("#panel").display)

    drive(sit_down_for_two(session, 10), steps)
    words = ("play", "--resume", tmp_path / "game.json", "--quiet", "--lines", "--no-adjudicate")
    assert "decided: A wins, whatever is played" in dsol(*words, stdin="quit\n")[1]
    assert "decided" not in dsol(*words, "--no-light", stdin="quit\n")[1]


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (130, 40)])
def test_all_has_its_place(sit, size):
    async def steps(app, pilot):
        shown = app.table
        board, other = shown.query_one(Board), shown.query_one("#other", Board)
        await until(pilot, lambda: board.picture.rows and board.picture.width <= board.size.width)
        rows = sum(each.size.height for each in shown.query(Static) if each.display)
        assert rows + board.size.height + 1 == size[1]
        for spot in ((6, 6), ("f7", -1), ("stock", -1)):
            x, y = board.picture.cell_of(spot)
            assert x < board.size.width - 1 and y < board.size.height
        if size[0] > 100:
            await until(pilot, lambda: other.picture.rows)
            assert other.display
            assert lines_of(app, "folded").split() == [
                "A",
                "you",
                "up",
                "0",
                "B",
                "careful",
                "up",
                "0",
            ]
            with pytest.raises(KeyError):
                other.picture.cell_of(("f0", -1))
            return
        assert all(len(line) <= size[0] for line in lines_of(app, "folded").splitlines())
        assert not other.display
        await pilot.press("o")
        await until(pilot, lambda: other.display and other.picture.rows)
        assert not board.display and "A you" in lines_of(app, "folded")
        # The other's cards are to be looked at only.
        await at_other(pilot, other)
        assert not shown.session.record.steps
        await pilot.press("o")
        await until(pilot, lambda: board.display)
        await pilot.pause(0.1)
        await at(pilot, app, (0, 0), "mouse_down", "mouse_up")
        await until(pilot, lambda: shown.session.record.steps)

    drive(sit(("person", "careful"), code="DS2-D3N-AAAAAAB"), steps, size)


async def at_other(pilot, board):
    for act in ("mouse_down", "mouse_up"):
        await getattr(pilot, act)(board, offset=board.picture.cell_of(("stock", -1)))


@pytest.fixture
def seated(monkeypatch, data_folder):
    """The steps of a person at the table that a command shows."""
    monkeypatch.setattr("double_solitaire.cli.play.is_terminal", lambda _: True)

    def begin(steps, *words):
        tables = []
        monkeypatch.setattr(
            "double_solitaire.table.app.TableApp.run", lambda app: tables.append(app._sit_down)
        )
        assert run(["play", *map(str, words), "--quiet"]) == 0
        return drive(tables[0], steps)

    return begin


def test_a_game_that_was_left_is_gone_on_with_or_begun_anew(seated, data_folder):
    async def begin(app, pilot):
        await pilot.press("a", "d")
        await until(pilot, lambda: len(app.table.session.record.steps) == 2)

    async def go_on(app, pilot):
        await until(pilot, lambda: isinstance(app.screen, Asks))
        assert "after 1 turns, with 1 cards of A and 0 of B up" in app.screen.text
        await pilot.press("y")
        await until(pilot, lambda: app.screen is app.table)
        await pilot.press("d")
        await until(pilot, lambda: len(app.table.session.record.steps) == 3)

    async def resume(app, pilot):
        assert is_at(app)[0] == ["A 1>F", "A draw", "B draw"]

    async def begin_anew(app, pilot):
        await until(pilot, lambda: isinstance(app.screen, Asks))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.table)
        assert is_at(app) == ([], Player.A)

    words = ("DS2-D1N-AAAAAAB", "--against", "person")
    seated(begin, *words)
    seated(go_on, *words)
    seated(resume, "--resume")
    seated(begin_anew, *words)
    games = sorted((data_folder / "double-solitaire" / "games").iterdir())
    kept = {path.name: json.loads(path.read_text())["moves"] for path in games}
    assert kept == {
        "DS2-D1N-AAAAAAB.1.json": ["A 1>F", "A draw", "B draw"],
        "DS2-D1N-AAAAAAB.json": [],
    }


def test_without_a_table_it_is_played_in_lines(dsol, monkeypatch):
    monkeypatch.setattr("double_solitaire.cli.play.is_terminal", lambda _: True)
    code, out, err = dsol("play", "DS2-D1N-AAAAAAB", "--lines", "--quiet", stdin="quit\n")
    assert code == 0 and "turn 1, you (A)" in out
    code, out, err = dsol("play", "DS2-D1N-AAAAAAB", "--simultaneous", "--quiet", stdin="quit\n")
    assert code == 0 and "both at once is played in lines" in err
    code, out, err = dsol("play", "DS1-D1N-AAAAAAB", "--lines")
    assert code == 2 and "--lines is for the game for two" in err


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own is had by pty")
def test_a_killed_game_is_resumed(tmp_path, seated):
    import pty

    main, terminal = pty.openpty()
    path = tmp_path / "game.json"
    words = ["play", "DS2-D1N-AAAAAAB", "--against", "person", "-o", str(path)]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    with subprocess.Popen(
        [sys.executable, "-m", "double_solitaire", *words],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
    ) as process:
        threading.Thread(target=read_all, args=(main,), daemon=True).start()
        wait_for(path.exists)
        for number, keys in enumerate((b"1f", b"d", b"d"), 1):
            os.write(main, keys)
            wait_for(lambda number=number: len(json.loads(path.read_text())["moves"]) == number)
        process.kill()
    os.close(terminal)

    async def steps(app, pilot):
        assert is_at(app) == (["A 1>F", "A draw", "B draw"], Player.A)
        await pilot.press("d")
        await until(pilot, lambda: len(app.table.session.record.steps) == 4)

    seated(steps, "--resume", path)
    assert run(["verify", str(path)]) == 0
    assert parse_move("draw") == read_record(path.read_text(), RULES).steps[-1].action
