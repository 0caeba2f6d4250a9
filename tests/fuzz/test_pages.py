"""A picture that is not drawn again must be one of the very same content."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fuzz.pages import name_of, remembering


def drawing(values: list[float]) -> Callable[[], float]:
    heights = np.array(values)
    return lambda: float(heights.sum())


def test_functions_are_known_by_what_they_enclose() -> None:
    assert name_of(drawing([1, 2])) == name_of(drawing([1, 2]))
    assert name_of(drawing([1, 2])) != name_of(drawing([1, 3]))


def test_other_content_is_made_anew() -> None:
    calls = []
    call = remembering(lambda draw, title: calls.append(title) or draw())
    assert [call(drawing([1]), "a"), call(drawing([1]), "a"), call(drawing([2]), "a")] == [1, 1, 2]
    assert call(drawing([2]), title="b") == 2
    assert calls == ["a", "a", "b"]
