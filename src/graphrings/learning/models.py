"""Saved models of any kind."""

from __future__ import annotations

from pathlib import Path

from graphrings.errors import ModelError
from graphrings.learning import kernel_files, persistence
from graphrings.learning.classifier import DGCNNClassifier, PGCClassifier, ReleasedPGCClassifier
from graphrings.learning.kernel_classifier import KernelClassifier
from graphrings.learning.network_classifier import NetworkClassifier
from graphrings.learning.network_estimator import NetworkEstimator

NETWORKS = {
    kind.__name__: kind
    for kind in (PGCClassifier, DGCNNClassifier, ReleasedPGCClassifier, NetworkClassifier)
}
KERNELS = {KernelClassifier.__name__: KernelClassifier}


def load_model(path: str | Path) -> NetworkEstimator | KernelClassifier:
    """Read a saved model, whichever estimator it is of."""
    name = persistence.read(path)[0].get("estimator")
    if name in NETWORKS:
        return persistence.load(path, NETWORKS)  # type: ignore[no-any-return]
    if name in KERNELS:
        return kernel_files.load(path, KernelClassifier)  # type: ignore[no-any-return]
    raise ModelError(f"{path}: a model of {name}; expected {' or '.join({**NETWORKS, **KERNELS})}")
