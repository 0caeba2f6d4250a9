"""Probabilities of trees and of the baseline, calibrated on graphs that were held out."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics import log_loss

import graphrings as gr
from graphrings.graphs.targets import own_targets

MODELS = [
    gr.ForestClassifier(n_trees=20, radius=1, random_state=0),
    gr.BoostingClassifier(n_trees=20, radius=1, random_state=0),
    gr.BaselineClassifier(C=1e4),
]
every_model = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.method_name)


@pytest.fixture(scope="module")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


@every_model
def test_no_prediction_changes_but_the_probabilities(model: Any, mutag: gr.Dataset) -> None:
    plain = clone(model).fit(mutag[:100])
    told = clone(model).set_params(calibrate=True).fit(mutag[:100], validation=mutag[100:140])
    assert told.predict(mutag).tolist() == plain.predict(mutag).tolist()
    assert not np.allclose(told.predict_proba(mutag), plain.predict_proba(mutag))
    assert told.predict_proba(mutag).sum(axis=1) == pytest.approx(1)
    assert (plain.calibration_, told.calibration_.learned_on) == (None, "validation graphs")
    assert told.calibration_.n_graphs == 40


def test_a_forest_that_is_too_sure_is_made_to_doubt(mutag: gr.Dataset) -> None:
    """One deep tree says 0 or 1 of everything; on other graphs the calibrated one loses less."""
    model = gr.ForestClassifier(n_trees=1, radius=1, random_state=0)
    losses = [
        log_loss(
            own_targets(mutag[130:]),
            np.clip(fitted.predict_proba(mutag[130:]), 1e-15, 1),
        )
        for fitted in (
            model.fit(mutag[:130]),
            clone(model).set_params(calibrate=True).fit(mutag[:130]),
        )
    ]
    assert losses[1] < losses[0] / 2


@every_model
def test_a_file_keeps_them_and_the_card_says_so(
    model: Any, mutag: gr.Dataset, tmp_path: Path
) -> None:
    told = clone(model).set_params(calibrate=True).fit(mutag[:60])
    told.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert np.array_equal(again.predict_proba(mutag), told.predict_proba(mutag))
    said = again.card_["calibration"]
    assert (said["method"], said["learned_on"], said["n_graphs"]) == (
        "temperature",
        "5 of 5 held-out folds",
        60,
    )


def test_folds_end_when_enough_graphs_were_held_out(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphrings.learning.held_out.ENOUGH", 30)
    told = gr.BaselineClassifier(calibrate=True).fit(mutag[:100])
    assert told.calibration_.learned_on == "2 of 5 held-out folds"
    assert told.calibration_.n_graphs == 40


def test_a_class_of_one_graph_leaves_them_as_they_are(mutag: gr.Dataset) -> None:
    y = ["rare"] + ["usual"] * 19
    told = gr.BaselineClassifier(calibrate=True).fit([*mutag[:20]], y)
    assert told.calibration_ is None
    assert told.predict_proba(mutag[:20]).shape == (20, 2)
