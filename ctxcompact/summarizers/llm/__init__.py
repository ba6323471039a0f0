"""Summaries by a model of any provider, through litellm.

`writer` is the door. From there: `drafts` makes one text of one span, `chat` talks to the model,
and the rest is pure: `records`, `scrubbing`, `chunks`, `requests`, `acceptance`, `echoes`,
`replies`, `failures`. litellm is imported by `provider` alone, when the first request is made.
"""

from ctxcompact.summarizers.llm.settings import LlmSettings
from ctxcompact.summarizers.llm.writer import NO_ROOM, Llm, shares

__all__ = ["NO_ROOM", "Llm", "LlmSettings", "shares"]
