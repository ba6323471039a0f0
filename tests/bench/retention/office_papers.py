"""Scenes of the office with prose: letters, policies, contracts, chats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.bench.retention.sessions import Story

FIRST = "Amira Bruno Chloe Dmitri Esther Farid Greta Hugo Ines Jonas Kaori Leila".split()
TOPICS = (
    "budget planning hiring onboarding pricing roadmap audit retrospective "
    "training travel design review"
).split()
SENTENCES = (
    "Thanks again for the pleasant meeting last week.",
    "The team has been busy with the {topic} work and is in good spirits.",
    "We will keep you posted as things move along.",
    "Nobody raised concerns about the {topic} so far.",
    "As usual the minutes are in the shared folder for everybody.",
    "I hope the weather was kind to you on the way home.",
    "Some colleagues asked whether the {topic} could be explained once more.",
    "It was a long day, yet everybody stayed until the end.",
    "Our visitors liked the new office and the view from the roof.",
    "There is nothing to do on your side for the moment.",
)
CHATTER = (
    "好的，收到。 我晚点看一下。 大家辛苦了。 会议室已经订好。 "
    "资料发到群里了。 明天继续讨论。 这个没有问题。 谢谢提醒。"
).split()


def person(story: Story) -> str:
    """Return a name."""
    return f"{story.chance.choice(FIRST)} {story.word()}"


def prose(story: Story, count: int) -> list[str]:
    """Return sentences which say nothing."""
    return [
        story.chance.choice(SENTENCES).format(topic=story.chance.choice(TOPICS))
        for _ in range(count)
    ]


def inbox(story: Story) -> str:
    """Search mail from one person."""
    who = person(story)
    blocks = [
        (
            f"id: {story.hex(16)}\nfrom: {person(story)}\nsubject: {story.chance.choice(TOPICS)} "
            f"{story.chance.choice(TOPICS)}\n{' '.join(prose(story, 2))}"
        )
        for _ in range(25)
    ]
    ident = story.hex(16)
    blocks.insert(
        story.number(0, 25),
        f"id: {ident}\nfrom: {who}\nsubject: {story.chance.choice(TOPICS)} numbers\n{' '.join(prose(story, 2))}",
    )
    story.call("mail_search", {"query": f"from:{who}"}, "\n\n".join(blocks), ("id", ident, who))
    return ident


def letter(story: Story) -> str:
    """Read a long letter with one sentence that matters."""
    who, sum_due, day = (
        person(story),
        f"{story.number(10, 99)},{story.number(100, 999)}",
        f"{story.number(10, 28)} June",
    )
    text = prose(story, 45)
    text.insert(
        story.number(3, 42),
        f"Please note that {who} expects the payment of {sum_due} EUR by {day} at the latest.",
    )
    ident = story.hex(16)
    story.call(
        "mail_read",
        {"id": ident},
        "\n".join(" ".join(text[at : at + 6]) for at in range(0, len(text), 6)),
        ("prose", who, sum_due, day),
    )
    return who


def policy(story: Story) -> str:
    """Read a policy with one figure in it."""
    days, amount = story.number(31, 90), story.number(101, 990)
    parts = [
        f"## {story.chance.choice(TOPICS).title()}\n\n"
        + "\n".join(f"- {sentence}" for sentence in prose(story, 5))
        for _ in range(9)
    ]
    parts.insert(
        story.number(1, 8),
        (
            f"## Claims\n\n- {prose(story, 1)[0]}\n- Claims above {amount} EUR need two "
            f"signatures and reach us within {days} days.\n- {prose(story, 1)[0]}"
        ),
    )
    name = f"policies/{story.word()}_{story.number(2019, 2026)}.md"
    story.call(
        "read_document",
        {"name": name},
        "# Handbook\n\n" + "\n\n".join(parts),
        ("prose", f"{amount} EUR", f"{days} days"),
        ("path", name),
    )
    return ""


def chat(story: Story) -> str:
    """Read a Chinese chat in which one thing was settled."""
    lines = [
        f"[{story.number(9, 18):02d}:{story.number(10, 59)}] {story.chance.choice('王李张刘陈杨')}"
        f"{story.chance.choice('伟芳娜敏静强')}：{story.chance.choice(CHATTER)}"
        for _ in range(60)
    ]
    order, price = f"合同{story.number(10**6, 10**7 - 1)}", story.number(10000, 99999)
    text = story.mix(
        lines,
        f"[14:{story.number(10, 59)}] 赵经理：{order}改为下周签字，价格定为{price}元，由法务部审核。",
    )
    group = f"群{story.number(1000, 9999)}"
    story.call(
        "聊天记录",
        {"群": group, "条数": 61},
        text,
        ("decision", order, str(price)),
        ("name", group),
    )
    return order


def contact(story: Story) -> str:
    """Look a supplier up."""
    iban, vat = (
        f"GB{story.number(10, 99)}NWBK{story.number(10**13, 10**14 - 1)}",
        f"GB{story.number(10**8, 10**9 - 1)}",
    )
    fields = [f"{topic}: {story.word()}" for topic in story.chance.sample(TOPICS, 10)]
    name = f"{story.word()} {story.word()} Supplies"
    story.call(
        "contact_lookup",
        {"name": name},
        f"name: {name}\n" + story.mix(fields, f"iban: {iban}", f"vat number: {vat}"),
        ("number", iban),
        ("number", vat),
    )
    return iban


def contract(story: Story) -> str:
    """Read the text of a contract, in long lines."""
    number, days, cap = (
        f"K-{story.number(10**4, 10**5)}/{story.number(20, 26)}",
        story.number(31, 120),
        f"{story.number(101, 990)}.000",
    )
    clause = (
        "The parties shall meet once in a quarter; either of them may send a deputy, "
        "provided that the other is told in good time, and minutes are kept."
    )
    text = [clause] * 12
    text.insert(
        story.number(0, 5),
        f"This agreement, number {number}, is made between {person(story)} and the company.",
    )
    text.insert(
        story.number(6, 12),
        (
            f"Notice of {days} days is given in writing, and liability is capped at {cap} "
            "EUR in total."
        ),
    )
    story.call(
        "pdf_text",
        {"file": f"contracts/{story.code(6)}.pdf"},
        " ".join(text),
        ("id", number),
        ("prose", f"{days} days"),
        ("number", "capped", cap),
    )
    return number


def booking(story: Story) -> str:
    """Book a meeting."""
    ident, room, guest = (
        f"evt_{story.code(10)}",
        f"Room {story.word()} {story.number(10, 99)}",
        f"{story.code(7)}@partner.test",
    )
    text = json.dumps(
        {
            "kind": "calendar#event",
            "id": ident,
            "status": "confirmed",
            "htmlLink": f"https://cal.corp.test/e?eid={story.code(20)}",
            "created": "2026-05-02T10:11:12Z",
            "reminders": {"useDefault": True},
        }
    )
    story.call(
        "calendar_create",
        {
            "summary": f"{story.chance.choice(TOPICS)} {story.word()}",
            "room": room,
            "guests": [guest],
            "notes": " ".join(prose(story, 8)),
        },
        text,
        ("effect", room),
        ("id", ident),
        ("name", guest),
    )
    return ident
