"""Saved models of any kind."""

from __future__ import annotations

from pathlib import Path

from graphrings.learning import named_networks as named
from graphrings.learning import persistence
from graphrings.learning.baseline import BaselineClassifier, BaselineRegressor
from graphrings.learning.estimator import GraphEstimator
from graphrings.learning.forests import ForestClassifier, ForestRegressor
from graphrings.learning.kernel_estimators import KernelClassifier, KernelRegressor
from graphrings.learning.network_estimators import NetworkClassifier, NetworkRegressor

KINDS = {
    kind.__name__: kind
    for kind in (
        *(NetworkClassifier, NetworkRegressor, KernelClassifier, KernelRegressor),
        *(ForestClassifier, ForestRegressor),
        *(BaselineClassifier, BaselineRegressor),
        *(named.PGCClassifier, named.DGCNNClassifier, named.ReleasedPGCClassifier),
        *(named.PGCRegressor, named.DGCNNRegressor, named.ReleasedPGCRegressor),
    )
}


def load_model(path: str | Path) -> GraphEstimator:
    """Read a saved model, whichever estimator it is of; ``card_`` is what it says of itself."""
    model: GraphEstimator = persistence.load(path, KINDS)
    return model
