"""Credentials in texts: found by detect-secrets' patterns and a few more, and named or masked.

The library (an extra: it brings an HTTP client along) knows the tokens of some twenty services.
Added here are keys younger than it, what it finds only the beginning of, and what stands after a
word such as `password`. What it guesses by the entropy of a string is not used: half of a
transcript is hashes and ids.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from ctxcompact.core.lines import loads
from ctxcompact.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

_SHORTEST = 6
"""A group of fewer characters is a prefix, and the whole match is the secret."""

_PLUGINS = """
    artifactory aws azure_storage_key basic_auth cloudant discord github_token gitlab_token
    ibm_cloud_iam ibm_cos_hmac jwt mailchimp npm openai pypi_token sendgrid slack softlayer
    square_oauth stripe telegram_token twilio
""".split()

_ODD = 8
"""From so many characters on, one of them a digit, a secret is no word and is masked everywhere."""


class Pattern(NamedTuple):
    """What a credential looks like; of groups, the longest one is the secret."""

    kind: str
    regex: re.Pattern[str]


# A name, and the sign after which its value stands, in quotes or not.
_NAMED = (
    r"(?:passw(?:or)?d|passphrase|secret|token|api_?-?key|access_?-?key)"
    r"[\"']?\s*[:=]\s*[\"']?"
)
_OWN = tuple(
    Pattern(kind, re.compile(regex))
    for kind, regex in (
        (
            "private key",
            r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----(?:(?!-----)[\s\S])*(?:-----END[^-\n]*-----)?",
        ),
        ("JSON Web Token", r"\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*"),
        ("API key", r"\b(?:sk-(?:ant|proj|svcacct|or)-|xai-|gsk_|hf_|pplx-)[\w-]{20,}"),
        ("API key", r"\bsk-[A-Za-z0-9]{32,}\b"),
        ("API key", r"\bAIza[\w-]{35}"),
        ("token", r"\b(?:github_pat_|gh[oprsu]_|glpat-|npm_|dop_v1_)[\w-]{20,}"),
        ("token", r"(?i)\b(?:bearer|basic)\s+([\w.~+/-]{16,}=*)"),
    )
)

# The last resort, after all that knows its own: what stands after a telling name.
_TOLD = tuple(
    Pattern("password", re.compile(regex))
    for regex in (
        rf"(?i){_NAMED}([^\s\"',;(){{}}<>\[\]]*\d[^\s\"',;(){{}}<>\[\]]*)",
        rf"(?i){_NAMED[:-1]}([^\s\"']{{6,}})[\"']",
    )
)


def require() -> None:
    """Raise `UsageError` if the patterns are not installed."""
    _known()


def mask(text: str) -> str:
    """Return a text with each credential in it named instead of told.

    What looks like one is masked where it also stands without the word that gave it away. Raises
    `UsageError` if the patterns are not installed.
    """
    return _search(text)[0]


def kinds_in(record: bytes) -> tuple[str, ...]:
    """Name the kinds of the credentials in a record, each once; they are those that `mask` finds.

    The name of a member tells of its value. What is no JSON is taken as a text.
    """
    try:
        texts = _texts(loads(record))
    except ValueError:
        texts = iter([record.decode("utf-8", "replace")])
    return tuple(dict.fromkeys(kind for text in texts for kind in _search(text)[1]))


def _texts(value: Any) -> Iterator[str]:
    """Yield all strings of a JSON value, members with their names."""
    left = [("", value)]
    while left:
        name, one = left.pop()
        if isinstance(one, str):
            yield f"{name}{one}"
        elif isinstance(one, list):
            left += [("", item) for item in reversed(one)]
        elif isinstance(one, dict):
            left += [(f"{key}: ", item) for key, item in reversed(one.items())]


def _search(text: str) -> tuple[str, list[str]]:
    """Return a text with its credentials masked, and their kinds."""
    found: dict[str, str] = {}
    kinds: list[str] = []
    for kind, regex in (*_OWN, *_known(), *_TOLD):

        def named(match: re.Match[str], kind: str = kind) -> str:
            group = max((group for group in match.groups() if group), key=len, default="")
            secret = group if len(group) >= _SHORTEST else match[0]
            kinds.append(kind)
            if len(secret) >= _ODD and any(map(str.isdigit, secret)):
                found[secret] = kind
            return match[0].replace(secret, _name(kind))

        text = regex.sub(named, text)
    for secret in sorted(found, key=len, reverse=True):
        text = text.replace(secret, _name(found[secret]))
    return text, kinds


def _name(kind: str) -> str:
    return f"[redacted: {kind}]"


@cache
def _known() -> tuple[Pattern, ...]:
    base = _plugin("base").RegexBasedDetector
    detectors: list[Any] = [
        value
        for name in _PLUGINS
        for value in vars(_plugin(name)).values()
        if isinstance(value, type) and issubclass(value, base) and value is not base
    ]
    return tuple(Pattern(one.secret_type, regex) for one in detectors for regex in one.denylist)


def _plugin(name: str) -> Any:
    try:
        return import_module(f"detect_secrets.plugins.{name}")
    except ModuleNotFoundError as error:
        message = (
            "--redact and --no-store-secrets need the patterns of detect-secrets: not installed"
        )
        raise UsageError(message, hint="pip install 'ctxcompact[redact]'") from error
