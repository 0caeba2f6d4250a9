"""Formats with a file for every graph: their order, their targets, and the dataset they make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.data_keys import MISSING
from graphrings.graphs.adapters.listed import Listed, from_listed
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.files import Files
from graphrings.graphs.formats.csv_table import CsvTable, read_csv
from graphrings.graphs.natural_order import natural_key
from graphrings.graphs.numbering import NOTHING, Numbered
from graphrings.graphs.targets import numbered_targets

TARGET_FILES = ("graphs.csv", "targets.csv")
TARGETS = ("target", "y", "class", "label")  # what graphs may call it
Parse = Callable[[bytes, str], list[Listed]]  # the graphs of a file, from its content and place


def has_files(files: Files, suffix: str) -> bool:
    """Whether there is a file of this kind."""
    return any(name.lower().endswith(suffix) for name in files.names)


def read_graph_files(
    files: Files,
    suffix: str,
    parse: Parse,
    tidy: Callable[[list[Listed], str], list[Listed]] | None = None,
) -> Dataset:
    """Read all files of a kind in the natural order of their names: 2 before 10.

    Targets stand in graphs.csv or targets.csv beside them, by the name of the file (or by the
    number of the graph, from 0, if files hold several), or in the graphs' own data.
    """
    names = sorted((n for n in files.names if n.lower().endswith(suffix)), key=natural_key)
    graphs: list[Listed] = []
    owners: list[str] = []
    for name, content in files.contents(names):
        listed = parse(content, files.place(name))
        graphs += listed
        owners += [name] * len(listed)
    if not graphs:
        raise DatasetError(f"{files.path}: no graphs; expected at least one")
    if tidy is not None:
        graphs = tidy(graphs, str(files.path))
    return assembled(files, graphs, target_values(files, called(owners), graphs))


def assembled(
    files: Files, graphs: Sequence[Listed], targets: Sequence[Any] | None, *, one_way: bool = False
) -> Dataset:
    """A dataset of graphs in files; messages name the path."""
    try:
        dataset = from_listed(graphs, name=files.path.stem, one_way=one_way)
        numbers, class_names = typed_targets(targets, len(graphs))
    except DatasetError as error:
        raise DatasetError(f"{files.path}: {error}") from error
    return dataset.changed(targets=numbers, class_names=class_names)


def typed_targets(targets: Sequence[Any] | None, n_graphs: int) -> Numbered:
    """Targets of a file: real numbers are values, also whole ones, for 1 and 1.0 differ there."""
    if targets is None:
        return NOTHING
    if all(isinstance(value, float) for value in targets):
        values = np.array(targets, dtype=np.float64)
        if not np.isfinite(values).all():
            raise DatasetError("targets that are not finite numbers")
        return values, ()
    return numbered_targets(targets, n_graphs)


def called(owners: Sequence[str]) -> dict[str, int]:
    """The graph that every name leads to, from the file of every graph.

    Where every graph has a file of its own, that file with or without its folder and ending;
    where they share files, or there is one alone, the number of the graph, from 0.
    """
    if len(owners) != len(set(owners)) or len(owners) == 1:
        numbers = {str(i): i for i in range(len(owners))}
        return numbers if len(owners) > 1 else {**_file_names(owners), **numbers}
    return _file_names(owners)


def _file_names(owners: Sequence[str]) -> dict[str, int]:
    """Every file by its whole path, its name, and its name without ending, if only it has that."""
    paths = [PurePosixPath(owner) for owner in owners]
    names: dict[str, int] = {}
    for form in (
        [path.stem for path in paths],
        [path.name for path in paths],
        [path.as_posix() for path in paths],
    ):
        often = Counter(form)
        names |= {name: i for i, name in enumerate(form) if often[name] == 1}
    return names


def target_values(files: Files, keys: dict[str, int], graphs: Sequence[Listed]) -> list[Any] | None:
    """The targets from the file beside the graphs, or from their own data."""
    beside = [n for n in files.names if PurePosixPath(n).name.lower() in TARGET_FILES]
    if len(beside) > 1:
        raise DatasetError(f"{files.path}: {' and '.join(beside)}; expected one of them")
    if beside and not files.alone:
        return _by_key(read_csv(files, beside[0]), keys, len(graphs))
    for name in TARGETS:
        values = [graph.graph_data.get(name, MISSING) for graph in graphs]
        if all(value is not MISSING for value in values):
            return values
    return None


def _by_key(table: CsvTable, keys: dict[str, int], n_graphs: int) -> list[Any]:
    """The target of every graph by its name."""
    targets: list[Any] = [MISSING] * n_graphs
    cells = table.typed(table.heading(*TARGETS))
    names = table.column("graph", "file", "name")
    for line, name, value in zip(table.lines, names, cells, strict=True):
        if name not in keys:
            some = ", ".join(list(keys)[:2])
            raise DatasetError(
                f"{table.place}:{line}: no graph is called {name!r}; expected names such as {some}"
            )
        if value is MISSING:
            raise DatasetError(f"{table.place}:{line}: no target of {name!r}")
        if targets[keys[name]] is not MISSING:
            raise DatasetError(f"{table.place}:{line}: a second target of {name!r}")
        targets[keys[name]] = value
    if MISSING in targets:
        without = targets.index(MISSING)
        name = next(name for name, i in keys.items() if i == without)
        raise DatasetError(f"{table.place}: no target of {name!r}; expected one for every graph")
    return targets
