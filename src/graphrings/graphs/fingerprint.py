"""A hash of what a dataset says, not of how it was written down."""

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

FORMAT = b"graphrings dataset 1"
AT_ONCE = 1_000_000  # labels that are sorted together


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
        digest.update(np.ascontiguousarray(part, dtype="<i4").data)
    if targets is not None and has_values:
        digest.update(b"values")
        digest.update((targets + 0.0).astype("<f8").tobytes())  # -0.0 is 0.0
    return digest.hexdigest()[:32]


def numbered(labels: NDArray[Any] | None, at_once: int = AT_ONCE) -> NDArray[np.int32]:
    """Number labels by first appearance; nothing where there is nothing to tell apart."""
    if labels is None or len(labels) == 0:
        return np.empty(0, dtype=np.int32)
    known, numbers = dict[Any, int](), np.empty(len(labels), dtype=np.int32)
    for start in range(0, len(labels), at_once):
        part = labels[start : start + at_once]
        distinct, first, inverse = np.unique(part, return_index=True, return_inverse=True)
        for label in distinct[np.argsort(first)].tolist():
            known.setdefault(label, len(known))
        ranks = np.array([known[label] for label in distinct.tolist()], dtype=np.int32)
        numbers[start : start + at_once] = ranks[inverse]
    return numbers if len(known) > 1 else np.empty(0, dtype=np.int32)
