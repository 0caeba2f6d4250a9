import warnings
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import DatasetError, UnseenLabelWarning
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.networks.views import RingMeans

TINY: dict[str, Any] = {"channels": (4, 1), "max_epochs": 3, "random_state": 0}
CLASSIFIERS = [
    gr.PGCClassifier(radius=1, **TINY),
    gr.PGCClassifier(radius=2, features="label", **TINY),
    gr.DGCNNClassifier(**TINY),
]


@pytest.fixture(scope="module")
def mutag() -> gr.Dataset:
    return gr.load("MUTAG")


def test_selected_graphs_can_be_cut_out(mutag: gr.Dataset) -> None:
    chosen = Selection(mutag, np.array([5, 2, 9]), ArrayCache())
    assert len(chosen) == 3
    assert chosen.cut_out().fingerprint == mutag[[5, 2, 9]].fingerprint
    assert Selection(mutag, np.arange(len(mutag)), ArrayCache()).cut_out() is mutag


@pytest.mark.parametrize("classifier", CLASSIFIERS, ids=repr)
def test_a_selection_trains_and_predicts_like_the_cut_out_graphs(
    mutag: gr.Dataset, classifier: Any
) -> None:
    """Training holds the lighter half of the labels: the others have some that it never saw."""
    rare = np.array([graph.node_labels.max() >= 3 for graph in mutag])
    training, rest = np.flatnonzero(~rare), np.flatnonzero(rare)
    assert mutag[rest].node_labels.max() > mutag[training].node_labels.max()
    cache, targets = ArrayCache(), mutag.targets
    parts = [Selection(mutag, part, cache) for part in (training, rest[::2], rest[1::2])]
    cut = [part.cut_out() for part in parts]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        selected, expected = (
            fitted(classifier, sides, [targets[p.graphs] for p in parts]) for sides in (parts, cut)
        )
        ours, theirs = selected.predict_proba(parts[2]), expected.predict_proba(cut[2])
    assert selected.features_ == expected.features_
    assert selected.k_ == expected.k_
    np.testing.assert_allclose(ours, theirs, atol=1e-5)


def fitted(classifier: Any, sides: list[Any], targets: list[Any]) -> Any:
    from sklearn.base import clone

    return clone(classifier).fit(sides[0], targets[0], validation=(sides[1], targets[1]))


def test_structure_is_computed_once_for_all_selections(
    mutag: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []
    look = RingMeans.__call__
    monkeypatch.setattr(RingMeans, "__call__", lambda *words: calls.append(1) or look(*words))
    cache, targets = ArrayCache(), mutag.targets
    for start in (0, 50, 100):
        chosen = Selection(mutag, np.arange(start, start + 40), cache)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnseenLabelWarning)
            gr.PGCClassifier(radius=1, **TINY).fit(chosen, targets[chosen.graphs]).predict(chosen)
    assert len(calls) == 1


@pytest.mark.parametrize("graphs", [[188], [-1], [0.5], [[0]], ["a"], [2**40]])
def test_a_selection_of_graphs_that_are_not_there_is_refused(graphs: list[int]) -> None:
    with pytest.raises(DatasetError, match="MUTAG: a selection of graphs that are not of 0 to 187"):
        Selection(gr.load("MUTAG"), np.array(graphs), ArrayCache())


def test_a_selection_is_one_of_a_dataset() -> None:
    with pytest.raises(DatasetError, match="a selection of a list with a ArrayCache; expected a D"):
        Selection([1, 2], np.arange(2), ArrayCache())  # type: ignore[arg-type]
