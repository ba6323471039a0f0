"""Writes scenes as plain messages: Anthropic Messages and OpenAI Chat."""

import json
from collections.abc import Iterable, Iterator

from samples.makers.dice import ALNUM, Dice
from samples.makers.scenes import Json, Prompt, Scene


def anthropic(scenes: Iterable[Scene], dice: Dice) -> Iterator[Json]:
    """Messages with content blocks; the results of a message's calls share the next one."""
    for scene in scenes:
        if isinstance(scene, Prompt):
            yield {"role": "user", "content": scene.text}
            continue
        named = [(f"toolu_01{dice.word(ALNUM, 22)}", call) for call in scene.calls]
        blocks: list[Json] = [{"type": "text", "text": scene.text}] if scene.text else []
        blocks += [
            {"type": "tool_use", "id": name, "name": call.tool, "input": call.arguments}
            for name, call in named
        ]
        yield {"role": "assistant", "content": blocks}
        if named:
            results: list[Json] = []
            for name, call in named:
                result = {"type": "tool_result", "tool_use_id": name, "content": call.result}
                results.append(result | ({"is_error": True} if call.failed else {}))
            yield {"role": "user", "content": results}


def openai(scenes: Iterable[Scene], dice: Dice, system: str) -> Iterator[Json]:
    """Chat messages; every result is a message of its own."""
    yield {"role": "system", "content": system}
    for scene in scenes:
        if isinstance(scene, Prompt):
            person = {"name": scene.note} if scene.note else {}
            yield {"role": "user", "content": scene.text} | person
            continue
        named = [(f"call_{dice.word(ALNUM, 24)}", call) for call in scene.calls]
        message: Json = {"role": "assistant", "content": scene.text or None}
        if named:
            message["tool_calls"] = [
                {
                    "id": name,
                    "type": "function",
                    "function": {
                        "name": call.tool,
                        "arguments": json.dumps(call.arguments, ensure_ascii=False),
                    },
                }
                for name, call in named
            ]
        yield message
        for name, call in named:
            yield {"role": "tool", "tool_call_id": name, "content": call.result}
