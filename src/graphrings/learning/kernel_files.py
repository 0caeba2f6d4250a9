"""Machines on kernels as files: the graphs to compare with, and what each counts for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphrings.graphs.arrays import ARRAYS
from graphrings.graphs.check import check_dataset, within
from graphrings.graphs.dataset import Dataset
from graphrings.learning.model_schema import (
    NAMES,
    TABLE,
    TEXT,
    Schema,
    Table,
    check_entries,
    check_tensors,
)
from graphrings.learning.persistence import (
    Tensors,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
)

GRAPHS = tuple(name for name in ARRAYS if name != "targets")
PARTS = ("name", "label_names", "edge_label_names")


SCHEMA: Schema = {"graphs": {"name": TEXT, "label_names": NAMES, "edge_label_names": NAMES}}
TABLES = {
    "columns_": Table("int64", 1),
    "dual_coef_": Table("float64", 2),
    "coef_": Table("float64", 2),
    "intercept_": Table("float64", 1),
    "n_support_": Table("int32", 1),
    "graph_ptr": Table("int32", 1),
    "indptr": Table("int32", 1),
    "indices": Table("int32", 1),
}


def kernel_to_file(estimator: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted machine holds."""
    graphs: Dataset = estimator.graphs_
    header = {"graphs": {name: plain(getattr(graphs, name)) for name in PARTS}}
    if settled := estimator.__dict__.get("settled_"):  # what a kernel has learned from all graphs
        header["settled"] = {name: plain(value) for name, value in settled.items()}
    arrays = {name: getattr(graphs, name) for name in GRAPHS}
    arrays |= {name: getattr(estimator, name, None) for name in estimator.learned}
    return header, {k: np.asarray(v) for k, v in arrays.items() if v is not None}


def kernel_from_file(path: str | Path, kind: Any, header: dict[str, Any], tensors: Tensors) -> Any:
    """A machine of a class from what its file holds."""
    with damage_in_one_line(path):
        check_entries(header, SCHEMA)
        check_tensors(tensors, {name: TABLES[name] for name in TABLES if name in tensors})
        estimator = unfitted(kind, header)
        names = {k: restored(header["graphs"][k]) for k in PARTS}
        parts: dict[str, Any] = {k: tensors[k] for k in GRAPHS if k in tensors}
        estimator.graphs_ = Dataset.trusted(**names, **parts)
        check_dataset(estimator.graphs_, "its graphs")
        for part in kind.learned:
            if part in tensors:
                setattr(estimator, part, tensors[part])
        if "settled" in header:
            check_entries(header, {"settled": TABLE})
            if strangers := header["settled"].keys() - estimator.described_settings().keys():
                raise ValueError(f"settled.{min(strangers)} is no setting of its kernel")
            estimator.settled_ = {str(k): restored(v) for k, v in header["settled"].items()}
        estimator.check()
        columns = tensors.get("columns_", np.arange(0))
        supported = tensors.get("n_support_", np.arange(0))
        if not (
            within(columns, len(estimator.graphs_))
            and within(supported, len(columns) + 1)
            and len(estimator.graphs_) > 0
            and estimator.fits_together()
        ):
            raise ValueError("its coefficients do not fit its targets and graphs")
    return estimator
