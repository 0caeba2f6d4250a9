from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency
from graphrings.networks.gin import GIN
from networks.sharing import assert_sharing_changes_nothing, batch_of, outputs_and_gradients


def expanded(network: GIN, dataset: gr.Dataset, h: torch.Tensor) -> torch.Tensor:
    """The outputs from dense sums and torch's own norms, one row per node."""
    near, rows = torch.from_numpy(adjacency(dataset)), [h]
    for layer in network.layers:
        x = (1 + layer.conv.epsilon) * h + near @ h
        for dense, norm in ((layer.conv.filters, layer.inner_norm), (layer.second, layer.norm)):
            theirs = nn.BatchNorm1d(norm.weight.numel()).double()
            theirs.weight, theirs.bias = norm.weight, norm.bias
            x = torch.relu(theirs(x @ dense.weight.t()))
        h = x
        rows.append(h)
    bounds = list(zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False))
    sums = [torch.stack([part[a:b].sum(0) for a, b in bounds]) for part in rows]
    return network.out(torch.cat(sums, dim=1))  # type: ignore[no-any-return]


def test_training_sees_the_outputs_of_the_dense_network() -> None:
    """The norms of a batch are over nodes, though rows stand for several."""
    dataset = gr.load("MUTAG")[:6]
    used = sorted(set(dataset.node_labels.tolist()))
    torch.manual_seed(0)
    network = GIN(len(used), 2, channels=(5, 4), learn_epsilon=True, dropout=0.0).double()
    for layer in network.layers:
        nn.init.constant_(layer.conv.epsilon, 0.2)
    batch = batch_of(network.view, dataset, "label")
    h = torch.from_numpy(np.eye(7)[dataset.node_labels][:, used])
    assert_close(network(batch), expanded(network, dataset, h), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("settings", [{}, {"radius": 2}, {"learn_epsilon": True}], ids=str)
@pytest.mark.parametrize("training", [False, True])
def test_shared_rows_change_nothing(settings: dict[str, Any], training: bool) -> None:
    torch.manual_seed(0)
    dataset = gr.load("MUTAG")[:20]
    network = GIN(1, 2, channels=(4, 4), dropout=0.0, **settings).train(training)
    assert_sharing_changes_nothing(network, dataset, "constant")


def test_parameters_by_hand() -> None:
    """Two matrices and two norms per layer; outputs from the features and from every layer."""
    network = GIN(7, 2, channels=(4, 3), radius=1)
    layers = 14 * 4 + 4 * 4 + 2 * 8 + 8 * 3 + 3 * 3 + 2 * 6
    last = (7 + 4 + 3) * 2 + 2
    assert sum(p.numel() for p in network.parameters()) == layers + last


def test_a_layer_at_once_is_the_layer_step_by_step() -> None:
    """An epsilon of zero changes nothing but the path."""
    dataset = gr.load("MUTAG")[:6]
    torch.manual_seed(0)
    at_once = GIN(1, 2, channels=(4, 3), dropout=0.0).double()
    steps = GIN(1, 2, channels=(4, 3), dropout=0.0, learn_epsilon=True).double()
    steps.load_state_dict(at_once.state_dict(), strict=False)
    batch = batch_of(at_once.view, dataset, "constant")
    outputs, expected = (outputs_and_gradients(network, batch) for network in (at_once, steps))
    assert_close(outputs[0], expected[0])
    named = [name for name, _ in steps.named_parameters()]
    kept = [g for name, g in zip(named, expected[1], strict=True) if "epsilon" not in name]
    for ours, theirs in zip(outputs[1], kept, strict=True):
        assert_close(ours, theirs)
    for name, seen in at_once.named_buffers():
        assert_close(seen, dict(steps.named_buffers())[name])
