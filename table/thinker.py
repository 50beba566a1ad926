"""Searching beside the game: one thread, which drops what is about a position that is past."""

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import TypeVar

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


class Thinker:
    """Does one piece of work after the other in a thread of its own.

    The compiled searches run without the lock of the interpreter, so the screen goes on meanwhile.
    The thread keeps no process alive that wants to end.
    """

    def __init__(self, announce: Callable[[], None] = lambda: None) -> None:
        """The thread begins with the first piece of work.

        It calls `announce` when the searches have to be compiled first, which takes long.
        """
        self._announce = announce
        self._work: SimpleQueue[tuple[int, Callable[[GoesOn], None]]] = SimpleQueue()
        self._age = 0
        self._thread: threading.Thread | None = None

    @property
    def age(self) -> int:
        """How often what was asked for has been given up."""
        return self._age

    def forget(self) -> None:
        """Give up what was asked for; nothing more is heard of it."""
        self._age += 1

    def ask(
        self,
        work: Callable[[GoesOn], Result],
        deliver: Callable[[Result], None],
        fail: Callable[[Exception], None],
    ) -> None:
        """Have something worked out and, unless it is given up before, delivered.

        `work` gets a function that says whether it is still wanted. `deliver`, or `fail` with what
        went wrong, is called in the thread.
        """
        age = self._age

        def run(goes_on: GoesOn) -> None:
            try:
                result = work(goes_on)
            except Exception as error:
                if goes_on():
                    fail(error)
                return
            if goes_on():
                deliver(result)

        self._work.put((age, run))
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="thinker", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        # This loads the compiler, which takes time that the first picture should not wait for.
        from ..engine.jit import when_compiling

        when_compiling(self._announce)
        while True:
            age, run = self._work.get()
            if age == self._age:
                run(lambda age=age: age == self._age)  # type: ignore[misc]


def look_for_win(rules: Rules, position: Position, polish: bool, goes_on: GoesOn) -> Answer | None:
    """Whether a position can be won, and how; None if it is no longer wanted.

    With `polish` the list is one for a person to follow, which takes longer.
    """
    from ..solver.solve import solve

    answer = None
    for nodes in (*STEPS, MOST_NODES) if polish else STEPS:
        if not goes_on():
            return None
        answer = solve(rules, position, Limits(nodes=nodes), polish)
        if answer.verdict is not Verdict.UNKNOWN:
            break
    return answer
