"""What holds for the distance colouring and the quotient of all graphs."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from strategies import datasets, shuffled

radii = st.integers(0, 3)


def partition(colours: np.ndarray) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(colours == c).tolist()) for c in np.unique(colours)}


def slow_refinement(dataset: gr.Dataset, start: list, radius: int, rounds: int) -> list:
    """The definition, written down with tuples: nothing is hashed, nothing can collide."""
    rings = gr.rings(dataset, radius)
    members = [
        [np.flatnonzero(row) for row in rings.matrix(j).toarray()] for j in range(1, radius + 1)
    ]
    colours = list(start)
    for _ in range(rounds):
        colours = [
            (
                colours[v],
                *(tuple(sorted(map(repr, (colours[u] for u in ring[v])))) for ring in members),
            )
            for v in range(dataset.n_nodes)
        ]
        names = {colour: k for k, colour in enumerate(dict.fromkeys(colours))}
        colours = [names[colour] for colour in colours]
    return colours


@given(datasets(), radii, st.integers(0, 4))
def test_refinement_is_its_definition(dataset: gr.Dataset, radius: int, rounds: int) -> None:
    expected = slow_refinement(dataset, dataset.node_labels.tolist(), radius, rounds)
    colours = gr.refine(gr.rings(dataset, radius), dataset.node_labels, rounds)
    assert partition(colours) == partition(np.array(expected))


@given(datasets(), radii)
def test_one_more_round_splits_nothing_that_is_stable(dataset: gr.Dataset, radius: int) -> None:
    rings = gr.rings(dataset, radius)
    stable = gr.refine(rings, dataset.node_labels)
    assert partition(gr.refine(rings, stable, rounds=1)) == partition(stable)
    assert partition(stable) == partition(
        np.array(slow_refinement(dataset, dataset.node_labels.tolist(), radius, dataset.n_nodes))
    )


@given(datasets(), radii)
def test_a_larger_radius_refines_the_colours(dataset: gr.Dataset, radius: int) -> None:
    coarse = gr.refine(gr.rings(dataset, radius), dataset.node_labels)
    fine = gr.refine(gr.rings(dataset, radius + 1), dataset.node_labels)
    for part in partition(fine):
        assert len(np.unique(coarse[list(part)])) == 1


@given(datasets(), radii, st.integers(0, 99))
def test_relabelled_nodes_keep_their_colours(dataset: gr.Dataset, radius: int, seed: int) -> None:
    other, number = shuffled(dataset, seed)
    before = gr.refine(gr.rings(dataset, radius), dataset.node_labels)
    after = gr.refine(gr.rings(other, radius), other.node_labels)
    assert partition(after[number]) == partition(before)
    assert gr.quotient(other, radius).n_classes == gr.quotient(dataset, radius).n_classes


@given(datasets(), radii, st.integers(0, 99))
def test_the_quotient_has_the_ring_means_of_every_class_constant_function(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    merged = gr.quotient(dataset, radius)
    values = np.random.default_rng(seed).normal(size=merged.n_classes)
    entries = merged.rings.weights * values[merged.rings.indices]
    means = np.zeros(merged.n_classes * (radius + 1))
    np.add.at(means, merged.rings.blocks, entries)
    full = gr.rings(dataset, radius)
    for j in range(radius + 1):
        matrix = full.matrix(j).toarray()
        expected = matrix @ merged.expand(values) / np.maximum(1, matrix.sum(axis=1))
        assert np.allclose(merged.expand(means.reshape(-1, radius + 1)[:, j]), expected)


@given(datasets(), radii)
def test_classes_stay_inside_their_graph_and_count_every_node(
    dataset: gr.Dataset, radius: int
) -> None:
    merged = gr.quotient(dataset, radius)
    assert merged.graph_ptr[-1] == merged.n_classes
    for i in range(len(dataset)):
        nodes = slice(*dataset.graph_ptr[i : i + 2])
        first, last = merged.graph_ptr[i : i + 2]
        assert set(merged.class_of[nodes]) == set(range(first, last))
        assert merged.multiplicity[first:last].sum() == dataset.sizes[i]
    assert np.array_equal(merged.class_of[merged.representatives], np.arange(merged.n_classes))
