"""A family of sessions: an assistant with calendar, mail, sheets, records and documents, English and Chinese."""

from __future__ import annotations

from tests.bench.retention import office_lists, office_papers
from tests.bench.retention.sessions import Cast, Session, play

WORDS = (
    "Aldgate Brixton Camberley Dunmore Elstree Fairlop Gorsuch Hadley Iffley "
    "Jarrow Kirby Langton Milford Norwood Oakham "
    "Pinner Quorn Radley Selby Tring Upton Verwood Wembury Yarm"
).split()
SCENES = (
    office_lists.calendar,
    office_papers.inbox,
    office_papers.letter,
    office_lists.sheet,
    office_lists.customer,
    office_papers.policy,
    office_papers.chat,
    office_lists.invoice,
    office_papers.booking,
    office_papers.contact,
    office_lists.shop,
    office_lists.approvals,
    office_papers.contract,
)
CAST = Cast(
    WORDS,
    SCENES,
    "You are an office assistant. Ask before you send anything to people outside.",
    (
        "Please sort out {goal} before the board meets.",
        "I need to know where {goal} stands.",
        "请帮我处理{goal}的事情。",
    ),
    (
        "From now on keep {limit} in copy.",
        "Do not book anything in {limit}.",
        "以后不要联系{limit}。",
    ),
    (
        (
            "All looked at. I suggest {choice}, since it leaves the other dates alone. "
            "Seen on the way: {seen}. Tell me if you want it another way."
        ),
        "都看过了。结论：采用{choice}，因为时间更合适。相关的有{seen}。需要我继续吗？",
    ),
    "Thank you, carry on.",
)


def make(seed: int, rounds: int = 5) -> Session:
    """Make one session."""
    return play(CAST, seed, rounds)
