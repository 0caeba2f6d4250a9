from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.errors import LayerError, RadiusError
from strategies import datasets

pyg = pytest.importorskip("torch_geometric.data")


def batched(dataset: gr.Dataset, radius: int) -> Any:
    """The graphs of a dataset with their rings, as PyTorch Geometric lays them together."""
    return pyg.Batch.from_data_list([gr.pyg.AddRings(radius)(d) for d in dataset.to_pyg()])


@settings(max_examples=25)
@given(datasets(), st.integers(0, 3))
def test_a_batch_has_the_rings_of_the_dataset(dataset: gr.Dataset, radius: int) -> None:
    batch, rings = batched(dataset, radius), gr.rings(dataset, radius)
    for j in range(radius + 1):
        members, centres = batch.ring_index[:, batch.ring_distance == j].numpy()
        matrix = np.zeros((dataset.n_nodes,) * 2, dtype=int)
        np.add.at(matrix, (centres, members), 1)
        assert np.array_equal(matrix, rings.matrix(j).toarray())


@pytest.mark.parametrize("bias", [False, True])
@settings(max_examples=25)
@given(dataset=datasets(), radius=st.integers(0, 3))
def test_the_layer_and_its_gradients_are_those_of_ours(
    bias: bool, dataset: gr.Dataset, radius: int
) -> None:
    ours = gr.layers.RingConv(3, 2, radius, bias).double()
    layer = gr.pyg.RingConv(3, 2, radius, bias).double()
    layer.load_state_dict(ours.state_dict())
    batch, rows = batched(dataset, radius), random_rows(dataset.n_nodes, 3)
    direction = random_rows(dataset.n_nodes, 2 * (radius + 1))
    results = []
    for conv, near in (
        (ours, (gr.rings(dataset, radius),)),
        (layer, (batch.ring_index, batch.ring_distance)),
    ):
        h = rows.clone().requires_grad_()
        out = conv(h, *near)
        results.append(
            (out, *torch.autograd.grad((out * direction).sum(), (h, *conv.parameters())))
        )
    for one, other in zip(*results, strict=True):
        assert_close(one, other)


def test_rings_beyond_the_radius_are_not_looked_at() -> None:
    paths = gr.from_edges([[(0, 1), (1, 2), (2, 3)]])
    layer, rows = gr.pyg.RingConv(3, 2, radius=1), random_rows(4, 3).float()
    near, far = batched(paths, 1), batched(paths, 3)
    assert torch.equal(
        layer(rows, near.ring_index, near.ring_distance),
        layer(rows, far.ring_index, far.ring_distance),
    )


def test_loops_repeats_and_single_directions_change_nothing() -> None:
    tidy = pyg.Data(edge_index=torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), num_nodes=4)
    untidy = pyg.Data(edge_index=torch.tensor([[0, 1, 2, 0], [1, 2, 2, 1]]), num_nodes=4)
    add = gr.pyg.AddRings(2)
    assert torch.equal(add(tidy).ring_index, add(untidy).ring_index)
    assert "ring_index" not in tidy


def test_the_loader_keeps_graphs_apart() -> None:
    loaders = pytest.importorskip("torch_geometric.loader")
    mutag = gr.load("MUTAG")[:6]
    listed = [gr.pyg.AddRings(2)(d) for d in mutag.to_pyg()]
    batches = list(loaders.DataLoader(listed, batch_size=3))
    for batch, part in zip(batches, (mutag[:3], mutag[3:]), strict=True):
        assert batch.ring_index.shape[1] == len(gr.rings(part, 2).indices)
        assert torch.equal(*batch.batch[batch.ring_index])


def test_it_shows_its_settings_and_refuses_what_does_not_fit() -> None:
    layer = gr.pyg.RingConv(3, 2, radius=1, bias=False)
    assert repr(layer).startswith("RingConv(\n  3, 2, radius=1, bias=False")
    assert repr(gr.pyg.AddRings(2)) == "AddRings(radius=2)"
    index, distance = torch.zeros(2, 1, dtype=torch.long), torch.zeros(1, dtype=torch.long)
    with pytest.raises(LayerError, match=r"x of shape \(1, 2\); expected 3 columns"):
        layer(torch.zeros(1, 2), index, distance)
    with pytest.raises(LayerError, match="ring_distance of shape"):
        layer(torch.zeros(1, 3), index, distance[:0])
    with pytest.raises(RadiusError):
        gr.pyg.AddRings(-1)
    with pytest.raises(LayerError, match="a list without edge_index; expected a Data"):
        gr.pyg.AddRings(1)([])


def test_new_weights_may_be_drawn() -> None:
    layer = gr.pyg.RingConv(3, 2, radius=1)
    before = layer.filters.weight.clone()
    layer.reset_parameters()
    assert not torch.equal(before, layer.filters.weight)
