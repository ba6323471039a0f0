"""A store in this process alone: for sessions that live in memory, where no disk is wanted."""

from __future__ import annotations

import json
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from ctxcompact.errors import IdNotFound
from ctxcompact.stores.offloads import Original
from ctxcompact.stores.packs import SPAN
from ctxcompact.stores.staging import check_original

if TYPE_CHECKING:
    from collections.abc import Iterator

_NAME = "memory"


class MemorySource:
    """A transcript in memory, as the engine reads it."""

    name = _NAME

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.size = len(data)
        self.sha256 = sha256(data).hexdigest()

    def lines(self) -> Iterator[bytes]:
        """Yield every line with its newline."""
        return iter(BytesIO(self._data))

    def read(self, offset: int, length: int) -> bytes:
        """Return `length` bytes from `offset`."""
        return self._data[offset : offset + length]

    def check_unchanged(self) -> None:
        """Nobody else can change it."""


class Memory:
    """Originals by id, and whole transcripts by the name of their archive."""

    def __init__(self) -> None:
        self.originals: dict[str, Original] = {}
        self.archives: dict[str, bytes] = {}

    def known(self, id: str) -> bool:  # noqa: A002 - the word of the stores
        """Tell whether an id is here."""
        return id in self.originals

    def find(self, name: str) -> Original:
        """Return an original by its id, or an archive by its name. Raises `IdNotFound`."""
        if name in self.archives:
            return Original(name, self.archives[name], (), "", "", 1, _NAME)
        found = self.originals.get(name)
        if found is None:
            message = f"no original is kept under {name}"
            raise IdNotFound(message, hint="an id is what a context_offload mark names")
        if found.format != SPAN:
            return found
        parts = [self.originals[part].data for part in json.loads(found.data)]
        return found._replace(data=b"\n".join(parts))

    def stage(self) -> MemoryStaging:
        """Begin to collect the originals of one run."""
        return MemoryStaging(self)


class MemoryStaging:
    """The originals of one run; `commit` keeps them."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._new: dict[str, Original] = {}

    def add(
        self,
        uuid: str,
        data: bytes,
        sha256: str,  # noqa: ARG002 - bytes in memory need no hash
        *,
        path: tuple[str | int, ...],
        tool: str,
        format: str,  # noqa: A002
        line: int,
    ) -> None:
        """Take one original in, unless it is here."""
        check_original(uuid, data)
        if not self._memory.known(uuid):
            self._new.setdefault(uuid, Original(uuid, data, path, tool, format, line, _NAME))

    def mark(self) -> int:
        """Return the present point, for `rewind`."""
        return len(self._new)

    def rewind(self, mark: int) -> None:
        """Forget all that was added since the mark was taken."""
        for uuid in list(self._new)[mark:]:
            del self._new[uuid]

    def commit(self) -> None:
        """Keep what was collected."""
        self._memory.originals.update(self._new)
