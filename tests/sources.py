"""Every source of settings there is, in folders of a test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxcompact.config import Config, load

if TYPE_CHECKING:
    from pathlib import Path

OWN = "ctxcompact.toml"
SHARED = "pyproject.toml"


class Sources:
    """A project folder below another, a user's file, and an environment."""

    def __init__(self, top: Path) -> None:
        self.folder = top / "project" / "deep"
        self.folder.mkdir(parents=True)
        self.user_file = top / "config.toml"
        self.environ: dict[str, str] = {}

    def write(self, name: str, text: str, *, up: int = 0) -> Path:
        path = [self.folder, *self.folder.parents][up] / name
        path.write_text(text, encoding="utf-8")
        return path

    def load(self, **flags: Any) -> Config:
        return load(flags, environ=self.environ, folder=self.folder, user_file=self.user_file)
