"""Saved models of any kind."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from graphrings.learning import named_networks as named
from graphrings.learning import persistence
from graphrings.learning.baseline import BaselineClassifier, BaselineRegressor
from graphrings.learning.boosting import BoostingClassifier, BoostingRegressor
from graphrings.learning.estimator import GraphEstimator
from graphrings.learning.forests import ForestClassifier, ForestRegressor
from graphrings.learning.kernel_estimators import KernelClassifier, KernelRegressor
from graphrings.learning.network_estimators import NetworkClassifier, NetworkRegressor

KINDS = {
    kind.__name__: kind
    for kind in (
        *(NetworkClassifier, NetworkRegressor, KernelClassifier, KernelRegressor),
        *(ForestClassifier, ForestRegressor, BoostingClassifier, BoostingRegressor),
        *(BaselineClassifier, BaselineRegressor),
        *(named.PGCClassifier, named.DGCNNClassifier, named.ReleasedPGCClassifier),
        *(named.PGCRegressor, named.DGCNNRegressor, named.ReleasedPGCRegressor),
    )
}


# A room above this one: it is named here, and imported by whoever has such a file.
COMMITTEES = ("CommitteeClassifier", "CommitteeRegressor")


def load_model(path: str | Path) -> GraphEstimator:
    """Read a saved model, whichever estimator it is of; ``card_`` is what it says of itself."""
    model: GraphEstimator = persistence.load(path, Kinds())
    return model


class Kinds(dict[str, Any]):
    """The classes of models by name; that of a committee is imported when it is asked for."""

    def __init__(self) -> None:
        super().__init__({**KINDS, **dict.fromkeys(COMMITTEES)})

    def __getitem__(self, name: str) -> Any:
        if name in COMMITTEES:
            return getattr(import_module("graphrings.committees.estimators"), name)
        return super().__getitem__(name)
