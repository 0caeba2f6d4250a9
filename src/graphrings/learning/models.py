"""Saved models of any kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphrings.learning import persistence

if TYPE_CHECKING:
    from graphrings.learning.estimator import GraphEstimator

MODULES = {
    "learning.network_estimators": ("Network",),
    "learning.kernel_estimators": ("Kernel",),
    "learning.forests": ("Forest",),
    "learning.boosting": ("Boosting",),
    "learning.baseline": ("Baseline",),
    "learning.named_networks": ("PGC", "DGCNN", "ReleasedPGC"),
}
# A room above this one: it is named here, and imported by whoever has such a file.
COMMITTEES = {"committees.estimators": ("Committee",)}
TASKS = ("Classifier", "Regressor")


class Kinds(Mapping[str, Any]):
    """The classes of models by name, each imported when it is asked for: few need torch."""

    def __init__(self, modules: Mapping[str, tuple[str, ...]]) -> None:
        self._modules = {
            f"{family}{task}": f"graphrings.{module}"
            for module, families in modules.items()
            for family in families
            for task in TASKS
        }

    def __getitem__(self, name: str) -> Any:
        return getattr(import_module(self._modules[name]), name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __len__(self) -> int:
        return len(self._modules)


KINDS = Kinds(MODULES)


def load_model(path: str | Path) -> GraphEstimator:
    """Read a saved model, whichever estimator it is of; ``card_`` is what it says of itself."""
    model: GraphEstimator = persistence.load(path, Kinds({**MODULES, **COMMITTEES}))
    return model
