"""The results of one experiment in memory, from which tables and pages are made."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Self

from graphrings.errors import MissingLibraryError
from graphrings.results.export import flat, predicted_graphs
from graphrings.results.record import ExperimentCard, Failure, Record
from graphrings.results.setting_curves import Curves, CurveSums
from graphrings.results.store import Store


@dataclass(frozen=True, eq=False, repr=False)
class Results:
    """An experiment: what it is made of, its finished cells, and those that failed.

    Records have the curves of the trials that won: those of all may not fit memory. ``curves`` are
    those of all settings as means over folds, by dataset and method.
    """

    card: ExperimentCard
    records: tuple[Record, ...]
    failures: tuple[Failure, ...] = ()
    store: str = "results.db"
    curves: Curves = field(default_factory=dict)

    @classmethod
    def read(cls, store: str | Path, experiment: str | None = None) -> Self:
        """The results in a store; without a name those of the only experiment there is."""
        with Store.read(store) as opened:
            return cls.of(opened, experiment)

    @classmethod
    def of(cls, store: Store, experiment: str | None = None) -> Self:
        """The results in a store that is open."""
        name = store.choose(experiment)
        sums = CurveSums()
        records = tuple(sums.take(store.each_record(name)))
        failures, path = tuple(store.failures(name)), str(store.path)
        return cls(store.card(name), records, failures, path, sums.curves)

    def part(self, datasets: Collection[str] = (), methods: Collection[str] = ()) -> Self:
        """The results of some datasets and rows, in this order; none of a kind means all of it."""
        card = self.card.part(datasets, methods)
        return replace(
            self,
            card=card,
            records=tuple(record for record in self.records if card.has(record.cell)),
            failures=tuple(failure for failure in self.failures if card.has(failure.cell)),
        )

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


def frame(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Rows as a pandas frame."""
    try:
        import pandas as pd  # type: ignore[import-untyped]
    except ImportError as error:
        raise MissingLibraryError(
            "a frame needs pandas; install it with: pip install pandas (the same stands in .rows)"
        ) from error
    return pd.DataFrame.from_records([dict(row) for row in rows])
