"""From an experiment and a store to the cells that are missing in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Mapping
from contextlib import closing
from pathlib import Path

from graphrings.errors import ExperimentError
from graphrings.graphs.dataset import Dataset
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.jobs import Event, Executor, Started, now
from graphrings.protocol.prepare import Prepared, prepare
from graphrings.results.record import Cell, Failure
from graphrings.results.store import Store

MOST_CELLS = 5_000_000  # in memory at once


def missing_cells(
    experiment: Experiment, store: Store | None, *, retry_failed: bool = False
) -> list[Cell]:
    """The cells that a store has neither finished nor, unless they are tried again, failed."""
    done = _done(experiment, store, retry_failed)
    n_cells = _counted_without(done, experiment).total()
    if n_cells > MOST_CELLS:
        raise ExperimentError(
            f"{experiment.name}: {n_cells:,} cells; expected at most {MOST_CELLS:,}, such as the "
            "first --repetitions"
        )
    return [cell for cell in experiment.cells() if cell not in done]


def n_missing(
    experiment: Experiment, store: Store | None, *, retry_failed: bool = False
) -> Counter[tuple[str, str]]:
    """How many cells are missing, by dataset and method: they are not listed for it."""
    return _counted_without(_done(experiment, store, retry_failed), experiment)


def _counted_without(done: set[Cell], experiment: Experiment) -> Counter[tuple[str, str]]:
    """How many cells of every dataset and method are not done."""
    rows = [(dataset, row.name) for dataset in experiment.datasets for row in experiment.methods]
    counts = Counter(dict.fromkeys(rows, experiment.n_cells_per_row))
    for cell in done:
        wanted = cell.repetition in experiment.repetition_numbers
        if wanted and cell.fold in experiment.fold_numbers and cell[:2] in counts:
            counts[cell.dataset, cell.method] -= 1
    return counts


def _done(experiment: Experiment, store: Store | None, retry_failed: bool) -> set[Cell]:
    """The cells that need not be run."""
    if store is None or experiment.name not in store.experiments():
        return set()
    done = store.finished(experiment.name)
    if not retry_failed:
        done |= {failure.cell for failure in store.failures(experiment.name)}
    return done


def prepare_missing(
    experiment: Experiment,
    store: Store,
    root: Path | None = None,
    *,
    retry_failed: bool = False,
    given: Mapping[str, Dataset] | None = None,
    fits: Path | None = None,
) -> Prepared:
    """Prepare the missing cells, if the store holds the same experiment or none of this name."""
    known = store.card(experiment.name) if experiment.name in store.experiments() else None
    cells = missing_cells(experiment, store, retry_failed=retry_failed)
    prepared = prepare(experiment, cells, root, known, given, fits)
    store.register(prepared.card)
    return prepared


def run(prepared: Prepared, store: Store, execute: Executor) -> Generator[Event, None, None]:
    """Run all jobs; every outcome is stored in one transaction before it is passed on."""
    name = prepared.card.name
    store.clear_running(name)
    if not prepared.jobs:
        return
    with closing(execute(prepared.jobs, prepared.datasets)) as events:  # workers end with it
        for event in events:
            if isinstance(event, Started):
                store.start(name, event.cell, event.worker, now())
            elif isinstance(event, Failure):
                store.fail(name, event)
            else:
                store.add(name, event)
            yield event
    store.clear_running(name)
