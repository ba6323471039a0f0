"""Four weeks in a cold room, minute by minute enough: the data behind the dairy story.

Each night at 03:00 the cooler is defrosted. Until the firmware update of 23 February the heater
stopped when the coil reached 8 °C; since then it runs for the full half hour. On 13 March, just
then, somebody left the door open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from samples.makers.dice import Dice

STEP = timedelta(minutes=5)
OPENING = datetime.fromisoformat("2026-02-16T00:00")
CLOSING = datetime.fromisoformat("2026-03-16T08:00")
UPDATED = datetime.fromisoformat("2026-02-23T10:40")
REPLACED = datetime.fromisoformat("2026-03-11T09:15")
OFFSET = 1.2
"""The new probe T-419 reads high: nobody entered its correction after REPLACED."""
DOOR_OPEN = (datetime.fromisoformat("2026-03-13T03:10"), datetime.fromisoformat("2026-03-13T03:57"))
NIGHT = 3 * 60
SENSORS = ("T-417", "T-418", "T-419", "T-420")


@dataclass(frozen=True, slots=True)
class Reading:
    """What the four probes say at a moment: two in the air, one in the product, one on the coil."""

    at: datetime
    values: tuple[float, float, float, float]

    def of(self, sensor: str) -> float:
        """One probe."""
        return self.values[SENSORS.index(sensor)]


def defrost_minutes(at: datetime) -> int:
    """How long the heater runs."""
    return 30 if at > UPDATED else 11


def readings() -> list[Reading]:
    """All readings, every five minutes."""
    return list(simulated(Dice("cold room 4")))


def simulated(dice: Dice) -> Iterator[Reading]:
    """Let the room warm and cool."""
    at, air, core, coil, heat = OPENING, 3.2, 3.4, -6.0, 0.0
    while at <= CLOSING:
        since = at.hour * 60 + at.minute - NIGHT
        heating = 0 <= since < defrost_minutes(at)
        door = DOOR_OPEN[0] <= at < DOOR_OPEN[1]
        cycle = abs((at.hour * 60 + at.minute) % 40 - 20) / 20
        heat = heat + 1.0 if heating else heat * 0.72
        coil = min(coil + 5.2, 31.0) if heating else coil + (-6.0 - coil) * 0.4
        target = 2.7 + cycle + heat + (3.5 if door else 0.0)
        air += (target - air) * (0.5 if door else 0.62)
        core += (air - core) * 0.048
        noise = [dice.between(-2, 2) / 10 for _ in range(3)]
        shown = core + (OFFSET if at >= REPLACED else 0.0)
        side = air + (1.1 if door else 0.0) - 0.2
        values = (air + noise[0], side + noise[1], shown + noise[2] / 4, coil)
        a, b, c, d = (round(value, 1) for value in values)
        yield Reading(at, (a, b, c, d))
        at += STEP


def spells(
    rows: list[Reading], sensor: str, above: float, correction: float
) -> list[list[Reading]]:
    """Return the runs of readings above a limit; ``correction`` is added to what the probe says."""
    out: list[list[Reading]] = []
    running = False
    for row in rows:
        if row.of(sensor) + correction > above + 1e-9:
            if not running:
                out.append([])
            out[-1].append(row)
            running = True
        else:
            running = False
    return out
