"""An agent that reads files to answer questions, and never outgrows its model's window.

    python samples/agent_loop.py --model gpt-4.1-mini "Which lots were discarded, and why?"

It speaks to any server with OpenAI's chat API (`--api-base`, key in OPENAI_API_KEY) and looks into
the files below `--folder`. `--state FILE` goes on with an earlier conversation. What the session
does for it: old results are cleared before each question, levels run as soon as the conversation is
large, the model may ask for a full summary, and for what stands behind a mark.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from ctxcompact import Session, Settings, tools
from ctxcompact.core.settings import Until

Json = dict[str, Any]

PROMPT = (
    f"Answer from the files you can read. Name the file and line of what you say.\n\n{tools.PROMPT}"
)
_LINES = {"type": "integer", "minimum": 1}
READ: Json = {
    "type": "function",
    "function": {
        "name": "read_file",
        "description": "Read some lines of a file; without a path, list the files.",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "first": _LINES, "last": _LINES},
        },
    },
}


class Agent:
    """Answers questions with a model and one tool of its own."""

    def __init__(self, session: Session, folder: Path, model: str, api_base: str) -> None:
        self.session = session
        self._folder = folder
        self._model = model
        self._url = f"{api_base.rstrip('/')}/chat/completions"

    def answer(self, question: str, most_turns: int = 40) -> str:
        """Let the model work on a question until it calls no tool any more."""
        self.session.micro()
        self.session.append({"role": "user", "content": question})
        for _ in range(most_turns):
            if event := self.session.compact_if_needed():
                say(f"compacted: {event.before.tokens:,} -> {event.after.tokens:,} tokens")
            reply = self._ask()
            self.session.append(reply)
            calls = reply.get("tool_calls") or []
            if not calls:
                return str(reply.get("content") or "")
            for call in calls:
                self.session.append(
                    {"role": "tool", "tool_call_id": call["id"], "content": self._run(call)}
                )
        return f"no answer within {most_turns} turns"

    def _ask(self) -> Json:
        """Send what the model should see; return its message."""
        body = {
            "model": self._model,
            "messages": [{"role": "system", "content": PROMPT}, *self.session.messages()],
            "tools": [READ, *tools.definitions("openai-chat")],
        }
        headers = {"Content-Type": "application/json"}
        if key := os.environ.get("OPENAI_API_KEY"):
            headers["Authorization"] = f"Bearer {key}"
        with urlopen(Request(self._url, json.dumps(body).encode(), headers)) as response:  # noqa: S310 - the person's own server
            message: Json = json.load(response)["choices"][0]["message"]
        return message

    def _run(self, call: Json) -> str:
        """Run a tool, ours or the session's; return its result."""
        name, arguments = call["function"]["name"], call["function"]["arguments"]
        say(f"{name} {arguments}")
        if name != "read_file":
            return tools.call(self.session, name, arguments)
        try:
            return self._read(**json.loads(arguments))
        except (OSError, TypeError, ValueError) as error:
            return f"error: {error}"

    def _read(self, path: str = "", first: int = 1, last: int = 200) -> str:
        if not path:
            return "\n".join(sorted(one.name for one in self._folder.iterdir() if one.is_file()))
        file = (self._folder / path).resolve()
        if not file.is_relative_to(self._folder.resolve()):
            return f"error: {path} is not below the folder"
        rows = file.read_text(encoding="utf-8").splitlines()
        return "\n".join(rows[first - 1 : last])


def say(text: str) -> None:
    """Tell the person what goes on."""
    sys.stderr.write(f"{text}\n")


def main() -> int:
    """Answer the questions of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("question", nargs="+")
    parser.add_argument("--model", required=True)
    parser.add_argument("--api-base", default="https://api.openai.com/v1")
    parser.add_argument("--folder", type=Path, default=Path(__file__).parent)
    parser.add_argument("--max-tokens", type=int, help="the model's window")
    parser.add_argument("--state", type=Path, help="a file that keeps the conversation")
    given = parser.parse_args()
    settings = Settings(until=Until.FIRST, max_tokens=given.max_tokens)
    session = (
        Session.open(given.state, "openai-chat", settings, model=given.model)
        if given.state
        else Session("openai-chat", settings, model=given.model)
    )
    agent = Agent(session, given.folder, given.model, given.api_base)
    for question in given.question:
        sys.stdout.write(f"{agent.answer(question)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
