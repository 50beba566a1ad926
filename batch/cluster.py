"""Workers on other machines: the same jobs, by way of dask.distributed.

The workers need this package and nothing else: files come back as bytes, and only the
machine that started the batch writes them.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from types import TracebackType
from typing import Any

from distributed import Client, Security, as_completed
from distributed.comm import CommClosedError, connect, parse_host_port

from .events import Done, Event, Failed
from .jobs import PART_SECONDS, Answered, Job, rest
from .rows import answer
from .settings import BatchError, Settings

CONNECT_SECONDS = 5
"""How long the scheduler may take to say who it is. By hand, as the next two."""
WAIT_SECONDS = 30
"""How long to wait for a first worker."""
JOBS_A_THREAD = 2
"""Jobs under way for each thread of the cluster, so that none waits for us."""
SCHEMES = ("tcp", "tls", "ws", "wss")
EXAMPLE = "an address looks like tcp://HOST:8786"


class AddressError(ValueError):
    """A text that is no address of a scheduler."""


def check_address(address: str) -> None:
    """Raise `AddressError` if a text is no address of a scheduler."""
    scheme, mark, place = address.rpartition("://")
    if mark and scheme not in SCHEMES:
        raise AddressError(
            f"{address!r}: {scheme or 'nothing'}:// leads to no scheduler; {EXAMPLE}"
        )
    try:
        host, port = parse_host_port(place)
    except ValueError:
        raise AddressError(f"{address!r} has no host and port; {EXAMPLE}") from None
    if not host or not 0 < int(port) < 1 << 16:
        raise AddressError(f"{address!r} has no host and port; {EXAMPLE}")


class ClusterCrew:
    """The workers that a scheduler has; those that come later are used too."""

    def __init__(
        self, address: str, settings: Settings, part_seconds: float = PART_SECONDS
    ) -> None:
        """Take the address of the scheduler, such as `tcp://host:8786`, and ask who is there.

        Raises `AddressError` for what is no address, `BatchError` if no scheduler is there.
        """
        check_address(address)
        # What is wrong is said in one line, and not by the library in many.
        for name in list(logging.root.manager.loggerDict):
            if name.split(".")[0] in ("distributed", "tornado", "asyncio"):
                logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        try:
            kind = asyncio.run(asyncio.wait_for(_who_is_there(address), CONNECT_SECONDS))
        except TypeError:
            raise BatchError(
                f"{address} asks for certificates; name them in the settings of dask "
                "(distributed.comm.tls)"
            ) from None
        except (OSError, ValueError, EOFError, LookupError) as error:
            why = "" if isinstance(error, TimeoutError) else f" ({error})"
            raise BatchError(f"no scheduler answers at {address}{why}") from None
        if kind != "Scheduler":
            raise BatchError(f"at {address} is a {kind.lower()}, and no scheduler")
        self._address = address
        self._settings = settings
        self._part_seconds = part_seconds
        self._client: Client | None = None

    def __enter__(self) -> "ClusterCrew":
        """Connect. Raises `BatchError` if there are no workers."""
        try:
            self._client = Client(self._address, set_as_default=False, timeout=CONNECT_SECONDS)
            self._client.wait_for_workers(1, timeout=WAIT_SECONDS)
        except TimeoutError:
            self._close()
            raise BatchError(f"the scheduler at {self._address} has no workers") from None
        except OSError:
            self._close()
            raise self._gone() from None
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave; the scheduler drops what is still under way."""
        self._close()

    def _close(self) -> None:
        if self._client is not None:
            self._client.close(CONNECT_SECONDS)

    def _gone(self) -> BatchError:
        return BatchError(
            f"the scheduler at {self._address} is gone; "
            "finished deals stay, and the same command goes on with the rest"
        )

    def work(self, jobs: Iterator[Job]) -> Iterator[Event]:
        """Do the jobs; those of a worker that dies are given to others, three times at most.

        Raises `BatchError` if the scheduler goes.
        """
        client = self._client
        assert client is not None
        try:
            yield from self._work(client, jobs)
        except (CancelledError, CommClosedError, RuntimeError) as error:
            # The connection may break before the client takes note of it.
            if client.status == "running" and not isinstance(error, CommClosedError):
                raise
            raise self._gone() from None

    def _work(self, client: Client, jobs: Iterator[Job]) -> Iterator[Event]:
        under_way: dict[str, Job] = {}
        again: deque[Job] = deque()
        results = as_completed([], loop=client.loop)
        while True:
            threads = sum(client.nthreads().values())
            while len(under_way) < JOBS_A_THREAD * max(threads, 1):
                job = again.popleft() if again else next(jobs, None)
                if job is None:
                    break
                future = client.submit(
                    answer_quietly, job, self._settings, self._part_seconds, pure=False
                )
                under_way[future.key] = job
                results.add(future)
            if not under_way:
                return
            future = next(results)
            job = under_way.pop(future.key)
            error = future.exception()
            if error is not None:
                # What a client that has lost its scheduler says of each job.
                if isinstance(error, CancelledError):
                    raise error
                yield Failed(job, f"{type(error).__name__}: {error}")
                continue
            answered: Answered = future.result()
            left = rest(job, answered)
            if left is not None:
                again.append(left)
            yield Done(job, answered)


async def _who_is_there(address: str) -> Any:
    """What a server of the library at this address calls itself."""
    comm = await connect(
        address, timeout=CONNECT_SECONDS, **Security().get_connection_args("client")
    )
    try:
        await comm.write({"op": "identity", "reply": True})
        return (await comm.read())["type"]
    finally:
        comm.abort()


def answer_quietly(job: Job, settings: Settings, part_seconds: float) -> Answered:
    """`answer` for a worker that reports nothing on the way."""
    return answer(job, settings, lambda _: None, part_seconds)
