"""What is to be predicted, as it comes: rows of a table, or the graphs of a dataset."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from graphrings.errors import DatasetError, DatasetNote, ModelError
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.tables import KINDS, STANDARD_INPUT, Rows, Table, open_table
from graphrings.graphs.tables.columns import smiles_column
from graphrings.graphs.tables.targets import is_missing
from graphrings.graphs.targets import own_targets
from graphrings.learning.chunks import AT_ONCE
from graphrings.prediction.cell_types import column_types
from graphrings.prediction.columns import Column

Cells = tuple[Any, ...]


class Question(NamedTuple):
    """Graphs to be predicted, or SMILES to be read first; ``faults`` are rows without either."""

    graphs: Dataset | tuple[str, ...]
    faults: Mapping[int, str]


class Chunk(NamedTuple):
    """Some rows: what stays of them, what is asked, and the truth where it is known, else None."""

    cells: tuple[Cells, ...]
    question: Question
    truth: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Input:
    """Rows that all have the same columns; ``place`` is what messages call it.

    Whoever does not read all chunks must ``close`` it.
    """

    place: str
    columns: tuple[Column, ...]
    chunks: Iterator[Chunk]
    close: Callable[[], None] = lambda: None


class Named(NamedTuple):
    """Columns and sheet of a table that a user names; None is what is found, or nothing."""

    smiles: str | None = None
    target: str | None = None
    id: str | None = None
    sheet: str | None = None


def is_table(name: str) -> bool:
    """Whether a path is that of a table, by its ending, or standard input."""
    ending = Path(name.lower().removesuffix(".gz")).suffix
    return name == STANDARD_INPUT or any(ending in kind.suffixes for kind in KINDS.values())


def table_input(
    name: str, named: Named, chemistry: Chemistry | None, trained: str | None = None
) -> Input:
    """The rows of a table of molecules, which are read as those of the training were.

    ``trained`` is the column of the molecules there, which is taken here too if it is there.
    """
    if chemistry is None:
        raise ModelError(
            f"{name}: a table of molecules, but the model was trained on other graphs, not on "
            "molecules; expected a dataset like that"
        )
    with ExitStack() as stack:
        table = stack.enter_context(open_table(name, sheet=named.sheet))
        smiles = _molecules(table, named.smiles, trained)
        target = None if named.target is None else table.column(named.target, "target column")
        kept = table.columns if named.id is None else (table.column(named.id, "id column"),)
        types = column_types(table.peek(AT_ONCE), table.types)
        stack.pop_all()  # all is well: it stays open
    chunks = _of_table(table, smiles, target, kept)
    columns = tuple(Column(name, types[name]) for name in kept)
    return Input(table.place, columns, chunks, table.close)


def _molecules(table: Table, named: str | None, trained: str | None) -> str:
    """The column of the molecules: as named, or as in training, or as it is found."""
    if named is not None or trained is None or table.molecules is not None:
        return smiles_column(table, named)
    if trained in table.columns:
        return trained
    column = smiles_column(table)
    if column.strip().lower() != trained.strip().lower():
        warnings.warn(
            f"{table.place}: no column {trained!r}, from which training took the molecules; taken "
            f"from {column!r}, --smiles names another",
            DatasetNote,
            stacklevel=3,
        )
    return column


def dataset_input(dataset: Dataset, chemistry: Chemistry | None) -> Input:
    """The graphs of a dataset, each called by the dataset's name and its number."""
    if dataset.chemistry is not None and chemistry not in (None, dataset.chemistry):
        raise DatasetError(
            f"{dataset.name}: molecules read as {dataset.chemistry}; the model was trained on "
            f"molecules read as {chemistry}"
        )
    return Input(dataset.name, (Column("dataset"), Column("graph", int)), _of_dataset(dataset))


def _of_table(
    table: Table, smiles: str, target: str | None, kept: tuple[str, ...]
) -> Iterator[Chunk]:
    for rows in table.chunks(AT_ONCE):
        question = Question(tuple(map(str.strip, rows.column(smiles))), rows.faults)
        yield Chunk(_kept(rows, kept), question, _truth(rows, target))


def _kept(rows: Rows, kept: tuple[str, ...]) -> tuple[Cells, ...]:
    if kept == rows.columns:
        return rows.rows
    return tuple(zip(*(rows.column(name) for name in kept), strict=True))


def _truth(rows: Rows, target: str | None) -> tuple[Any, ...]:
    if target is None:
        return (None,) * len(rows)
    return tuple(None if is_missing(text) else text.strip() for text in rows.column(target))


def _of_dataset(dataset: Dataset) -> Iterator[Chunk]:
    targets = None if dataset.targets is None else own_targets(dataset).tolist()
    for first in range(0, len(dataset), AT_ONCE):
        part = dataset[first : first + AT_ONCE]
        cells = tuple((dataset.name, first + i) for i in range(len(part)))
        truth = (None,) * len(part) if targets is None else targets[first : first + AT_ONCE]
        yield Chunk(cells, Question(part, {}), tuple(truth))
