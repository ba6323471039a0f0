"""The command line: arguments, streams, tables, exit codes. The work is done in `api`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, that of the process unless given; return its exit code."""
    try:
        from ctxcompact.cli import app, signals, streams  # noqa: PLC0415 - Ctrl-C may come meanwhile

        with signals.heeded():
            try:
                return app.run(sys.argv[1:] if arguments is None else arguments)
            finally:
                streams.finish()
    except KeyboardInterrupt:
        return _INTERRUPTED
