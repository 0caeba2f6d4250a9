from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.protocol import prepare as module
from graphrings.protocol.experiment import Experiment
from graphrings.protocol.prepare import prepare
from graphrings.tasks import REGRESSION


def test_jobs_stand_in_the_order_of_the_cells(tiny: Experiment) -> None:
    cells = list(tiny.cells())[::-1]
    prepared = prepare(tiny, cells)
    assert [job.cell for job in prepared.jobs] == cells
    assert [job.method.name for job in prepared.jobs] == [cell.method for cell in cells]


def test_all_methods_have_the_same_splits_and_repetitions_others(tiny: Experiment) -> None:
    splits = {job.cell: job.split for job in prepare(tiny, list(tiny.cells())).jobs}
    by_place = {}
    for cell, split in splits.items():
        first = by_place.setdefault((cell.repetition, cell.fold), split)
        assert all(np.array_equal(a, b) for a, b in zip(first, split, strict=True))
    assert not np.array_equal(by_place[0, 0].test, by_place[1, 0].test)


def test_a_part_has_the_splits_of_the_whole(tiny: Experiment) -> None:
    part = tiny.chosen(methods=["baseline-labels"], repetitions=[2], folds=[3])
    (job,) = prepare(part, list(part.cells())).jobs
    whole = {job.cell: job.split for job in prepare(tiny, list(tiny.cells())).jobs}
    for part, expected in zip(job.split, whole[job.cell], strict=True):
        assert np.array_equal(part, expected)


def test_the_card_describes_data_and_methods(tiny: Experiment, mutag: gr.Dataset) -> None:
    card = prepare(tiny, list(tiny.cells())).card
    assert (card.name, card.n_folds, card.repetitions, card.n_cells) == ("tiny", 3, 2, 12)
    assert card.methods == tiny.methods
    (data,) = card.datasets
    assert (data.fingerprint, data.n_graphs, data.n_labels) == (mutag.fingerprint, 188, 7)
    assert (data.class_names, data.class_counts) == (("-1", "1"), (63, 125))
    assert (data.n_untested, data.nodes_max) == (0, 28)
    assert (card.task, data.targets) == (
        "classification",
        "not mutagenic (-1): 34 %, mutagenic (1): 66 %",
    )
    assert data.ceiling == gr.audit(mutag).ceiling


def test_a_dataset_of_values_has_no_classes_but_a_ceiling(
    tiny: Experiment, mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twins have the same size: if the value is the size, nobody need be wrong."""
    sizes = replace(mutag, targets=mutag.sizes / 10, class_names=())
    monkeypatch.setattr(module, "load", lambda *_: sizes)
    prepared = prepare(replace(tiny, task="regression"), list(tiny.cells()))
    (data,) = prepared.card.datasets
    assert (prepared.card.task, prepared.jobs[0].task) == ("regression", "regression")
    assert (data.class_names, data.class_counts) == ((), ())
    assert data.targets == "1 to 2.8, median 1.75"
    assert (data.n_conflicting, data.ceiling) == (0, pytest.approx(0))


def test_the_ceiling_is_that_of_the_experiments_task(tiny: Experiment, mutag: gr.Dataset) -> None:
    """The classes of MUTAG are called -1 and 1: as values, they leave an error of another size."""
    (data,) = prepare(replace(tiny, task="regression"), list(tiny.cells())[:1]).card.datasets
    targets = 2.0 * mutag.targets - 1
    assert data.ceiling == REGRESSION.ceiling(gr.twin_groups(mutag), targets)
    assert data.ceiling < 0.5 < gr.audit(mutag).ceiling


@pytest.mark.parametrize(
    ("task", "targets", "names", "message"),
    [
        ("classification", np.arange(188) / 7, (), "expected classes"),
        ("regression", np.arange(188) % 2, ("a", "b"), "expected finite numbers"),
        ("classification", None, (), "graphs without classes"),
        ("regression", None, (), "graphs without targets"),
    ],
)
def test_targets_of_another_task_are_refused_in_one_line(
    tiny: Experiment,
    mutag: gr.Dataset,
    monkeypatch: pytest.MonkeyPatch,
    task: str,
    targets: Any,
    names: tuple[str, ...],
    message: str,
) -> None:
    other = replace(mutag, targets=targets, class_names=names)
    monkeypatch.setattr(module, "load", lambda *_: other)
    with pytest.raises(ExperimentError) as caught:
        prepare(replace(tiny, task=task), list(tiny.cells()))
    assert str(caught.value).startswith(f"MUTAG: no dataset for task = {task!r}: ")
    assert message in str(caught.value)
    assert str(caught.value).count("MUTAG") == 1


@pytest.mark.parametrize("folds", ["stratified", "grouped"])
def test_grouped_folds_keep_twins_together(tiny: Experiment, folds: str) -> None:
    (data,) = prepare(replace(tiny, folds=folds), list(tiny.cells())[:1]).card.datasets
    assert (data.twin_share == 0) is (folds == "grouped")


def test_a_dataset_without_missing_cells_is_not_loaded(
    tiny: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = prepare(tiny, list(tiny.cells())[:1]).card
    monkeypatch.setattr(module, "load", None)
    prepared = prepare(tiny, [], known=known)
    assert (prepared.card, prepared.datasets, prepared.jobs) == (known, {}, ())


def test_data_that_is_known_is_not_audited_again(
    tiny: Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = prepare(tiny, list(tiny.cells())[:1]).card
    monkeypatch.setattr(module, "audit", None)
    assert prepare(tiny, list(tiny.cells()), known=known).card == known


def test_too_few_graphs_for_the_folds(tiny: Experiment) -> None:
    wanted = replace(tiny, n_folds=64)
    with pytest.raises(ExperimentError, match="63"):
        prepare(wanted, list(wanted.cells()))


def test_no_graphs_at_all(
    tiny: Experiment, mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "load", lambda *_: mutag[:0])
    with pytest.raises(ExperimentError, match="MUTAG: no graphs in MUTAG"):
        prepare(tiny, list(tiny.cells()), Path("anywhere"))
