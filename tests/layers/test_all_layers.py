"""What holds for every layer: it says what is wrong, prints its settings, and takes autocast."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.errors import LayerError
from graphrings.layers.graph_layer import GraphLayer
from lanes import assert_lanes_agree

PAW = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone
LAYERS = {
    "RingConv(3, 2, radius=1)": lambda: gr.layers.RingConv(3, 2, 1),
    "SumConv(3, 2, bias=False)": lambda: gr.layers.SumConv(3, 2, bias=False),
    "GCNConv(3, 2)": lambda: gr.layers.GCNConv(3, 2),
    "GCNConv(3, 2, radius=1)": lambda: gr.layers.GCNConv(3, 2, radius=1),
    "GINConv(3, 2, learn_epsilon=True)": lambda: gr.layers.GINConv(3, 2, learn_epsilon=True),
    "GATConv(3, 3, heads=4, average=True)": lambda: gr.layers.GATConv(3, 3, average=True),
    "GATConv(3, 2, heads=4, radius=1)": lambda: gr.layers.GATConv(3, 2, radius=1),
    "DiffusionConv(3, hops=2)": lambda: gr.layers.DiffusionConv(3, 2),
    "ECCConv(3, 2, n_labels=1)": lambda: gr.layers.ECCConv(3, 2),
    "FieldConv(3, 2, size=2)": lambda: gr.layers.FieldConv(3, 2, 2),
    "FingerprintConv(3, 2, max_degree=5)": lambda: gr.layers.FingerprintConv(3, 2),
    "GGNNConv(3)": lambda: gr.layers.GGNNConv(3),
    "GNNConv(3, 2, 4, mu=0.9, tolerance=1e-06, max_steps=100)": lambda: gr.layers.GNNConv(3, 2, 4),
    "NN4GConv(3, 3, 2)": lambda: gr.layers.NN4GConv(3, 3, 2),
}
layers = pytest.mark.parametrize("make", LAYERS.values(), ids=LAYERS)
named_layers = pytest.mark.parametrize(("name", "make"), LAYERS.items(), ids=LAYERS)
Make = Callable[[], GraphLayer]


def run(layer: nn.Module, h: Any, near: Any) -> Any:
    """NN4G also sees the features."""
    return layer(h, h, near) if isinstance(layer, gr.layers.NN4GConv) else layer(h, near)


def test_all_layers_are_here() -> None:
    others = {gr.layers.SortPool, gr.layers.OrientedRingConv}  # of sets and of paths
    public = {getattr(gr.layers, name) for name in gr.layers.__all__} - others
    assert {type(make()) for make in LAYERS.values()} == public


@named_layers
def test_it_prints_its_settings(name: str, make: Make) -> None:
    assert repr(make()) == name


@named_layers
def test_edges_are_no_rings(name: str, make: Make) -> None:
    """What users of other libraries try first."""
    with pytest.raises(LayerError) as caught:
        run(make(), torch.ones(5, 3), torch.zeros((2, 8), dtype=torch.long))
    assert str(caught.value) == (
        f"{name} takes rows and rings; got a Tensor of shape (2, 8) for the rings, "
        "which gr.rings(dataset, radius=1) makes"
    )


@layers
def test_rows_that_do_not_fit_are_refused(make: Make) -> None:
    near = gr.rings(PAW, 1)
    with pytest.raises(LayerError, match=r"takes rows of shape \(n, 3\); got \(5, 2\)"):
        run(make(), torch.ones(5, 2), near)
    with pytest.raises(LayerError, match="got 4 rows; the rings lead to 5"):
        run(make(), torch.ones(4, 3), near)
    with pytest.raises(LayerError, match=r"got Rings\(radius 3, 5 nodes"):
        run(make(), torch.ones(5, 3), gr.rings(PAW, 3))


@layers
def test_both_lanes_agree(make: Make) -> None:
    torch.manual_seed(0)
    layer, h = make().double(), random_rows(5, 3).requires_grad_()
    sources, near = [h, *layer.parameters()], gr.rings(PAW, 1)
    assert_lanes_agree(lambda: run(layer, h, near), sources, rtol=1e-5, atol=1e-5)


@layers
def test_it_takes_autocast(make: Make) -> None:
    torch.manual_seed(0)
    layer, h, near = make(), random_rows(5, 3).float().requires_grad_(), gr.rings(PAW, 1)
    expected = run(layer, h, near)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = run(layer, h, near)
    assert_close(out.float(), expected, rtol=0.05, atol=0.05)
    out.float().square().sum().backward()
    assert h.grad is not None
    assert h.grad.isfinite().all()


def test_sort_pool_takes_autocast_and_prints_its_settings() -> None:
    pool, h = gr.layers.SortPool(3, ties="last"), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    assert repr(pool) == "SortPool(3, ties='last')"
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert pool(h, [2])[0].tolist() == [[3, 4], [1, 2], [0, 0]]
        assert pool(h.bfloat16(), [2])[0].tolist() == [[3, 4], [1, 2], [0, 0]]
