"""How a command speaks: its result, its notes and its errors, each on the stream where it belongs.

A transcript on standard output owns it; everything else then goes to standard error.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ctxcompact.cli import exits, streams

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ctxcompact.cli.exits import Exit
    from ctxcompact.cli.tables import Table
    from ctxcompact.config import Config
    from ctxcompact.errors import CtxCompactError


@dataclass(slots=True, kw_only=True)
class Talk:
    """The voice of one command. `aside`: standard output belongs to a transcript.

    With `json` nothing but one object is printed on the stream of the result. `report` is a file
    that gets the same object.
    """

    command: str
    json: bool = False
    aside: bool = False
    quiet: bool = False
    verbose: bool = False
    report: Path | None = None

    def result(self, data: Callable[[], dict[str, Any]], parts: Iterable[str | Table]) -> None:
        """Tell the result, as `data` to scripts and as `parts` to people."""
        if self.report is not None:
            _save(self.report, _one_line(data()))
        if self.json:
            self._print(_one_line(data()))
        elif not self.quiet:
            from ctxcompact.cli.tables import show  # noqa: PLC0415 - scripts need no tables

            show(parts, aside=self.aside)

    def report_to(self, place: Path | str | None, *transcripts: object) -> None:
        """Have the result in a file as well; `-` is the stream where it goes anyway.

        Raises `UsageError` if that would overwrite one of the transcripts, `OutputError` without a
        folder.
        """
        if not place:
            return
        if str(place) == "-":
            self.json = True
            return
        from ctxcompact.cli.places import check_report  # noqa: PLC0415 - a report is seldom asked for

        check_report(Path(place), *transcripts)
        self.report = Path(place)

    def note(self, text: str) -> None:
        """Say something beside the result, for people."""
        if not self.quiet and not (self.json and self.aside):
            streams.print_err(f"note: {text}")

    def error(self, error: BaseException) -> Exit:
        """Say what went wrong; return the exit code for it."""
        if os.environ.get("CTXCOMPACT_DEBUG"):
            _print_trace(error)
        if isinstance(error, BrokenPipeError) or isinstance(error.__cause__, BrokenPipeError):
            streams.let_go()
            return exits.Exit.BROKEN_PIPE
        if self.aside and isinstance(error, KeyboardInterrupt):
            streams.let_go()  # its reader may take nothing more
        from ctxcompact.cli import failures  # noqa: PLC0415 - nothing went wrong so far

        told = failures.known(error)
        self._put_error(told, _one_line(failures.envelope(self.command, told)))
        return exits.of_error(error)

    def complain(self, error: BaseException) -> None:
        """Say in words what went wrong with one part of the work; the rest goes on."""
        from ctxcompact.cli import failures  # noqa: PLC0415 - nothing went wrong so far

        if os.environ.get("CTXCOMPACT_DEBUG"):
            _print_trace(error)
        streams.print_err(failures.in_words(failures.known(error)))

    def _put_error(self, told: CtxCompactError, data: str) -> None:
        from ctxcompact.cli import failures  # noqa: PLC0415 - as above
        from ctxcompact.errors import OutputError  # noqa: PLC0415

        if self.report is not None:
            try:
                _save(self.report, data)
            except (OSError, OutputError) as error:
                streams.print_err(failures.in_words(failures.known(error)))
        if self.json:
            with suppress(OSError, OutputError):  # it may be the stream itself that failed
                self._print(data)
        if not (self.json and self.aside):
            streams.print_err(failures.in_words(told))

    def _print(self, line: str) -> None:
        (streams.print_err if self.aside else streams.print_out)(line)


def perform(
    command: str,
    flags: Mapping[str, Any],
    work: Callable[[Config, Talk], Exit],
    *,
    transcript: bool = False,
    source: str | None = None,
) -> Exit:
    """Run one command to its exit code, whatever happens in it.

    `transcript` says that it writes one, to standard output unless it is told otherwise; `source`
    is the one it reads.
    """
    aside = transcript and flags.get("output") in {None, "-"} and not flags.get("in_place")
    talk = Talk(command=command, json=bool(flags.get("json")), aside=aside)
    try:
        talk.report_to(flags.get("report"), source, flags.get("output"))
        from ctxcompact.cli.places import check_root  # noqa: PLC0415 - `--help` needs none of these
        from ctxcompact.config import STANDARD, load  # noqa: PLC0415

        config = load(flags)
        options = config.options
        talk.aside = transcript and options.output == STANDARD and not options.in_place
        talk.json = talk.json or options.json
        talk.quiet, talk.verbose = options.quiet, options.verbose
        check_root(options.root)
        return work(config, talk)
    except BaseException as error:  # noqa: BLE001 - a panic of the tokenizer is no Exception
        return talk.error(error)


def _one_line(data: dict[str, Any]) -> str:
    """Write JSON in ASCII: no terminal and no locale can stumble over it."""
    import json  # noqa: PLC0415 - people do not need it

    return json.dumps(data)


def _save(path: Path, line: str) -> None:
    from ctxcompact.stores.atomic import write_atomically  # noqa: PLC0415 - only with --report

    data = line.encode() + b"\n"
    if path.is_relative_to("/dev") or (path.exists() and not path.is_file()):
        with path.open("ab") as stream:  # /dev/stderr may be a file that others write to as well
            stream.write(data)
        return
    with write_atomically(path) as file:
        file.write(data)


def _print_trace(error: BaseException) -> None:
    import traceback  # noqa: PLC0415 - only for whoever looks for a fault of ours

    from ctxcompact.cli.words import shown  # noqa: PLC0415

    lines = "".join(traceback.format_exception(error)).splitlines()
    streams.print_err("\n".join(map(shown, lines)))
