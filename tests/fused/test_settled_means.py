"""The fixed point in compiled steps, against the plain lane."""

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.errors import LayerError
from graphrings.fused.lane import lane
from graphrings.layers import GNNConv
from lanes import assert_lanes_agree

PAW = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]], n_nodes=[5, 2])  # 4 is alone
MOLECULES = gr.load("MUTAG")[:4]
EDGELESS = gr.from_edges([[]], n_nodes=[3])


def conv_of(width: int = 3, hidden: int = 4, spread: float = 1.0, **settings: float) -> GNNConv:
    torch.manual_seed(0)
    settled = {"tolerance": 1e-14, "max_steps": 1000} | settings
    conv = GNNConv(2, width, hidden, **settled).double()  # type: ignore[arg-type]
    for parameter in conv.parameters():
        nn.init.normal_(parameter, std=spread)
    return conv


@pytest.mark.parametrize("dataset", [PAW, MOLECULES, EDGELESS], ids=["paw", "molecules", "no edge"])
@pytest.mark.parametrize(("width", "hidden"), [(3, 4), (5, 32), (32, 33), (2, 64)])
@pytest.mark.parametrize("spread", [1.0, 0.1])
def test_states_and_gradients_are_those_of_the_plain_lane(
    dataset: gr.Dataset, width: int, hidden: int, spread: float
) -> None:
    """Weights that are scaled down, and those that are not; any number of hidden units."""
    conv, near = conv_of(width, hidden, spread), gr.rings(dataset, 1)
    x = random_rows(dataset.n_nodes, 2).requires_grad_()
    assert_lanes_agree(lambda: conv(x, near), [x, *conv.parameters()], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("tolerance", [1e-1, 1e-2, 1e-3, 1e-5])
def test_the_steps_end_where_they_end_in_the_plain_lane(tolerance: float) -> None:
    """Any other number of steps would leave another state, and another gradient."""
    conv, near = conv_of(tolerance=tolerance), gr.rings(MOLECULES, 1)
    x = random_rows(MOLECULES.n_nodes, 2)
    assert_lanes_agree(lambda: conv(x, near), list(conv.parameters()), rtol=1e-11, atol=1e-11)
    states = []
    for fused in (True, False):
        with lane(fused=fused), torch.inference_mode():
            states.append(conv(x, near))
    assert_close(*states, rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("max_steps", [1, 2, 5])
def test_the_steps_have_a_limit(max_steps: int) -> None:
    conv, near = conv_of(max_steps=max_steps), gr.rings(PAW, 1)
    x = random_rows(7, 2)
    assert_lanes_agree(lambda: conv(x, near), list(conv.parameters()), rtol=1e-11, atol=1e-11)


@pytest.mark.parametrize("distance", [1e-3, 3.0])
def test_they_start_anywhere(distance: float) -> None:
    """Near the fixed point one step is enough."""
    conv, near, x = conv_of(), gr.rings(PAW, 1), random_rows(7, 2)
    start = conv(x, near).detach() + distance * random_rows(7, 3, seed=1)
    conv.tolerance = 0.01
    assert_lanes_agree(
        lambda: conv(x, near, start=start), list(conv.parameters()), rtol=1e-11, atol=1e-11
    )


def test_rows_in_another_order_than_their_members() -> None:
    """Row v is node 6 - v, and sees it by that number."""
    rings = gr.rings(PAW, 1)
    order = np.arange(7)[::-1]
    blocks = [rings.indices[rings.indptr[b] : rings.indptr[b + 1]] for b in range(14)]
    chosen = [blocks[2 * v + j] for v in order for j in (0, 1)]
    sizes = [len(block) for block in chosen]
    weights = np.repeat([1 / max(1, size) for size in sizes], sizes)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    turned = WeightedRows(2, ends, np.concatenate(chosen), weights)
    conv, x = conv_of(), random_rows(7, 2).requires_grad_()
    assert_close(conv(x, turned), conv(x, rings)[order.copy()])
    assert_lanes_agree(lambda: conv(x, turned), [x, *conv.parameters()], rtol=1e-9, atol=1e-9)


def test_neighbours_without_a_row_are_refused() -> None:
    part = WeightedRows(2, np.array([0, 1, 2]), np.array([0, 1], dtype=np.int32), np.ones(2))
    for fused in (True, False):
        with lane(fused=fused), pytest.raises(LayerError, match="have no row among them"):
            conv_of()(random_rows(2, 2), part)


def test_single_precision_is_near_double() -> None:
    near, x = gr.rings(MOLECULES, 1), random_rows(MOLECULES.n_nodes, 2)
    conv = conv_of(32, 32, 0.3, tolerance=1e-6)
    with lane(fused=False):
        expected = conv(x, near)
    assert_close(conv.float()(x.float(), near), expected.float(), rtol=1e-4, atol=1e-4)


def test_what_is_no_number_ends_as_none() -> None:
    conv, near = conv_of(max_steps=3), gr.rings(PAW, 1)
    x: Tensor = random_rows(7, 2)
    x[5] = float("nan")
    with torch.inference_mode():
        state = conv(x, near)
    assert state[5:].isnan().all()
    assert state[:5].isfinite().all()
    conv.state.weight.data[0, 0] = float("nan")
    with torch.inference_mode():
        assert conv(x, near)[0].isnan().all()
