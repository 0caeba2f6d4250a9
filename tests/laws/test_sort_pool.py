"""What holds for SortPooling of all graphs."""

import networkx as nx
import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.layers import RingConv, SortPool
from strategies import datasets, shuffled

seeds = st.integers(0, 999)
sizes_of_graphs = st.lists(st.integers(0, 8), min_size=1, max_size=5)
counts = st.integers(1, 12)


def tied_rows(n: int, seed: int) -> np.ndarray:
    """Rows of three small whole numbers, negative ones too: most of them tie somewhere."""
    return np.random.default_rng(seed).integers(-2, 2, size=(n, 3)).astype(float)


def lexsorted(rows: np.ndarray, k: int) -> np.ndarray:
    """The rows of one graph from the last column on, descending, then zeros."""
    order = np.lexsort(tuple(-rows.T))[:k]
    return np.concatenate([rows[order], np.zeros((k - len(order), rows.shape[1]))])


@given(sizes_of_graphs, counts, seeds)
def test_it_is_the_lexsort_of_numpy_graph_by_graph(sizes: list[int], k: int, seed: int) -> None:
    h = tied_rows(sum(sizes), seed)
    out = SortPool(k)(torch.from_numpy(h), sizes).numpy()
    graphs = np.split(h, np.cumsum(sizes)[:-1])
    assert np.array_equal(out, [lexsorted(rows, k) for rows in graphs])


@given(sizes_of_graphs, counts, seeds)
def test_by_the_last_column_alone_ties_stay_in_the_order_of_the_nodes(
    sizes: list[int], k: int, seed: int
) -> None:
    h = tied_rows(sum(sizes), seed)
    out = SortPool(k, ties="last")(torch.from_numpy(h), sizes).numpy()
    for rows, pooled in zip(np.split(h, np.cumsum(sizes)[:-1]), out, strict=True):
        order = np.argsort(-rows[:, -1], kind="stable")[:k]
        assert np.array_equal(pooled[: len(order)], rows[order])


@given(sizes_of_graphs, counts, seeds)
def test_a_row_that_counts_often_is_a_row_repeated(sizes: list[int], k: int, seed: int) -> None:
    h = tied_rows(sum(sizes), seed)
    often = np.random.default_rng(seed).integers(1, 4, len(h))
    repeated = np.repeat(h, often, axis=0)
    many = [int(part.sum()) for part in np.split(often, np.cumsum(sizes)[:-1])]
    out = SortPool(k)(torch.from_numpy(h), sizes, often)
    assert torch.equal(out, SortPool(k)(torch.from_numpy(repeated), many))


@given(sizes_of_graphs, counts, seeds)
def test_the_order_of_the_nodes_does_not_matter(sizes: list[int], k: int, seed: int) -> None:
    h, rng = tied_rows(sum(sizes), seed), np.random.default_rng(seed)
    parts = np.split(h, np.cumsum(sizes)[:-1])
    mixed = np.concatenate([rng.permutation(rows) for rows in parts])
    pool = SortPool(k)
    assert torch.equal(pool(torch.from_numpy(mixed), sizes), pool(torch.from_numpy(h), sizes))


@given(datasets(most_labels=1), st.integers(0, 3), seeds)
def test_pooled_rows_of_a_layer_do_not_depend_on_the_numbers_of_the_nodes(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    """Stars, cliques and cycles without labels are full of nodes with equal rows."""
    torch.manual_seed(seed)
    conv, pool = RingConv(1, 2, radius).double(), SortPool(6)
    other, number = shuffled(dataset, seed)
    h = torch.from_numpy(dataset.degrees.astype(float)).unsqueeze(1)
    moved = torch.from_numpy(other.degrees.astype(float)).unsqueeze(1)
    before = pool(conv(h, gr.rings(dataset, radius)).round(decimals=9), dataset.sizes)
    after = pool(conv(moved, gr.rings(other, radius)).round(decimals=9), other.sizes)
    assert torch.equal(moved[number], h)
    assert torch.equal(before, after)


@given(st.sampled_from([nx.complete_graph, nx.star_graph]), st.integers(2, 9), counts)
def test_nodes_that_nothing_tells_apart_give_equal_rows(make: object, n: int, k: int) -> None:
    dataset = gr.from_networkx([make(n)])  # type: ignore[operator]
    h = torch.from_numpy(dataset.degrees.astype(float)).unsqueeze(1)
    pooled = SortPool(k)(RingConv(1, 2, 2).double()(h, gr.rings(dataset, 2)), dataset.sizes)[0]
    real = pooled[: dataset.n_nodes]
    assert len(torch.unique(real.round(decimals=9), dim=0)) <= 2
    assert not pooled[dataset.n_nodes :].any()
