import warnings
from collections import Counter, defaultdict

import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances.colours import refine
from graphrings.distances.hashed_nodes import (
    COLUMNS,
    HEIGHTS,
    PARTS,
    RADIUS,
    label_hashes,
    seen_colours,
)
from graphrings.distances.rings import rings
from graphrings.graphs.features import HASHED, fit_features
from strategies import shuffled

every_part = pytest.mark.parametrize("part", PARTS)


@pytest.fixture(scope="module")
def molecules() -> gr.Dataset:
    return gr.synthetic.molecules(30, n_nodes=(3, 20))


def rows(dataset: gr.Dataset, part: str) -> np.ndarray:
    """A row for every node."""
    numbers, table = PARTS[part](dataset)
    return table[numbers]


def test_every_part_that_the_features_name_is_here() -> None:
    assert set(PARTS) == set(HASHED)


def test_hashed_colours_split_nodes_as_the_exact_refinement_does(molecules: gr.Dataset) -> None:
    near, hashes = rings(molecules, 1), label_hashes(molecules)
    for height in range(1, HEIGHTS + 1):
        hashes = seen_colours(near.indptr, near.indices, near.width, hashes)
        exact = refine(near, molecules.node_labels, height)
        pairs = set(zip(hashes.tolist(), exact.tolist(), strict=True))
        assert len(pairs) == len(set(hashes.tolist())) == len(set(exact.tolist()))


def test_a_node_has_one_colour_of_every_height(molecules: gr.Dataset) -> None:
    shown = rows(molecules, "colours").reshape(-1, HEIGHTS, COLUMNS)
    assert np.array_equal(shown.sum(axis=2), np.ones((molecules.n_nodes, HEIGHTS)))


def test_ring_labels_are_counted_labels_of_networkx(molecules: gr.Dataset) -> None:
    shown = np.expm1(rows(molecules, "ring-labels")).round().reshape(-1, RADIUS, COLUMNS)
    column = label_hashes(molecules) % np.uint64(COLUMNS)
    for graph in range(5):
        first = molecules.graph_ptr[graph]
        made = nx.empty_graph(molecules[graph].n_nodes)
        made.add_edges_from(molecules[graph].edges.tolist())
        for v, distance in nx.all_pairs_shortest_path_length(made):
            counts = defaultdict(Counter)
            for u, d in distance.items():
                counts[d][int(column[first + u])] += 1
            for j in range(1, RADIUS + 1):
                expected = [counts[j][c] for c in range(COLUMNS)]
                assert shown[first + v, j - 1].tolist() == expected


def test_neighbourhoods_tell_apart_what_labels_in_rings_do_not() -> None:
    """Two branches at distance 1: their ends hang on other nodes, the counts of labels agree."""
    one, other = nx.Graph(), nx.Graph()
    one.add_edges_from([(0, 1), (0, 2), (1, 3), (2, 4)])
    other.add_edges_from([(0, 1), (0, 2), (1, 3), (2, 4)])
    labels = ["r", "a", "b", "c", "d"], ["r", "a", "b", "d", "c"]
    both = gr.from_edges([list(one.edges), list(other.edges)], node_labels=list(map(list, labels)))
    near, wide = rows(both, "ring-labels"), rows(both, "neighbourhoods")
    assert np.array_equal(near[0], near[5])
    assert not np.array_equal(wide[0], wide[5])


@every_part
def test_the_numbers_of_the_nodes_do_not_matter(part: str, molecules: gr.Dataset) -> None:
    one, _ = shuffled(molecules, 1)
    two, number = shuffled(one, 2)
    assert np.array_equal(rows(two, part)[number], rows(one, part))


@every_part
def test_a_row_means_the_same_in_every_dataset(part: str, molecules: gr.Dataset) -> None:
    """Labels are known by name: what training never saw has columns all the same."""
    alone = molecules[7:8]
    expected = rows(molecules, part)[molecules.graph_ptr[7] : molecules.graph_ptr[8]]
    assert np.array_equal(rows(alone, part), expected)


@every_part
def test_nodes_without_labels_will_do(part: str) -> None:
    assert rows(gr.synthetic.ego_networks(3), part).any()


def test_they_join_the_other_features(molecules: gr.Dataset) -> None:
    from graphrings.learning.network_estimators import ring_sizes

    kind = "label+degree+ring-sizes+colours+ring-labels"
    features = fit_features(molecules[:20], kind, ring_sizes, PARTS)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        numbers, table = features.apply(molecules, ring_sizes, PARTS)
        start, plain = fit_features(molecules[:20], "label+degree+ring-sizes", ring_sizes).apply(
            molecules, ring_sizes
        )
    assert table.shape[1] == features.width == plain.shape[1] + 2 * 3 * COLUMNS
    expected = [plain[start], rows(molecules, "colours"), rows(molecules, "ring-labels")]
    assert np.array_equal(table[numbers], np.hstack(expected))
    assert len(np.unique(numbers)) == len(table)


@pytest.mark.parametrize("features", ["label+degree+colours", "label+ring-labels+neighbourhoods"])
def test_a_network_learns_from_them_and_its_file_knows_them(
    features: str, molecules: gr.Dataset, tmp_path: object
) -> None:
    fitted = gr.PGCClassifier(features=features, max_epochs=2, radius=1, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fitted.fit(molecules[:20]).save(f"{tmp_path}/model")
        again = gr.load_model(f"{tmp_path}/model")
        said = fitted.decision_function(molecules)
        assert np.array_equal(again.decision_function(molecules), said)
