"""Ids: from the content alone, and of the form that other programs know."""

from __future__ import annotations

from hashlib import sha256
from uuid import RFC_4122, UUID

from hypothesis import given
from hypothesis import strategies as st

from ctxcompact.core.identity import identify
from ctxcompact.core.tags import canonical

HASH = sha256(b"an original").hexdigest()
_paths = st.lists(st.one_of(st.text(max_size=9), st.integers(0, 9)), max_size=4).map(tuple)


@given(st.binary(), _paths)
def test_an_id_is_a_uuid_of_version_8(data: bytes, path: tuple[str | int, ...]) -> None:
    found = UUID(identify(sha256(data).hexdigest(), path))
    assert (found.version, found.variant) == (8, RFC_4122)
    assert canonical(str(found)) == str(found)


def test_an_id_never_changes() -> None:
    """Ids stand in transcripts: another way to make them would strand those."""
    assert identify(HASH, ("message", "content", 0)) == "ef0bcbff-64a7-80e5-bc60-6837238cfe6b"


@given(_paths, _paths)
def test_other_addresses_have_other_ids(
    one: tuple[str | int, ...], other: tuple[str | int, ...]
) -> None:
    assert (identify(HASH, one) == identify(HASH, other)) == (one == other)


def test_a_key_is_not_an_index() -> None:
    assert identify(HASH, ("content", "0")) != identify(HASH, ("content", 0))


def test_other_originals_have_other_ids() -> None:
    assert identify(HASH, ()) != identify(sha256(b"another").hexdigest(), ())
