"""Networks as files: their weights, and what they know of features and training graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from graphrings.graphs.features import Features
from graphrings.learning.model_schema import (
    NAMES,
    TABLE,
    TEXT,
    Schema,
    check_entries,
    listed,
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
from graphrings.learning.trainer import reproducible

SCHEMA: Schema = {
    "features": {
        "kind": TEXT,
        "label_names": NAMES,
        "pairs": listed(row(whole(-1), whole(-1))),
        "mean": listed(number()),
        "scale": listed(number(least=0)),
        "hashed": whole(),
    },
    "measures": TABLE,
}
LARGEST_MEASURE = 1_000_000  # nodes of a graph to be kept


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
        check_entries(header, SCHEMA)
        estimator = unfitted(kind, header)
        estimator.features_ = Features(**{k: restored(v) for k, v in header["features"].items()})
        estimator.measures_ = {k: restored(v) for k, v in header["measures"].items()}
        estimator.features_.check()
        check_weights(estimator, tensors)
        with reproducible(0):
            estimator.network_ = estimator.build_network()
        estimator.network_.load_state_dict({k: torch.from_numpy(v) for k, v in tensors.items()})
    return estimator


def check_weights(estimator: Any, tensors: Tensors) -> None:
    """Refuse weights that are not those of the network, before it takes memory; ValueError."""
    for name, value in estimator.measures_.items():
        if isinstance(value, int) and not 0 < value <= LARGEST_MEASURE:
            raise ValueError(f"measures.{name} is not a whole number from 1 to {LARGEST_MEASURE:,}")
    with torch.device("meta"):  # shapes without content
        wanted = estimator.build_network().state_dict()
    for name in wanted.keys() ^ tensors.keys():
        raise ValueError(f"the tensor {name} is missing, or is not one of this network")
    for name, values in wanted.items():
        tensor = torch.from_numpy(tensors[name])
        if (tensor.dtype, tensor.shape) != (values.dtype, values.shape):
            raise ValueError(
                f"the tensor {name} is {tensors[name].dtype} of shape {tuple(tensor.shape)}; "
                f"expected {str(values.dtype).removeprefix('torch.')} of {tuple(values.shape)}"
            )
