"""The results of one experiment in memory, from which tables and pages are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from graphrings.errors import MissingLibraryError
from graphrings.results.export import flat, predicted_graphs
from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.results.store import Store


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """An experiment: what it is made of, its finished cells, and those that failed.

    Of the curves only those of the trials that won are there: those of all may not fit memory.
    """

    card: ExperimentCard
    records: tuple[Record, ...]
    failures: tuple[Failure, ...] = ()
    store: str = "results.db"

    @classmethod
    def read(cls, store: str | Path, experiment: str | None = None) -> Self:
        """The results in a store; without a name those of the only experiment there is."""
        with Store.read(store) as opened:
            return cls.of(opened, experiment)

    @classmethod
    def of(cls, store: Store, experiment: str | None = None) -> Self:
        """The results in a store that is open."""
        name = store.choose(experiment)
        records = tuple(map(winner_only, store.each_record(name)))
        return cls(store.card(name), records, tuple(store.failures(name)), str(store.path))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """One row per finished cell, as ``graphrings export`` writes it."""
        return [flat(record) for record in self.records]

    @property
    def predictions(self) -> list[dict[str, Any]]:
        """One row per graph of every test fold: what it is, and what the winner said of it."""
        return [row for record in self.records for row in predicted_graphs(self.card, record)]

    def to_frame(self) -> Any:
        """The rows as a pandas frame."""
        return frame(self.rows)

    def __repr__(self) -> str:
        failed = f", {len(self.failures):,} failed" if self.failures else ""
        n_cells = f"{len(self.records):,} of {self.card.n_cells:,} cells finished"
        return f"Results({self.card.name!r}: {n_cells}{failed})"


def winner_only(record: Record) -> Record:
    """The record without the curves of the trials that lost."""
    trials = tuple(
        trial if i == record.chosen else replace(trial, curve=None)
        for i, trial in enumerate(record.trials)
    )
    return replace(record, trials=trials)


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a pandas frame."""
    try:
        import pandas as pd  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingLibraryError(
            "a frame needs pandas; install it with: pip install pandas (the same stands in .rows)"
        ) from error
    return pd.DataFrame.from_records([dict(row) for row in rows])
