"""The cells of a user's table, which are text, as the numbers that they stand for.

Where a file says of what type its columns are, that is what they are. Elsewhere a column is one of
numbers if the first rows are. A number with leading zeros is none: it is somebody's identifier.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from graphrings.graphs.tables.table import Rows
from graphrings.graphs.tables.targets import is_missing

WHOLE = re.compile(r"-?(?:0|[1-9]\d*)")
NUMBER = re.compile(WHOLE.pattern + r"(?:\.\d*)?(?:[eE][+-]?\d+)?")
TRUTH = {"true": True, "false": False}
LARGEST = 2**63  # whole numbers beyond it are no int64


def column_types(rows: Rows, known: Mapping[str, type[Any]]) -> dict[str, type[Any]]:
    """The type of every column: as it is known, or else by its cells."""
    return {
        name: known[name] if name in known else guessed(rows.column(name)) for name in rows.columns
    }


def guessed(cells: Iterable[str]) -> type[Any]:
    """The type of cells: whole numbers, numbers, or else text; empty ones say nothing."""
    kinds = {type(typed(cell.strip(), float)) for cell in cells if not is_missing(cell)}
    if not kinds or str in kinds:
        return str
    return int if kinds == {int} else float


def typed(text: Any, kind: type[Any]) -> Any:
    """A cell as what the column holds; None where it is empty, and text where it is not that."""
    if kind is str or not isinstance(text, str):
        return text
    if is_missing(text):
        return None
    if kind is bool:
        return TRUTH.get(text, text)
    if WHOLE.fullmatch(text):
        return int(text) if -LARGEST <= int(text) < LARGEST else text
    number = float(text) if NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else text


def common_type(kinds: Iterable[type[Any]]) -> type[Any]:
    """What a column holds in which cells of these types were seen."""
    different = set(kinds)
    if len(different) == 1:
        return different.pop()
    return float if different == {int, float} else str
