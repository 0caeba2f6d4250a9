"""Whether a value of a TOML file has the type that an estimator asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of an annotated type; true and false are no numbers, infinity neither."""
    inner = get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return any(fits(value, one) for one in inner)
    if hint is bool or isinstance(value, bool):
        return hint in (bool, Any) and isinstance(value, bool)
    if hint is float:
        return isinstance(value, int | float) and math.isfinite(value)
    if hint in (int, str):
        return isinstance(value, hint)
    if get_origin(hint) is Sequence:
        return isinstance(value, list) and all(fits(item, inner[0]) for item in value)
    if get_origin(hint) is tuple:
        return isinstance(value, list) and len(value) == len(inner) and all(map(fits, value, inner))
    return is_plain(value)


def is_plain(value: Any) -> bool:
    """Whether JSON can say it as well: no dates, no infinities."""
    if isinstance(value, dict):
        return all(map(is_plain, value.values()))
    if isinstance(value, list):
        return all(map(is_plain, value))
    return isinstance(value, str | int) or (isinstance(value, float) and math.isfinite(value))
