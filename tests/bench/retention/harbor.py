"""The family kept apart: a harbor office with ships, tides, customs and its own servers.

Nobody looked at its results while the summarizer was tuned; it is there to judge. Do not tune to it.
"""

from __future__ import annotations

from tests.bench.retention import harbor_servers, harbor_ships
from tests.bench.retention.sessions import Cast, Session, play

WORDS = (
    "albatross bollard capstan davit estuary fathom gangway halyard jetty keel "
    "lagoon mizzen oarlock pilot quay rudder "
    "scupper tiller undertow windlass breaker cormorant dredger fender harpoon "
    "isobar kedge leeward moorage narwhal"
).split()
SCENES = (
    harbor_ships.positions,
    harbor_ships.calls,
    harbor_ships.customs,
    harbor_ships.tides,
    harbor_ships.radio,
    harbor_servers.access,
    harbor_servers.kernel,
    harbor_servers.plan,
    harbor_servers.tests,
    harbor_servers.settings,
    harbor_ships.manual,
    harbor_ships.notice,
    harbor_ships.schedule,
)
CAST = Cast(
    WORDS,
    SCENES,
    "You help a harbor office. Safety first.",
    (
        "See what is the matter with {goal}.",
        "{goal}怎么样了？查一下。",
        "Before noon I have to know whether {goal} can leave.",
    ),
    (
        "You must not message {limit} yourself.",
        "Leave {limit} as it is, whatever happens.",
        "凡是{limit}都先问我。",
    ),
    (
        (
            "Done. Most of it is in order. We go with {choice} since the tide will not "
            "wait. Points to keep: {seen}."
        ),
        (
            "The picture is clear now. I would take {choice}; the other plan needs two "
            "tugs. I noted {seen}."
        ),
    ),
    "Right. What is next?",
)


def make(seed: int, rounds: int = 5) -> Session:
    """Make one session."""
    return play(CAST, seed, rounds)
