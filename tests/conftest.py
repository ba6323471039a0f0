"""Settings of the whole suite. Fixtures and builders live with the room that needs them."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, Phase, settings

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
