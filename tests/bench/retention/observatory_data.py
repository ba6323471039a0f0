"""Scenes of the observatory about the sky and its people: tables, series, diaries, rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story


def catalog(story: Story) -> str:
    """Ask a database; the answer is a table drawn with bars."""
    rows = [
        f" {story.number(10000, 99999)} | {story.word()}-{story.code(4):8} | {story.number(8, 14)}."
        f"{story.number(10, 99)} | {story.number(0, 23):02}:{story.number(10, 59)}:{story.number(10, 59)} | confirmed"
        for _ in range(70)
    ]
    name, number = f"{story.word()}-{story.code(5)}", story.number(10000, 99999)
    ordinary = story.chance.choice(rows)
    bad = f" {number} | {name:12} | 3.07 | 05:11:48 | quarantined"
    head = "    id | name          | mag   | ra       | state\n-------+---------------+-------+----------+----------"
    story.call(
        "query",
        {"sql": f"SELECT * FROM {story.word()}_objects WHERE night = '{story.number(1, 28)}'"},  # noqa: S608 - a story
        f"{head}\n{story.mix(rows, bad)}\n({len(rows) + 1} rows)",
        ("id", name, "quarantined"),
        ("number", str(number), name),
        ("ordinary", ordinary.split("|")[1].strip()),
    )
    return ordinary.split("|")[1].strip()


def frames(story: Story) -> str:
    """List the pictures of a night: a long nested JSON."""
    items: list[dict[str, Any]] = [
        {
            "frame": f"fr_{story.hex(10)}",
            "exposure": {"seconds": 30, "filter": story.chance.choice("BVR"), "binning": [1, 1]},
            "quality": {
                "fwhm": round(1 + story.chance.random(), 2),
                "sky": story.number(180, 240),
                "flags": [],
            },
            "path": f"/data/{story.word()}/{story.code(8)}.fits",
        }
        for _ in range(45)
    ]
    odd = story.chance.choice(items)
    odd["quality"] = {
        "fwhm": float(story.number(20, 90)),
        "sky": story.number(40000, 65000),
        "flags": ["saturated"],
    }
    sky = odd["quality"]["sky"]
    total, cursor = story.number(1000, 9999), story.code(14)
    story.call(
        "list_frames",
        {"night": f"{story.word()}-{story.code(3)}", "limit": 45},
        json.dumps({"frames": items, "total": total, "next_cursor": cursor}, indent=1),
        ("id", str(odd["frame"]), "saturated"),
        ("number", str(sky), str(odd["frame"])),
        ("number", "total", str(total)),
        ("id", cursor),
    )
    return str(odd["frame"])


def report(story: Story) -> str:
    """Read a report in Markdown, with a table of the instruments."""
    rows = [
        f"| {story.word().title()} {story.code(3)} | 正常 ok | {story.number(1, 90)} d | {story.word()} |"
        for _ in range(40)
    ]
    part, days = f"{story.word().title()} {story.code(5)}", story.number(400, 900)
    person = f"{story.word().title()} {story.code(4).title()}"
    bad = f"| {part} | 逾期 OVERDUE | {days} d | {person} |"
    prose = " ".join(
        f"The {story.word()} of the {story.word()} was {story.word()} and {story.word()}."
        for _ in range(20)
    )
    path = f"reports/{story.word()}/{story.word()}-{story.code(3)}.md"
    story.call(
        "read_file",
        {"path": path},
        f"# 维护报告\n\n{prose}\n\n| instrument | 状态 | since | by |\n|---|---|---|---|\n"
        f"{story.mix(rows, bad)}\n\n{prose}",
        ("state", part, "OVERDUE"),
        ("number", f"{days} d", part),
        ("name", person),
        ("path", path),
    )
    return part


def series(story: Story) -> str:
    """Read a series of measurements, one of which is far off."""
    points = [
        {
            "t": f"2026-05-{at // 24 + 1:02}T{at % 24:02}:00:00Z",
            "temp_c": round(11 + story.chance.random(), 2),
        }
        for at in range(110)
    ]
    at, value = story.number(10, 100), story.number(300, 900)
    points[at]["temp_c"] = float(value)
    sensor = f"{story.word()}-{story.code(5)}"
    story.call(
        "read_series",
        {"sensor": sensor, "from": "2026-05-01"},
        json.dumps({"sensor": sensor, "unit": "C", "points": points}),
        ("number", str(points[at]["t"]), f"{value}.0"),
        ("id", sensor),
    )
    return ""


def diary(story: Story) -> str:
    """Read the diary of a night, in Chinese with names in English."""
    usual = ("圆顶正常", "导星稳定", "更换滤光片", "云量较少", "CCD 温度正常")
    lines = [
        f"{story.number(0, 23):02}:{story.number(10, 59)} {story.chance.choice(usual)}，"
        f"目标 {story.word()}，曝光{story.number(10, 90)}秒。"
        for _ in range(45)
    ]
    target, code = f"{story.word()}-{story.code(5)}", story.number(1000, 9999)
    who = f"{story.word().title()}{story.code(3)}"
    lines.insert(
        story.number(2, 44),
        f"03:17 赤道仪报警，代码{code}，目标 {target} 丢失，已通知 {who} 处理。",
    )
    story.call(
        "读取日志",
        {"日期": f"2026-05-{story.number(10, 28)}", "台站": story.word()},
        "\n".join(lines),
        ("error", str(code), target),
        ("name", who),
    )
    return target


def refused(story: Story) -> str:
    """Ask a service that answers with what is wrong, below much else."""
    pointer, code = f"/plan/{story.word()}/{story.code(5)}", f"{story.word()}_out_of_{story.word()}"
    trace = story.hex(32)
    body = {
        "errors": [
            {
                "code": code,
                "source": {"pointer": pointer},
                "detail": f"must be below {story.number(1000, 9999)}",
            }
        ],
        "meta": {"trace_id": trace, **{f"{story.word()}_{at}": story.hex(24) for at in range(14)}},
    }
    status = story.chance.choice((400, 409, 422, 451))
    heads = [f"{story.word()}-{story.word()}: {story.hex(20)}" for _ in range(14)]
    url = f"https://sched.{story.word()}.example.test/v3/{story.word()}/{story.number(1000, 9999)}"
    story.call(
        "http",
        {"url": url, "method": "PUT"},
        "\n".join([f"HTTP/2 {status}", *heads, "", json.dumps(body)]),
        ("status", url, str(status)),
        ("error", code, pointer),
        ("id", trace),
    )
    return pointer


def rules(story: Story) -> str:
    """Read rules of use: prose, in the midst of which one sentence gives numbers."""
    clauses = [
        f"{at}. 使用者应当遵守{story.chance.choice(('台站', '设备', '人员', '数据'))}规定，"
        f"并与 {story.word()} 小组保持联系；未经许可不得变更 {story.word()} 设置。"
        for at in range(1, 34)
    ]
    hours, fee = story.number(11, 99), story.number(1000, 9999)
    group = f"{story.word()}-{story.code(4)}"
    clauses.insert(
        story.number(3, 30), f"附：{group} 小组每季度可用 {hours} 小时，超出部分每小时收费{fee}元。"
    )
    document = f"doc-{story.hex(8)}"
    story.call(
        "get_document",
        {"id": document},
        "".join(clauses),
        ("prose", group, str(fee)),
        ("number", str(hours), group),
        ("id", document),
    )
    return group
