"""Writes scenes as a Claude Code session: one line for each block, linked by ``parentUuid``."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from samples.makers.dice import ALNUM, BASE64, Dice
from samples.makers.scenes import Call, Json, Prompt, Scene, Step

INTERRUPTED = "[Request interrupted by user for tool use]"
CHARS_A_TOKEN = 2.9
"""Measured on recorded sessions: characters of the conversation for each token of the count."""
SYSTEM_TOKENS = 17_880
"""The client's own instructions and tools, in every request."""

SKILLS: Json = {
    "type": "skill_listing",
    "content": "- release-notes: Write the entry of CHANGELOG.md for a release from its tickets.\n"
    "- replica-query: Ask the read replica (port 5433), with a statement timeout.",
    "skillCount": 2,
    "isInitial": True,
    "names": ["release-notes", "replica-query"],
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where and with what a session was held."""

    session: str
    folder: str
    branch: str
    version: str
    model: str
    begin: datetime
    title: str


class Session:
    """Writes the lines of one session; remembers the time, the last link and the token count."""

    def __init__(self, place: Place, dice: Dice) -> None:
        """Open an empty session."""
        self._place, self._dice = place, dice
        self._now, self._turn_began = place.begin, place.begin
        self._last: str | None = None
        self._prompt_id = ""
        self._prompt = ""
        self._lines = 0
        self._context = SYSTEM_TOKENS
        self._cached = 0

    def lines(self, scenes: Iterable[Scene]) -> Iterator[Json]:
        """All lines of the session, oldest first."""
        yield {"type": "mode", "mode": "normal", "sessionId": self._place.session}
        for scene in scenes:
            made = self._said(scene) if isinstance(scene, Prompt) else self._done(scene)
            for line in made:
                self._lines += 1
                yield line

    def _said(self, prompt: Prompt) -> Iterator[Json]:
        place, text, key = self._place, prompt.text, self._dice.uuid()
        content: str | list[Json] = text
        if text == INTERRUPTED:
            content = [{"type": "text", "text": text}]
            self._pass(40, 300)
        else:
            self._pass(45_000, 400_000)
            self._prompt_id, self._prompt, self._turn_began = self._dice.uuid(), text, self._now
            yield self._snapshot(key)
            if prompt.note == "queued":
                queue = {"timestamp": self._clock(), "sessionId": place.session}
                yield {"type": "queue-operation", "operation": "enqueue", **queue, "content": text}
                yield {"type": "queue-operation", "operation": "dequeue", **queue}
        first = self._last is None
        message: Json = {"role": "user", "content": content}
        yield self._link({
            "promptId": self._prompt_id, "type": "user", "message": message,
        }, key=key)  # fmt: skip
        self._context += tokens(text)
        if first:
            yield self._link({"attachment": SKILLS, "type": "attachment"})
            yield {"type": "ai-title", "aiTitle": place.title, "sessionId": place.session}

    def _done(self, step: Step) -> Iterator[Json]:
        """One message of the model, block by block, and the results of its calls."""
        dice = self._dice
        named = [(f"toolu_01{dice.word(ALNUM, 22)}", call) for call in step.calls]
        blocks = list(self._blocks(step, named))
        message: Json = {
            "model": self._place.model, "id": f"msg_01{dice.word(ALNUM, 22)}", "type": "message",
            "role": "assistant", "content": [],
            "stop_reason": "tool_use" if named else "end_turn", "stop_sequence": None,
            "usage": self._usage(blocks),
        }  # fmt: skip
        request = f"req_011C{dice.word(ALNUM, 20)}"
        asked: dict[str, str] = {}
        early = ""
        for block in blocks:
            self._pass(700, 2_500 + 6 * len(str(block)))
            said = message | {"content": [block]}
            yield self._link({"message": said, "requestId": request, "type": "assistant"})
            if block["type"] == "tool_use":
                asked[block["id"]] = self._last or ""
                # A quick tool answers while the model still writes its next call.
                if block["id"] == named[0][0] and len(named) > 1 and dice.chance(0.4):
                    early = block["id"]
                    yield self._answered(named[0][1], early, asked[early])
                    self._last = asked[early]
        for name, call in named:
            if name != early:
                yield self._answered(call, name, asked[name])
        if not named:
            yield from self._closed()

    def _blocks(self, step: Step, named: list[tuple[str, Call]]) -> Iterator[Json]:
        if step.thought:
            signature = "Eq" + self._dice.word(BASE64, 4 * (60 + self._dice.below(60)) - 2)
            yield {"type": "thinking", "thinking": step.thought, "signature": signature}
        if step.text:
            yield {"type": "text", "text": step.text}
        for name, call in named:
            yield {"type": "tool_use", "id": name, "name": call.tool, "input": call.arguments}

    def _usage(self, blocks: list[Json]) -> Json:
        """Return the token counts of one request; the same on each of its lines."""
        fresh, self._cached = self._context - self._cached, self._context
        output = sum(tokens(json.dumps(block, ensure_ascii=False)) for block in blocks)
        self._context += output
        return {
            "input_tokens": self._dice.between(3, 9), "cache_creation_input_tokens": fresh,
            "cache_read_input_tokens": self._cached - fresh, "output_tokens": output,
            "cache_creation": {
                "ephemeral_5m_input_tokens": fresh, "ephemeral_1h_input_tokens": 0,
            },
            "service_tier": "standard",
        }  # fmt: skip

    def _answered(self, call: Call, name: str, asked: str) -> Json:
        self._pass(25, 2_600)
        block: Json = {"tool_use_id": name, "type": "tool_result", "content": call.result}
        if call.failed:
            block["is_error"] = True
        elif call.tool == "Bash":
            block["is_error"] = False
        self._context += tokens(str(call.result)) + 20
        return self._link({
            "promptId": self._prompt_id, "type": "user",
            "message": {"role": "user", "content": [block]},
            "toolUseResult": call.screen, "sourceToolAssistantUUID": asked,
        }, parent=asked)  # fmt: skip

    def _closed(self) -> Iterator[Json]:
        """Yield what the client notes when a turn is over."""
        self._pass(3, 40)
        took = int((self._now - self._turn_began) / timedelta(milliseconds=1))
        yield self._link({
            "type": "system", "subtype": "turn_duration", "durationMs": took,
            "messageCount": self._lines, "isMeta": False,
        })  # fmt: skip
        yield self._last_prompt()

    def _snapshot(self, key: str) -> Json:
        snapshot = {"messageId": key, "trackedFileBackups": {}, "timestamp": self._clock()}
        return {
            "type": "file-history-snapshot", "messageId": key, "snapshot": snapshot,
            "isSnapshotUpdate": False,
        }  # fmt: skip

    def _last_prompt(self) -> Json:
        return {
            "type": "last-prompt", "lastPrompt": self._prompt[:200], "leafUuid": self._last,
            "sessionId": self._place.session,
        }  # fmt: skip

    def _link(self, body: Json, *, parent: str | None = None, key: str | None = None) -> Json:
        """Put a line into the chain, below the last one or below ``parent``."""
        place, above = self._place, parent or self._last
        self._last = key or self._dice.uuid()
        return {
            "parentUuid": above, "isSidechain": False, **body,
            "uuid": self._last, "timestamp": self._clock(), "userType": "external",
            "entrypoint": "cli", "cwd": place.folder, "sessionId": place.session,
            "version": place.version, "gitBranch": place.branch,
        }  # fmt: skip

    def _pass(self, low_ms: int, high_ms: int) -> None:
        self._now += timedelta(milliseconds=self._dice.between(low_ms, high_ms))

    def _clock(self) -> str:
        return f"{self._now:%Y-%m-%dT%H:%M:%S}.{self._now.microsecond // 1000:03d}Z"


def tokens(text: str) -> int:
    """Return a token count as the provider would report it, near enough."""
    return int(len(text) / CHARS_A_TOKEN) + 4


FERRY = Place(
    session="5d0c3c52-7c1e-4b6a-9d0b-2f6f0a1e8b47",
    folder="/home/mira/work/skerry-booking",
    branch="fer-2291-export-window",
    version="2.1.92",
    model="claude-sonnet-4-5-20250929",
    begin=datetime(2026, 4, 2, 7, 4, 11, 318_000, tzinfo=UTC),
    title="Nightly export loses bookings",
)
