"""Kernel classifiers as files: the graphs to compare with, and what each counts for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from graphrings.errors import ModelError
from graphrings.graphs.arrays import ARRAYS
from graphrings.graphs.dataset import Dataset
from graphrings.learning.classes import column
from graphrings.learning.persistence import common_header, plain, restored, write
from graphrings.settings import check_settings

GRAPHS = tuple(name for name in ARRAYS if name != "targets")
NAMES = ("name", "label_names", "edge_label_names")
LEARNED = ("columns_", "dual_coef_", "n_support_", "coef_", "intercept_", "calibration_")


def save(path: str | Path, classifier: Any) -> None:
    """Write a fitted classifier."""
    graphs: Dataset = classifier.graphs_
    header = {
        **common_header(classifier),
        "graphs": {name: plain(getattr(graphs, name)) for name in NAMES},
    }
    arrays = {name: getattr(graphs, name) for name in GRAPHS}
    arrays |= {name: getattr(classifier, name, None) for name in LEARNED}
    tensors = {k: torch.from_numpy(np.array(v)) for k, v in arrays.items() if v is not None}
    write(path, header, tensors)


def kernel_from_file(
    path: str | Path, kind: Any, header: dict[str, Any], tensors: dict[str, torch.Tensor]
) -> Any:
    """A classifier of a class from what its file holds."""
    arrays = {name: tensor.numpy() for name, tensor in tensors.items()}
    try:
        classifier = kind(**{k: restored(v) for k, v in header["settings"].items()})
        classifier.classes_ = column(header["classes"])
        names = {k: restored(header["graphs"][k]) for k in NAMES}
        parts: dict[str, Any] = {k: arrays[k] for k in GRAPHS if k in arrays}
        classifier.graphs_, classifier._home = Dataset(**names, **parts), None
        check_graphs(classifier.graphs_)
        for part in LEARNED:
            if part in arrays:
                setattr(classifier, part, arrays[part])
        check_sizes(classifier)
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{path}: the model is damaged ({reason})") from error
    return classifier


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


def check_sizes(classifier: Any) -> None:
    """Refuse coefficients of another number of classes or graphs."""
    check_settings(classifier.get_params(), classifier.checks)
    classifier.check_part()
    k = len(classifier.classes_)
    if classifier.linear:
        good = len(classifier.coef_) == len(classifier.intercept_) == (1 if k == 2 else k)
    else:
        good = (
            within(classifier.columns_, 0, len(classifier.graphs_))
            and classifier.dual_coef_.shape == (k - 1, len(classifier.columns_))
            and classifier.n_support_.shape == (k,)
            and classifier.n_support_.sum() == len(classifier.columns_)
            and len(classifier.intercept_) == k * (k - 1) // 2
        )
    if not good:
        raise ValueError("its coefficients do not fit its classes and graphs")
