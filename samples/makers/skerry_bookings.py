"""The invented bookings of the ferry story, and how money and time are written."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from samples.makers.dice import ALNUM, Dice

SUMMER = datetime(2026, 3, 29, 1, tzinfo=UTC)
"""The moment at which Oslo goes from +01:00 to +02:00."""
ROUTES = ("HVA-LYN", "HVA-SKO", "LYN-SKO", "BRE-HVA", "BRE-ASK", "ASK-RUN", "RUN-TJO", "TJO-LYN")
RUSH = (2, 1, 1, 1, 1, 2, 5, 9, 12, 12, 11, 10, 10, 9, 9, 9, 10, 11, 13, 14, 12, 9, 6, 4)
"""How many bookings come in each hour of a day in Oslo."""
NIGHT_OWLS = {
    date(2026, 3, 29): 5,
    date(2026, 3, 30): 11,
    date(2026, 3, 31): 14,
    date(2026, 4, 1): 17,
    date(2026, 4, 2): 19,
}
"""Bookings of the hour after midnight: Easter is near and the summer timetable is out."""


@dataclass(frozen=True, slots=True)
class Booking:
    """One row of the table ``bookings``."""

    id: str
    at: datetime
    day: str
    """The accounting day it belongs to: its date in Oslo."""
    route: str
    sailing: datetime
    passengers: int
    vehicle: str
    amount_ore: int
    ref: str
    state: str


def oslo(moment: datetime) -> datetime:
    """Return a moment as the clocks in Oslo show it; without a time zone database."""
    return moment + timedelta(hours=2 if moment >= SUMMER else 1)


def bookings(dice: Dice) -> list[Booking]:
    """All bookings from 27 March to the morning of 2 April 2026, oldest first."""
    number, rows = 718_204, []
    start = datetime(2026, 3, 26, 23, tzinfo=UTC)
    for hour in range(24 * 6 + 9):
        opening = start + timedelta(hours=hour)
        local = oslo(opening)
        count = RUSH[local.hour] + dice.below(4)
        if local.hour == 0:
            count = NIGHT_OWLS.get(local.date(), 3)
        for at in sorted(dice.below(3_600_000) for _ in range(count)):
            number += dice.between(1, 3)
            rows.append(booking(number, opening + timedelta(milliseconds=at), dice))
    return rows


def booking(number: int, at: datetime, dice: Dice) -> Booking:
    """One booking made at a moment."""
    passengers = dice.pick((1, 1, 2, 2, 2, 3, 4, 4, 5, 6))
    vehicle = dice.pick(("", "", "CAR", "CAR", "CAR", "VAN", "MC", "CAMPER"))
    fee = {"": 0, "CAR": 24_500, "VAN": 31_000, "MC": 9_900, "CAMPER": 42_000}[vehicle]
    sailing = at.replace(minute=0, second=0, microsecond=0) + timedelta(hours=dice.between(5, 190))
    return Booking(
        id=f"SK-{number}",
        at=at,
        day=oslo(at).date().isoformat(),
        route=dice.pick(ROUTES),
        sailing=sailing + timedelta(minutes=dice.pick((0, 15, 30, 45))),
        passengers=passengers,
        vehicle=vehicle,
        amount_ore=passengers * dice.pick((8_900, 10_900, 12_400)) + fee,
        ref="pi_3Q" + dice.word(ALNUM, 6),
        state=dice.pick(("PAID",) * 24 + ("REFUNDED",)),
    )


def kroner(ore: int) -> str:
    """Return an amount with a comma: 12345 is 123,45."""
    return f"{'-' if ore < 0 else ''}{abs(ore) // 100},{abs(ore) % 100:02d}"


def signed(row: Booking) -> int:
    """Return what a booking adds to a file, in øre."""
    return -row.amount_ore if row.state == "REFUNDED" else row.amount_ore


def stamp(moment: datetime) -> str:
    """Return a moment as the database prints it, with milliseconds, in UTC."""
    return f"{moment:%Y-%m-%d %H:%M:%S}.{moment.microsecond // 1000:03d}+00"
