from collections.abc import Callable

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from dense import distances
from graphrings.distances.ring_profile import bin_starts, label_degree_words
from graphrings.errors import MemoryLimitError, RadiusError


@pytest.fixture
def ethanol_and_water() -> gr.Dataset:
    return gr.from_edges([[(0, 1), (1, 2)], []], node_labels=[["C", "C", "O"], ["O"]])


def test_columns_are_called_by_labels_and_distance(ethanol_and_water: gr.Dataset) -> None:
    profile = gr.ring_profile(ethanol_and_water, 2)
    assert profile.names == (
        "C at distance 0",
        "O at distance 0",
        "C-C at distance 1",
        "C-O at distance 1",
        "C-O at distance 2",
    )
    assert profile.matrix.toarray().tolist() == [[2, 1, 1, 1, 1], [0, 1, 0, 0, 0]]


def test_it_is_told_in_a_line(ethanol_and_water: gr.Dataset) -> None:
    """Not by all of its columns, which may be thousands."""
    told = repr(gr.ring_profile(ethanol_and_water, 9))
    assert told == "RingProfile(2 graphs, 5 pairs of labels at distances up to 2)"
    nothing = gr.ring_profile(ethanol_and_water[:0], 1)
    assert repr(nothing) == "RingProfile(0 graphs, 0 pairs of labels at distances up to 0)"


def test_degrees_stand_in_for_labels() -> None:
    star = gr.from_networkx([nx.star_graph(20)])
    profile = gr.ring_profile(star, 1)
    assert profile.names == (
        "degree 1 at distance 0",
        "degree 20 to 24 at distance 0",
        "degree 1-degree 20 to 24 at distance 1",
    )
    assert profile.matrix.toarray().tolist() == [[20, 1, 20]]


def test_pairs_of_label_and_degree_are_numbered_by_both() -> None:
    """A star and a path whose labels have every degree: no two pairs share a number."""
    graphs = gr.from_edges(
        [[(0, 1), (0, 2), (0, 3)], [(0, 1), (1, 2)]],
        node_labels=[["a", "b", "a", "c"], ["c", "a", "b"]],
    )
    words, numbers = label_degree_words(graphs)
    names = [graphs.label_names[label] for label in graphs.node_labels]
    expected = list(zip(names, map(str, graphs.degrees.tolist()), strict=True))
    assert [(label, str(degree)) for label, degree in (words[k] for k in numbers)] == expected
    assert len(words) == len(set(expected)) == 5


def test_bins_of_degrees_grow_by_a_quarter() -> None:
    assert bin_starts(3).tolist() == list(range(17))
    assert bin_starts(40).tolist() == [*range(17), 20, 25, 31, 38, 47]


def test_a_graph_too_large_for_bit_sets_is_searched() -> None:
    n, rng = 1100, np.random.default_rng(0)
    edges = rng.integers(0, n, size=(1400, 2))
    edges = np.unique(np.sort(edges[edges[:, 0] != edges[:, 1]], axis=1), axis=0)
    labels = rng.integers(0, 3, n)
    graph = gr.from_edges([edges], node_labels=[labels], n_nodes=[n])
    distance = distances(graph)
    profile = gr.ring_profile(graph, 3)
    for (j, a, b), count in zip(profile.keys, profile.matrix.toarray()[0], strict=True):
        chosen = distance[np.ix_(labels == a, labels == b)] == j
        assert count == chosen.sum() / (1 + (a == b and j > 0))
    assert len(profile.keys) == 3 + 3 * 6


def test_no_graphs_have_no_columns() -> None:
    profile = gr.ring_profile(gr.load("MUTAG")[[]], 2)
    assert profile.matrix.shape == (0, 0)
    assert profile.names == ()


@pytest.mark.parametrize("max_bytes", [1000, 100_000])
def test_too_large_a_profile_is_refused(max_bytes: int) -> None:
    """The first limit does not even hold the ring sizes; the second is outgrown on the way."""
    with pytest.raises(MemoryLimitError, match="ring profile up to radius 3 of 3,371 nodes would"):
        gr.ring_profile(gr.load("MUTAG"), 3, max_bytes=max_bytes)


def test_a_radius_is_checked(ethanol_and_water: gr.Dataset) -> None:
    with pytest.raises(RadiusError, match="expected a whole number, 0 or larger"):
        gr.ring_profile(ethanol_and_water, -1)


@pytest.mark.slow
def test_the_largest_sets_of_the_paper(paper_set: Callable[[str], gr.Dataset]) -> None:
    """Their profiles hold every pair that their rings do."""
    for name, radius in (("DD", 3), ("COLLAB", 1)):
        dataset = paper_set(name)
        profile = gr.ring_profile(dataset, radius)
        far = np.array([key[0] for key in profile.keys]) == 1
        assert profile.matrix[:, far].sum() == dataset.n_edges
