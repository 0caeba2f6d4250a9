"""Saved models of any kind."""

from __future__ import annotations

from pathlib import Path

from graphrings.learning import persistence
from graphrings.learning.classifier import DGCNNClassifier, PGCClassifier, ReleasedPGCClassifier
from graphrings.learning.kernel_classifier import KernelClassifier
from graphrings.learning.network_classifier import NetworkClassifier
from graphrings.learning.network_estimator import NetworkEstimator

NETWORKS = PGCClassifier, DGCNNClassifier, ReleasedPGCClassifier, NetworkClassifier
KINDS = {kind.__name__: kind for kind in (*NETWORKS, KernelClassifier)}


def load_model(path: str | Path) -> NetworkEstimator | KernelClassifier:
    """Read a saved model, whichever estimator it is of."""
    found: NetworkEstimator | KernelClassifier = persistence.load_any(path, KINDS)
    return found
