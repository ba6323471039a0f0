"""`python -m ctxcompact`: the same command."""

from __future__ import annotations

from ctxcompact.cli import main

if __name__ == "__main__":
    raise SystemExit(main())
