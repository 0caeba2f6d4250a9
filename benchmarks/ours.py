"""Our engine behind the interface of the peers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from benchmarks.peers.data import DEGREE_CAP, n_features
from graphrings import Dataset
from graphrings.learning.learner import Learner, Objective, Plan
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.network import Network
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import BallMeans, RingMeans
from graphrings.tasks import CLASSIFICATION
from graphrings.tasks.classification import Classes

DEPTH = 4


@dataclass(frozen=True, eq=False)
class Data:
    """What batches are made of."""

    batcher: Batcher
    targets: Tensor


class Step(NamedTuple):
    """A batch and its classes."""

    batch: Batch
    targets: Tensor


def prepare(
    dataset: Dataset,
    radius: int | None,
    features: NDArray[np.float32] | None = None,
    shared: bool = True,
) -> Data:
    """Rings, levels and features; rows are shared unless every node is to have its own."""
    if features is None:
        numbers = dataset.node_labels
        numbers = np.minimum(dataset.degrees, DEGREE_CAP) if numbers is None else numbers
        used, start = np.unique(numbers, return_inverse=True)
        distinct = np.eye(n_features(dataset), dtype=np.float32)[used]
    else:
        distinct, start = np.unique(features, axis=0, return_inverse=True)
    if not shared:
        distinct, start = distinct[start.reshape(-1)], np.arange(dataset.n_nodes)
    start = start.reshape(-1)
    view = BallMeans(DEPTH) if radius is None else RingMeans(DEPTH, radius)
    levels = view(dataset, start)
    return Data(Batcher(levels, distinct), torch.from_numpy(dataset.targets.astype(np.int64)))


def build(dataset: Dataset, radius: int | None, k: int, seed: int, dropout: float = 0.5) -> Network:
    """The network for a dataset; ``radius=None`` makes DGCNN."""
    torch.manual_seed(seed)
    sizes = n_features(dataset), dataset.n_classes, k
    if radius is None:
        return DGCNN(*sizes, dropout=dropout)
    return PGCDGCNN(*sizes, radius=radius, dropout=dropout)


def learner(network: Network, n_classes: int, learning_rate: float = 1e-3) -> Learner:
    """The network in training, as an estimator trains it."""
    objective = Objective(CLASSIFICATION, Classes(np.arange(n_classes)))
    result = Learner(network, objective, Plan(learning_rate, 50, 1, 1))
    result.begin(0)
    return result


def batches(data: Data, index_arrays: Iterable[NDArray[np.intp]]) -> Iterator[Step]:
    """One batch for every array of graph numbers."""
    for graphs in index_arrays:
        yield Step(data.batcher(graphs), data.targets[torch.from_numpy(graphs)])


def step(trained: Learner, batch: Step) -> float:
    """Train on one batch; the loss before the step."""
    loss, _ = trained.step(batch.batch, batch.targets, None)
    return loss


def set_weights(network: Network, weights: dict[str, Tensor]) -> None:
    """Take over parameters in the peers' layout."""
    state = {}
    for name, value in weights.items():
        part, kind = name.rsplit(".", 1)
        if part.startswith("layers."):
            state[f"convs.{part.removeprefix('layers.')}.filters.{kind}"] = value
        elif part == "rows":
            state[f"head.rows.filters.{kind}"] = value
        elif part == "conv":
            # They have channels before positions, we positions before channels.
            state[f"head.conv.filters.{kind}"] = (
                value.movedim(1, -1).flatten(1) if value.dim() > 1 else value
            )
        elif part == "dense" and kind == "weight":
            channels = weights["conv.bias"].numel()
            state["head.dense.weight"] = (
                value.view(len(value), channels, -1).transpose(1, 2).flatten(1)
            )
        else:
            state[f"head.{name}"] = value
    network.load_state_dict(state)
