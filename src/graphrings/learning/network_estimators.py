"""Any network as a scikit-learn estimator: one fit, predictions, a file."""

from __future__ import annotations

import warnings
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
import torch
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedShuffleSplit
from sklearn.utils import check_random_state
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.validation import check_is_fitted

from graphrings.distances.hashed_nodes import PARTS
from graphrings.distances.levels import Levels
from graphrings.distances.levels_as_arrays import levels_from_arrays, levels_to_arrays
from graphrings.distances.rings import rings
from graphrings.distances.weights import by_colour
from graphrings.errors import InterruptedWarning, SizeNote
from graphrings.fused.lane import lane
from graphrings.graphs.adapters.anything import as_dataset, as_selection, is_empty
from graphrings.graphs.carried import NODE_ATTRIBUTES, NODE_LABELS
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.features import fit_features
from graphrings.graphs.selection import Selection
from graphrings.layers.block_linear import start_linear
from graphrings.learning.calibration import temperature
from graphrings.learning.chunks import added_up, in_chunks
from graphrings.learning.devices import find_device
from graphrings.learning.estimator import (
    GraphClassifier,
    GraphEstimator,
    GraphRegressor,
    show_settings,
)
from graphrings.learning.learner import LAST, History, Objective, Plan
from graphrings.learning.members import Start, start_members, train_members
from graphrings.learning.network_files import network_from_file, network_to_file
from graphrings.learning.progress import TrainingProgress
from graphrings.learning.sample_weights import checked_weights
from graphrings.learning.shards import bytes_per_node, parts_of, shards_within, spread
from graphrings.learning.trainer import Examples, network_outputs, reproducible
from graphrings.learning.training_settings import CALIBRATE, CLASS_WEIGHT, TRAINING
from graphrings.limits import bytes_of, in_bytes
from graphrings.networks.batches import Batcher, Batches
from graphrings.networks.members import Members
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network, build, network_settings
from graphrings.networks.unshared import Answers, sharing_pays, unshared_outputs
from graphrings.settings import Setting, Settings, one_of
from graphrings.tasks import Task

LARGEST_SEED = 2**31 - 1
RINGS_SHOWN = 3  # whose sizes are features
SHOWN = {NODE_LABELS: "label", NODE_ATTRIBUTES: "attributes"}  # by which part of the features
NETWORK = one_of("the architecture, by name", NETWORKS, default="pgc-dgcnn")


def ring_sizes(dataset: Dataset) -> NDArray[Any]:
    """The sizes of the rings around every node, the node itself left out."""
    return rings(dataset, RINGS_SHOWN).sizes[:, 1:]


class NetworkEstimator(GraphEstimator):
    """What all networks share: from graphs to batches, one training, predictions, a file.

    A subclass that names its ``network`` has no such setting; its signature and docstring are made
    from the settings of that network.
    """

    part = "network"
    fitted = "network_"
    stops_early = True
    network: str
    own_settings: ClassVar[Settings] = {}
    network_: Network

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if isinstance(network := vars(cls).get("network"), str):
            cls.part = ""
            own = {**settings_of_network(network, cls.task), **cls.own_settings}
            show_settings(cls, own)

    def __init__(self, network: str = NETWORK.default, **settings: Any) -> None:
        self.network = network
        super().__init__(**settings)

    def described_settings(self) -> dict[str, Setting]:
        """Which network it is, its settings, and those of the training."""
        named = {self.part: NETWORK} if self.part else {}
        settings = settings_of_network(str(self.network), self.task)
        return {**named, **settings, **self.own_settings}

    @property
    def sees(self) -> tuple[str, ...]:
        """What its network sees, and of nodes what the features show."""
        network = NETWORKS[self.network].seen
        if self.features == "auto":
            return network
        shown = [part for part, word in SHOWN.items() if word in self.features.split("+")]
        return (*shown, *(part for part in network if part not in SHOWN))

    def fit(
        self, graphs: Any, y: Any = None, sample_weight: Any = None, *, validation: Any = None
    ) -> Self:
        """Train on graphs and their targets; a Dataset brings its own.

        ``validation`` are graphs for early stopping, as a pair (graphs, y) or a Dataset; without
        it a part of the training graphs is held out. ``sample_weight`` says what every graph
        counts for in the loss.
        """
        selection, targets = self._begin(graphs, y)
        weights, device = checked_weights(sample_weight, len(selection)), find_device(self.device)
        seed = int(check_random_state(self.random_state).randint(LARGEST_SEED))
        kept, held_out = np.arange(len(selection)), np.arange(0)
        if validation is None:
            kept, held_out = self._split(targets, seed)
        self._learn_inputs(selection, kept)
        with reproducible(seed), lane(fused=self.fused):
            starts = start_members(lambda: self._build_member().to(device), seed, self.members)
            self.network_ = self._joined([start.network for start in starts])
            self._learn_weights(targets[kept])
            batcher = self._batches(graphs, selection)
            training = self._examples(selection, targets, weights, kept, batcher)
            if validation is None:
                checking = self._examples(selection, targets, weights, held_out, batcher)
            else:
                checking = self._validation_examples(validation)
            self.histories_ = self._train(starts, training, checking)
            self.history_ = self.histories_[0]
            self._calibrate(checking, "held-out" if validation is None else "validation")
        if any(history.interrupted for history in self.histories_):
            warnings.warn(
                f"interrupted in epoch {len(self.history_.epochs) + 1}; the best weights so far, "
                f"of epoch {self.history_.best + 1}, are kept",
                InterruptedWarning,
                stacklevel=2,
            )
        return self

    def predict(self, graphs: Any) -> NDArray[Any]:
        """The most likely class, or the value, of every graph."""
        outputs = self._outputs(graphs)
        return self.coding_.decode(outputs)

    @property
    def method_name(self) -> str:
        """The network's name."""
        return self.network

    @property
    def k_(self) -> int:
        """How many nodes SortPooling keeps, where there is SortPooling."""
        if "k" not in self.measures_:
            raise AttributeError(f"{self.network} has no SortPooling")
        k: int = self.measures_["k"]
        return k

    def to_file(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """What its file holds: features, measures and weights."""
        return network_to_file(self)

    @classmethod
    def from_file(cls, path: str | Path, header: dict[str, Any], tensors: dict[str, Any]) -> Self:
        """A model from what its file holds."""
        model: Self = network_from_file(path, cls, header, tensors)
        return model

    def build_network(self) -> Network:
        """A network with fresh weights for what the fit has learned of features and targets."""
        return self._joined([self._build_member() for _ in range(self.members)])

    def _joined(self, networks: list[Network]) -> Network:
        """Several networks as one, or the only one."""
        return networks[0] if len(networks) == 1 else Members(networks, self.task.name)

    def _build_member(self) -> Network:
        network = build(
            NETWORKS[self.network],
            (self.features_.width, self.coding_.n_outputs),
            self.measures_,
            self._network_values(),
        )
        network.apply(start_linear)
        return network

    def _learn_inputs(self, selection: Selection, kept: NDArray[np.int64]) -> None:
        """What must be known of the training graphs before there are weights."""
        network, chosen = NETWORKS[self.network], selection.graphs[kept]
        measured = spread(selection.dataset, chosen)
        kind = network.auto_features(measured) if self.features == "auto" else self.features
        parts = parts_of(selection.dataset, chosen)
        self.features_ = fit_features(parts, kind, ring_sizes, PARTS)
        self.measures_ = network.measure(measured, **self._network_values())

    def _train(self, starts: list[Start], training: Examples, checking: Examples) -> list[History]:
        """Train all members."""
        network, objective = starts[0].network, Objective(self.task, self.coding_)
        n_turns = 1 if network.stages == 1 else len(starts)
        n_epochs = self.max_epochs * network.stages * n_turns
        with TrainingProgress(n_epochs, self.task, self.verbose, self._shown) as progress:
            examples = training, checking
            return train_members(starts, objective, examples, self._plan(), progress.show)

    @property
    def _shown(self) -> str:
        """What the nodes show the network, and what of the graphs it does not see."""
        ignored = f"; ignored: {', '.join(self.ignores_)}" if self.ignores_ else ""
        return f"node features: {self.features_}{ignored}"

    def _calibrate(self, checking: Examples, learned_on: str) -> None:
        """Learn what the outputs are worth; values need no such thing."""

    def _outputs(self, graphs: Any) -> NDArray[np.float32]:
        check_is_fitted(self, "network_")
        if is_empty(graphs):
            return np.empty((0, self.coding_.n_outputs), dtype=np.float32)
        with reproducible(0), lane(fused=self.fused):
            if isinstance(graphs, Selection):  # whose structure is computed once for all
                return self._shared_outputs(graphs)
            return in_chunks(self._chunk_outputs, as_dataset(graphs))

    def _shared_outputs(self, selection: Selection) -> NDArray[np.float32]:
        outputs = network_outputs(self.network_, self._batcher(selection), selection.graphs)
        return outputs.cpu().numpy()

    def _chunk_outputs(self, dataset: Dataset) -> NDArray[np.float32]:
        """The outputs for some graphs, whose nodes share rows where that pays."""
        network = self.network_
        start, table = self._features_of(dataset)
        if (
            isinstance(network, Answers)
            and network.goes_unshared(next(network.parameters()))
            and not sharing_pays(network.view, dataset, start)
        ):
            return unshared_outputs(network, dataset, start, table).numpy()
        batcher = self._batcher_of(network.view(dataset, start), start, table)
        return network_outputs(network, batcher, np.arange(len(dataset))).cpu().numpy()

    def _batches(self, graphs: Any, selection: Selection) -> Batches:
        """Batches of training or validation graphs, by shards where all together are too many.

        The structure of graphs that come as a selection is computed once for all fits on it.
        """
        if isinstance(graphs, Selection):
            return self._batcher(selection)
        dataset, memory = selection.dataset, bytes_of(self.memory)
        per_node = bytes_per_node(self._levels_of, dataset)
        needed = per_node * dataset.n_nodes
        if needed <= memory:
            return self._batcher(selection)
        shards = shards_within(memory, per_node, dataset, self._shard_batcher)
        warnings.warn(
            f"{self.method_name} on {len(dataset):,} graphs: rings and levels would take "
            f"{in_bytes(needed)}, over memory = {self.memory}; they are computed for "
            f"{shards.at_once:,} graphs at a time, anew in every epoch",
            SizeNote,
            stacklevel=3,
        )
        with added_up():
            for part in parts_of(dataset, selection.graphs):
                self._features_of(part)
        return shards

    def _shard_batcher(self, dataset: Dataset) -> Batcher:
        """Batches of some graphs that have a structure of their own."""
        start, table = self._features_of(dataset)
        return self._batcher_of(self.network_.view(dataset, start), start, table)

    def _levels_of(self, dataset: Dataset) -> Levels:
        """What the network sees of some graphs."""
        return self.network_.view(dataset, self._features_of(dataset)[0])

    def _features_of(self, dataset: Dataset) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """What every node shows, as a number, and for every number the row of it."""
        return self.features_.apply(dataset, ring_sizes, PARTS)

    def _batcher(self, selection: Selection) -> Batcher:
        """Batches of a dataset; its structure is the same for all selections of it."""
        dataset, view = selection.dataset, self.network_.view
        start, table = self._features_of(dataset)
        arrays = selection.cache.get(
            f"{view!r} of {self.features_.kind}", lambda: levels_to_arrays(view(dataset, start))
        )
        return self._batcher_of(levels_from_arrays(arrays), start, table)

    def _batcher_of(
        self, levels: Levels, start: NDArray[np.int64], table: NDArray[np.float32]
    ) -> Batcher:
        device = next(self.network_.parameters()).device
        return Batcher(levels, table[by_colour(levels, 0, start)], device)

    def _examples(
        self,
        selection: Selection,
        targets: NDArray[Any],
        weights: NDArray[np.float64] | None,
        chosen: NDArray[np.int64],
        batcher: Batches,
    ) -> Examples:
        """The chosen ones of some selected graphs; the goals of all others stay unknown."""
        device = next(self.network_.parameters()).device
        encoded = self.coding_.encode(targets)
        goals = np.full((len(selection.dataset), *encoded.shape[1:]), -1, dtype=encoded.dtype)
        goals[selection.graphs] = encoded
        per_graph = None
        if (weighted := self._weighted(encoded, weights)) is not None:
            per_graph = torch.zeros(len(selection.dataset))
            per_graph[selection.graphs] = torch.from_numpy(weighted).to(per_graph.dtype)
            per_graph = per_graph.to(device)
        known = torch.from_numpy(goals).to(device)
        return Examples(batcher, selection.graphs[chosen], known, per_graph)

    def _validation_examples(self, validation: Any) -> Examples:
        graphs, y = validation if isinstance(validation, tuple) else (validation, None)
        selection = as_selection(graphs)
        targets = self._targets(selection, y)
        batcher = self._batches(graphs, selection)
        return self._examples(selection, targets, None, np.arange(len(selection)), batcher)

    def _network_values(self) -> dict[str, Any]:
        """The settings of the network with their values."""
        return {name: getattr(self, name) for name in network_settings(NETWORKS[self.network])}

    def _plan(self) -> Plan:
        return Plan(
            learning_rate=self.learning_rate,
            batch_size=self.batch_size,
            max_epochs=self.max_epochs,
            patience=self.patience,
            weight_decay=self.weight_decay,
            schedule=self.schedule,
            monitor=self.monitor,
            drop_last=NETWORKS[self.network].drop_last,
        )

    def _split(
        self, targets: NDArray[Any], seed: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Hold out a stratified part, if every stratum can have a graph on both sides."""
        n = len(targets)
        if NETWORKS[self.network].holds_out_last:
            last = n - int(self.validation_fraction * n)
            return np.arange(last), np.arange(last, n)
        n_held_out = round(self.validation_fraction * n)
        if n_held_out:
            strata = self.task.strata(self._stratified(targets), n // max(1, n_held_out))
            n_strata = len(np.unique(strata))
            if np.bincount(strata).min() >= 2 and n_strata <= n_held_out <= n - n_strata:
                split = StratifiedShuffleSplit(1, test_size=n_held_out, random_state=seed)
                training, held_out = next(split.split(strata, strata))
                return np.sort(training), np.sort(held_out)
        return np.arange(n), np.empty(0, dtype=np.int64)

    def _stratified(self, targets: NDArray[Any]) -> NDArray[Any]:
        """What strata are made of."""
        return targets

    def _learn_weights(self, targets: NDArray[Any]) -> None:
        """What must be known of the training targets to weigh graphs."""

    def _weighted(
        self, goals: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        """What every graph counts for in the loss; None if all count alike."""
        del goals
        return weights


class NetworkClassifier(GraphClassifier, NetworkEstimator):
    """A graph network that predicts classes.

    Args:
        network: a name from ``graphrings methods``, such as ``gin``.
        **settings: those of the training and of the network; ``described_settings`` lists them,
            as ``graphrings methods gin`` does.

    """

    own_settings = {"class_weight": CLASS_WEIGHT, "calibrate": CALIBRATE}  # noqa: RUF012

    def decision_function(self, graphs: Any) -> NDArray[np.float32]:
        """The output of every class, or for two classes how much the second is ahead."""
        outputs = self._outputs(graphs)
        return outputs[:, 1] - outputs[:, 0] if len(self.classes_) == 2 else outputs

    def predict_proba(self, graphs: Any) -> NDArray[np.float32]:
        """The probability of every class."""
        return self._probabilities(self._outputs(graphs))

    def predict_with_proba(self, graphs: Any) -> tuple[NDArray[Any], NDArray[np.float32]]:
        """The classes and the probability of each, from the same outputs."""
        outputs = self._outputs(graphs)
        return self.coding_.decode(outputs), self._probabilities(outputs)

    def _probabilities(self, outputs: NDArray[np.float32]) -> NDArray[np.float32]:
        if self.calibration_ is not None:
            return self.calibration_.probabilities(outputs).astype(np.float32)
        return torch.softmax(torch.from_numpy(outputs), dim=1).numpy()

    def _calibrate(self, checking: Examples, learned_on: str) -> None:
        self.calibration_ = None
        if self.calibrate and len(checking.graphs):
            outputs = network_outputs(self.network_, checking.batcher, checking.graphs)
            goals = checking.goals.cpu().numpy()[checking.graphs]
            self.calibration_ = temperature(outputs.cpu().numpy(), goals, f"{learned_on} graphs")

    def _stratified(self, targets: NDArray[Any]) -> NDArray[Any]:
        return self.coding_.encode(targets)

    def _learn_weights(self, targets: NDArray[Any]) -> None:
        weight, n_classes = self.class_weight, len(self.classes_)
        self._class_weights = None
        if isinstance(weight, dict):
            weight = {k: weight.get(name, 1.0) for k, name in enumerate(self.classes_.tolist())}
        if weight is not None:
            self._class_weights = compute_class_weight(
                weight, classes=np.arange(n_classes), y=self.coding_.encode(targets)
            )

    def _weighted(
        self, goals: NDArray[Any], weights: NDArray[np.float64] | None
    ) -> NDArray[np.float64] | None:
        if self._class_weights is None:
            return weights
        by_class: NDArray[np.float64] = self._class_weights[goals]
        return by_class if weights is None else by_class * weights


class NetworkRegressor(GraphRegressor, NetworkEstimator):
    """A graph network that predicts values.

    Args:
        network: a name from ``graphrings methods``, such as ``gin``.
        **settings: those of the training and of the network; ``described_settings`` lists them,
            as ``graphrings methods gin --task regression`` does.

    """


@cache
def settings_of_network(network: str, task: Task) -> dict[str, Setting]:
    """Those of a network, if there is one of that name, and then those of its training."""
    words = ("loss", task.epoch_score, LAST)
    monitor = one_of(TRAINING["monitor"].meaning, words, default="loss")
    training = {**TRAINING, "monitor": monitor}
    if network not in NETWORKS:
        return training
    usual = {
        name: replace(training[name], default=value)
        for name, value in NETWORKS[network].training_settings.items()
    }
    return {**network_settings(NETWORKS[network]), **training, **usual}
