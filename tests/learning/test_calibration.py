import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax
from sklearn.calibration import CalibratedClassifierCV
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss

import graphrings as gr
from graphrings.learning.calibration import Calibration, platt, smoothed, temperature
from learning.settings import QUICK


def drawn(n_graphs: int, n_classes: int, truth: float) -> tuple[np.ndarray, np.ndarray]:
    """Outputs, and goals drawn as if ``truth`` times the outputs were right."""
    rng = np.random.default_rng(n_graphs + n_classes)
    outputs = rng.normal(size=(n_graphs, n_classes))
    chances = softmax(truth * outputs, axis=1).cumsum(axis=1)
    return outputs, (rng.random(n_graphs)[:, None] > chances[:, :-1]).sum(axis=1)


@pytest.mark.filterwarnings("ignore:Since FrozenEstimator")
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("truth", [0.3, 1.0, 4.0])
def test_the_temperature_is_what_scikit_learn_finds(n_classes: int, truth: float) -> None:
    """It knows no smoothed goals: it is shown every graph once per class, weighted."""
    outputs, goals = drawn(50, n_classes, truth)
    ours = temperature(outputs, goals, "graphs")
    same = LogisticRegression().fit(
        np.vstack([outputs, np.eye(n_classes)]), [*goals, *range(n_classes)]
    )
    same.coef_, same.intercept_ = np.eye(n_classes), np.zeros(n_classes)
    if n_classes == 2:
        same.coef_, same.intercept_ = np.array([[-0.5, 0.5]]), np.zeros(1)
    theirs = CalibratedClassifierCV(FrozenEstimator(same), method="temperature", ensemble=False)
    shown, named = np.repeat(outputs, n_classes, axis=0), np.tile(np.arange(n_classes), 50)
    theirs.fit(shown, named, sample_weight=smoothed(goals, n_classes).ravel())
    expected = theirs.predict_proba(outputs)
    assert ours.probabilities(outputs) == pytest.approx(expected, abs=1e-6)
    everyone = np.arange(n_classes)
    assert ours.log_loss == pytest.approx(log_loss(goals, expected, labels=everyone), abs=1e-6)
    before = log_loss(goals, softmax(outputs, axis=1), labels=everyone)
    assert ours.log_loss_before == pytest.approx(before)


def test_platt_is_that_of_scikit_learn() -> None:
    """The same smoothed goals, by another solver."""
    rng = np.random.default_rng(0)
    margins = rng.normal(size=60)
    goals = (rng.random(60) < expit(3 * margins - 1)).astype(np.int64)
    machine = LogisticRegression().fit(margins[:, None], goals)
    machine.coef_, machine.intercept_ = np.ones((1, 1)), np.zeros(1)
    theirs = CalibratedClassifierCV(FrozenEstimator(machine), method="sigmoid", ensemble=False)
    theirs.fit(margins[:, None], goals)
    ours = platt(margins, goals, "graphs")
    assert ours.probabilities(margins) == pytest.approx(
        theirs.predict_proba(margins[:, None]), abs=1e-4
    )


@given(st.lists(st.integers(0, 2), min_size=1, max_size=9))
def test_few_graphs_do_not_make_for_certainty(listed: list[int]) -> None:
    goals = np.array(listed)
    shares = smoothed(goals, 3)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(goals)))
    own = shares[np.arange(len(goals)), goals]
    sizes = np.bincount(goals, minlength=3)[goals]
    assert own == pytest.approx((sizes + 1) / (sizes + 3))
    right = 100.0 * np.eye(3)[goals]  # outputs that are never wrong
    learned = temperature(right, goals, "graphs")
    assert learned.probabilities(right).max() < 0.95


@pytest.mark.parametrize("goals", [[0, 0, 0, 0], [1, 1, 1, 1]])
def test_one_class_of_two_will_do(goals: list[int]) -> None:
    learned = platt(np.array([-1.0, 0.0, 1.0, 2.0]), np.array(goals), "graphs")
    assert np.isfinite(learned.probabilities(np.array([0.5]))).all()


def test_several_classes_of_which_one_is_missing_have_one_temperature() -> None:
    scores = np.random.default_rng(0).normal(size=(20, 3))
    goals = np.arange(20) % 2
    assert platt(scores, goals, "graphs").method == "temperature"
    assert platt(scores, np.arange(20) % 3, "graphs").method == "Platt"


def test_facts_bring_a_calibration_back() -> None:
    learned = platt(np.array([-1.0, 1.0, 2.0]), np.array([0, 1, 1]), "graphs")
    again = Calibration.from_facts(learned.facts(), 2)
    assert again.facts() == learned.facts()
    with pytest.raises(ValueError, match="its calibration does not fit its classes"):
        Calibration.from_facts(learned.facts(), 3)


def test_held_out_graphs_calibrate_a_network(egos: gr.Dataset) -> None:
    settings = QUICK | {"validation_fraction": 0.25}
    model = gr.PGCClassifier(**settings, calibrate=True).fit(egos)
    assert (model.calibration_.method, model.calibration_.n_graphs) == ("temperature", 10)
    assert model.calibration_.learned_on == "held-out graphs"
    plain = gr.PGCClassifier(**settings).fit(egos)
    assert np.array_equal(plain.decision_function(egos), model.decision_function(egos))
    nobody = gr.PGCClassifier(**QUICK | {"validation_fraction": 0.0}, calibrate=True).fit(egos)
    assert nobody.calibration_ is None


def test_held_out_folds_calibrate_a_kernel(egos: gr.Dataset) -> None:
    model = gr.KernelClassifier("wl", calibrate=True, random_state=0)
    assert hasattr(model, "predict_proba")
    assert model.fit(egos).calibration_.learned_on == "5 held-out folds"
    assert model.fit(egos[:30], validation=egos[30:]).calibration_.n_graphs == 10
    alone = gr.KernelClassifier("wl", calibrate=True).fit(egos, [1] + [0] * 39)
    assert not hasattr(alone, "predict_proba")
