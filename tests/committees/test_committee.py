from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

import graphrings as gr
from graphrings.committees import estimators
from graphrings.errors import DatasetError, ModelError, SettingError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.kernels.weisfeiler_lehman import WeisfeilerLehman
from graphrings.learning import persistence
from graphrings.learning.calibration import temperature

FOREST = {"method": "ring-forest", "settings": {"n_trees": 10, "radius": 1}}
WL = {"method": "wl", "settings": {"height": 2}, "grid": {"C": [10.0, 0.001]}}
BLUNT = {"method": "wl", "settings": {"height": 0, "C": 1e-3}}
NETWORK = {"method": "dgcnn", "settings": {"max_epochs": 2}}


@pytest.fixture(scope="module")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


@pytest.fixture(scope="module")
def parts(mutag: gr.Dataset) -> tuple[Selection, Selection, np.ndarray]:
    """A training and a validation part of MUTAG, and the classes of all graphs."""
    order, cache = np.random.default_rng(1).permutation(len(mutag)), ArrayCache()
    assert len(np.unique(mutag[order[:108]].node_labels)) == mutag.n_labels
    blind = replace(mutag, targets=None)
    chosen = (np.sort(order[:108]), np.sort(order[108:]))
    return *(Selection(blind, part, cache) for part in chosen), np.asarray(mutag.targets)


def quick(*members: Any, **settings: Any) -> gr.CommitteeClassifier:
    return gr.CommitteeClassifier(members=list(members), random_state=0, **settings)


def fitted(parts: Any, *members: Any, **settings: Any) -> gr.CommitteeClassifier:
    training, validation, y = parts
    held_out = validation, y[validation.graphs]
    return quick(*members, **settings).fit(training, y[training.graphs], validation=held_out)


def test_every_member_chooses_from_its_grid(parts: Any) -> None:
    training, validation, y = parts
    committee = fitted(parts, FOREST, WL)
    forest, machine = committee.members_
    assert isinstance(forest, gr.ForestClassifier)
    alone = {}
    for penalty in (0.001, 10.0):
        one = gr.KernelClassifier("wl", height=2, C=penalty)
        one.fit(training, y[training.graphs])
        alone[penalty] = one.score(validation, y[validation.graphs])
    assert max(alone, key=alone.__getitem__) == machine.C
    assert machine.probability


def test_what_is_averaged_are_the_members_probabilities(parts: Any) -> None:
    _, validation, _ = parts
    committee = fitted(parts, FOREST, WL, weights="equal")
    said = committee.predict_proba(validation)
    by_hand = np.zeros_like(said)
    for member, calibration in zip(committee.members_, committee.calibrations_, strict=True):
        logs = np.log(np.clip(member.predict_proba(validation), 1e-6, None))
        assert calibration is not None
        assert calibration.method == "temperature"
        by_hand += calibration.probabilities(logs) / 2
    np.testing.assert_allclose(said, by_hand, rtol=1e-4)
    assert committee.weights_.tolist() == [0.5, 0.5]


def test_weights_are_greedy_where_one_member_is_clearly_better(
    parts: Any, mutag: gr.Dataset
) -> None:
    """Trees see the size of a graph; a machine with next to no C hardly does."""
    large = (np.diff(mutag.graph_ptr) > 17).astype(np.int32)
    committee = fitted((*parts[:2], large), BLUNT, FOREST)
    assert committee.weights_[1] > 0.9
    assert [weight for _, weight in committee.chosen_] == committee.weights_.tolist()


def test_few_validation_graphs_leave_it_to_folds_of_the_training_graphs(
    parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By hand: the chosen machine again without each fold, a temperature for what it says there."""
    monkeypatch.setattr(estimators, "LEAST_GRAPHS", 81)
    training, _, y = parts
    committee = fitted(parts, BLUNT, WL)
    seed = int(np.random.RandomState(0).randint(2**31 - 1, size=3)[0])
    said, true = [], []
    for kept, left in StratifiedKFold(5, shuffle=True, random_state=seed).split(
        training.graphs, y[training.graphs]
    ):
        inner, outer = training.graphs[kept], training.graphs[left]
        one = clone(committee.members_[1]).fit(replace(training, graphs=inner), y[inner])
        said.append(one.predict_proba(replace(training, graphs=outer)))
        true.append(y[outer])
    by_hand = temperature(np.log(np.concatenate(said)), np.concatenate(true), "by hand")
    calibration = committee.calibrations_[1]
    assert calibration is not None
    assert (calibration.learned_on, calibration.n_graphs) == ("5 held-out folds", 108)
    np.testing.assert_allclose(calibration.weights, by_hand.weights, rtol=1e-6)
    assert committee.weights_[1] > 0.9


def test_with_few_graphs_in_all_members_count_alike(
    parts: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(estimators, "LEAST_GRAPHS", 109)
    committee = fitted(parts, BLUNT, WL)
    assert committee.weights_.tolist() == [0.5, 0.5]
    assert committee.calibrations_ == [None, None]


def test_values_are_weighed_by_folds_too(mutag: gr.Dataset) -> None:
    """Trees see the size of a graph; a machine with next to no C says the same of all."""
    sizes = np.diff(mutag.graph_ptr).astype(np.float64)
    blind = {"method": "wl", "settings": {"height": 0, "C": 1e-12, "machine": "ridge"}}
    seeing = {"method": "ring-forest", "settings": {"n_trees": 5, "radius": 1}}
    committee = gr.CommitteeRegressor(members=[blind, seeing], random_state=0)
    committee.fit(mutag.changed(targets=None, class_names=()), sizes)
    assert committee.weights_[1] > 0.9


def test_a_refit_keeps_choices_and_teaches_members_the_validation_graphs(parts: Any) -> None:
    training, validation, y = parts
    committee = fitted(parts, WL, NETWORK)
    machine, network = committee.members_
    before = network.predict_proba(validation)
    weights, penalty = committee.weights_.copy(), machine.C
    everything = replace(training, graphs=np.arange(188))
    committee.refit(everything, y)
    assert penalty == machine.C
    assert np.array_equal(committee.weights_, weights)
    assert machine.trained_on_["graphs"] == 188
    assert network.trained_on_["graphs"] == 108  # it stops early
    assert np.array_equal(network.predict_proba(validation), before)


def test_without_validation_graphs_members_end_up_with_all(mutag: gr.Dataset) -> None:
    committee = quick(FOREST, WL).fit(mutag)
    assert [member.trained_on_["graphs"] for member in committee.members_] == [188, 188]
    assert committee.score(mutag) > 0.85


def test_an_estimator_is_taken_as_it_is(mutag: gr.Dataset) -> None:
    machine = gr.KernelClassifier("wl", height=1, C=3.0)
    committee = quick(machine, "baseline-labels")
    assert committee.members[0] == {
        "estimator": "KernelClassifier",
        "settings": {"kernel": "wl", "height": 1, "C": 3.0},
    }
    assert clone(committee).get_params() == committee.get_params()
    committee.fit(mutag)
    assert committee.members_[0].get_params()["C"] == 3.0
    assert not hasattr(machine, "intercept_")


def test_folds_share_a_gram_matrix(parts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    training, validation, y = parts
    made, real = [], WeisfeilerLehman.fit_transform
    monkeypatch.setattr(
        WeisfeilerLehman,
        "fit_transform",
        lambda self, graphs: made.append(len(graphs)) or real(self, graphs),
    )
    cache = ArrayCache()
    one, two = (replace(part, cache=cache) for part in (training, validation))
    for first, second in ((one, two), (two, one)):
        held_out = second, y[second.graphs]
        quick(WL).fit(first, y[first.graphs], validation=held_out).predict(second)
    assert made == [188]


def test_values_are_averaged(mutag: gr.Dataset) -> None:
    y = mutag.sizes + 0.0
    committee = gr.CommitteeRegressor(members=(FOREST, WL), random_state=0)
    committee.fit(mutag[:100], y[:100], validation=(mutag[100:], y[100:]))
    said = np.stack([member.predict(mutag) for member in committee.members_])
    np.testing.assert_allclose(committee.predict(mutag), committee.weights_ @ said)


def test_a_file_holds_all_members(parts: Any, mutag: gr.Dataset, tmp_path: Path) -> None:
    committee = fitted(parts, FOREST, WL, NETWORK)
    committee.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert isinstance(again, gr.CommitteeClassifier)
    np.testing.assert_allclose(
        again.predict_proba(mutag), committee.predict_proba(mutag), rtol=1e-6
    )
    assert again.weights_.tolist() == committee.weights_.tolist()
    assert [type(m) for m in again.members_] == [type(m) for m in committee.members_]
    again.save(tmp_path / "copy")
    assert np.array_equal(
        gr.load_model(tmp_path / "copy").predict_proba(mutag), again.predict_proba(mutag)
    )


def test_a_damaged_file_is_refused(parts: Any, tmp_path: Path) -> None:
    committee = fitted(parts, FOREST, WL)
    committee.weights_ = committee.weights_[:1]
    committee.save(tmp_path / "model")
    with pytest.raises(ModelError, match=r"damaged .its members do not fit its weights"):
        gr.load_model(tmp_path / "model")


def test_a_stranger_among_the_members_of_a_file_is_refused(parts: Any, tmp_path: Path) -> None:
    fitted(parts, FOREST).save(tmp_path / "model")
    header, tensors = persistence.read(tmp_path / "model")
    header["members"][0]["estimator"] = "CommitteeClassifier"
    persistence.write(tmp_path / "model", header, tensors)
    with pytest.raises(ModelError, match="the model is damaged"):
        gr.load_model(tmp_path / "model")


@pytest.mark.parametrize("names", [[0, 2], [-2, 1], ["0", "1"], [1, 0]])
def test_members_of_a_file_know_classes_by_their_numbers(
    parts: Any, tmp_path: Path, names: list[Any]
) -> None:
    fitted(parts, FOREST).save(tmp_path / "model")
    header, tensors = persistence.read(tmp_path / "model")
    header["members"][0]["coding"]["names"] = names
    persistence.write(tmp_path / "model", header, tensors)
    with pytest.raises(ModelError, match=r"damaged .its members do not fit its weights"):
        gr.load_model(tmp_path / "model")


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "members = (); expected a list of one or more methods"),
        ("wl", "members = 'wl'; expected a list of one or more methods"),
        ([3], "members = (3,); expected a list of one or more methods"),
        ([{"settings": {}}], "members = ({'settings': {}},); expected a list of one or more"),
        (["wl-ao"], "members: no method 'wl-ao' to sit in a committee; did you mean 'wl-oa'?"),
        (["committee"], "members: no method 'committee' to sit in a committee; expected one of"),
        ([{"method": "wl", "settings": {"hight": 1}}], "members: wl has no setting 'hight'"),
        ([{"method": "wl", "settings": {"C": 0}}], "members: C = 0; expected a number above 0"),
        ([{"method": "wl", "grid": {"C": 3}}], "members: {'method': 'wl', 'grid': {'C': 3}}; "),
        ([gr.KernelRegressor()], "members: KernelRegressor is no estimator for classification"),
    ],
)
def test_members_that_make_no_sense(mutag: gr.Dataset, members: Any, message: str) -> None:
    with pytest.raises(SettingError) as caught:
        gr.CommitteeClassifier(members=members).fit(mutag)
    assert str(caught.value).startswith(message)


def test_a_class_of_one_graph_cannot_be_held_out(mutag: gr.Dataset) -> None:
    y = np.array([1] + [0] * 9)
    with pytest.raises(DatasetError, match="a class of 1 graph; a committee holds out"):
        quick(FOREST).fit(mutag[:10], y)
    quick(FOREST).fit(mutag[:10], y, validation=(mutag[10:20], y))


def test_a_refit_has_the_classes_of_the_fit(mutag: gr.Dataset) -> None:
    y = np.arange(20) % 2
    committee = quick(FOREST).fit(mutag[:20], y)
    with pytest.raises(DatasetError, match="3 classes to fit members again on; they were chosen"):
        committee.refit(mutag[:20], np.arange(20) % 3)
