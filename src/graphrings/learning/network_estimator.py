"""What all networks share as scikit-learn estimators: one fit, predictions, a file."""

from __future__ import annotations

import operator
import warnings
from abc import abstractmethod
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted
from torch import nn

from graphrings.adapters.anything import as_selection
from graphrings.distances.levels_as_arrays import levels_from_arrays, levels_to_arrays
from graphrings.distances.rings import rings
from graphrings.distances.weights import by_colour
from graphrings.errors import DatasetError, InterruptedWarning
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.features import PARTS, fit_features
from graphrings.graphs.selection import Selection
from graphrings.layers.activations import ACTIVATIONS
from graphrings.learning import persistence
from graphrings.learning.classes import class_names
from graphrings.learning.estimator import GraphClassifier
from graphrings.learning.progress import TrainingProgress
from graphrings.learning.trainer import Plan, Share, reproducible, scores, train
from graphrings.networks.batches import Batcher
from graphrings.networks.network import Network, build
from graphrings.settings import Checks

LARGEST_SEED = 2**31 - 1
RINGS_SHOWN = 3  # whose sizes are features


def ring_sizes(dataset: Dataset) -> NDArray[Any]:
    """The sizes of the rings around every node, the node itself left out."""
    return rings(dataset, RINGS_SHOWN).sizes[:, 1:]


def _counts(value: Any) -> bool:
    return operator.index(value) >= 1


CHECKS: Checks = {
    "features": (
        f"auto, or {', '.join(PARTS)} joined by +",
        lambda v: v == "auto" or set(str(v).split("+")) <= set(PARTS),
    ),
    "channels": (
        "one or more whole numbers above 0",
        lambda v: len(v) > 0 and all(map(_counts, v)),
    ),
    "conv_channels": (
        "two whole numbers above 0",
        lambda v: len(v) == 2 and all(map(_counts, v)),
    ),
    "dense": ("a whole number above 0", _counts),
    "dropout": ("a number from 0 to below 1", lambda v: 0 <= v < 1),
    "learning_rate": ("a number above 0", lambda v: v > 0),
    "batch_size": ("a whole number above 0", _counts),
    "max_epochs": ("a whole number above 0", _counts),
    "patience": ("a whole number above 0", _counts),
    "quantile": ("auto, or a number above 0 and up to 1", lambda v: v == "auto" or 0 < v <= 1),
    "validation_fraction": ("a number from 0 to below 1", lambda v: 0 <= v < 1),
    "class_weight": (
        "None, balanced, or a dictionary",
        lambda v: v is None or isinstance(v, dict) or v == "balanced",
    ),
    "activation": (f"one of {', '.join(ACTIVATIONS)}", lambda v: v in ACTIVATIONS),
    "ties": ("all or last", lambda v: v in ("all", "last")),
}


class NetworkEstimator(GraphClassifier):
    """What all networks share: from graphs to batches, one training, predictions, a file.

    A subclass says which network it is and what its settings are, beside these:

    Args:
        features: what a node shows: ``auto``, or parts of ``label``, ``degree``, ``attributes``,
            ``ring-sizes`` (of rings 1 to 3) and ``constant`` joined by ``+``.
        learning_rate, batch_size, max_epochs, patience: of the training.
        validation_fraction: of the training graphs, held out for early stopping.
        class_weight: None, ``balanced``, or a dictionary with a weight for every class.
        random_state: a seed; the same one gives the same fit to the last bit.
        verbose: whether to show a progress bar.

    """

    checks = CHECKS

    def __init__(
        self,
        *,
        features: str = "auto",
        learning_rate: float = 3e-4,
        batch_size: int = 50,
        max_epochs: int = 300,
        patience: int = 30,
        validation_fraction: float = 0.1,
        class_weight: Any = None,
        random_state: Any = None,
        verbose: bool = False,
    ) -> None:
        self.features = features
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.max_epochs = max_epochs
        self.patience = patience
        self.validation_fraction = validation_fraction
        self.class_weight = class_weight
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, graphs: Any, y: Any = None, *, validation: Any = None) -> Self:
        """Train on graphs and their classes; a Dataset brings its own.

        ``validation`` are graphs for early stopping, as a pair (graphs, y) or a Dataset; without
        it a share of the training graphs is held out.
        """
        chosen, targets = self._learn_classes(graphs, y)
        seed = int(check_random_state(self.random_state).randint(LARGEST_SEED))
        kept, held_out = np.arange(len(chosen)), np.arange(0)
        if validation is None:
            kept, held_out = self._split(targets, seed)
        trained_on = chosen.dataset[chosen.graphs[kept]]
        self.features_ = fit_features(trained_on, self._kind(trained_on), ring_sizes)
        self.measures_ = self._network_class().measure(trained_on, **self._network_settings())
        self.fingerprint_ = chosen.cut_out().fingerprint
        with reproducible(seed):
            self.network_ = self._build()
            training = self._share(chosen, targets)
            checking = replace(training, graphs=chosen.graphs[held_out])
            training = replace(training, graphs=chosen.graphs[kept])
            if validation is not None:
                checking = self._validation_share(validation)
            n_epochs = self.max_epochs * self.network_.stages
            with TrainingProgress(n_epochs, self.verbose) as progress:
                self.history_ = train(
                    self.network_,
                    training,
                    checking,
                    self._plan(),
                    np.random.default_rng(seed),
                    self._class_weights(targets[kept]),
                    progress.show,
                )
        if self.history_.interrupted:
            warnings.warn(
                f"interrupted in epoch {len(self.history_.epochs) + 1}; the best weights so far, "
                f"of epoch {self.history_.best + 1}, are kept",
                InterruptedWarning,
                stacklevel=2,
            )
        return self

    def decision_function(self, graphs: Any) -> NDArray[np.float32]:
        """The scores of every class, or for two classes how much the second is ahead."""
        found = self._scores(graphs)
        return found[:, 1] - found[:, 0] if len(self.classes_) == 2 else found

    def predict_proba(self, graphs: Any) -> NDArray[np.float32]:
        """The probability of every class."""
        return torch.softmax(torch.from_numpy(self._scores(graphs)), dim=1).numpy()

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class."""
        found = self._scores(graphs)
        return self.classes_[found.argmax(axis=1)]  # type: ignore[no-any-return]

    def save(self, path: str | Path) -> None:
        """Write the model to a safetensors file, in one step."""
        check_is_fitted(self, "network_")
        persistence.save(path, self)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a model that ``save`` has written."""
        found: Self = persistence.load(path, cls)
        return found

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        found: Self = persistence.network_from_file(path, cls, header, tensors)
        return found

    def _scores(self, graphs: Any) -> NDArray[np.float32]:
        check_is_fitted(self, "network_")
        chosen = as_selection(graphs)
        with reproducible(0):
            found = scores(self.network_, self._batcher(chosen), chosen.graphs)
        return found.numpy()

    def _batcher(self, chosen: Selection) -> Batcher:
        """Batches of a dataset; its structure is the same for all selections of it."""
        dataset, view = chosen.dataset, self.network_.view
        start, table = self.features_.apply(dataset, ring_sizes)
        arrays = chosen.cache.get(
            f"{view!r} of {self.features_.kind}", lambda: levels_to_arrays(view(dataset, start))
        )
        levels = levels_from_arrays(arrays)
        return Batcher(levels, table[by_colour(levels, 0, start)])

    def _share(self, chosen: Selection, targets: NDArray[np.int64]) -> Share:
        """Selected graphs to train on or to check; the classes of the others stay unknown."""
        known = np.full(len(chosen.dataset), -1, dtype=np.int64)
        known[chosen.graphs] = targets
        return Share(self._batcher(chosen), chosen.graphs, known)

    def _build(self) -> Network:
        network = build(
            self._network_class(),
            (self.features_.width, len(self.classes_)),
            self.measures_,
            self._network_settings(),
        )
        for module in network.modules():
            if isinstance(module, nn.Linear):
                nn.init.xavier_uniform_(module.weight)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        return network

    @abstractmethod
    def _network_class(self) -> type[Network]:
        """The network."""

    @abstractmethod
    def _network_settings(self) -> dict[str, Any]:
        """The settings of the network, and of what it measures."""

    def _plan(self) -> Plan:
        return Plan(self.learning_rate, self.batch_size, self.max_epochs, self.patience)

    def _kind(self, training: Dataset) -> str:
        """The features to learn."""
        del training
        return self.features

    def _split(
        self, targets: NDArray[np.int64], seed: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Hold out a stratified share, if every class can have a graph on both sides."""
        n, n_classes = len(targets), len(self.classes_)
        n_held_out = round(self.validation_fraction * n)
        if self.validation_fraction == 0:
            return np.arange(n), np.empty(0, dtype=np.int64)
        if np.bincount(targets).min() >= 2 and n_classes <= n_held_out <= n - n_classes:
            split = StratifiedShuffleSplit(1, test_size=n_held_out, random_state=seed)
            training, held_out = next(split.split(targets, targets))
            return np.sort(training), np.sort(held_out)
        return np.arange(n), np.empty(0, dtype=np.int64)

    def _validation_share(self, validation: Any) -> Share:
        graphs, y = validation if isinstance(validation, tuple) else (validation, None)
        chosen = as_selection(graphs)
        names = class_names(chosen, y)
        known = {name: k for k, name in enumerate(self.classes_.tolist())}
        unknown = [name for name in names.tolist() if name not in known]
        if unknown:
            raise DatasetError(f"the validation class {unknown[0]!r} does not occur in training")
        return self._share(chosen, np.array([known[name] for name in names.tolist()]))

    def _class_weights(self, targets: NDArray[Any]) -> NDArray[np.float64] | None:
        if self.class_weight is None:
            return None
        weight = self.class_weight
        if isinstance(weight, dict):
            weight = {k: weight.get(name, 1.0) for k, name in enumerate(self.classes_.tolist())}
        return compute_class_weight(weight, classes=np.arange(len(self.classes_)), y=targets)  # type: ignore[no-any-return]
