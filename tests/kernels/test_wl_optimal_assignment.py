from collections import Counter

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.kernels.weisfeiler_lehman import colours_by_round
from graphrings.kernels.wl_optimal_assignment import WLOptimalAssignment
from kernels.grakel_graphs import as_grakel
from kernels.test_kernel import labelled
from strategies import datasets


@pytest.mark.parametrize(
    ("height", "gram"),
    [
        (0, [[4, 4], [4, 4]]),  # one a and three b on either side
        (1, [[8, 5], [5, 8]]),  # of the colours of round 1 they share one: b next to an a
        (2, [[12, 5], [5, 12]]),
    ],
)
def test_colours_shared_by_hand(height: int, gram: object) -> None:
    graphs = [labelled(nx.star_graph(3), *"abbb"), labelled(nx.path_graph(4), *"babb")]
    assert WLOptimalAssignment(height).fit_transform(graphs).tolist() == gram


@given(datasets(), st.integers(0, 3))
def test_it_is_the_best_assignment(dataset: gr.Dataset, height: int) -> None:
    """Nodes are worth the rounds in which they have one colour; scipy assigns them."""
    colours = np.stack(colours_by_round(dataset, 1, height))
    of_graph = np.split(colours, dataset.graph_ptr[1:-1], axis=1)
    gram = WLOptimalAssignment(height).fit_transform(dataset)
    for i, one in enumerate(of_graph):
        for j, other in enumerate(of_graph):
            worth = (one[:, :, None] == other[:, None, :]).sum(axis=0)
            assert gram[i, j] == worth[linear_sum_assignment(worth, maximize=True)].sum()


@given(datasets(), st.integers(0, 3))
def test_it_is_the_intersection_of_histograms(dataset: gr.Dataset, height: int) -> None:
    colours = np.stack(colours_by_round(dataset, 1, height))
    counts = [Counter(part.ravel()) for part in np.split(colours, dataset.graph_ptr[1:-1], axis=1)]
    expected = [[(one & other).total() for other in counts] for one in counts]
    assert WLOptimalAssignment(height).fit_transform(dataset).tolist() == expected


def test_grakel_finds_the_same_on_molecules(molecules: gr.Dataset) -> None:
    grakel, some = pytest.importorskip("grakel.kernels"), molecules[:150]
    expected = grakel.WeisfeilerLehmanOptimalAssignment(n_iter=5).fit_transform(as_grakel(some))
    assert np.array_equal(WLOptimalAssignment(5).fit_transform(some), expected)


@given(datasets())
def test_grakel_finds_the_same_on_any_graphs(dataset: gr.Dataset) -> None:
    grakel = pytest.importorskip("grakel.kernels")
    lonely = np.minimum.reduceat(dataset.degrees, dataset.graph_ptr[:-1]) == 0
    joined = dataset[~lonely]  # it forgets nodes without edges
    if len(joined):
        theirs = grakel.WeisfeilerLehmanOptimalAssignment(n_iter=3)
        expected = theirs.fit_transform(as_grakel(joined))
        assert np.array_equal(WLOptimalAssignment(3).fit_transform(joined), expected)


def test_a_height_below_zero() -> None:
    with pytest.raises(SettingError, match="height = -1; expected a whole number, 0 or larger"):
        WLOptimalAssignment(-1).fit(gr.load("MUTAG"))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["DD", "COLLAB"])
def test_large_sets_fit_into_memory(paper_set: object, name: str) -> None:
    dataset = paper_set(name)  # type: ignore[operator]
    gram = WLOptimalAssignment(5).fit_transform(dataset)
    assert np.array_equal(np.diag(gram), 6 * dataset.sizes)
