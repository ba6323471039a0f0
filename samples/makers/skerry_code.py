"""The dull part of the ferry repository: tables, their migrations, access code and tests.

The interesting files are written by hand in ``stories/skerry-repo.txt``.
"""

from collections.abc import Iterator

from samples.makers.dice import Dice

TABLES = """
bookings: 0001 what a customer paid for
  id:text route:text created_at:moment sailing_at:moment passengers:int vehicle:text?
  amount_ore:int vat_rate:int payment_ref:text state:text
sailings: 0004 one departure of one ferry
  id:text route:text ferry:text departs_at:moment capacity:int deck_metres:int
  boarded:int cancelled_at:moment? reason:text?
payments: 0007 money that moved through the card processor
  ref:text booking_id:text captured_at:moment amount_ore:int currency:text card_brand:text
  settled_at:moment? fee_ore:int
vehicles: 0011 what rolls on board
  id:text booking_id:text kind:text length_cm:int height_cm:int trailer:bool
  registered_at:moment
cards: 0015 season and ten-trip cards
  id:text holder_id:text kind:text sold_at:moment valid_until:moment trips_left:int?
  price_ore:int
claims: 0019 late departures and what we pay for them
  id:text booking_id:text filed_at:moment minutes_late:int amount_ore:int decided_at:moment?
  outcome:text?
crew: 0023 who works on which watch
  id:text ferry:text watch:text starts_at:moment ends_at:moment certificate:text
closures: 0031 ports closed by weather or work
  id:text port:text from_at:moment until_at:moment? cause:text announced_at:moment
invoices: 0036 companies that pay by the month
  id:text customer_id:text issued_at:moment due_at:moment amount_ore:int vat_ore:int
  paid_at:moment? reminder_level:int
messages: 0042 what was sent to customers, without the text
  id:text booking_id:text sent_at:moment channel:text template:text delivered_at:moment?
"""

SQL = {"text": "text", "int": "bigint", "bool": "boolean", "moment": "timestamptz"}
PYTHON = {"text": "str", "int": "int", "bool": "bool", "moment": "datetime"}
SAMPLE = {"text": '"x"', "int": "7", "bool": "True", "moment": "NOON"}
CLOSED = {"payments"}
"""The table whose access code still asks for a closed interval: somebody will find it."""

Fields = list[tuple[str, str, bool]]


def tables() -> Iterator[tuple[str, str, str, Fields]]:
    """Name, migration number, meaning and fields of every table."""
    for entry in TABLES.strip().split("\n"):
        if not entry.startswith(" "):
            name, _, rest = entry.partition(": ")
            number, _, meaning = rest.partition(" ")
            fields: Fields = []
            yield name, number, meaning, fields
        else:
            pairs = (word.split(":") for word in entry.split())
            fields += [(key, kind.rstrip("?"), kind.endswith("?")) for key, kind in pairs]


def migration(name: str, meaning: str, fields: Fields) -> str:
    """Return the SQL that created a table."""
    key = fields[0][0]
    moment = first_moment(fields)
    columns = ",\n".join(
        f"    {field} {SQL[kind]}" + ("" if optional else " not null")
        for field, kind, optional in fields
    )
    return (
        f"-- {meaning}\nbegin;\n\n"
        f"create table {name} (\n{columns},\n    primary key ({key})\n);\n\n"
        f"create index {name}_{moment}_day on {name} (date_trunc('day', {moment} at time zone"
        f" 'UTC'));\ngrant select on {name} to export_ro, reports_ro;\n\ncommit;\n"
    )


def first_moment(fields: Fields) -> str:
    """Return the field by which a table is listed."""
    return next(field for field, kind, optional in fields if kind == "moment" and not optional)


def access(name: str, meaning: str, fields: Fields) -> str:
    """Return the module that reads and writes a table."""
    record, key, moment = name.rstrip("s").capitalize(), fields[0][0], first_moment(fields)
    lines = [f"    {f}: {PYTHON[k]}{' | None' if o else ''}" for f, k, o in fields]
    names = ", ".join(field for field, _, _ in fields)
    span = f"{moment} between %s and %s" if name in CLOSED else f"{moment} >= %s and {moment} < %s"
    updates = "".join(
        update(name, key, field, kind) for field, kind, optional in fields if optional
    )
    values = ", ".join(f"%({field})s" for field, _, _ in fields)
    return f'''"""Table `{name}`: {meaning}."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import psycopg

Connection = psycopg.Connection[dict[str, Any]]
COLUMNS = "{names}"


@dataclass(frozen=True, slots=True)
class {record}:
    """One row of `{name}`."""

{chr(10).join(lines)}


def find(connection: Connection, {key}: str) -> {record} | None:
    """The row with this {key}, or None."""
    query = f"select {{COLUMNS}} from {name} where {key} = %s"
    row = connection.execute(query, ({key},)).fetchone()
    return {record}(**row) if row else None


def listed(connection: Connection, start: datetime, end: datetime) -> list[{record}]:
    """The rows whose {moment} lies in an interval, oldest first."""
    query = (
        f"select {{COLUMNS}} from {name}"
        " where {span}"
        " order by {moment}, {key}"
    )
    return [{record}(**row) for row in connection.execute(query, (start, end))]


def insert(connection: Connection, new: {record}) -> None:
    """Add a row; a {key} that is taken raises psycopg.errors.UniqueViolation."""
    query = (
        f"insert into {name} ({{COLUMNS}})"
        " values ({values})"
    )
    connection.execute(query, asdict(new))
{updates}'''  # noqa: S608  (read in the story, never run)


def update(name: str, key: str, field: str, kind: str) -> str:
    """Return the function that fills in an optional field."""
    return f'''

def set_{field}(connection: Connection, {key}: str, {field}: {PYTHON[kind]}) -> bool:
    """Fill in {field} once; False when it was there already."""
    query = "update {name} set {field} = %s where {key} = %s and {field} is null"
    return connection.execute(query, ({field}, {key})).rowcount == 1
'''  # noqa: S608  (read in the story, never run)


def tests(name: str, fields: Fields) -> str:
    """The tests of an access module."""
    record, key, moment = name.rstrip("s").capitalize(), fields[0][0], first_moment(fields)
    values = ", ".join(f"{f}={'None' if o else SAMPLE[k]}" for f, k, o in fields)
    extra = "".join(
        f"\n\ndef test_{field}_is_filled_in_once(db: Connection) -> None:\n"
        f'    assert {name}.set_{field}(db, "x", {SAMPLE[kind]})\n'
        f'    assert not {name}.set_{field}(db, "x", {SAMPLE[kind]})\n'
        for field, kind, optional in fields
        if optional
    )
    return f'''"""Table `{name}`."""

from datetime import UTC, datetime, timedelta

import psycopg
import pytest

from skerry.repo import {name}
from skerry.repo.{name} import Connection

NOON = datetime(2026, 2, 3, 11, tzinfo=UTC)
ROW = {name}.{record}({values})


def test_a_missing_{key}_is_none(db: Connection) -> None:
    assert {name}.find(db, "nobody") is None


def test_a_row_comes_back_as_it_went_in(db: Connection) -> None:
    {name}.insert(db, ROW)
    assert {name}.find(db, "x") == ROW


def test_a_taken_{key}_is_refused(db: Connection) -> None:
    {name}.insert(db, ROW)
    with pytest.raises(psycopg.errors.UniqueViolation):
        {name}.insert(db, ROW)


def test_rows_are_listed_by_{moment}(db: Connection) -> None:
    {name}.insert(db, ROW)
    assert {name}.listed(db, NOON - timedelta(hours=1), NOON + timedelta(hours=1)) == [ROW]
{extra}'''


SEATS = {"Havgul": 290, "Lynghei": 180, "Skarv": 90, "Terne": 60}
LINES = ("HVA-LYN", "HVA-SKO", "LYN-SKO", "BRE-HVA", "BRE-ASK", "ASK-RUN", "RUN-TJO", "TJO-LYN")


def timetable() -> str:
    """Return the sailings of Easter 2026, as the planners keep them."""
    dice = Dice("timetable")
    lines = ["# Easter 2026, times in Oslo. Extra sailings: x: true", "sailings:"]
    for day in range(2, 7):
        for line in LINES:
            minute = dice.between(300, 400)
            while minute < 23 * 60 + 30:
                ferry = dice.pick(tuple(SEATS))
                extra = ", x: true" if dice.chance(0.12) else ""
                at = f"2026-04-{day:02d} {minute // 60:02d}:{minute % 60:02d}"
                ship = f"ferry: {ferry}, seats: {SEATS[ferry]}{extra}"
                lines.append(f"  - {{line: {line}, at: {at}, {ship}}}")
                minute += dice.pick((135, 150, 165, 195, 240))
    return "\n".join(lines) + "\n"


def files() -> dict[str, str]:
    """Return the generated files of the repository, by path."""
    tree: dict[str, str] = {}
    for name, number, meaning, fields in list(tables()):
        tree[f"migrations/{number}_create_{name}.sql"] = migration(name, meaning, fields)
        tree[f"skerry/repo/{name}.py"] = access(name, meaning, fields)
        tree[f"tests/repo/test_{name}.py"] = tests(name, fields)
    tree["timetable/2026-easter.yaml"] = timetable()
    return tree
