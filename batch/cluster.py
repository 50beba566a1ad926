"""Workers on other machines: the same jobs, by way of dask.distributed.

The workers need this package and nothing else: files come back as bytes, and only the
machine that started the batch writes them.
"""

from collections.abc import Iterator
from types import TracebackType

from distributed import Client, as_completed

from .events import Done, Event, Failed
from .jobs import Answered, Job
from .rows import answer
from .settings import BatchError, Settings

WAIT_SECONDS = 30
"""How long to wait for a first worker."""
JOBS_A_THREAD = 2
"""Jobs under way for each thread of the cluster, so that none waits for us."""


class ClusterCrew:
    """The workers that a scheduler has; those that come later are used too."""

    def __init__(self, address: str, settings: Settings) -> None:
        """Take the address of the scheduler, such as `tcp://host:8786`.

        Raises `OSError` if nobody is there and `BatchError` if there are no workers.
        """
        self._settings = settings
        self._client = Client(address, set_as_default=False)
        try:
            self._client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except TimeoutError:
            self._client.close()
            raise BatchError(f"the scheduler at {address} has no workers") from None

    def __enter__(self) -> "ClusterCrew":
        """The scheduler is there already."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave; the scheduler drops what is still under way."""
        self._client.close()

    def work(self, jobs: Iterator[Job]) -> Iterator[Event]:
        """Do the jobs; those of a worker that dies are given to others, three times at most."""
        under_way: dict[str, Job] = {}
        results = as_completed([], loop=self._client.loop)
        while True:
            threads = sum(self._client.nthreads().values())
            while len(under_way) < JOBS_A_THREAD * max(threads, 1):
                job = next(jobs, None)
                if job is None:
                    break
                future = self._client.submit(answer_quietly, job, self._settings, pure=False)
                under_way[future.key] = job
                results.add(future)
            if not under_way:
                return
            future = next(results)
            job = under_way.pop(future.key)
            error = future.exception()
            if error is None:
                yield Done(job, future.result())
            else:
                yield Failed(job, f"{type(error).__name__}: {error}")


def answer_quietly(job: Job, settings: Settings) -> Answered:
    """`answer` for a worker that reports nothing on the way."""
    return answer(job, settings, lambda _: None)
