from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.protocol import nested
from graphrings.protocol.cell_costs import n_fits
from graphrings.protocol.experiment import Experiment, read_experiment
from graphrings.protocol.halving import halved, rounds
from graphrings.protocol.jobs import Job
from graphrings.protocol.nested import run_cell
from graphrings.protocol.prepare import prepare
from graphrings.report.sheets import fold_notes
from graphrings.results.differences import differences
from graphrings.tasks import CLASSIFICATION
from records import without_times

ROWS = """
n_folds = 3
repetitions = 1
datasets = ["MUTAG"]
{top}
[methods.dgcnn]
settings = {{ max_epochs = 9, channels = [4, 1] }}
grid = {{ learning_rate = [1e-5, 1e-3, 1e-2, 3e-2] }}
{row}
[methods.wl]
{kernel}
"""


def read(path: Path, top: str = "", row: str = "", kernel: str = "") -> Experiment:
    file = path / "rows.toml"
    file.write_text(ROWS.format(top=top, row=row, kernel=kernel))
    return read_experiment(file)


def first_job(experiment: Experiment) -> Job:
    return prepare(experiment, list(experiment.cells())[:1]).jobs[0]


def test_a_grid_of_thirty_costs_about_five_fits() -> None:
    plan = rounds(30, 10, 300)
    assert plan == [(30, 10), (10, 30), (4, 90), (2, 300)]
    assert sum(n * epochs for n, epochs in plan) / 300 == pytest.approx(5.2)


@given(st.integers(1, 60), st.integers(1, 50), st.integers(1, 400))
def test_the_last_round_goes_to_the_end(n: int, first: int, longest: int) -> None:
    plan = rounds(n, first, longest)
    assert plan[0][0] == n
    assert plan[-1][1] == longest
    assert all(few < many for (many, _), (few, _) in zip(plan, plan[1:], strict=False))
    assert all(a < b for (_, a), (_, b) in zip(plan, plan[1:], strict=False))


@given(st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_of_settings_that_show_their_worth_at_once_the_best_wins(worth: list[int]) -> None:
    """The first of the best, and whoever lost was trained for fewer epochs."""
    fits, winner = halved(
        len(worth),
        rounds(len(worth), 1, 100),
        lambda number, epochs, _: (worth[number], epochs),
        lambda one, other: one[0] > other[0],
    )
    assert winner == worth.index(max(worth))
    assert fits[winner][1] == 100
    assert all(value == own for (value, _), own in zip(fits, worth, strict=True))


def test_a_setting_that_is_slow_at_first_is_judged_by_what_it_has_shown() -> None:
    """The fourth would be the best in the end, but is left out after one epoch."""
    final = [5, 1, 2, 9]
    _, winner = halved(
        4,
        rounds(4, 1, 100),
        lambda number, epochs, _: 0 if number == 3 and epochs == 1 else final[number],
        lambda one, other: one > other,
    )
    assert winner == 0


@pytest.fixture(scope="module")
def job(tmp_path_factory: pytest.TempPathFactory) -> Job:
    return first_job(read(tmp_path_factory.mktemp("halving"), row="halving = 1"))


def test_losers_are_trained_less_and_the_winner_as_if_alone(job: Job, mutag: gr.Dataset) -> None:
    record = run_cell(job, mutag, ArrayCache())
    epochs = sorted(trial.epochs for trial in record.trials)
    assert epochs == [1, 1, 3, 9]
    won = record.trials[record.chosen]
    assert won.epochs == 9
    alone = replace(
        job.method,
        settings={**dict(won.setting)},
        grid={"learning_rate": (won.setting["learning_rate"],)},
    )
    expected = run_cell(replace(job, method=alone), mutag, ArrayCache())
    assert expected.test == record.test
    assert expected.trials[0].curve == won.curve


def test_a_run_is_the_same_again(job: Job, mutag: gr.Dataset) -> None:
    one, two = (run_cell(job, mutag, ArrayCache()) for _ in range(2))
    assert without_times(one) == without_times(two)


def test_what_stopped_early_is_not_run_again(
    job: Job, mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With rates that overshoot and a patience of one, training ends in the first round."""
    asked = []
    run_trial = nested.run_trial

    def noted(*given: Any) -> Any:
        asked.append(given[-1])
        return run_trial(*given)

    monkeypatch.setattr(nested, "run_trial", noted)
    settings = {**job.method.settings, "patience": 1, "max_epochs": 80, "halving": 20}
    hasty = replace(job.method, settings=settings, grid={"learning_rate": (0.5, 0.6, 0.7, 0.8)})
    record = run_cell(replace(job, method=hasty), mutag, ArrayCache())
    assert all(trial.epochs < 20 for trial in record.trials)
    assert asked == [20] * 4


def test_its_cells_are_other_cells_and_the_table_says_so(tmp_path: Path) -> None:
    plain, row = read(tmp_path), read(tmp_path, row="halving = 1")
    assert row.methods[0].settings["halving"] == 1
    cards = [prepare(e, list(e.cells())[:1]).card for e in (plain, row)]
    assert differences(*cards) == ["halving of 'dgcnn': none -> 1"]
    assert not any("halving" in note for note in fold_notes(cards[0]))
    assert any(note.endswith("a few epochs only: dgcnn") for note in fold_notes(cards[1]))


def test_an_experiment_means_its_rows_that_are_trained_by_epochs(tmp_path: Path) -> None:
    network, kernel = read(tmp_path, top="halving = 2").methods
    assert network.settings["halving"] == 2
    assert "halving" not in kernel.settings


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ({"kernel": "halving = 5"}, "halving = 5; wl is not trained by epochs"),
        ({"row": "halving = 0"}, "halving = 0; expected a whole number of at least 1"),
        ({"top": "halving = true"}, "halving = True; expected a whole number of at least 1"),
    ],
)
def test_what_makes_no_sense_is_refused(
    where: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(ExperimentError, match=message):
        read(tmp_path, **where)


def test_a_forecast_knows_that_most_fits_are_short(tmp_path: Path, job: Job) -> None:
    assert n_fits(job.method, job.home, CLASSIFICATION) == pytest.approx(
        (4 * 1 + 2 * 3 + 1 * 9) / 9
    )
    assert n_fits(first_job(read(tmp_path)).method, None, CLASSIFICATION) == 4
