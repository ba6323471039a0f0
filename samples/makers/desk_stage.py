"""The tools of the support desk. Most answers stand in the screenplay, sailings are made here."""

import json
from collections.abc import Iterator

from samples.makers.dice import Dice
from samples.makers.scenes import Call, Cue, Json

SEATS = {"Havgul": 290, "Lynghei": 180, "Skarv": 90, "Terne": 60}
PLAN = {
    "LYN-SKO": (330, 60, ("Lynghei", "Terne", "Havgul")),
    "BRE-ASK": (330, 60, ("Skarv", "Lynghei")),
    "ASK-RUN": (345, 60, ("Havgul",)),
    "RUN-ASK": (420, 120, ("Havgul",)),
    "ASK-BRE": (440, 120, ("Lynghei", "Terne")),
}
"""Route: minute of the first sailing of a day, minutes to the next one, ferries in turn."""
TOOLS = {
    "get_booking": ("A booking by its number.", ("id",)),
    "search_sailings": ("The sailings of a route on a day.", ("route", "date", "vehicle")),
    "get_sailing_status": ("Whether a sailing left, and how late.", ("route", "sailing")),
    "find_connections": ("Connections with changes.", ("from", "to", "date", "arrive_before")),
    "quote_change": ("What a change would cost.", ("booking", "vehicle", "after")),
    "change_booking": ("Change a booking after a clear yes.", ("booking", "charge_ore")),
    "refund": ("Pay back after a clear yes.", ("booking", "amount_ore", "reason")),
    "list_boardings": ("When a booking went on board.", ("booking",)),
    "list_payments": ("Charges and reservations of a booking.", ("booking",)),
    "get_fares": ("Fares of routes.", ("routes",)),
    "get_ferry": ("Seats, lift and ramp of a ferry.", ("name",)),
    "get_group_quote": ("The price for a group.", ("children", "adults", "legs")),
    "create_group_booking": ("Book a group after a clear yes.", ("name", "legs", "total_ore")),
    "get_cafe_menu": ("Group menus with allergens.", ("ferry", "date")),
    "order_group_meal": ("Order after a clear yes.", ("group", "menu", "portions")),
    "open_claim": ("A claim for a late arrival.", ("booking", "evidence", "amount_ore")),
    "add_note": ("A note for the crew.", ("booking", "text")),
    "search_lost_property": ("What was found on board.", ("ferry", "from", "to")),
    "ship_lost_property": ("Send a find home.", ("item", "to")),
    "transfer": ("Hand over to a person.", ("queue", "summary")),
}
"""Name, meaning and parameters of the tools that each request lists."""


def stage(cue: Cue) -> Call:
    """Run one tool, or hand out what the screenplay says it answered."""
    tool, _, rest = cue.head.partition(" ")
    arguments: Json = json.loads(rest)
    if tool == "search_sailings":
        found = list(sailings(arguments["route"], arguments["date"], arguments["vehicle"]))
        told = json.dumps({"sailings": found, "count": len(found)}, ensure_ascii=False)
        return Call(tool, arguments, told)
    if not cue.body:
        message = f"the screenplay has no answer for {cue.head}"
        raise ValueError(message)
    return Call(tool, arguments, cue.body)


def sailings(route: str, date: str, vehicle: str) -> Iterator[Json]:
    """Yield a day's sailings of a route, with the room that is left."""
    dice = Dice(f"{route} {date}")
    first, step, ferries = PLAN[route]
    for number, minute in enumerate(range(first, 22 * 60, step)):
        ferry = ferries[number % len(ferries)]
        high = dice.between(1, 4) * 7 if ferry in {"Havgul", "Lynghei"} else 0
        if 13 * 60 < minute < 15 * 60:
            high = 0
        yield {
            "route": route, "departs": f"{date}T{minute // 60:02d}:{minute % 60:02d}",
            "ferry": ferry, "seats": SEATS[ferry], "seats_left": dice.between(46, SEATS[ferry]),
            "low_deck_left_m": dice.between(0, 90), "high_deck_left_m": high,
            "vehicle": vehicle, "fits": high > 0 and vehicle != "COACH",
        }  # fmt: skip


def tools() -> list[Json]:
    """Return the tools as an OpenAI request lists them."""
    return [
        {
            "type": "function",
            "function": {
                "name": name,
                "description": meaning,
                "parameters": {
                    "type": "object",
                    "properties": {key: {"type": kind(key)} for key in keys},
                    "required": list(keys),
                },
            },
        }
        for name, (meaning, keys) in TOOLS.items()
    ]


def kind(parameter: str) -> str:
    """Return the JSON type of a parameter."""
    if parameter in {"routes", "legs"}:
        return "array"
    numbers = {"children", "adults", "portions"}
    return "integer" if parameter.endswith("_ore") or parameter in numbers else "string"
