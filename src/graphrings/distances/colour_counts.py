"""What graphs are made of, counted in colours that mean the same in every dataset.

``refine`` numbers colours as it meets them, so that its numbers mean something within one dataset
only. Here a colour is a hash of what it stands for, down to the names of labels: two colours that
differ may be taken for one, with a chance of one in four billion.
"""

from __future__ import annotations

import hashlib
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.graphs.dataset import Dataset
from graphrings.loops import GOLDEN, mixed

MOST_COPIES = np.iinfo(np.int16).max  # of a colour in one graph that are counted


class ColourCounts(NamedTuple):
    """Graph i has the colours ``codes[bounds[i] : bounds[i + 1]]``, ascending, each so often."""

    bounds: NDArray[np.int64]
    codes: NDArray[np.uint32]
    counts: NDArray[np.int16]

    def __len__(self) -> int:
        return len(self.bounds) - 1


def colour_counts(dataset: Dataset, rounds: int) -> ColourCounts:
    r"""The Weisfeiler-Lehman colours of 0 .. rounds rounds, counted in every graph.

    .. math:: c_0(v) = h(l(v)), \quad c_{i+1}(v) = h(c_i(v), \sum_{u \sim v} h(c_i(u)))

    A node begins with its label, or with its degree where nodes have no labels.
    """
    codes = node_codes(dataset.indptr, dataset.indices, _start(dataset), rounds)
    keys = (dataset.owner.astype(np.uint64)[:, None] << np.uint64(32)) | codes
    distinct, copies = np.unique(keys.ravel(), return_counts=True)
    bounds = np.searchsorted(distinct >> np.uint64(32), np.arange(len(dataset) + 1))
    return ColourCounts(
        bounds.astype(np.int64),
        (distinct & np.uint64(0xFFFFFFFF)).astype(np.uint32),
        np.minimum(copies, MOST_COPIES).astype(np.int16),
    )


def name_code(name: Any) -> int:
    """A hash of a label by its name; 1, 1.0 and True are one name, as everywhere in Python."""
    if isinstance(name, int | float) and name == int(name):
        name = int(name)
    return int.from_bytes(hashlib.blake2b(repr(name).encode(), digest_size=8).digest(), "little")


def _start(dataset: Dataset) -> NDArray[np.uint64]:
    if dataset.node_labels is None:
        return dataset.degrees.astype(np.uint64)
    codes = np.array([name_code(name) for name in dataset.label_names], dtype=np.uint64)
    return codes[dataset.node_labels]


@compiled
def node_codes(
    indptr: NDArray[np.int32], indices: NDArray[np.int32], start: NDArray[np.uint64], rounds: int
) -> NDArray[np.uint32]:
    """The colours of every node, a column per round."""
    codes = np.empty((len(start), rounds + 1), dtype=np.uint32)
    now, then = start.copy(), np.empty_like(start)
    for i in range(rounds + 1):
        for v in range(len(now)):
            now[v] = mixed(now[v])
            codes[v, i] = now[v] >> np.uint64(32)
        for v in range(len(now)):
            seen = np.uint64(0)
            for e in range(indptr[v], indptr[v + 1]):
                seen += now[indices[e]]
            then[v] = now[v] + GOLDEN * mixed(seen)
        now, then = then, now
    return codes
