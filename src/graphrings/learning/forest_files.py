"""Trees as files: the arrays of the trees, and what their columns mean."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from graphrings.learning.model_schema import (
    NAMES,
    SWITCH,
    TEXT,
    Schema,
    Table,
    check_entries,
    check_tensors,
    optional,
    whole,
)
from graphrings.learning.persistence import (
    Tensors,
    damage_in_one_line,
    plain,
    restored,
    unfitted,
)
from graphrings.learning.table_columns import TableColumns
from graphrings.learning.trees import Trees
from graphrings.settings import FAR

ARRAYS = tuple(field.name for field in fields(Trees))
IMPORTANCES = "feature_importances_"
PASSED = "passed"  # which files lack that were written before models could be explained

SCHEMA: Schema = {
    "columns": {
        "radius": whole(0, FAR),
        "nodes": TEXT,
        "labels": optional(NAMES),
        "counted": NAMES,
        "valued": NAMES,
        "n_attributes": whole(),
        "has_edge_labels": SWITCH,
    }
}
TABLES = {
    "starts": Table("int64", 1),
    "columns": Table("int32", 1),
    "thresholds": Table("float32", 1),
    "others": Table("int32", 1),
    "leaves": Table("float64", 2),
    "start": Table("float64", 1),
    PASSED: Table("float32", 1),
    IMPORTANCES: Table("float64", 1),
}


def forest_to_file(estimator: Any) -> tuple[dict[str, Any], Tensors]:
    """What the file of a fitted forest holds."""
    columns = {name: plain(value) for name, value in vars(estimator.columns_).items()}
    arrays = {name: getattr(estimator.trees_, name) for name in ARRAYS}
    arrays[IMPORTANCES] = estimator.feature_importances_
    return {"columns": columns}, {k: np.asarray(v) for k, v in arrays.items()}


def forest_from_file(path: str | Path, kind: Any, header: dict[str, Any], tensors: Tensors) -> Any:
    """A forest of a class from what its file holds."""
    with damage_in_one_line(path):
        check_entries(header, SCHEMA)
        lacking = [name for name in (PASSED,) if name not in tensors]
        check_tensors(tensors, {k: table for k, table in TABLES.items() if k not in lacking})
        estimator = unfitted(kind, header)
        columns = {name: restored(value) for name, value in header["columns"].items()}
        estimator.columns_ = TableColumns(**columns)
        estimator.columns_.check()
        known = {PASSED: np.empty(0, dtype=np.float32), **tensors}
        estimator.trees_ = Trees(**{name: known[name] for name in ARRAYS})
        n_columns = len(estimator.columns_.names)
        estimator.trees_.check(n_columns, estimator.n_sums)
        estimator.feature_importances_ = tensors[IMPORTANCES]
        if len(estimator.feature_importances_) != n_columns:
            raise ValueError("its importances do not fit its columns")
    return estimator
