"""What holds for the rings of all graphs."""

import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

import graphrings as gr
from strategies import datasets, shuffled

radii = st.integers(0, 5)


def adjacency(dataset: gr.Dataset) -> csr_array:
    ones = np.ones(len(dataset.indices), dtype=np.int64)
    return csr_array((ones, dataset.indices, dataset.indptr), shape=(dataset.n_nodes,) * 2)


@given(datasets(), radii)
def test_rings_are_the_shortest_paths_of_scipy(dataset: gr.Dataset, radius: int) -> None:
    distance = shortest_path(adjacency(dataset), unweighted=True)
    rings = gr.rings(dataset, radius)
    for j in range(radius + 1):
        assert np.array_equal(rings.matrix(j).toarray(), distance == j)


@given(datasets(), radii)
def test_rings_are_the_shortest_paths_of_networkx(dataset: gr.Dataset, radius: int) -> None:
    for graph in dataset:
        network = nx.empty_graph(graph.n_nodes)
        network.add_edges_from(graph.edges.tolist())
        matrices = [gr.rings(graph, radius).matrix(j).toarray() for j in range(radius + 1)]
        for v, lengths in nx.all_pairs_shortest_path_length(network, cutoff=radius):
            for j, matrix in enumerate(matrices):
                ring = sorted(u for u, length in lengths.items() if length == j)
                assert np.flatnonzero(matrix[v]).tolist() == ring


@given(datasets(), radii)
def test_rings_are_disjoint_and_symmetric_and_fill_the_ball(
    dataset: gr.Dataset, radius: int
) -> None:
    rings = gr.rings(dataset, radius)
    matrices = [rings.matrix(j).toarray() for j in range(radius + 1)]
    ball = np.linalg.matrix_power(adjacency(dataset).toarray() + np.eye(dataset.n_nodes), radius)
    assert np.array_equal(sum(matrices), ball > 0)  # a sum of ones: no node is in two rings
    for matrix in matrices:
        assert np.array_equal(matrix, matrix.T)
    assert np.array_equal(matrices[0], np.eye(dataset.n_nodes))
    if radius > 0:
        assert np.array_equal(matrices[1], adjacency(dataset).toarray())


@given(datasets(), radii)
def test_sizes_count_the_members(dataset: gr.Dataset, radius: int) -> None:
    rings = gr.rings(dataset, radius)
    sums = [rings.matrix(j).sum(axis=1) for j in range(radius + 1)]
    assert np.array_equal(rings.sizes, np.stack(sums, axis=1))


@given(datasets(), radii, st.integers(0, 99))
def test_relabelled_nodes_have_relabelled_rings(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    other, number = shuffled(dataset, seed)
    before, after = gr.rings(dataset, radius), gr.rings(other, radius)
    for j in range(radius + 1):
        moved = after.matrix(j).toarray()[np.ix_(number, number)]
        assert np.array_equal(moved, before.matrix(j).toarray())


@given(datasets(), radii, st.integers(2, 4))
def test_threads_change_nothing(dataset: gr.Dataset, radius: int, jobs: int) -> None:
    alone, together = gr.rings(dataset, radius), gr.rings(dataset, radius, jobs=jobs)
    assert np.array_equal(alone.indptr, together.indptr)
    assert np.array_equal(alone.indices, together.indices)


@given(datasets(), radii)
def test_weights_are_those_of_the_mean(dataset: gr.Dataset, radius: int) -> None:
    for rings in (gr.rings(dataset, radius), gr.walk_rings(dataset, radius)):
        for j in range(radius + 1):
            entries = rings.blocks % (radius + 1) == j
            place = rings.blocks[entries] // (radius + 1), rings.indices[entries]
            shape = (dataset.n_nodes,) * 2
            mean = csr_array((rings.weights[entries], place), shape=shape).toarray()
            power = rings.matrix(j).toarray()
            assert np.allclose(mean, power / np.maximum(1, power.sum(axis=1))[:, None])


@given(datasets(), radii)
def test_walk_rings_are_the_powers_of_the_adjacency(dataset: gr.Dataset, radius: int) -> None:
    rings = gr.walk_rings(dataset, radius, jobs=2)
    for j in range(radius + 1):
        power = np.linalg.matrix_power(adjacency(dataset).toarray(), j)
        assert np.array_equal(rings.matrix(j).toarray(), power)
