"""Scenes of the harbor about its own servers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story


def access(story: Story) -> str:
    """Read the log of a web server."""
    rows = [
        (
            f"10.0.{story.number(0, 9)}.{story.number(1, 250)} - - [12/Jun/2026:0"
            f"{story.number(0, 9)}:{story.number(10, 59)}:{story.number(10, 59)} "
            f'+0000] "GET /{story.word()}/{story.number(1, 999)} HTTP/1.1" 200 '
            f"{story.number(200, 9000)}"
        )
        for _ in range(70)
    ]
    path, address = (
        f"/{story.word()}/{story.code(6)}",
        f"172.{story.number(16, 31)}.{story.number(0, 250)}.{story.number(1, 250)}",
    )
    bad = (
        f'{address} - - [12/Jun/2026:03:{story.number(10, 59)}:11 +0000] "POST {path} '
        f'HTTP/1.1" 502 {story.number(100, 200)}'
    )
    command = f"tail -n 71 /srv/log/{story.word()}-{story.code(3)}.log"
    story.call(
        "terminal",
        {"command": command},
        story.mix(rows, bad),
        ("status", path, "502"),
        ("id", address),
        ("command", command),
    )
    return address


def kernel(story: Story) -> str:
    """Read messages of a kernel."""
    rows = [
        (
            f"[{number * 13}.{story.number(100000, 999999)}] usb {story.number(1, 4)}-{story.number(1, 9)}: "
            f"new device number {story.number(2, 60)} using xhci_hcd"
        )
        for number in range(60)
    ]
    device, sector = f"sd{story.chance.choice('bcdef')}", story.number(10**6, 10**8)
    text = story.mix(
        rows,
        (
            f"[401.{story.number(100000, 999999)}] blk_update_request: I/O error, dev "
            f"{device}, sector {sector}"
        ),
    )
    story.call(
        "terminal",
        {"command": f"ssh {story.word()}-{story.code(3)} dmesg"},
        text,
        ("error", device, str(sector)),
    )
    return ""


def plan(story: Story) -> str:
    """Read how a database means to answer."""
    rows = [
        (
            f"{' ' * (2 * level)}->  Index Scan using {story.word()}_{story.word()}_idx on "
            f"{story.word()}  (cost=0.{story.number(10, 99)}..{story.number(3, 90)}.{story.number(10, 99)} "
            f"rows={story.number(1, 99)} width={story.number(4, 60)})"
        )
        for level in range(1, 30)
    ]
    table, lines = f"{story.word()}_{story.code(4)}", story.number(10**6, 10**8)
    rows.insert(
        story.number(2, 28),
        (
            f"    ->  Seq Scan on {table}  (cost=0.00..{story.number(10**5, 10**6)}.00 "
            f"rows={lines} width=311)"
        ),
    )
    text = "\n".join(
        [
            *rows,
            f"Planning Time: 0.{story.number(100, 999)} ms",
            f"Execution Time: {story.number(10000, 99999)}.{story.number(100, 999)} ms",
        ]
    )
    story.call(
        "sql",
        {"statement": f"EXPLAIN ANALYZE SELECT * FROM {story.word()}_view"},  # noqa: S608 - a story
        text,
        ("name", "Seq Scan", table),
        ("number", str(lines), table),
        ("number", text.rsplit(": ", 1)[1]),
    )
    return table


def tests(story: Story) -> str:
    """Run tests which report in JSON lines."""
    rows = [
        json.dumps(
            {
                "Time": f"2026-06-12T10:0{story.number(0, 9)}:00Z",
                "Action": "pass",
                "Package": f"harbor/{story.word()}",
                "Test": f"Test{story.word().title()}{story.word().title()}",
                "Elapsed": 0.01,
            }
        )
        for _ in range(60)
    ]
    name, line = (
        f"Test{story.word().title()}{story.code(4).title()}",
        f"{story.word()}_test.go:{story.number(20, 900)}",
    )
    rows[40:40] = [
        json.dumps(
            {
                "Time": "2026-06-12T10:05:00Z",
                "Action": "output",
                "Package": f"harbor/{story.word()}",
                "Test": name,
                "Output": f"    {line}: got {story.number(100, 999)} boxes, want 4\n",
            }
        ),
        json.dumps(
            {
                "Time": "2026-06-12T10:05:00Z",
                "Action": "fail",
                "Package": f"harbor/{story.word()}",
                "Test": name,
                "Elapsed": 0.44,
            }
        ),
    ]
    story.call(
        "terminal",
        {"command": f"go test -json ./{story.word()}/..."},
        "\n".join(rows),
        ("error", name, "fail"),
        ("path", line),
    )
    return name


def settings(story: Story) -> str:
    """Read a file of settings."""
    parts = [
        f"[{story.word()}]\n"
        + "\n".join(
            f"{story.word()}_{story.word()} = {story.chance.choice(['on', 'off', 'auto', story.word()])}"
            for _ in range(8)
        )
        for _ in range(9)
    ]
    seconds, host = story.number(1000, 9999), f"{story.word()}-{story.code(4)}.port.test"
    parts.insert(
        story.number(1, 8), f"[uplink]\nhost = {host}\nlease_seconds = {seconds}\ncompress = on"
    )
    path = f"/etc/{story.word()}/{story.word()}-{story.code(3)}.ini"
    story.call(
        "read",
        {"file": path},
        "\n\n".join(parts),
        ("setting", "lease_seconds", str(seconds)),
        ("setting", "host", host),
        ("path", path),
    )
    return host
