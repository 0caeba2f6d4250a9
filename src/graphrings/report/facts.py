"""What stands beside the results: the data, the methods, what is missing, how it was made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphrings.report.tables import Comparison
from graphrings.report.words import decimals, setting_value, titled
from graphrings.results.record import DatasetCard, ExperimentCard, Failure, Record, Setting
from graphrings.tasks import TASKS
from graphrings.tasks.scores import Score

NEAR = 2.0  # from the bound: percentage points, or else percent of it
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
    incomplete = comparison.incomplete()
    if not incomplete:
        return None
    lacking = sum(entry.n_expected - entry.n_folds for _, _, entry in incomplete)
    failed = sum(entry.n_failed for _, _, entry in incomplete)
    total = comparison.card.n_cells
    why = f", {failed} of them failed" if failed else ""
    return Missing(
        f"{lacking:,} of {total:,} cells have no result{why}.",
        [(m, d, f"{e.n_folds} of {e.n_expected}", e.n_failed or "") for m, d, e in incomplete],
        [(str(failure.cell), failure.error) for failure in failures[:FAILURES]],
        max(0, len(failures) - FAILURES),
    )


def audit_headings(comparison: Comparison) -> tuple[str, ...]:
    """What the columns of the audit hold."""
    return (
        "Dataset",
        "Graphs",
        "Nodes avg / max",
        "Edges avg",
        "Node labels",
        "Targets",
        "Distinct graphs",
        f"Bound on {titled(_main(comparison))}",
        f"Best mean {titled(comparison.score)}",
        "Twin in training (%)",
        "Never tested",
    )


def _main(comparison: Comparison) -> Score:
    return TASKS[comparison.card.task].main_score


def audit_rows(comparison: Comparison) -> Rows:
    """Sizes and pitfalls of every dataset."""
    return [_audit(comparison, dataset) for dataset in comparison.card.datasets]


def _audit(comparison: Comparison, dataset: DatasetCard) -> tuple[Any, ...]:
    best, marked = _best(comparison, dataset), ", near the bound" * near(comparison, dataset)
    return (
        dataset.name,
        f"{dataset.n_graphs:,}",
        f"{dataset.nodes_avg:,.1f} / {dataset.nodes_max:,}",
        f"{dataset.edges_avg:,.1f}",
        dataset.n_labels or "none",
        dataset.targets,
        f"{dataset.n_distinct:,}",
        _rounded(_main(comparison), _bound(comparison, dataset)),
        "-" if best is None else f"{_rounded(comparison.score, best)}{marked}",
        "-" if dataset.twin_share is None else f"{100 * dataset.twin_share:.1f}",
        dataset.n_untested or "none",
    )


def _rounded(score: Score, value: float) -> str:
    return f"{value:.{1 if score.percent else decimals(score, value)}f}"


def _bound(comparison: Comparison, dataset: DatasetCard) -> float:
    return _main(comparison).shown(dataset.ceiling)


def _best(comparison: Comparison, dataset: DatasetCard) -> float | None:
    """The best mean over all folds."""
    entries = [row.entries[comparison.datasets.index(dataset.name)] for row in comparison.rows]
    means = [entry.mean for entry in entries if entry.complete and entry.mean is not None]
    return (min if comparison.score.lower_is_better else max)(means, default=None)


def near(comparison: Comparison, dataset: DatasetCard) -> bool:
    """Whether the best mean leaves little to win; the bound is one on the main score alone."""
    score, best = comparison.score, _best(comparison, dataset)
    if best is None or score != _main(comparison):
        return False
    bound = _bound(comparison, dataset)
    reach = NEAR if score.percent else NEAR / 100 * bound
    threshold = bound + reach if score.lower_is_better else bound - reach
    return not score.better(threshold, best)


def near_words(comparison: Comparison) -> str:
    """What it means that a mean is marked; empty where none is."""
    if not any(near(comparison, dataset) for dataset in comparison.card.datasets):
        return ""
    reach = f"{NEAR:g} {'points' if comparison.score.percent else '%'}"
    return f"A mean within {reach} of the bound is marked."


def method_rows(card: ExperimentCard) -> Rows:
    """What every row was allowed to be."""
    return [
        (
            row.name,
            row.method,
            settings_line(row.settings) or "as the method has them",
            "; ".join(
                f"{key}: {', '.join(map(setting_value, values))}"
                for key, values in row.grid.items()
            )
            or "none",
            row.citation or "-",
        )
        for row in card.methods
    ]


def settings_line(settings: Setting) -> str:
    """Settings with their values in a line."""
    return "; ".join(f"{key}: {setting_value(value)}" for key, value in settings.items())


def experiment_rows(card: ExperimentCard, records: Sequence[Record]) -> Rows:
    """Seeds, folds, fingerprints, versions and times."""
    rows: Rows = [
        ("Experiment", card.name),
        ("Task", card.task),
        ("Seed", card.seed),
        ("Folds", f"{card.folds}, {card.n_folds} per repetition"),
        ("Repetitions", card.repetitions),
        ("Cells finished", f"{len(records):,} of {card.n_cells:,}"),
    ]
    rows += [(f"Fingerprint of {d.name}", d.fingerprint) for d in card.datasets]
    for versions, count in _versions(records):
        rows.append((f"Versions ({count:,} cells)", versions))
    times = sorted(record.finished for record in records if record.finished)
    if times:
        rows.append(("First and last cell finished (UTC)", f"{times[0]}, {times[-1]}"))
    return rows


def _versions(records: Sequence[Record]) -> list[tuple[str, int]]:
    counts = Counter(_version_line(record.versions) or "not known" for record in records)
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _version_line(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in sorted(versions.items()))
