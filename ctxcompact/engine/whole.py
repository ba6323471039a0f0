"""What is counted and never rewritten: files that are one JSON value, and some formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.counts import counted
from ctxcompact.core.lines import loads
from ctxcompact.errors import InputError, ReadOnlyFormat, UnknownFormat

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ctxcompact.core.format import Format
    from ctxcompact.engine.ports import Source
    from ctxcompact.engine.reading import Reading

_BYTES_MAX = 64 << 20
_SAMPLE_RECORDS = 200


class Whole(NamedTuple):
    """The value that a file is: an object, or an array of some."""

    value: list[Any] | dict[str, Any]

    @property
    def what(self) -> str:
        """Say what it is."""
        if isinstance(self.value, list):
            return f"a JSON array of {counted(len(self.value), 'value')}"
        return "one JSON object"

    def told(self, detect: Callable[[Sequence[Any]], Format]) -> tuple[Format, list[Any]] | None:
        """Return the format and the records of it, None if neither the value nor its items are any."""
        items = self.value if isinstance(self.value, list) else []
        for records in filter(None, ([self.value], items)):
            try:
                return detect(records[:_SAMPLE_RECORDS]), records
            except UnknownFormat:
                continue
        return None

    def refusal(self, name: str) -> InputError:
        """Say how to make JSONL of it."""
        step = "jq -c '.[]'" if isinstance(self.value, list) else "jq -c ."
        message = f"the file is {self.what}, not JSONL: one value a line"
        hint = f"write one value a line first: {step} {json.dumps(name)} > transcript.jsonl"
        return InputError(message, hint=hint, path=name, line=1)


def whole_in(source: Source, held: list[tuple[int, int, Any]]) -> Whole | None:
    """Return the value that a file is, if it is one: pretty-printed, or an array.

    `held` are the records that were found in its lines. An object on a line of its own is JSONL.
    """
    value = held[0][2] if len(held) == 1 else None
    if isinstance(value, dict):
        return None
    if value is None and 0 < source.size <= _BYTES_MAX:
        try:
            value = loads(source.read(0, source.size))
        except ValueError:
            return None
    return Whole(value) if isinstance(value, list | dict) and value else None


def only_counted(reading: Reading) -> str:
    """Say why a transcript is not to be rewritten, "" if it may be."""
    reasons = []
    if reading.whole is not None:
        reasons.append(f"the file is {reading.whole.what}, not JSONL")
    if not reading.format.is_writable:
        reasons.append(f"an estimate of the text in it, not of what {reading.format.name} sends")
    return "; ".join(reasons)


def refuse_rewrite(reading: Reading) -> None:
    """Raise `ReadOnlyFormat` or `InputError` if a transcript is not to be rewritten."""
    form, name = reading.format, reading.source.name
    if not form.is_writable:
        message = f"{form.name} transcripts are counted (`ctxcompact stats`), never rewritten"
        raise ReadOnlyFormat(message, hint=form.instead, path=name)
    if reading.whole is not None:
        raise reading.whole.refusal(name)
