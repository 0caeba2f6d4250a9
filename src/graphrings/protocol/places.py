"""The datasets of an experiment file: where each lies, and how it is to be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from graphrings.errors import ExperimentError, UnknownDatasetError
from graphrings.graphs.catalogue import lookup
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.formats import FORMATS
from graphrings.graphs.load import is_path
from graphrings.protocol.toml_file import TomlFile, is_one_line
from graphrings.protocol.toml_lines import Keys
from graphrings.spelling import suggestion

PATH = "path"
OPTIONS = {name: setting for known in FORMATS for name, setting in known.options.items()}


class Place(NamedTuple):
    """A catalogue name or a path, and the options to read it with; or the dataset itself."""

    path: str
    options: dict[str, Any]
    given: Dataset | None = None


def read_places(file: TomlFile) -> dict[str, Place]:
    """Where the datasets lie, by the names of their columns."""
    wanted = file.get(("datasets",))
    if not wanted:
        raise ExperimentError(f'{file.path}: no datasets; expected datasets = ["MUTAG"] or more')
    if isinstance(wanted, dict):
        return {name: _read_entry(file, ("datasets", name), name, wanted[name]) for name in wanted}
    if not isinstance(wanted, list):
        file.refuse(("datasets",), f"datasets = {wanted!r}; expected a list or a table")
    for name in wanted:
        if wanted.count(name) > 1:
            file.refuse(("datasets",), f"dataset {name!r} stands there twice; expected it once")
    return {name: Place(_read_place(file, ("datasets",), name, name), {}) for name in wanted}


def _read_entry(file: TomlFile, keys: Keys, name: str, entry: Any) -> Place:
    """A place, or a table of its path and the options to read it with; from Python, a dataset."""
    if isinstance(entry, Dataset):
        return Place(entry.name, {}, entry)
    if not isinstance(entry, dict):
        return Place(_read_place(file, keys, name, entry), {})
    if PATH not in entry:
        near = suggestion(PATH, entry)
        file.refuse(keys, f'dataset {name!r} without a path; expected path = "..."{near}')
    options = {key: value for key, value in entry.items() if key != PATH}
    for key, value in options.items():
        if key not in OPTIONS:
            near = suggestion(key, OPTIONS) or f"; expected one of {', '.join(OPTIONS)}"
            file.refuse((*keys, key), f"no format has an option {key!r}{near}")
        if OPTIONS[key].type is Path and isinstance(value, str):
            options[key] = str(file.beside(value).resolve())
    return Place(_read_place(file, (*keys, PATH), name, entry[PATH]), options)


def _read_place(file: TomlFile, keys: Keys, name: Any, place: Any) -> str:
    """A catalogue name, or a path: one that exists beside the experiment file is meant there."""
    for said in (name, place):
        if not is_one_line(said):
            file.refuse(keys, f"dataset {said!r}; expected a name or a path, text of one line")
    if is_path(place):
        beside = file.beside(place)
        return str(beside.resolve()) if beside.exists() else str(place)
    try:
        lookup(place)
    except UnknownDatasetError as error:
        file.refuse(keys, str(error))
    return str(place)
