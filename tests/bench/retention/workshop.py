"""A family of sessions: a programmer's agent with git, packages, containers, issues, a browser and a database."""

from __future__ import annotations

from tests.bench.retention import workshop_code, workshop_services
from tests.bench.retention.sessions import Cast, Session, play

WORDS = (
    "anchor basil canyon dovetail echo falcon gravel hazel inlet juniper kettle "
    "lantern marble nectar orchard paddle "
    "quiver ripple saddle thicket urchin velvet walnut yonder zinnia copper ferry "
    "meadow pocket timber"
).split()
SCENES = (
    workshop_code.commits,
    workshop_code.status,
    workshop_code.packages,
    workshop_services.containers,
    workshop_services.issues,
    workshop_services.page,
    workshop_services.table,
    workshop_code.build,
    workshop_services.gauges,
    workshop_code.source,
    workshop_code.patch,
    workshop_services.run,
)
CAST = Cast(
    WORDS,
    SCENES,
    "You are a programmer's agent. Work in small steps and say what you did.",
    (
        "Can you find out why {goal} fails?",
        "Look into {goal} for me, it is urgent.",
        "What happened to {goal} since the last release?",
    ),
    (
        "And never push to {limit}.",
        "Please use only the runner {limit}.",
        "Don't restart {limit} without asking.",
    ),
    (
        (
            "I went through it. The cause lies in how rows are counted. I chose {choice} "
            "because the other way needs a migration. Worth remembering: {seen}. Shall I "
            "go on?"
        ),
        (
            "Here is where we stand. Nothing else looks wrong to me. We agreed on {choice},"
            " so that comes next. I also looked at {seen}."
        ),
    ),
    "Good. Go on with the next one.",
)


def make(seed: int, rounds: int = 5) -> Session:
    """Make one session."""
    return play(CAST, seed, rounds)
