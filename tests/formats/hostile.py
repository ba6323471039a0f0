"""Records with values of wrong types put anywhere in them."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Sequence

_JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)


@st.composite
def spoiled(draw: st.DrawFn, records: Sequence[Any]) -> list[Any]:
    """Draw the records with one to four of their values replaced, at any depth."""
    made: list[Any] = deepcopy(list(records))
    for _ in range(draw(st.integers(1, 4))):
        holder = draw(st.sampled_from(_holders(made)))
        keys = list(holder) if isinstance(holder, dict) else range(len(holder))
        holder[draw(st.sampled_from(keys))] = draw(_JUNK)
    return made


def _holders(value: Any) -> list[Any]:
    """List the objects and lists inside a value, itself included, that hold anything."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value] * bool(inner) + [holder for item in inner for holder in _holders(item)]
