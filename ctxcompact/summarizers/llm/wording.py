"""The texts in `summarizers/prompts`: reading them, and filling their places."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ctxcompact.core.tasks import Style

_PLACE = re.compile(r"\{([a-z_]+)\}")


@cache
def read(name: str) -> str:
    """Read one of our texts by its name."""
    folder = files("ctxcompact.summarizers") / "prompts"
    return (folder / f"{name}.md").read_text(encoding="utf-8").strip()


def prompt_for(style: Style, replaced: Mapping[Style, str]) -> str:
    """Return the prompt for a style: the user's own, if there is one, else ours."""
    return replaced[style].strip() if style in replaced else read(style.value)


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values into their places; other braces are text, as in a prompt about JSON."""
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), template)
