"""What things cost the model, by a counter that comes from outside."""

from __future__ import annotations

from typing import Protocol

# A picture's price is bounded by the providers' own scaling rules, never by its base64 text:
# width x height / 750 after scaling to 1,568 pixels a side. Without decoding it, bytes tell little.
MEDIA_TOKENS_MAX = 1600
MEDIA_TOKENS_MIN = 85
_MEDIA_BYTES_A_TOKEN = 150
_DOCUMENT_TOKENS_MAX = 30_000


class Counter(Protocol):
    """Tokens of a text.

    `exact` only where the tokens of the texts are the model's own; otherwise `error_pct` states the
    error. `message_tokens`, `call_tokens` and `result_tokens` are framing, paid once each. `count`
    never raises, and takes time linear in the text.
    """

    @property
    def name(self) -> str: ...
    @property
    def exact(self) -> bool: ...
    @property
    def error_pct(self) -> float: ...
    @property
    def message_tokens(self) -> int: ...
    @property
    def call_tokens(self) -> int: ...
    @property
    def result_tokens(self) -> int: ...
    def count(self, text: str) -> int: ...


def media_tokens(base64_chars: int, *, document: bool = False) -> int:
    """Estimate what a picture or document costs.

    From the length of its base64 text; 0 if unknown.
    """
    if not base64_chars:
        return MEDIA_TOKENS_MAX
    size = base64_chars * 3 // 4 // _MEDIA_BYTES_A_TOKEN
    return max(MEDIA_TOKENS_MIN, min(size, _DOCUMENT_TOKENS_MAX if document else MEDIA_TOKENS_MAX))
