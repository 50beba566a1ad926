"""Workers on this machine: processes, each with a search of its own.

Threads would start sooner, and compiled code runs beside other threads too. But what
follows the search of a deal with moves, the shortening and the referee, holds the lock of
the interpreter; a worker that the system kills for its memory should cost one shard and
not the run; and a process can be stopped in the middle of a compiled call. Whoever
started the workers is the only one that writes files, so a worker that dies leaves no
trace but a shard to be done again.
"""

import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType

from .child import settle_in, start_child
from .events import COMPILING, Died, Done, Event, Failed, Noted, Progress
from .jobs import PART_SECONDS, Answered, Counts, Job, rest
from .settings import BatchError, Settings

TRIES = 2
"""How often a job is begun before it is given up. By hand, as the next two."""
DEATHS_IN_A_ROW = 10
"""Deaths, with no job done between them, after which something else must be wrong."""
TICK_SECONDS = 0.5
"""Between two counts that a worker tells."""


@dataclass(frozen=True, slots=True)
class Task:
    """A job, and how often it has been begun."""

    job: Job
    begun: int = 0


@dataclass(slots=True)
class Worker:
    """A process, the way to it, and what it is doing."""

    process: BaseProcess
    connection: Connection
    task: Task | None = None


class LocalCrew:
    """Up to `size` worker processes, started when there is something to do for them."""

    def __init__(self, size: int, settings: Settings, part_seconds: float = PART_SECONDS) -> None:
        """Take the number of workers, how deals are answered, and when to hand over some rows."""
        self._size = size
        self._part_seconds = part_seconds
        self._settings = settings
        self._workers: list[Worker] = []

    def __enter__(self) -> "LocalCrew":
        """Nothing starts before there is work."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the workers at once; the jobs they are at are lost."""
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
        self._workers.clear()

    def work(self, jobs: Iterator[Job]) -> Iterator[Event]:
        """Do the jobs, each in one worker; report in the order in which things happen."""
        again: deque[Task] = deque()
        deaths = 0
        while True:
            self._hand_out(jobs, again)
            busy = {w.connection: w for w in self._workers if w.task is not None}
            if not busy:
                return
            for ready in wait(list(busy)):
                worker = busy[ready]  # type: ignore[index]
                task = worker.task
                assert task is not None
                try:
                    message = worker.connection.recv()
                except (EOFError, OSError):
                    deaths += 1
                    yield self._bury(worker, task, again)
                    if deaths == DEATHS_IN_A_ROW:
                        raise BatchError("workers keep dying; the last ones did nothing") from None
                    continue
                if isinstance(message, Noted):
                    yield message
                    continue
                if isinstance(message, Counts):
                    yield Progress(task.job, message)
                    continue
                deaths = 0
                worker.task = None
                if isinstance(message, Answered):
                    left = rest(task.job, message)
                    if left is not None:
                        again.appendleft(Task(left))
                # The worker goes on while its file is being written.
                self._hand_out(jobs, again)
                if isinstance(message, Answered):
                    yield Done(task.job, message)
                else:
                    yield Failed(task.job, message)

    def _hand_out(self, jobs: Iterator[Job], again: deque[Task]) -> None:
        """Give work to all who are free, as long as there is some."""
        while True:
            free = next((w for w in self._workers if w.task is None), None)
            if free is None and len(self._workers) == self._size:
                return
            if again:
                task = again.popleft()
            else:
                job = next(jobs, None)
                if job is None:
                    return
                task = Task(job)
            worker = free or self._start()
            worker.task = task
            # One that has died meanwhile is found out when its answer is waited for.
            with suppress(OSError):
                worker.connection.send(task.job)

    def _start(self) -> Worker:
        worker = Worker(*start_child(serve, self._settings, self._part_seconds))
        self._workers.append(worker)
        return worker

    def _bury(self, worker: Worker, task: Task, again: deque[Task]) -> Event:
        """Forget a dead worker; its job is begun again, but not without end."""
        worker.process.join()
        worker.connection.close()
        self._workers.remove(worker)
        how = f"a worker died (exit code {worker.process.exitcode})"
        if task.begun + 1 == TRIES:
            return Failed(task.job, how)
        again.append(Task(task.job, task.begun + 1))
        return Died(task.job, how)


def serve(connection: Connection, settings: Settings, part_seconds: float) -> None:
    """A worker: answer the jobs that come, until the other end is closed or gone."""
    settle_in()
    # The solver takes a second to load, and only workers need it.
    from ..engine.cache import TROUBLES
    from ..engine.jit import when_compiling
    from .rows import answer

    when_compiling(lambda: connection.send(Noted(COMPILING)))
    TROUBLES.tell_to(lambda line: connection.send(Noted(line)))
    while True:
        try:
            job = connection.recv()
        except EOFError:
            return
        try:
            message: Answered | str = answer(job, settings, _Ticker(connection), part_seconds)
        except Exception as error:
            message = f"{type(error).__name__}: {error}"
        connection.send(message)


class _Ticker:
    """Reports the counts, but not all the time."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.last = time.monotonic()

    def __call__(self, counts: Counts) -> None:
        if time.monotonic() - self.last > TICK_SECONDS:
            self.last = time.monotonic()
            self.connection.send(counts)
