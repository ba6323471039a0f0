"""What the systems of the ferry story write down: the export its log, the cluster its journal."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from samples.makers.dice import HEX, Dice
from samples.makers.skerry_bookings import Booking, kroner, oslo, signed, stamp

RUNS = {
    "2026-03-27": "2026-03-28T02:15:02+01:00",
    "2026-03-28": "2026-03-29T09:40:31+02:00",
    "2026-03-29": "2026-03-30T02:15:01+02:00",
    "2026-03-30": "2026-03-31T02:15:02+02:00",
    "2026-03-31": "2026-04-01T02:15:02+02:00",
    "2026-04-01": "2026-04-02T02:15:01+02:00",
}
"""When each accounting day was exported. Nobody ran at 02:15 on the 29th: there was no 02:15."""
PODS = ("api", "boarding-feed", "expire-holds-29577", "purge-messages", "web", "pgbouncer")
JOURNAL = (
    'pod_workers.go:965 "Pod sync" pod="booking/{pod}" phase="Running" took="{n}ms"',
    'prober.go:107 "Probe succeeded" probeType="Readiness" pod="booking/{pod}" latency="{n}ms"',
    'prober.go:107 "Probe failed" probeType="Readiness" pod="booking/{pod}" output="HTTP 503"',
    'cronjob_controllerv2.go:612 "Created job" cronjob="booking/expire-holds" job="{key}"',
    'cronjob_controllerv2.go:566 "No unmet start times" cronjob="booking/purge-messages"',
    'kubelet_getters.go:187 "Pod status updated" pod="booking/{pod}" status="Running" uid="{key}"',
    'image_gc_manager.go:222 "Disk usage below threshold" usage="{n}MiB" pod="booking/{pod}"',
)


def run_log(
    day: str, window: tuple[datetime, datetime], right: list[Booking], wrong: Sequence[Booking]
) -> str:
    """Write the log of the run that exported a day: rows it wrote, rows the guard skipped."""
    dice = Dice(f"log {day}")
    run = dice.word(HEX, 6)
    opening = f"run={run} day={day} image=2026.13.2 host=node-{dice.below(5)}"
    lag = dice.below(900)
    total, size = sum(signed(row) for row in right), 92 * len(right)
    events = [
        ("INFO  export.cli", opening),
        ("INFO  export.nightly", f"window {window[0].isoformat()} .. {window[1].isoformat()}"),
        ("DEBUG export.db", f"connect db-replica.skerry.internal:5433 lag={lag}ms"),
        *fetched(right, dice),
        *skipped(day, wrong),
        ("INFO  export.nightly", f"skerry-{day}.csv: {len(right)} rows, {total} øre"),
        ("INFO  export.sftp", f"delivered /inbox/skerry/skerry-{day}.csv ({size} bytes)"),
        ("INFO  export.cli", f"run={run} exit=0"),
    ]
    return "\n".join(stamped(events, RUNS[day], dice))


def fetched(rows: list[Booking], dice: Dice) -> Iterator[tuple[str, str]]:
    """Yield the lines about the rows that were written, in chunks."""
    for start in range(0, len(rows), 50):
        chunk = rows[start : start + 50]
        yield "DEBUG export.db", f"fetchmany(50) {dice.between(900, 5_900)} ms"
        yield "INFO  export.nightly", f"chunk {start // 50 + 1}: {len(chunk)} rows"
        for row in chunk:
            told = f"{row.id} {row.route} {kroner(row.amount_ore)} {row.state} {stamp(row.at)}"
            yield "DEBUG export.writer", told


def skipped(day: str, rows: Sequence[Booking]) -> Iterator[tuple[str, str]]:
    """Yield the lines of the guard; it is silent when it has nothing to skip."""
    if rows:
        yield "INFO  export.guard", f"skipped {len(rows)} rows outside {day}"
        yield "DEBUG export.guard", "skipped ids: " + " ".join(row.id for row in rows)


def stamped(events: Iterable[tuple[str, str]], begin: str, dice: Dice) -> Iterable[str]:
    """Log lines with rising local times."""
    at = datetime.fromisoformat(begin)
    for source, text in events:
        waited = int(text.split()[1]) if text.startswith("fetchmany") else 0
        at += timedelta(milliseconds=waited + dice.between(2, 40))
        yield f"{at.isoformat(timespec='milliseconds')} {source:21s} {text}"


def cluster_journal(count: int) -> Iterator[str]:
    """Yield the journal of the cluster in the night of the clock change."""
    dice, at = Dice("cluster"), datetime(2026, 3, 29, 0, 30, 4, tzinfo=UTC)
    for number in range(count):
        at += timedelta(seconds=dice.between(8, 56))
        pod = f"{dice.pick(PODS)}-{dice.word(HEX, 9)}-{dice.word(HEX, 5)}"
        line = dice.pick(JOURNAL)
        said = line.format(pod=pod, n=dice.between(11, 980), key=dice.word(HEX, 12))
        node, process = number % 5, 800 + number % 5 * 11
        yield f"{oslo(at):%b %d %H:%M:%S} node-{node} k3s[{process}]: {said}"


def shown(run: str) -> str:
    """Return the moment of a run as ``ls -l`` shows it."""
    at = datetime.fromisoformat(run)
    return f"{at:%b} {at.day:2d} {at:%H:%M}"
