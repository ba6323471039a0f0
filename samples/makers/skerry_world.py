"""What the systems of the ferry story answer.

Every figure that a tool shows is worked out here from the same invented bookings: which rows the
old export wrote, which ones fell between two nights, what the sums are.
"""

from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

from samples.makers.dice import Dice
from samples.makers.skerry_bookings import Booking, bookings, kroner, oslo, signed, stamp
from samples.makers.skerry_logs import RUNS, cluster_journal, run_log, shown


class Skerry:
    """What the database, the logs and the export answer. Methods are called by cue: ``<- name``."""

    def __init__(self, dice: Dice) -> None:
        """Fill the database."""
        self._dice = dice
        self.rows = bookings(dice)

    def __call__(self, name: str, arguments: list[str]) -> str:
        """Answer one cue of the screenplay."""
        answer: Callable[..., str] = getattr(self, name)
        return answer(*arguments)

    def of_day(self, day: str) -> list[Booking]:
        """Return the bookings that belong to an accounting day."""
        return [row for row in self.rows if row.day == day]

    def window(self, day: str) -> tuple[datetime, datetime]:
        """Return the window of the old export: one hour, summer or winter, and a second short."""
        midnight = datetime.fromisoformat(day).replace(tzinfo=UTC) - timedelta(hours=1)
        return midnight, midnight + timedelta(days=1, seconds=-1)

    def asked(self, day: str) -> list[Booking]:
        """Return what the query of the old export returned."""
        start, end = self.window(day)
        return [row for row in self.rows if start <= row.at <= end]

    def exported(self, day: str) -> list[Booking]:
        """Return what the old export wrote: the guard skipped the rest."""
        return [row for row in self.asked(day) if row.day == day]

    def lost(self, day: str) -> list[Booking]:
        """Return what belongs to the day and was in no file."""
        written = {row.id for row in self.exported(day)}
        return [row for row in self.of_day(day) if row.id not in written]

    def days(self) -> str:
        """Rows in the database against rows in the delivered files, by accounting day."""
        lines = []
        for number in range(27, 33):
            day = (date(2026, 3, 1) + timedelta(days=number - 1)).isoformat()
            there, sent = self.of_day(day), self.exported(day)
            gap = sum(row.amount_ore for row in self.lost(day))
            lines.append((day, len(there), len(sent), len(there) - len(sent), kroner(gap)))
        return table("day in_database in_file missing missing_kr", lines)

    def hours(self, day: str) -> str:
        """Return the same by hour of one day in Oslo."""
        written = {row.id for row in self.exported(day)}
        lines = []
        for hour in range(24):
            rows = [row for row in self.of_day(day) if oslo(row.at).hour == hour]
            sent = sum(row.id in written for row in rows)
            if rows:
                lines.append((f"{hour:02d}", len(rows), sent, len(rows) - sent))
        return table("oslo_hour in_database in_file missing", lines)

    def missing(self, day: str) -> str:
        """Return the lost rows of a day, all columns."""
        return table(
            "id created_at route sailing_at pax vehicle amount_ore payment_ref state",
            [
                (r.id, stamp(r.at), r.route, f"{r.sailing:%m-%d %H:%M}", r.passengers,
                 r.vehicle, r.amount_ore, r.ref, r.state)
                for r in self.lost(day)
            ],
        )  # fmt: skip

    def around(self, day: str, hour: str, count: str) -> str:
        """Bookings from an hour of an Oslo day on, with the state of the payment."""
        rows = [r for r in self.of_day(day) if oslo(r.at).hour >= int(hour)][: int(count)]
        return table(
            "id created_at oslo_time route amount_ore state captured",
            [
                (r.id, stamp(r.at), f"{oslo(r.at):%H:%M:%S}", r.route, r.amount_ore, r.state,
                 self._dice.pick(("t", "t", "t", "f")))
                for r in rows
            ],
        )  # fmt: skip

    def csv(self, day: str, which: str = "all") -> str:
        """Return the file of a day as finance imports it: all its rows, or the lost ones only."""
        rows = self.of_day(day) if which == "all" else self.lost(day)
        amounts = [signed(row) for row in rows]
        lines = ["booking;created;route;sailing;pax;vehicle;gross;vat;ref;state"]
        for r, gross in zip(rows, amounts, strict=True):
            vat = (2 * gross * 12 + 112) // 224
            lines.append(
                f"{r.id};{oslo(r.at):%Y-%m-%d %H:%M:%S};{r.route};{oslo(r.sailing):%Y-%m-%d %H:%M};"
                f"{r.passengers};{r.vehicle or '-'};{kroner(gross)};{kroner(vat)};{r.ref};{r.state}"
            )
        return "\n".join([*lines, f"TRAILER;{day};{len(rows)};{kroner(sum(amounts))}"])

    def log(self, day: str) -> str:
        """Return the log of the run that exported a day."""
        right = self.exported(day)
        wrong = [row for row in self.asked(day) if row not in right]
        return run_log(day, self.window(day), right, wrong)

    def part(self, day: str, count: str) -> str:
        """Return the first lines of a log, and its last."""
        lines = self.log(day).split("\n")
        return "\n".join([*lines[: int(count)], lines[-1]])

    def guard(self) -> str:
        """Return what the guard said in all logs."""
        lines = "\n".join(self.log(day) for day in RUNS).split("\n")
        return "\n".join(line for line in lines if "INFO  export.guard" in line)

    def logs(self) -> str:
        """Return the folder of logs as ``ls -l`` shows it."""
        return "\n".join(
            f"-rw-r--r-- 1 export export {len(self.log(day).encode()) + 1} {shown(run)}"
            f" export-{day}.log"
            for day, run in RUNS.items()
        )

    def delivered(self) -> str:
        """Return the folder of delivered files as ``ls -l`` shows it."""
        return "\n".join(
            f"-r--r--r-- 1 export export {92 * len(self.exported(day))} {shown(run)}"
            f" skerry-{day}.csv"
            for day, run in RUNS.items()
        )

    def first_line(self, day: str) -> str:
        """Return the first booking in the delivered file of a day."""
        first = self.exported(day)[0].id
        return next(line for line in self.csv(day).split("\n") if line.startswith(first))

    def trailer(self, day: str) -> str:
        """Return the last line of the delivered file of a day."""
        rows = self.exported(day)
        return f"TRAILER;{day};{len(rows)};{kroner(sum(signed(r) for r in rows))}"

    def cluster(self, count: str) -> str:
        """Return the journal of the cluster in the night of the clock change."""
        return "\n".join(cluster_journal(int(count)))


def table(header: str, rows: Sequence[tuple[object, ...]]) -> str:
    """Rows as psql prints them."""
    cells = [header.split(), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    numeric = [all(line[i].lstrip("-").isdigit() for line in cells[1:]) for i in range(len(widths))]
    lines = [
        " " + " | ".join(
            cell.rjust(width) if right and number else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for number, line in enumerate(cells)
    ]  # fmt: skip
    rule = "-+-".join("-" * width for width in widths)
    return "\n".join([lines[0], f"-{rule}-", *lines[1:], f"({len(rows)} rows)"])
