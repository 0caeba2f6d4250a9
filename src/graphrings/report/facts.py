"""What stands beside the results: the data, the methods, what is missing, how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphrings.report.plots.chosen import text
from graphrings.report.tables import Comparison
from graphrings.results.durations import duration
from graphrings.results.record import DatasetCard, ExperimentCard, Failure, Record, Setting

NEAR = 2.0  # percentage points below the ceiling
FAILURES = 20  # told one by one
Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Missing:
    """The cells without a result, by method and dataset."""

    headline: str
    rows: Rows
    failures: Rows
    more_failures: int


def missing(comparison: Comparison, failures: Sequence[Failure]) -> Missing | None:
    """What an experiment still lacks; None if nothing."""
    found = comparison.incomplete()
    if not found:
        return None
    lacking = sum(entry.n_expected - entry.n_folds for _, _, entry in found)
    failed = sum(entry.n_failed for _, _, entry in found)
    total = comparison.card.n_cells
    why = f", {failed} of them failed" if failed else ""
    return Missing(
        f"{lacking:,} of {total:,} cells have no result{why}.",
        [(m, d, f"{e.n_folds} of {e.n_expected}", e.n_failed or "") for m, d, e in found],
        [(str(failure.cell), failure.error) for failure in failures[:FAILURES]],
        max(0, len(failures) - FAILURES),
    )


AUDIT = (
    "Dataset",
    "Graphs",
    "Nodes avg / max",
    "Edges avg",
    "Node labels",
    "Classes, share in %",
    "Distinct graphs",
    "Ceiling %",
    "Best mean %",
    "Twin in training %",
    "Never tested",
)


def audit_rows(comparison: Comparison) -> Rows:
    """Sizes and pitfalls of every dataset."""
    return [_audit(dataset, _best(comparison, dataset)) for dataset in comparison.card.datasets]


def _audit(dataset: DatasetCard, best: tuple[float, str] | None) -> tuple[Any, ...]:
    ceiling = 100 * dataset.ceiling
    return (
        dataset.name,
        f"{dataset.n_graphs:,}",
        f"{dataset.nodes_avg:,.1f} / {dataset.nodes_max:,}",
        f"{dataset.edges_avg:,.1f}",
        dataset.n_labels or "none",
        balance(dataset),
        f"{dataset.n_distinct:,}",
        f"{ceiling:.1f}",
        "-" if best is None else f"{best[0]:.1f}{', near the ceiling' * near(dataset, best)}",
        "-" if dataset.twin_share is None else f"{100 * dataset.twin_share:.1f}",
        dataset.n_untested or "none",
    )


def balance(dataset: DatasetCard) -> str:
    """The classes with their shares; many classes only by the smallest and the largest."""
    shares = [100 * n / max(1, dataset.n_graphs) for n in dataset.class_counts]
    if len(shares) > 6:
        return f"{len(shares)} classes, {min(shares):.0f} to {max(shares):.0f} each"
    named = zip(dataset.class_names, shares, strict=True)
    return ", ".join(f"{name}: {share:.0f}" for name, share in named)


def _best(comparison: Comparison, dataset: DatasetCard) -> tuple[float, str] | None:
    """The highest mean over all folds and whose it is."""
    j = comparison.datasets.index(dataset.name)
    entries = [(row.entries[j], row.title) for row in comparison.rows]
    return max(((e.mean or 0.0, name) for e, name in entries if e.complete), default=None)


def near(dataset: DatasetCard, best: tuple[float, str] | None) -> bool:
    """Whether a mean is so near the ceiling that there is little left to win."""
    return best is not None and best[0] >= 100 * dataset.ceiling - NEAR


def any_near(comparison: Comparison) -> bool:
    """Whether some mean is marked in the audit."""
    return any(near(dataset, _best(comparison, dataset)) for dataset in comparison.card.datasets)


def method_rows(card: ExperimentCard) -> Rows:
    """What every row was allowed to be."""
    return [
        (
            row.name,
            row.method,
            settings_line(row.settings) or "as the method has them",
            "; ".join(f"{key}: {', '.join(map(text, values))}" for key, values in row.grid.items())
            or "none",
            row.citation or "-",
        )
        for row in card.methods
    ]


def settings_line(settings: Setting) -> str:
    """Settings with their values in a line."""
    return "; ".join(f"{key}: {text(value)}" for key, value in settings.items())


def experiment_rows(card: ExperimentCard, records: Sequence[Record]) -> Rows:
    """Seeds, folds, fingerprints, versions and times."""
    rows: Rows = [
        ("Experiment", card.name),
        ("Seed", card.seed),
        ("Folds", f"{card.folds}, {card.n_folds} a repetition"),
        ("Repetitions", card.repetitions),
        ("Cells finished", f"{len(records):,} of {card.n_cells:,}"),
    ]
    rows += [(f"Fingerprint of {d.name}", d.fingerprint) for d in card.datasets]
    for versions, count in _versions(records):
        rows.append((f"Versions ({count:,} cells)", versions))
    if records:
        times = sorted(record.finished for record in records)
        rows.append(("First and last cell finished (UTC)", f"{times[0]}, {times[-1]}"))
    return rows


def _versions(records: Sequence[Record]) -> list[tuple[str, int]]:
    counts = Counter(_version_line(record.versions) for record in records)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _version_line(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))


def computing(records: Sequence[Record]) -> str:
    """How long everything took, on one worker."""
    total = sum(max(0.0, record.seconds) for record in records)
    return (
        f"{duration(total)} of computing for {len(records):,} cells with all their trials, "
        "added up over the workers. Marks are medians, lines reach from the quickest to the "
        "slowest cell."
    )
