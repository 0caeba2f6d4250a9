"""The neighbours of every node, apart by what the edges to them carry."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from graphrings.distances.rings import Rings
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.dataset import Dataset, Names

Scales = tuple[tuple[float, float], ...]  # the mean and the deviation of every attribute


def edge_rings(dataset: Dataset, names: Names = ()) -> Rings:
    """Ring 0 is the node itself, ring 1 + l its neighbours over edges with label ``names[l]``.

    Without names, ring 1 holds all neighbours. An edge with a label that is not among the names is
    left out, with one warning.
    """
    label = numbered_labels(dataset, names)
    width, known = 1 + max(1, len(names)), label >= 0
    nodes = np.arange(dataset.n_nodes)
    tails = np.repeat(nodes, dataset.degrees)
    rows = np.concatenate([nodes * width, (tails * width + 1 + label)[known]])
    members = np.concatenate([nodes, dataset.indices[known]]).astype(np.int32)
    lengths = np.bincount(rows, minlength=dataset.n_nodes * width)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    return Rings.trusted(width - 1, indptr, members[np.argsort(rows, kind="stable")])


def edge_rows(dataset: Dataset, names: Names, scales: Scales) -> WeightedRows:
    """The rings of ``edge_rings`` as parts of one mean, and behind them a block per attribute.

    That block lists the neighbours in the order in which the rings do. Its weights are the
    attribute of the edges to them, less the mean of its scale, divided by the deviation.
    """
    values = scaled_attributes(dataset, scales)
    label = numbered_labels(dataset, names)
    n_rings, nodes = 1 + max(1, len(names)), np.arange(dataset.n_nodes)
    width = n_rings + len(scales)
    tails = np.repeat(nodes, dataset.degrees)
    listed = np.argsort(tails * n_rings + label, kind="stable")
    listed = listed[label[listed] >= 0]
    tails, label, heads = tails[listed], label[listed], dataset.indices[listed]
    shares = 1 / (1 + np.bincount(tails, minlength=len(nodes)))
    columns = [tails * width + column for column in range(n_rings, width)]
    places = np.concatenate([nodes * width, tails * width + 1 + label, *columns])
    members = np.concatenate([nodes, heads, *[heads] * len(scales)]).astype(np.int32)
    weights = np.concatenate([shares, shares[tails], *values[listed].T])
    order = np.argsort(places, kind="stable")
    lengths = np.bincount(places, minlength=len(nodes) * width)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    return WeightedRows.trusted(width, indptr, members[order], weights[order])


def attribute_scales(dataset: Dataset) -> Scales:
    """The mean and the deviation of every attribute of edges; 1 where they are all the same."""
    values = dataset.edge_attributes
    if values is None or not len(values):
        return ()
    deviations = values.std(axis=0)
    scales = np.where(deviations > 0, deviations, 1)
    return tuple(zip(values.mean(axis=0).tolist(), scales.tolist(), strict=True))


def scaled_attributes(dataset: Dataset, scales: Scales) -> NDArray[np.float64]:
    """The attributes of edges, a column each, by the scales of the training graphs."""
    values = dataset.edge_attributes
    if values is None and not len(dataset.indices):
        return np.empty((0, len(scales)))
    given = 0 if values is None else values.shape[1]
    if values is None or given != len(scales):
        raise DatasetError(f"{dataset.name}: {given} edge attributes; training had {len(scales)}")
    means, deviations = np.array(scales).T
    scaled: NDArray[np.float64] = (values - means) / deviations
    return scaled


def numbered_labels(dataset: Dataset, names: Names) -> NDArray[np.int64]:
    """The place of every edge's label among the names: 0 without names, -1 if it is not there."""
    label = np.zeros(len(dataset.indices), dtype=np.int64)
    if names and len(label):
        if dataset.edge_labels is None:
            raise DatasetError(f"{dataset.name}: edges without labels; training had labels")
        number = {name: k for k, name in enumerate(names)}
        label = np.array([number.get(name, -1) for name in dataset.edge_label_names])[
            dataset.edge_labels
        ]
    if n_unknown := int((label < 0).sum()):
        warnings.warn(
            UnseenLabelWarning.counted(
                dataset.name,
                n_unknown // 2,
                "edges have a label that training never saw; they are left out",
            ),
            stacklevel=3,
        )
    return label
