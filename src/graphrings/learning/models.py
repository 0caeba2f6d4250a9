"""Saved models of any kind."""

from __future__ import annotations

from pathlib import Path

from graphrings.learning import named_networks as named
from graphrings.learning import persistence
from graphrings.learning.forests import Forest, ForestClassifier, ForestRegressor
from graphrings.learning.kernel_estimators import KernelClassifier, KernelEstimator, KernelRegressor
from graphrings.learning.network_estimators import (
    NetworkClassifier,
    NetworkEstimator,
    NetworkRegressor,
)

KINDS = {
    kind.__name__: kind
    for kind in (
        *(NetworkClassifier, NetworkRegressor, KernelClassifier, KernelRegressor),
        *(ForestClassifier, ForestRegressor),
        *(named.PGCClassifier, named.DGCNNClassifier, named.ReleasedPGCClassifier),
        *(named.PGCRegressor, named.DGCNNRegressor, named.ReleasedPGCRegressor),
    )
}


def load_model(path: str | Path) -> NetworkEstimator | KernelEstimator | Forest:
    """Read a saved model, whichever estimator it is of."""
    model: NetworkEstimator | KernelEstimator | Forest = persistence.load(path, KINDS)
    return model
