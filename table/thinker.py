"""Searching beside the game: one process, which drops what is not wanted any more.

A thread would share the lock of the interpreter with the screen, which then answers no key while
the search is loaded and between its compiled parts.
"""

import os
import pickle
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from typing import Any, TypeVar

from ..batch.child import settle_in, start_child
from ..batch.events import COMPILING
from ..engine.deal import Position
from ..engine.rules import Rules
from ..solver.verdict import Answer, Limits, Verdict

STEPS = (3_000, 50_000, 500_000)
"""Nodes of the tries that are made one after the other, between which a search is given up if its
position is past; the last is the limit of the light. By hand: from a hundredth of a second to
about one."""
MOST_NODES = 2_000_000
"""The limit where the person waits for a list; by hand, some seconds."""
Result = TypeVar("Result")
GoesOn = Callable[[], bool]
Report = Callable[[Any], None]
Work = Callable[[GoesOn, Report], Result]
"""Gets a function that says whether it is still wanted, and one that tells what is known so far.

It goes to another process, as does what comes of it: a function of a module or a `partial` of one.
"""


class Ticket:
    """What somebody has asked for, and may give up."""

    def __init__(self) -> None:
        """It is wanted."""
        self._is_wanted = True

    @property
    def is_wanted(self) -> bool:
        """Whether it has not been given up."""
        return self._is_wanted

    def give_up(self) -> None:
        """Nothing more is heard of it."""
        self._is_wanted = False


@dataclass(frozen=True, slots=True)
class _Asked:
    """Who is to be told of a piece of work; called in a thread."""

    ticket: Ticket
    deliver: Callable[[Any], None]
    report: Callable[[Any], None]
    fail: Callable[[Exception], None]


class Thinker:
    """Does one piece of work after the other, for all who ask, in a process of its own.

    The process begins with the first piece of work and stays, so that the search is loaded once.
    """

    def __init__(self) -> None:
        """Nothing has been asked for."""
        self.announce: Callable[[str], None] = lambda _: None
        """Gets a line where the person ought to know why it takes long; called in a thread."""
        self._asked: dict[int, _Asked] = {}
        self._numbers = count()
        self._child: tuple[BaseProcess, Connection] | None = None
        self._lock = threading.Lock()

    def ask(
        self,
        ticket: Ticket,
        work: Work[Result],
        deliver: Callable[[Result], None],
        fail: Callable[[Exception], None],
        report: Callable[[Any], None] = lambda _: None,
    ) -> None:
        """Have something worked out and, unless it is given up before, delivered.

        `deliver`, or `fail` with what went wrong, and before that `report` with what `work` reports
        are called in a thread. What is not wanted any more is given up by its ticket, and only by
        that: nobody gives up what another has asked for.
        """
        asked = _Asked(ticket, deliver, report, fail)
        with self._lock:
            number = next(self._numbers)
            self._drop_unwanted()
            self._asked[number] = asked
            self._send((number, pickle.dumps(work)))

    def give_up(self, ticket: Ticket) -> None:
        """Give up what was asked for by a ticket, and let the process know."""
        ticket.give_up()
        with self._lock:
            self._drop_unwanted()

    def _drop_unwanted(self) -> None:
        for number in [n for n, asked in self._asked.items() if not asked.ticket.is_wanted]:
            del self._asked[number]
            self._send((number, None))

    def _send(self, message: tuple[int, bytes | None]) -> None:
        if self._child is None:
            self._child = start_child(serve)
            listener = threading.Thread(
                target=self._listen, args=(self._child,), name="thinker", daemon=True
            )
            listener.start()
        # That the process has ended is found out where its answers are waited for.
        with suppress(OSError):
            self._child[1].send(message)

    def _listen(self, child: tuple[BaseProcess, Connection]) -> None:
        """Hand on what comes from the process until it ends."""
        process, connection = child
        while True:
            try:
                number, kind, found = connection.recv()
            except (EOFError, OSError):
                break
            if number is None:
                self.announce(found)
                continue
            with self._lock:
                asked = self._asked.get(number)
                if asked is not None and kind != "report":
                    del self._asked[number]
            if asked is not None and asked.ticket.is_wanted:
                getattr(asked, kind)(found)
        process.join()
        with self._lock:
            self._child = None
            left, self._asked = list(self._asked.values()), {}
        for asked in left:
            asked.fail(RuntimeError(f"its process has ended (exit code {process.exitcode})"))


THINKER = Thinker()
"""The one of this process."""


def serve(connection: Connection) -> None:
    """The process that thinks: do what comes, until the other end is closed or gone."""
    settle_in()
    # What is written there would stand in the middle of the picture.
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    waiting: SimpleQueue[tuple[int, bytes] | None] = SimpleQueue()
    past: set[int] = set()
    threading.Thread(target=_receive, args=(connection, waiting, past), daemon=True).start()
    # This loads the compiler.
    from ..engine.cache import TROUBLES
    from ..engine.jit import when_compiling

    when_compiling(lambda: connection.send((None, None, COMPILING)))
    TROUBLES.tell_to(lambda line: connection.send((None, None, line)))
    while (item := waiting.get()) is not None:
        number, work = item
        if number not in past:
            connection.send((number, *_done(connection, number, work, past)))
        past.discard(number)


def _done(connection: Connection, number: int, work: bytes, past: set[int]) -> tuple[str, object]:
    """What comes of a piece of work, by the name of who is told of it."""
    try:
        # Here, as it may import something, which two threads should not do at once.
        found = pickle.loads(work)(
            lambda: number not in past, lambda known: connection.send((number, "report", known))
        )
    except Exception as error:
        return "fail", error
    return "deliver", found


def _receive(
    connection: Connection,
    waiting: SimpleQueue[tuple[int, bytes] | None],
    past: set[int],
) -> None:
    """Take in what is asked for and what is given up, also while a search is under way."""
    while True:
        try:
            number, work = connection.recv()
        except (EOFError, OSError):
            waiting.put(None)
            return
        if work is None:
            past.add(number)
        else:
            waiting.put((number, work))


def look_for_win(
    rules: Rules,
    position: Position,
    tries: tuple[int, ...],
    polish: bool,
    goes_on: GoesOn,
    _: Report | None = None,
) -> Answer | None:
    """Whether a position can be won, and how; None if it is no longer wanted.

    `tries` are numbers of nodes, at least one, as in `STEPS`. With `polish` the list is one for a
    person to follow, which takes longer.
    """
    from ..solver.solve import solve

    answer = None
    for nodes in tries:
        if not goes_on():
            return None
        answer = solve(rules, position, Limits(nodes=nodes), polish)
        if answer.verdict is not Verdict.UNKNOWN:
            break
    return answer
