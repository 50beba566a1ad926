"""The table: its games without a screen, and the screen driven by Textual's pilot."""

import asyncio
import contextlib
import functools
import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time

import pytest
from double_solitaire.engine.cards import card_text, parse_card
from double_solitaire.engine.codes import DealCode
from double_solitaire.engine.dealing import random_numbers
from double_solitaire.engine.errors import DealError, MoveError
from double_solitaire.engine.moves import DRAW_MOVE, Kind, parse_move
from double_solitaire.engine.referee import UNDO_LIMIT, replay
from double_solitaire.engine.rules import rules_for
from double_solitaire.notation.solution import read_solution
from double_solitaire.rating.view import STOCK, View
from double_solitaire.solver.solve import solve
from double_solitaire.solver.verdict import Limits, Verdict
from double_solitaire.table.follow import Follow
from double_solitaire.table.opening import Opened, open_deal
from double_solitaire.table.session import Session, unseen_game

from double_solitaire.api import new_game, rate

pytest.importorskip("textual")
from double_solitaire.table.app import TableApp
from double_solitaire.table.board import Board
from double_solitaire.table.chance import find_deal
from double_solitaire.table.files import kept_path
from double_solitaire.table.follow_screen import sit_down_to_follow
from double_solitaire.table.marks import source_spots, target_spots
from double_solitaire.table.own import sit_down_own
from double_solitaire.table.play import NewDeal, PlayScreen, sit_down
from double_solitaire.table.screens import Asks
from double_solitaire.table.thinker import Thinker, Ticket
from textual.widgets import Input, OptionList

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

    It waits until all messages have been handled, too, and that is enough. A second may pass
    there between two taps that are to be quick."""

    async def go_on(*_):
        await asyncio.sleep(0)

    monkeypatch.setattr("textual.app.wait_for_idle", go_on)
    monkeypatch.setattr("textual.pilot.wait_for_idle", go_on)
    monkeypatch.setattr("double_solitaire.table.board.QUICK", 60)


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
    """Wait until something is so; fail if that takes too long, as when code is to be compiled."""
    end = time.monotonic() + 120
    while not is_so():
        assert time.monotonic() < end, f"it has not come to that; {pilot.app.table.said}"
        await pilot.pause()
        await asyncio.sleep(0.005)


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
    assert session.undo() == DRAW_MOVE
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
        session.play(DRAW_MOVE if session.game.stock else parse_move("recycle"))
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
    session.play(DRAW_MOVE)
    session.play(parse_move("W>9"))
    while session.game.stock:
        session.play(DRAW_MOVE)
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
    opened().fresh.play(DRAW_MOVE)
    assert opened().left.moves == [DRAW_MOVE]
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


# Following a list


def followed(path, moves=None, code=SMALL):
    game = new_game(code)
    moves = moves_of_a_win(code) if moves is None else moves
    follow = Follow(game.rules, game.position(), moves, code, path)
    follow.take_place()
    return follow


def test_a_list_is_followed_and_its_place_kept(tmp_path):
    path = tmp_path / "list.json"
    moves = moves_of_a_win(SMALL)

    async def steps(app, pilot):
        follow = app.table.follow
        await pilot.press("right", "space", "enter")
        await until(pilot, lambda: follow.at == 3)
        await pilot.press("left")
        await until(pilot, lambda: follow.at == 2)
        assert follow.done == follow.steps[1].last
        assert f"next {follow.steps[2].number}: " in app.table.said
        await pilot.press("g", "2", "0", "enter")
        await until(pilot, lambda: follow.done == 19)
        await pilot.press("g", "x", "enter")
        await until(pilot, lambda: "no number" in app.table.said)

    drive(sit_down_to_follow(followed(path)), steps)
    assert followed(path).done == 19
    # Of another list the place means nothing.
    assert followed(path, moves[:40]).done == 0
    assert read_solution(path.read_text()).moves == moves

    async def to_the_end(app, pilot):
        await pilot.press("end")
        await until(pilot, lambda: "52 cards are up" in app.table.said)
        await pilot.press("home")
        await until(pilot, lambda: app.table.follow.done == 0)

    drive(sit_down_to_follow(followed(path)), to_the_end)


def test_something_else_was_done_and_the_solver_goes_on_from_there(tmp_path):
    path = tmp_path / "list.json"
    moves = moves_of_a_win(SMALL)

    async def steps(app, pilot):
        follow, game = app.table.follow, app.table.game
        other = next(m for m in game.legal_moves() if m != moves[0])
        await pilot.press(*keys_of(other))
        await until(pilot, lambda: len(follow.moves) > 1)
        assert follow.has_left and follow.moves[0] == other and follow.is_won
        replayed = replay(follow.rules, follow.start, follow.moves)
        assert replayed.won
        await pilot.press("right")
        await until(pilot, lambda: follow.at == 2)
        return follow.done

    done = drive(sit_down_to_follow(followed(path)), steps)
    again = followed(path)
    assert again.done == done and again.has_left
    # Going back before it returns to the list that was given.
    again.jump(0)
    assert again.moves == moves and not again.has_left


def test_the_draws_of_a_list_are_one_step_and_may_be_made_one_by_one(tmp_path):
    follow = followed(None)
    number = next(n for n, step in enumerate(follow.steps) if len(step.moves) > 1)
    step = follow.steps[number]
    follow.jump(step.first - 1)
    follow.play(DRAW_MOVE)
    assert not follow.has_left and follow.at == number
    assert len(follow.next.moves) == len(step.moves) - 1
    follow.back()
    assert follow.done == step.first - 1


def test_a_list_is_looked_for_where_none_is_given(tmp_path):
    async def steps(app, pilot):
        await until(pilot, lambda: app.table.follow.is_won)

    drive(sit_down_to_follow(followed(tmp_path / "list.json", ())), steps)
    assert followed(tmp_path / "list.json", ()).is_won


# My own cards


class Person:
    """Someone with the cards on a table, who sees only what lies face up."""

    def __init__(self, code):
        self.game = new_game(code)
        self.rules = self.game.rules

    def sees(self, session):
        """The card that the screen asks for first, which has to lie open on the table."""
        (pile, index), *others = session.asked
        if pile == STOCK:
            return self.game.waste[-1 - len(others)]
        assert index == len(self.game.columns[pile]) - 1 == self.game.hidden[pile]
        return self.game.columns[pile][-1]

    async def names_all(self, pilot, app):
        """Type the cards that are asked for, those of columns and those drawn."""
        session = app.table.session
        keystrokes = 0
        while session.asked:
            many = len(session.asked)
            keys = card_text(self.sees(session)).lower()
            await pilot.press(*keys)
            keystrokes += len(keys)
            await until(pilot, lambda many=many: len(session.asked) < many)
        return keystrokes


def own(code, path):
    """The table of a person who has this deal before them."""
    rules = new_game(code).rules
    return Opened(Session(rules, unseen_game(rules), None, path, own=True), None)


async def play_to_the_end(app, pilot, person, most):
    """Do what the screen recommends until nothing is, or for so many moves."""
    session = app.table.session
    await person.names_all(pilot, app)
    while not person.game.won and len(session.moves) < most:
        await until(pilot, lambda: app.table.advised is not None)
        if not app.table.advised:
            break
        move = app.table.advised[0]
        await with_keys(pilot, app, move)
        person.game.play(move)
        await person.names_all(pilot, app)
        assert session.game.waste == person.game.waste
        for shown, real, hidden in zip(
            session.game.columns, person.game.columns, person.game.hidden, strict=True
        ):
            assert shown[hidden:] == real[hidden:]
    return session


@pytest.fixture
def hasty_advice(monkeypatch):
    monkeypatch.setattr("double_solitaire.table.own.SAMPLES", 3)
    monkeypatch.setattr("double_solitaire.table.own.NODES", 300)


@pytest.mark.parametrize("code", ["KL1-D1N-AAAAAAC", "KL1-D3V-AAAAAAD"])
def test_own_cards_to_the_end(tmp_path, code, hasty_advice):
    person = Person(code)

    async def steps(app, pilot):
        return await play_to_the_end(app, pilot, person, 400)

    session = drive(sit_down_own(own(code, tmp_path / "own.json")), steps)
    assert session.moves and (session.game.won or len(session.moves) < 400)
    again = Session.load(tmp_path / "own.json")
    assert again.own and again.seen.blank() == session.seen.blank()
    assert again.game.score == person.game.score


@pytest.mark.long
@pytest.mark.parametrize("number", range(20))
def test_own_cards_to_the_end_on_random_deals(tmp_path, hasty_advice, number):
    rules = rules_for("DS1", (1, 3)[number % 2], "NV"[number // 2 % 2])
    deal = next(itertools.islice(random_numbers(2026), number, None))
    code = str(DealCode(rules, deal))
    person = Person(code)

    async def steps(app, pilot):
        return await play_to_the_end(app, pilot, person, 1000)

    path = tmp_path / "own.json"
    session = drive(sit_down_own(own(code, path)), steps)
    assert session.game.score == person.game.score
    assert session.game.won or len(session.moves) < 1000
    if not session.view.places:
        solution = read_solution(path.read_text())
        assert solution.moves == tuple(session.moves) and solution.score == person.game.score
    print(code, session.game.cards_up, "up after", len(session.moves), "moves")


def test_a_card_that_cannot_be_there_is_refused_and_a_wrong_one_corrected(tmp_path, hasty_advice):
    person = Person(CODE)

    async def steps(app, pilot):
        table, session = app.table, app.table.session
        assert len(session.asked) == 9
        await pilot.press("x")
        await until(pilot, lambda: "x" in table.said.lower() and "no card" in table.said)
        # The eight of clubs of column 1 is misread, and so is there three times in the end.
        await pilot.press(*"1", *"0", "c", *"ks", *"7c", *"8h", *"9s", *"8h", *"8h")
        await until(pilot, lambda: "8H is there twice already" in table.said)
        await pilot.press(*"7h3sqd")
        await until(pilot, lambda: not session.asked)
        await pilot.press("e", *"1 8c", "enter")
        await until(pilot, lambda: "8♣ now" in table.said)
        assert session.game.columns[0] == [parse_card("8C")]
        await pilot.press("d", *"js")
        await until(pilot, lambda: len(session.moves) == 1 and not session.asked)
        await pilot.press("w", "9")
        await until(pilot, lambda: len(session.moves) == 2)
        # The jack has been played to the queen: no red jack can have done that.
        await pilot.press("e", *"9.10 jh", "enter")
        await until(pilot, lambda: "illegal at move 2" in table.said)
        await pilot.press("e", *"9.3 jh", "enter")
        await until(pilot, lambda: "has not been typed" in table.said)
        await pilot.press("e", *"9.10 jc", "enter")
        await until(pilot, lambda: "J♣ now" in table.said)
        await pilot.press("u", "u")
        await until(pilot, lambda: not session.moves)
        # What was drawn before is known.
        await pilot.press("d")
        await until(pilot, lambda: len(session.moves) == 1)
        assert not session.asked and session.game.waste == [parse_card("JC")]

    drive(sit_down_own(own(CODE, tmp_path / "own.json")), steps)
    assert person.game.rules.cards == 104


def test_from_the_cards_on_a_table_to_the_first_advice_in_few_keys(tmp_path, hasty_advice):
    person = Person(CODE)

    async def steps(app, pilot):
        await until(pilot, lambda: len(app.screen_stack) > 2)
        await pilot.press("1")
        await until(pilot, lambda: "scored" in getattr(app.screen, "text", ""))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.table and app.table.session.asked)
        cards = await person.names_all(pilot, app)
        await until(pilot, lambda: bool(app.table.advised))
        return 2, cards

    asked, cards = drive(sit_down_own(own(CODE, tmp_path / "own.json"), True), steps)
    assert cards == 2 * 9
    assert len("dsol play --own\n") + asked <= 60


def test_a_game_with_unknown_cards_is_read_back(tmp_path):
    rules = new_game(CODE).rules
    session = Session(rules, unseen_game(rules), None, tmp_path / "own.json", own=True)
    session.save()
    for word in ["8C", "KS", "7C", "8H", "9S", "8H", "7H", "3S", "QD"]:
        session.learn(parse_card(word))
    again = Session.load(tmp_path / "own.json")
    assert again.seen.blank() == session.seen.blank() and len(again.seen.places) == 104 - 9
    path = tmp_path / "twice.json"
    path.write_text((tmp_path / "own.json").read_text().replace('"8C"', '"8H"'))
    with pytest.raises(DealError, match="8H is there 3 times"):
        Session.load(path)


# The light, hints and the auto-finish


def test_the_light_goes_with_the_position_and_can_be_turned_off(opened):
    async def steps(app, pilot):
        table = app.table
        await until(pilot, lambda: "winnable" in str(table.head()))
        await pilot.press("l")
        await until(pilot, lambda: not table.has_light)
        assert "winnable" not in str(table.head())
        await pilot.press("h")
        await until(pilot, lambda: table.said.startswith("hint: "))
        assert table.session.hints == 1
        move = table.hinted
        await with_keys(pilot, app, move)
        # Whoever does what is said has the rest of the list.
        assert table.wins.of(table.game.position()).moves
        await pilot.press("l")
        await until(pilot, lambda: "winnable" in str(table.head()))

    drive(sit_down(opened()), steps)


def test_a_lost_game_is_called_lost_only_by_proof(opened, monkeypatch):
    code = "KL1-D3V-AAAAAAD"
    game = new_game(code)
    assert solve(game.rules, game.position(), Limits()).verdict is Verdict.UNWINNABLE

    async def steps(app, pilot):
        table = app.table
        await until(pilot, lambda: "lost (proof)" in str(table.head()))
        await pilot.press("h")
        await until(pilot, lambda: "cannot be won any more" in table.said)
        # What follows from a proof needs no search.
        monkeypatch.setattr(table.thinker, "ask", None)
        await pilot.press("d")
        await until(pilot, lambda: table.session.counter == 1)
        assert "lost (proof)" in str(table.head())

    drive(sit_down(opened(code)), steps)


def test_a_limit_is_called_unknown(opened, monkeypatch):
    monkeypatch.setattr("double_solitaire.table.play.STEPS", (10,))
    monkeypatch.setattr("double_solitaire.table.play.MOST_NODES", 20)

    async def steps(app, pilot):
        await until(pilot, lambda: "unknown" in str(app.table.head()))
        await pilot.press("h")
        await until(pilot, lambda: "it may be won or lost" in app.table.said)

    drive(sit_down(opened("DS1-D3V-AAAAAAD")), steps)


def test_auto_finish_waits_for_open_cards_and_any_key_stops_it(opened, monkeypatch):
    monkeypatch.setattr("double_solitaire.table.play.FINISH_STEP", 0.01)
    moves = moves_of_a_win(SMALL)
    session = opened(SMALL).fresh
    played = 0
    while any(session.game.hidden):
        session.play(moves[played])
        played += 1

    async def steps(app, pilot):
        table = app.table
        await until(pilot, lambda: app.screen is not table)
        await pilot.press("y")
        await until(pilot, lambda: app.screen is table)
        assert len(table.session.moves) == played
        await pilot.press("a")
        await until(pilot, lambda: len(table.session.moves) > played)
        await pilot.press("escape")
        await pilot.pause()
        stopped = len(table.session.moves)
        await pilot.pause(0.1)
        assert len(table.session.moves) == stopped
        await pilot.press("a")
        await until(pilot, lambda: table.game.won)

    async def too_early(app, pilot):
        await pilot.press("a")
        await until(pilot, lambda: "no card lies face down" in app.table.said)

    drive(sit_down(opened(SMALL)), steps)
    drive(sit_down(opened(CODE, session.path.with_name("other.json"))), too_early)


def wait_until_it_is_past(folder, goes_on, report):
    """Work for a thinker; it says in a file how it ended."""
    report("begun")
    for _ in range(6000):
        if not goes_on():
            break
        time.sleep(0.01)
    (folder / "ended").write_text(str(goes_on()))
    return "late"


def leave_a_mark(folder, *_):
    (folder / "done").touch()


def divide_by_nothing(*_):
    return 1 // 0


def end_the_process(*_):
    os._exit(3)


class Heard(queue.Queue):
    """Whatever a thinker says of a piece of work, in the order in which it does."""

    def ask(self, thinker, work):
        ticket = Ticket()
        thinker.ask(ticket, work, self.put, self.put, self.put)
        return ticket

    def next(self):
        return self.get(timeout=120)


def test_what_is_given_up_is_not_worked_out_and_nothing_is_heard_of_it(tmp_path):
    thinker, heard = Thinker(), Heard()
    ticket = heard.ask(thinker, functools.partial(wait_until_it_is_past, tmp_path))
    assert heard.next() == "begun"
    waiting = heard.ask(thinker, functools.partial(leave_a_mark, tmp_path))
    thinker.give_up(waiting)
    heard.ask(thinker, divide_by_nothing)
    thinker.give_up(ticket)
    assert isinstance(heard.next(), ZeroDivisionError)
    assert (tmp_path / "ended").read_text() == "False"
    assert not (tmp_path / "done").exists()
    # It is not of the past for all because its process has ended.
    heard.ask(thinker, end_the_process)
    assert "exit code 3" in str(heard.next())
    heard.ask(thinker, divide_by_nothing)
    assert isinstance(heard.next(), ZeroDivisionError)


def test_a_new_deal_is_chosen_in_the_table(opened):
    async def steps(app, pilot):
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.screen, NewDeal))
        await until(pilot, lambda: isinstance(app.focused, OptionList))
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press(*"aaaaaac", "enter")
        await until(pilot, lambda: app.table.session.code == "DS1-D1N-AAAAAAC")
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.focused, OptionList))
        await pilot.press("down", "enter")
        await until(pilot, lambda: app.table.session.code not in (CODE, "DS1-D1N-AAAAAAC"))

    drive(sit_down(opened(), has_light=False), steps)


def test_what_one_table_has_asked_for_no_other_gives_up(opened, tmp_path):
    other = open_deal(rules_for("KL1", 1, "N"), new_game(SMALL).position(), SMALL, tmp_path / "s")

    async def steps(app, pilot):
        first, heard = app.table, []
        asked = functools.partial(wait_until_it_is_past, tmp_path)
        first.think(asked, heard.append, heard.append)
        second = PlayScreen(app.thinker, other, has_light=False)
        coming = app.switch_screen(second)
        while not second.is_mounted:
            await asyncio.sleep(0)
        second.think(asked, heard.append, heard.append)
        await coming
        # The first one is put away with what it has asked for, the second one is not.
        first.put_away()
        await until(pilot, lambda: heard == ["begun"])
        assert (tmp_path / "ended").read_text() == "False"

    drive(sit_down(opened(), has_light=False), steps)


def test_the_same_deal_is_begun_once_more(opened, data_folder):
    async def steps(app, pilot):
        await pilot.press("d")
        await until(pilot, lambda: app.table.session.moves)
        await pilot.press("n")
        await until(pilot, lambda: isinstance(app.focused, OptionList))
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(app.focused, Input))
        await pilot.press(*"aaaaaab", "enter")
        await until(pilot, lambda: isinstance(app.screen, Asks))
        await pilot.press("n")
        await until(pilot, lambda: app.screen is app.table)
        await pilot.press("d", "d")
        await until(pilot, lambda: app.table.session.counter == 2)

    drive(sit_down(opened(path=kept_path(CODE)), has_light=False), steps)
    kept = sorted((data_folder / "double-solitaire" / "games").iterdir())
    moves = [json.loads(path.read_text())["moves"] for path in kept]
    assert moves == [["draw"], ["draw", "draw"]]


def test_a_deal_of_a_level():
    rules = new_game(SMALL).rules
    code = find_deal(rules, "easy", iter(range(100)), lambda: True)
    assert rate(str(code)).level.value == "easy"
    assert find_deal(rules, "easy", iter(range(100)), lambda: False) is None


# The command


@pytest.fixture
def shown(monkeypatch):
    """The table that a command would show, for a command that is told it has a terminal."""
    tables = []
    monkeypatch.setattr("double_solitaire.cli.play.is_terminal", lambda _: True)
    monkeypatch.setattr(TableApp, "run", lambda app: tables.append(app._sit_down(app.thinker)))
    return tables


def test_ways_to_sit_down(dsol, shown, written, data_folder):
    solved = dsol("solve", SMALL)[1]
    listed = written("list.txt", solved)
    position = written("table.txt", "8C KS 7C 8H 9S 8H 7H 3S QD")
    calls = {
        (CODE,): "PlayScreen",
        ("--seed", "3"): "PlayScreen",
        ("--level", "easy", "--game", "KL1"): "PlayScreen",
        ("--own",): "OwnScreen",
        ("--deal", position): "OwnScreen",
        ("--own", "--deal", position, "--draw", "3"): "OwnScreen",
        (SMALL, "--follow"): "FollowScreen",
        ("--follow", SMALL): "FollowScreen",
        ("--follow", listed): "FollowScreen",
        (SMALL, "--follow", listed): "FollowScreen",
    }
    for words, screen in calls.items():
        code, _, err = dsol("play", *words, "--quiet")
        assert code == 0, (words, err)
        assert type(shown[-1]).__name__ == screen, words
    assert shown[-1].follow.is_won and shown[-2].follow.is_won
    assert shown[0].session.path == data_folder / "double-solitaire" / "games" / f"{CODE}.json"
    assert shown[4].session.seen.places and not shown[4].session.asked
    assert shown[5].session.rules.draw == 3


def test_a_game_is_resumed(dsol, shown, opened, tmp_path):
    assert dsol("play", "--resume")[0] == 1
    session = opened(path=kept_path(CODE)).fresh
    session.play(DRAW_MOVE)
    assert dsol("play", "--resume")[0] == 0
    assert shown[-1].session.moves == [DRAW_MOVE]
    assert dsol("play", CODE)[0] == 0
    assert shown[-1].session.moves == [DRAW_MOVE]
    assert dsol("play", "--resume", session.path)[0] == 0
    assert shown[-1].session.path == session.path
    follow = Follow(
        session.rules, session.view.position, moves_of_a_win(CODE), CODE, tmp_path / "f"
    )
    follow.jump(7)
    assert dsol("play", "--resume", tmp_path / "f")[0] == 0
    assert shown[-1].follow.done == 7


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--own", "--follow", CODE], "--own is for a game without a list"),
        (["--own", CODE], "a CODE is dealt here"),
        (["--follow"], "--follow needs the CODE"),
        ([CODE, "--level", "easy"], "--level is for a new deal at random"),
        ([CODE, "--seed", "1"], "--seed is for a new deal at random"),
        ([CODE, "--deal", "{file}"], "only one of CODE, --deal and --resume, not CODE and --deal"),
        ([CODE, "--against", "strong"], "--against is for the game for two"),
        (["--resume", "{file}", "-o", "x"], "kept in its own record"),
        (["--resume", "nothing"], "--resume: nothing does not exist"),
        (["DS1-D1N-AAAAAA"], "6 symbols instead of 7"),
        (["--level", "eazy"], "Did you mean 'easy'?"),
    ],
)
def test_wrong_usage(dsol, shown, written, words, told):
    path = written("deal.json", "{}")
    code, out, err = dsol("play", *(word.replace("{file}", str(path)) for word in words))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert told in err


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"moves": ["W>3"]}, "illegal at move 1 (W>3): the waste is empty"),
        ({"moves": "draw"}, '"moves" must be a list'),
        ({"counter": "x"}, '"counter" must be a whole number'),
        ({"seconds": float("nan")}, '"seconds" must be a number'),
        ({"code": "DS1-D1N-AAAAAA"}, "6 symbols instead of 7"),
        ({"deal": {"columns": [["??"]], "stock": []}}, "103 more must be unknown"),
    ],
)
def test_records_that_cannot_be_resumed(dsol, shown, written, changed, told):
    path = written("game.json", {"code": CODE, "moves": ["draw"]} | changed)
    before = path.read_bytes()
    code, out, err = dsol("play", "--resume", path)
    assert (code, out, err.count("\n"), path.read_bytes()) == (1, "", 1, before)
    assert told in err


def test_without_textual_a_line_says_how_to_get_it(dsol, monkeypatch):
    monkeypatch.setitem(sys.modules, "textual", None)
    code, out, err = dsol("play", CODE)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert 'pip install ".[play]"' in err and "pipx inject double-solitaire textual" in err


def test_a_full_disk_is_said_and_ends_nothing(opened, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    async def steps(app, pilot):
        monkeypatch.setattr("double_solitaire.table.session.write_whole", full)
        await pilot.press("d")
        await until(pilot, lambda: any("No space left" in n.message for n in app._notifications))
        await pilot.press("u")
        await until(pilot, lambda: not app.table.session.moves)
        await pilot.press("d")
        await until(pilot, lambda: app.table.session.counter == 2)

    drive(sit_down(opened(), has_light=False), steps)


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of its own is had by pty")
def test_a_killed_game_goes_on(tmp_path, data_folder):
    """A real process in a terminal, killed in the middle of a game."""
    import pty

    main, terminal = pty.openpty()
    words = [sys.executable, "-m", "double_solitaire", "play", CODE, "--no-light"]
    environment = os.environ | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"}
    path = data_folder / "double-solitaire" / "games" / f"{CODE}.json"
    with subprocess.Popen(
        words, stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    ) as process:
        threading.Thread(target=read_all, args=(main,), daemon=True).start()
        wait_for(path.exists)
        for number, keys in enumerate((b"d", b"w9", b"d", b"d"), 1):
            os.write(main, keys)
            wait_for(lambda number=number: len(json.loads(path.read_text())["moves"]) == number)
        process.kill()
    os.close(terminal)
    session = Session.load(path)
    assert [str(move) for move in session.moves] == ["draw", "W>9", "draw", "draw"]
    assert session.undoable == 4 and session.game.score == 5


def read_all(descriptor):
    """Take what a process shows, so that it goes on."""
    with contextlib.suppress(OSError):
        while os.read(descriptor, 65536):
            pass


def wait_for(is_so):
    for _ in range(3000):
        if is_so():
            return
        time.sleep(0.01)
    raise AssertionError("it has not come to that")
