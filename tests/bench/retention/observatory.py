"""A family of sessions: an observatory with its software, in Chinese and English mixed.

Long JSON, traces of errors in other texts, tables drawn in characters, pages as trees. It was written
before its results were looked at.
"""

from __future__ import annotations

from tests.bench.retention import observatory_code, observatory_data
from tests.bench.retention.sessions import Cast, Session, play

WORDS = (
    "aphelion bolide corona dobson eclipse flare geode halo ionosphere jovian "
    "kepler lyra meridian nebula occult parallax "
    "quasar redshift syzygy transit umbral vega wavelet zenith azimuth "
    "declination ephemeris gnomon heliostat limb"
).split()
SCENES = (
    observatory_code.issue,
    observatory_code.traced,
    observatory_code.crash,
    observatory_code.image,
    observatory_code.audit,
    observatory_code.page,
    observatory_code.edit,
    observatory_data.catalog,
    observatory_data.frames,
    observatory_data.report,
    observatory_data.series,
    observatory_data.diary,
    observatory_data.refused,
    observatory_data.rules,
)
CAST = Cast(
    WORDS,
    SCENES,
    "你是天文台的助手 / You assist an observatory. Never move a telescope unasked.",
    (
        "望远镜{goal}昨晚停了，帮我看看 why it stopped.",
        "Find out what {goal} needs before tonight.",
        "请检查{goal}，然后告诉我结果。",
    ),
    (
        "注意：不要动{limit}。",
        "Whatever you do, {limit} stays offline.",
        "Always write the times of {limit} in UTC.",
    ),
    (
        (
            "检查完了。决定采用{choice}，原因是天气窗口很短。The things I came across: {seen}. "
            "还需要别的吗？"
        ),
        (
            "That is all of it. I decided on {choice}, as the mirror has to cool first. "
            "相关：{seen}。"
        ),
    ),
    "好的，go on.",
)


def make(seed: int, rounds: int = 5) -> Session:
    """Make one session."""
    return play(CAST, seed, rounds)
