"""Scenes of the workshop about what runs: containers, issues, pages, tables, gauges, jobs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story

NAMES = "Mara Ilan Noor Petra Ravi Sunniva Tomas Ute".split()
VERBS = "Rework Tidy Document Extend Cover Move Simplify Speed up".split()


def containers(story: Story) -> str:
    """List containers, one of which died."""
    rows = [
        (
            f"{story.hex(12)}   {story.word()}/{story.word()}:{story.number(1, 9)}.{story.number(0, 20)} "
            f'  "/entrypoint.sh"   {story.number(2, 9)} days ago   Up {story.number(2, 9)} '
            f"days   0.0.0.0:{story.number(3000, 9000)}->80/tcp   {story.word()}_{story.word()}_1"
        )
        for _ in range(28)
    ]
    name, code = f"{story.word()}_{story.code(4)}_1", story.chance.choice([1, 137, 139, 143])
    dead = (
        f"{story.hex(12)}   {story.word()}/{story.word()}:{story.number(1, 9)}.{story.number(0, 20)} "
        f'  "/entrypoint.sh"   3 days ago   Exited ({code}) 2 hours ago      {name}'
    )
    text = "CONTAINER ID   IMAGE   COMMAND   CREATED   STATUS   PORTS   NAMES\n" + story.mix(
        rows, dead
    )
    story.call("shell", {"command": "docker ps -a"}, text, ("state", name, f"Exited ({code})"))
    return story.chance.choice(rows).split()[-1]


def issues(story: Story) -> str:
    """List issues, one of which blocks."""
    found = [
        {
            "number": story.number(1000, 9999),
            "title": f"{story.chance.choice(VERBS)} {story.word()} {story.word()}",
            "state": "open",
            "labels": [
                {"name": story.chance.choice(["docs", "chore", "feature"]), "color": story.hex(6)}
            ],
            "user": {"login": story.word(), "id": story.number(10**6, 10**7)},
            "comments": story.number(0, 9),
            "locked": False,
            "url": f"https://git.example.test/api/issues/{story.number(10**5, 10**6)}",
            "created_at": f"2026-02-{story.number(10, 28)}T10:{story.number(10, 59)}:00Z",
        }
        for _ in range(30)
    ]
    number, who = story.number(10000, 99999), f"{story.word()}{story.number(10, 99)}"
    worst = {
        **found[0],
        "number": number,
        "title": f"{story.word()} export loses rows",
        "labels": [{"name": "release-blocker", "color": story.hex(6)}],
        "assignee": {"login": who},
    }
    found.insert(story.number(0, 30), worst)
    story.call(
        "list_issues",
        {"repo": f"{story.word()}/{story.word()}", "state": "open"},
        json.dumps(found, indent=2),
        ("id", str(number), "release-blocker"),
        ("name", who, str(number)),
    )
    return str(story.chance.choice(found)["number"])


def page(story: Story) -> str:
    """Look at a page as a reader program would tell it."""
    lines = [
        (
            f"  - {story.chance.choice(['link', 'button', 'text', 'listitem'])} "
            f'"{story.word().title()} {story.word()}" [ref=e{number}]'
        )
        for number in range(11, 120)
    ]
    field, alert, price = (
        f"e{story.number(200, 999)}",
        f"Card ending {story.number(1000, 9999)} was declined",
        f"{story.number(200, 900)}.{story.number(10, 99)}",
    )
    url = f"https://shop.{story.word()}.test/cart/{story.code(6)}"
    text = f'- page "Cart" [url={url}]:\n' + story.mix(
        lines,
        f'  - textbox "Coupon code" [ref={field}] [invalid]',
        f'  - alert: "{alert}"',
        f"  - text: Total {price} EUR",
    )
    story.call(
        "browser_snapshot",
        {"url": url},
        text,
        ("id", "Coupon code", field),
        ("error", alert),
        ("number", "Total", price),
        ("url", url),
    )
    return story.chance.choice(lines).split("ref=")[1].rstrip("]")


def table(story: Story) -> str:
    """Ask a database."""
    name = f"{story.word()}_{story.word()}"
    rows = [
        (
            f" {story.number(10**5, 10**6)} | {story.word()}@{story.word()}.test | "
            f"{story.chance.choice(['active', 'active', 'active', 'trial'])} | "
            f"{story.number(5, 80)}.00 | 2026-0{story.number(1, 3)}-{story.number(10, 28)}"
        )
        for _ in range(45)
    ]
    ident, amount = story.number(10**5, 10**6), f"-{story.number(1000, 9000)}.00"
    text = (
        " id | email | plan | balance | since\n----+-------+------+---------+-------\n"
        + story.mix(
            rows, f" {ident} | {story.word()}@{story.word()}.test | active | {amount} | 2026-01-17"
        )
        + "\n(46 rows)"
    )
    story.call(
        "query",
        {"sql": f"SELECT id, email, plan, balance, since FROM {name} ORDER BY since"},  # noqa: S608 - a story
        text,
        ("id", str(ident), amount),
        ("name", name),
    )
    return story.chance.choice(rows).split()[0]


def gauges(story: Story) -> str:
    """Read the gauges of a service."""
    rows = [
        (
            f'http_requests_total{{route="/{story.word()}/{story.word()}",code="200"}} '
            f"{story.number(100, 99999)}"
        )
        for _ in range(60)
    ]
    job, depth = f"{story.word()}-{story.code(3)}", story.number(100000, 999999)
    text = story.mix(
        rows,
        f'up{{job="{job}"}} 0',
        f'{story.word()}_queue_depth{{shard="{story.number(10, 99)}"}} {depth}',
    )
    host = f"http://{story.word()}-{story.code(3)}.internal:9090/metrics"
    story.call(
        "http_get",
        {"url": host},
        text,
        ("state", "up", job),
        ("number", "queue_depth", str(depth)),
        ("url", host),
    )
    return ""


def run(story: Story) -> str:
    """Run a job which logs JSON."""
    rows = [
        json.dumps(
            {
                "level": "info",
                "time": 1772000000000 + number * 1371,
                "msg": f"{story.word()} done",
                "ms": story.number(3, 90),
                "pid": 4711,
            }
        )
        for number in range(70)
    ]
    order, shard = f"ord_{story.code(8)}", f"{story.word()}-{story.number(100, 999)}"
    bad = json.dumps(
        {
            "level": "error",
            "time": 1772000044000,
            "msg": f"no stock for {order}",
            "shard": shard,
            "ms": story.number(3, 90),
            "pid": 4711,
        }
    )
    command = f"node jobs/{story.word()}.js --since {story.number(10, 99)}h"
    story.call(
        "shell",
        {"command": command},
        story.mix(rows, bad),
        ("error", "no stock", order),
        ("id", shard, order),
        ("command", command),
    )
    return order
