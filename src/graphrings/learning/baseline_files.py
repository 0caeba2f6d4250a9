"""Baselines as files: the words that they count, and the arrays of their models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.learning.model_schema import (
    NAMES,
    SWITCH,
    TABLE,
    Entry,
    Schema,
    Table,
    check_entries,
    check_tensors,
    is_number,
    number,
    row,
    whole,
)
from graphrings.learning.persistence import (
    Tensors,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
)

# What scikit-learn documents as learned and needs to predict. Arrays, lists of arrays, plain data.
ARRAYS = {
    "mean_": "float64",
    "scale_": "float64",
    "var_": "float64",
    "coef_": "float64",
    "intercept_": "float64",
    "classes_": "int64",
}
LISTS = ("coefs_", "intercepts_")
FACTS: dict[str, Entry] = {
    "n_features_in_": whole(1),
    "n_samples_seen_": number(least=1),
    "n_layers_": whole(1),
    "n_outputs_": whole(1),
    "out_activation_": Entry("an activation", lambda v: v in ("identity", "logistic", "softmax")),
}
SCHEMA: Schema = {"words": NAMES, "labelled": SWITCH, "steps": row(TABLE, TABLE)}


def baseline_to_file(estimator: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted baseline holds."""
    facts: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for place, step in enumerate(steps(estimator.model_)):
        learned = vars(step)
        facts.append({name: plain(learned[name]) for name in FACTS if name in learned})
        arrays |= {f"{place}.{name}": learned[name] for name in ARRAYS if name in learned}
        for name in LISTS:
            for k, values in enumerate(learned.get(name, ())):
                arrays[f"{place}.{name}.{k}"] = values
    header = {
        "words": plain(estimator.words_),
        "labelled": estimator.labelled_,
        "steps": facts,
    }
    return header, {name: np.asarray(values) for name, values in arrays.items()}


def baseline_from_file(
    path: str | Path, kind: Any, header: dict[str, Any], tensors: Tensors
) -> Any:
    """A baseline of a class from what its file holds."""
    with damage_in_one_line(path):
        check_entries(header, SCHEMA)
        for facts in header["steps"]:
            check_entries(facts, {name: FACTS[name] for name in FACTS if name in facts}, "steps")
        estimator = unfitted(kind, header)
        estimator.words_ = list(restored(header["words"]))
        if not header["labelled"] and not (
            header["words"] and all(map(is_number, header["words"]))
        ):
            raise ValueError("its words are not degrees")
        estimator.labelled_ = bool(header["labelled"])
        estimator.model_ = estimator.build_model()
        for place, step in enumerate(steps(estimator.model_)):
            for name in FACTS:
                if name in header["steps"][place]:
                    setattr(step, name, header["steps"][place][name])
            for name, dtype in ARRAYS.items():
                if (tensor := tensors.get(f"{place}.{name}")) is not None:
                    check_tensors({name: tensor}, {name: Table(dtype, tensor.ndim)})
                    setattr(step, name, tensor)
            for name in LISTS:
                if f"{place}.{name}.0" in tensors:
                    setattr(step, name, listed(tensors, f"{place}.{name}"))
        # As many rows as there are no outputs: columns cannot pass for rows.
        n_outputs = estimator.coding_.n_outputs
        tried = estimator.outputs(np.zeros((n_outputs + 2, len(estimator.words_) + 1)))
        if tried.shape != (n_outputs + 2, n_outputs) or not np.isfinite(tried).all():
            raise ValueError("its model does not fit its targets")
    return estimator


def steps(pipeline: Any) -> Sequence[Any]:
    """The scaler and the model behind it."""
    return [step for _, step in pipeline.steps]


def listed(tensors: dict[str, Any], name: str) -> list[Any]:
    """The tensors name.0, name.1, ..."""
    n_arrays = sum(key.startswith(f"{name}.") for key in tensors)
    return [tensors[f"{name}.{k}"] for k in range(n_arrays)]
