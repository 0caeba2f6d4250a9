"""A hash of what a dataset says, not of how it was written down."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = b"graphrings dataset 1"


def fingerprint(
    graph_ptr: NDArray[np.int32],
    indptr: NDArray[np.int32],
    indices: NDArray[np.int32],
    node_labels: NDArray[np.int32] | None,
    targets: NDArray[np.int32] | NDArray[np.float64] | None,
) -> str:
    """Hash graphs, their order, node labels and targets into 32 hexadecimal digits.

    Labels and classes count up to renumbering, values as they are. Labels that are all the same
    say as much as no labels, and hash alike: one file format writes zeros where another writes
    nothing. Attributes and edge labels are left out, since some formats cannot carry them.
    """
    digest = hashlib.sha256(FORMAT)
    has_values = targets is not None and targets.dtype.kind == "f"
    classes = numbered(None if has_values else targets)
    for part in (graph_ptr, indptr, indices, numbered(node_labels), classes):
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part.astype("<i4").tobytes())
    if targets is not None and has_values:
        digest.update(b"values")
        digest.update((targets + 0.0).astype("<f8").tobytes())  # -0.0 is 0.0
    return digest.hexdigest()[:32]


def numbered(labels: NDArray[Any] | None) -> NDArray[np.int32]:
    """Number labels by first appearance; nothing where there is nothing to tell apart."""
    if labels is None or len(labels) == 0:
        return np.empty(0, dtype=np.int32)
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    if len(first) == 1:
        return np.empty(0, dtype=np.int32)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return rank[inverse]
