"""Work beside the main thread: on several cores, and so that Ctrl-C is heard at once.

Compiled code runs without the lock of the interpreter and hears no signal; the main
thread, which does hear it, only waits.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")


def in_order(
    function: Callable[[Item], Result], items: Iterable[Item], jobs: int
) -> Iterator[Result]:
    """The results of `function` in the order of `items`, `jobs` of them worked on at a time.

    With one job no item is taken before the result of the last one is handed out, so
    that whoever writes the items may wait for the answers.
    """
    from concurrent.futures import ThreadPoolExecutor

    pool = ThreadPoolExecutor(jobs)
    waiting: deque[Future[Result]] = deque()
    try:
        for item in items:
            waiting.append(pool.submit(function, item))
            if len(waiting) > 2 * (jobs - 1):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        # Not waited for: after Ctrl-C a thread may still be deep in compiled code.
        pool.shutdown(wait=False, cancel_futures=True)


def apart(function: Callable[[], Result]) -> Result:
    """The result of `function`, run in a thread of its own."""
    return next(in_order(lambda _: function(), (None,), 1))
