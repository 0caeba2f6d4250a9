"""Values instead of classes, by every family of estimators."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_regressor
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from sklearn.metrics import r2_score
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVR

import graphrings as gr
from graphrings.errors import DatasetError

FAMILIES: list[Any] = [
    gr.PGCRegressor(max_epochs=40, learning_rate=0.01, channels=(8, 1), random_state=0),
    gr.NetworkRegressor("gcn", learning_rate=0.01, random_state=0),
    gr.KernelRegressor("wl", C=100.0),
    gr.KernelRegressor("wl", C=100.0, linear=True, random_state=0),
    gr.BaselineRegressor(),
    gr.BaselineRegressor(model="mlp", random_state=0),
]
every_family = pytest.mark.parametrize("regressor", FAMILIES, ids=repr)


@pytest.fixture(scope="module")
def sizes(molecules: gr.Dataset) -> np.ndarray:
    """A value that can be read from a graph, on a scale of its own."""
    return 500.0 + 10.0 * molecules.sizes


@every_family
def test_a_value_that_the_graph_shows_is_learned(
    regressor: Any, molecules: gr.Dataset, sizes: np.ndarray
) -> None:
    fitted = clone(regressor).fit(molecules, sizes)
    assert is_regressor(fitted)
    predicted = fitted.predict(molecules)
    assert predicted.shape == (40,)
    assert fitted.score(molecules, sizes) == pytest.approx(r2_score(sizes, predicted))
    assert fitted.score(molecules, sizes) > 0.5


@every_family
def test_another_scale_changes_nothing_but_the_scale(
    regressor: Any, molecules: gr.Dataset, sizes: np.ndarray
) -> None:
    """Targets are standardised: a fit on Fahrenheit is a fit on Celsius."""
    one = clone(regressor).fit(molecules, sizes).predict(molecules)
    other = clone(regressor).fit(molecules, 32 + 1.8 * sizes).predict(molecules)
    assert other == pytest.approx(32 + 1.8 * one, rel=1e-3)


@every_family
def test_whole_numbers_that_are_called_classes_are_values_too(
    regressor: Any, molecules: gr.Dataset
) -> None:
    counted = gr.from_graphs(list(molecules), molecules.sizes)
    assert counted.class_names
    one = clone(regressor).fit(counted).predict(molecules)
    other = clone(regressor).fit(molecules, molecules.sizes).predict(molecules)
    assert np.array_equal(one, other)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (["a", "b"] * 20, "target number 0 is .*'a'.*; expected finite numbers .there are classif"),
        ([1.5] * 39 + [np.inf], "target number 39 is .*inf.*; expected finite numbers"),
        ([1.5] * 39 + [None], r"1 of 40 targets are missing, the first is number 39 \(None\)"),
        (pd.Series([1.5] * 38 + [np.nan] * 2), "2 of 40 targets are missing"),
        (pd.DataFrame({"a": [1.5] * 40, "b": [2.5] * 40}), r"targets of shape \(40, 2\)"),
        ([1.5], "1 targets for 40 graphs"),
    ],
)
def test_targets_that_are_no_values_are_one_line(
    molecules: gr.Dataset, y: Any, message: str
) -> None:
    for kind in (gr.PGCRegressor, gr.KernelRegressor, gr.BaselineRegressor):
        with pytest.raises(DatasetError, match=message):
            kind().fit(molecules, y)


@pytest.mark.parametrize("machine", ["svr", "ridge"])
def test_a_kernel_machine_is_that_of_scikit_learn(
    molecules: gr.Dataset, sizes: np.ndarray, machine: str
) -> None:
    train, y = molecules[:30], sizes[:30]
    goals = (y - y.mean()) / y.std()
    kernel = gr.kernels.WeisfeilerLehman(2, normalize=True)
    peers = {"svr": SVR(kernel="precomputed", C=10.0), "ridge": KernelRidge(alpha=1 / 20)}
    peer = peers[machine].set_params(kernel="precomputed").fit(kernel.fit_transform(train), goals)
    ours = gr.KernelRegressor("wl", machine=machine, C=10.0, height=2).fit(train, y)
    expected = y.mean() + y.std() * peer.predict(kernel.transform(molecules))
    assert ours.predict(molecules) == pytest.approx(expected, rel=1e-6)


def test_features_give_what_ridge_regression_gives_on_them(
    molecules: gr.Dataset, sizes: np.ndarray
) -> None:
    rows = gr.kernels.WeisfeilerLehman(2, normalize=True).fit(molecules).features()
    goals = (sizes - sizes.mean()) / sizes.std()
    peer = Ridge(alpha=1 / 20).fit(rows, goals)
    ours = gr.KernelRegressor("wl", machine="ridge", C=10.0, height=2, linear=True)
    predicted = ours.fit(molecules, sizes).predict(molecules)
    expected = sizes.mean() + sizes.std() * peer.predict(rows)
    assert predicted == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("given", [True, False])
def test_auto_takes_the_machine_that_is_better_on_graphs_held_out(
    molecules: gr.Dataset, sizes: np.ndarray, given: bool
) -> None:
    """An epsilon of ten deviations leaves support vector regression nothing to learn."""
    seen = (molecules[:30], sizes[:30]) if given else None
    blind = gr.KernelRegressor("wl", C=100.0, epsilon=10.0, random_state=0)
    assert blind.fit(molecules[:30], sizes[:30], validation=seen).machine_ == "ridge"
    sharp = gr.KernelRegressor("wl", C=1.0, epsilon=0.01, random_state=0)
    errors = {}
    for machine in ("svr", "ridge"):
        one = clone(sharp).set_params(machine=machine).fit(molecules[:30], sizes[:30])
        errors[machine] = np.square(one.predict(molecules[30:]) - sizes[30:]).mean()
    validation = (molecules[30:], sizes[30:]) if given else None
    sharp.fit(molecules[:30], sizes[:30], validation=validation)
    assert not given or sharp.machine_ == min(errors, key=errors.__getitem__)


def test_weights_of_graphs_count(molecules: gr.Dataset) -> None:
    """Twice the weight is the same graph twice."""
    y, heavy = np.arange(40.0), np.r_[np.full(10, 2.0), np.ones(30)]
    twice = np.r_[np.arange(10), np.arange(40)]
    shifted = np.r_[y[:10], y]
    regressor = gr.KernelRegressor("wl", machine="ridge", linear=True)
    regressor.fit(molecules, y, heavy)
    peer = clone(regressor).fit(molecules[twice], shifted)
    ours, theirs = regressor.predict(molecules), peer.predict(molecules)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.9999


def test_a_grid_search_takes_regressors(molecules: gr.Dataset, sizes: np.ndarray) -> None:
    search = GridSearchCV(gr.KernelRegressor("wl"), {"C": [0.01, 100.0], "height": [0, 2]}, cv=3)
    search.fit(list(molecules), sizes)
    assert search.best_params_["C"] == 100.0


def test_held_out_graphs_are_spread_over_the_values() -> None:
    model = gr.PGCRegressor(validation_fraction=0.25)
    y = np.random.default_rng(0).permutation(40).astype(float)
    _, held_out = model._split(y, seed=0)
    assert len(held_out) == 10
    assert np.bincount((y[held_out] // 4).astype(int), minlength=10).tolist() == [1] * 10


@pytest.mark.slow
def test_structure_tells_more_than_counted_atoms() -> None:
    """Bonds between different atoms are seen by whoever looks at neighbours."""
    training, test = gr.synthetic.bond_shares(300, seed=0), gr.synthetic.bond_shares(100, seed=1)
    blind = gr.BaselineRegressor().fit(training).score(test)
    kernel = gr.KernelRegressor("wl", height=1, C=10.0).fit(training).score(test)
    network = gr.PGCRegressor(radius=1, learning_rate=0.003, max_epochs=100, random_state=0)
    assert blind < 0.8
    assert min(kernel, network.fit(training).score(test)) > blind + 0.1
