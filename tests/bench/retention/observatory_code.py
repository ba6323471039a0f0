"""Scenes of the observatory about its software: issues, traces, images, pages, edits."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story


def _person(story: Story) -> dict[str, Any]:
    login = f"{story.word()}{story.number(1, 99)}"
    return {
        "login": login,
        "id": story.number(10**5, 10**7),
        "avatar_url": f"https://avatars.example.test/u/{story.number(10**5, 10**7)}?v=4",
        "html_url": f"https://git.example.test/{login}",
        "type": "User",
        "site_admin": False,
    }


def _sentence(story: Story) -> str:
    words = " ".join(story.word() for _ in range(story.number(8, 16)))
    return f"{words.capitalize()}."


def issue(story: Story) -> str:
    """Read an issue with all its comments, as a forge's API gives it."""
    number, version = (
        story.number(1000, 9999),
        f"{story.number(2, 9)}.{story.number(11, 40)}.{story.number(2, 9)}",
    )
    option = f"{story.word()}_{story.code(4)}_timeout"
    said = [_sentence(story) for _ in range(11)]
    said.insert(
        story.number(1, 10),
        f"{_sentence(story)} Workaround: set {option} to {number * 3} until {version} is out. {_sentence(story)}",
    )
    comments = [
        {
            "id": story.number(10**8, 10**9),
            "node_id": f"IC_{story.code(16)}",
            "user": _person(story),
            "created_at": f"2026-04-{at + 10}T0{story.number(0, 9)}:11:00Z",
            "body": body,
            "reactions": {"total_count": 0, "+1": 0, "-1": 0, "eyes": 0},
        }
        for at, body in enumerate(said)
    ]
    label = f"{story.word()}-{story.code(3)}"
    body = {
        "number": number,
        "title": f"{_sentence(story)[:-1]} since {story.word()}",
        "state": "open",
        "locked": False,
        "user": _person(story),
        "labels": [{"id": story.number(10**6, 10**7), "name": label, "default": False}],
        "comments": comments,
    }
    story.call(
        "get_issue",
        {"repo": f"{story.word()}/{story.word()}", "number": number},
        json.dumps(body),
        ("setting", option, str(number * 3)),
        ("version", version, option),
        ("id", label),
    )
    return option


def traced(story: Story) -> str:
    """Read the newest events of an error tracker: traces inside JSON, their lines escaped."""
    file, line = f"/srv/{story.word()}/{story.word()}_{story.code(3)}.py", story.number(20, 900)
    kind, value = f"{story.word().title()}DriftError", story.number(1000, 9999)

    def event(last: str, at: int, times: int) -> dict[str, Any]:
        frames = "".join(
            f'  File "/usr/lib/python3/{story.word()}.py", line {story.number(10, 900)}, in {story.word()}\n'
            f"    return {story.word()}({story.word()})\n"
            for _ in range(6)
        )
        return {
            "event_id": story.hex(32),
            "level": "error" if at == chosen else "warning",
            "times_seen": times,
            "message": f"Traceback (most recent call last):\n{frames}{last}",
        }

    chosen = story.number(0, 6)
    events = [
        event(
            f'  File "{file}", line {line}, in track\n    raise {kind}(offset)\n{kind}: offset {value} arcsec'
            if at == chosen
            else f"{story.word().title()}Warning: {story.word()} is slow",
            at,
            story.number(400, 999) if at == chosen else story.number(1, 9),
        )
        for at in range(7)
    ]
    story.call(
        "list_events",
        {"project": f"{story.word()}-{story.code(3)}", "limit": 7},
        json.dumps({"events": events, "next": None}, indent=2),
        ("error", kind, str(value)),
        ("path", file, str(line)),
        ("id", events[chosen]["event_id"]),
    )
    return kind


def crash(story: Story) -> str:
    """Run a program that panics, with a long trace of machine addresses."""
    file, line = f"src/{story.word()}/{story.word()}_{story.code(3)}.rs", story.number(20, 900)
    left, right = story.number(1000, 9999), story.number(1000, 9999)
    frames = [
        f"  {at:2}: 0x{story.hex(12)} - {story.word()}::{story.word()}::h{story.hex(16)}\n"
        f"             at /rustc/{story.hex(40)}/library/"
        f"{story.word()}/src/{story.word()}.rs:{story.number(1, 900)}:{story.number(1, 60)}"
        for at in range(26)
    ]
    frames.insert(
        story.number(4, 22), f"  27: {story.word()}::guide\n             at ./{file}:{line}:9"
    )
    build = [
        f"   Compiling {story.word()} v{story.number(0, 3)}.{story.number(0, 20)}.{story.number(0, 9)}"
        for _ in range(30)
    ]
    panic = [
        f"thread 'guide-{story.code(3)}' panicked at {file}:{line}:9:",
        "assertion `left == right` failed",
        f"  left: {left}",
        f" right: {right}",
        "stack backtrace:",
    ]
    command = f"cargo run --release -- --target {story.word()}-{story.code(3)}"
    story.call(
        "run",
        {"cmd": command},
        "\n".join([*build, *panic, *frames, "error: process didn't exit successfully (exit 101)"]),
        ("path", f"{file}:{line}"),
        ("number", f"left: {left}", f"right: {right}"),
        ("command", command),
    )
    return f"{file}:{line}"


def image(story: Story) -> str:
    """Build an image, which fails in a late step."""
    steps: list[str] = []
    for at in range(1, 13):
        steps.append(f"#{at} [stage-1 {at}/14] RUN apk add {story.word()}-{story.word()}")
        steps += [
            f"#{at} {story.number(0, 9)}.{story.number(100, 999)} ({k}/7) Installing {story.word()} "
            f"({story.number(1, 9)}.{story.number(0, 9)}-r{story.number(0, 9)})"
            for k in range(1, 8)
        ]
        steps.append(f"#{at} DONE {story.number(1, 9)}.{story.number(0, 9)}s")
    package, base = f"lib{story.word()}-{story.code(4)}", f"sha256:{story.hex(64)}"
    steps.insert(0, f"#0 resolve docker.io/{story.word()}/base@{base} done")
    steps += [
        "#13 [stage-1 13/14] RUN make install",
        f"#13 2.{story.number(100, 999)} ld: cannot find {package}.so: no such file",
        '#13 ERROR: process "/bin/sh -c make install" did not complete: exit code: 2',
    ]
    tag = f"{story.word()}:{story.number(2, 9)}.{story.number(10, 99)}"
    story.call(
        "run",
        {"cmd": f"docker build -t {tag} ."},
        "\n".join(steps),
        ("error", package, "cannot find"),
        ("hash", base),
        ("command", tag),
    )
    return package


def audit(story: Story) -> str:
    """Check packages for known faults."""
    rows = [
        f"{story.word()}-{story.word():14} {story.number(0, 4)}.{story.number(0, 30)}.{story.number(0, 9)}  "
        f"low       {story.word()} may be {story.word()}"
        for _ in range(55)
    ]
    name, fault = (
        f"{story.word()}-{story.code(4)}",
        f"GHSA-{story.code(4)}-{story.code(4)}-{story.code(4)}",
    )
    fixed = f"{story.number(5, 9)}.{story.number(31, 60)}.{story.number(0, 9)}"
    bad = f"{name:22} 1.0.0   critical  {fault}; update to {fixed}"
    story.call(
        "run",
        {"cmd": f"pkg audit --tree {story.word()}-{story.code(3)}"},
        story.mix(rows, bad) + f"\n{len(rows) + 1} findings, 1 critical",
        ("id", name, fault),
        ("version", name, fixed),
    )
    return fault


def page(story: Story) -> str:
    """Look at a page as a tree of what can be pressed and read."""
    lines = ['- document "Night planner" [ref=e1]:', "  - navigation:"]
    for at in range(60):
        role = story.chance.choice(("link", "button", "listitem", "text", "checkbox"))
        lines.append(
            f'    {"  " * story.number(0, 3)}- {role} "{story.word().title()} {story.word()}" [ref=e{at + 2}]'
        )
    code, ref = story.number(1000, 9999), f"e{story.number(300, 999)}"
    slot = f"slot-{story.code(6)}"
    lines.insert(
        story.number(5, 55),
        f'      - alert "Booking refused: error {code}, dome closed" [ref={ref}]',
    )
    lines.insert(story.number(5, 55), f'      - button "Confirm {slot}" [disabled] [ref={ref}b]')
    url = f"https://plan.{story.word()}.example.test/night/{story.code(7)}"
    story.call(
        "snapshot",
        {"url": url},
        "\n".join(lines),
        ("error", str(code), ref),
        ("id", slot, "disabled"),
        ("url", url),
    )
    return slot


def edit(story: Story) -> str:
    """Change a file in one place."""
    path, limit = (
        f"/srv/{story.word()}/{story.word()}_{story.code(4)}.yaml",
        story.number(1000, 9999),
    )
    key = f"{story.word()}_{story.word()}_limit"
    old = "\n".join(f"{story.word()}: {story.word()}" for _ in range(5))
    story.call(
        "edit_file",
        {"path": path, "old_string": old, "new_string": f"{old}\n{key}: {limit}"},
        f"已修改 {path}（{story.number(1, 5)} 处）",
        ("effect", path),
        ("setting", key, str(limit)),
    )
    return path
