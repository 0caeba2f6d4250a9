"""The score of the procedure, computed again from what a store exports."""

import csv
import io
import json
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import graphrings as gr
from graphrings.errors import ExperimentError
from graphrings.fit.best import fit_best
from graphrings.fit.judgement import PROCEDURE, Judgement, judge
from graphrings.fit.result import FitResult
from graphrings.results.export import prediction_lines
from graphrings.results.json_lines import json_lines
from graphrings.results.record import Failure
from graphrings.results.store import Store

pytestmark = pytest.mark.usefixtures("quick_list")


@pytest.fixture
def fitted(mutag: gr.Dataset, tmp_path: Path) -> FitResult:
    return fit_best(mutag, n_folds=4, store=tmp_path / "fit.db")


def exported(store: Path) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """The finished cells as JSON, and what was said of every test graph."""
    with Store.read(store) as held:
        name = held.choose(None)
        lines = [json.loads(line) for line in json_lines(held, name)]
        said = list(csv.DictReader(io.StringIO("".join(prediction_lines(held, name)))))
    return [line for line in lines if "trials" in line], said


def chosen_by_hand(cells: list[dict[str, Any]]) -> dict[int, str]:
    """In every fold the method whose winning trial has the best validation accuracy."""
    best: dict[int, tuple[float, str]] = {}
    for cell in sorted(cells, key=lambda cell: cell["method"]):  # the baseline comes first
        accuracy = max(trial["scores"]["accuracy"] for trial in cell["trials"])
        if cell["fold"] not in best or accuracy > best[cell["fold"]][0]:
            best[cell["fold"]] = accuracy, cell["method"]
    return {fold: method for fold, (_, method) in best.items()}


def test_the_procedure_is_scored_on_the_test_folds_of_what_validation_chose(
    fitted: FitResult, tmp_path: Path
) -> None:
    cells, said = exported(tmp_path / "fit.db")
    chosen = chosen_by_hand(cells)
    hits = defaultdict(list)
    for row in said:
        if row["method"] == chosen[int(row["fold"])]:
            hits[row["fold"]].append(row["truth"] == row["predicted"])
    accuracies = [np.mean(fold) for fold in hits.values()]
    own = fitted.judgement.estimate()
    assert own is not None
    assert own.mean == pytest.approx(np.mean(accuracies), abs=1e-12)
    assert len({*chosen.values()}) > 1, "with one method all the time this would show little"


def test_the_interval_is_that_of_nadeau_and_bengio(fitted: FitResult) -> None:
    values = [record.scores["accuracy"] for record in fitted.judgement.procedure]
    n, ratio = len(values), 15 / 30  # a test fold, and the two of four folds that train
    error = np.std(values, ddof=1) * np.sqrt(1 / n + ratio)
    reach = stats.t.ppf(0.975, n - 1) * error
    own = fitted.judgement.estimate()
    assert own is not None
    assert own.interval == pytest.approx(
        (max(0, np.mean(values) - reach), min(1, np.mean(values) + reach)), abs=1e-9
    )


def test_the_winner_has_the_best_mean_over_all_validation_folds(
    fitted: FitResult, tmp_path: Path
) -> None:
    cells, _ = exported(tmp_path / "fit.db")
    scores = defaultdict(list)
    for cell in cells:
        for trial in cell["trials"]:
            key = cell["method"], json.dumps(trial["setting"], sort_keys=True)
            scores[key].append(trial["scores"]["accuracy"])
    winner = fitted.winner
    won = scores[winner.method, json.dumps(dict(winner.setting), sort_keys=True)]
    assert np.mean(won) == max(map(np.mean, scores.values())) == winner.validation


def test_rows_show_the_procedure_and_every_method(fitted: FitResult) -> None:
    rows = fitted.scores
    assert rows.index.tolist() == [PROCEDURE, "baseline-labels", "wl"]
    assert rows["times_chosen"].tolist()[1:] == [
        fitted.judgement.times_chosen(name) for name in ("baseline-labels", "wl")
    ]
    assert rows.loc["wl", "accuracy"] == rows.loc["wl", "mean"]
    assert np.isnan(rows.loc[PROCEDURE, "log_loss"]), "a kernel machine has none"


def judged(fitted: FitResult, **more: Any) -> Judgement:
    old = fitted.judgement
    return judge(old.plan, old.card, old.records.values(), **more)


def test_only_folds_that_all_methods_have_finished_count(fitted: FitResult) -> None:
    old = fitted.judgement
    some = [
        record
        for (method, place), record in old.records.items()
        if place < (0, 2) or method == "wl"
    ]
    part = judge(old.plan, old.card, some)
    assert (part.n_complete, part.is_stopped) == (2, True)
    assert [record.cell.fold for record in part.procedure] == [0, 1]


def test_a_method_that_failed_is_left_out_with_its_reason(fitted: FitResult) -> None:
    cell = fitted.judgement.plan.cell("wl", 0, 2)
    part = judged(fitted, failures=[Failure(cell, "out of memory", 1.0, "")])
    assert part.methods == ("baseline-labels",)
    assert part.left_out == {"wl": "it failed in fold 3 of repetition 1 (out of memory)"}
    assert part.gain() is None, "nothing is left to hold against the baseline"


def test_without_a_method_or_a_fold_there_is_no_verdict(fitted: FitResult) -> None:
    old = fitted.judgement
    with pytest.raises(ExperimentError, match=r"no method is left.*wl: too slow"):
        judged(fitted, left_out={"wl": "too slow", "baseline-labels": "too slow"})
    with pytest.raises(ExperimentError, match="no fold was finished by all of baseline-labels, wl"):
        judge(old.plan, old.card, [r for r in old.records.values() if r.cell.method == "wl"])


def test_a_contender_without_the_score_cannot_be_chosen(mutag: gr.Dataset) -> None:
    by_loss = fit_best(mutag, n_folds=3, score="log_loss")
    assert by_loss.judgement.left_out == {"wl": "it has no log loss"}
    assert by_loss.winner.method == "baseline-labels"


def test_where_methods_tie_the_earlier_in_the_list_is_chosen(fitted: FitResult) -> None:
    old = fitted.judgement
    scores = {"accuracy": 0.5, "log_loss": 0.5}
    level = [
        replace(record, trials=tuple(replace(trial, scores=scores) for trial in record.trials))
        for record in old.records.values()
    ]
    part = judge(old.plan, old.card, level)
    assert {record.cell.method for record in part.chosen.values()} == {"baseline-labels"}
    assert part.winner().method == "baseline-labels"
