"""One run over one transcript.

Read, note what is wrong, compact each conversation, say what was done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxcompact.core.events import FileFacts, Report, Step, Trigger
from ctxcompact.core.journal import Journal, Size, deeds, trusted
from ctxcompact.core.settings import Mode, Until
from ctxcompact.engine import history
from ctxcompact.engine.chain import Chain
from ctxcompact.engine.draft import Draft
from ctxcompact.engine.layers import Layers
from ctxcompact.engine.native import refuse_native
from ctxcompact.engine.obstacles import obstacles, ways_on
from ctxcompact.engine.reading import Reading, read
from ctxcompact.engine.rereading import reads_back
from ctxcompact.engine.whole import refuse_rewrite

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxcompact.core.model import Problem
    from ctxcompact.core.settings import Settings
    from ctxcompact.engine.outcomes import Outcome
    from ctxcompact.engine.ports import Content, Ports, Source

# Damage that is part of the bytes and stays as it was: said as warnings, beside what a provider
# would refuse.
_TOLD_AT_MOST = 1000
_MISREAD = "undone: the output would not be read as it was planned"


@dataclass(slots=True)
class Run:
    """A finished run before anything is written."""

    settings: Settings
    reading: Reading
    draft: Draft
    outcomes: list[Outcome]
    facts: FileFacts
    archive: str | None = None

    @property
    def changed(self) -> bool:
        """Whether the output differs from the input."""
        return self.draft.is_changed

    @property
    def wants_target(self) -> bool:
        """Whether there is a number of tokens that this run was to reach."""
        if self.settings.mode is Mode.MICRO:
            return self.settings.target is not None
        fired = any(outcome.trigger.fired for outcome in self.outcomes)
        return fired and self.settings.until is Until.TARGET

    @property
    def target(self) -> int | None:
        """The number of tokens that is told as the target; micro has none of its own."""
        has_none = self.settings.mode is Mode.MICRO and self.settings.target is None
        return None if has_none else self.settings.target_tokens

    @property
    def missed(self) -> list[int]:
        """The conversations that are still over the target, by index."""
        target = self.settings.target_tokens
        return [
            at
            for at, outcome in enumerate(self.outcomes)
            if outcome.tokens_after > target
            and (outcome.trigger.fired or self.settings.target is not None)
        ]


def run(source: Source, settings: Settings, ports: Ports, *, in_place: bool = False) -> Run:
    """Compact a transcript in thought: originals are staged, nothing else is written.

    What is written, in whichever way, is read again first where it is not only edited in place.
    """
    if not history.is_wanted(settings, in_place=in_place):
        return _believed(source, settings, ports)
    mark = ports.staging.mark()
    done = _believed(source, settings, history.moving(ports, settings))
    form = done.reading.format.history
    if form is None or not done.changed or not (settings.write or form.in_place):
        return done
    draft = history.as_history(done.reading, done.draft, settings, ports)
    if reads_back(done.reading, draft, settings, ports):
        done.draft = draft
        note = "" if settings.write else history.BY_ITSELF
    else:
        ports.staging.rewind(mark)
        done, note = _believed(source, settings, ports), history.MISREAD
    if note:
        done.outcomes[0].notes.append(note)
    return done


def _believed(source: Source, settings: Settings, ports: Ports) -> Run:
    """Run once.

    Where messages became others the output is read again, and if it is not what was planned (a file whose lines hang
    on one another in an unusual way), it is made anew without summaries.
    """
    mark = ports.staging.mark()
    done = _run(source, settings, ports)
    if not done.draft.is_reshaped or reads_back(done.reading, done.draft, settings, ports):
        return done
    ports.staging.rewind(mark)
    return _run(source, settings, ports._replace(summarizer=None, no_summaries=_MISREAD))


def _run(source: Source, settings: Settings, ports: Ports) -> Run:
    reading = read(source, settings, ports)
    refuse_rewrite(reading)
    refuse_native(reading.format, settings)
    facts = facts_of(reading)
    draft = Draft(reading, ports.scratch)
    archive = f".transcripts/transcript_{source.sha256[:16]}.jsonl"
    if settings.mode in (Mode.AUTO, Mode.MANUAL):
        layers = Layers(draft, settings, ports, archive)
        outcomes = [layers.run(conversation) for conversation in reading.conversations]
        return Run(settings, reading, draft, outcomes, facts, archive if layers.archived else None)
    chain = Chain(draft, settings, ports)
    outcomes = [chain.run(conversation) for conversation in reading.conversations]
    return Run(settings, reading, draft, outcomes, facts)


def facts_of(reading: Reading) -> FileFacts:
    """Describe a transcript as it was read."""
    return FileFacts(
        path=reading.source.name,
        bytes=reading.source.size,
        lines=len(reading.index.line_starts),
        messages=reading.messages,
        tokens=reading.tokens,
        sha256=reading.source.sha256,
    )


def report(
    done: Run, output: Content, path: str, *, receipt: str | None = None, dry_run: bool = False
) -> Report:
    """Make the report, of what was written to `path`."""
    before = done.facts
    after = FileFacts(
        path=path,
        bytes=output.bytes,
        lines=output.lines,
        messages=done.reading.messages,
        tokens=done.reading.tokens,
        sha256=output.sha256,
    )
    missed = done.missed
    over = bool(missed) and done.wants_target
    status = "over_target" if over else "ok" if done.changed else "unchanged"
    damage = done.reading.damage
    return Report(
        status=status,
        mode=done.settings.mode.value,
        format=done.reading.format.name,
        counter=done.reading.gauge.counter,
        input=before,
        output=after,
        trigger=_trigger(done.outcomes),
        target=done.target,
        reached=not missed,
        blocked_by=_blocked_by(done, missed) if over else (),
        steps=_steps(done.outcomes),
        archive=done.archive,
        receipt=receipt,
        problems_before=_problems(damage, (o.problems_before for o in done.outcomes)),
        problems_after=_problems(damage, (o.problems_after for o in done.outcomes)),
        warnings=tuple(sorted([*damage, *done.reading.warnings])[:_TOLD_AT_MOST]),
        notes=(*_notes(done.outcomes), *(ways_on(done.settings) if over else ())),
        dry_run=dry_run,
    )


def journal(done: Run) -> Journal:
    """Say what was done as the receipt is to tell it."""
    reading = done.reading
    return Journal(
        input=done.facts.path,
        counter=trusted(reading.gauge.counter),
        before=Size(done.facts.messages, done.facts.tokens),
        after=Size(reading.messages, reading.tokens),
        target=done.target,
        archive=done.archive,
        deeds=deeds(_steps(done.outcomes)),
    )


def _trigger(outcomes: list[Outcome]) -> Trigger:
    """Return the trigger of the file: the first conversation that fired speaks for it."""
    if not outcomes:
        return Trigger(fired=False, by=None, tokens=0, messages=0)
    return next((o.trigger for o in outcomes if o.trigger.fired), outcomes[0].trigger)


def _problems(damage: list[Problem], found: Iterable[list[Problem]]) -> tuple[Problem, ...]:
    """Join damage, which no edit mends, with what a provider would refuse.

    By line, the first thousand.
    """
    every = sorted([*damage, *(problem for problems in found for problem in problems)])
    return tuple(every[:_TOLD_AT_MOST])


def _steps(outcomes: list[Outcome]) -> tuple[Step, ...]:
    return tuple(step for outcome in outcomes for step in outcome.steps)


def _notes(outcomes: list[Outcome]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(note for outcome in outcomes for note in outcome.notes))


def _blocked_by(done: Run, missed: list[int]) -> tuple[str, ...]:
    """Say what stands in the way, for the first few conversations over the target."""
    said: list[str] = []
    for at in missed[:3]:
        conversation = done.reading.conversations[at]
        where = f"line {conversation.line}: " if conversation.line else ""
        said += [where + what for what in obstacles(conversation, done.settings)]
    return tuple(said)
