"""Edits are plain data: equal where they say the same, and never changed."""

from __future__ import annotations

import pytest

from ctxcompact.core.edits import Amend, Placeholder, Plan, Preview, Rewrite


def test_edits_that_say_the_same_are_equal() -> None:
    assert Rewrite(1, 2, Preview(200)) == Rewrite(1, 2, Preview(200))
    assert Placeholder("[gone]") == Placeholder("[gone]", tagged=True)
    assert Placeholder("[gone]") != Placeholder("[gone]", tagged=False)
    assert Rewrite(1, 2, Preview(200)) != Rewrite(1, 2, Preview(201))


@pytest.mark.parametrize(
    "edit", [Rewrite(1, 2, Preview(9)), Amend(1, ("usage",), 5), Plan("micro", ())]
)
def test_an_edit_cannot_be_changed(edit: object) -> None:
    with pytest.raises(AttributeError):
        edit.message = 5  # type: ignore[attr-defined]
