"""Committees as files: what the file of every member would hold, one after the other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphrings.learning.calibration import Calibration
from graphrings.learning.model_schema import (
    CALIBRATION,
    TABLE,
    Schema,
    Table,
    check_entries,
    check_tensors,
    listed,
    optional,
)
from graphrings.learning.models import KINDS
from graphrings.learning.persistence import Tensors, damage_in_one_line, description, unfitted
from graphrings.settings import FAR

CALIBRATIONS = "calibrations_"
WEIGHTS = "weights_"


SCHEMA: Schema = {
    "members": listed(TABLE, FAR),
    "calibrations": listed(optional(TABLE), FAR),
}


def members_to_file(committee: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted committee holds."""
    headers, tensors = [], {WEIGHTS: np.array(committee.weights_)}
    for k, member in enumerate(committee.members_):
        own, arrays = member.to_file()
        headers.append({**description(member), **own})
        tensors |= {f"{k}.{name}": array for name, array in arrays.items()}
    known = getattr(committee, CALIBRATIONS, [])
    calibrations = [None if one is None else one.facts() for one in known]
    return {"members": headers, "calibrations": calibrations}, tensors


def members_from_file(path: str | Path, kind: Any, header: dict[str, Any], tensors: Tensors) -> Any:
    """A committee of a class from what its file holds."""
    with damage_in_one_line(path):
        check_entries(header, SCHEMA)
        check_tensors(tensors, {WEIGHTS: Table("float64", 1)})
        committee = unfitted(kind, header)
        committee.members_ = []
        for k, member in enumerate(header["members"]):
            prefix = f"{k}."
            own = {n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)}
            committee.members_.append(KINDS[member["estimator"]].from_file(path, member, own))
        committee.weights_ = tensors[WEIGHTS]
        if header["calibrations"]:
            n_classes = committee.coding_.n_outputs
            for facts in header["calibrations"]:
                check_entries(facts or {}, CALIBRATION if facts is not None else {}, "calibrations")
            committee.calibrations_ = [
                None if facts is None else Calibration.from_facts(facts, n_classes)
                for facts in header["calibrations"]
            ]
        check_together(committee)
    return committee


def check_together(committee: Any) -> None:
    """Refuse members that are of another task, or other in number than weights are."""
    calibrations = getattr(committee, CALIBRATIONS, committee.members_)
    if (
        len(committee.members_) == 0
        or committee.weights_.shape != (len(committee.members_),)
        or len(calibrations) != len(committee.members_)
        or not np.isfinite(committee.weights_).all()
        or any(member.task is not committee.task for member in committee.members_)
        or not all(_answers_as(member, committee) for member in committee.members_)
    ):
        raise ValueError("its members do not fit its weights and targets")


def _answers_as(member: Any, committee: Any) -> bool:
    """Whether a member has as many outputs, and knows the classes by their numbers."""
    n_outputs = committee.coding_.n_outputs
    if member.coding_.n_outputs != n_outputs:
        return False
    return not hasattr(member, "classes_") or _are_numbers(member.classes_, n_outputs)


def _are_numbers(classes: Any, n_classes: int) -> bool:
    numbers = np.asarray(classes)
    return numbers.dtype.kind == "i" and np.array_equal(numbers, np.arange(n_classes))
