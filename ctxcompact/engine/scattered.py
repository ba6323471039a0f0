"""A full summary where messages are not each a record of their own (`places`)."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from ctxcompact.core.identity import identify
from ctxcompact.core.lines import loads
from ctxcompact.core.model import Role
from ctxcompact.core.tags import ACKNOWLEDGEMENT
from ctxcompact.engine.folding import dump_record
from ctxcompact.engine.places import Original, Places, value_for

if TYPE_CHECKING:
    from ctxcompact.core.format import Format
    from ctxcompact.core.model import Conversation
    from ctxcompact.engine.cutting import Cut
    from ctxcompact.engine.records import Records


def write_scattered(
    form: Format, conversation: Conversation, plan: Cut, text: str, records: Records
) -> None:
    """Write the two messages where the last item of what goes was, or its last record.

    If nothing before the human message that stays goes, they stand right before that one.
    """
    messages, places = conversation.messages, Places(conversation, records)
    near = places.of(messages[at] for at in plan.before or (plan.human,))
    originals = list(places.originals(near))
    home = next((place for place in reversed(near) if place[1]), near[-1])
    pair = _pair(form, text, originals[0], originals[-1], conversation.model)
    if not plan.before and form.id_key:
        pair[0][form.id_key] = identify(sha256(originals[-1].raw).hexdigest(), (form.id_key,))
    values: list[Any] = [value_for(home, form, record) for record in pair]
    if not plan.before:
        values.append(originals[-1].raw)
    places.put([*places.of(messages[at] for at in plan.taken), *near], home, values)
    places.write(dump_record)


def _pair(form: Format, text: str, first: Original, last: Original, model: str) -> list[Any]:
    """Make the two messages; the second with an id that nothing else has, where they have any."""
    began, ended = loads(first.raw), loads(last.raw)
    user = form.compose(Role.USER, text, began, began, "")
    answer = form.compose(Role.ASSISTANT, ACKNOWLEDGEMENT, began, ended, model)
    if form.id_key:
        answer[form.id_key] = identify(sha256(last.raw).hexdigest(), (form.id_key, "answer"))
    return [user, answer]
