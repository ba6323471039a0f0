"""How the help of a command looks: options under headings, the way back of each switch left out."""

from __future__ import annotations

from typing import Any

from typer.core import TyperCommand

_TWO_FACED = {"micro_tag"}  # switched off more often than on: both spellings are shown


class GroupedCommand(TyperCommand):
    """A command whose options stand under the headings they name."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the groups in the order in which their first option comes."""
        groups: dict[str, list[tuple[str, str]]] = {}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                spelled, said = record
                if param.name not in _TWO_FACED:
                    spelled = spelled.partition(" / ")[0]
                heading = getattr(param, "rich_help_panel", None) or _plain(param.param_type_name)
                groups.setdefault(heading, []).append((spelled, said))
        for heading, rows in groups.items():
            with formatter.section(heading):
                formatter.write_dl(rows)


def _plain(kind: str) -> str:
    return "Arguments" if kind == "argument" else "Help"


def examples(*lines: str) -> str:
    r"""Write the end of a help text; `\b` keeps its lines as they are."""
    rows = "\n".join(f"  {line}" for line in lines)
    return f"\b\nExamples:\n{rows}"
