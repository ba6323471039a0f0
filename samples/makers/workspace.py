"""A pretended working copy: files that can be read, searched, edited, tested and committed."""

import difflib
import fnmatch
import re
from collections.abc import Iterator

from samples.makers.scenes import Json


def tree_of(text: str) -> dict[str, str]:
    """Return the files of an archive text in which ``== path`` starts a file."""
    parts = text.split("\n== ")[1:]
    pairs = (part.partition("\n")[::2] for part in parts)
    return {path: body if body.endswith("\n") else body + "\n" for path, body in pairs}


class Workspace:
    """Files by path, and how they were at the last commit."""

    def __init__(self, files: dict[str, str]) -> None:
        """Start with everything committed."""
        self.files = dict(files)
        self.committed = dict(files)

    def edit(self, path: str, old: str, new: str) -> str:
        """Replace the one place where a text stands; return the file as it was."""
        before = self.files[path]
        if before.count(old) != 1:
            message = f"{path} has {before.count(old)} places like this, not one:\n{old}"
            raise ValueError(message)
        self.files[path] = before.replace(old, new)
        return before

    def grep(self, pattern: str, where: str) -> str:
        """Lines that match, as ``path:number:line``, in files whose path matches ``where``."""
        found = re.compile(pattern)
        return "\n".join(
            f"{path}:{number}:{line}"
            for path in sorted(self.files)
            if fnmatch.fnmatchcase(path, where)
            for number, line in enumerate(self.files[path].split("\n"), start=1)
            if found.search(line)
        )

    def glob(self, pattern: str) -> list[str]:
        """Paths that match."""
        return [path for path in sorted(self.files) if fnmatch.fnmatchcase(path, pattern)]

    def changed(self) -> list[str]:
        """Paths that differ from the last commit."""
        every = sorted(self.files.keys() | self.committed.keys())
        return [path for path in every if self.files.get(path) != self.committed.get(path)]

    def commit(self, *paths: str) -> None:
        """Take over the changes, of some paths or of all."""
        for path in paths or self.changed():
            self.committed.pop(path, None)
            if path in self.files:
                self.committed[path] = self.files[path]

    def diff(self, *paths: str) -> str:
        """Return what changed since the last commit, as git prints it."""
        out: list[str] = []
        for path in paths or self.changed():
            before, after = self.committed.get(path, ""), self.files.get(path, "")
            names = f"a/{path}" if before else "/dev/null", f"b/{path}" if after else "/dev/null"
            old, new = before.splitlines(), after.splitlines()
            lines = difflib.unified_diff(old, new, *names, lineterm="")
            out += [f"diff --git a/{path} b/{path}", *lines]
        return "\n".join(out)

    def stat(self, *paths: str) -> str:
        """How many lines came and went."""
        rows, plus, minus = [], 0, 0
        for path in paths or self.changed():
            before = self.committed.get(path, "").splitlines()
            after = self.files.get(path, "").splitlines()
            marks = [line[0] for line in difflib.ndiff(before, after)]
            rows.append(f" {path:40s} | {marks.count('+') + marks.count('-'):3d} ")
            plus, minus = plus + marks.count("+"), minus + marks.count("-")
        total = f" {len(rows)} files changed, {plus} insertions(+), {minus} deletions(-)"
        return "\n".join([*rows, total])

    def status(self) -> str:
        """Return what `git status --short` says."""
        return "\n".join(f"{self._mark(path)} {path}" for path in self.changed())

    def _mark(self, path: str) -> str:
        if path not in self.files:
            return " D"
        return " M" if path in self.committed else "??"

    def tests(self, where: str) -> Iterator[str]:
        """Yield the ids of the tests in some files, in order."""
        for path in self.glob(where):
            for name in re.findall(r"^def (test_\w+)", self.files[path], re.MULTILINE):
                yield f"{path}::{name}"

    def pytest(self, where: str, failures: str, *, verbose: bool) -> str:
        """Return a test run. ``failures`` ends with the FAILED lines that pytest repeats."""
        every = list(self.tests(where))
        failed = set(re.findall(r"^FAILED (\S+)", failures, re.MULTILINE))
        if unknown := failed - set(every):
            message = f"no such tests: {sorted(unknown)}"
            raise ValueError(message)
        lines = [f"collected {len(every)} items", ""]
        if verbose:
            width = max(len(test) for test in every)
            for number, test in enumerate(every, start=1):
                word = "FAILED" if test in failed else "PASSED"
                lines.append(f"{test:{width}s} {word} [{number * 100 // len(every):3d}%]")
        else:
            for path in dict.fromkeys(test.split("::")[0] for test in every):
                own = [test for test in every if test.startswith(path + "::")]
                lines.append(f"{path} " + "".join("F" if t in failed else "." for t in own))
        counts = [f"{len(failed)} failed"] if failed else []
        counts.append(f"{len(every) - len(failed)} passed")
        tail = f"{', '.join(counts)} in {len(every) * 37 / 1000:.2f}s"
        if failed:
            lines += ["", "=" * 30 + " FAILURES " + "=" * 30, failures]
        return "\n".join([*lines, "=" * 24 + f" {tail} " + "=" * 24])


def hunks(before: str, after: str) -> list[Json]:
    """Return the ``structuredPatch`` that Claude Code keeps of an edit."""
    old, new = before.splitlines(), after.splitlines()
    out: list[Json] = []
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(3):
        lines: list[str] = []
        for tag, a, b, c, d in group:
            if tag == "equal":
                lines += [" " + line for line in old[a:b]]
                continue
            lines += ["-" + line for line in old[a:b]] + ["+" + line for line in new[c:d]]
        first, last = group[0], group[-1]
        out.append({
            "oldStart": first[1] + 1, "oldLines": last[2] - first[1],
            "newStart": first[3] + 1, "newLines": last[4] - first[3], "lines": lines,
        })  # fmt: skip
    return out
