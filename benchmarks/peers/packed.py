"""The data of P2: flat arrays of a whole dataset, cut and joined into batches."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings import Dataset

from .data import one_hot_features, patterns


class Mean(NamedTuple):
    """D^-1 SP and its transpose SP D^-1: one pattern, two sets of values."""

    forward: Tensor
    backward: Tensor


class Batch(NamedTuple):
    """Some graphs side by side; ``means`` holds None for ring 0, which is the node itself."""

    x: Tensor
    y: Tensor
    sizes: Tensor
    means: list[Mean | None]


@dataclass(frozen=True)
class Arrays:
    """A dataset ready to be cut up: dense rows, and per ring the CSR arrays of every graph.

    ``rings`` holds, for every ring but ring 0: row lengths, columns counted from the first node of
    the graph, forward and backward values, and where each graph's entries begin.
    """

    graph_ptr: NDArray[np.int32]
    features: NDArray[np.float32]
    targets: Tensor
    rings: list[tuple[NDArray[Any], ...] | None]


def prepare(
    dataset: Dataset, radius: int | None, features: NDArray[np.float32] | None = None
) -> Arrays:
    """Normalise every ring once, for all graphs together; the features are one-hot by default."""
    if features is None:
        features = one_hot_features(dataset)
    rings: list[tuple[NDArray[Any], ...] | None] = []
    for j, matrix in enumerate(patterns(dataset, radius)):
        if radius is not None and j == 0:
            rings.append(None)
            continue
        lengths = np.diff(matrix.indptr).astype(np.int32)
        shares = (1 / np.maximum(lengths, 1)).astype(np.float32)
        first = np.repeat(np.repeat(dataset.graph_ptr[:-1], dataset.sizes), lengths)
        columns = matrix.indices.astype(np.int32) - first
        forward, backward = np.repeat(shares, lengths), shares[matrix.indices]
        rings.append((lengths, columns, forward, backward, matrix.indptr[dataset.graph_ptr]))
    targets = torch.from_numpy(dataset.targets.astype(np.int64))
    return Arrays(dataset.graph_ptr, features, targets, rings)


def collate(data: Arrays, chosen: NDArray[np.intp]) -> Batch:
    """Lay the chosen graphs side by side."""
    nodes = cuts(data.graph_ptr, chosen)
    ptr = np.concatenate([[0], np.cumsum([part.stop - part.start for part in nodes])])
    means: list[Mean | None] = []
    for ring in data.rings:
        if ring is None:
            means.append(None)
            continue
        lengths, columns, forward, backward, bounds = ring
        entries = cuts(bounds, chosen)
        indptr = np.zeros(ptr[-1] + 1, dtype=np.int32)  # 32 bits: what the sparse product takes
        np.cumsum(join(lengths, nodes), out=indptr[1:])
        shifts = np.repeat(ptr[:-1].astype(np.int32), np.diff(indptr[ptr]))
        pattern = torch.from_numpy(indptr), torch.from_numpy(join(columns, entries) + shifts)
        values = (torch.from_numpy(join(shares, entries)) for shares in (forward, backward))
        means.append(Mean(*(csr(*pattern, value) for value in values)))
    features = torch.from_numpy(join(data.features, nodes))
    return Batch(features, data.targets[chosen], torch.from_numpy(np.diff(ptr)), means)


def cuts(bounds: NDArray[Any], chosen: NDArray[np.intp]) -> list[slice]:
    """Where the chosen graphs are in a flat array."""
    return list(map(slice, bounds[chosen].tolist(), bounds[chosen + 1].tolist()))


def join(values: NDArray[Any], parts: list[slice]) -> NDArray[Any]:
    """The parts of a flat array, end to end."""
    return np.concatenate([values[part] for part in parts])


def csr(indptr: Tensor, columns: Tensor, values: Tensor) -> Tensor:
    """A square CSR matrix."""
    size = (len(indptr) - 1,) * 2
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Sparse CSR tensor support is in beta")
        return torch.sparse_csr_tensor(indptr, columns, values, size, check_invariants=False)


def batches(data: Arrays, chosen: Iterable[NDArray[np.intp]]) -> Iterator[Batch]:
    """The batches made of the chosen graphs, one after the other."""
    return (collate(data, graphs) for graphs in chosen)
