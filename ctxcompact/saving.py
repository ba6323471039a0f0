"""A session in memory as one file, and back: JSONL, a row for each thing that it holds.

{"ctxcompact":1,"session":"anthropic"}     the format; then, in any number,
{"said":"…"}  {"line":"…"}                 lines as appended, and as the model sees them
{"original":{…}}  {"archive":"…","data":"…"}   what marks and full summaries stand for
{"event":{…}}                              compactions
{"rows":12}                                how many rows stand before: a cut file is noticed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from ctxcompact import formats as known
from ctxcompact.core.events import Event
from ctxcompact.errors import InputError, UsageError
from ctxcompact.keeping import InMemory
from ctxcompact.stores.atomic import write_atomically
from ctxcompact.stores.faults import reported
from ctxcompact.stores.offloads import Original

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_VERSION = 1
_PRIVATE = 0o600


def save_state(path: Path, keeping: InMemory, events: Iterable[Event]) -> None:
    """Write a session in one step. Raises `OutputError`; what stood there then stays."""
    count = 0
    with write_atomically(path, _PRIVATE) as file:
        for count, row in enumerate(_rows(keeping, events), 1):  # noqa: B007 - how many there were
            file.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))
        file.write(orjson.dumps({"rows": count}, option=orjson.OPT_APPEND_NEWLINE))


def _rows(keeping: InMemory, events: Iterable[Event]) -> Iterator[dict[str, Any]]:
    yield {"ctxcompact": _VERSION, "session": keeping.format.name}
    for line in keeping.said:
        yield {"said": line.decode()}
    for line in keeping.lines:
        yield {"line": line.decode()}
    for original in keeping.memory.originals.values():
        yield {"original": {**original._asdict(), "data": original.data.decode()}}
    for name, data in keeping.memory.archives.items():
        yield {"archive": name, "data": data.decode()}
    for event in events:
        yield {"event": event.as_json()}


def load_state(path: Path) -> tuple[InMemory, list[Event]]:
    """Read a session back, and its events. Raises `InputError` for what `save_state` did not write."""
    with reported(InputError, "read", path), path.open("rb") as file:
        lines = file.readlines()
    try:
        head, *rows, last = map(orjson.loads, lines)
        if head["ctxcompact"] != _VERSION or last["rows"] != len(rows) + 1:
            raise _refusal(path)
        return _state(head, rows)
    except (ValueError, KeyError, TypeError, AttributeError, UsageError) as error:
        raise _refusal(path) from error


def _state(head: dict[str, Any], rows: list[dict[str, Any]]) -> tuple[InMemory, list[Event]]:
    keeping = InMemory(known.named(head["session"]))
    events = []
    for row in rows:
        match row:
            case {"said": str(text)}:
                keeping.said.append(text.encode())
            case {"line": str(text)}:
                keeping.lines.append(text.encode())
            case {"original": dict(fields)}:
                data, path = fields["data"].encode(), tuple(fields["path"])
                original = Original(**{**fields, "data": data, "path": path})
                keeping.memory.originals[original.id] = original
            case {"archive": str(name), "data": str(text)}:
                keeping.memory.archives[name] = text.encode()
            case {"event": dict(event)}:
                events.append(Event.of(event))
            case _:
                raise ValueError
    return keeping, events


def _refusal(path: Path) -> InputError:
    message = f"{path} is no saved session, or damaged"
    return InputError(message, hint="give a file that Session.save wrote", path=str(path))
