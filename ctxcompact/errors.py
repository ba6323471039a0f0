"""Everything this package raises on purpose.

    CtxCompactError
    ├── UsageError            settings or arguments that contradict a rule
    ├── InputError            a transcript that cannot be used
    │   ├── UnknownFormat     no format fits, or several do
    │   ├── ReadOnlyFormat    transcripts of this kind are counted, never rewritten
    │   └── InputChanged      somebody wrote to it while we worked
    ├── OutputError           the result could not be put in its place
    ├── StoreError            the originals could not be kept or read
    │   ├── IdNotFound        no such id in any store looked at
    │   ├── OriginalDamaged   a stored original fails its hash
    │   └── CredentialFound   an original holds a credential that is not to be kept there
    ├── SummarizerError       no summary could be had, and the run was to stop then
    └── RestoreError          no way back for this transcript

Exit codes are not decided here: `cli` maps the classes to them.
"""

from __future__ import annotations


class CtxCompactError(Exception):
    """What happened, where, and what to do next.

    `code` is a stable word for scripts; `path` and `line` (from 1) say where; `hint` is the next
    step.
    """

    code = "failed"

    def __init__(
        self, message: str, *, hint: str = "", path: str | None = None, line: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.path = path
        self.line = line


class UsageError(CtxCompactError):
    """An argument, option or configuration value that cannot be meant."""

    code = "usage"


class InputError(CtxCompactError):
    """A transcript that is missing, unreadable or not a transcript."""

    code = "input"


class UnknownFormat(InputError):  # noqa: N818 - reads as what happened
    """No format recognises the records."""

    code = "unknown_format"


class ReadOnlyFormat(InputError):  # noqa: N818 - reads as what happened
    """The transcript is of a kind that is counted and never rewritten."""

    code = "read_only_format"


class InputChanged(InputError):  # noqa: N818 - reads as what happened
    """The transcript was written to between the first read and the replacement."""

    code = "input_changed"


class OutputError(CtxCompactError):
    """The output could not be written; the input stands as it was."""

    code = "output"


class StoreError(CtxCompactError):
    """The store of originals refused."""

    code = "store"


class IdNotFound(StoreError):  # noqa: N818 - reads as what happened
    """No store holds the id."""

    code = "id_not_found"


class OriginalDamaged(StoreError):  # noqa: N818 - reads as what happened
    """A stored original is not the bytes its id stands for."""

    code = "original_damaged"


class CredentialFound(StoreError):  # noqa: N818 - reads as what happened
    """What would be kept holds a credential, and is not to be kept in that place."""

    code = "credential"


class SummarizerError(CtxCompactError):
    """No acceptable summary could be had."""

    code = "summarizer"


class RestoreError(CtxCompactError):
    """The transcript cannot be brought back as it was."""

    code = "restore"
