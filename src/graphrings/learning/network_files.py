"""Networks as files: their weights, and what they know of features and training graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from graphrings.graphs.features import Features
from graphrings.learning.persistence import (
    Tensors,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
)
from graphrings.learning.trainer import reproducible


def network_to_file(estimator: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted network holds."""
    header = {
        "features": {name: plain(value) for name, value in vars(estimator.features_).items()},
        "measures": {name: plain(value) for name, value in estimator.measures_.items()},
    }
    weights = estimator.network_.state_dict()
    return header, {name: values.detach().cpu().numpy() for name, values in weights.items()}


def network_from_file(path: str | Path, kind: Any, header: dict[str, Any], tensors: Tensors) -> Any:
    """A network of a class from what its file holds."""
    with damage_in_one_line(path):
        estimator = unfitted(kind, header)
        estimator.features_ = Features(**{k: restored(v) for k, v in header["features"].items()})
        estimator.measures_ = {k: restored(v) for k, v in header["measures"].items()}
        with reproducible(0):
            estimator.network_ = estimator.build_network()
        estimator.network_.load_state_dict({k: torch.from_numpy(v) for k, v in tensors.items()})
    return estimator
