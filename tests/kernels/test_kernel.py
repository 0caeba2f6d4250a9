import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array, random_array

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.kernels import products
from graphrings.kernels.joining import join
from graphrings.kernels.kernel import Occurrences, cosine, product
from graphrings.kernels.tables import by_appearance, tabulate
from strategies import datasets


def labelled(graph: nx.Graph, *labels: object) -> nx.Graph:
    nx.set_node_attributes(graph, dict(enumerate(labels)), "label")
    return graph


def table(n_rows: int, n_columns: int, density: float, seed: int) -> csr_array:
    rng = np.random.default_rng(seed)
    return csr_array(random_array((n_rows, n_columns), density=density, rng=rng))


@pytest.mark.parametrize("density", [0.0, 0.05, 0.5, 1.0])
@pytest.mark.parametrize(("n_rows", "n_others", "n_columns"), [(200, 70, 30), (1, 3, 1), (5, 4, 0)])
def test_a_product_is_that_of_dense_tables(
    n_rows: int, n_others: int, n_columns: int, density: float
) -> None:
    one, other = table(n_rows, n_columns, density, 0), table(n_others, n_columns, density, 1)
    assert product(one, other) == pytest.approx(one.toarray() @ other.toarray().T)
    assert product(one, one) == pytest.approx(one.toarray() @ one.toarray().T)
    assert np.array_equal(product(one, one), product(one, one).T)


def test_common_columns_come_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "MOST_NUMBERS", 500)
    monkeypatch.setattr(products, "STRIP", 7)
    rows = table(100, 30, 0.9, 2)
    assert product(rows, rows) == pytest.approx(rows.toarray() @ rows.toarray().T)
    assert product(rows, rows[:20]) == pytest.approx(rows.toarray() @ rows[:20].toarray().T)


def test_a_cosine_by_hand() -> None:
    """Norms 2 and 3; graphs without features are like each other only."""
    gram = np.array([[4.0, 3.0, 0.0], [3.0, 9.0, 0.0], [0.0, 0.0, 0.0]])
    cosines = cosine(gram, np.diag(gram), np.diag(gram))
    assert cosines.tolist() == [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]


def test_a_table_counts_features_in_the_order_in_which_they_appear() -> None:
    """Graph 0 has feature 7 three times and -5 once, graph 1 nothing, graph 2 both and 2**40."""
    graphs, codes = np.array([0, 0, 0, 2, 2, 2]), np.array([7, -5, 7, 2**40, -5, 7])
    counts = tabulate(Occurrences(graphs, codes, np.array([1.0, 1, 2, 1, 1, 1])), 3)
    assert counts.toarray().tolist() == [[3, 1, 0], [0, 0, 0], [1, 1, 1]]
    assert counts.has_sorted_indices
    assert counts.indices.dtype == counts.indptr.dtype == np.int32


def test_a_table_of_nothing() -> None:
    nothing = np.empty(0, dtype=np.int64)
    assert tabulate(Occurrences(nothing, nothing, np.empty(0)), 2).shape == (2, 0)


def test_graphs_out_of_order_are_our_own_mistake() -> None:
    with pytest.raises(AssertionError, match="graph after graph"):
        tabulate(Occurrences(np.array([1, 0]), np.array([0, 0]), np.ones(2)), 2)


@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(0, 5)))
def test_codes_are_numbered_by_their_first_appearance(codes: list[int]) -> None:
    numbers, n_known = by_appearance(np.array(codes, dtype=np.int64))
    known = list(dict.fromkeys(codes))
    assert numbers.tolist() == [known.index(code) for code in codes]
    assert n_known == len(known)


def test_codes_in_one_row_of_the_hash_table() -> None:
    """Multiples of a power of two are what a plain remainder would stumble over."""
    codes = np.arange(50_000, dtype=np.int64) << 40
    assert np.array_equal(by_appearance(codes)[0], np.arange(50_000))


@given(datasets(), datasets())
def test_joined_graphs_are_those_of_both(one: gr.Dataset, other: gr.Dataset) -> None:
    both = join(one, other)
    expected = gr.from_graphs([*one, *other])
    for field in ("graph_ptr", "indptr", "indices"):
        assert np.array_equal(getattr(both, field), getattr(expected, field))
    names = [[data.label_names[k] for k in data.node_labels] for data in (both, expected)]
    assert names[0] == names[1]
    assert both.targets is None


def test_fitted_labels_keep_their_numbers_and_new_ones_come_behind() -> None:
    one = gr.from_networkx([labelled(nx.path_graph(2), "C", "O")], node_label="label")
    other = gr.from_networkx([labelled(nx.path_graph(2), "O", "B")], node_label="label")
    both = join(one, other)
    assert both.label_names == ("C", "O", "B")
    assert both.node_labels.tolist() == [0, 1, 1, 2]


def test_labels_of_edges_stay_where_both_have_them() -> None:
    mutag = gr.load("MUTAG")
    both = join(mutag[:3], mutag[3:5])
    assert np.array_equal(both.edge_labels, mutag[:5].edge_labels)
    bare = gr.from_networkx([labelled(nx.path_graph(2), 0, 1)], node_label="label")
    assert join(mutag[:3], bare).edge_labels is None


def test_attributes_stay_where_both_have_as_many() -> None:
    narrow, wide = (
        gr.from_edges([[(0, 1)]], node_attributes=[np.ones((2, width))]) for width in (1, 2)
    )
    assert join(narrow, narrow).node_attributes.shape == (4, 1)
    assert join(narrow, wide).node_attributes is None


def test_labels_on_one_side_only() -> None:
    plain = gr.from_networkx([nx.path_graph(2)], name="plain")
    with pytest.raises(DatasetError) as caught:
        join(gr.load("MUTAG"), plain)
    assert str(caught.value) == (
        "plain: graphs with no node labels; the kernel was fitted to graphs with node labels"
    )


def test_one_kernel_is_imported_without_the_others() -> None:
    assert gr.kernels.WeisfeilerLehman.__name__ == "WeisfeilerLehman"
    assert "WLOptimalAssignment" in dir(gr.kernels)
    with pytest.raises(AttributeError, match=r"'graphrings.kernels' has no attribute 'Subtree'"):
        _ = gr.kernels.Subtree
