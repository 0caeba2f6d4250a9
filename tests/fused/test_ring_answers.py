from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.fused.lane import lane
from graphrings.fused.ring_answers import NodePart, RingAnswers, product
from graphrings.fused.ring_stack import ring_stack
from graphrings.layers import RingConv
from graphrings.learning.trainer import reproducible


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """As estimators predict."""
    with reproducible(0):
        yield


def stack(bias: bool) -> list[RingConv]:
    torch.manual_seed(0)
    return [RingConv(width, 2, 2, bias) for width in (5, 6, 6)]


def answered(
    h: torch.Tensor, near: gr.Rings, filters: Any, readout: torch.Tensor
) -> tuple[torch.Tensor, list[torch.Tensor]]:
    """All nodes at once, with a row of features each."""
    answers = RingAnswers(h, filters, readout, len(h))
    read, layers = answers(NodePart(near.width, 0, near.indptr, near.indices, near.indices))
    return torch.from_numpy(read[:, : len(h)]), [torch.from_numpy(layer) for layer in layers]


def test_it_is_the_plain_stack_up_to_rounding() -> None:
    graphs = gr.synthetic.molecules(9, n_nodes=(3, 30))
    near, h = gr.rings(graphs, 2), torch.randn(graphs.n_nodes, 5)
    for bias in (False, True):
        convs = stack(bias)
        filters = [(conv.filters.weight, conv.filters.bias) for conv in convs]
        readout = torch.randn(4, 18)
        with torch.inference_mode():
            filtered, layers = answered(h, near, filters, readout)
            expected, rows = [], h
            with lane(fused=False):
                for conv in convs:
                    rows = conv(rows, near, "tanh")
                    expected.append(rows)
            fused, _ = ring_stack(h, [near] * 3, filters, readout)
        for ours, theirs in zip(layers, expected, strict=True):
            assert_close(ours, theirs, rtol=1e-5, atol=2e-6)
        assert_close(filtered.flatten(0, 1), fused, rtol=1e-5, atol=1e-5)


def test_nodes_that_see_the_same_have_the_same_rows_in_whatever_order_they_see_it() -> None:
    """Of a relabelled graph every row is that of the same node, to the last bit."""
    rng, convs = np.random.default_rng(0), stack(bias=True)
    filters = [(conv.filters.weight, conv.filters.bias) for conv in convs]
    graph = gr.synthetic.molecules(1, 2, n_nodes=(40, 40))[0]
    order = rng.permutation(graph.n_nodes)  # node v of the other is node order[v] of this one
    place = np.argsort(order)
    other = gr.from_edges([place[graph.edges].tolist()], n_nodes=[graph.n_nodes])
    h = torch.randn(graph.n_nodes, 5)
    with torch.inference_mode():
        _, ours = answered(h, gr.rings(graph, 2), filters, torch.randn(4, 18))
        _, theirs = answered(h[order], gr.rings(other, 2), filters, torch.randn(4, 18))
    assert torch.equal(theirs[-1], ours[-1][order])


def test_parts_of_the_nodes_have_the_rows_that_all_together_have() -> None:
    """Every part is written to the same memory, large ones and small ones in turn."""
    graphs, convs = gr.synthetic.molecules(5, n_nodes=(3, 30)), stack(bias=True)
    near, shown = gr.rings(graphs, 2), np.arange(graphs.n_nodes, dtype=np.int32) % 7
    filters = [(conv.filters.weight, conv.filters.bias) for conv in convs]
    table, readout = torch.randn(7, 5), torch.randn(4, 18)
    with torch.inference_mode():
        read, layers = answered(table[shown], near, filters, readout)
        answers = RingAnswers(table, filters, readout, graphs.n_nodes)
        for begin, end in pairwise(graphs.graph_ptr.tolist()):
            indptr = near.indptr[begin * 3 : end * 3 + 1]
            members = near.indices[indptr[0] : indptr[-1]]
            ours, rows = answers(NodePart(3, begin, indptr, members, shown[members]))
            assert np.array_equal(ours[:, : end - begin], read[:, begin:end].numpy())
            for one, other in zip(rows, layers, strict=True):
                assert np.array_equal(one, other[begin:end].numpy())


@pytest.mark.parametrize("n_inputs", [5, 12, 18, 96])
@pytest.mark.parametrize("n_outputs", [3, 7, 19, 112])
def test_equal_rows_have_equal_products(n_inputs: int, n_outputs: int) -> None:
    rng = np.random.default_rng(0)
    filters = torch.from_numpy(rng.normal(size=(n_outputs, n_inputs)).astype(np.float32))
    distinct = rng.normal(size=(4, n_inputs)).astype(np.float32)
    for n_rows in [*range(1, 40), 127, 1000]:
        chosen = rng.integers(0, 4, n_rows)
        rows = torch.from_numpy(distinct[chosen])
        results = product(rows, filters)[:, :n_outputs]
        assert_close(results, rows @ filters.t(), rtol=1e-5, atol=1e-5)
        for k in np.unique(chosen).tolist():
            alike = results[torch.from_numpy(chosen == k)]
            assert torch.equal(alike, alike[:1].expand_as(alike))
