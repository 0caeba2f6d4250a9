"""What holds for the convolutions on all graphs."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, distances, mean_over, random_rows, ring_means
from graphrings.fused.lane import lane
from graphrings.layers import GCNConv, RingConv, SumConv
from strategies import datasets, shuffled

IN, OUT = 3, 2
radii = st.integers(0, 4)
seeds = st.integers(0, 99)


def ring_conv(radius: int, seed: int, bias: bool = True) -> RingConv:
    torch.manual_seed(seed)
    return RingConv(IN, OUT, radius, bias).double()


def equation_10(conv: RingConv, h: Tensor, dataset: gr.Dataset) -> Tensor:
    """One matrix W^j per ring; the bias stands inside the mean."""
    weights = conv.filters.weight.view(conv.radius + 1, OUT, IN)
    bias = torch.zeros(conv.radius + 1, OUT, dtype=h.dtype)
    if conv.filters.bias is not None:
        bias = conv.filters.bias.view(conv.radius + 1, OUT)
    means = ring_means(dataset, conv.radius)
    return torch.cat(
        [mean @ (h @ w.T + b) for mean, w, b in zip(means, weights, bias, strict=True)], dim=1
    )


def gradients(out: Tensor, *sources: Tensor, seed: int = 1) -> tuple[Tensor, ...]:
    """Of a random weighing of the results."""
    return torch.autograd.grad(out, sources, random_rows(*out.shape, seed).to(out))


@given(datasets(), radii, st.booleans(), seeds)
def test_ring_conv_is_equation_10(dataset: gr.Dataset, radius: int, bias: bool, seed: int) -> None:
    conv, h = ring_conv(radius, seed, bias), random_rows(dataset.n_nodes, IN).requires_grad_()
    outputs, expected = conv(h, gr.rings(dataset, radius)), equation_10(conv, h, dataset)
    assert outputs.shape == (dataset.n_nodes, (radius + 1) * OUT)
    assert_close(outputs, expected)
    sources = (h, *conv.parameters())
    assert_close(gradients(outputs, *sources), gradients(expected, *sources))


@given(datasets(), radii, seeds)
def test_single_precision_is_double_precision_rounded(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    conv, h = ring_conv(radius, seed), random_rows(dataset.n_nodes, IN)
    rings = gr.rings(dataset, radius)
    expected = conv(h, rings)
    outputs = conv.float()(h.float(), rings)
    assert outputs.dtype == torch.float32
    assert_close(outputs.double(), expected, rtol=1e-4, atol=1e-5)


@given(datasets(), radii, seeds)
def test_relabelled_nodes_get_relabelled_rows(dataset: gr.Dataset, radius: int, seed: int) -> None:
    other, number = shuffled(dataset, seed)
    conv, h = ring_conv(radius, seed), random_rows(dataset.n_nodes, IN)
    moved = torch.empty_like(h)
    moved[number] = h
    outputs = conv(moved, gr.rings(other, radius))
    assert_close(outputs[number], conv(h, gr.rings(dataset, radius)))


@given(datasets(), radii, seeds)
def test_an_empty_ring_gives_zeros_in_spite_of_the_bias(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    rings = gr.rings(dataset, radius)
    out = ring_conv(radius, seed)(random_rows(dataset.n_nodes, IN), rings)
    empty = torch.from_numpy(rings.sizes == 0)
    blocks = out.view(dataset.n_nodes, radius + 1, OUT)
    assert torch.equal((blocks == 0).all(dim=2), empty)


@given(datasets(), st.integers(0, 3), st.integers(1, 3), seeds)
def test_stacked_layers_see_exactly_the_ball(
    dataset: gr.Dataset, radius: int, depth: int, seed: int
) -> None:
    """Move one node: the rows within depth * radius of it change, and no others."""
    torch.manual_seed(seed)
    widths = [IN, *[(radius + 1) * OUT] * (depth - 1)]
    convs = [RingConv(width, OUT, radius).double() for width in widths]
    rings, moved = gr.rings(dataset, radius), seed % dataset.n_nodes
    h = random_rows(dataset.n_nodes, IN)
    other = h.clone()
    other[moved] += 1
    for conv in convs:
        h, other = conv(h, rings, "tanh"), conv(other, rings, "tanh")
    changed = (h != other).any(dim=1).numpy()
    assert np.array_equal(changed, distances(dataset)[moved] <= depth * radius)


@given(datasets(), radii, seeds)
def test_both_lanes_have_the_same_rows_and_gradients(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    conv, h = ring_conv(radius, seed), random_rows(dataset.n_nodes, IN).requires_grad_()
    for rings in (gr.rings(dataset, radius), gr.walk_rings(dataset, radius)):
        expected = conv(h, rings)
        with lane(fused=False):
            outputs = conv(h, rings)
        assert_close(outputs, expected)
        sources = (h, *conv.parameters())
        assert_close(gradients(outputs, *sources), gradients(expected, *sources))


@given(datasets(), radii, seeds)
def test_the_quotient_gives_the_same_rows_and_gradients(
    dataset: gr.Dataset, radius: int, seed: int
) -> None:
    """Nodes with equal labels have equal features, so that classes do."""
    conv, merged = ring_conv(radius, seed), gr.quotient(dataset, radius)
    h = random_rows(dataset.n_labels, IN)[torch.from_numpy(dataset.node_labels.copy()).long()]
    full = conv(h, gr.rings(dataset, radius))
    small = conv(h[torch.from_numpy(merged.representatives).long()], merged.rings)
    expanded = small[torch.from_numpy(merged.class_of).long()]
    assert_close(expanded, full)
    weights = tuple(conv.parameters())
    assert_close(gradients(expanded, *weights), gradients(full, *weights))


@given(datasets(), seeds)
def test_equation_9_is_equation_7(dataset: gr.Dataset, seed: int) -> None:
    torch.manual_seed(seed)
    conv, h = SumConv(IN, OUT, bias=False).double(), random_rows(dataset.n_nodes, IN)
    weight = conv.filters.weight.T
    tilde = adjacency(dataset) + np.eye(dataset.n_nodes)
    distance = distances(dataset)
    both = (distance == 0) * 1.0 + (distance == 1)
    assert_close(mean_over(both) @ h @ weight, mean_over(tilde) @ h @ weight)
    assert_close(conv(h, gr.rings(dataset, 1)), mean_over(tilde) @ h @ weight)
    assert_close(conv(h, gr.rings(dataset, 1).joined()), mean_over(tilde) @ h @ weight)


@given(datasets(), seeds)
def test_gcn_conv_is_equation_6(dataset: gr.Dataset, seed: int) -> None:
    torch.manual_seed(seed)
    conv, h = GCNConv(IN, OUT, bias=False).double(), random_rows(dataset.n_nodes, IN)
    tilde = adjacency(dataset) + np.eye(dataset.n_nodes)
    root = np.diag(tilde.sum(axis=1) ** -0.5)
    expected = torch.from_numpy(root @ tilde @ root) @ h @ conv.filters.weight.T
    assert_close(conv(h, gr.rings(dataset, 1)), expected)
