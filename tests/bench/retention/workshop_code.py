"""Scenes of the workshop about code: commits, packages, compilers, source."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story

NAMES = "Mara Ilan Noor Petra Ravi Sunniva Tomas Ute".split()
VERBS = "Rework Tidy Document Extend Cover Move Simplify Speed up".split()


def commits(story: Story) -> str:
    """Read a log of commits, one of which undoes another."""
    ticket = f"{story.word().upper()}-{story.number(100, 9999)}"
    blocks = [
        f"commit {story.hex(40)}\nAuthor: {story.chance.choice(NAMES)} "
        f"<{story.word()}@example.test>\n"
        f"Date:   Tue Mar {story.number(1, 28)} 1{story.number(0, 9)}:{story.number(10, 59)}:00 "
        "2026 +0100\n\n"
        f"    {story.chance.choice(VERBS)} the {story.word()} {story.word()}\n"
        for _ in range(22)
    ]
    culprit = story.hex(40)
    at = story.number(2, 20)
    blocks[at] = blocks[at].replace(blocks[at].split()[1], culprit)
    blocks.insert(
        story.number(0, 22),
        blocks[at].replace(culprit, story.hex(40)).rstrip()
        + f" ({ticket})\n    This reverts commit {culprit}.\n",
    )
    story.call(
        "git_log",
        {"args": f"-n 23 --author={story.word()}"},
        "\n".join(blocks),
        ("id", ticket),
        ("hash", culprit),
    )
    return culprit[:8]


def status(story: Story) -> str:
    """Read what is changed in a working tree."""
    branch = f"feature/{story.word()}-{story.code(4)}"
    ahead = story.number(11, 99)
    clash = f"src/{story.word()}/{story.word()}_{story.code(3)}.rs"
    changed = [f"\tmodified:   src/{story.word()}/{story.word()}.rs" for _ in range(30)]
    text = (
        f"On branch {branch}\nYour branch is ahead of 'origin/{branch}' by {ahead} "
        "commits.\n\nUnmerged paths:\n"
        f"\tboth modified:   {clash}\n\nChanges not staged for commit:\n" + "\n".join(changed)
    )
    story.call(
        "git_status",
        {"repository": f"/work/{story.word()}"},
        text,
        ("id", branch, str(ahead)),
        ("path", clash),
    )
    return ""


def packages(story: Story) -> str:
    """Install packages, which two of them do not want."""
    noise = [
        (
            f"npm warn deprecated {story.word()}-{story.word()}@{story.number(0, 4)}."
            f"{story.number(0, 9)}.{story.number(0, 9)}: use {story.word()} instead"
        )
        for _ in range(35)
    ]
    one, two = (
        f"{story.word()}-{story.code(4)}@{story.number(5, 9)}.{story.number(10, 40)}.0",
        f"@{story.word()}/{story.code(5)}",
    )
    bad = story.number(11, 80)
    text = "\n".join(
        [
            *noise,
            "npm error code ERESOLVE",
            "npm error ERESOLVE could not resolve",
            f"npm error While resolving: {two}@2.0.{bad}",
            f"npm error Found: {one}",
            (
                f'npm error Could not resolve dependency: peer {one.split("@", maxsplit=1)[0]}@"^4" '
                f"from {two}"
            ),
        ]
    )
    story.call(
        "shell",
        {"command": f"npm install --workspace {story.word()}"},
        text,
        ("error", "ERESOLVE"),
        ("version", one),
        ("id", two, f"2.0.{bad}"),
    )
    return one


def build(story: Story) -> str:
    """Compile, in vain."""
    noise = [
        f"   Compiling {story.word()}-{story.word()} v{story.number(0, 3)}.{story.number(0, 30)}.{story.number(0, 9)}"
        for _ in range(60)
    ]
    path, line, code = (
        f"crates/{story.word()}/src/{story.word()}_{story.code(3)}.rs",
        story.number(20, 900),
        f"E0{story.number(100, 800)}",
    )
    text = "\n".join(
        [
            *noise,
            f"warning: unused variable: `{story.word()}`",
            f" --> crates/{story.word()}/src/lib.rs:{story.number(1, 99)}:9",
            f"error[{code}]: mismatched types",
            f"  --> {path}:{line}:18",
            "   |",
            f"{line} |     let n: u32 = {story.word()};",
            "   |            ---   ^^^^^^ expected `u32`, found `String`",
            f"error: could not compile `{story.word()}` (lib) due to 1 previous error",
        ]
    )
    story.call(
        "shell",
        {"command": "cargo build --release"},
        text,
        ("error", code),
        ("path", f"{path}:{line}"),
    )
    return ""


def source(story: Story) -> str:
    """Read a source file."""
    body = [
        (
            f"export function {story.word()}{story.word().title()}({story.word()}: string): "
            f"string {{\n  return {story.word()}.trim() + '{story.word()}';\n}}\n"
        )
        for _ in range(25)
    ]
    name, value = f"MAX_{story.word().upper()}_BYTES", story.number(10000, 999999)
    path = f"/work/{story.word()}/src/{story.word()}-{story.code(4)}.ts"
    text = story.mix(body, f"export const {name} = {value};\n")
    story.call("read_file", {"path": path}, text, ("setting", name, str(value)), ("path", path))
    return ""


def patch(story: Story) -> str:
    """Change a file."""
    path, name = (
        f"/work/{story.word()}/{story.word()}-{story.code(4)}.ts",
        f"{story.word()}{story.word().title()}{story.number(10, 99)}",
    )
    old = "\n".join(f"  const {story.word()} = {story.word()}({story.word()});" for _ in range(14))
    new = old + f"\n  await {name}.flush();"
    story.call(
        "apply_patch",
        {"path": path, "old": old, "new": new},
        f"Updated {path}: {story.number(2, 9)} insertions, 1 deletion",
        ("effect", path),
        ("id", name, path),
    )
    return name
