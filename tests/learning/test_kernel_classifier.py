import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from safetensors.numpy import save_file
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.svm import SVC, LinearSVC

import graphrings as gr
from graphrings.errors import (
    DatasetError,
    MemoryLimitError,
    ModelError,
    SettingError,
    SizeNote,
    TimeNote,
)
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.kernels.names import build
from graphrings.learning import kernel_machine, persistence
from graphrings.limits import SLOW, STEPS_A_SECOND
from graphrings.tasks import CLASSIFICATION
from graphrings.tasks.scores import score_predictions
from learning.test_classifier import in_every_form
from learning.test_scikit_learn import CHECKS

every_machine = pytest.mark.parametrize("linear", [False, True])


@pytest.fixture(scope="module")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


def classes(dataset: gr.Dataset, n_classes: int) -> np.ndarray:
    """Classes by size: as many graphs in each, as far as that goes."""
    ranks = np.argsort(np.argsort(dataset.sizes, kind="stable"), kind="stable")
    return ranks * n_classes // len(dataset)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_checks_of_scikit_learn_pass(check: Callable[[str, Any], None]) -> None:
    check("KernelClassifier", gr.KernelClassifier())


@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("C", [0.1, 100])
def test_it_decides_as_libsvm_does(mutag: gr.Dataset, n_classes: int, C: float) -> None:  # noqa: N803
    train, y = mutag[:120], classes(mutag, n_classes)[:120]
    kernel = gr.kernels.WeisfeilerLehman(2, normalize=True)
    theirs = SVC(kernel="precomputed", C=C, break_ties=True).fit(kernel.fit_transform(train), y)
    gram = kernel.transform(mutag)
    ours = gr.KernelClassifier("wl", C=C, height=2).fit(train, y)
    assert ours.decision_function(mutag) == pytest.approx(theirs.decision_function(gram), abs=1e-9)
    assert np.array_equal(ours.predict(mutag), theirs.predict(gram))
    assert len(ours.graphs_) == len(theirs.support_)


@every_machine
@pytest.mark.parametrize("form", ["Dataset", "Graph", "networkx", "scipy", "numpy"])
def test_graphs_may_come_in_any_form(egos: gr.Dataset, form: str, linear: bool) -> None:
    graphs, y = in_every_form(egos)[form], egos.targets
    settings = {"height": 2, "linear": linear, "random_state": 0}
    expected = gr.KernelClassifier(**settings).fit(egos).decision_function(egos)
    model = gr.KernelClassifier(**settings).fit(graphs, y)
    assert np.array_equal(model.decision_function(graphs), expected)
    assert model.score(graphs, y) == model.score(egos) >= 0.9


@every_machine
@pytest.mark.parametrize(("first", "second"), [("no", "yes"), (-1, 1), ((0, 1), (1, 0))])
def test_classes_may_be_called_anything(
    egos: gr.Dataset, first: Any, second: Any, linear: bool
) -> None:
    y = [second if target else first for target in egos.targets]
    model = gr.KernelClassifier(C=100, linear=linear, random_state=0).fit(egos, y)
    assert model.classes_.tolist() == [first, second]
    assert model.predict(egos).tolist() == y
    assert model.score(egos, y) == 1


def test_a_selection_is_like_its_graphs_cut_out(mutag: gr.Dataset) -> None:
    train, test = np.arange(0, 180, 2), np.arange(1, 60, 2)
    shared, y = ArrayCache(), mutag.targets[train]
    one = gr.KernelClassifier(height=3).fit(Selection(mutag, train, shared), y)
    other = gr.KernelClassifier(height=3).fit(mutag[train], y)
    expected = other.decision_function(mutag[test])
    assert one.decision_function(Selection(mutag, test, shared)) == pytest.approx(expected)
    assert one.decision_function(mutag[test]) == pytest.approx(expected)


def test_a_gram_matrix_is_made_once_for_a_setting(mutag: gr.Dataset) -> None:
    class Counting(ArrayCache):
        made = 0

        def get(self, key: str, make: Any) -> Any:
            def counted() -> Any:
                self.made += 1
                return make()

            return super().get(key, counted)

    shared = Counting()
    folds = [Selection(mutag, np.arange(k, 188, 2), shared) for k in (0, 1)]
    for height in (1, 2):
        for C in (0.1, 1.0):  # noqa: N806
            model = gr.KernelClassifier(C=C, height=height)
            model.fit(folds[0], mutag.targets[folds[0].graphs]).predict(folds[1])
    assert shared.made == 2


def test_graphs_of_another_dataset_are_not_looked_up_in_the_shared_matrix(
    mutag: gr.Dataset,
) -> None:
    """The same numbers mean other graphs there."""
    shared, everyone = ArrayCache(), np.arange(188)
    backwards = mutag[everyone[::-1]]
    model = gr.KernelClassifier().fit(Selection(mutag, everyone, shared), mutag.targets)
    values = model.decision_function(Selection(backwards, everyone, ArrayCache()))
    assert values == pytest.approx(model.decision_function(mutag)[::-1])


def test_settings_of_the_kernel_are_settings() -> None:
    model = gr.KernelClassifier("ring-wl", height=3)
    assert model.get_params()["radius"] == 2
    assert model.get_params()["height"] == 3
    assert repr(gr.KernelClassifier(height=3)) == "KernelClassifier(height=3)"
    copied = clone(model).set_params(radius=1, C=10)
    assert (copied.get_params()["radius"], copied.C) == (1, 10)
    assert model.get_params()["radius"] == 2


def test_another_kernel_keeps_the_settings_that_it_has() -> None:
    model = clone(gr.KernelClassifier("ring-wl", height=3, radius=1)).set_params(kernel="wl")
    assert model.get_params()["height"] == 3
    assert "radius" not in model.get_params()


def test_a_grid_over_kernels_heights_and_penalties(egos: gr.Dataset) -> None:
    grid = [
        {"height": [0, 2], "C": [0.1, 10]},
        {"kernel": ["ring-wl"], "radius": [1, 2], "height": [1]},
    ]
    search = GridSearchCV(gr.KernelClassifier(), grid, cv=2).fit(list(egos), egos.targets)
    assert len(search.cv_results_["params"]) == 6
    assert search.best_score_ > 0.9
    scores = cross_val_score(gr.KernelClassifier(), list(egos), egos.targets, cv=StratifiedKFold(3))
    assert scores.mean() > 0.9


@every_machine
@pytest.mark.parametrize("n_classes", [2, 3])
def test_probabilities_on_request(mutag: gr.Dataset, linear: bool, n_classes: int) -> None:
    y = classes(mutag, n_classes)
    model = gr.KernelClassifier(linear=linear, random_state=0, height=1)
    assert not hasattr(model, "predict_proba")
    model.set_params(probability=True).fit(mutag, y)
    probabilities = model.predict_proba(mutag)
    assert probabilities.sum(axis=1) == pytest.approx(np.ones(188))
    assert log_loss(y, probabilities) < 0.8 * np.log(n_classes)
    again = clone(model).fit(mutag, y).predict_proba(mutag)
    assert np.array_equal(again, probabilities)


def test_probabilities_of_a_class_with_one_graph(egos: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="a class of one graph; probabilities need at least two"):
        gr.KernelClassifier(probability=True).fit(egos, [1] + [0] * 39)


def test_a_linear_machine_is_about_as_good(mutag: gr.Dataset) -> None:
    train, test = mutag[::2], mutag[1::2]
    linear = gr.KernelClassifier(height=1, linear=True, random_state=0).fit(train)
    assert linear.score(test) == pytest.approx(
        gr.KernelClassifier(C=10, height=1).fit(train).score(test), abs=0.1
    )


def test_many_graphs_have_a_linear_machine_and_it_is_said(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = gr.KernelClassifier(height=1, random_state=0).fit(mutag)
    assert exact.dual_coef_.shape[1] == len(exact.graphs_)
    monkeypatch.setattr(kernel_machine, "MOST_PAIRED", 187)
    with pytest.warns(SizeNote, match="^wl on 188 graphs: a linear machine on explicit features; "):
        chosen = gr.KernelClassifier(height=1, random_state=0).fit(mutag)
    asked = gr.KernelClassifier(height=1, random_state=0, linear=True).fit(mutag)
    assert np.array_equal(chosen.decision_function(mutag), asked.decision_function(mutag))
    again = gr.KernelClassifier(height=1, random_state=0, linear=False).fit(mutag)
    assert np.array_equal(again.decision_function(mutag), exact.decision_function(mutag))


@pytest.mark.parametrize("n_landmarks", [40, 15])
@pytest.mark.parametrize("kernel", ["random-walk", "wwl"])
def test_landmarks_stand_for_a_kernel_without_features(
    egos: gr.Dataset, tmp_path: Path, kernel: str, n_landmarks: int
) -> None:
    """With all graphs for landmarks, the machine is that on the whole Gram matrix."""
    model = gr.KernelClassifier(kernel, linear=True, n_landmarks=n_landmarks, random_state=0)
    model.fit(egos)
    assert len(model.graphs_) == n_landmarks
    assert model.score(egos) > 0.9
    model.save(tmp_path / "model")
    loaded = gr.load_model(tmp_path / "model")
    assert np.array_equal(loaded.decision_function(egos), model.decision_function(egos))
    if n_landmarks == 40:
        gram = build(kernel, normalize=True).fit_transform(egos)
        values, vectors = np.linalg.eigh(gram)
        kept = values > 1e-9
        rows = vectors[:, kept] * np.sqrt(values[kept])
        machine = LinearSVC(max_iter=10_000, random_state=0).fit(rows, egos.targets)
        expected = machine.decision_function(rows)
        assert model.decision_function(egos) == pytest.approx(expected, abs=1e-2)


def test_landmarks_know_what_a_kernel_learns_from_all_graphs(tmp_path: Path) -> None:
    """The graph with the highest degree sets the decay, whether it is a landmark or not."""
    graphs = gr.from_edges(
        [[(0, 1), (1, 2)]] * 20 + [[(0, k) for k in range(1, 12)]], [0] * 10 + [1] * 11
    )
    model = gr.KernelClassifier("random-walk", linear=True, n_landmarks=3, random_state=0)
    model.fit(graphs)
    assert model.graphs_.degrees.max() == 2
    assert model.settled_ == {"decay": 1e-3}
    model.save(tmp_path / "model")
    assert gr.load_model(tmp_path / "model").settled_ == {"decay": 1e-3}
    assert not hasattr(model.set_params(linear=False).fit(graphs), "settled_")


@pytest.mark.parametrize("settings", [{}, {"linear": True}, {"kernel": "wwl", "linear": True}])
def test_graphs_are_compared_in_chunks(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    model = gr.KernelClassifier(**settings, random_state=0).fit(mutag[:20])
    whole = model.decision_function(mutag)
    monkeypatch.setattr(kernel_machine, "AT_ONCE", 1)
    monkeypatch.setattr(kernel_machine, "MOST_COMPARED", 300)
    assert model.decision_function(mutag) == pytest.approx(whole, rel=1e-12)


def test_what_would_not_fit_is_refused_with_what_to_do_instead(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphrings.limits.memory_limit", lambda: 500_000)
    monkeypatch.setattr("graphrings.kernels.kernel.ASKED", 20)
    with pytest.raises(
        MemoryLimitError, match=r"a table of all pairs of 188 graphs .* linear = Tr"
    ):
        gr.KernelClassifier("wl").fit(mutag)
    with pytest.raises(
        MemoryLimitError, match=r"the features of 188 graphs would take about 1\.2 MB"
    ):
        gr.KernelClassifier("wl", linear=True).fit(mutag)
    gr.KernelClassifier("wl", height=1, linear=True).fit(mutag)
    many = mutag[np.arange(2_000) % 188]
    with pytest.raises(
        MemoryLimitError, match=r"2,000 graphs and 100 landmarks .* fewer landmarks"
    ):
        gr.KernelClassifier("random-walk", linear=True, n_landmarks=100).fit(many)


@every_machine
@pytest.mark.parametrize("n_classes", [2, 4])
def test_a_model_comes_back_from_a_file(
    mutag: gr.Dataset, tmp_path: Path, linear: bool, n_classes: int
) -> None:
    y = np.array(list("abcd"))[classes(mutag, n_classes)]
    model = gr.KernelClassifier(
        "ring-wl", radius=2, height=2, linear=linear, probability=True, random_state=0
    ).fit(mutag[:150], y[:150])
    model.save(tmp_path / "model")
    again = gr.KernelClassifier.load(tmp_path / "model")
    assert again.get_params() == model.get_params()
    assert again.classes_.tolist() == model.classes_.tolist()
    assert np.array_equal(again.decision_function(mutag), model.decision_function(mutag))
    assert np.array_equal(again.predict_proba(mutag), model.predict_proba(mutag))
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
    assert again.graphs_.targets is None


ELSEWHERE = """
import sys
import numpy as np
import graphrings as gr
model = gr.KernelClassifier.load(sys.argv[1])
np.save(sys.argv[2], model.decision_function(gr.load("MUTAG")))
"""


@pytest.mark.slow
def test_a_new_process_decides_the_same_bits(mutag: gr.Dataset, tmp_path: Path) -> None:
    model, path, output = gr.KernelClassifier().fit(mutag), tmp_path / "model", tmp_path / "x.npy"
    model.save(path)
    words = [sys.executable, "-W", "error", "-c", ELSEWHERE, str(path), str(output)]
    subprocess.run(words, check=True, env=os.environ)
    assert np.array_equal(np.load(output), model.decision_function(mutag))


def damage(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], None]) -> None:
    """Change a file as someone would who knows how to seal it again."""
    header, tensors = persistence.read(path)
    change(header, tensors)
    sealed = header | {"sha256": persistence.checksum(header, tensors)}
    save_file(tensors, path, {persistence.KEY: json.dumps(sealed)})


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda _, t: t["indices"].__iadd__(10_000), "its graphs: "),
        (lambda _, t: t["graph_ptr"].__imul__(2), "its graphs: "),
        (lambda _, t: t["node_labels"].__isub__(3), "its graphs: "),
        (
            lambda _, t: t["columns_"].__iadd__(1),
            "its coefficients do not fit its targets and graphs",
        ),
        (
            lambda h, _: h["coding"]["names"].append(7),
            "its coefficients do not fit its targets and graphs",
        ),
        (lambda h, _: h["settings"].update(kernel="x"), "kernel = 'x'; expected one of"),
        (lambda _, t: t.pop("intercept_"), "has no attribute 'intercept_'"),
    ],
)
def test_a_file_that_does_not_fit_together(
    mutag: gr.Dataset, tmp_path: Path, change: Any, reason: str
) -> None:
    gr.KernelClassifier(height=1).fit(mutag).save(tmp_path / "model")
    damage(tmp_path / "model", change)
    with pytest.raises(ModelError) as caught:
        gr.KernelClassifier.load(tmp_path / "model")
    assert str(caught.value).startswith(f"{tmp_path}/model: the model is damaged (")
    assert reason in str(caught.value)


def test_a_file_of_another_estimator(egos: gr.Dataset, tmp_path: Path) -> None:
    gr.KernelClassifier().fit(egos).save(tmp_path / "model")
    with pytest.raises(ModelError, match="a model of KernelClassifier; expected PGCClassifier"):
        gr.PGCClassifier.load(tmp_path / "model")
    damage(tmp_path / "model", lambda h, _: h.update(estimator="DGCNNClassifier"))
    with pytest.raises(ModelError, match="a model of DGCNNClassifier; expected KernelClassifier"):
        gr.KernelClassifier.load(tmp_path / "model")


def test_a_pickled_model_decides_the_same(mutag: gr.Dataset) -> None:
    whole = Selection(mutag, np.arange(188), ArrayCache())
    model = gr.KernelClassifier().fit(whole, mutag.targets)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert again.decision_function(mutag) == pytest.approx(model.decision_function(mutag))
    assert again._fold is None


def test_a_prediction_changes_nothing(mutag: gr.Dataset) -> None:
    model = gr.KernelClassifier().fit(mutag)
    before = dict(vars(model))
    model.predict(mutag)
    assert all(vars(model)[name] is value for name, value in before.items())
    assert vars(model).keys() == before.keys()


def test_a_clone_has_the_settings_and_nothing_learned(egos: gr.Dataset) -> None:
    model = gr.KernelClassifier(height=2)
    assert model.fit(egos) is model
    copied = clone(model)
    assert is_classifier(copied)
    assert copied.get_params() == model.get_params()
    with pytest.raises(NotFittedError):
        copied.predict(egos)


def test_a_label_never_seen_matches_nothing(mutag: gr.Dataset) -> None:
    strange = nx.path_graph(3)
    nx.set_node_attributes(strange, "Xx", "label")
    model = gr.KernelClassifier().fit(mutag)
    assert model.decision_function([strange]) == pytest.approx(model.intercept_)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_protocol_judges_it_by_its_decisions(mutag: gr.Dataset, n_classes: int) -> None:
    y, shared = classes(mutag, n_classes), ArrayCache()
    whole = Selection(mutag, np.arange(188), shared)
    model = gr.KernelClassifier(height=1).fit(whole, y)
    predictions = CLASSIFICATION.predictions(model, whole, np.arange(188), y, n_classes)
    scores = score_predictions(predictions, "classification")
    assert scores["accuracy"] == model.score(mutag, y) > 0.6
    assert "log_loss" not in scores
    assert ("auroc" in scores) == (n_classes == 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"C": 0}, "C = 0; expected a number above 0"),
        ({"C": "1"}, "C = '1'; expected a number above 0"),
        ({"linear": 1}, "linear = 1; expected auto, True or False"),
        ({"probability": None}, "probability = None; expected True or False"),
        ({"normalize": 0}, "normalize = 0; expected True or False"),
        ({"height": -1}, "height = -1; expected a whole number, 0 or larger"),
        (
            {"radius": 2},
            "wl has no setting 'radius'; it has kernel, C, normalize, linear, n_landmarks, "
            "kernel_seed, random_state, probability, calibrate, height",
        ),
    ],
)
def test_settings_that_make_no_sense(
    egos: gr.Dataset, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        gr.KernelClassifier(**settings).fit(egos)
    assert str(caught.value) == message


def test_an_unknown_kernel(egos: gr.Dataset) -> None:
    with pytest.raises(
        SettingError, match="kernel = 'subtree'; expected one of wl, wl-oa, wwl, ring-w"
    ):
        gr.KernelClassifier("subtree").fit(egos)


def test_one_class_is_not_enough(egos: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="all graphs are of class 'x'; expected at least two"):
        gr.KernelClassifier().fit(egos, ["x"] * 40)


def test_labels_that_are_missing_later(mutag: gr.Dataset) -> None:
    model = gr.KernelClassifier().fit(mutag)
    with pytest.raises(DatasetError, match="graphs with no node labels; the kernel was fitted to"):
        model.predict([nx.path_graph(3)])


def test_many_landmarks_are_announced(egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their matrix is taken apart, which goes with their cube."""
    monkeypatch.setitem(STEPS_A_SECOND, "landmarks, cubed", 20**3 / SLOW)
    gr.KernelClassifier("random-walk", linear=True, n_landmarks=20).fit(egos)
    told = r"^a table of 40 graphs and 22 landmarks may take about 80 s; take fewer landmarks"
    with pytest.warns(TimeNote, match=told):
        gr.KernelClassifier("random-walk", linear=True, n_landmarks=22).fit(egos)
