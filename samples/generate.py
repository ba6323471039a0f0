"""Write the sample transcripts of this folder, or check that they are what this script writes.

    python samples/generate.py                # rewrite samples/*.jsonl
    python samples/generate.py --out FOLDER   # write them somewhere else
    python samples/generate.py --check        # exit code 1 when a file differs

The same bytes come out on every machine. The stories are in ``stories/``, the code in ``makers/``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # started as a script, Python knows this folder only

from samples.makers import claude_code, dairy_stage, desk_stage, messages, skerry_stage, tea_stage  # noqa: E402
from samples.makers.dice import Dice  # noqa: E402
from samples.makers.scenes import Json, Scene, Stage, cues, perform  # noqa: E402

STORIES = HERE / "stories"


def played(story: str, stage: Stage) -> Iterator[Scene]:
    """Yield the scenes of a story, its tools run on a stage."""
    return perform(cues((STORIES / story).read_text(encoding="utf-8")), stage)


def ferry() -> Iterator[Json]:
    """Yield a Claude Code session about an export that loses bookings."""
    session = claude_code.Session(claude_code.FERRY, Dice("ferry session"))
    return session.lines(played("skerry.txt", skerry_stage.Stage(STORIES)))


def dairy() -> Iterator[Json]:
    """Anthropic messages about a cold room that gives alarms."""
    return messages.anthropic(played("dairy.txt", dairy_stage.Stage(STORIES)), Dice("dairy"))


def tea() -> Iterator[Json]:
    """OpenAI chat messages about a container that hangs in customs."""
    rules = (STORIES / "tea-rules.txt").read_text(encoding="utf-8").strip()
    return messages.openai(played("tea.txt", tea_stage.Stage(STORIES)), Dice("tea"), rules)


def desk() -> Iterator[Json]:
    """OpenAI conversations of a support desk, one a line."""
    rules = (STORIES / "desk-rules.txt").read_text(encoding="utf-8").strip()
    talks = (STORIES / "desk.txt").read_text(encoding="utf-8").split("\n::conversation ")[1:]
    for talk in talks:
        title, _, script = talk.partition("\n")
        scenes = perform(cues(script), desk_stage.stage)
        talked = list(messages.openai(scenes, Dice(f"desk {title}"), rules))
        yield {"messages": talked, "tools": desk_stage.tools()}


SAMPLES: dict[str, Callable[[], Iterable[Json]]] = {
    "claude-code-session.jsonl": ferry,
    "anthropic-agent.jsonl": dairy,
    "openai-chat.jsonl": tea,
    "openai-conversations.jsonl": desk,
}


def text_of(lines: Iterable[Json]) -> bytes:
    """JSON Lines: compact, UTF-8, a newline after every line."""
    dumped = (json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines)
    return "".join(f"{line}\n" for line in dumped).encode()


def main() -> int:
    """Write or check; 1 when a check finds a difference."""
    parser = argparse.ArgumentParser(description="Write the sample transcripts.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to")
    parser.add_argument("--check", action="store_true", help="compare only, write nothing")
    arguments = parser.parse_args()
    differing = 0
    for name, make in SAMPLES.items():
        path, text = arguments.out / name, text_of(make())
        if not arguments.check:
            path.write_bytes(text)
        elif not path.exists() or path.read_bytes() != text:
            print(f"{path} differs: run samples/generate.py", file=sys.stderr)  # noqa: T201
            differing += 1
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())
