"""Nothing is flushed here."""

from __future__ import annotations

from tests.flushing import no_flushing

__all__ = ["no_flushing"]
