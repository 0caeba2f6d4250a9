import datetime
import math
from collections.abc import Sequence
from typing import Any

import pytest

from graphrings.protocol.setting_types import fits

DAY = datetime.date(2018, 11, 18)


@pytest.mark.parametrize(
    ("hint", "good", "bad"),
    [
        (int, [0, -1], [1.0, True, "1", [1], DAY]),
        (float, [1, 0.5], [True, "1", math.inf, math.nan, [0.5]]),
        (str, ["", "a"], [1, True, ["a"]]),
        (bool, [True, False], [0, 1, "true"]),
        (float | str, [0.5, 1, "auto"], [True, [1], math.nan, DAY]),
        (bool | str, [True, False, "auto"], [0, 1.5, [True]]),
        (Sequence[int], [[], [1, 2]], [1, [1.5], [True], "12", [[1]]]),
        (tuple[int, int], [[1, 2]], [[1], [1, 2, 3], [1, "2"], 1]),
        (Any, [True, 1, "a", [1, {"a": 0.5}]], [math.inf, DAY, [math.nan], {"a": DAY}]),
    ],
)
def test_values_and_types(hint: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not fits(value, hint)] == []
    assert [value for value in bad if fits(value, hint)] == []
