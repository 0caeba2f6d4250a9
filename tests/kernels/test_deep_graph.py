import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
import strategies
from graphrings.errors import SettingError
from graphrings.kernels.deep_graph import DeepGraph, co_occurrences, tabulated
from graphrings.kernels.weisfeiler_lehman import colours_by_round


def slow(dataset: gr.Dataset, height: int, window: int, negative: int) -> np.ndarray:
    """The kernel with all dimensions, from the whole matrix over all subtrees."""
    rounds = colours_by_round(dataset, 1, height)
    words = [(t, c) for t, colours in enumerate(rounds) for c in sorted(set(colours.tolist()))]
    everyone = range(len(dataset))
    counts = np.array(
        [[np.sum(rounds[t][dataset.owner == g] == c) for t, c in words] for g in everyone]
    )
    near = np.array([[abs(t - s) <= window for s, _ in words] for t, _ in words])
    pairs = near * (counts.T @ counts)
    single = pairs.sum(axis=1)
    with np.errstate(divide="ignore"):
        company = np.log(pairs * pairs.sum() / np.outer(single, single) / negative)
    left, strength, _ = np.linalg.svd(np.maximum(0, company))
    embedded = counts @ left @ np.diag(np.sqrt(strength))
    return embedded @ embedded.T


@settings(max_examples=40)
@given(dataset=strategies.datasets(), window=st.integers(0, 2), negative=st.sampled_from([1, 1, 2]))
def test_it_is_the_kernel_of_the_equations(dataset: gr.Dataset, window: int, negative: int) -> None:
    kernel = DeepGraph(height=2, dimension=500, window=window, negative=negative)
    wanted = slow(dataset, 2, window, negative)
    assert kernel.fit_transform(dataset) == pytest.approx(wanted, abs=1e-8)


def test_two_labels_that_never_meet_by_hand() -> None:
    """Four occurrences of a and of b: a meets a 4 times of 8, by chance 2 times, so log 2."""
    graphs = gr.from_edges([[], []], node_labels=[["a", "a"], ["b", "b"]])
    gram = DeepGraph(height=0).fit_transform(graphs)
    assert gram == pytest.approx(np.log(2) * np.diag([4, 4]))
    assert DeepGraph(height=0, negative=2).fit_transform(graphs).tolist() == [[0, 0], [0, 0]]


def test_labels_in_the_same_company_are_alike() -> None:
    """B and c never meet, but both meet a alone; d meets e."""
    names = [["a", "b"], ["a", "c"], ["d", "e"]]
    kernel = DeepGraph(height=0, dimension=2, normalize=True)
    gram = kernel.fit_transform(gr.from_edges([[], [], []], node_labels=names))
    assert gram[0, 1] > 0.9
    assert gram[0, 2] == pytest.approx(0)


def test_pairs_are_counted_within_a_window_of_rounds() -> None:
    graphs = gr.load("MUTAG")[:5]
    tables = tabulated(DeepGraph(height=2).counted(graphs), np.arange(5))
    sizes = graphs.sizes.astype(float)
    per_pair_of_rounds = (sizes**2).sum()
    assert co_occurrences(tables, 0).sum() == 3 * per_pair_of_rounds
    assert co_occurrences(tables, 1).sum() == 7 * per_pair_of_rounds
    assert co_occurrences(tables, 2).sum() == 9 * per_pair_of_rounds


def test_substructures_that_were_not_fitted_match_nothing() -> None:
    known = gr.from_edges([[], []], node_labels=[["b", "b"], ["c", "c"]])
    new = gr.from_edges([[], []], node_labels=[["a", "b"], ["a", "d"]])
    kernel = DeepGraph(height=0).fit(known)
    assert kernel.transform(new) == pytest.approx(np.log(2) * np.array([[2, 0], [0, 0]]))


def test_the_features_multiply_to_the_kernel() -> None:
    graphs = gr.load("MUTAG")
    kernel = DeepGraph(dimension=10).fit(graphs[:100])
    assert kernel.features().shape == (100, 10)
    new = kernel.features(graphs[100:])
    assert new @ kernel.features().T == pytest.approx(kernel.transform(graphs[100:]))


def test_the_start_of_the_iteration_does_not_show() -> None:
    """MUTAG's subtrees of five rounds are too many to be decomposed as a whole."""
    graphs = gr.load("MUTAG")
    grams = [DeepGraph(random_state=seed).fit_transform(graphs) for seed in (0, 0, 1)]
    assert np.array_equal(grams[0], grams[1])
    assert grams[0] == pytest.approx(grams[2], rel=1e-6, abs=1e-6)


@settings(max_examples=40)
@given(dataset=strategies.datasets(), seed=st.integers(0, 99))
def test_neither_the_numbers_of_nodes_nor_the_order_of_graphs_matter(
    dataset: gr.Dataset, seed: int
) -> None:
    kernel = DeepGraph(height=2)
    gram = kernel.fit_transform(dataset)
    same = kernel.fit_transform(strategies.shuffled(dataset, seed)[0])
    assert same == pytest.approx(gram, abs=1e-8)
    order = np.random.default_rng(seed).permutation(len(dataset))
    turned = kernel.fit_transform(dataset[order])
    assert turned == pytest.approx(gram[np.ix_(order, order)], abs=1e-8)
    assert np.diag(DeepGraph(height=2, normalize=True).fit_transform(dataset)) == pytest.approx(1)


@pytest.mark.parametrize("base", ["graphlet", "shortest-path"])
def test_other_bases_have_one_context_a_graph(base: str) -> None:
    graphs = [nx.complete_graph(4), nx.path_graph(5), nx.star_graph(3)]
    gram = DeepGraph(base).fit_transform(graphs)
    assert gram == pytest.approx(gram.T)
    assert np.diag(gram).min() > 0


@pytest.mark.parametrize(
    ("setting", "value", "wanted"),
    [
        ("base", "walks", "one of wl, graphlet, shortest-path"),
        ("height", -1, "a whole number, 0 or larger"),
        ("dimension", 0, "a whole number above 0"),
        ("window", 1.5, "a whole number, 0 or larger"),
        ("negative", 0, "a whole number above 0"),
    ],
)
def test_settings_are_checked(setting: str, value: object, wanted: str) -> None:
    with pytest.raises(SettingError, match=f"^{setting} = {value!r}; expected {wanted}$"):
        DeepGraph(**{setting: value}).fit([nx.path_graph(2)])
