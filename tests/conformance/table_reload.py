"""Section 6.4: the tool that gives an original back; here `kept.reload` and the `reload` command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ctxcompact import kept
from ctxcompact.errors import CtxCompactError, IdNotFound, OriginalDamaged, UsageError
from tests.conformance.experiments import Ran, run
from tests.conformance.regimes import ROUNDS_OF_FIVE, TIGHT
from tests.conformance.rows import better, decided, not_applicable, same
from tests.conformance.shapes import LONG_PAIR, OPENAI, USE, A, U, filler, t, u, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STRANGER = "0f8fad5b-d9cb-869f-a165-70867728950e"
ERROR = (
    "7.4 invariant 2: what cannot be given is an error with an exit code, not an answer to read;"
)


def a_fold_comes_back_whole(root: Path) -> None:
    given = write([*3 * [U, *LONG_PAIR, A], U], OPENAI)
    ran = run(root, given, ROUNDS_OF_FIVE)
    behind = [original.data.splitlines() for original in kept.reload(ran.ids, root=root)]
    lines = given.splitlines()
    assert sorted(behind) == sorted([lines[1:4], lines[5:8]])


def refuses(given: str, kind: type[CtxCompactError]) -> Callable[[Path], None]:
    def check(root: Path) -> None:
        with pytest.raises(kind) as caught:
            kept.reload([given], root=root)
        assert given in caught.value.message
        assert caught.value.hint

    return check


def three_payloads(root: Path) -> Ran:
    turns = [U, A, *(x for n in (300, 400, 500) for x in (USE, t(n))), A, u(10), A]
    return run(root, write(turns, OPENAI), TIGHT)


def each_id_gives_its_own(root: Path) -> None:
    ran = three_payloads(root)
    found = [kept.reload_text(kept.reload([uuid], root=root)[0]) for uuid in ran.ids]
    assert found == [filler(300), filler(400), filler(500)]


def a_damaged_original_is_named(root: Path) -> None:
    ran = three_payloads(root)
    for pack in (root / ".offload").rglob("*.jsonl"):
        pack.write_bytes(pack.read_bytes().replace(b"entry 1 ", b"entry 2 "))
    with pytest.raises(OriginalDamaged) as caught:
        kept.reload(ran.ids[:1], root=root)
    assert ran.ids[0] in caught.value.message


ROWS = (
    same("6.4/known", "both messages, roles kept", a_fold_comes_back_whole),
    decided(
        "6.4/no-loader",
        "an error that names the id",
        "DESIGN 8: the store is a folder; without one an id is not found",
        refuses(STRANGER, IdNotFound),
    ),
    not_applicable("6.4/null", "UUID cannot be null or empty", "a list of texts is asked for"),
    better(
        "6.4/empty",
        "UUID cannot be null or empty",
        f"{ERROR} an id has 36 characters",
        refuses("", UsageError),
    ),
    better(
        "6.4/blank",
        "UUID cannot be null or empty",
        f"{ERROR} an id has 36 characters",
        refuses("   ", UsageError),
    ),
    better(
        "6.4/unknown",
        "No messages found for UUID",
        f"{ERROR} it says where it looked",
        refuses(STRANGER, IdNotFound),
    ),
    same("6.4/loader-throws", "an error with id and cause", a_damaged_original_is_named),
    same("6.4/three-ids", "each its own", each_id_gives_its_own),
    not_applicable(
        "6.4/empty-list", "not found", "an id stands for bytes that were there; none is ever empty"
    ),
    not_applicable("6.4/loader-null", "not found", "a store that finds nothing raises"),
)
