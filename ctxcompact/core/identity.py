"""Ids made from content.

The same edit of the same bytes has the same id, in a dry run and in the next one.
"""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxcompact.core.splice import Path

_VARIANT = "89ab"


def identify(original_sha256: str, path: Path) -> str:
    """Return the id of an edit.

    A UUID of version 8 (RFC 9562) over the original's hash and the address. `original_sha256` is
    the hex SHA-256 of the original record's bytes, `path` leads to what was replaced.
    """
    seed = f"ctxcompact\n{original_sha256}\n{_spell(path)}"
    digest = sha256(seed.encode()).hexdigest()
    variant = _VARIANT[int(digest[16], 16) & 3]
    return f"{digest[:8]}-{digest[8:12]}-8{digest[13:16]}-{variant}{digest[17:20]}-{digest[20:32]}"


@cache
def _spell(path: Path) -> str:
    return json.dumps(path)
