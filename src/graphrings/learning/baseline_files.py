"""Baselines as files: the words that they count, and the arrays of their models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.learning.persistence import (
    Tensors,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
)

# What scikit-learn documents as learned and needs to predict. Arrays, lists of arrays, plain data.
ARRAYS = ("mean_", "scale_", "var_", "coef_", "intercept_", "classes_")
LISTS = ("coefs_", "intercepts_")
PLAIN = ("n_features_in_", "n_samples_seen_", "n_layers_", "n_outputs_", "out_activation_")


def baseline_to_file(estimator: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted baseline holds."""
    facts: list[dict[str, Any]] = []
    arrays: dict[str, Any] = {}
    for place, step in enumerate(steps(estimator.model_)):
        learned = vars(step)
        facts.append({name: plain(learned[name]) for name in PLAIN if name in learned})
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
        estimator = unfitted(kind, header)
        estimator.check()
        estimator.words_ = list(restored(header["words"]))
        estimator.labelled_ = bool(header["labelled"])
        estimator.model_ = estimator.build_model()
        for place, step in enumerate(steps(estimator.model_)):
            for name, value in header["steps"][place].items():
                setattr(step, name, restored(value))
            for name in ARRAYS:
                if f"{place}.{name}" in tensors:
                    setattr(step, name, tensors[f"{place}.{name}"])
            for name in LISTS:
                if f"{place}.{name}.0" in tensors:
                    setattr(step, name, listed(tensors, f"{place}.{name}"))
        tried = estimator.outputs(np.zeros((1, len(estimator.words_) + 1)))
        if tried.shape != (1, estimator.coding_.n_outputs):
            raise ValueError("its model does not fit its targets")
    return estimator


def steps(pipeline: Any) -> Sequence[Any]:
    """The scaler and the model behind it."""
    return [step for _, step in pipeline.steps]


def listed(tensors: dict[str, Any], name: str) -> list[Any]:
    """The tensors name.0, name.1, ..."""
    n_arrays = sum(key.startswith(f"{name}.") for key in tensors)
    return [tensors[f"{name}.{k}"] for k in range(n_arrays)]
