"""Batches in which no two nodes share a row: for graphs that have little in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.rings import Rings, rings
from graphrings.graphs.dataset import Dataset, spans
from graphrings.networks.batches import Batch
from graphrings.networks.network import View
from graphrings.networks.views import RingMeans

ASKED = 50  # of so many graphs one is looked at, to see whether sharing pays
PAYS = 0.4  # it does if no more than this share of all rows is left
MOST_NODES = 4_096  # of a batch: its rows stay in the processor's cache


@runtime_checkable
class Answers(Protocol):
    """A network that can do without shared rows when it only predicts."""

    view: RingMeans

    def eval(self) -> Any:
        """Switch off what is for training only."""

    def goes_unshared(self, features: Tensor) -> bool:
        """Whether it can, on such features."""

    def answer(self, batch: Batch) -> Tensor:
        """What it says of an unshared batch: the outputs of ``forward``, up to rounding."""


def sharing_pays(view: View, dataset: Dataset, start: NDArray[np.int64]) -> bool:
    """Whether some graphs of a dataset have so much in common that looking for it is worth it."""
    asked = np.arange(0, len(dataset), ASKED)
    nodes, _ = spans(dataset.graph_ptr, asked)
    levels = view(dataset[asked], start[nodes])
    rows = sum(levels.n_colours[1:])
    return rows <= PAYS * len(nodes) * (len(levels.n_colours) - 1)


def unshared_outputs(
    network: Answers, dataset: Dataset, start: NDArray[np.int64], table: NDArray[np.float32]
) -> Tensor:
    """What a network says of graphs whose nodes have the rows of ``table`` that ``start`` says."""
    network.eval()
    with torch.inference_mode():
        batches = unshared_batches(network.view, dataset, start, table)
        return torch.cat([network.answer(batch) for batch in batches])


def unshared_batches(
    view: RingMeans, dataset: Dataset, start: NDArray[np.int64], table: NDArray[np.float32]
) -> Iterator[Batch]:
    """All graphs of a dataset in their order."""
    near, features = rings(dataset, view.radius), torch.from_numpy(table)
    numbers, width = start.astype(np.int32), view.radius + 1
    for first, last in _parts(dataset.graph_ptr):
        begin, end = dataset.graph_ptr[[first, last]].tolist()
        indptr = near.indptr[begin * width : end * width + 1]
        indices = near.indices[indptr[0] : indptr[-1]]
        lowest = Rings.trusted(view.radius, indptr, numbers[indices])
        others = Rings.trusted(view.radius, indptr, indices - np.int32(begin))
        nodes = np.arange(end - begin, dtype=np.int32)
        yield Batch.trusted(
            features,
            (lowest, *[others] * (view.depth - 1)),
            (numbers[begin:end], *[nodes] * (view.depth - 1)),
            dataset.graph_ptr[first : last + 1].astype(np.int64) - begin,
            nodes,
            np.ones_like(nodes),
        )


def _parts(graph_ptr: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """Neighbouring graphs with at most ``MOST_NODES`` nodes together, or one larger graph."""
    first, n_graphs = 0, len(graph_ptr) - 1
    while first < n_graphs:
        fits = int(np.searchsorted(graph_ptr, graph_ptr[first] + MOST_NODES, side="right")) - 1
        last = max(first + 1, fits)
        yield first, last
        first = last
