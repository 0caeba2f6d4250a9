import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphrings as gr
from dense import distances
from graphrings.errors import SettingError
from graphrings.kernels.ring_profile import SCALES, ProfileKernel
from strategies import datasets, shuffled


def test_two_paths_by_hand() -> None:
    """a-b-a: a 2, b 1, ab 2 at distance 1, aa 1 at 2; a-b: a 1, b 1, ab 1."""
    pair = gr.from_edges([[(0, 1), (1, 2)], [(0, 1)]], node_labels=[list("aba"), list("ab")])
    kernel = ProfileKernel(radius=2, nodes="label", scale="counts")
    assert kernel.fit_transform(pair).tolist() == [[10, 5], [5, 3]]
    assert ProfileKernel(1, "label", "counts").fit_transform(pair).tolist() == [[9, 5], [5, 3]]
    roots = ProfileKernel(2, "label", "roots").fit_transform(pair)
    np.testing.assert_allclose(roots, [[6, 1 + 2 * 2**0.5], [1 + 2 * 2**0.5, 3]])


def test_degrees_take_the_place_of_labels_where_there_are_none() -> None:
    graphs = [nx.path_graph(3), nx.path_graph(2)]
    bare = [
        ProfileKernel(2, nodes, "counts").fit_transform(graphs) for nodes in ("label", "degree")
    ]
    np.testing.assert_array_equal(*bare)
    np.testing.assert_array_equal(bare[0], ProfileKernel(2, scale="counts").fit_transform(graphs))
    # degrees 1, 2, 1: pairs 1 1, 2 1 as nodes, 12 2 at distance 1, 11 1 at distance 2
    assert bare[0].tolist() == [[10, 4], [4, 5]]


@settings(max_examples=25)
@given(datasets(), st.integers(0, 3), st.sampled_from(list(SCALES)))
def test_the_kernel_is_that_of_dense_matrices(dataset: gr.Dataset, radius: int, scale: str) -> None:
    """C^j = X^T SP^j X, its upper half, half of the diagonal where j > 0."""
    rows = []
    for graph in dataset:
        x = np.eye(max(1, len(dataset.label_names)))[graph.node_labels]
        apart = distances(graph)
        pairs = [x.T @ (apart == j) @ x for j in range(radius + 1)]
        halves = [c - (j > 0) * np.diag(np.diag(c)) / 2 for j, c in enumerate(pairs)]
        rows.append(np.concatenate([np.triu(c).reshape(-1) for c in halves]))
    table = SCALES[scale](np.array(rows))
    gram = ProfileKernel(radius, "label", scale).fit_transform(dataset)
    np.testing.assert_allclose(gram, table @ table.T, rtol=1e-12)


@settings(max_examples=25)
@given(datasets())
def test_node_numbers_and_graph_order_make_no_difference(dataset: gr.Dataset) -> None:
    kernel = ProfileKernel(scale="counts")
    gram = kernel.fit_transform(dataset)
    other, _ = shuffled(dataset, seed=1)
    np.testing.assert_array_equal(kernel.fit_transform(other), gram)
    np.testing.assert_array_equal(kernel.fit_transform(dataset[::-1]), gram[::-1, ::-1])
    np.testing.assert_array_equal(kernel.fit(dataset).transform(dataset), gram)


@pytest.mark.parametrize(
    ("setting", "value", "expected"),
    [
        ("radius", -1, "a whole number, 0 or larger"),
        ("nodes", "colour", "one of label, degree, label"),
        ("scale", "squares", "one of counts, roots, logs"),
    ],
)
def test_a_wrong_setting_is_refused(setting: str, value: object, expected: str) -> None:
    with pytest.raises(SettingError, match=expected.replace("+", r"\+")):
        ProfileKernel(**{setting: value}).fit([nx.path_graph(2)])  # type: ignore[arg-type]
