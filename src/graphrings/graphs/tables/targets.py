"""Targets out of text: classes or values, and which of them are missing."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from graphrings.graphs.numbering import Numbered, renumber

MISSING = ("", "na", "n/a", "#n/a", "nan", "null", "none")  # in upper or lower case
COMMA = re.compile(r"[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")  # 1,234 may be 1.234 or 1234
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


class Commas(NamedTuple):
    """A column of numbers with decimal commas: as it would be with points, and one of its cells.

    ``doubtful``: every comma in it may part thousands instead.
    """

    with_points: list[str]
    example: str
    doubtful: bool


def decimal_commas(texts: Sequence[str]) -> Commas | None:
    """A column whose commas make numbers of most cells; None where they do not, or points do."""
    stripped = [text.strip() for text in texts]
    commas = [text for text in stripped if COMMA.fullmatch(text)]
    if not commas or any(_number(text) is not None for text in stripped if "." in text):
        return None
    with_points = [text.replace(",", ".") if COMMA.fullmatch(text) else text for text in stripped]
    if 2 * sum(_number(text) is not None for text in with_points) <= len(texts):
        return None
    return Commas(with_points, commas[0], all(map(THOUSANDS.fullmatch, commas)))


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
