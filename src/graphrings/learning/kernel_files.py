"""Machines on kernels as files: the graphs to compare with, and what each counts for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from graphrings.graphs.arrays import ARRAYS
from graphrings.graphs.dataset import Dataset
from graphrings.learning.persistence import (
    common_header,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
    write,
)

GRAPHS = tuple(name for name in ARRAYS if name != "targets")
NAMES = ("name", "label_names", "edge_label_names")


def save(path: str | Path, estimator: Any) -> None:
    """Write a fitted machine."""
    graphs: Dataset = estimator.graphs_
    header = {
        **common_header(estimator),
        "graphs": {name: plain(getattr(graphs, name)) for name in NAMES},
    }
    arrays = {name: getattr(graphs, name) for name in GRAPHS}
    arrays |= {name: getattr(estimator, name, None) for name in estimator.learned}
    tensors = {k: torch.from_numpy(np.array(v)) for k, v in arrays.items() if v is not None}
    write(path, header, tensors)


def kernel_from_file(
    path: str | Path, kind: Any, header: dict[str, Any], tensors: dict[str, torch.Tensor]
) -> Any:
    """A machine of a class from what its file holds."""
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    with damage_in_one_line(path):
        estimator = unfitted(kind, header)
        names = {k: restored(header["graphs"][k]) for k in NAMES}
        parts: dict[str, Any] = {k: arrays[k] for k in GRAPHS if k in arrays}
        estimator.graphs_ = Dataset(**names, **parts)
        check_graphs(estimator.graphs_)
        for part in kind.learned:
            if part in arrays:
                setattr(estimator, part, arrays[part])
        estimator.check()
        inside = estimator.linear or within(estimator.columns_, 0, len(estimator.graphs_))
        if not (inside and estimator.fits_together()):
            raise ValueError("its coefficients do not fit its targets and graphs")
    return estimator


def check_graphs(graphs: Dataset) -> None:
    """Refuse arrays that would lead compiled code outside of them."""
    n_nodes, n_entries = graphs.n_nodes, len(graphs.indices)
    good = (
        rises(graphs.graph_ptr, n_nodes)
        and rises(graphs.indptr, n_entries)
        and within(graphs.indices, 0, n_nodes)
        and np.array_equal(
            graphs.owner[graphs.indices], np.repeat(graphs.owner, np.diff(graphs.indptr))
        )
        and fits(graphs.node_labels, n_nodes, graphs.n_labels)
        and fits(graphs.edge_labels, n_entries, len(graphs.edge_label_names))
    )
    if not good:
        raise ValueError("its graphs do not fit together")


def rises(ptr: NDArray[Any], last: int) -> bool:
    """Whether these are bounds of 0 .. last."""
    return bool(ptr[0] == 0 and ptr[-1] == last and np.all(np.diff(ptr) >= 0))


def within(numbers: NDArray[Any], first: int, end: int) -> bool:
    """Whether all numbers are of first .. end - 1."""
    return bool(np.all((numbers >= first) & (numbers < end)))


def fits(labels: NDArray[Any] | None, count: int, n_names: int) -> bool:
    """Whether there is a label of the alphabet for everyone, or none at all."""
    return labels is None or (len(labels) == count and within(labels, 0, n_names))
