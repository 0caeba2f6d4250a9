"""What every registered kernel promises."""

from pathlib import Path
from typing import Any, Literal

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import graphrings as gr
from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.kernels.kernel import Kernel
from graphrings.kernels.names import KERNELS, build, kernel_settings
from graphrings.methods import METHODS
from strategies import datasets, shuffled

BLIND = {"graphlet", "deep-graphlet"}  # to node labels
FARTHEST = {"wwl": np.exp(-1)}  # what a kernel of a distance falls to
KINDS = (int, float, bool, str, Any, float | None, float | Literal["auto", "largest"])
every_kernel = pytest.mark.parametrize("name", KERNELS)
few = settings(max_examples=20)


def close(ours: Any, expected: Any) -> bool:
    """Whether matrices agree up to rounding, on the scale of their largest entry."""
    scale = max(1.0, float(np.abs(expected).max(initial=0)))
    return np.shape(ours) == np.shape(expected) and np.allclose(ours, expected, atol=1e-9 * scale)


def with_features() -> list[str]:
    return [name for name in KERNELS if hasattr(build(name), "features")]


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(24, n_nodes=(4, 9))


@pytest.fixture(scope="module")
def odd_ones() -> gr.Dataset:
    """One node, nodes without edges, two parts, and a path."""
    graphs = [
        nx.empty_graph(1),
        nx.empty_graph(3),
        nx.disjoint_union(nx.path_graph(2), nx.star_graph(3)),
    ]
    return gr.from_networkx([*graphs, nx.path_graph(4)])


@every_kernel
@given(dataset=datasets())
@few
def test_it_is_symmetric_and_positive_semi_definite(name: str, dataset: gr.Dataset) -> None:
    gram = build(name).fit_transform(dataset)
    assert close(gram, gram.T)
    assert np.linalg.eigvalsh((gram + gram.T) / 2).min() >= -1e-9 * max(1.0, gram.max())


@every_kernel
@given(dataset=datasets(), seed=st.integers(0, 99))
@few
def test_names_of_nodes_mean_nothing(name: str, dataset: gr.Dataset, seed: int) -> None:
    again, _ = shuffled(dataset, seed)
    assert close(build(name).fit_transform(again), build(name).fit_transform(dataset))


@every_kernel
@given(dataset=datasets(), seed=st.integers(0, 99))
@few
def test_the_order_of_graphs_means_nothing(name: str, dataset: gr.Dataset, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(len(dataset))
    expected = build(name).fit_transform(dataset)[np.ix_(order, order)]
    assert close(build(name).fit_transform(dataset[order]), expected)


@every_kernel
@given(dataset=datasets())
@few
def test_a_normalised_graph_is_one_like_itself(name: str, dataset: gr.Dataset) -> None:
    kernel = build(name, normalize=True)
    gram = kernel.fit_transform(dataset)
    assert close(np.diag(gram), np.ones(len(dataset)))
    assert np.abs(gram).max() <= 1 + 1e-9
    assert close(kernel.transform(dataset), gram)


@every_kernel
@pytest.mark.parametrize("normalize", [False, True])
@given(dataset=datasets())
@few
def test_others_are_compared_as_among_all(name: str, normalize: bool, dataset: gr.Dataset) -> None:
    """What a kernel learns, it learns from the fitted graphs, which are all here."""
    kernel, half = build(name, normalize=normalize), (len(dataset) + 1) // 2
    if kernel.learns:
        among_all, fitted, others = kernel.fit_transform(dataset), dataset, dataset
    else:
        among_all = kernel.fit_transform(dataset)[half:, :half]
        fitted, others = dataset[:half], dataset[half:]
    if len(others):
        assert close(kernel.fit(fitted).transform(others), among_all)


@pytest.mark.parametrize("name", with_features())
@pytest.mark.parametrize("normalize", [False, True])
def test_features_multiply_to_the_kernel(name: str, normalize: bool, molecules: gr.Dataset) -> None:
    kernel = build(name, normalize=normalize)
    gram = kernel.fit_transform(molecules[:16])
    known, others = kernel.features(), kernel.features(molecules[16:])
    assert close(dense(known @ known.T), gram)
    assert known.shape[1] == others.shape[1]
    assert close(dense(others @ known.T), kernel.transform(molecules[16:]))


def dense(matrix: Any) -> np.ndarray:
    return matrix if isinstance(matrix, np.ndarray) else matrix.toarray()


@every_kernel
def test_labels_that_nobody_had_match_nothing(name: str, molecules: gr.Dataset) -> None:
    strange = [nx.path_graph(4), nx.cycle_graph(5)]
    for graph in strange:
        nx.set_node_attributes(graph, "Xx", "label")
    kernel = build(name).fit(molecules)
    gram = kernel.transform(strange)
    assert gram.shape == (2, len(molecules))
    assert np.isfinite(gram).all()
    if name not in BLIND:
        assert gram == pytest.approx(FARTHEST.get(name, 0.0))


@every_kernel
@pytest.mark.parametrize("normalize", [False, True])
def test_graphs_without_labels_and_without_edges(
    name: str, normalize: bool, odd_ones: gr.Dataset
) -> None:
    kernel = build(name, normalize=normalize)
    gram = kernel.fit_transform(odd_ones)
    assert np.isfinite(gram).all()
    assert close(kernel.transform(odd_ones), gram)
    for i in range(len(odd_ones)):
        assert np.isfinite(kernel.fit_transform(odd_ones[[i]])).all()


@every_kernel
def test_some_with_labels_and_some_without_do_not_mix(
    name: str, molecules: gr.Dataset, odd_ones: gr.Dataset
) -> None:
    with pytest.raises(DatasetError, match="graphs with no node labels; the kernel was fitted to"):
        build(name).fit(molecules).transform(odd_ones)
    with pytest.raises(DatasetError, match="graphs with node labels; the kernel was fitted to"):
        build(name).fit(odd_ones).transform(molecules)


@every_kernel
def test_graphs_may_come_in_any_form(name: str, odd_ones: gr.Dataset) -> None:
    expected = build(name).fit_transform(odd_ones)
    networks = [as_network(graph) for graph in odd_ones]
    whole = Selection(odd_ones, np.arange(len(odd_ones)), ArrayCache())
    for graphs in (list(odd_ones), networks, whole):
        assert close(build(name).fit_transform(graphs), expected)


def as_network(graph: gr.Graph) -> nx.Graph:
    network = nx.empty_graph(graph.n_nodes)
    network.add_edges_from(graph.edges.tolist())
    return network


@every_kernel
def test_a_kernel_can_be_made_again(name: str, molecules: gr.Dataset) -> None:
    draws = "random_state" in kernel_settings(name)
    kernel = build(name, **({"random_state": 0} if draws else {}))
    first = kernel.fit_transform(molecules)
    copied = clone(kernel)
    assert copied.get_params() == kernel.get_params()
    assert not hasattr(copied, "graphs_")
    assert np.array_equal(copied.fit_transform(molecules), first)
    assert isinstance(kernel, Kernel)


@every_kernel
def test_what_learns_says_so(name: str, molecules: gr.Dataset) -> None:
    kernel = build(name).fit(molecules)
    learned = {key for key in vars(kernel) if key.endswith("_")} - {"graphs_", "seed_"}
    assert kernel.learns == bool(learned)


@every_kernel
def test_nothing_is_compared_before_a_fit(name: str, molecules: gr.Dataset) -> None:
    with pytest.raises(NotFittedError):
        build(name).transform(molecules)


@every_kernel
def test_settings_mean_the_same_everywhere(name: str) -> None:
    """All kernels can be normalised; heights are whole numbers, also 0; seeds have a default."""
    known = kernel_settings(name)
    assert known["normalize"].default is False
    if "height" in known:
        with pytest.raises(SettingError, match="height = -1; expected a whole number, 0 or larger"):
            build(name, height=-1).fit([nx.path_graph(2)])
        build(name, height=0).fit([nx.path_graph(2)])
    if "random_state" in known:
        assert known["random_state"].default in (0, None)
    with pytest.raises(SettingError, match="normalize = 'no'; expected True or False"):
        build(name, normalize="no").fit([nx.path_graph(2)])


@every_kernel
def test_every_setting_is_described(name: str) -> None:
    """Whatever a kernel takes has a meaning, and a default that its own check allows."""
    parameters = build(name).get_params(deep=False)
    for key, setting in kernel_settings(name).items():
        assert setting.meaning
        assert setting.allowed
        assert setting.default == parameters[key]
        assert setting.check(setting.default)
        assert setting.type in KINDS
    assert set(parameters) == {*kernel_settings(name), *KERNELS[name].fixed}


@every_kernel
def test_a_pipeline_of_scikit_learn(name: str, molecules: gr.Dataset) -> None:
    steps = build(name, normalize=True), SVC(kernel="precomputed")
    pipeline = make_pipeline(*steps).fit(molecules, molecules.targets)
    ours = gr.KernelClassifier(name).fit(molecules, molecules.targets)
    assert pipeline.predict(molecules).tolist() == ours.predict(molecules).tolist()
    search = GridSearchCV(pipeline, {"svc__C": [0.1, 10]}, cv=2)
    search.fit(list(molecules), molecules.targets)
    assert search.best_params_["svc__C"] in (0.1, 10)


@pytest.mark.parametrize("name", [name for name in KERNELS if not build(name).learns])
def test_folds_share_one_gram_matrix(name: str, molecules: gr.Dataset, tmp_path: Path) -> None:
    train, test = np.arange(0, 24, 2), np.arange(1, 24, 2)
    here, there = (Selection(molecules, part, ArrayCache(tmp_path)) for part in (train, test))
    model = gr.KernelClassifier(name).fit(here, molecules.targets[train])
    model.fit(there, molecules.targets[test])
    assert len(list(tmp_path.glob("*/gram.npy"))) == 1
    cut_out = model.decision_function(here)
    assert cut_out == pytest.approx(model.decision_function(molecules[train]), abs=1e-9)


@every_kernel
@pytest.mark.parametrize("settings", [{"C": 1.0}, {"C": 10.0, "normalize": False}])
def test_a_fold_gives_what_its_training_graphs_alone_give(
    name: str, settings: dict[str, Any], molecules: gr.Dataset
) -> None:
    """Whatever the test graphs look like: here they have a star whose degree nobody else has."""
    name_of = molecules.label_names[0]
    (star,) = gr.from_edges([[(0, leaf) for leaf in range(1, 8)]], node_labels=[[name_of] * 8])
    graphs = gr.from_graphs([*molecules, star])
    goals = np.append(molecules.targets, 0)
    cache = ArrayCache()
    train, test = np.arange(0, 24, 2), np.append(np.arange(1, 24, 2), 24)
    here, there = (Selection(graphs, part, cache) for part in (train, test))
    alone = gr.KernelClassifier(name, **settings).fit(graphs[train], goals[train])
    for _ in range(2):  # the second one finds what the first has made
        ours = gr.KernelClassifier(name, **settings).fit(here, goals[train])
        assert np.array_equal(ours.columns_, alone.columns_)
        assert close(ours.decision_function(there), alone.decision_function(graphs[test]))
        assert close(ours.decision_function(here), alone.decision_function(graphs[train]))
        assert len(ours.graphs_) == len(alone.graphs_)


@every_kernel
def test_a_saved_classifier_decides_the_same(
    name: str, molecules: gr.Dataset, tmp_path: Path
) -> None:
    model = gr.KernelClassifier(name).fit(molecules)
    model.save(tmp_path / "model")
    again = gr.KernelClassifier.load(tmp_path / "model")
    assert np.array_equal(again.decision_function(molecules), model.decision_function(molecules))


@every_kernel
def test_it_is_a_method_of_the_protocol(name: str) -> None:
    assert METHODS[name].build({}, 3).kernel == name
