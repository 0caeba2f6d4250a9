"""An experiment that is said in Python instead of a file."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

from graphrings.errors import ExperimentError
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.experiment import Experiment, experiment_of
from graphrings.protocol.toml_file import TomlFile
from graphrings.protocol.toml_lines import Keys


class Said(TomlFile):
    """What an experiment file would say; messages name the argument instead of the line."""

    @property
    def home(self) -> None:
        """Modules are imported from wherever Python finds them."""
        return

    def beside(self, place: str) -> Path:
        """A relative path is one of this process."""
        return Path(place)

    def refuse(self, keys: Keys, message: str) -> NoReturn:
        """Raise an error about an argument."""
        raise ExperimentError(f"{'.'.join(keys)}: {message}")


def experiment(
    datasets: Any,
    methods: Any,
    *,
    name: str = "experiment",
    task: str = "classification",
    seed: int = 0,
    folds: Any = "stratified",
    n_folds: int | None = None,
    repetitions: int | None = None,
    refit: bool = False,
) -> Experiment:
    """An experiment to ``run``, checked like an experiment file, with the same meanings.

    Args:
        datasets: by name a ``Dataset``, the name or the path of one, or a mapping of its ``path``
            and the options to read it with; or a list of datasets, names and paths.
        methods: by the name of the row the name of a method, an estimator's class, or a mapping
            with ``method``, ``settings`` and ``grid``; or a list of names and classes.
        name: what the store calls the experiment.
        task: ``classification`` or ``regression``.
        seed: of folds and fits.
        folds: ``stratified``, ``published``, ``grouped`` or ``scaffold``; the path of a CSV or JSON
            file; or a list with the graphs of every fold.
        n_folds: 10, or as many as there are in the ``folds``.
        repetitions: 10, or as many as there are in the ``folds``.
        refit: fit the winner of a validation fold again with its graphs, before it is tested.

    """
    said = {
        "name": name,
        "task": task,
        "seed": seed,
        "folds": str(folds) if isinstance(folds, Path) else _plain(folds),
        "n_folds": n_folds,
        "repetitions": repetitions,
        "refit": refit,
        "datasets": _datasets(datasets),
        "methods": {row: _row(method) for row, method in _methods(methods).items()},
    }
    tree = {key: value for key, value in said.items() if value is not None}
    return experiment_of(Said(Path("gr.experiment"), "", tree))


def _datasets(datasets: Any) -> dict[str, Any]:
    """Datasets by name; those of a list go by their own."""
    if isinstance(datasets, Dataset | str | Path):
        datasets = [datasets]
    if isinstance(datasets, Mapping):
        return {name: _place(entry) for name, entry in datasets.items()}
    return _once(
        "datasets",
        ((one.name if isinstance(one, Dataset) else str(one), _place(one)) for one in datasets),
    )


def _place(entry: Any) -> Any:
    if isinstance(entry, Mapping):
        return {key: _place(value) for key, value in entry.items()}
    return str(entry) if isinstance(entry, Path) else entry


def _methods(methods: Any) -> Mapping[str, Any]:
    if isinstance(methods, str) or inspect.isclass(methods):
        methods = [methods]
    if isinstance(methods, Mapping):
        return methods
    return _once(
        "methods", ((one.__name__ if inspect.isclass(one) else str(one), one) for one in methods)
    )


def _once(what: str, pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for name, value in pairs:
        if name in named:
            raise ExperimentError(f"{what}: {name!r} stands there twice; expected it once")
        named[name] = value
    return named


def _row(method: Any) -> Any:
    """What a file would say of a row; a class or function goes by its import path."""
    if isinstance(method, Mapping):
        row = {key: _plain(value) for key, value in method.items()}
        return row if "method" not in row else {**row, "method": _import_path(row["method"])}
    return {} if method is None else {"method": _import_path(method)}


def _import_path(method: Any) -> Any:
    if inspect.isclass(method) or inspect.isroutine(method):
        return f"{method.__module__}:{method.__qualname__}"
    return method


def _plain(value: Any) -> Any:
    """Tuples as lists, as a file has them."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if hasattr(value, "tolist"):  # an array, or a number of numpy
        return value.tolist()
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value
