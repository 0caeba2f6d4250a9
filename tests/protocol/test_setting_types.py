import datetime
import math
from collections.abc import Sequence
from typing import Any

import pytest

from graphrings.methods import METHODS
from graphrings.protocol.setting_types import fits
from graphrings.tasks import TASKS, Task

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


@pytest.mark.parametrize("task", [pytest.param(task, id=name) for name, task in TASKS.items()])
def test_a_file_can_say_every_word_and_default(task: Task) -> None:
    """None is said by leaving the setting out."""
    refused = []
    for method in METHODS.values():
        for name, setting in method.described(task).items():
            switches = [True, False] if "True or False" in setting.allowed else []
            for value in (setting.default, *setting.words, *switches):
                said = list(value) if isinstance(value, tuple) else value
                if said is not None and not fits(said, setting.type):
                    refused.append((method.name, name, value))
    assert refused == []
