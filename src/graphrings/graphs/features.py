"""What a network is told of a node: label, degree, attributes, ring sizes, as rows of numbers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, SettingError, UnseenLabelWarning
from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.small_numbers import distinct

HASHED = ("colours", "neighbourhoods", "ring-labels")  # what graph kernels count around a node
PARTS = ("constant", "label", "degree", "attributes", "ring-sizes", *HASHED)
LARGEST_DEGREE = 100  # larger ones count as this
Sizes = Callable[[Dataset], NDArray[Any]]  # how many members every ring of every node has


class Shown(NamedTuple):
    """What a part shows of nodes: a number for every node, and for every number a row."""

    numbers: NDArray[np.int64]
    rows: NDArray[np.float32]


Part = Callable[[Dataset], Shown]


@dataclass(frozen=True)
class Features:
    """Node features with everything that is learned from the training graphs.

    ``kind`` joins parts by ``+``. Label and degree make one joint one-hot over the pairs that were
    seen; attributes and logarithms of ring sizes follow, standardised, and then what kernels count,
    in ``hashed`` columns that are the same for all training graphs. A constant is a one-hot with
    one value: with Eq. (10) it shows a network nothing but which rings are empty.
    """

    kind: str
    label_names: Names
    pairs: tuple[tuple[int, int], ...]  # (label, degree) seen in training; -1 where it is not used
    mean: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()
    hashed: int = 0

    def check(self) -> None:
        """Refuse parts that do not fit together; ValueError says why."""
        parts = self.kind.split("+")
        numeric = {"attributes", "ring-sizes"} & set(parts)
        labels, degrees = len(self.label_names), LARGEST_DEGREE + 1
        good = (
            all(part in PARTS for part in parts)
            and len(self.mean) == len(self.scale)
            and (not self.mean or bool(numeric))
            and all(scale > 0 for scale in self.scale)
            and all(label < labels and degree < degrees for label, degree in self.pairs)
            and len(set(self.pairs)) == len(self.pairs)
            and (self.hashed > 0) == any(part in HASHED for part in parts)
        )
        if not good or not self.width:
            raise ValueError("what it knows of node features does not fit together")

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.pairs) + len(self.mean) + self.hashed

    def __str__(self) -> str:
        return f"{self.kind} ({len(self.mean)})" if self.mean else self.kind

    def apply(
        self,
        dataset: Dataset,
        ring_sizes: Sizes | None = None,
        hashed: Mapping[str, Part] | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """A number for every node, and for every number a row of features.

        A label that training never saw becomes a row of zeros, with one warning; a pair that it
        never saw becomes the pair of that label with the nearest degree.
        """
        numbers, table = self._plain(dataset, ring_sizes)
        for part in _hashed_parts(dataset, self.kind, hashed):
            joint = numbers * len(part.rows) + part.numbers
            pairs, numbers = np.unique(joint, return_inverse=True)
            own, theirs = np.divmod(pairs, len(part.rows))
            table = np.hstack([table[own], part.rows[theirs]])
        if table.shape[1] != self.width:
            raise DatasetError(
                f"{dataset.name}: {table.shape[1]} node features; training had {self.width}"
            )
        return numbers, table

    def without_degrees(self, table: NDArray[np.float32]) -> NDArray[np.float32]:
        """Rows of features as they are for a node of unknown degree: the mean over all degrees.

        Every degree counts alike that training saw with that label. Without degrees among the
        features the rows stay as they are.
        """
        labels = np.array([label for label, _ in self.pairs])
        alike = (labels[:, None] == labels).astype(np.float32)
        known = len(self.pairs)
        means = table[:, :known] @ (alike / alike.sum(axis=0))
        return np.hstack([means, table[:, known:]])

    def _plain(
        self, dataset: Dataset, ring_sizes: Sizes | None
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Numbers and rows of all parts but the hashed ones."""
        pairs = _pairs(dataset, self.kind, self.label_names)
        if not self.mean:
            different, numbers = _distinct_pairs(pairs)
            return numbers, self._one_hot(different, numbers, dataset.name)
        values = _columns(dataset, self.kind, ring_sizes)
        if (extra := values.shape[1] - len(self.mean)) != 0:
            given = 0 if dataset.node_attributes is None else dataset.node_attributes.shape[1]
            raise DatasetError(
                f"{dataset.name}: {given} node attributes; training had {given - extra}"
            )
        # By what the nodes have, not by what training makes of it: folds share the numbers.
        rows, numbers = np.unique(np.hstack([pairs, values]), axis=0, return_inverse=True)
        numbers = numbers.reshape(-1)
        one_hot = self._one_hot(rows[:, :2].astype(np.int64), numbers, dataset.name)
        scaled = (rows[:, 2:] - np.array(self.mean)) / np.array(self.scale)
        return numbers, np.hstack([one_hot, scaled.astype(np.float32)])

    def _one_hot(
        self, pairs: NDArray[np.int64], numbers: NDArray[np.int64], name: str
    ) -> NDArray[np.float32]:
        table = np.zeros((len(pairs), len(self.pairs)), dtype=np.float32)
        for row, (label, degree) in enumerate(pairs.tolist()):
            column = self._column(label, degree)
            if column is not None:
                table[row, column] = 1
        unseen = np.flatnonzero(~table.any(axis=1))
        if n_unseen := int(np.isin(numbers, unseen).sum()):
            warnings.warn(
                UnseenLabelWarning.counted(
                    name,
                    n_unseen,
                    "nodes have a label that training never saw; "
                    "it is shown to the network as zeros",
                ),
                stacklevel=4,
            )
        return table

    def _column(self, label: int, degree: int) -> int | None:
        near = [(abs(d - degree), k) for k, (known, d) in enumerate(self.pairs) if known == label]
        return min(near)[1] if near else None


def fit_features(
    training: Dataset | Iterable[Dataset],
    kind: str = "auto",
    ring_sizes: Sizes | None = None,
    hashed: Mapping[str, Part] | None = None,
) -> Features:
    """Learn the features of a kind from the training graphs, perhaps from one part after the other.

    ``auto``, alone or as a part: label, degree and attributes, or what the nodes have of them.
    """
    parts = iter([training] if isinstance(training, Dataset) else training)
    first = next(parts)
    kind = "+".join(_auto(first) if word == "auto" else word for word in kind.split("+"))
    words = kind.split("+")
    if unknown := [word for word in words if word not in PARTS]:
        raise SettingError(
            f"features {unknown[0]!r}; expected auto, or {', '.join(PARTS)} joined by +"
        )
    if "label" in words and not first.n_labels:
        raise DatasetError(f"{first.name}: features {kind!r}, but the nodes have no labels")
    width = sum(part.rows.shape[1] for part in _hashed_parts(first[:1], kind, hashed))
    seen, moments = set[tuple[int, int]](), list[Moments]()
    for dataset in chain([first], parts):
        pairs, _ = _distinct_pairs(_pairs(dataset, kind, dataset.label_names))
        seen.update((int(label), int(degree)) for label, degree in pairs)
        if {"attributes", "ring-sizes"} & set(words):
            moments.append(Moments.of(_columns(dataset, kind, ring_sizes)))
    known = kind, first.label_names, tuple(sorted(seen))
    if not moments:
        return Features(*known, hashed=width)
    _, mean, variance = reduce(Moments.joined, moments)
    deviation = np.sqrt(variance)
    scale = np.where(deviation > 0, deviation, 1)
    return Features(*known, tuple(mean.tolist()), tuple(scale.tolist()), width)


class Moments(NamedTuple):
    """How many rows there are, and mean and variance of every column."""

    n_rows: int
    mean: NDArray[np.float64]
    variance: NDArray[np.float64]

    @classmethod
    def of(cls, values: NDArray[Any]) -> Moments:
        """Those of a table."""
        return cls(len(values), values.mean(axis=0), values.var(axis=0))

    def joined(self, other: Moments) -> Moments:
        """Those of two tables together (Chan, Golub and LeVeque, 1983)."""
        n_rows = self.n_rows + other.n_rows
        share, apart = other.n_rows / n_rows, other.mean - self.mean
        variance = (1 - share) * self.variance + share * other.variance
        return Moments(n_rows, self.mean + share * apart, variance + share * (1 - share) * apart**2)


def _auto(dataset: Dataset) -> str:
    """Label, degree and attributes, or what the nodes have of them."""
    attributed = dataset.node_attributes is not None and dataset.node_attributes.size > 0
    return "+".join(["label"] * (dataset.n_labels > 0) + ["degree"] + ["attributes"] * attributed)


def _hashed_parts(
    dataset: Dataset, kind: str, hashed: Mapping[str, Part] | None
) -> Iterator[Shown]:
    """What the hashed parts of a kind show, in their order."""
    for part in kind.split("+"):
        if part in HASHED:
            assert hashed is not None, "who asks for hashed parts says how to make them"
            yield hashed[part](dataset)


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


def _distinct_pairs(pairs: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different pairs, sorted, and the number of every node's among them."""
    base = LARGEST_DEGREE + 2
    codes, numbers = distinct((pairs[:, 0] + 2) * base + pairs[:, 1] + 1)
    return np.stack([codes // base - 2, codes % base - 1], axis=1), numbers


def _columns(dataset: Dataset, kind: str, ring_sizes: Sizes | None) -> NDArray[Any]:
    """The parts of a kind that are numbers, not names."""
    columns = [np.empty((dataset.n_nodes, 0))]
    if "attributes" in kind.split("+"):
        if dataset.node_attributes is None:
            raise DatasetError(f"{dataset.name}: nodes without attributes, which the features need")
        columns.append(dataset.node_attributes)
    if "ring-sizes" in kind.split("+"):
        assert ring_sizes is not None, "who asks for ring sizes says how to count them"
        columns.append(np.log1p(ring_sizes(dataset)))
    return np.hstack(columns)
