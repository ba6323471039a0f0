"""`ctxcompact check`: whether transcripts are sound and within a budget, for CI."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ctxcompact.cli import options
from ctxcompact.cli.talk import Talk, perform

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from ctxcompact.api import Checked
    from ctxcompact.cli.exits import Exit
    from ctxcompact.config import Config
    from ctxcompact.core.model import Problem


@options.takes(*options.CHECK)
def check(**flags: Any) -> None:
    """Check that transcripts are sound and fit a budget.

    Sound is what providers accept: every call has its result, every line is JSON. Each finding is
    named with its line. Nothing is written. Exit 1 if anything was found.
    """
    names = flags.pop("sources") or []
    budget = flags.pop("max_tokens")  # no window here: a target of the project need not be below

    def work(config: Config, talk: Talk) -> Exit:
        return _check(names, budget, config, talk)

    raise typer.Exit(perform("check", flags, work))


def _check(names: Sequence[str], budget: int | None, config: Config, talk: Talk) -> Exit:
    from ctxcompact import api  # noqa: PLC0415 - `--help` needs none of these
    from ctxcompact.cli.exits import Exit  # noqa: PLC0415
    from ctxcompact.cli.inputs import each  # noqa: PLC0415

    asked = config.options

    def look(given: Path | BinaryIO) -> Checked:
        return api.check(
            given,
            config.settings,
            format_name=asked.format,
            root=asked.root,
            max_tokens=config.settings.max_tokens if budget is None else budget,
            max_messages=asked.max_messages,
        )

    found = each(names, talk, look)
    checked = [one for one in found if not isinstance(one, dict)]
    files = [one if isinstance(one, dict) else _as_json(one) for one in found]
    is_sound = len(checked) == len(found) and not any(one.findings for one in checked)
    data = {
        "ctxcompact": 1,
        "command": "check",
        "status": "ok" if is_sound else "failed",
        "files": files,
    }
    talk.result(lambda: data, _told(checked, config.files if talk.verbose else ()))
    return Exit.DONE if is_sound else Exit.FAILED


def _as_json(one: Checked) -> dict[str, Any]:
    from ctxcompact.core.events import file_as_json  # noqa: PLC0415 - `--help` needs no records

    return {
        **file_as_json(one.facts, one.format, one.counter),
        "ok": not one.findings,
        "findings": [finding._asdict() for finding in one.findings],
    }


def _told(checked: Sequence[Checked], files: Sequence[Path]) -> Iterator[str]:
    from ctxcompact.cli.words import counted, counter, place, shown  # noqa: PLC0415 - for people only

    yield from (f"settings from {shown(path)}" for path in files)
    for one in checked:
        facts = one.facts
        yield from (_finding(facts.path, finding) for finding in one.findings)
        verdict = counted(len(one.findings), "finding") if one.findings else "sound"
        yield (
            f"{place(facts.path)}: {verdict}; {one.format}, {counted(facts.messages, 'message')}, "
            f"{counted(facts.tokens, 'token')} by {counter(one.counter)}"
        )


def _finding(path: str, finding: Problem) -> str:
    from ctxcompact.cli.words import shown  # noqa: PLC0415 - for people only

    where = f":{finding.line}" if finding.line else ""
    return f"{shown(path)}{where}: {shown(finding.message)} [{shown(finding.code)}]"
