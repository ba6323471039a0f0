"""Jobs drawn by chance: a made-up transcript of some format, what was run on it before, a command."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from zstandard import ZstdCompressor

from ctxcompact.core.settings import LEVELS
from ctxcompact.formats import named
from tests.crash.jobs import COLLECT, IN_PLACE, RESTORE, TO_A_FILE, Job, compacting, prepare
from tests.properties.makers import FORMATS, LINES, told, writer
from tests.properties.spelling import Style, write
from tests.properties.talks import Call, Payload, Round, Step, Talk

if TYPE_CHECKING:
    from pathlib import Path

MODES = ("micro", "levels", "target", "auto", "manual", "native", "restore", "gc")
SMALL = (
    "--min-gain-tokens 0 --last-keep 0 --large-payload-chars 300 --preview-chars 40 "
    "--min-compression-tokens 10 --min-consecutive-tool-messages 2"
)
SAID = (
    "read src/ferry/window.py:41 and found 7 fares",
    "error: no such file /srv/ferry/night.db",
    "設定を読み込みました。",
    'quo"ted \\ back\\slash\t',
    "\U0001f469\u200d\U0001f469\u200d\U0001f467 family",
    "<|endoftext|> e\u0301",
)
TRIES = 5


def pairs() -> list[tuple[str, str]]:
    """List every format with every mode that it has."""
    return [
        (form, mode)
        for form in FORMATS
        for mode in MODES
        if mode != "native" or named(form).native or named(form).history
    ]


def draw(folder: Path, number: int, seed: int) -> tuple[str, Job | None]:
    """Draw the job of a number; return its name, and None where nothing was found to do.

    Numbers in a row have other formats and modes, until all had their turn.
    """
    order = pairs()
    Random(seed).shuffle(order)
    form, mode = order[number % len(order)]
    for at in range(TRIES):
        random = Random(f"{seed}/{number}/{at}")
        talk = transcript(random, form)
        commands = [command(one, random, len(talk)) for one in (*before(mode, random), mode)]
        output = () if mode == "gc" else random.choice((IN_PLACE, TO_A_FILE))
        if output == IN_PLACE and random.random() < 0.2:
            talk = ZstdCompressor().compress(talk)
        is_new = mode != "gc" and random.random() < 0.5
        job = prepare(folder / str(at), talk, commands, output, is_store_new=is_new)
        if mode == "gc" or job.expected != job.input:
            return f"{form} {mode}, {' '.join(job.arguments)}", job
    return f"{form} {mode}", None


def before(mode: str, random: Random) -> list[str]:
    """Choose what was run before; something has to be there to be restored."""
    count = random.choice((1, 1, 2)) if mode == "restore" else random.choice((0, 0, 1))
    return random.choices(("micro", "levels", "target", "auto", "manual"), k=count)


def command(mode: str, random: Random, size: int) -> tuple[str, ...]:
    """Spell a command for a transcript of so many bytes."""
    levels = ",".join(map(str, sorted(random.sample(LEVELS, random.randint(2, len(LEVELS))))))
    words = {
        "micro": f"--mode micro --min-gain-tokens 0 --keep-recent {random.choice((0, 1))}",
        "levels": f"--force --target 1 --levels {levels} {SMALL}",
        "target": f"--force --target {size // random.choice((8, 15, 30))}",
        "auto": "--mode auto --threshold 100 --keep-recent 0",
        "manual": "--mode manual",
        "native": "--mode manual --write native",
    }
    whole = {"restore": RESTORE, "gc": COLLECT}
    return whole.get(mode) or compacting(words[mode])


def transcript(random: Random, form: str) -> bytes:
    """Make up a transcript; where a line is a conversation, one of several."""
    write_talk = writer(form)
    sizes = range(random.randint(1, 3) if form in LINES else 1)
    records = [row for _ in sizes for row in write_talk(told(_talk(random), form))]
    style = Style(
        seed=random.randrange(2**16),
        comma=random.choice((",", ", ")),
        colon=random.choice((":", ": ")),
        is_ascii=random.random() < 0.5,
        is_odd=random.random() < 0.3,
        newline=random.choice((b"\n", b"\n", b"\r\n")),
        bom=False,
        ends_open=random.random() < 0.2,
        junk=random.choice((0, 0, 1)),
    )
    return write(records, style)


def _talk(random: Random) -> Talk:
    rounds = []
    for _ in range(random.randint(3, 4)):
        steps = [_step(random) for _ in range(random.randint(1, 2))]
        asked, answer = _text(random, 200), _text(random, 300)
        rounds.append(Round(asked, with_picture=False, steps=steps, answer=answer))
    return Talk(_text(random, 200), rounds)


def _step(random: Random) -> Step:
    calls = [
        Call(
            f"call_{random.randrange(10**9)}",
            random.choice(("Read", "Bash", "grep")),
            _text(random, 40),
            Payload(_text(random, 1500), random.choice(("string", "list"))),
        )
        for _ in range(random.randint(1, 2))
    ]
    return Step(random.choice(("", _text(random, 100))), random.choice(("", "I look.")), calls)


def _text(random: Random, chars_max: int) -> str:
    wanted, text = random.randint(1, chars_max), ""
    while len(text) < wanted:
        text += f"{random.choice(SAID)} {random.randrange(10**6)}\n"
    return text
