"""Settings of the whole suite. Fixtures and builders live with the room that needs them."""

from __future__ import annotations

import inspect
import os
import signal
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, settings

from ctxcompact.errors import CtxCompactError

if TYPE_CHECKING:
    from collections.abc import Iterator

# A shared machine may pause for longer than any deadline; a slow example is no finding here.
settings.register_profile("dev", deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The same examples on every run: a red build then means a changed program, never a lucky draw.
settings.register_profile(
    "ci", parent=settings.get_profile("dev"), derandomize=True, database=None, print_blob=True
)
# Few, and no search for the least of those that fail: all is drawn again for every mutant.
settings.register_profile(
    "mutants",
    parent=settings.get_profile("ci"),
    max_examples=20,
    phases=[Phase.explicit, Phase.generate],
)
settings.load_profile("ci" if os.environ.get("CI") else "dev")

# A job in the background of a shell ignores interrupts, and so would the commands the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _errors_say_what_to_do_next() -> Iterator[None]:
    """Look at every error of the program that any test meets."""
    made = CtxCompactError.__init__

    def checked(self: CtxCompactError, message: str, **about: Any) -> None:
        made(self, message, **about)
        frame = inspect.currentframe()
        maker = frame.f_back.f_globals["__name__"] if frame and frame.f_back else ""
        says_all = message and self.hint and self.path != "None"
        assert says_all or not maker.startswith("ctxcompact") or maker.endswith("failures"), message

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CtxCompactError, "__init__", checked)
        yield
