"""The table: its games without a screen, and the screen driven by Textual's pilot."""

import asyncio
import functools
import json

import pytest
from double_solitaire.engine.errors import DealError, MoveError
from double_solitaire.engine.moves import DRAW, Kind, parse_move
from double_solitaire.engine.referee import UNDO_LIMIT
from double_solitaire.engine.solution import read_solution
from double_solitaire.rating.view import View
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits
from double_solitaire.table.opening import open_deal
from double_solitaire.table.session import Session

from double_solitaire.api import new_game

pytest.importorskip("textual")
from double_solitaire.table.app import TableApp
from double_solitaire.table.board import Board
from double_solitaire.table.marks import source_spots, target_spots
from double_solitaire.table.play import sit_down

CODE = "DS1-D1N-AAAAAAB"
SMALL = "KL1-D1N-AAAAAAB"


@pytest.fixture(autouse=True)
def data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def opened(tmp_path):
    def begin(code=CODE, path=None):
        game = new_game(code)
        return open_deal(game.rules, game.position(), code, path or tmp_path / "game.json")

    return begin


@pytest.fixture(autouse=True)
def hurried_pilot(monkeypatch):
    """After each key the pilot waits for a pause of this process, which is slow on a busy machine.

    It waits until all messages have been handled, too, and that is enough."""

    async def go_on(*_):
        await asyncio.sleep(0)

    monkeypatch.setattr("textual.app.wait_for_idle", go_on)
    monkeypatch.setattr("textual.pilot.wait_for_idle", go_on)


def drive(sit, steps, size=(80, 24)):
    """Run the table with these steps, a coroutine that gets the app and the pilot."""

    async def run():
        app = TableApp(sit)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            while not app.table.query_one(Board).picture.rows:
                await pilot.pause(0.01)
            return await steps(app, pilot)

    return asyncio.run(run())


@functools.cache
def moves_of_a_win(code):
    game = new_game(code)
    return solve(game.rules, game.position(), Limits(), polish=False).moves


def keys_of(move):
    """What a person types for a move."""
    match move.kind:
        case Kind.DRAW | Kind.RECYCLE:
            return ["d"]
        case Kind.TAKE_BACK:
            return ["f", "shdc"[move.source], str(move.target + 1)]
    source, target = str(move)[0].lower(), str(move).split(">")[1][0].lower()
    return [source, target]


async def until(pilot, is_so):
    """Wait until something is so; fail if that takes too long."""
    for _ in range(2000):
        if is_so():
            return
        await pilot.pause()
        await asyncio.sleep(0.005)
    raise AssertionError("it has not come to that")


async def with_keys(pilot, app, move):
    """Make a move with keys, and wait for it."""
    counter = app.table.session.counter
    await pilot.press(*keys_of(move))
    await until(pilot, lambda: app.table.session.counter > counter)
    assert app.table.session.moves[-1] == move


async def at(pilot, app, spot, *acts):
    """Do something with the mouse over a spot of the board."""
    board = app.table.query_one(Board)
    for act in acts:
        await getattr(pilot, act)(board, offset=board.picture.cell_of(spot))


async def with_mouse(pilot, app, move):
    """Make a move with the mouse as the app has it, and wait for it."""
    game, counter = app.table.game, app.table.session.counter
    source = min(source_spots(game, move), key=lambda spot: spot[1])
    gesture = game.gesture(move)
    if gesture == "drag":
        (target,) = target_spots(game, move)
        await at(pilot, app, source, "mouse_down")
        await at(pilot, app, target, "hover", "mouse_up")
    else:
        for _ in range(1 if gesture == "tap" else 2):
            await at(pilot, app, source, "mouse_down", "mouse_up")
    await until(pilot, lambda: app.table.session.counter > counter)
    assert app.table.session.moves[-1] == move


# Games without a screen


def test_a_game_is_kept_and_gone_on_with(tmp_path, opened):
    session = opened().fresh
    for move in ("draw", "W>9", "draw", "draw"):
        session.play(parse_move(move))
    assert session.undo() == DRAW
    kept = json.loads((tmp_path / "game.json").read_text())
    assert kept["code"] == CODE
    assert kept["moves"] == ["draw", "W>9", "draw"]
    assert kept["counter"] == 4
    assert kept["score"] == 5
    again = Session.load(tmp_path / "game.json")
    assert again.game.position() == session.game.position()
    assert (again.counter, again.undoable) == (4, 3)
    solution = read_solution((tmp_path / "game.json").read_text())
    assert [str(move) for move in solution.moves] == kept["moves"]


def test_undo_reaches_back_200_actions_also_after_it_was_kept(tmp_path, opened):
    session = opened().fresh
    for _ in range(230):
        session.play(DRAW if session.game.stock else parse_move("recycle"))
    for _ in range(120):
        session.undo()
    session = Session.load(tmp_path / "game.json")
    for _ in range(80):
        session.undo()
    assert len(session.moves) == 230 - UNDO_LIMIT
    with pytest.raises(MoveError, match="nothing to undo; the last 200"):
        session.undo()
    assert session.counter == 230


def test_the_score_comes_back_also_where_the_floor_had_swallowed_some(opened):
    session = opened().fresh
    session.play(DRAW)
    session.play(parse_move("W>9"))
    while session.game.stock:
        session.play(DRAW)
    session.play(parse_move("recycle"))
    assert session.game.score == 0
    session.undo()
    assert session.game.score == 5


def test_the_clock_runs_from_the_first_action_and_stands_when_the_game_is_won(opened):
    now = [0.0]
    game = new_game(SMALL)
    session = Session(game.rules, View(game.position(), ()), SMALL, None, lambda: now[0])
    now[0] = 5
    assert session.seconds == 0
    for move in moves_of_a_win(SMALL):
        session.play(move)
        now[0] += 1
    played = session.seconds
    now[0] += 100
    assert session.game.won and session.seconds == played > 50


def test_a_deal_that_was_left_is_offered_and_another_file_is_not_taken(tmp_path, opened):
    opened().fresh.play(DRAW)
    assert opened().left.moves == [DRAW]
    with pytest.raises(DealError, match="something else"):
        opened(SMALL, tmp_path / "game.json")


# The screen


def test_a_whole_game_by_keys(tmp_path, opened):
    moves = moves_of_a_win(CODE)

    async def steps(app, pilot):
        for move in moves:
            await with_keys(pilot, app, move)
        return app.table.session, app.table.said

    session, said = drive(sit_down(opened(), has_light=False), steps)
    assert session.game.won and said.startswith("Won!")
    record = json.loads((tmp_path / "game.json").read_text())
    assert record["won"] and record["score"] == session.game.score
    assert record["counter"] == len(moves)


def test_a_whole_game_with_the_mouse(opened):
    async def steps(app, pilot):
        for move in moves_of_a_win(SMALL):
            await with_mouse(pilot, app, move)
        return app.table.session

    session = drive(sit_down(opened(SMALL), has_light=False), steps, (100, 40))
    assert session.game.won
    assert session.moves == list(moves_of_a_win(SMALL))


def test_taps_are_those_of_the_rules(opened):
    async def steps(app, pilot):
        session = app.table.session
        # A tap on a card that no foundation takes does nothing, a second one moves it.
        await at(pilot, app, ("stock", -1), "mouse_down", "mouse_up")
        await at(pilot, app, ("waste", -1), "mouse_down", "mouse_up")
        await pilot.pause()
        assert [str(move) for move in session.moves] == ["draw"]
        await at(pilot, app, ("waste", -1), "mouse_down", "mouse_up")
        await pilot.pause()
        assert str(session.moves[-1]) == "W>9"
        # Face-down cards take no tap, and cannot be dragged.
        await at(pilot, app, (7, 1), "mouse_down", "mouse_up", "mouse_down", "mouse_up")
        await at(pilot, app, (7, 1), "mouse_down")
        await at(pilot, app, (8, 9), "hover", "mouse_up")
        await pilot.pause()
        assert len(session.moves) == 2
        assert "face down" in app.table.said

    drive(sit_down(opened(), has_light=False), steps)


@pytest.mark.parametrize("size", [(60, 24), (80, 24), (120, 50)])
def test_every_card_of_a_game_has_its_place_on_the_board(opened, size):
    async def steps(app, pilot):
        board = app.table.query_one(Board)
        for number, move in enumerate(moves_of_a_win(CODE)):
            app.table.make(move)
            if number % 7:
                continue
            await pilot.pause()
            for column, cards in enumerate(app.table.game.columns):
                hidden = app.table.game.hidden[column]
                for index in range(hidden, len(cards)):
                    x, y = board.picture.cell_of((column, index))
                    assert x < board.size.width and y < board.size.height
                    assert board.picture.at(x, y) == (column, index)
            assert all(
                len(text.text) == board.size.width for text in map(board.render_line, range(5))
            )

    drive(sit_down(opened(), has_light=False), steps, size)
