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
pytestmark = pytest.mark.slow


def test_the_tables_are_those_of_the_experiment_files(tmp_path: Path) -> None:
    """Same rows, seeds and settings; two figures of docs/results.md come out again."""
    merge(sorted((ROOT / "results" / "tables").iterdir()), tmp_path / "tables.db")
    with Store.read(tmp_path / "tables.db") as store:
        kept, records = store.card("tables"), store.records("tables")
        names = ("table2", "table3", "others")
        experiments = [read_experiment(experiment_path(name)) for name in names]
        rows = [card for experiment in experiments for card in experiment.methods]
        assert [card.name for card in kept.methods if card not in rows] == []
        for experiment in experiments:
            assert len(missing_cells(experiment, store)) < len(list(experiment.cells()))
    assert len(records) > 3000
    methods = {method.name: method for method in kept.methods}
    points = {method.name: grid_points(method) for method in kept.methods}
    accuracy = defaultdict(list)
    for record in records:
        dataset, row, repetition, fold = record.cell
        method = methods[row]
        assert record.setting in points[row]
        assert record.trials[record.chosen].seed == seed(
            kept.seed, dataset, method.method, repetition, fold, dict(record.setting)
        )
        accuracy[dataset, row].append(record.scores["accuracy"])
    assert f"{100 * mean(accuracy['MUTAG', 'wl']):.2f}" == "83.61"
    assert f"{100 * mean(accuracy['IMDB-BINARY', 'gin']):.2f}" == "74.60"


def test_the_tables_before_some_methods_changed_can_still_be_read(tmp_path: Path) -> None:
    """A figure of docs/results.md comes out again, and the rows that changed are told apart."""
    merge([ROOT / "results" / "earlier.jsonl.gz"], tmp_path / "earlier.db")
    with Store.read(tmp_path / "earlier.db") as store:
        old = {card.name: card for card in store.card("tables").methods}
        values = [
            record.scores["accuracy"]
            for record in store.records("tables")
            if record.cell[:2] == ("MUTAG", "pgc-dgcnn")
        ]
    assert f"{100 * mean(values):.2f}" == "86.69"
    names = ("table3", "others")
    now = [card for name in names for card in read_experiment(experiment_path(name)).methods]
    changed = {card.name for card in now if card.name in old and card != old[card.name]}
    assert {"pgc-dgcnn", "pgc-dgcnn, r = 2", "walk-dgcnn", "deep-graphlet"} <= changed


def test_the_study_of_the_radius_can_go_on(tmp_path: Path) -> None:
    """Its rows are those of the experiment files; two figures of docs/filter-size.md come out."""
    merge([ROOT / "results" / "radius.jsonl.gz"], tmp_path / "radius.db")
    names = ("radius", "radius-labels")
    rows = [row for name in names for row in read_experiment(experiment_path(name)).methods]
    with Store.read(tmp_path / "radius.db") as store:
        assert [card.name for card in store.card("radius").methods if card not in rows] == []
        first = [record for record in store.records("radius") if record.cell.repetition == 0]
    accuracy = defaultdict(list)
    for record in first:
        accuracy[record.cell[:2]].append(record.scores["accuracy"])
    assert f"{100 * mean(accuracy['MUTAG', 'r = 0']):.1f}" == "86.7"
    assert f"{100 * mean(accuracy['PTC', 'labels, r = 2']):.1f}" == "55.9"


def test_the_future_work_can_go_on(tmp_path: Path) -> None:
    """Its rows are those of the experiment file; two figures of docs/results.md come out."""
    merge([ROOT / "results" / "future.jsonl.gz"], tmp_path / "future.db")
    rows = read_experiment(experiment_path("future")).methods
    accuracy = defaultdict(list)
    with Store.read(tmp_path / "future.db") as store:
        assert [card.name for card in store.card("future").methods if card not in rows] == []
        for record in store.records("future"):
            accuracy[record.cell[:2]].append(record.scores["accuracy"])
    assert f"{100 * mean(accuracy['MUTAG', 'pgc-sets, mean-sum-max'][:10]):.1f}" == "85.6"
    assert f"{100 * mean(accuracy['PTC', 'neighbourhoods'][:10]):.1f}" == "60.7"
