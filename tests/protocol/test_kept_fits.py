"""Networks that one cell has fitted serve another, with the same bits."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol import kept_fits, nested
from graphrings.protocol.experiment import read_experiment
from graphrings.protocol.jobs import Job
from graphrings.protocol.kept_fits import Training, place_of
from graphrings.protocol.nested import attempt, run_cell, versions
from graphrings.protocol.prepare import prepare
from graphrings.results.record import Curve, Failure
from records import without_times

ROWS = """
n_folds = 3
repetitions = 1
datasets = ["MUTAG"]

[methods.chosen]
method = "pgc-dgcnn"
settings = { max_epochs = 3, channels = [4, 1] }
grid = { radius = [1, 2] }

[methods.fixed]
method = "pgc-dgcnn"
settings = { max_epochs = 3, channels = [4, 1], radius = 2 }

[methods.members]
method = "dgcnn"
settings = { max_epochs = 2, channels = [4, 1], members = 2 }

[methods.wl]
"""


@pytest.fixture
def jobs(tmp_path: Path) -> dict[str, Job]:
    """A job of every row, all of one fold."""
    file = tmp_path / "rows.toml"
    file.write_text(ROWS)
    experiment = read_experiment(file)
    prepared = prepare(experiment, list(experiment.cells())[:4], fits=tmp_path / "fits")
    return {job.cell.method: job for job in prepared.jobs}


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every estimator that is really fitted."""
    seen = list[Any]()
    fit = nested.fit

    def spied(estimator: Any, *parts: Any) -> None:
        seen.append(estimator)
        fit(estimator, *parts)

    monkeypatch.setattr(nested, "fit", spied)
    return seen


def outcome(job: Job) -> Any:
    return run_cell(job, gr.load("MUTAG"), ArrayCache())


def test_a_row_reads_what_another_has_fitted(jobs: dict[str, Job], fits: list[Any]) -> None:
    outcome(jobs["chosen"])
    assert [one.radius for one in fits] == [1, 2]
    kept = outcome(jobs["fixed"])
    assert len(fits) == 2
    made = outcome(replace(jobs["fixed"], fits=None))
    assert len(fits) == 3
    assert without_times(kept) == without_times(made)


def test_networks_of_several_seeds_are_kept_whole(jobs: dict[str, Job], fits: list[Any]) -> None:
    made, kept = outcome(jobs["members"]), outcome(jobs["members"])
    assert len(fits) == 1
    assert without_times(made) == without_times(kept)


def test_a_kept_fit_counts_with_the_seconds_that_it_took(
    jobs: dict[str, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Training(1000.0, 1, 0, Curve((0.5,), (0.5,), (0.5,), (0.5,)))
    monkeypatch.setattr(nested, "training_of", lambda *_: slow)
    outcome(jobs["fixed"])
    again = outcome(jobs["fixed"])
    assert again.trials[0].seconds == again.seconds == 1000
    assert again.trials[0].curve == slow.curve


def test_what_is_no_network_is_fitted_again(jobs: dict[str, Job], fits: list[Any]) -> None:
    outcome(jobs["wl"])
    n_fits = len(fits)
    outcome(jobs["wl"])
    assert len(fits) == 2 * n_fits
    assert list(jobs["wl"].fits.iterdir()) == []  # type: ignore[union-attr]


def other_jobs(job: Job) -> Sequence[Job]:
    """The same with another split, revision or task, or other data."""
    training, validation, test = job.split
    assert job.fits is not None
    return [
        replace(job, split=job.split._replace(training=training[1:])),
        replace(job, split=job.split._replace(validation=validation[1:])),
        replace(job, split=type(job.split)(np.r_[training, validation[:1]], validation[1:], test)),
        replace(job, method=replace(job.method, revision=99)),
        replace(job, task="regression"),
        replace(job, fits=job.fits.with_name("other")),
    ]


def test_whatever_a_fit_depends_on_is_in_its_name(jobs: dict[str, Job]) -> None:
    job, network = jobs["fixed"], gr.PGCClassifier()
    told = {"radius": 2}
    known = dict(versions())
    places = [
        place_of(job, network, told, 1, known),
        place_of(job, network, {"radius": 3}, 1, known),
        place_of(job, network, told, 2, known),
        place_of(job, network, told, 1, {**known, "torch": "0"}),
        *(place_of(other, network, told, 1, known) for other in other_jobs(job)),
    ]
    assert len(set(places)) == len(places)
    assert place_of(job, network, told, 1, known) == places[0]
    untested = replace(job, split=job.split._replace(test=job.split.test[1:]))
    assert place_of(untested, network, told, 1, known) == places[0]


def test_other_attributes_have_another_place(tmp_path: Path) -> None:
    """Which the fingerprint of a dataset leaves out."""
    file = tmp_path / "rows.toml"
    file.write_text(ROWS)
    experiment = read_experiment(file)
    cells = list(experiment.cells())[:1]
    mutag = gr.load("MUTAG")
    shown = mutag.changed(node_attributes=np.ones((mutag.n_nodes, 1)))
    assert shown.fingerprint == mutag.fingerprint
    one, other = (
        prepare(experiment, cells, given={"MUTAG": dataset}, fits=tmp_path).jobs[0].fits
        for dataset in (mutag, shown)
    )
    assert one != other


def test_a_damaged_file_fails_its_cell_and_is_named(jobs: dict[str, Job]) -> None:
    outcome(jobs["fixed"])
    (file,) = jobs["fixed"].fits.iterdir()  # type: ignore[union-attr]
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    failed = attempt(jobs["fixed"], gr.load("MUTAG"), ArrayCache())
    assert isinstance(failed, Failure)
    assert str(file) in failed.error
    assert "damaged" in failed.error


def test_an_interrupted_fit_is_not_kept(
    jobs: dict[str, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    fit = nested.fit

    def interrupted(estimator: Any, *parts: Any) -> None:
        fit(estimator, *parts)
        estimator.histories_ = [replace(estimator.history_, interrupted=True)]

    monkeypatch.setattr(nested, "fit", interrupted)
    outcome(jobs["fixed"])
    assert list(jobs["fixed"].fits.iterdir()) == []  # type: ignore[union-attr]


def test_a_folder_that_cannot_be_made_is_refused_before_anything_is_fitted(tmp_path: Path) -> None:
    (tmp_path / "rows.toml").write_text(ROWS)
    (tmp_path / "file").touch()
    experiment = read_experiment(tmp_path / "rows.toml")
    with pytest.raises(ExperimentError, match=r"file: fits cannot be kept there .*; expected"):
        prepare(experiment, list(experiment.cells())[:1], fits=tmp_path / "file")


def test_a_cell_is_not_lost_where_its_fit_cannot_be_kept(
    jobs: dict[str, Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept_fits, "write", full)
    assert without_times(outcome(jobs["fixed"])) == without_times(
        outcome(replace(jobs["fixed"], fits=None))
    )
