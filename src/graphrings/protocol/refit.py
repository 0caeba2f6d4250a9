"""Refit: the winner of the validation fold, fitted again with the validation graphs as well.

An experiment, or a row of it, that says ``refit = true`` means it for methods whose training does
not stop early. Their rows carry it among their settings, so that cells with and without are
different cells with seeds of their own, and those without stay what they were.
"""

from __future__ import annotations

from typing import Any

from graphrings.methods import Method
from graphrings.own_methods import OwnMethod
from graphrings.protocol.toml_file import TomlFile
from graphrings.protocol.toml_lines import Keys
from graphrings.results.record import REFIT, Setting
from graphrings.tasks import Task


def read_refit(file: TomlFile, row: Keys, method: Method | OwnMethod, task: Task) -> dict[str, Any]:
    """What a row carries of it: a row's own word comes before that of the experiment."""
    own = file.switch((*row, REFIT), None)
    wanted = file.switch((REFIT,), False) if own is None else own
    if not wanted:
        return {}
    if not method.stops_early(task):
        return {REFIT: True}
    if own is None:
        return {}
    file.refuse((*row, REFIT), f"refit = true; {method.name} needs validation graphs to stop early")


def is_refitted(setting: Setting) -> bool:
    """Whether a winner with this setting is fitted again."""
    return bool(setting.get(REFIT, False))


def of_estimator(setting: Setting) -> dict[str, Any]:
    """The settings that an estimator knows: all others."""
    return {name: value for name, value in setting.items() if name != REFIT}
