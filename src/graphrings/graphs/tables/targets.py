"""Targets out of text: classes or values, and which of them are missing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graphrings.graphs.numbering import Numbered, renumber

MISSING = ("", "na", "n/a", "nan", "null", "none")  # in upper or lower case
MANY = 50  # classes that are called by whole numbers, above which they may be values


class Targets(NamedTuple):
    """The targets of the rows that have one, and reasons why others have none, by position."""

    numbered: Numbered
    refused: Mapping[int, str]


def is_missing(text: str) -> bool:
    """Whether a cell stands for no target."""
    return text.strip().lower() in MISSING


def targets_of(texts: Sequence[str], task: str | None = None) -> Targets:
    """Targets of a task, or of that which the texts suggest.

    Numbers of which some are not whole are values, and what is no number among them is refused.
    Whole numbers and anything else name classes.
    """
    stripped = [text.strip() for text in texts]
    numbers = [_number(text) for text in stripped]
    if task == "regression" or (task is None and _are_values(numbers)):
        refused = {
            i: f"no finite number: target {stripped[i]!r}"
            for i, number in enumerate(numbers)
            if number is None or not math.isfinite(number)
        }
        kept = [number for i, number in enumerate(numbers) if i not in refused]
        return Targets((np.array(kept, dtype=np.float64), ()), refused)
    if all(number is not None and number.is_integer() for number in numbers):
        return Targets(renumber(list(map(_whole, stripped))), {})
    return Targets(renumber(stripped), {})


def _number(text: str) -> float | None:
    try:
        return None if "_" in text else float(text)  # Python reads 1_000
    except ValueError:
        return None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:  # such as 1.0
        return int(float(text))


def _are_values(numbers: Sequence[float | None]) -> bool:
    """Whether most are numbers, and not all of these are whole."""
    given = [number for number in numbers if number is not None]
    return 2 * len(given) > len(numbers) and not all(map(float.is_integer, given))
