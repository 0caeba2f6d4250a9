"""Successive halving: all settings are trained for a few epochs, the better ones for more.

A row, or an experiment, that says ``halving = 10`` trains every setting of a grid for 10 epochs,
the better third for 30, the better third of those for 90, and who is left then to the end (Jamieson
and Talwalkar, AISTATS 2016, with a third in the place of a half). A trial that goes on starts anew:
with its seed it has the same first epochs to the last bit, so that nothing is kept between rounds
and every method that is trained by epochs can take part. One that stopped early is not run again.

Rows carry it among their settings, so that cells with and without are different cells.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from typing import Any, TypeVar

from graphrings.protocol.toml_file import TomlFile
from graphrings.protocol.toml_lines import Keys
from graphrings.results.record import HALVING

KEPT = 3  # one of so many goes on, for so many times the epochs
Fit = TypeVar("Fit")


def read_halving(file: TomlFile, row: Keys, estimator: Any) -> dict[str, Any]:
    """What the row of an estimator carries of it: its own word comes before the experiment's."""
    own = file.get((*row, HALVING))
    place = (HALVING,) if own is None else (*row, HALVING)
    if file.get(place) is None:
        return {}
    first = file.whole_number(place, 0, least=1)
    if "max_epochs" in estimator.get_params(deep=False):
        return {HALVING: first}
    if own is None:
        return {}
    file.refuse(place, f"halving = {first}; {row[-1]} is not trained by epochs")


def first_epochs(settings: Mapping[str, Any]) -> int | None:
    """The epochs of the first round; None where every setting is trained to its end."""
    return settings.get(HALVING)


def rounds(n_settings: int, first: int, longest: int) -> list[tuple[int, int]]:
    """How many settings every round trains, and for how many epochs at most.

    The last one goes to the end; a round of nearly as many epochs before it would cost too much.
    """
    planned, n, epochs = [], n_settings, first
    while n > 1 and 2 * epochs <= longest:
        planned.append((n, epochs))
        n, epochs = math.ceil(n / KEPT), KEPT * epochs
    return [*planned, (n, longest)]


def halved(
    n_settings: int,
    plan: Sequence[tuple[int, int]],
    fit: Callable[[int, int, Fit | None], Fit],
    beats: Callable[[Fit, Fit], bool],
) -> tuple[list[Fit], int]:
    """The last fit of every setting, and the number of the one that has won.

    ``fit`` is told the number of a setting, its epochs and its fit of the round before. Of two that
    do not beat each other the first of the grid goes on.
    """
    fits: dict[int, Fit] = {}

    def order(one: int, other: int) -> int:
        if beats(fits[one], fits[other]):
            return -1
        return 1 if beats(fits[other], fits[one]) else one - other

    left = list(range(n_settings))
    for n_trained, epochs in plan:
        left = sorted(sorted(left, key=cmp_to_key(order))[:n_trained] if fits else left)
        for number in left:
            fits[number] = fit(number, epochs, fits.get(number))
    winner = min(left, key=cmp_to_key(order))
    return [fits[number] for number in range(n_settings)], winner
