"""The rows of an experiment file: methods that exist, with settings that they have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from typing import Any

from graphrings.errors import ExperimentError, SettingError
from graphrings.methods import METHODS, Method, find
from graphrings.own_methods import OwnMethod
from graphrings.protocol.halving import read_halving
from graphrings.protocol.refit import read_refit
from graphrings.protocol.setting_types import fits
from graphrings.protocol.toml_file import TomlFile, is_one_line
from graphrings.protocol.toml_lines import Keys
from graphrings.results.record import HALVING, REFIT, MethodCard
from graphrings.spelling import suggestion
from graphrings.tasks import Task

ROW_KEYS = ("method", "settings", "grid", REFIT, HALVING)
MOST_POINTS = 100_000  # of a grid: each of them is a fit


def read_rows(file: TomlFile, task: Task) -> tuple[MethodCard, ...]:
    """Every row that the file asks for, in its order."""
    rows = file.table(("methods",))
    if not rows:
        raise ExperimentError(f"{file.path}: no methods; expected a table such as [methods.dgcnn]")
    return tuple(_read_row(file, name, task) for name in rows)


def _read_row(file: TomlFile, name: str, task: Task) -> MethodCard:
    """A setting that is fixed leaves the registered grid; one in a grid of its own is not fixed."""
    keys = ("methods", name)
    if not is_one_line(name):
        file.refuse(keys, f"a row called {name!r}; expected text of one line")
    row = file.table(keys, ROW_KEYS)
    method = _method(file, keys, name)
    _check_grid(file, keys)
    _check_settings(file, keys, method, task)
    settings = row.get("settings", {})
    grid = row.get("grid", method.grid)
    grid = {key: tuple(values) for key, values in grid.items() if key not in settings}
    if (n_points := prod(map(len, grid.values()))) > MOST_POINTS:
        file.refuse((*keys, "grid"), f"grid: {n_points:,} points; expected at most {MOST_POINTS:,}")
    registered = {key: value for key, value in method.settings.items() if key not in grid}
    card = MethodCard(
        name, method.name, {**registered, **settings}, grid, method.citation, method.revision
    )
    built = _first_built(file, keys, method, card, task)
    procedure = {**read_refit(file, keys, built), **read_halving(file, keys, built)}
    return replace(card, settings={**card.settings, **procedure})


def _method(file: TomlFile, keys: Keys, name: str) -> Method | OwnMethod:
    wanted = file.word((*keys, "method"), name)
    try:
        return find(wanted, file.home)
    except ExperimentError as error:
        unsaid = file.get((*keys, "method")) is None and not suggestion(wanted, METHODS)
        hint = '; a row of another name says method = "..."' if unsaid else ""
        file.refuse((*keys, "method"), f"{error}{hint}")


def _check_grid(file: TomlFile, keys: Keys) -> None:
    for name, values in file.table((*keys, "grid")).items():
        here = (*keys, "grid", name)
        if not isinstance(values, list) or not values:
            file.refuse(here, f"grid: {name} = {values!r}; expected a list of values to try")
        if len({json.dumps(value, default=str) for value in values}) < len(values):
            file.refuse(here, f"grid: {name} = {values!r}; expected every value once")
        if name in file.table((*keys, "settings")):
            file.refuse(here, f"{name} stands in settings and in grid; expected it in one of them")


def _check_settings(file: TomlFile, keys: Keys, method: Method | OwnMethod, task: Task) -> None:
    try:
        settings = method.described(task)
    except (ExperimentError, SettingError) as error:  # of a method that has yet to be imported
        file.refuse((*keys, "method"), str(error))
    for here, value in _values(file, keys):
        name = here[-1]
        if name not in settings:
            near = suggestion(name, settings) or f"; expected one of {', '.join(settings)}"
            file.refuse(here, f"{method.name} has no setting {name!r}{near}")
        if not fits(value, settings[name].type):
            file.refuse(here, f"{name} = {value!r}; expected {settings[name].allowed}")
        try:
            method.check({name: value}, task)
        except SettingError as error:
            file.refuse(here, str(error))


def _first_built(
    file: TomlFile, keys: Keys, method: Method | OwnMethod, card: MethodCard, task: Task
) -> Any:
    """The estimator with all that it is given, as the first trial will have it."""
    try:
        return method.build({**card.settings, **{k: v[0] for k, v in card.grid.items()}}, 0, task)
    except (ExperimentError, SettingError) as error:
        file.refuse((*keys, "method"), str(error))


def _values(file: TomlFile, keys: Keys) -> Iterator[tuple[Keys, Any]]:
    """Every value that a setting may take, with its place."""
    for name, value in file.table((*keys, "settings")).items():
        yield (*keys, "settings", name), value
    for name, values in file.table((*keys, "grid")).items():
        for value in values:
            yield (*keys, "grid", name), value
