"""A table of molecules as a dataset, with every row accounted for."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.dataset import Dataset, TableColumns
from graphrings.graphs.molecules import MoleculeBuilder
from graphrings.graphs.reading_options import READING
from graphrings.graphs.smiles import canonical
from graphrings.graphs.tables import Rows, Table, open_table
from graphrings.graphs.tables.columns import smiles_column, target_column
from graphrings.graphs.tables.rejected import Rejected, summary, write_rejected
from graphrings.graphs.tables.targets import MANY, decimal_commas, is_missing, targets_of
from graphrings.settings import check_settings

AT_ONCE = 1000  # rows
FEW = 5  # classes, which may be nearly as many as molecules
MOST_ALIKE = 10  # classes that a note lists


class Duplicate(NamedTuple):
    """Rows of one molecule: its canonical SMILES, and the numbers of its graphs in the dataset."""

    smiles: str
    graphs: tuple[int, ...]
    conflicting: bool  # whether their targets differ


@dataclass(frozen=True, eq=False)
class TableRead:
    """What a table held: a dataset of the rows that can be used, and all the others.

    ``lines`` and ``ids`` are those of the graphs of the dataset; there are ids where their column
    was named. ``smiles`` and ``target`` are the columns that were read.
    """

    dataset: Dataset
    lines: tuple[int, ...]
    ids: tuple[str, ...] | None
    rejected: tuple[Rejected, ...]
    smiles: str
    target: str | None
    place: str

    @property
    def n_rows(self) -> int:
        """The rows of the table, used or not."""
        return len(self.lines) + len(self.rejected)

    @property
    def summary(self) -> str:
        """How many rows were rejected and why, in one line; nothing if none was."""
        return summary(self.place, self.n_rows, self.rejected) if self.rejected else ""

    @cached_property
    def duplicates(self) -> tuple[Duplicate, ...]:
        """Molecules that stand in several rows, in the order of their first."""
        groups: dict[str, list[int]] = {}
        assert self.dataset.chemistry is not None, "it was read from molecules"
        for i, text in enumerate(canonical(self.dataset.smiles, self.dataset.chemistry)):
            groups.setdefault(text, []).append(i)
        targets = self.dataset.targets
        return tuple(
            Duplicate(text, tuple(graphs), targets is not None and len(set(targets[graphs])) > 1)
            for text, graphs in groups.items()
            if len(graphs) > 1
        )


def read_table(
    path: str | Path,
    *,
    smiles: str | None = None,
    target: str | None = None,
    id: str | None = None,  # noqa: A002, what users call it
    sheet: str | None = None,
    task: str | None = None,
    strict: bool = False,
    rejected: str | Path | None = None,
    **chemistry: Any,
) -> TableRead:
    """Read a table of molecules: CSV, TSV, JSON lines, Excel, Parquet, SMILES or SDF; ``-``: stdin.

    ``smiles``, ``target`` and ``id`` name columns, ``sheet`` one of an Excel workbook. Rows that
    cannot be used, since their molecule does not parse or their target is missing, are in
    ``rejected`` of the answer, and in the CSV file of that name, if one is given; ``strict`` makes
    the first of them an error. The rest is of ``Chemistry``: ``labels``, ``hydrogens``,
    ``fragments`` and ``stereo``.
    """
    columns = {"smiles": smiles, "target": target, "id": id}
    named = {**columns, "sheet": sheet, "task": task, "rejected": rejected}
    given = {name: value for name, value in named.items() if value is not None}
    check_settings({**given, "strict": strict}, READING)
    with open_table(path, sheet=sheet) as table:
        read = _read(table, given, Chemistry(**chemistry))
    if rejected is not None:
        write_rejected(rejected, read.rejected)
    if strict and read.rejected:
        first = read.rejected[0]
        others = f"; {len(read.rejected) - 1:,} more cannot be used" * (len(read.rejected) > 1)
        raise DatasetError(f"{read.place}:{first.line}: {first}{others}")
    if len(read.dataset) == 0:
        raise DatasetError(read.summary or f"{read.place}: no rows below the header")
    return read


class _Row(NamedTuple):
    """The cells of a row that are read."""

    line: int
    smiles: str
    target: str
    id: str | None

    def rejected(self, reason: str, text: str | None = None) -> Rejected:
        return Rejected(self.line, reason, self.smiles if text is None else text, self.id)


class _Columns(NamedTuple):
    smiles: str
    target: str | None
    id: str | None

    def rows(self, chunk: Rows) -> list[_Row]:
        """The cells of these columns; where there is no such column, nothing."""
        n_rows = len(chunk)
        targets = chunk.column(self.target) if self.target is not None else ("",) * n_rows
        ids = chunk.column(self.id) if self.id is not None else (None,) * n_rows
        smiles = map(str.strip, chunk.column(self.smiles))
        return list(map(_Row, chunk.lines, smiles, targets, ids))


def _read(table: Table, given: Mapping[str, Any], chemistry: Chemistry) -> TableRead:
    columns = _find_columns(table, given)
    builder = MoleculeBuilder(chemistry)
    rows: list[_Row] = []
    rejected: list[Rejected] = []
    for chunk in table.chunks(AT_ONCE):
        rows += _accept(chunk, columns, builder, rejected)
    dataset = builder.dataset(Path(table.place).name.partition(".")[0])
    if columns.target is not None:
        texts = [row.target for row in rows]
        if given.get("task") != "classification":
            texts = _with_points(table.place, columns.target, texts)
        numbered, refused = targets_of(texts, given.get("task"))
        rejected += [rows[i].rejected(reason) for i, reason in refused.items()]
        kept = [i for i in range(len(rows)) if i not in refused]
        rows = [rows[i] for i in kept]
        dataset = dataset[kept] if refused else dataset
        dataset = dataset.changed(targets=numbered[0], class_names=numbered[1])
        _say_if_classes_may_be_one(table.place, columns.target, dataset)
        _say_if_classes_may_be_values(table.place, columns.target, dataset, given.get("task"))
    return TableRead(
        dataset=dataset.changed(columns=TableColumns(*columns)),
        lines=tuple(row.line for row in rows),
        ids=tuple(row.id or "" for row in rows) if columns.id is not None else None,
        rejected=tuple(sorted(rejected)),
        smiles=columns.smiles,
        target=columns.target,
        place=table.place,
    )


def _find_columns(table: Table, given: Mapping[str, Any]) -> _Columns:
    smiles = smiles_column(table, given.get("smiles"))
    name = table.column(given["id"], "id column") if "id" in given else None
    target = target_column(table, given.get("target"), (smiles, name))
    if target == smiles:
        raise DatasetError(
            f"{table.place}: target column {target!r} holds the molecules; expected another one; "
            f"{table.listed()}"
        )
    return _Columns(smiles, target, name)


def _accept(
    chunk: Rows, columns: _Columns, builder: MoleculeBuilder, rejected: list[Rejected]
) -> list[_Row]:
    """The rows that have a target and a molecule, which the builder takes over."""
    candidates: list[_Row] = []
    for i, row in enumerate(columns.rows(chunk)):
        if i in chunk.faults:
            text = ", ".join(cell for cell in chunk.rows[i] if cell)
            rejected.append(row.rejected(chunk.faults[i], text))
        elif columns.target is not None and is_missing(row.target):
            rejected.append(row.rejected("no target"))
        else:
            candidates.append(row)
    reasons = builder.add(row.smiles for row in candidates)
    judged = list(zip(candidates, reasons, strict=True))
    rejected += [row.rejected(reason) for row, reason in judged if reason]
    return [row for row, reason in judged if not reason]


def _with_points(place: str, target: str, texts: list[str]) -> list[str]:
    """Targets with points where they have decimal commas, which is said."""
    commas = decimal_commas(texts)
    if commas is None:
        return texts
    if commas.doubtful:
        point, whole = commas.example.replace(",", "."), commas.example.replace(",", "")
        raise DatasetError(
            f"{place}: targets such as {commas.example!r} in column {target!r} may be {point} or "
            f"{whole}; expected them without the comma, or with a point"
        )
    warnings.warn(
        f"{place}: column {target!r} has decimal commas; {commas.example!r} is read as "
        f"{commas.example.replace(',', '.')}",
        DatasetNote,
        stacklevel=2,
    )
    return commas.with_points


def _say_if_classes_may_be_one(place: str, target: str, dataset: Dataset) -> None:
    names = [name for name in dataset.class_names if isinstance(name, str)]
    folded = Counter(map(str.casefold, names))
    alike = [name for name in names if folded[name.casefold()] > 1]
    if alike:
        warnings.warn(
            f"{place}: classes {', '.join(map(repr, alike[:MOST_ALIKE]))} in column {target!r} "
            "differ in upper and lower case alone",
            DatasetNote,
            stacklevel=2,
        )


def _say_if_classes_may_be_values(
    place: str, target: str, dataset: Dataset, task: str | None
) -> None:
    names, n_classes = dataset.class_names, dataset.n_classes
    if task is not None:
        return
    if n_classes > MANY and all(isinstance(name, int) for name in names):
        told = (
            f"the {n_classes:,} whole numbers in column {target!r} are taken for classes; "
            "task = 'regression' takes them for values"
        )
    elif n_classes > FEW and 2 * n_classes > len(dataset):
        told = (
            f"column {target!r} has {n_classes:,} classes for {len(dataset):,} molecules, such as "
            f"{names[0]!r}; values are numbers alone, without a unit"
        )
    else:
        return
    warnings.warn(f"{place}: {told}", DatasetNote, stacklevel=2)
