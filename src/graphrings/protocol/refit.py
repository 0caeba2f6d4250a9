"""Refit: the winner of the validation fold, fitted again with the validation graphs as well.

An experiment, or a row of it, that says ``refit = true`` means it for methods whose training does
not stop early. Their rows carry it among their settings, so that cells with and without are
different cells with seeds of their own, and those without stay what they were.
"""

from __future__ import annotations

from typing import Any

from graphrings.protocol.toml_file import TomlFile
from graphrings.protocol.toml_lines import Keys
from graphrings.results.record import HALVING, REFIT, Setting

PROCEDURE = (HALVING, REFIT)  # what a row's settings say of the protocol


def read_refit(file: TomlFile, row: Keys, estimator: Any) -> dict[str, Any]:
    """What the row of an estimator carries of it: its own word comes before the experiment's."""
    own = file.switch((*row, REFIT), None)
    wanted = file.switch((REFIT,), False) if own is None else own
    if not wanted:
        return {}
    if not estimator.stops_early:
        return {REFIT: True}
    if own is None:
        return {}
    file.refuse((*row, REFIT), f"refit = true; {row[-1]} needs validation graphs to stop early")


def is_refitted(setting: Setting) -> bool:
    """Whether a winner with this setting is fitted again."""
    return bool(setting.get(REFIT, False))


def of_estimator(setting: Setting) -> dict[str, Any]:
    """The settings that an estimator knows: all others."""
    return {name: value for name, value in setting.items() if name not in PROCEDURE}
