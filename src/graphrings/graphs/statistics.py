"""The figures of the paper's Table I, and a few more."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from graphrings.graphs.dataset import Dataset


@dataclass(frozen=True)
class Statistics:
    """What one wants to know of a dataset before using it."""

    name: str
    graphs: int
    nodes_max: int
    nodes_avg: float
    edges_avg: float
    classes: int
    class_sizes: dict[Hashable, int]
    target_min: float | None  # where targets are values
    target_max: float | None
    labels: int
    node_attributes: int
    edge_labels: int
    isolated_nodes: int
    fingerprint: str


def statistics(dataset: Dataset) -> Statistics:
    """Count what there is."""
    n_graphs = max(1, len(dataset))
    nobody = np.empty(0, dtype=np.int32)
    targets = nobody if dataset.targets is None else dataset.targets
    values = targets if dataset.has_values else nobody
    classes = nobody if dataset.has_values else targets
    members = np.bincount(classes, minlength=dataset.n_classes).tolist()
    attributes = dataset.node_attributes
    return Statistics(
        name=dataset.name,
        graphs=len(dataset),
        nodes_max=int(dataset.sizes.max(initial=0)),
        nodes_avg=dataset.n_nodes / n_graphs,
        edges_avg=dataset.n_edges / n_graphs,
        classes=dataset.n_classes,
        class_sizes=dict(zip(dataset.class_names, members, strict=True)),
        target_min=float(values.min()) if len(values) else None,
        target_max=float(values.max()) if len(values) else None,
        labels=dataset.n_labels,
        node_attributes=0 if attributes is None else attributes.shape[1],
        edge_labels=len(dataset.edge_label_names),
        isolated_nodes=int((dataset.degrees == 0).sum()),
        fingerprint=dataset.fingerprint,
    )
