"""Scenes of the harbor about ships, cargo and tides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story

PORTS = "Aarhus Bilbao Cuxhaven Dunkirk Esbjerg Felixstowe Gdynia Hobart Izmir Kotka".split()


def positions(story: Story) -> str:
    """Read positions of ships; one has drifted."""
    rows = [
        (
            f"{story.number(10**8, 10**9 - 1)};{story.word().upper()};54.{story.number(1000, 9999)};"
            f"8.{story.number(1000, 9999)};{story.number(0, 14)}.{story.number(0, 9)};under "
            "way"
        )
        for _ in range(55)
    ]
    mmsi, ship = story.number(10**8, 10**9 - 1), f"{story.word().upper()} {story.number(11, 99)}"
    text = "mmsi;name;lat;lon;knots;status\n" + story.mix(
        rows,
        (
            f"{mmsi};{ship};54.{story.number(1000, 9999)};8.{story.number(1000, 9999)};"
            f"0.{story.number(0, 9)};not under command"
        ),
    )
    story.call(
        "ais_positions",
        {"area": f"box-{story.code(5)}"},
        text,
        ("state", str(mmsi), ship, "not under command"),
    )
    return story.chance.choice(rows).split(";")[0]


def calls(story: Story) -> str:
    """Read port calls with nested parts; one berth is refused."""
    found = [
        {
            "call": f"PC{story.number(10000, 99999)}",
            "vessel": {"name": story.word().title(), "imo": story.number(9 * 10**6, 10**7)},
            "berth": {"code": f"B{story.number(1, 40)}", "state": "assigned"},
            "eta": f"2026-06-{story.number(10, 29)}T0{story.number(0, 9)}:00Z",
            "agents": [story.word(), story.word()],
        }
        for _ in range(32)
    ]
    ident, draft = (
        f"PC{story.number(10000, 99999)}",
        f"{story.number(14, 19)}.{story.number(10, 99)}",
    )
    found.insert(
        story.number(0, 32),
        {
            **found[3],
            "call": ident,
            "berth": {"code": "B7", "state": "refused", "draft_m": draft},
        },
    )
    port = f"{story.chance.choice(PORTS)}-{story.number(100, 999)}"
    story.call(
        "port_calls",
        {"port": port, "days": 3},
        json.dumps({"calls": found, "page": 1}),
        ("state", ident, "refused"),
        ("number", ident, draft),
        ("name", port),
    )
    return str(story.chance.choice(found)["call"])


def customs(story: Story) -> str:
    """Read a customs message in XML."""
    items = "".join(
        (
            f'  <item no="{number}" hs="{story.number(100000, 999999)}"><weight unit="kg">'
            f"{story.number(100, 9000)}</weight><state>cleared</state></item>\n"
        )
        for number in range(1, 45)
    )
    mrn, hold = (
        f"26DE{story.code(10).upper()}",
        f"missing certificate {story.code(2).upper()}-{story.number(1000, 9999)}",
    )
    text = (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<declaration mrn="{mrn}">\n{items}  '
        f'<item no="45" hs="{story.number(100000, 999999)}"><weight unit="kg">'
        f"{story.number(100, 9000)}</weight><state>held</state><remark>{hold}</remark>"
        "</item>\n</declaration>"
    )
    story.call("customs_status", {"mrn": mrn}, text, ("error", "held", hold), ("id", mrn))
    return hold.rsplit(maxsplit=1)[-1]


def tides(story: Story) -> str:
    """Read a table of tides; one surge."""
    rows = [
        (
            f"{day:02d} Jun   {story.number(0, 5):02d}:{story.number(10, 59)}   "
            f"{story.number(3, 4)}.{story.number(10, 99)} m   {story.number(6, 11):02d}:{story.number(10, 59)} "
            f"  0.{story.number(10, 99)} m"
        )
        for day in range(1, 31)
    ]
    height = f"{story.number(6, 8)}.{story.number(10, 99)} m"
    hour = f"{story.number(12, 19)}:{story.number(10, 59)}"
    rows.insert(
        story.number(5, 25),
        (
            f"surge warning: {height} expected at {hour}, gates {story.word()} and "
            f"{story.word()} close"
        ),
    )
    place = f"{story.word()}-gauge-{story.number(10, 99)}"
    story.call(
        "tide_table",
        {"gauge": place},
        "date    high    level    low    level\n" + "\n".join(rows),
        ("number", height, hour),
        ("name", place),
    )
    return ""


def radio(story: Story) -> str:
    """Read what was said on the radio, in two languages."""
    usual = [
        "收到，保持航向。",
        "Roger, standing by on sixteen.",
        "请注意浅滩。",
        "Speed is fine, thank you.",
        "Pilot is on board.",
        "航道已清空。",
    ]
    lines = [
        (
            f"{story.number(0, 23):02d}:{story.number(10, 59)} {story.word().title()}: "
            f"{story.chance.choice(usual)}"
        )
        for _ in range(70)
    ]
    berth, box = (
        f"{story.number(11, 40)}号泊位",
        f"{story.code(4).upper()}{story.number(10**6, 10**7 - 1)}",
    )
    text = story.mix(
        lines,
        f"{story.number(0, 23):02d}:{story.number(10, 59)} 调度: 改靠{berth}，集装箱{box}破损，需要吊车。",
    )
    channel = f"VHF-{story.number(60, 88)}"
    story.call("radio_log", {"channel": channel, "hours": 24}, text, ("decision", berth, box))
    return box


def manual(story: Story) -> str:
    """Read a page of a manual, in which one sentence matters."""
    usual = (
        "Keep the deck clear of ropes at all times.",
        "The watch changes every four hours, as is the custom.",
        "A second hand checks the lines before departure.",
        "Coffee is to be had in the mess.",
        "Visitors sign the book and wear a vest.",
        "Weather reports hang beside the door.",
    )
    text = [story.chance.choice(usual) for _ in range(70)]
    load, part = (
        f"{story.number(101, 990)} kN",
        f"{story.code(3).upper()}-{story.number(1000, 9999)}",
    )
    text.insert(
        story.number(10, 60),
        f"The winch {part} holds {load} and has to be greased after each storm.",
    )
    page = f"manuals/{story.word()}/{story.code(4)}"
    story.call("read", {"file": page}, " ".join(text), ("prose", part, load), ("path", page))
    return part


def notice(story: Story) -> str:
    """Send a notice to a ship."""
    ship, receipt = f"{story.word()}.{story.code(4)}@sea.test", f"RCPT-{story.code(8)}"
    story.call(
        "send_notice",
        {
            "to": ship,
            "subject": f"berth {story.number(1, 40)}",
            "text": "Please keep a good lookout. " * 20,
        },
        json.dumps(
            {"accepted": True, "receipt": receipt, "queue": {"position": 1, "node": story.word()}}
        ),
        ("effect", ship),
        ("id", receipt),
    )
    return receipt


def schedule(story: Story) -> str:
    """Change when a crane works."""
    crane, shift, version = (
        f"crane-{story.code(4)}",
        f"night-{story.number(100, 999)}",
        story.number(1000, 9999),
    )
    story.call(
        "update_schedule",
        {"crane": crane, "change": {"shift": shift, "crew": [story.word(), story.word()]}},
        f"ok: {crane} revision {version}",
        ("effect", crane, shift),
        ("number", crane, str(version)),
    )
    return ""
