"""Records that hang on one another: what is hung anew when some of them go."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxcompact.core.model import Linked


class Gap(NamedTuple):
    """A stretch that one record stands for: `last` keeps its place and id, all of `gone` go."""

    gone: tuple[int, ...]
    last: int


class Chains:
    """The tree of a file's records as folds change it.

    Without links every record stands by itself.
    """

    def __init__(self, links: Sequence[Linked]) -> None:
        links = sorted(links, key=lambda link: link.record)
        self._given = {link.record: link.parent for link in links}
        self._parents = dict(self._given)
        self._uuids = {link.record: link.uuid for link in links}
        self._records = {link.uuid: link.record for link in links}
        self._gone: set[int] = set()

    def fold(self, records: Sequence[int]) -> Gap:
        """Fold some records into the last of them; what is chained between them goes along.

        The one that stays hangs on what the first of them hung on, and so does what stands before
        it in the file; all else that hung on a record that goes hangs on it.
        """
        last = max(records)
        if last not in self._parents:
            return Gap(tuple(sorted(set(records) - {last})), last)
        going = self._between(records)
        before = self._above(min(going), going)
        going.discard(last)
        uuids = {self._uuids[record] for record in going if record in self._uuids}
        for record, parent in self._parents.items():
            if record not in going and parent in uuids:
                self._parents[record] = self._uuids[last] if record > last else before
        self._parents[last] = before
        self._gone |= going
        return Gap(tuple(sorted(going)), last)

    def remove(self, records: Sequence[int]) -> tuple[int, ...]:
        """Take some records out, with what is chained between them; return all that go.

        What hung on them hangs on what the first of them hung on.
        """
        if min(records) not in self._parents:
            return tuple(sorted(set(records)))
        going = self._between(records)
        before = self._above(min(going), going)
        uuids = {self._uuids[record] for record in going if record in self._uuids}
        for record, parent in self._parents.items():
            if record not in going and parent in uuids:
                self._parents[record] = before
        self._gone |= going
        return tuple(sorted(going))

    def crossings(self, records: Sequence[int], place: int) -> set[str]:
        """Return the ids up to a place on which some records after it hang, or their ancestors."""
        found = set()
        for start in records:
            path = [record for record in self.up(start) if record > place]
            if path:
                found.add(self._parents[path[-1]])
        return found

    def uuid(self, record: int) -> str:
        """Return the id of a record, "" if it has none."""
        return self._uuids.get(record, "")

    def parent(self, record: int) -> str:
        """Return the id of what a record hangs on now, "" if nothing."""
        return self._parents.get(record, "")

    def up(self, record: int) -> Iterator[int]:
        """Yield a record and its ancestors, none twice."""
        seen = set()
        while record in self._parents and record not in seen:
            seen.add(record)
            yield record
            record = self._records.get(self._parents[record], -1)

    def moved(self) -> Iterator[tuple[int, str]]:
        """Yield the records that hang elsewhere now, and their parents' ids ("" makes a root)."""
        for record, parent in self._parents.items():
            if record not in self._gone and parent != self._given[record]:
                yield record, parent

    def _between(self, records: Sequence[int]) -> set[int]:
        """Return the records, and their ancestors that lie between them."""
        wanted, going = set(records), set(records)
        for start in records:
            trail = []
            for record in self.up(start):
                trail.append(record)
                if record in wanted:
                    going.update(trail)
                if record <= min(records):
                    break
        return going

    def _above(self, start: int, going: set[int]) -> str:
        """Return the id of the nearest ancestor that stays, "" if there is none."""
        for record in self.up(start):
            parent = self._parents[record]
            if self._records.get(parent, -1) not in going:
                return parent
        return ""
