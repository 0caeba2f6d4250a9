"""Write the TU text format, and say what it cannot hold."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.dataset import Dataset, Names
from graphrings.graphs.formats.tu_names import NAMES_OF, written_names
from graphrings.graphs.formats.writing import files_at

STEM = re.compile(r'\w[^/\\:*?"<>|\x00-\x1f\ud800-\udfff]*')  # what may begin a file's name
LARGEST = 10**18 - 1  # integers with more digits are not read
ROWS = 1 << 16  # are written at once

Table = NDArray[Any]


def write_tu(dataset: Dataset, path: Path) -> None:
    """Write the files of a TU dataset into a new folder, or into a zip.

    Classes and labels are written by their names if these are integers, or rows of integers; else
    as numbers, with a file of names beside them, which our reader takes back. Labels and attributes
    of nothing, such as those of edges where there are none, are left out.
    """
    _check(dataset)
    tables, names, notes = _tables(dataset)
    with files_at(path, inside=dataset.name) as create:
        for kind, table in tables.items():
            with create(f"{dataset.name}_{kind}.txt") as file:
                _write_table(file, table)
        for kind, lines in names.items():
            with create(f"{dataset.name}_{kind}.txt") as file:
                file.write(lines)
    if notes:
        warnings.warn(f"{path}: {'; '.join(notes)}", DatasetNote, stacklevel=3)


def check_stem(dataset: Dataset) -> None:
    """Refuse a name that cannot begin the names of files."""
    if not STEM.fullmatch(dataset.name):
        raise DatasetError(
            f"the name {dataset.name!r} cannot begin the names of files; expected another, "
            "as in dataclasses.replace(dataset, name='MINE')"
        )


def _check(dataset: Dataset) -> None:
    """Refuse what no TU files can be made of."""
    check_stem(dataset)
    if len(dataset) == 0 or dataset.targets is None:
        raise DatasetError(
            f"{dataset.name}: no graphs, or graphs without targets; TU files hold graphs with "
            "targets only (an .npz file holds any)"
        )


def _tables(dataset: Dataset) -> tuple[dict[str, Table], dict[str, bytes], list[str]]:
    """The table of every file, the names of numbers, and what is to be noted."""
    targets = dataset.targets
    assert targets is not None, "the dataset was checked"
    tails = np.repeat(np.arange(dataset.n_nodes, dtype=np.int32), dataset.degrees)
    tables: dict[str, Table] = {
        "A": np.stack([tails, dataset.indices], axis=1) + 1,
        "graph_indicator": dataset.owner[:, None] + 1,
    }
    lines: dict[str, bytes] = {}
    notes: list[str] = []
    for kind, what, numbers, names in (
        ("graph_labels", "classes", targets, dataset.class_names),
        ("node_labels", "node labels", dataset.node_labels, dataset.label_names),
        ("edge_labels", "edge labels", dataset.edge_labels, dataset.edge_label_names),
    ):
        if numbers is None or len(numbers) == 0 or numbers.dtype.kind == "f":
            continue
        rows = _rows_of(names)
        unused = int((np.bincount(numbers, minlength=len(names)) == 0).sum())
        if rows is None:
            rows = np.arange(len(names))[:, None]
            lines[NAMES_OF[kind]] = written_names(names)
        elif unused:
            notes.append(f"{unused} {what} that do not occur are left out")
        tables[kind] = rows[numbers]
    for kind, values in (
        ("graph_attributes", targets[:, None] if dataset.has_values else None),
        ("node_attributes", dataset.node_attributes),
        ("edge_attributes", dataset.edge_attributes),
    ):
        if values is not None and values.size:
            tables[kind] = values
    return tables, lines, notes


def _rows_of(names: Names) -> NDArray[np.int64] | None:
    """Names as rows of a table of integers, if a reader finds them there as they were."""
    all_tuples = all(isinstance(name, tuple) for name in names)
    rows: Any = names if all_tuples else [(name,) for name in names]
    widths = {len(row) for row in rows}
    one_width = len(widths) == 1 and min(widths) > all_tuples  # a tuple of one would lose its form
    if one_width and all(_is_readable(cell) for row in rows for cell in row):
        return np.array(rows, dtype=np.int64)
    return None


def _is_readable(value: Any) -> bool:
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and abs(value) <= LARGEST


def _write_table(file: IO[bytes], table: Table) -> None:
    """Rows of numbers with commas between them; numbers that are not whole keep every digit."""
    cell = "%r" if table.dtype.kind == "f" else "%d"
    line = ", ".join([cell] * table.shape[1]) + "\n"
    for start in range(0, len(table), ROWS):
        rows = table[start : start + ROWS]
        file.write((line * len(rows) % tuple(rows.ravel().tolist())).encode())
