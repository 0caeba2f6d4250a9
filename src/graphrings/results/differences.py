"""What makes two experiments of the same name different ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from graphrings.results.record import ExperimentCard, MethodCard


def differences(held: ExperimentCard, wanted: ExperimentCard) -> list[str]:
    """What differs in the meaning of a cell, each as ``held -> wanted``.

    Datasets and methods that only one of them has are no difference, nor are repetitions.
    """
    changes = []
    for key in ("task", "seed", "folds", "n_folds"):
        changes += _change(key, getattr(held, key), getattr(wanted, key))
    datasets = {card.name: card for card in held.datasets}
    for card in wanted.datasets:
        if card.name in datasets:
            known = datasets[card.name].fingerprint
            changes += _change(f"fingerprint of {card.name!r}", known, card.fingerprint)
    methods = {card.name: card for card in held.methods}
    for row in wanted.methods:
        if row.name in methods:
            changes += _method_changes(methods[row.name], row)
    return changes


def _method_changes(held: MethodCard, wanted: MethodCard) -> Iterator[str]:
    yield from _change(f"method of {held.name!r}", held.method, wanted.method)
    yield from _change(f"revision of {held.name!r}", held.revision, wanted.revision)
    yield from _mapping_changes(f"of {held.name!r}", held.settings, wanted.settings)
    yield from _mapping_changes(f"in the grid of {held.name!r}", held.grid, wanted.grid)


def _mapping_changes(
    where: str, held: Mapping[str, Any], wanted: Mapping[str, Any]
) -> Iterator[str]:
    for key in sorted(held.keys() | wanted.keys()):
        both = [_as_json(side[key]) if key in side else "none" for side in (held, wanted)]
        yield from _change(f"{key} {where}", *both)


def _change(what: str, held: object, wanted: object) -> list[str]:
    return [] if held == wanted else [f"{what}: {held} -> {wanted}"]


def _as_json(value: Any) -> str:
    """The value as JSON, which tells 1 from 1.0 and takes a tuple for a list."""
    return json.dumps(value, sort_keys=True)
