"""Scenes of the office with lists: meetings, sheets, customers, invoices, goods, requests."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tests.bench.retention.office_papers import FIRST, TOPICS, person

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story


def calendar(story: Story) -> str:
    """Read a month of meetings, one of which was called off."""
    events = [
        {
            "id": f"evt_{story.code(10)}",
            "summary": f"{story.chance.choice(TOPICS).title()} with {person(story)}",
            "start": {
                "dateTime": f"2026-05-{story.number(10, 28)}T{story.number(8, 17):02d}:30:00+02:00"
            },
            "status": "confirmed",
            "attendees": [
                {"email": f"{name.lower()}@corp.test", "responseStatus": "accepted"}
                for name in story.chance.sample(FIRST, 3)
            ],
            "location": f"Room {story.word()}",
        }
        for _ in range(35)
    ]
    odd = dict(
        story.chance.choice(events),
        id=f"evt_{story.code(10)}",
        status="cancelled",
        location=f"Hall {story.number(100, 999)}",
    )
    events.insert(story.number(0, 35), odd)
    owner = f"{story.code(6)}@corp.test"
    story.call(
        "calendar_list",
        {"calendar": owner, "month": "2026-05"},
        json.dumps({"items": events}),
        ("id", str(odd["id"]), "cancelled"),
        ("name", owner),
    )
    return str(story.chance.choice(events)["id"])


def sheet(story: Story) -> str:
    """Read a sheet with one late row and a sum."""
    rows = [
        f"INV-{story.number(10000, 99999)}\t{story.word()} Ltd\t{story.number(100, 999)}."
        f"{story.number(10, 99)}\tpaid\t2026-04-{story.number(10, 28)}"
        for _ in range(60)
    ]
    late, total = (
        f"INV-{story.number(10000, 99999)}",
        f"{story.number(20000, 40000)}.{story.number(10, 99)}",
    )
    text = (
        "invoice\tcustomer\tamount\tstate\tdate\n"
        + story.mix(
            rows,
            f"{late}\t{story.word()} Ltd\t{story.number(100, 999)}.{story.number(10, 99)}\t"
            f"overdue\t2026-01-{story.number(10, 28)}",
        )
        + f"\ntotal\t\t{total}"
    )
    name = f"{story.word()}-{story.code(4)}.xlsx"
    story.call(
        "sheet_read",
        {"file": name, "range": "A1:E62"},
        text,
        ("id", late, "overdue"),
        ("number", "total", total),
        ("path", name),
    )
    return story.chance.choice(rows).split()[0]


def customer(story: Story) -> str:
    """Read a customer record in XML."""
    fields = "".join(
        f"  <{word.lower()}>{story.word()}</{word.lower()}>\n"
        for word in story.chance.sample(story.words, 18)
    )
    ident, phone, tier = (
        f"C{story.number(100000, 999999)}",
        f"+44 20 7946 {story.number(1000, 9999)}",
        story.chance.choice(["suspended", "at_risk"]),
    )
    history = "".join(
        (
            f'  <visit date="2026-0{story.number(1, 4)}-{story.number(10, 28)}" '
            f'by="{story.chance.choice(FIRST)}">no change</visit>\n'
        )
        for _ in range(30)
    )
    text = (
        f'<?xml version="1.0"?>\n<customer id="{ident}">\n{fields}  <phone>'
        f"{phone}</phone>\n  <status>{tier}</status>\n{history}</customer>"
    )
    story.call(
        "crm_get",
        {"customer": ident},
        text,
        ("number", phone),
        ("state", "status", tier),
        ("id", ident),
    )
    return ident


def invoice(story: Story) -> str:
    """Read a Chinese list of invoices, one of which was sent back."""
    rows = [
        f"发票号：{story.number(10**7, 10**8)}，供应商：{story.chance.choice('东西南北中')}方公司，"
        f"金额：{story.number(100, 999)}元，状态：已通过"
        for _ in range(35)
    ]
    number, why = story.number(10**7, 10**8), f"税号{story.number(10**5, 10**6)}不符"
    text = story.mix(
        rows,
        f"发票号：{number}，供应商：海天公司，金额：{story.number(100, 999)}元，状态：退回，说明：{why}",
    )
    story.call(
        "发票列表", {"月份": f"2026年{story.number(1, 4)}月"}, text, ("error", str(number), why)
    )
    return str(number)


def shop(story: Story) -> str:
    """Look through the page of a shop."""
    cards = [
        (
            f'<li class="card"><a href="/p/{story.code(7)}">{story.word()} desk lamp</a> '
            f"<span>EUR {story.number(20, 90)}.00</span> <span>in stock</span></li>"
        )
        for _ in range(40)
    ]
    gone, when = f"{story.word()} chair {story.number(100, 999)}", f"week {story.number(20, 40)}"
    url = f"https://store.{story.word().lower()}.test/c/{story.code(5)}"
    text = (
        "<html><body><ul>\n"
        + story.mix(
            cards,
            (
                f'<li class="card"><a href="/p/{story.code(7)}">{gone}</a> <span>sold out</span>'
                f" <span>back in {when}</span></li>"
            ),
        )
        + "\n</ul></body></html>"
    )
    story.call(
        "open_page",
        {"url": url},
        text,
        ("state", gone, "sold out"),
        ("state", gone, when),
        ("url", url),
    )
    return gone


def approvals(story: Story) -> str:
    """List requests, one of which was refused."""
    rows = [
        {
            "request": f"R-{story.number(1000, 9999)}",
            "by": person(story),
            "days": story.number(1, 9),
            "state": "pending",
            "note": None,
        }
        for _ in range(40)
    ]
    ident, note = f"R-{story.number(1000, 9999)}", f"clashes with {story.word()} launch"
    rows.insert(
        story.number(0, 40),
        {
            "request": ident,
            "by": person(story),
            "days": story.number(1, 9),
            "state": "rejected",
            "note": note,
        },
    )
    cursor = story.code(12)
    story.call(
        "leave_requests",
        {"cursor": cursor, "size": 41},
        json.dumps({"data": rows, "next": None}),
        ("state", ident, "rejected"),
        ("prose", ident, note),
        ("name", cursor),
    )
    return str(story.chance.choice(rows)["request"])
