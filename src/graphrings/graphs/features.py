"""What a network is told of a node: its label, degree and attributes as rows of numbers."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, SettingError, UnseenLabelWarning
from graphrings.graphs.dataset import Dataset, Names

PARTS = ("constant", "label", "degree", "attributes")
LARGEST_DEGREE = 100  # larger ones count as this


@dataclass(frozen=True)
class Features:
    """Node features with everything that is learned from the training graphs.

    ``kind`` joins parts by ``+``. Label and degree make one joint one-hot over the pairs that were
    seen; attributes follow, standardised. A constant is a one-hot with one value: with Eq. (10) it
    shows a network nothing but which rings are empty.
    """

    kind: str
    label_names: Names
    pairs: tuple[tuple[int, int], ...]  # (label, degree) seen in training; -1 where it is not used
    mean: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.pairs) + len(self.mean)

    def apply(self, dataset: Dataset) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """A number for every node, and for every number a row of features.

        A label that training never saw becomes a row of zeros, with one warning; a pair that it
        never saw becomes the pair of that label with the nearest degree.
        """
        pairs = _pairs(dataset, self.kind, self.label_names)
        distinct, numbers = np.unique(pairs, axis=0, return_inverse=True)
        column = [self._column(label, degree) for label, degree in distinct.tolist()]
        table = np.zeros((len(distinct), len(self.pairs)), dtype=np.float32)
        for row, k in enumerate(column):
            if k is not None:
                table[row, k] = 1
        unseen = np.isin(numbers, [row for row, k in enumerate(column) if k is None])
        if unseen.any():
            warnings.warn(
                f"{dataset.name}: {int(unseen.sum()):,} nodes have a label that training never "
                "saw; it is shown to the network as zeros",
                UnseenLabelWarning,
                stacklevel=2,
            )
        numbers = numbers.reshape(-1)
        if not self.mean:
            return numbers, table
        values = _attributes(dataset)
        if values.shape[1] != len(self.mean):
            raise DatasetError(
                f"{dataset.name}: {values.shape[1]} node attributes; training had {len(self.mean)}"
            )
        rows = ((values - np.array(self.mean)) / np.array(self.scale)).astype(np.float32)
        full = np.concatenate([table[numbers], rows], axis=1)
        distinct_rows, numbers = np.unique(full, axis=0, return_inverse=True)
        return numbers.reshape(-1), distinct_rows

    def _column(self, label: int, degree: int) -> int | None:
        near = [(abs(d - degree), k) for k, (known, d) in enumerate(self.pairs) if known == label]
        return min(near)[1] if near else None


def fit_features(dataset: Dataset, kind: str = "auto") -> Features:
    """Learn the features of a kind from the training graphs.

    ``auto``: label and degree where nodes have labels, else degree and attributes.
    """
    if kind == "auto":
        without = "degree" if dataset.node_attributes is None else "degree+attributes"
        kind = "label+degree" if dataset.n_labels else without
    parts = kind.split("+")
    if unknown := [part for part in parts if part not in PARTS]:
        raise SettingError(
            f"features {unknown[0]!r}; expected auto, or {', '.join(PARTS)} joined by +"
        )
    if "label" in parts and not dataset.n_labels:
        raise DatasetError(f"{dataset.name}: features {kind!r}, but the nodes have no labels")
    pairs = np.unique(_pairs(dataset, kind, dataset.label_names), axis=0)
    found = tuple((int(label), int(degree)) for label, degree in pairs)
    if "attributes" not in parts:
        return Features(kind, dataset.label_names, found)
    values = _attributes(dataset)
    deviation = values.std(axis=0)
    return Features(
        kind,
        dataset.label_names,
        found,
        tuple(values.mean(axis=0).tolist()),
        tuple(np.where(deviation > 0, deviation, 1).tolist()),
    )


def _pairs(dataset: Dataset, kind: str, label_names: Names) -> NDArray[np.int64]:
    """Label and degree of every node; -2 is a label that is not among the names."""
    parts = kind.split("+")
    pairs = np.full((dataset.n_nodes, 2), -1, dtype=np.int64)
    if "label" in parts:
        if dataset.node_labels is None:
            raise DatasetError(f"{dataset.name}: nodes without labels; training had labels")
        number = {name: k for k, name in enumerate(label_names)}
        translate = np.array([number.get(name, -2) for name in dataset.label_names])
        pairs[:, 0] = translate[dataset.node_labels]
    if "degree" in parts:
        pairs[:, 1] = np.minimum(dataset.degrees, LARGEST_DEGREE)
    return pairs


def _attributes(dataset: Dataset) -> NDArray[Any]:
    if dataset.node_attributes is None:
        raise DatasetError(f"{dataset.name}: nodes without attributes, which the features need")
    return dataset.node_attributes
