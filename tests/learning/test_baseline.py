import pickle
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.neural_network import MLPClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import graphrings as gr
from graphrings.errors import DatasetError, SettingError, UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from learning.test_classifier import in_every_form
from learning.test_scikit_learn import CHECKS

every_kind = pytest.mark.parametrize("kind", ["counts", "shares"])
every_model = pytest.mark.parametrize("model", ["linear", "mlp"])


@pytest.fixture(scope="session")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


def by_hand(dataset: gr.Dataset, kind: str) -> np.ndarray:
    """The rows, counted node by node: one column per label or degree, then the size."""
    words = []
    for graph in dataset:
        degrees = [len(graph.neighbours(v)) for v in range(graph.n_nodes)]
        words.append(Counter(degrees if graph.node_labels is None else graph.node_labels.tolist()))
    columns = sorted(set().union(*words))
    counts = np.array([[counter[word] for word in columns] for counter in words], dtype=float)
    sizes = counts.sum(axis=1, keepdims=True)
    return np.hstack([counts if kind == "counts" else counts / sizes, np.log(sizes)])


def scikit_learn(model: str) -> Any:
    if model == "mlp":
        return MLPClassifier((4,), alpha=10, max_iter=1000, random_state=3)
    return LogisticRegression(C=0.1, max_iter=1000)


@every_kind
@every_model
@pytest.mark.parametrize("name", ["mutag", "egos"])
def test_it_is_a_histogram_and_a_model_of_scikit_learn(
    request: pytest.FixtureRequest, name: str, kind: str, model: str
) -> None:
    dataset = request.getfixturevalue(name)
    rows = by_hand(dataset, kind)
    theirs = make_pipeline(StandardScaler(), scikit_learn(model)).fit(rows, dataset.targets)
    ours = gr.BaselineClassifier(kind=kind, model=model, C=0.1, hidden=4, random_state=3).fit(
        dataset
    )
    assert ours.predict_proba(dataset) == pytest.approx(theirs.predict_proba(rows), abs=1e-9)
    assert ours.score(dataset) == theirs.score(rows, dataset.targets)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_checks_of_scikit_learn_pass(check: Callable[[str, Any], None]) -> None:
    check("BaselineClassifier", gr.BaselineClassifier())


@every_kind
def test_structure_is_not_seen(kind: str) -> None:
    """A path and a star of the same labels look the same."""
    graphs = [nx.path_graph(4), nx.star_graph(3), nx.path_graph(2), nx.path_graph(3)]
    for graph in graphs:
        nx.set_node_attributes(graph, "C", "label")
    probabilities = gr.BaselineClassifier(kind=kind).fit(graphs, [0, 1, 0, 1]).predict_proba(graphs)
    assert probabilities[0].tolist() == probabilities[1].tolist()


def test_shares_forget_the_counts() -> None:
    """Only the column of the size tells one graph from two copies of it."""
    one, two = nx.path_graph(2), nx.path_graph(2)
    nx.set_node_attributes(one, {0: "C", 1: "O"}, "label")
    nx.set_node_attributes(two, "C", "label")
    graphs = [one, two, nx.disjoint_union(one, one), nx.disjoint_union(two, two)]
    y = [0, 1, 0, 1]
    rows = {kind: gr.BaselineClassifier(kind=kind).fit(graphs, y) for kind in ("counts", "shares")}
    selection = Selection(gr.from_networkx(graphs, y, "label"), np.arange(4), ArrayCache())
    assert rows["counts"]._rows(selection)[:, :-1].tolist() == [[1, 1], [2, 0], [2, 2], [4, 0]]
    halves = [[0.5, 0.5], [1, 0], [0.5, 0.5], [1, 0]]
    assert rows["shares"]._rows(selection)[:, :-1].tolist() == halves
    assert np.exp(rows["shares"]._rows(selection)[:, -1]) == pytest.approx([2, 2, 4, 4])


@pytest.mark.parametrize("form", ["Dataset", "Graph", "networkx", "scipy", "numpy"])
def test_graphs_may_come_in_any_form(egos: gr.Dataset, form: str) -> None:
    graphs, y = in_every_form(egos)[form], egos.targets
    expected = gr.BaselineClassifier().fit(egos).predict_proba(egos)
    model = gr.BaselineClassifier().fit(graphs, y)
    assert np.array_equal(model.predict_proba(graphs), expected)
    assert model.score(graphs, y) == model.score(egos) >= 0.9


@every_kind
def test_a_selection_is_like_its_graphs_cut_out(mutag: gr.Dataset, kind: str) -> None:
    numbers = np.arange(0, 180, 2)
    chosen = Selection(mutag, numbers, ArrayCache())
    one = gr.BaselineClassifier(kind=kind).fit(chosen, mutag.targets[numbers])
    other = gr.BaselineClassifier(kind=kind).fit(mutag[numbers], mutag.targets[numbers])
    assert np.array_equal(one.predict_proba(chosen), other.predict_proba(mutag[numbers]))
    assert one.words_ == other.words_


@pytest.mark.parametrize(("first", "second"), [("no", "yes"), (-1, 1), ((0, 1), (1, 0))])
def test_classes_may_be_called_anything(egos: gr.Dataset, first: Any, second: Any) -> None:
    y = [second if target else first for target in egos.targets]
    model = gr.BaselineClassifier(C=100).fit(egos, y)
    assert model.classes_.tolist() == [first, second]
    assert model.predict(egos).tolist() == y
    assert model.score(egos, y) == 1


def test_a_dataset_brings_its_classes_by_name(mutag: gr.Dataset) -> None:
    model = gr.BaselineClassifier().fit(mutag)
    assert model.classes_.tolist() == list(mutag.class_names)
    assert 0.75 < model.score(mutag) < 1
    assert model.predict_proba(mutag).sum(axis=1) == pytest.approx(np.ones(188))


def test_validation_graphs_change_nothing(egos: gr.Dataset) -> None:
    one = gr.BaselineClassifier().fit(egos[:30], validation=egos[30:])
    other = gr.BaselineClassifier().fit(egos[:30])
    assert np.array_equal(one.predict_proba(egos), other.predict_proba(egos))


def test_a_label_never_seen_is_not_counted_and_warned_of_once() -> None:
    known, strange = nx.path_graph(2), nx.path_graph(4)
    nx.set_node_attributes(known, {0: "C", 1: "O"}, "label")
    nx.set_node_attributes(strange, {0: "C", 1: "Xx", 2: "Xx", 3: "Yy"}, "label")
    other = nx.empty_graph(1)
    nx.set_node_attributes(other, "C", "label")
    model = gr.BaselineClassifier().fit([known, other], [0, 1])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.predict([strange])
    assert [w.category for w in caught] == [UnseenLabelWarning]
    assert str(caught[0].message) == (
        "graphs: 3 nodes have a label that training never saw; they are not counted"
    )
    selection = Selection(gr.from_networkx([strange], [0], "label"), np.arange(1), ArrayCache())
    with pytest.warns(UnseenLabelWarning):
        assert model._rows(selection)[0, :-1].tolist() == [1, 0]


def test_labels_go_by_name(mutag: gr.Dataset) -> None:
    """A graph with fewer labels numbers them otherwise."""
    model = gr.BaselineClassifier().fit(mutag)
    alone = gr.from_graphs([mutag[5]])
    assert np.array_equal(model.predict_proba(alone), model.predict_proba(mutag[[5]]))


def test_a_degree_never_seen_counts_as_the_nearest() -> None:
    model = gr.BaselineClassifier().fit([nx.path_graph(3), nx.path_graph(2)], [0, 1])
    star = Selection(gr.from_networkx([nx.star_graph(5)]), np.arange(1), ArrayCache())
    assert model.words_ == [1, 2]
    assert model._rows(star)[0, :-1].tolist() == [5, 1]


def test_degrees_are_capped() -> None:
    model = gr.BaselineClassifier().fit([nx.star_graph(150), nx.star_graph(101)], [0, 1])
    assert model.words_ == [1, 100]


@every_model
def test_a_fit_can_be_made_again(mutag: gr.Dataset, model: str) -> None:
    estimator = gr.BaselineClassifier(model=model, hidden=4, random_state=5)
    first = estimator.fit(mutag).predict_proba(mutag)
    assert np.array_equal(clone(estimator).fit(mutag).predict_proba(mutag), first)
    again = pickle.loads(pickle.dumps(estimator))  # noqa: S301
    assert np.array_equal(again.predict_proba(mutag), first)


def test_another_seed_gives_another_network(mutag: gr.Dataset) -> None:
    one, other = (
        gr.BaselineClassifier(model="mlp", hidden=4, random_state=seed).fit(mutag)
        for seed in (0, 1)
    )
    assert not np.array_equal(one.predict_proba(mutag), other.predict_proba(mutag))


def test_a_clone_has_the_settings_and_nothing_learned(egos: gr.Dataset) -> None:
    model = gr.BaselineClassifier(kind="shares", C=3.0)
    assert model.fit(egos) is model
    copied = clone(model)
    assert is_classifier(copied)
    assert copied.get_params() == model.get_params()
    assert not hasattr(copied, "model_")


def test_cross_validation_and_a_grid_search(egos: gr.Dataset) -> None:
    scores = cross_val_score(
        gr.BaselineClassifier(), list(egos), egos.targets, cv=StratifiedKFold(3)
    )
    assert scores.mean() > 0.8
    search = GridSearchCV(gr.BaselineClassifier(), {"C": [0.1, 10]}, cv=2).fit(egos, egos.targets)
    assert search.best_params_["C"] in (0.1, 10)


def test_nothing_is_predicted_before_a_fit(egos: gr.Dataset) -> None:
    with pytest.raises(NotFittedError):
        gr.BaselineClassifier().predict(egos)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "sum"}, "kind = 'sum'; expected counts or shares"),
        ({"model": "svm"}, "model = 'svm'; expected linear or mlp"),
        ({"C": 0}, "C = 0; expected a number above 0"),
        ({"C": "1"}, "C = '1'; expected a number above 0"),
        ({"hidden": 2.5}, "hidden = 2.5; expected a whole number above 0"),
    ],
)
def test_settings_that_make_no_sense(
    egos: gr.Dataset, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        gr.BaselineClassifier(**settings).fit(egos)
    assert str(caught.value) == message


def test_one_class_is_not_enough(egos: gr.Dataset) -> None:
    with pytest.raises(DatasetError, match="all graphs are of class 'x'; expected at least two"):
        gr.BaselineClassifier().fit(egos, ["x"] * 40)


def test_labels_that_are_missing_later(mutag: gr.Dataset) -> None:
    model = gr.BaselineClassifier().fit(mutag)
    with pytest.raises(DatasetError, match="nodes without labels; training had labels"):
        model.predict([nx.path_graph(3)])
