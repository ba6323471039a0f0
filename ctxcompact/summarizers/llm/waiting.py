"""Waiting for somebody else's program, and for no longer than said.

A library's own time-out is not enough: a server that sends comments keeps a connection alive for
ever.
"""

from __future__ import annotations

import queue
import threading
import time
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

T = TypeVar("T")


def bounded(
    start: Callable[[], Iterable[T]],
    *,
    silence_s: float,
    total_s: float,
    clock: Callable[[], float] = time.monotonic,
) -> Generator[T]:
    """Yield what `start()` yields, which runs in a thread of its own, and raise what it raises.

    Raises `TimeoutError` if nothing comes for `silence_s`, or not all within `total_s`. The thread
    is then left to itself: it ends with its next item, or with the process.
    """
    made: queue.SimpleQueue[tuple[str, Any]] = queue.SimpleQueue()
    left = threading.Event()

    def work() -> None:
        try:
            for item in start():
                made.put(("item", item))
                if left.is_set():
                    return
            made.put(("end", None))
        except BaseException as error:  # noqa: BLE001 - it is raised again where somebody waits
            made.put(("error", error))

    threading.Thread(target=work, name="ctxcompact-llm", daemon=True).start()
    deadline = clock() + total_s
    try:
        while True:
            kind, item = _next(made, min(silence_s, deadline - clock()))
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item
    finally:
        left.set()


def _next(made: queue.SimpleQueue[T], wait_s: float) -> T:
    if wait_s <= 0:
        raise TimeoutError
    try:
        return made.get(timeout=wait_s)
    except queue.Empty:
        raise TimeoutError from None
