"""What every registered method promises, whatever it is made of."""

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone

import graphrings as gr
from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.methods import METHODS, find
from graphrings.tasks import CLASSIFICATION, REGRESSION, TASKS, Task
from strategies import shuffled

NETWORKS = [name for name in METHODS if "max_epochs" in find(name).parameters()]
FORESTS = [name for name in METHODS if "n_trees" in find(name).parameters()]
# It sorts by labels alone, and leaves nodes of one label in the order of their names.
BY_NAME = {"pgc-dgcnn-released"}
Fitted = Callable[[str, Task], Any]
every_method = pytest.mark.parametrize("name", METHODS)
every_task = pytest.mark.parametrize("task", TASKS.values(), ids=repr)
every_network = pytest.mark.parametrize("name", NETWORKS)


def quick(name: str, task: Task | None = None, **settings: Any) -> Any:
    """An estimator that is fitted in a moment."""
    if name in NETWORKS:
        settings = {"max_epochs": 2, "batch_size": 10, "learning_rate": 0.01, **settings}
    if name == "committee":
        small = {"n_trees": 10, "radius": 1}
        quick_ones = ({"method": "ring-forest", "settings": small}, {"method": "wl", "grid": {}})
        settings = {"members": quick_ones, **settings}
    if name in FORESTS:
        settings = {"n_trees": 20, **settings}
    return find(name).build(settings, 0, task)


def decisions(estimator: Any, graphs: Any) -> np.ndarray:
    """What an estimator computes, before it is rounded to a class."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        if hasattr(estimator, "decision_function"):
            return np.asarray(estimator.decision_function(graphs))
        if hasattr(estimator, "predict_proba"):
            return np.asarray(estimator.predict_proba(graphs)[:, 1])
        return np.asarray(estimator.predict(graphs))


def targets(graphs: gr.Dataset, task: Task) -> np.ndarray:
    """Two classes, or what a graph's size and a little noise make of them."""
    classes = np.arange(len(graphs)) % 2 if graphs.targets is None else graphs.targets
    noise = np.random.default_rng(0).normal(size=len(graphs))
    return classes if task.name == "classification" else classes + 0.1 * graphs.sizes + noise


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return shuffled(gr.synthetic.molecules(24, n_nodes=(4, 9)), 0)[0]


@pytest.fixture(scope="module")
def fitted_to_molecules(molecules: gr.Dataset) -> Fitted:
    """A method fitted to the molecules, once for all tests that only ask it something."""

    @cache
    def once(name: str, task: Task) -> Any:
        return quick(name, task).fit(molecules, targets(molecules, task))

    return once


@pytest.fixture(scope="module")
def odd_ones() -> gr.Dataset:
    """One node, nodes without edges, two parts, a clique, and a label that is new."""
    graphs = [
        nx.empty_graph(1),
        nx.empty_graph(3),
        nx.disjoint_union(nx.path_graph(2), nx.star_graph(3)),
        nx.complete_graph(5),
    ]
    for graph in graphs:
        nx.set_node_attributes(graph, 0, "label")
    nx.set_node_attributes(graphs[2], {0: 54}, "label")
    return gr.from_networkx(graphs, node_label="label")


@every_task
@every_method
def test_the_same_seed_gives_the_same_fit(
    name: str,
    task: Task,
    molecules: gr.Dataset,
    fitted_to_molecules: Fitted,
) -> None:
    one = fitted_to_molecules(name, task)
    two = quick(name, task).fit(molecules, targets(molecules, task))
    assert np.array_equal(decisions(one, molecules), decisions(two, molecules))


@pytest.mark.parametrize("name", [name for name in METHODS if name not in BY_NAME])
def test_names_of_nodes_mean_nothing(
    name: str, molecules: gr.Dataset, fitted_to_molecules: Fitted
) -> None:
    """The fit sees the names of one dataset, the decisions are about other names."""
    fitted = fitted_to_molecules(name, CLASSIFICATION)
    expected = decisions(fitted, molecules)
    again, _ = shuffled(molecules, 1)
    np.testing.assert_allclose(decisions(fitted, again), expected, rtol=1e-4, atol=1e-5)


@every_task
@every_method
def test_the_other_graphs_mean_nothing(
    name: str,
    task: Task,
    molecules: gr.Dataset,
    fitted_to_molecules: Fitted,
) -> None:
    """A decision about a graph is the same alone, in another order, and among others."""
    fitted = fitted_to_molecules(name, task)
    expected = decisions(fitted, molecules)
    order = np.random.default_rng(0).permutation(len(molecules))
    np.testing.assert_allclose(
        decisions(fitted, molecules[order]), expected[order], rtol=1e-4, atol=1e-5
    )
    alone = decisions(fitted, molecules[3:4])
    np.testing.assert_allclose(alone, expected[3:4], rtol=1e-4, atol=1e-5)


@every_task
@every_method
def test_odd_graphs_are_predicted(
    name: str,
    task: Task,
    odd_ones: gr.Dataset,
    fitted_to_molecules: Fitted,
) -> None:
    fitted = fitted_to_molecules(name, task)
    values = decisions(fitted, odd_ones)
    assert values.shape == (4,)
    assert np.isfinite(values).all()


@every_task
@every_method
def test_odd_graphs_are_learned_from(name: str, task: Task, odd_ones: gr.Dataset) -> None:
    many = odd_ones[np.tile(np.arange(4), 5)]
    fitted = quick(name, task).fit(many, targets(many, task))
    assert np.isfinite(decisions(fitted, many)).all()


@every_task
@every_method
def test_graphs_without_labels_will_do(name: str, task: Task) -> None:
    egos = gr.synthetic.ego_networks(12)
    assert quick(name, task).fit(egos, targets(egos, task)).predict(egos).shape == (12,)


@every_method
def test_values_are_predicted_on_their_own_scale(name: str, molecules: gr.Dataset) -> None:
    """Whatever is learned, predictions lie where the targets do."""
    y = 1e6 + targets(molecules, REGRESSION)
    predicted = quick(name, REGRESSION).fit(molecules, y).predict(molecules)
    assert np.abs(predicted - 1e6).max() < 100


@every_task
@every_method
def test_every_setting_says_what_it_means(name: str, task: Task) -> None:
    described = find(name).described(task)
    assert described.keys() == find(name).parameters(task).keys()
    for setting in described.values():
        assert len(setting.meaning) > 5
        assert len(setting.allowed) > 5
        assert setting.check(setting.default), setting


@every_task
@every_network
def test_the_plain_lane_computes_the_same(name: str, task: Task, molecules: gr.Dataset) -> None:
    y = targets(molecules, task)
    one, two = (quick(name, task, fused=fused).fit(molecules, y) for fused in (True, False))
    np.testing.assert_allclose(
        [epoch.train_loss for epoch in one.history_.epochs],
        [epoch.train_loss for epoch in two.history_.epochs],
        rtol=1e-4,
    )
    np.testing.assert_allclose(
        decisions(one, molecules), decisions(two, molecules), rtol=1e-3, atol=1e-4
    )


@every_task
@every_method
def test_a_validation_fold_may_have_one_class(name: str, task: Task, molecules: gr.Dataset) -> None:
    y, cache = targets(molecules, task), ArrayCache()
    held_out = np.flatnonzero(molecules.targets == 0)[:4]
    kept = np.setdiff1d(np.arange(24), held_out)
    training, validation = (Selection(molecules, part, cache) for part in (kept, held_out))
    fitted = quick(name, task).fit(training, y[kept], validation=(validation, y[held_out]))
    assert fitted.predict(validation).shape == (4,)


@every_method
def test_a_selection_is_fitted_like_the_graphs_cut_out(name: str, molecules: gr.Dataset) -> None:
    kept, others = np.arange(0, 24, 2), np.arange(1, 24, 2)
    cache = ArrayCache()
    training, rest = (Selection(molecules, part, cache) for part in (kept, others))
    selected = decisions(quick(name).fit(training, molecules.targets[kept]), rest)
    expected = decisions(quick(name).fit(molecules[kept]), molecules[others])
    np.testing.assert_allclose(selected, expected, rtol=1e-3, atol=1e-4)


@every_method
def test_a_clone_is_unfitted_and_has_the_same_settings(name: str) -> None:
    estimator = quick(name)
    assert clone(estimator).get_params() == estimator.get_params()


@every_task
@every_method
def test_a_file_brings_back_the_same_decisions(
    name: str,
    task: Task,
    molecules: gr.Dataset,
    fitted_to_molecules: Fitted,
    tmp_path: Path,
) -> None:
    fitted = fitted_to_molecules(name, task)
    fitted.save(tmp_path / "model", {"nested": {"accuracy": 0.5}})
    again = gr.load_model(tmp_path / "model")
    assert again.get_params() == fitted.get_params()
    assert np.array_equal(decisions(again, molecules), decisions(fitted, molecules))
    assert again.domain_.facts() == fitted.domain_.facts()
    assert again.card_["nested"] == {"accuracy": 0.5}
    assert (again.card_["method"], again.card_["data"]["graphs"]) == (name, 24)
    again.save(tmp_path / "once more")
    assert (tmp_path / "once more").read_bytes() == (tmp_path / "model").read_bytes()


@every_task
@every_method
def test_no_graphs_and_one_graph_are_predicted(
    name: str,
    task: Task,
    molecules: gr.Dataset,
    fitted_to_molecules: Fitted,
) -> None:
    fitted = fitted_to_molecules(name, task)
    every, nothing = fitted.predict(molecules[:1]), fitted.predict([])
    assert (nothing.shape, nothing.dtype) == ((0,), every.dtype)
    assert fitted.predict(molecules[[]]).shape == (0,)
    if hasattr(fitted, "predict_proba"):
        some = fitted.predict_proba(molecules[:1])
        assert fitted.predict_proba([]).shape == (0, *some.shape[1:])
    assert fitted.predict(molecules[0]).tolist() == every.tolist()


@every_task
@every_method
def test_predictions_and_probabilities_come_together(
    name: str,
    task: Task,
    molecules: gr.Dataset,
    fitted_to_molecules: Fitted,
) -> None:
    fitted = fitted_to_molecules(name, task)
    predicted, probabilities = fitted.predict_with_proba(molecules)
    assert predicted.tolist() == fitted.predict(molecules).tolist()
    if hasattr(fitted, "predict_proba"):
        assert np.array_equal(probabilities, fitted.predict_proba(molecules))
    else:
        assert probabilities is None


@pytest.mark.parametrize(
    "name", [name for name in METHODS if "calibrate" in find(name).described()]
)
def test_calibration_changes_probabilities_and_no_class(
    name: str, molecules: gr.Dataset, tmp_path: Path
) -> None:
    training, validation = molecules[:16], molecules[16:]
    plain = quick(name).fit(training, validation=validation)
    fitted = quick(name, calibrate=True).fit(training, validation=validation)
    assert fitted.predict(molecules).tolist() == plain.predict(molecules).tolist()
    assert (fitted.calibration_.n_graphs, plain.calibration_) == (8, None)
    fitted.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    probabilities = fitted.predict_proba(molecules)
    assert np.array_equal(again.predict_proba(molecules), probabilities)
    assert again.card_["calibration"]["learned_on"] == "validation graphs"
    chosen = np.arange(16, 24), molecules.targets[16:]
    measured = float(-np.log(probabilities[chosen]).mean())
    assert measured == pytest.approx(fitted.calibration_.log_loss, rel=1e-5)


@every_network
def test_the_loss_falls_on_a_set_that_can_be_solved(name: str) -> None:
    egos = gr.synthetic.ego_networks(40)
    fitted = quick(name, max_epochs=15, validation_fraction=0.0, patience=15).fit(egos)
    losses = [epoch.train_loss for epoch in fitted.history_.epochs]
    assert min(losses[-3:]) < 0.8 * losses[0]


@pytest.mark.parametrize("name", [name for name in METHODS if name not in NETWORKS])
def test_a_set_that_can_be_solved_is_solved(name: str) -> None:
    egos = gr.synthetic.ego_networks(40)
    penalty = {"C": 1000.0} if "C" in find(name).parameters() else {}
    assert quick(name, **penalty).fit(egos).score(egos) >= 0.8
