"""Runs can go on from the results that are kept with the project."""

from collections import defaultdict
from pathlib import Path
from statistics import mean

import pytest

from graphrings.protocol.experiment import grid_points, read_experiment
from graphrings.protocol.run import missing_cells
from graphrings.protocol.seeds import seed
from graphrings.protocol.shipped import experiment_path
from graphrings.results.merge import merge
from graphrings.results.store import Store

ROOT = Path(__file__).parents[2]
OUTDATED = {  # made before the methods behind these rows were changed
    "pgc-dgcnn",
    "pgc-dgcnn, r = 2",
    "pgc-dgcnn-released",
    "walk-dgcnn",
    "random-walk",
    "deep-graphlet",
}

pytestmark = pytest.mark.slow


def test_the_tables_are_those_of_the_experiment_files(tmp_path: Path) -> None:
    """Same rows, seeds and settings; two figures of docs/results.md come out again."""
    merge([ROOT / "results" / "tables.jsonl.gz"], tmp_path / "tables.db")
    with Store.read(tmp_path / "tables.db") as store:
        kept, records = store.card("tables"), store.records("tables")
        experiments = [read_experiment(experiment_path(f"table{n}")) for n in (2, 3)]
        for experiment in experiments:
            changed = {card.name for card in experiment.methods if card not in kept.methods}
            assert changed <= OUTDATED
            assert len(missing_cells(experiment, store)) < len(list(experiment.cells()))
    assert len(records) == 4070
    methods = {method.name: method for method in kept.methods}
    accuracy = defaultdict(list)
    for record in records:
        dataset, row, repetition, fold = record.cell
        method = methods[row]
        assert record.setting in grid_points(method)
        assert record.trials[0].seed == seed(
            kept.seed, dataset, method.method, repetition, fold, dict(record.setting)
        )
        accuracy[dataset, row].append(record.scores["accuracy"])
    assert f"{100 * mean(accuracy['MUTAG', 'wl']):.2f}" == "83.61"
    assert f"{100 * mean(accuracy['IMDB-BINARY', 'gin']):.2f}" == "74.60"
