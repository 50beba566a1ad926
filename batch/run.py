"""Running a batch: shards that are not there yet go to the workers, files come back."""

import signal
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from .events import Crew, Died, Done, Event, Failed, Noted, Progress
from .folder import Folder
from .jobs import Answered, Begun, Counts, Job, Retry, places_to_retry
from .schema import decode
from .settings import Settings
from .shards import Shard
from .watch import Watch


@dataclass(slots=True)
class Outcome:
    """How far a run came."""

    counts: Counts = field(default_factory=Counts)
    """Deals searched in this run."""
    written: int = 0
    """Files written."""
    present: int = 0
    """Files that were there already."""
    found: Counts = field(default_factory=Counts)
    """Deals in files that were there, and in kept rows of shards that were begun."""
    failed: int = 0
    """Shards given up."""
    interrupted: bool = False


class Batch:
    """One run into one folder."""

    def __init__(self, folder: Folder, watch: Watch) -> None:
        """Take the folder, and whom to show the progress."""
        self.folder = folder
        self.watch = watch
        self.outcome = Outcome()

    def missing(self, shards: Iterable[Shard], settings: Settings) -> Iterator[Job]:
        """What is not in the folder of some shards. Raises `BatchError` where another list is.

        A list that comes line by line is read on only when a worker is free.
        """
        for shard in shards:
            parts = list(self.folder.missing(shard))
            if not parts:
                self.outcome.present += 1
                self.folder.forget(shard)
            self.watch.skip(shard.count - sum(part.count for part in parts))
            for part in parts:
                begun = self.folder.begun(part, settings)
                if begun is not None:
                    self.watch.skip(begun.count)
                yield begun or part

    def undecided(self, settings: Settings) -> Iterator[Job]:
        """The files of the folder with deals to search again."""
        for piece in self.folder.pieces():
            with self.folder.open(piece):
                path = self.folder.path / piece.path
                data = path.read_bytes()
                columns, _ = decode(data, path)
            count = len(places_to_retry(columns, settings.limits, piece.skip))
            if count:
                yield Retry(piece.path, data, count, piece.skip)

    def run(self, crew: Crew, jobs: Iterator[Job]) -> Outcome:
        """Have the jobs done and write their files; Ctrl-C and SIGTERM end it at once."""
        try:
            with _sigterm_like_ctrl_c():
                for event in crew.work(jobs):
                    self._note(event)
        except KeyboardInterrupt:
            self.outcome.interrupted = True
        finally:
            self.watch.close()
        self.outcome.found = self.folder.found()
        return self.outcome

    def _note(self, event: Event) -> None:
        match event:
            case Noted(line):
                self.watch.say_once(line)
            case Progress(job, counts):
                self.watch.progress(job, counts)
            case Done(job, answered):
                self._save(job, answered)
                self.outcome.written += not answered.left
                self.outcome.counts += answered.counts
                self.watch.done(job, answered.counts)
            case Died(job, how):
                self.watch.progress(job, Counts())
                self.watch.say(f"{how}; {job.path} is begun again")
            case Failed(job, how):
                self.outcome.failed += 1
                self.watch.done(job, Counts())
                self.watch.say(f"{how}; {job.path} is given up")

    def _save(self, job: Job, answered: Answered) -> None:
        """Put what was answered on the disk, be it the whole of a job or its first deals."""
        if isinstance(job, Retry):
            self.folder.replace(job.path, answered.data)
            return
        shard = job.shard if isinstance(job, Begun) else job
        if answered.left:
            self.folder.keep(shard, shard.count - answered.left, answered.data)
        else:
            self.folder.write(shard, answered.data)


@contextmanager
def _sigterm_like_ctrl_c() -> Iterator[None]:
    """Have SIGTERM raise `KeyboardInterrupt`; only the main thread can ask for that."""

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
