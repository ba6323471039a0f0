"""The tools of the tea story: orders, a container, laboratory reports, costs, allocation."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

from samples.makers import tea_world
from samples.makers.dice import Dice
from samples.makers.scenes import Call, Cue, Json
from samples.makers.tea_world import TEAS
from samples.makers.workspace import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

FREIGHT_PENCE, HANDLING_PENCE, LABORATORY_PENCE = 312_000, 58_400, 21_500
"""For the whole container, the whole container, and a lot."""


class Stage:
    """Runs the calls of ``stories/tea.txt``: ``::call tool {arguments}``."""

    def __init__(self, stories: Path) -> None:
        """Fill the order book and read the papers."""
        self._papers = tree_of((stories / "tea-papers.txt").read_text(encoding="utf-8"))
        self._orders = tea_world.orders(Dice("tea orders"))
        self._tools: dict[str, Callable[..., str | Json]] = {
            "get_order": order,
            "track_container": tracked,
            "get_lab_report": report,
            "landed_cost": cost,
            "sales_history": history,
            "fx_rates": rates,
            "read_document": self._read,
            "list_customer_orders": self._customers,
            "allocate": self._allocate,
        }

    def __call__(self, cue: Cue) -> Call:
        """Run one tool, or hand out what the screenplay says it answered."""
        tool, _, rest = cue.head.partition(" ")
        arguments: Json = json.loads(rest) if rest else {}
        told = cue.body or self._tools[tool](**arguments)
        text = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
        return Call(tool, arguments, text)

    def _read(self, name: str) -> str:
        return self._papers[name].strip()

    def _customers(self, article: str = "") -> Json:
        rows = [row for row in self._orders if article in {"", row["article"]}]
        return {"open_orders": rows, "kg_by_article": summed(rows, "article")}

    def _allocate(self, article: str, kg: int, first: list[str]) -> Json:
        """Give out what there is: the named customers first, then by priority and date."""
        rows = [row for row in self._orders if row["article"] == article]
        rows.sort(key=lambda row: (row["customer"] not in first, row["priority"], row["placed"]))
        left, given = kg, []
        for row in rows:
            part = min(left, row["kg"])
            left -= part
            who = {"order": row["order"], "customer": row["customer"]}
            given.append(who | {"asked": row["kg"], "given": part})
        return {"article": article, "available": kg, "allocation": given, "left": left}


def order(number: str) -> Json:
    """Look up our order with its four lines."""
    lines = [
        {"article": key, "name": name, "lot": lot, "kg": kg, "cny_per_kg": cny, "cny": kg * cny}
        for key, (name, lot, kg, cny) in TEAS.items()
    ]
    return {
        "number": number,
        "supplier": "Fujian Yunwu Tea Co., Fuzhou",
        "buyer": "Moira Kerr",
        "incoterm": "FOB Xiamen",
        "ordered": "2025-12-04",
        "lines": lines,
        "cny_total": sum(kg * cny for _, _, kg, cny in TEAS.values()),
        "container": "TCNU 482913-7",
        "invoice": "FY-2026-0318",
        "paid_cny": 0,
    }


def tracked(container: str) -> Json:
    """Say where a container was, and how warm it had it."""
    events = [{"at": at, "place": place, "event": event} for at, place, event in tea_world.STOPS]
    return {
        "container": container,
        "type": "20GP, data logger DL-88",
        "events": events,
        "logger": tea_world.logger(),
    }


def report(lot: str) -> Json:
    """Hand out the laboratory's report on a lot."""
    rows = tea_world.residues(lot)
    over = [row for row in rows if row["mg_per_kg"][0] != "<" and too_much(row)]
    return {
        "lot": lot,
        "laboratory": "Tayside Analytical",
        "report": tea_world.REPORTS[lot],
        "sampled": "2026-04-09",
        "method": "GC-MS/MS, LC-MS/MS",
        "uncertainty_percent": 50,
        "results": rows,
        "over_limit": over,
        "verdict": "NOT COMPLIANT" if over else "compliant",
    }


def too_much(row: Json) -> bool:
    """Whether a result is over its limit."""
    return bool(float(row["mg_per_kg"]) > row["limit"])


def cost(article: str, cny_per_gbp: float) -> Json:
    """Work out the cost of a kilogram in pence."""
    name, _, kg, cny = TEAS[article]
    shipped = sum(tea[2] for tea in TEAS.values())
    parts = {
        "goods": round(cny * 100 / cny_per_gbp),
        "freight": round(FREIGHT_PENCE / shipped),
        "duty": 0,
        "handling": round(HANDLING_PENCE / shipped),
        "laboratory": round(LABORATORY_PENCE / kg),
    }
    pence = parts | {"total": sum(parts.values())}
    return {"article": article, "name": name, "rate": cny_per_gbp, "pence_per_kg": pence}


def history(article: str, months: int) -> Json:
    """List the sales of a tea, about six a month, with the sum for each customer."""
    rows = tea_world.sales(article, months * 6)
    return {"article": article, "sales": rows, "kg_by_customer": summed(rows, "customer")}


def rates(start: str, days: int) -> Json:
    """List the market rates beside the internal one."""
    return {
        "source": "market, mid",
        "internal_rate": 9.18,
        "valid_until": "2026-06-30",
        "rates": tea_world.rates(start, days),
    }


def summed(rows: list[Json], key: str) -> dict[str, int]:
    """Add up the kilograms by a field."""
    names = sorted({str(row[key]) for row in rows})
    return {name: sum(row["kg"] for row in rows if row[key] == name) for name in names}
