"""The tools of the dairy story: probes, alarms, the controller's journal, batches, drafts."""

import json
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from samples.makers import cold_room
from samples.makers.cold_room import SENSORS, Reading, readings, spells
from samples.makers.dice import Dice
from samples.makers.picture import chart
from samples.makers.scenes import Call, Cue, Json
from samples.makers.workspace import tree_of

if TYPE_CHECKING:
    from collections.abc import Callable

PARAMETERS = (
    ("P-1101", "setpoint room air", "3.0 °C", "3.0 °C"),
    ("P-1104", "hysteresis", "1.0 K", "1.0 K"),
    ("P-1120", "compressor minimum rest", "240 s", "240 s"),
    ("P-1140", "defrost start", "03:00", "03:00"),
    ("P-1141", "defrost interval", "24 h", "24 h"),
    ("P-1142", "defrost ends by", "COIL", "TIME"),
    ("P-1143", "defrost end, coil", "8.0 °C", "8.0 °C"),
    ("P-1144", "defrost end, time", "30 min", "30 min"),
    ("P-1150", "fan off during defrost", "YES", "YES"),
    ("P-1161", "probe correction T-417", "0.0 K", "0.0 K"),
    ("P-1162", "probe correction T-418", "-0.2 K", "-0.2 K"),
    ("P-1163", "probe correction T-419", "0.0 K", "0.0 K"),
    ("P-1170", "alarm high, air", "8.0 °C / 5 min", "8.0 °C / 5 min"),
)
"""Number, meaning, value before and after the firmware update."""
ALARMS = (("T-417", 8.0, "A-31"), ("T-418", 8.0, "A-31"), ("T-420", 15.0, "A-44"))
"""Probe, limit, code."""
CYCLE_MIN = 40
"""The compressor starts this often and runs for half of it."""


class Stage:
    """Runs the calls of ``stories/dairy.txt``: ``::call tool {arguments}``, one a line."""

    def __init__(self, stories: Path) -> None:
        """Let the four weeks pass; read the papers that lie in the archive file."""
        self._rows = readings()
        self._papers = tree_of((stories / "dairy-papers.txt").read_text(encoding="utf-8"))

    def __call__(self, cue: Cue) -> Call:
        """Run one tool, or hand out what the screenplay says it answered."""
        tool, _, rest = cue.head.partition(" ")
        arguments: Json = json.loads(rest) if rest else {}
        failed = cue.body.startswith("error ")
        if cue.body:
            return Call(tool, arguments, cue.body.removeprefix("error "), failed=failed)
        tools: dict[str, Callable[..., str | list[Json]]] = {
            "read_series": self._series, "find_exceedances": self._exceedances,
            "list_alarms": self._alarms, "controller_journal": self._journal,
            "controller_parameters": self._parameters, "render_chart": self._chart,
            "open_document": self._document,
        }  # fmt: skip
        return Call(tool, arguments, tools[tool](**arguments))

    def _between(self, start: str, end: str) -> list[Reading]:
        first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
        return [row for row in self._rows if first <= row.at < last]

    def _series(self, start: str, end: str, every_min: int = 5) -> str:
        rows = self._between(start, end)[:: every_min // 5]
        lines = [f"{row.at:%Y-%m-%dT%H:%M}," + ",".join(map(str, row.values)) for row in rows]
        return "\n".join(["time," + ",".join(SENSORS), *lines])

    def _exceedances(
        self, sensor: str, above: float, start: str, end: str, correction: float = 0.0
    ) -> str:
        found = [
            {
                "from": f"{run[0].at:%Y-%m-%dT%H:%M}",
                "minutes": 5 * len(run),
                "max": round(max(row.of(sensor) for row in run) + correction, 1),
            }
            for run in spells(self._between(start, end), sensor, above, correction)
        ]
        head = {"sensor": sensor, "above": above, "correction": correction, "count": len(found)}
        return json.dumps(head | {"exceedances": found}, indent=1)

    def _alarms(self, start: str, end: str) -> str:
        dice, alarms = Dice("alarms"), []
        for sensor, above, code in ALARMS:
            for run in spells(self._between(start, end), sensor, above, 0.0):
                raised = run[0].at + timedelta(minutes=5)
                alarms.append({
                    "id": f"AL-{run[0].at:%m%d}{dice.between(100, 999)}", "code": code,
                    "sensor": sensor, "raised": f"{raised:%Y-%m-%dT%H:%M}",
                    "cleared": f"{run[-1].at + timedelta(minutes=5):%Y-%m-%dT%H:%M}",
                    "peak": max(row.of(sensor) for row in run),
                    "acknowledged_by": dice.pick(("night shift", "auto", "P. Holm", "auto")),
                })  # fmt: skip
        alarms.sort(key=lambda alarm: str(alarm["raised"]))
        return json.dumps({"room": "KR4", "count": len(alarms), "alarms": alarms}, indent=1)

    def _journal(self, start: str, end: str) -> str:
        """Return what controller C4 wrote: compressor, fan, defrost."""
        dice, lines = Dice(f"journal {start}"), []
        for row in self._between(start, end):
            minute = row.at.hour * 60 + row.at.minute
            if cold_room.NIGHT <= minute <= cold_room.NIGHT + 35:
                words = defrost_words(row, minute - cold_room.NIGHT)
            else:
                words = compressor_words(row, minute % CYCLE_MIN, dice)
            second = dice.between(0, 59)
            lines += [f"{row.at:%Y-%m-%d %H:%M}:{second:02d} C4 {word}" for word in words]
        return "\n".join(lines)

    def _parameters(self, at: str) -> str:
        new = datetime.fromisoformat(at) > cold_room.UPDATED
        head = f"controller C4, firmware {'5.3.1' if new else '5.2.8'}, as of {at}"
        lines = [
            f"{number:8s}{meaning:28s}{late if new else early}"
            for number, meaning, early, late in PARAMETERS
        ]
        return "\n".join([head, *lines])

    def _chart(self, sensor: str, start: str, end: str, limit: float) -> list[Json]:
        values = [row.of(sensor) for row in self._between(start, end)]
        low, high = min(values) - 0.5, max(values) + 0.5
        title = f"{sensor}, {start} to {end}, {low:.1f} to {high:.1f} °C, dotted: {limit:.1f} °C"
        data = chart(values, low, high, limit)
        source = {"type": "base64", "media_type": "image/png", "data": data}
        return [{"type": "text", "text": title}, {"type": "image", "source": source}]

    def _document(self, name: str) -> str:
        return self._papers[name].strip()


def compressor_words(row: Reading, since: int, dice: Dice) -> list[str]:
    """Return what the controller writes when the compressor starts or stops."""
    air = f"air {row.values[0]:.1f}"
    if since == 0:
        return [f"compressor K1 on, {air}, suction {dice.between(21, 29) / 10} bar"]
    if since == CYCLE_MIN // 2:
        return [f"compressor K1 off after {dice.between(17, 21)} min, {air}"]
    return []


def defrost_words(row: Reading, since: int) -> list[str]:
    """Return what the controller writes around a defrost, by the minutes since its start."""
    coil = f"coil {row.values[3]:.1f}"
    by_time = row.at > cold_room.UPDATED
    if since == 0:
        return [f"defrost start, fan off, heater K7 on, {coil}"]
    if since == (30 if by_time else 10):
        end = "TIME, 30 min" if by_time else f"COIL, {coil}"
        return [f"defrost end by {end}, heater K7 off", f"fan on, air {row.values[0]:.1f}"]
    running = since < (30 if by_time else 10)
    return [f"defrost running, {coil}, air {row.values[0]:.1f}"] if running else []
