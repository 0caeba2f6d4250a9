"""Which data of nodes and edges are labels and which are attributes, where nobody says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np

from graphrings.graphs.natural_order import natural_key

AUTO = "auto"
MISSING = object()  # stands where a node or an edge has no such data
USUAL = {"node": ("label", "node_label"), "edge": ("label", "edge_label", "bond_type")}
USUAL_ATTRIBUTES = re.compile(r"attributes|attribute_\d+")  # what we call them ourselves
LARGEST_NUMBER = 2**63
LARGEST_NAME = 255  # whole numbers from 0 up to this may be names as well as numbers

NAMES, SMALL, WHOLE, NUMBERS, VECTORS = "names", "small", "whole", "numbers", "vectors"
NUMERIC = (SMALL, WHOLE, NUMBERS, VECTORS)


@dataclass(frozen=True)
class Choice:
    """The key of the label, those of attributes, and in words what was left, with the reason."""

    label: str | None
    attributes: tuple[str, ...]
    left: tuple[str, ...] = ()


def choose(
    of: str,
    columns: Mapping[str, Sequence[Any]],
    label: str | None,
    attributes: str | Sequence[str] | None,
) -> Choice:
    """Choose among the data of all nodes, or of all edges; what is not ``auto`` is chosen already.

    The label is the data of a usual name, such as ``label``, else the only data that are not
    numbers, else the only whole numbers from 0 to 255. All other numbers, and vectors of them, are
    attributes, in the natural order of their names. Data that some nodes lack are left.
    """
    kinds = {key: kind_of(columns[key]) for key in sorted(columns, key=natural_key)}
    if attributes is None or attributes != AUTO:
        chosen = (attributes,) if isinstance(attributes, str) else tuple(attributes or ())
        free = {key: kind for key, kind in kinds.items() if key not in chosen}
        found = find_label(of, free, columns) if label == AUTO else label
        taken = {found, *chosen}
        return Choice(found, chosen, _left(of, columns, kinds, taken, label == AUTO))
    found = find_label(of, kinds, columns) if label == AUTO else label
    numeric = [key for key, kind in kinds.items() if kind in NUMERIC and key != found]
    return Choice(
        found,
        tuple(numeric),
        _left(of, columns, kinds, {found, *numeric}, label == AUTO),
    )


def find_label(
    of: str, kinds: Mapping[str, str | None], columns: Mapping[str, Sequence[Any]]
) -> str | None:
    """The key of the label, if there is one that nothing rivals.

    Under a usual name anything is a label but real numbers and what cannot be hashed.
    """
    for usual in USUAL[of]:
        if kinds.get(usual) not in (None, NUMBERS) and _is_hashable(columns[usual]):
            return usual
    for kind in (NAMES, SMALL):
        keys = [key for key, own in kinds.items() if own == kind]
        if keys:
            return keys[0] if len(keys) == 1 else None
    return None


def is_usual(key: str) -> bool:
    """Whether data are called what everybody calls them, so that nothing need be said."""
    labels = (name for names in USUAL.values() for name in names)
    return key in labels or USUAL_ATTRIBUTES.fullmatch(key) is not None


def kind_of(values: Iterable[Any]) -> str | None:
    """What a column holds; None if it serves neither as a label nor as an attribute."""
    types = {type(value) for value in values}
    if object in types:  # the type of MISSING
        return None
    if all(issubclass(kind, Integral | np.bool_) for kind in types):
        column = [int(value) for value in values]
        small = min(column, default=0) >= 0 and max(column, default=0) <= LARGEST_NAME
        if max(map(abs, column), default=0) > LARGEST_NUMBER:
            return None
        return SMALL if small else WHOLE
    if all(issubclass(kind, Real) for kind in types):
        return NUMBERS if all(np.isfinite(float(value)) for value in values) else None
    if all(issubclass(kind, list | tuple | np.ndarray) for kind in types) and _are_rows(values):
        return VECTORS
    return NAMES if _is_hashable(values) else None


def _is_hashable(values: Iterable[Any]) -> bool:
    try:
        return len(set(values)) > 0
    except TypeError:
        return False


def _are_rows(values: Iterable[Any]) -> bool:
    try:
        table = np.array([np.asarray(value, dtype=np.float64) for value in values])
    except (TypeError, ValueError, OverflowError):
        return False
    return table.ndim == 2 and bool(np.isfinite(table).all())


def _left(
    of: str,
    columns: Mapping[str, Sequence[Any]],
    kinds: Mapping[str, str | None],
    taken: set[str | None],
    label_was_free: bool,
) -> tuple[str, ...]:
    """What was looked at and not taken, with the reason."""
    words = []
    for key in kinds:
        if key in taken:
            continue
        missing = sum(value is MISSING for value in columns[key])
        if missing:
            words.append(f"{of} {key!r}, which {missing:,} of {len(columns[key]):,} {of}s lack")
        elif kinds[key] == NAMES and label_was_free:
            words.append(f"{of} {key!r}, since several could be the label: name one")
        elif kinds[key] is None:
            words.append(f"{of} {key!r}, which is neither a name nor finite numbers")
    return tuple(words)
