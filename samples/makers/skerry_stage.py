"""The tools of the ferry story: Read, Edit, Write, Grep, Glob, Bash and TodoWrite, Claude Code's.

Their results have the two forms that Claude Code stores: the text for the model, and the object
for its own screen.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from samples.makers import skerry_code
from samples.makers.dice import Dice
from samples.makers.scenes import Call, Cue, Json
from samples.makers.skerry_world import Skerry
from samples.makers.workspace import Workspace, hunks, tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

HOME = "/home/mira/work/skerry-booking"
SESSION = "5d0c3c52-7c1e-4b6a-9d0b-2f6f0a1e8b47"
REFUSED = (
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was"
    " a file edit, the new_string was NOT written to the file). STOP what you are doing and wait"
    " for the user to tell you how to proceed."
)
TODO_STATES = {"x": "completed", ">": "in_progress", " ": "pending"}
LIMIT_CHARS = 30_000
"""A longer Bash output is kept in a file and the model sees its beginning only."""


class Stage:
    """Runs the tool cues of ``stories/skerry.txt`` on the pretended repository and database."""

    def __init__(self, stories: Path) -> None:
        """Set up the repository as it stands when the session opens."""
        archive = (stories / "skerry-repo.txt").read_text(encoding="utf-8")
        self._shop = Workspace(tree_of(archive) | skerry_code.files())
        self._world = Skerry(Dice("ferry"))
        self._todos: list[Json] = []

    def __call__(self, cue: Cue) -> Call:
        """Run one tool."""
        tools: dict[str, Callable[[Cue], Call]] = {
            "read": self._read, "edit": self._edit, "write": self._write, "grep": self._grep,
            "glob": self._glob, "bash": self._bash, "todo": self._todo, "refused": self._refused,
        }  # fmt: skip
        return tools[cue.kind](cue)

    def _read(self, cue: Cue) -> Call:
        path, *span = cue.head.split()
        lines = self._shop.files[path].removesuffix("\n").split("\n")
        start, count = (int(n) for n in span) if span else (1, len(lines))
        shown = lines[start - 1 : start - 1 + count]
        arguments: Json = {"file_path": f"{HOME}/{path}"}
        if span:
            arguments |= {"offset": start, "limit": count}
        file = {
            "filePath": f"{HOME}/{path}", "content": "\n".join(shown), "numLines": len(shown),
            "startLine": start, "totalLines": len(lines),
        }  # fmt: skip
        numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(shown, start))
        return Call("Read", arguments, numbered, {"type": "text", "file": file})

    def _edit(self, cue: Cue) -> Call:
        path = cue.head
        old, new = halves(cue.body)
        before = self._shop.edit(path, old, new)
        screen = {
            "filePath": f"{HOME}/{path}", "oldString": old, "newString": new,
            "originalFile": before, "structuredPatch": hunks(before, self._shop.files[path]),
            "userModified": False, "replaceAll": False,
        }  # fmt: skip
        told = f"The file {HOME}/{path} has been updated successfully."
        return Call("Edit", edit_arguments(path, old, new), told, screen)

    def _refused(self, cue: Cue) -> Call:
        old, new = halves(cue.body)
        arguments = edit_arguments(cue.head, old, new)
        return Call("Edit", arguments, REFUSED, f"Error: {REFUSED}", failed=True)

    def _write(self, cue: Cue) -> Call:
        path, content = cue.head, cue.body + "\n"
        before = self._shop.files.get(path)
        self._shop.files[path] = content
        screen = {
            "type": "update" if before else "create", "filePath": f"{HOME}/{path}",
            "content": content, "structuredPatch": hunks(before, content) if before else [],
            "originalFile": before, "userModified": False,
        }  # fmt: skip
        told = f"File {'updated' if before else 'created'} successfully at: {HOME}/{path}"
        return Call("Write", {"file_path": f"{HOME}/{path}", "content": content}, told, screen)

    def _grep(self, cue: Cue) -> Call:
        pattern, _, where = cue.head.partition(" | ")
        content = self._shop.grep(pattern, where or "*")
        arguments: Json = {"pattern": pattern, "output_mode": "content", "-n": True}
        if where:
            arguments["glob"] = where
        screen = {
            "mode": "content", "numFiles": 0, "filenames": [], "content": content,
            "numLines": len(content.splitlines()),
        }  # fmt: skip
        return Call("Grep", arguments, content or "No matches found", screen)

    def _glob(self, cue: Cue) -> Call:
        names = [f"{HOME}/{path}" for path in self._shop.glob(cue.head)]
        screen = {"filenames": names, "durationMs": 21, "numFiles": len(names), "truncated": False}
        return Call("Glob", {"pattern": cue.head}, "\n".join(names) or "No files found", screen)

    def _todo(self, cue: Cue) -> Call:
        before, self._todos = self._todos, [todo(line) for line in cue.body.split("\n")]
        told = (
            "Todos have been modified successfully. Ensure that you continue to use the todo list"
            " to track your progress. Please proceed with the current tasks if applicable"
        )
        screen = {"oldTodos": before, "newTodos": self._todos}
        return Call("TodoWrite", {"todos": self._todos}, told, screen)

    def _bash(self, cue: Cue) -> Call:
        title, _, command = cue.head.partition(" | ")
        failed, rest = cue.body.startswith("exit "), cue.body
        if failed:
            code, _, rest = cue.body.removeprefix("exit ").partition("\n")
        output = "\n".join(self._expand(rest))
        arguments = {"command": command, "description": title}
        if failed:
            told = f"Exit code {code}\n{output}"
            return Call("Bash", arguments, told, f"Error: {told}", failed=True)
        screen: Json = {"stdout": output, "stderr": "", "interrupted": False, "isImage": False}
        screen["noOutputExpected"] = False
        if len(output) > LIMIT_CHARS:
            return Call("Bash", arguments, persisted(output, screen), screen)
        return Call("Bash", arguments, output, screen)

    def _expand(self, body: str) -> list[str]:
        """Return the lines of an output; ``<- name arguments`` is replaced by what it makes."""
        lines = body.split("\n")
        for number, line in enumerate(lines):
            if not line.startswith("<- "):
                continue
            name, *arguments = line.removeprefix("<- ").split()
            if name == "pytest":
                where, *flags = arguments
                failures = "\n".join(lines[number + 1 :])
                told = self._shop.pytest(where, failures, verbose="-v" in flags)
                return [*lines[:number], told]
            lines[number] = self._made(name, arguments)
        return lines

    def _made(self, name: str, arguments: list[str]) -> str:
        shop = self._shop
        if name == "commit":
            told = shop.stat(*arguments).rpartition("\n")[2]
            shop.commit(*arguments)
            return told
        if name == "remove":
            for path in arguments:
                del shop.files[path]
            return ""
        if name == "status":
            return shop.status()
        if name == "diff":
            return shop.diff(*arguments)
        return self._world(name, arguments)


def halves(body: str) -> tuple[str, str]:
    """Return the old and the new text of an edit; the new one may be empty."""
    old, _, new = (body + "\n").partition("\n=======\n")
    return old, new.removesuffix("\n")


def edit_arguments(path: str, old: str, new: str) -> Json:
    """Return what an Edit is called with."""
    return {
        "replace_all": False, "file_path": f"{HOME}/{path}", "old_string": old, "new_string": new,
    }  # fmt: skip


def todo(line: str) -> Json:
    """One plan item from ``[x] Do it / Doing it``."""
    content, _, active = line[4:].partition(" / ")
    return {"content": content, "status": TODO_STATES[line[1]], "activeForm": active}


def persisted(output: str, screen: Json) -> str:
    """Move a long output to a file: what the model sees of it; the rest goes into ``screen``."""
    folder = f"/home/mira/.claude/projects/{HOME.replace('/', '-')}/{SESSION}/tool-results"
    path, size = f"{folder}/b4k9w2xqe.txt", len(output.encode())
    screen["stdout"] = output[:LIMIT_CHARS]
    screen |= {"persistedOutputPath": path, "persistedOutputSize": size}
    return (
        f"<persisted-output>\nOutput too large ({size / 1024:.1f}KB). Full output saved to: {path}"
        f"\n\nPreview (first 2KB):\n{output[:2000]}\n...\n</persisted-output>"
    )
