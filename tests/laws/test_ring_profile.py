"""What holds for the ring profile of all graphs."""

from collections import Counter

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from dense import distances
from strategies import datasets, shuffled

radii = st.integers(0, 4)


def dense_profile(dataset: gr.Dataset, radius: int) -> dict[tuple[int, int, int], np.ndarray]:
    """C^j = X^T SP^j X of every graph, from scipy's shortest paths, by distance and labels."""
    one_hot = np.eye(dataset.n_labels)[dataset.node_labels]
    profile = {}
    for j in range(radius + 1):
        ring = (distances(dataset) == j).astype(float)
        parts = [one_hot * (dataset.owner == g)[:, None] for g in range(len(dataset))]
        counts = np.stack([part.T @ ring @ part for part in parts])
        for a in range(dataset.n_labels):
            for b in range(a, dataset.n_labels):
                column = counts[:, a, b] / (1 + (a == b and j > 0))
                if column.any():
                    names = dataset.label_names
                    profile[j, names[a], names[b]] = column
    return profile


@given(datasets(), radii)
def test_the_profile_is_that_of_dense_matrices(dataset: gr.Dataset, radius: int) -> None:
    profile = gr.ring_profile(dataset, radius)
    expected = dense_profile(dataset, radius)
    assert list(profile.keys) == list(expected)
    matrix = profile.matrix.toarray()
    for k, key in enumerate(profile.keys):
        assert np.array_equal(matrix[:, k], expected[key])


@given(datasets(), radii)
def test_the_profile_counts_the_pairs_of_networkx(dataset: gr.Dataset, radius: int) -> None:
    profile = gr.ring_profile(dataset, radius)
    for graph, row in zip(dataset, profile.matrix.toarray(), strict=True):
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(graph.edges.tolist())
        names = [graph.label_names[label] for label in graph.node_labels]
        pairs: Counter[tuple[int, int, int]] = Counter()
        for v, lengths in nx.all_pairs_shortest_path_length(network, cutoff=radius):
            for u, length in lengths.items():
                if v <= u:
                    pairs[length, *sorted((names[v], names[u]))] += 1
        counted = {key: n for key, n in zip(profile.keys, row, strict=True) if n}
        assert counted == pairs


@given(datasets(), radii, st.integers(0, 3))
def test_names_of_nodes_mean_nothing(dataset: gr.Dataset, radius: int, seed: int) -> None:
    again, _ = shuffled(dataset, seed)
    for graphs in (dataset, without_labels(dataset)):
        other = again if graphs is dataset else without_labels(again)
        one, two = gr.ring_profile(graphs, radius), gr.ring_profile(other, radius)
        # Labels of the second are called 0, 1, ... by from_edges, in the same order.
        assert np.array_equal(one.matrix.toarray(), two.matrix.toarray())


@given(datasets(), radii)
def test_pairs_are_half_of_what_the_rings_hold(dataset: gr.Dataset, radius: int) -> None:
    sizes = gr.rings(dataset, radius).sizes
    for graphs in (dataset, without_labels(dataset)):
        profile = gr.ring_profile(graphs, radius)
        distance = np.array([key[0] for key in profile.keys])
        for j in range(radius + 1):
            pairs = profile.matrix.toarray()[:, distance == j].sum(axis=1)
            members = np.bincount(dataset.owner, sizes[:, j], minlength=len(dataset))
            assert np.array_equal((1 + (j > 0)) * pairs, members)


@given(datasets(), radii)
def test_the_other_graphs_mean_nothing(dataset: gr.Dataset, radius: int) -> None:
    together = gr.ring_profile(dataset, radius)
    for number, row in enumerate(together.matrix.toarray()):
        alone = gr.ring_profile(dataset[[number]], radius)
        counted = {key: n for key, n in zip(together.keys, row, strict=True) if n}
        assert counted == dict(zip(alone.keys, alone.matrix.toarray()[0], strict=True))


def without_labels(dataset: gr.Dataset) -> gr.Dataset:
    return gr.from_edges(
        [graph.edges for graph in dataset], n_nodes=[graph.n_nodes for graph in dataset]
    )
