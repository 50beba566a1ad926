"""Processes that work for this one: they do not hear Ctrl-C, and end when it ends."""

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stderr
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any


def start_child(serve: Callable[..., None], *settings: Any) -> tuple[BaseProcess, Connection]:
    """Start a process that calls `serve` with its end of a pipe and the settings; our end of it.

    `serve` begins with `settle_in`.
    """
    # Not forked: a copy of a process with threads may hang.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, *settings), daemon=True)
    # In the place of standard error may stand something without a file, as where the screen is
    # drawn on; that cannot be handed on.
    with _no_interrupts(), redirect_stderr(sys.__stderr__):
        process.start()
    theirs.close()
    return process, ours


def settle_in() -> None:
    """In a child: leave it to the process that started this one when it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


class _no_interrupts:  # noqa: N801
    """Have a process started that does not hear Ctrl-C; its starter decides when it ends."""

    def __enter__(self) -> None:
        self.main = threading.current_thread() is threading.main_thread()
        if self.main:
            self.before = signal.signal(signal.SIGINT, signal.SIG_IGN)

    def __exit__(self, *_: object) -> None:
        if self.main:
            signal.signal(signal.SIGINT, self.before)


def _end_with_parent() -> None:
    """End this process when the one that started it is gone, also in a compiled call."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
