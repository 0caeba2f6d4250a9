"""The neighbours of every node, one ring for every edge label."""

from __future__ import annotations

import warnings

import numpy as np

from graphrings.distances.rings import Rings
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.dataset import Dataset, Names


def edge_rings(dataset: Dataset, names: Names = ()) -> Rings:
    """Ring 0 is the node itself, ring 1 + l its neighbours over edges with label ``names[l]``.

    Without names, ring 1 holds all neighbours. An edge with a label that is not among the names is
    left out, with one warning.
    """
    width = 1 + max(1, len(names))
    label = np.zeros(len(dataset.indices), dtype=np.int64)
    if names and len(label):
        if dataset.edge_labels is None:
            raise DatasetError(f"{dataset.name}: edges without labels; training had labels")
        number = {name: k for k, name in enumerate(names)}
        label = np.array([number.get(name, -1) for name in dataset.edge_label_names])[
            dataset.edge_labels
        ]
    known = label >= 0
    if n_unknown := int((~known).sum()):
        warnings.warn(
            UnseenLabelWarning.counted(
                dataset.name,
                n_unknown // 2,
                "edges have a label that training never saw; they are left out",
            ),
            stacklevel=2,
        )
    nodes = np.arange(dataset.n_nodes)
    tails = np.repeat(nodes, dataset.degrees)
    rows = np.concatenate([nodes * width, (tails * width + 1 + label)[known]])
    members = np.concatenate([nodes, dataset.indices[known]]).astype(np.int32)
    lengths = np.bincount(rows, minlength=dataset.n_nodes * width)
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    return Rings.trusted(width - 1, indptr, members[np.argsort(rows, kind="stable")])
