"""Folds that somebody else has drawn: a CSV file with columns, or lists of graphs in JSON."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import ExperimentError
from graphrings.results.fold_kinds import OWN
from graphrings.spelling import suggestion

COLUMNS = ("graph", "fold")
MORE_COLUMNS = ("repetition", "dataset")
SUFFIXES = (".csv", ".json")
ANY = ""  # the dataset of folds that name none
MOST = 2**31
DIGITS = re.compile(r"\s*\d{1,10}\s*", re.ASCII)
LISTS = "a list of folds, each a list of graph numbers (or of such lists, one per repetition)"


class Entry(NamedTuple):
    """Graph and fold as a file says them: graphs count from 0, folds and repetitions from 1."""

    place: str
    dataset: str
    repetition: int
    graph: int
    fold: int


@dataclass(frozen=True)
class OwnFolds:
    """For every dataset and repetition the fold of every graph; both count from 0 here.

    A file with one repetition serves for any number of them.
    """

    path: str
    n_folds: int
    n_repetitions: int
    folds: Mapping[str, tuple[NDArray[np.int64], ...]]

    @property
    def name(self) -> str:
        """What a store calls them: the same content has the same name, whatever file it is in."""
        digest = hashlib.sha256()
        for dataset, repetitions in sorted(self.folds.items()):
            for folds in repetitions:
                digest.update(json.dumps([dataset, folds.tolist()]).encode())
        return f"{OWN}{digest.hexdigest()[:12]}"

    def check_datasets(self, names: Iterable[str]) -> None:
        """Refuse datasets whose folds are not there, or not told from those of others."""
        wanted = list(names)
        if ANY in self.folds and len(wanted) > 1:
            raise ExperimentError(
                f"{self.path}: folds of one dataset for {len(wanted)} of them; expected a column "
                '"dataset", or in JSON an object with the name of every dataset'
            )
        for name in wanted:
            if ANY not in self.folds and name not in self.folds:
                raise ExperimentError(
                    f"{self.path}: no folds of {name!r}; there are some of "
                    f"{', '.join(self.folds)}{suggestion(name, self.folds)}"
                )

    def tests(self, dataset: str, n_graphs: int, repetition: int) -> list[NDArray[np.int64]]:
        """The graphs of every fold of a repetition, ascending; all graphs must be there."""
        repetitions = self.folds[ANY if ANY in self.folds else dataset]
        folds = repetitions[repetition if len(repetitions) > 1 else 0]
        if len(folds) != n_graphs:
            raise ExperimentError(
                f"{self.path}: folds of {len(folds):,} graphs, but {dataset} has {n_graphs:,}; "
                "expected every graph once, counted from 0"
            )
        return [np.flatnonzero(folds == fold) for fold in range(self.n_folds)]


def are_own(folds: str) -> bool:
    """Whether folds are named by a file, and not by a kind."""
    return Path(folds).suffix.lower() in SUFFIXES


def read_own_folds(path: Path, shown: str) -> OwnFolds:
    """Read and check a file of folds, which messages call ``shown``."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ExperimentError(f"{shown}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise ExperimentError(f"{shown}: not a text in UTF-8") from error
    if path.suffix.lower() == ".csv":
        return own_folds(csv_entries(text, shown), shown)
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExperimentError(f"{shown}: not JSON: {error}") from error
    return own_folds(listed_entries(content, shown), shown)


def csv_entries(text: str, shown: str) -> Iterator[Entry]:
    """The rows of a file with the columns graph and fold, perhaps repetition and dataset."""
    rows = csv.DictReader(io.StringIO(text, newline=""), strict=True)
    try:
        columns = [name.strip() for name in rows.fieldnames or ()]
        rows.fieldnames = columns
        for column in COLUMNS:
            if column not in columns:
                raise ExperimentError(
                    f"{shown}:1: no column {column!r}; expected graph, fold, and perhaps "
                    f"repetition and dataset{suggestion(column, columns)}"
                )
        for column in columns:
            if column not in (*COLUMNS, *MORE_COLUMNS) or columns.count(column) > 1:
                raise ExperimentError(
                    f"{shown}:1: column {column!r}; expected graph, fold, and perhaps repetition "
                    "and dataset, each once"
                )
        for row in rows:
            place = f"{shown}:{rows.line_num}"
            numbers = {
                name: _number(row.get(name), name, least, place)
                for name, least in (("graph", 0), ("fold", 1), ("repetition", 1))
                if name in columns
            }
            dataset = (row.get("dataset") or "").strip()
            if "dataset" in columns and not dataset:
                raise ExperimentError(f"{place}: no dataset; expected its name")
            yield Entry(
                place, dataset, numbers.get("repetition", 1), numbers["graph"], numbers["fold"]
            )
    except csv.Error as error:
        raise ExperimentError(f"{shown}:{rows.reader.line_num}: not CSV: {error}") from error


def listed_entries(content: Any, shown: str) -> Iterator[Entry]:
    """Lists of the graphs of every fold, perhaps by repetition, perhaps by dataset."""
    by_dataset = content if isinstance(content, dict) else {ANY: content}
    if isinstance(content, dict) and ANY in content:
        raise ExperimentError(f"{shown}: no dataset; expected its name")
    for dataset, lists in by_dataset.items():
        where = f"{shown}: {dataset}" if dataset else shown
        depth = _depth(lists)
        if depth not in (2, 3):
            raise ExperimentError(f"{where}: expected {LISTS}")
        repetitions: Sequence[Any] = lists if depth == 3 else [lists]
        for repetition, folds in enumerate(repetitions, 1):
            for fold, graphs in enumerate(folds if isinstance(folds, list) else [None], 1):
                place = f"{where}, fold {fold}"
                if not isinstance(graphs, list) or not graphs:
                    raise ExperimentError(f"{place}: {graphs!r}; expected {LISTS}")
                for graph in graphs:
                    number = _number(graph, "graph", 0, place)
                    yield Entry(place, dataset, repetition, number, fold)


def own_folds(entries: Iterable[Entry], shown: str) -> OwnFolds:
    """Folds of which every graph has one, each number from 1 to their count used."""
    given: dict[str, dict[int, dict[int, int]]] = {}
    for entry in entries:
        graphs = given.setdefault(entry.dataset, {}).setdefault(entry.repetition, {})
        if entry.graph in graphs:
            raise ExperimentError(
                f"{entry.place}: graph {entry.graph} for the second time; expected every graph "
                "once per repetition"
            )
        graphs[entry.graph] = entry.fold
    if not given:
        raise ExperimentError(f"{shown}: no folds; expected every graph once")
    n_folds = max(
        max(graphs.values()) for repetitions in given.values() for graphs in repetitions.values()
    )
    counts = {dataset: len(repetitions) for dataset, repetitions in given.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} of {dataset}" for dataset, count in counts.items())
        raise ExperimentError(f"{shown}: repetitions: {told}; expected as many of every dataset")
    return OwnFolds(
        shown,
        n_folds,
        next(iter(counts.values())),
        {
            dataset: tuple(_arrays(repetitions, n_folds, dataset, shown))
            for dataset, repetitions in given.items()
        },
    )


def _arrays(
    repetitions: Mapping[int, Mapping[int, int]], n_folds: int, dataset: str, shown: str
) -> Iterator[NDArray[np.int64]]:
    """The fold of every graph, repetition by repetition."""
    of = f" of {dataset}" if dataset else ""
    for number in range(1, len(repetitions) + 1):
        if number not in repetitions:
            raise ExperimentError(
                f"{shown}: {len(repetitions)} repetitions{of}, but none is number {number}; "
                "expected 1, 2, ..."
            )
        where = f"repetition {number}{of}" if len(repetitions) > 1 else f"the folds{of}"
        graphs = repetitions[number]
        missing = next((graph for graph in range(len(graphs)) if graph not in graphs), None)
        if missing is not None:
            raise ExperimentError(
                f"{shown}: graph {missing} is in no fold in {where}; expected every graph once, "
                "counted from 0"
            )
        used = set(graphs.values())
        empty = next((fold for fold in range(1, n_folds + 1) if fold not in used), None)
        if empty is not None:
            raise ExperimentError(
                f"{shown}: fold {empty} is empty in {where}; expected the folds 1 to {n_folds}, "
                "each with graphs"
            )
        yield np.array([graphs[graph] for graph in range(len(graphs))], dtype=np.int64) - 1


def _number(value: Any, name: str, least: int, place: str) -> int:
    """A whole number of a file, which has text or numbers."""
    number = value
    if isinstance(value, str) and DIGITS.fullmatch(value):
        number = int(value)
    if type(number) is not int or not least <= number < MOST:
        raise ExperimentError(
            f"{place}: {name} {value!r}; expected a whole number, {least} or larger"
        )
    return number


def _depth(lists: Any) -> int:
    return 1 + _depth(lists[0]) if isinstance(lists, list) and lists else int(lists == [])
