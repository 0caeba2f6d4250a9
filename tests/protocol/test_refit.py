from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol.cell_costs import n_fits
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import run_cell
from graphrings.protocol.prepare import prepare
from graphrings.report.sheets import fold_notes
from graphrings.results.differences import differences
from graphrings.tasks import CLASSIFICATION

ROWS = """
n_folds = 3
repetitions = 1
datasets = ["MUTAG"]
{top}
[methods.wl]
settings = {{ height = 1 }}
grid = {{ C = [0.1, 1.0] }}
{row}
[methods.dgcnn]
settings = {{ max_epochs = 1 }}
{network}
"""


def read(path: Path, top: str = "", row: str = "", network: str = "") -> Experiment:
    file = path / "rows.toml"
    file.write_text(ROWS.format(top=top, row=row, network=network))
    return read_experiment(file)


def first_job(experiment: Experiment) -> Job:
    prepared = prepare(experiment, list(experiment.cells())[:1])
    return prepared.jobs[0]


def test_the_winner_learns_from_the_validation_graphs_too(
    tmp_path: Path, mutag: gr.Dataset
) -> None:
    job = first_job(read(tmp_path, row="refit = true"))
    record = run_cell(job, mutag, ArrayCache())
    known = np.setdiff1d(np.arange(len(mutag)), job.split.test)
    won = record.setting["C"]
    machine = gr.KernelClassifier("wl", height=1, C=won).fit(mutag[known])
    assert record.test is not None
    margin = machine.decision_function(mutag[job.split.test])
    np.testing.assert_allclose(record.test.margin, margin, rtol=1e-5)


def test_what_chooses_is_not_fitted_again(tmp_path: Path, mutag: gr.Dataset) -> None:
    """Trials, and what the winner said of the validation fold, are those of a cell without."""
    with_refit = run_cell(first_job(read(tmp_path, row="refit = true")), mutag, ArrayCache())
    without = run_cell(first_job(read(tmp_path)), mutag, ArrayCache())
    assert with_refit.validation == without.validation
    assert with_refit.test != without.test
    assert [t.scores for t in with_refit.trials] == [t.scores for t in without.trials]


def test_cells_with_and_without_are_different_cells(tmp_path: Path) -> None:
    without, chosen = read(tmp_path), read(tmp_path, row="refit = true")
    cards = [prepare(e, list(e.cells())[:1]).card for e in (without, chosen)]
    assert differences(*cards) == ["refit of 'wl': none -> true"]


def test_an_experiment_means_all_rows_that_do_not_stop_early(tmp_path: Path) -> None:
    rows = {row.name: dict(row.settings) for row in read(tmp_path, top="refit = true").methods}
    assert rows["wl"] == {"kernel": "wl", "height": 1, "refit": True}
    assert "refit" not in rows["dgcnn"]
    one = read(tmp_path, top="refit = true", row="refit = false").methods[0]
    assert "refit" not in one.settings


def test_stored_cells_keep_their_identity(tmp_path: Path) -> None:
    for said in ("", "refit = false"):
        wl = read(tmp_path, top=said).methods[0]
        assert dict(wl.settings) == {"kernel": "wl", "height": 1}


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"row": "refit = 1"}, "rows.toml:9: refit = 1; expected true or false"),
        ({"top": 'refit = "yes"'}, "rows.toml:5: refit = 'yes'; expected true or false"),
        (
            {"network": "refit = true"},
            "rows.toml:12: refit = true; dgcnn needs validation graphs to stop early",
        ),
    ],
)
def test_a_refit_that_makes_no_sense(tmp_path: Path, said: dict[str, str], message: str) -> None:
    with pytest.raises(ExperimentError) as caught:
        read(tmp_path, **said)
    assert str(caught.value) == f"{tmp_path}/{message}"


def test_a_table_says_so(tmp_path: Path) -> None:
    experiment = read(tmp_path, top="refit = true")
    card = prepare(experiment, list(experiment.cells())[:1]).card
    assert fold_notes(card)[-1] == (
        "fitted again on training and validation graphs, with the setting that was chosen, before "
        "the test: wl"
    )
    assert not any("again" in note for note in fold_notes(replace(card, methods=())))


def test_a_forecast_counts_the_refit(tmp_path: Path) -> None:
    for row, expected in (("", 2), ("refit = true", 3)):
        job = first_job(read(tmp_path, row=row))
        assert n_fits(job.method, None, CLASSIFICATION) == expected
