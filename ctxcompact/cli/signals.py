"""What ends a command from outside: Ctrl-C, a request to terminate, a terminal that is closed."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(KeyboardInterrupt):
    """The process was told to end, by the signal `number`."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = signal.Signals(number)


@contextmanager
def heeded() -> Iterator[None]:
    """Let the signals raise `Stopped`, so that everything is left whole.

    What the process was started to ignore (`nohup`) stays ignored. While the command clears up, the
    same signal once more ends it at once; the next run then sweeps.
    """
    before = {}
    try:
        for number in _ENDING:
            if signal.getsignal(number) in {signal.SIG_DFL, signal.default_int_handler}:
                before[number] = signal.signal(number, _stop)
    except ValueError:  # not in the main thread, which alone may ask for signals
        before = {}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


def _stop(number: int, _frame: object) -> None:
    for other in _ENDING:
        signal.signal(other, signal.SIG_DFL if other == number else signal.SIG_IGN)
    raise Stopped(number)
