"""What the header and the tensors of a model file must look like, as data.

A schema says of every entry what it may be; entries that it does not name are left alone. It is
checked before anything is built, so that what is built later need not doubt its types and lengths.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.arrays import is_plain_name
from graphrings.settings import LARGEST

Tensors = Mapping[str, NDArray[Any]]
DEEPEST = 12  # what is nested in what is nested
UNBOUNDED = ("thresholds",)  # tensors in which a number may be infinite
SQUARES = ("running_var",)  # tensors in which a number is at least 0


class Entry(NamedTuple):
    """What may stand at a place of a header, in words and as a check."""

    words: str
    good: Callable[[Any], bool]


Schema = Mapping[str, "Entry | Schema"]


class Table(NamedTuple):
    """The type and the number of dimensions of a tensor."""

    dtype: str
    n_dimensions: int


def check_entries(values: Any, schema: Schema, place: str = "") -> None:
    """Refuse a header with an entry that is missing or wrong; ValueError says which."""
    if not isinstance(values, dict):
        raise ValueError(f"{place or 'its header'} is no table")
    for name, wanted in schema.items():
        where = f"{place}.{name}" if place else name
        if name not in values:
            raise ValueError(f"{where} is missing")
        if isinstance(wanted, Entry):
            if not wanted.good(values[name]):
                raise ValueError(f"{where} is not {wanted.words}")
        else:
            check_entries(values[name], wanted, where)


def check_tensors(tensors: Tensors, tables: Mapping[str, Table]) -> None:
    """Refuse tensors that are missing, or of another type or another number of dimensions."""
    for name, (dtype, n_dimensions) in tables.items():
        if name not in tensors:
            raise ValueError(f"the tensor {name} is missing")
        tensor = tensors[name]
        if (tensor.dtype.name, tensor.ndim) != (dtype, n_dimensions):
            raise ValueError(
                f"the tensor {name} is {tensor.dtype} of {tensor.ndim} dimensions; "
                f"expected {dtype} of {n_dimensions}"
            )


def check_numbers(tensors: Tensors) -> None:
    """Refuse tensors that hold something else than finite numbers, or variances below 0."""
    for name, tensor in tensors.items():
        if tensor.dtype.kind not in "iuf":
            raise ValueError(f"the tensor {name} is {tensor.dtype}; expected numbers")
        last = name.split(".")[-1]
        good = np.isfinite(tensor) if last not in UNBOUNDED else tensor == tensor
        if not good.all():
            raise ValueError(f"the tensor {name} has entries that are not finite numbers")
        if last in SQUARES and (tensor < 0).any():
            raise ValueError(f"the tensor {name} has entries below 0")


def whole(least: int = 0, most: int = LARGEST) -> Entry:
    """A whole number."""
    return Entry(f"a whole number from {least}", lambda v: type(v) is int and least <= v <= most)


def number(least: float = -math.inf, most: float = math.inf) -> Entry:
    """A finite number."""
    return Entry("a number in its range", lambda v: is_number(v) and least <= v <= most)


def listed(entry: Entry, most: int = LARGEST) -> Entry:
    """A list in which every entry is good."""
    return Entry(
        f"a list in which each is {entry.words}",
        lambda v: isinstance(v, list) and len(v) <= most and all(map(entry.good, v)),
    )


def optional(entry: Entry) -> Entry:
    """Nothing, or that."""
    return Entry(f"nothing, or {entry.words}", lambda v: v is None or entry.good(v))


def row(*entries: Entry) -> Entry:
    """A list of some entries, each of its own kind."""
    words = " and ".join(entry.words for entry in entries)
    return Entry(
        f"a list of {words}",
        lambda v: (
            isinstance(v, list)
            and len(v) == len(entries)
            and all(entry.good(part) for entry, part in zip(entries, v, strict=True))
        ),
    )


def is_number(value: Any) -> bool:
    """Whether JSON has read a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def is_plain(value: Any, depth: int = DEEPEST) -> bool:
    """Whether a value of JSON is not nested too deeply; numbers may be any."""
    if isinstance(value, list):
        return depth > 0 and all(is_plain(part, depth - 1) for part in value)
    if isinstance(value, dict):
        return depth > 0 and all(is_plain(part, depth - 1) for part in value.values())
    return True


def are_names(value: Any) -> bool:
    """Whether a list holds names of classes or labels, none of them twice."""
    if not isinstance(value, list) or not all(map(is_plain_name, value)):
        return False
    return len({as_name(name) for name in value}) == len(value)


def as_name(value: Any) -> Any:
    """A name as it is once it was read: lists are tuples."""
    return tuple(map(as_name, value)) if isinstance(value, list) else value


TEXT = Entry("text", lambda v: isinstance(v, str))
SWITCH = Entry("true or false", lambda v: isinstance(v, bool))
NAMES = Entry("a list of different names", are_names)
TABLE = Entry("a table of plain values", lambda v: isinstance(v, dict) and is_plain(v))
PLAIN = Entry("a plain value", is_plain)
SHARED: Schema = {  # of every estimator, also of a member of a committee
    "estimator": TEXT,
    "settings": TABLE,
    "coding": TABLE,
    "calibration": optional(TABLE),
}
CALIBRATION: Schema = {
    "method": TEXT,
    "learned_on": TEXT,
    "n_graphs": whole(),
    "log_loss_before": number(),
    "log_loss": number(),
    "weights": listed(listed(number())),
}
REMEMBERED: Schema = {  # of every file
    "domain": {
        "n_graphs": whole(),
        "threshold": number(0, 1),
        "label_names": NAMES,
        "edge_label_names": NAMES,
    },
    "trained_on": TABLE,
    "fingerprint": TEXT,
    "chemistry": optional(TABLE),
    "card": TABLE,
}
DOMAIN = {"bounds": Table("int64", 1), "codes": Table("int32", 1), "counts": Table("int16", 1)}
