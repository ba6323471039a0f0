"""`ctxcompact stats`: where the tokens go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from typing import BinaryIO

    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.engine.statistics import Statistics


@options.takes(*options.STATS)
def stats(**flags: Any) -> None:
    """Show where the tokens of transcripts go.

    By role, kind, tool and round, and in the largest blocks. Nothing is written. With --plan also
    what the levels that write no summary would save.
    """
    names = flags.pop("sources") or []

    def work(config: Config, talk: Talk) -> Exit:
        return _stats(names, config, talk)

    raise typer.Exit(perform("stats", flags, work))


def _stats(names: Sequence[str], config: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.inputs import each  # noqa: PLC0415
    from ctxcompact.cli.sums import told  # noqa: PLC0415

    asked = config.options

    def look(given: Path | BinaryIO) -> Statistics:
        return api.stats(
            given,
            config.settings,
            format_name=asked.format,
            root=asked.root,
            top=asked.top,
            plan=asked.plan,
        )

    found = each(names, talk, look)
    sums = [one for one in found if not isinstance(one, dict)]
    files = [one if isinstance(one, dict) else _as_json(one) for one in found]
    data = {"ctxcompact": 1, "command": "stats", "files": files}
    talk.result(lambda: data, told(sums, asked, config.files))
    return Exit.DONE if len(sums) == len(found) else Exit.FAILED


def _as_json(one: Statistics) -> dict[str, Any]:
    from ctxcompact.core.events import file_as_json  # noqa: PLC0415 - `--help` needs no records

    return {
        **file_as_json(one.facts, one.format, one.counter),
        "only_counted": one.only_counted,
        "model": one.model,
        "conversations": one.conversations,
        "recorded": one.recorded and one.recorded._asdict(),
        "by": {
            "role": one.by_role,
            "kind": one.by_kind,
            "tool": one.by_tool,
            "round": [row._asdict() for row in one.by_round],
        },
        "largest": [row._asdict() for row in one.largest],
        "plan": [row._asdict() for row in one.plan],
        "problems": [row._asdict() for row in one.problems],
    }
