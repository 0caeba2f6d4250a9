"""Learning curves of every setting that was tried, as sums over folds.

The curves of all trials of all folds may not fit memory; their sums do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from graphrings.results.record import Record, Setting, Trial

Row = tuple[str, str]  # dataset and method


@dataclass(frozen=True, eq=False)
class SettingCurve:
    """The validation losses of one setting, epoch by epoch, over the folds that tried it.

    ``n_lacking`` trials were trained by epochs but left no curve; of all trials with this setting,
    ``n_chosen`` won. The arrays have an entry for every epoch: the sum of the losses that are
    finite, how many those are, and how many trials were still trained.
    """

    setting: Setting
    n_curves: int = 0
    n_lacking: int = 0
    n_chosen: int = 0
    sums: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    n_finite: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    n_trained: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of(cls, trial: Trial, chosen: bool) -> Self:
        """That of a single trial."""
        if trial.curve is None or not trial.curve.validation_loss:
            return cls(trial.setting, 0, int(trial.epochs is not None), int(chosen))
        losses = np.array(trial.curve.validation_loss, dtype=np.float64)
        finite = np.isfinite(losses)
        counts = finite.astype(np.int64), np.ones(len(losses), dtype=np.int64)
        return cls(trial.setting, 1, 0, int(chosen), np.where(finite, losses, 0.0), *counts)

    def __add__(self, other: SettingCurve) -> SettingCurve:
        """Both together, under the setting of the first."""
        return SettingCurve(
            self.setting,
            self.n_curves + other.n_curves,
            self.n_lacking + other.n_lacking,
            self.n_chosen + other.n_chosen,
            _added(self.sums, other.sums),
            _added(self.n_finite, other.n_finite),
            _added(self.n_trained, other.n_trained),
        )

    @property
    def mean(self) -> NDArray[np.float64]:
        """The mean loss of each epoch as long as at least half of the trials are still trained.

        The few that go on longest are not like the rest: their mean would look like a change.
        """
        n_epochs = np.count_nonzero(2 * self.n_trained >= self.n_curves) if self.n_curves else 0
        sums, counts = self.sums[:n_epochs], self.n_finite[:n_epochs]
        return np.where(counts > 0, sums / np.maximum(1, counts), np.nan)


Curves = Mapping[Row, tuple[SettingCurve, ...]]


class CurveSums:
    """Adds up the curves of records, one after the other."""

    def __init__(self) -> None:
        self._sums: dict[Row, dict[str, SettingCurve]] = {}

    def take(self, records: Iterable[Record]) -> Iterator[Record]:
        """Count every record, and hand it on without the curves of the trials that lost."""
        for record in records:
            self.add(record)
            yield winner_only(record)

    def add(self, record: Record) -> None:
        """Count the curves of one more record."""
        row = self._sums.setdefault((record.cell.dataset, record.cell.method), {})
        for i, trial in enumerate(record.trials):
            key = json.dumps(trial.setting, sort_keys=True, default=str)
            own = SettingCurve.of(trial, i == record.chosen)
            row[key] = row[key] + own if key in row else own

    @property
    def curves(self) -> Curves:
        """For every dataset and method the settings in the order in which they came."""
        return {row: tuple(settings.values()) for row, settings in self._sums.items()}


def setting_curves(records: Iterable[Record]) -> Curves:
    """The curves of records that are in memory."""
    sums = CurveSums()
    for record in records:
        sums.add(record)
    return sums.curves


def winner_only(record: Record) -> Record:
    """The record without the curves of the trials that lost."""
    trials = tuple(
        trial if i == record.chosen else replace(trial, curve=None)
        for i, trial in enumerate(record.trials)
    )
    return replace(record, trials=trials)


def _added(one: NDArray[Any], other: NDArray[Any]) -> NDArray[Any]:
    """The sum of rows of which the shorter is filled up with zeros."""
    short, long = sorted((one, other), key=len)
    total = long.copy()
    total[: len(short)] += short
    return total
