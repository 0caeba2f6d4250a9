"""Rows of methods, columns of datasets: what a store's records say, beside what the paper says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

import numpy as np

from graphrings.errors import SettingError
from graphrings.report.statistics import corrected_t_test
from graphrings.results.published import (
    SCORE_OF_THE_PAPER,
    TABLES,
    Published,
    PublishedRow,
    published_row,
)
from graphrings.results.record import PROCESSOR, Cell, ExperimentCard, Failure, MethodCard, Record
from graphrings.results.setting_curves import Curves
from graphrings.tasks import TASKS
from graphrings.tasks.scores import Score, find_score, score_predictions

TEST, VALIDATION = "test", "validation"
FARTHEST = 1e100  # squares of larger numbers, which deviations are made of, may be infinite


def shown_value(record: Record, score: Score) -> float | None:
    """The score of a record's test fold as people read it, in percent if it is a share.

    A score that was not kept is computed from the predictions, where these were. One that
    nobody could compute with counts as ``FARTHEST``.
    """
    value = record.scores.get(score.name)
    if value is None and record.test is not None:
        value = score_predictions(record.test, score.task, [score.name]).get(score.name)
    if value is None:
        return None
    return score.shown(max(-FARTHEST, min(FARTHEST, value)))


def chosen_score(card: ExperimentCard, name: str | None) -> Score:
    """The score of this name, or without one the main score of the experiment's task."""
    return TASKS[card.task].main_score if name is None else find_score(name, card.task)


@dataclass(frozen=True)
class Entry:
    """One method on one dataset; None is what is not known.

    ``mean`` is over the folds held. ``over_repetitions`` is the deviation of the means of complete
    repetitions and wants two of them, ``over_folds`` that of all folds; ``interval`` is the 95 %
    interval of the mean, widened because the folds share training graphs. Folds whose score is not
    defined, as AUROC with three classes, are not expected; ``n_unknown`` of them kept neither the
    score nor the predictions that it could be computed from.
    """

    mean: float | None = None
    over_repetitions: float | None = None
    over_folds: float | None = None
    interval: tuple[float, float] | None = None
    n_folds: int = 0
    n_expected: int = 0
    n_failed: int = 0
    n_unknown: int = 0
    best: bool = False
    published: Published | None = None
    published_best: bool = False

    @property
    def complete(self) -> bool:
        """Whether every fold was run."""
        return 0 < self.n_folds == self.n_expected

    @property
    def difference(self) -> float | None:
        """Ours minus the paper's."""
        printed = _printed(self)
        return None if self.mean is None or printed is None else self.mean - printed


@dataclass(frozen=True)
class Row:
    """A row of the experiment, of the paper, or, side by side, of both."""

    method: str | None
    published: PublishedRow | None
    entries: tuple[Entry, ...]

    @property
    def title(self) -> str:
        """Our name, else the paper's."""
        return self.method or (self.published.name if self.published else "")


@dataclass(frozen=True)
class Comparison:
    """All methods on all datasets by one score; the page adds the curves of all settings."""

    card: ExperimentCard
    score: Score
    like: str | None
    datasets: tuple[str, ...]
    rows: tuple[Row, ...]
    fold: str = TEST
    processors: tuple[str, ...] = ()  # on which the cells were run, as far as they say so
    curves: Curves = field(default_factory=dict)

    def incomplete(self) -> list[tuple[str, str, Entry]]:
        """Method, dataset and entry wherever folds of the experiment are missing."""
        return [
            (row.title, dataset, entry)
            for row in self.rows
            for dataset, entry in zip(self.datasets, row.entries, strict=True)
            if entry.n_folds < entry.n_expected
        ]


def compare(
    card: ExperimentCard,
    records: Iterable[Record],
    failures: Iterable[Failure] = (),
    score: str | None = None,
    like: str | None = None,
    fold: str = TEST,
) -> Comparison:
    """The table of an experiment, or the paper's Table II or III with ours in the same rows.

    ``score`` is a name; without one it is the main score of the experiment's task. With ``fold``
    ``validation`` it is about the fold by which settings are chosen, without the paper's numbers.
    """
    records = list(on_validation(records, card.task) if fold == VALIDATION else records)
    source = _Source(card, chosen_score(card, score), by_row(records), by_row(failures), fold)
    datasets = datasets_like(card, like)
    rows = [
        Row(
            method.name if method else None,
            paper,
            tuple(source.entry(method, paper, dataset) for dataset in datasets),
        )
        for method, paper in _row_order(card, like)
    ]
    rows = list(_mark_best(rows, source.score, like))
    processors = {record.versions.get(PROCESSOR, "") for record in records} - {""}
    return Comparison(
        card, source.score, like, datasets, tuple(rows), fold, tuple(sorted(processors))
    )


def on_validation(records: Iterable[Record], task: str) -> Iterator[Record]:
    """The same cells as if the validation fold, as far as it was kept, had been the test."""
    for record in records:
        if (said := record.validation) is not None:
            yield replace(record, test=said, scores=score_predictions(said, task))


def datasets_like(card: ExperimentCard, like: str | None) -> tuple[str, ...]:
    """The columns: the experiment's, or those of a table of the paper."""
    if like is None:
        return tuple(dataset.name for dataset in card.datasets)
    if like not in TABLES:
        raise SettingError(f"the paper has no '{like}' here; expected one of {', '.join(TABLES)}")
    return TABLES[like].datasets


def _row_order(
    card: ExperimentCard, like: str | None
) -> list[tuple[MethodCard | None, PublishedRow | None]]:
    """Our rows in our order; or the paper's rows with ours in them, and then the rest of ours."""
    ours = [(method, published_row(method)) for method in card.methods]
    if like is None:
        return list(ours)
    order: list[tuple[MethodCard | None, PublishedRow | None]] = []
    for row in TABLES[like].rows:
        order += [pair for pair in ours if pair[1] is row] or [(None, row)]
    return order + [pair for pair in ours if pair[1] not in TABLES[like].rows]


Item = TypeVar("Item", Record, Failure)


def by_row(items: Iterable[Item]) -> dict[tuple[str, str], dict[Cell, Item]]:
    """The items of each method and dataset, by cell."""
    groups: dict[tuple[str, str], dict[Cell, Item]] = defaultdict(dict)
    for item in items:
        groups[item.cell.method, item.cell.dataset][item.cell] = item
    return groups


@dataclass(frozen=True)
class _Source:
    """What the entries of a comparison are read from."""

    card: ExperimentCard
    score: Score
    records: Mapping[tuple[str, str], Mapping[Cell, Record]]
    failures: Mapping[tuple[str, str], Mapping[Cell, Failure]]
    fold: str = TEST

    def entry(self, method: MethodCard | None, paper: PublishedRow | None, dataset: str) -> Entry:
        """Ours, where the experiment has it, and the paper's, where that has a number."""
        ours = method is not None and any(dataset == d.name for d in self.card.datasets)
        entry = self._held(method.name, dataset) if method and ours else Entry()
        if paper is None or self.score.name != SCORE_OF_THE_PAPER or self.fold != TEST:
            return entry
        return replace(entry, published=paper.values.get(dataset))

    def _held(self, method: str, dataset: str) -> Entry:
        records = self.records.get((method, dataset), {})
        failures = self.failures.get((method, dataset), {})
        scored = (
            (cell, shown_value(record, self.score))
            for cell, record in sorted(records.items(), key=lambda item: item[0])
        )
        values = {cell: value for cell, value in scored if value is not None}
        n_folds = self.card.n_folds
        return Entry(
            mean=float(np.mean(list(values.values()))) if values else None,
            over_repetitions=_deviation(_repetition_means(records, values, n_folds)),
            over_folds=_deviation(list(values.values())),
            interval=_interval([(records[cell], value) for cell, value in values.items()]),
            n_folds=len(values),
            n_expected=self.card.repetitions * n_folds - (len(records) - len(values)),
            n_failed=len(failures.keys() - records.keys()),
            n_unknown=sum(r.test is None for cell, r in records.items() if cell not in values),
        )


def _repetition_means(
    records: Iterable[Cell], values: Mapping[Cell, float], n_folds: int
) -> list[float]:
    """The means of those repetitions of which every fold was run."""
    cells: dict[int, list[Cell]] = defaultdict(list)
    for cell in records:
        cells[cell.repetition].append(cell)
    scored = (
        [values[cell] for cell in sorted(folds) if cell in values]
        for folds in cells.values()
        if len(folds) == n_folds
    )
    return [float(np.mean(repetition)) for repetition in scored if repetition]


def _deviation(values: Sequence[float]) -> float | None:
    """The standard deviation of a sample: n - 1 in the denominator."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else None


def _interval(folds: Sequence[tuple[Record, float]]) -> tuple[float, float] | None:
    """The interval of a mean, from the corrected t-test of its folds against zero."""
    ratios = [record.n_test / max(1, record.n_training) for record, _ in folds]
    test = corrected_t_test([value for _, value in folds], float(np.mean(ratios or [0.0])))
    return test.interval


def _mark_best(rows: list[Row], score: Score, like: str | None) -> tuple[Row, ...]:
    """Mark the best of a dataset among our complete entries; in a table of the paper also there."""
    ours = _best_by_column(rows, score, lambda entry: entry.mean if entry.complete else None)
    paper = _best_by_column(rows, score, lambda entry: _printed(entry) if like else None)
    return tuple(
        replace(
            row,
            entries=tuple(
                replace(entry, best=(i, j) in ours, published_best=(i, j) in paper)
                for j, entry in enumerate(row.entries)
            ),
        )
        for i, row in enumerate(rows)
    )


def _printed(entry: Entry) -> float | None:
    return entry.published.mean if entry.published else None


def _best_by_column(
    rows: list[Row], score: Score, value: Callable[[Entry], float | None]
) -> set[tuple[int, int]]:
    """Places (row, column) of the best values; there is no best among fewer than two."""
    best: set[tuple[int, int]] = set()
    for j in range(len(rows[0].entries) if rows else 0):
        known = {i: v for i, row in enumerate(rows) if (v := value(row.entries[j])) is not None}
        if len(known) > 1:
            top = (min if score.lower_is_better else max)(known.values())
            best |= {(i, j) for i, v in known.items() if abs(v - top) < 1e-9}
    return best
