"""Write an invented agent transcript of any size, in the shape of Anthropic messages.

Usage: python tests/bench/transcripts.py FILE MESSAGES

Rounds: a person asks; the model calls tools, one a message, and gets results; the model sums up.
The sizes of texts are log-normal, so that about one line in eight is over 5 KB, and a message has
2.9 KB in the mean. One line in five is written in ASCII with escapes, the rest as UTF-8. The texts
are cut from the standard library's own source and from words, logs and tables made by chance: the
same ones on every run of one version of Python.
"""

from __future__ import annotations

import base64
import json
import random
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from collections.abc import Iterator

_CORPUS_CHARS = 1_000_000
_RESULT_CHARS_MAX = 250_000
# fmt: off
_SYLLABLES = (
    "ba", "de", "ki", "lo", "mu", "na", "pe", "ri", "so", "ta", "ve", "wo", "zan", "ler", "min",
    "tor", "gel", "fus", "ha", "né",
)
# fmt: on
_CHINESE = range(0x4E00, 0x5000)
_TOOLS = (
    ("read_file", "code", 42),
    ("bash", "logs", 22),
    ("grep", "code", 8),
    ("query", "rows", 16),
    ("web_fetch", "prose", 6),
    ("web_fetch", "chinese", 4),
    ("screenshot", "base64", 2),
)
_TALK = (("prose", 9), ("chinese", 1))


class Author:
    """Writes one transcript; everything by chance is drawn from one seed."""

    def __init__(self, seed: int = 1) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - texts, not secrets
        self._words = ["".join(self._chance.choices(_SYLLABLES, k=1 + n % 4)) for n in range(4_000)]
        self._corpora = {
            "code": _source_code(),
            "logs": self._filled(self._log_line),
            "rows": self._filled(self._row),
            "prose": self._filled(self._sentence),
            "chinese": self._filled(self._chinese),
            "base64": base64.b64encode(self._chance.randbytes(_CORPUS_CHARS * 3 // 4)).decode(),
        }

    def messages(self, count: int) -> Iterator[dict[str, Any]]:
        """Yield messages, in whole rounds but for the last one."""
        left = count
        while left > 0:
            for message in self._round():
                yield message
                left -= 1
                if not left:
                    return

    def line(self, message: dict[str, Any]) -> bytes:
        """Write a message, in one of the spellings that clients have."""
        separators = (",", ":") if self._chance.random() < 0.7 else None
        is_ascii = self._chance.random() < 0.2
        said = json.dumps(message, ensure_ascii=is_ascii, separators=separators)
        return said.encode() + b"\n"

    def _round(self) -> Iterator[dict[str, Any]]:
        yield {"role": "user", "content": self._talk(5.3, 0.9)}
        for _ in range(self._chance.randint(1, 12)):
            name, corpus, _weight = self._pick(_TOOLS)
            call = f"toolu_{self._chance.getrandbits(96):024x}"
            asked = {"path": f"src/{self._chance.choice(self._words)}.py", "why": self._talk(4, 1)}
            said = {"type": "text", "text": self._talk(5.2, 0.8)}
            use = {"type": "tool_use", "id": call, "name": name, "input": asked}
            usage = {"input_tokens": self._chance.randint(100, 90_000), "output_tokens": 90}
            yield {"role": "assistant", "content": [said, use], "usage": usage}
            result = self._cut(corpus, self._chars(7.66, 1.3))
            block = {"type": "tool_result", "tool_use_id": call, "content": result}
            yield {"role": "user", "content": [block]}
        yield {"role": "assistant", "content": self._talk(6.3, 0.8)}

    def _talk(self, mu: float, sigma: float) -> str:
        return self._cut(self._pick(_TALK)[0], self._chars(mu, sigma))

    def _pick(self, weighted: tuple[Any, ...]) -> Any:
        return self._chance.choices(weighted, [one[-1] for one in weighted])[0]

    def _chars(self, mu: float, sigma: float) -> int:
        return 3 + int(min(self._chance.lognormvariate(mu, sigma), _RESULT_CHARS_MAX))

    def _cut(self, corpus: str, chars: int) -> str:
        text = self._corpora[corpus]
        start = self._chance.randrange(len(text) - chars)
        return text[start : start + chars]

    def _filled(self, make: Any) -> str:
        pieces: list[str] = []
        size = 0
        while size < _CORPUS_CHARS:
            pieces.append(make())
            size += len(pieces[-1])
        return "".join(pieces)

    def _some_words(self, count: int) -> str:
        return " ".join(self._chance.choices(self._words, k=count))

    def _sentence(self) -> str:
        end = "\n" if self._chance.random() < 0.2 else " "
        return self._some_words(self._chance.randint(4, 18)).capitalize() + "." + end

    def _log_line(self) -> str:
        clock = f"{self._chance.randrange(24):02}:{self._chance.randrange(60):02}"
        level = self._chance.choice(("DEBUG", "INFO", "INFO", "WARN", "ERROR"))
        number = self._chance.randrange(100_000)
        return f"2026-03-14T{clock}:07Z {level} [{number}] {self._some_words(6)} code={number}\n"

    def _row(self) -> str:
        row = {"id": self._chance.getrandbits(32), "name": self._some_words(2), "ok": True}
        return json.dumps(row | {"amount": round(self._chance.uniform(0, 9_999), 2)}) + "\n"

    def _chinese(self) -> str:
        return "".join(map(chr, self._chance.choices(_CHINESE, k=20))) + "。"


def write_transcript(file: BinaryIO, messages: int) -> None:
    """Write that many messages, one a line."""
    author = Author()
    file.writelines(map(author.line, author.messages(messages)))


def _source_code() -> str:
    """Join modules of the standard library, in the order of their names."""
    paths = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    pieces: list[str] = []
    size = 0
    for path in paths:
        pieces.append(path.read_text(encoding="utf-8"))
        size += len(pieces[-1])
        if size > _CORPUS_CHARS:
            break
    return "".join(pieces)


if __name__ == "__main__":
    with Path(sys.argv[1]).open("wb") as out:
        write_transcript(out, int(sys.argv[2]))
