"""What a row of the reference's tables is, and what may become of it here."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


class Verdict(Enum):
    """How our outcome stands to the reference's.

    BETTER names a defect of section 7 of the reference, DECIDED a decision of our design; both come
    with experiments. The last two have none: the row speaks of something this product does not have.
    """

    SAME = "the same outcome"
    BETTER = "better: the reference's outcome is a known defect"
    DECIDED = "another outcome, by decision"
    NOT_APPLICABLE = "not applicable"
    NOT_YET = "not in this version"


TRIED = (Verdict.SAME, Verdict.BETTER, Verdict.DECIDED)


class Row(NamedTuple):
    """One row: its id (section, then place or name), the outcome there, and ours.

    An experiment is given an empty folder, runs the library, and asserts.
    """

    id: str
    reference: str
    verdict: Verdict
    reason: str = ""
    experiments: tuple[Callable[[Path], None], ...] = ()


def same(row_id: str, reference: str, *experiments: Callable[[Path], None]) -> Row:
    return Row(row_id, reference, Verdict.SAME, "", experiments)


def better(row_id: str, reference: str, reason: str, *experiments: Callable[[Path], None]) -> Row:
    return Row(row_id, reference, Verdict.BETTER, reason, experiments)


def decided(row_id: str, reference: str, reason: str, *experiments: Callable[[Path], None]) -> Row:
    return Row(row_id, reference, Verdict.DECIDED, reason, experiments)


def not_applicable(row_id: str, reference: str, reason: str) -> Row:
    return Row(row_id, reference, Verdict.NOT_APPLICABLE, reason)


def not_yet(row_id: str, reference: str, reason: str) -> Row:
    return Row(row_id, reference, Verdict.NOT_YET, reason)
