"""Both passes without autograd, against autograd in both lanes."""

from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.testing import assert_close

import graphrings as gr
from graphrings.distances.weights import by_colour
from graphrings.fused.lane import lane
from graphrings.graphs.features import fit_features
from graphrings.learning.adam import FlatAdam
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("pgc-dgcnn", {}),
    ("pgc-dgcnn", {"radius": 0, "channels": (5, 1)}),
    ("pgc-dgcnn", {"bias": False, "ties": "last"}),
    ("pgc-dgcnn", {"channels": (3,)}),
    ("dgcnn", {}),
    ("walk-dgcnn", {"radius": 1}),
    ("pgc-dgcnn-released", {}),
    ("pgc-dgcnn-released", {"channels": (5, 40, 3), "dropout": 0.0}),
    ("pgc-dgcnn-released", {"channels": (2,)}),
    ("gcn", {}),
    ("gcn", {"activation": "tanh", "bias": False, "dropout": 0.0}),
    ("gcn", {"activation": "identity", "radius": 2, "channels": (3,)}),
    ("fingerprint", {}),
    ("fingerprint", {"channels": (3,), "length": 5, "max_degree": 0, "dropout": 0.0}),
    ("fingerprint", {"channels": (4, 2), "length": 19, "max_degree": 2}),
    ("nn4g", {}),
    ("nn4g", {"channels": (5, 3, 34), "activation": "relu", "readout": "sum"}),
    ("nn4g", {"channels": (4,), "activation": "identity"}),
    ("gat", {}),
    ("gat", {"radius": 2, "heads": 3, "channels": (9, 41), "activation": "relu"}),
    ("gat", {"activation": "tanh", "channels": (2,), "dropout": 0.0}),
    ("gat", {"activation": "identity", "radius": 0, "heads": 1, "channels": (33, 8)}),
    ("dcnn", {}),
    ("dcnn", {"hops": 0, "activation": "elu"}),
    ("ecc", {}),
    ("ecc", {"channels": (33, 5), "filter_hidden": (), "dropout": 0.0}),
    ("ecc", {"channels": (7,), "filter_hidden": (3,)}),
    ("patchy-san", {}),
    ("patchy-san", {"field": 3, "conv_channels": (9, 11), "dropout": 0.0}),
    ("gin", {}),
    ("gin", {"readout": "mean", "channels": (3,)}),
    ("gin", {"dropout": 0.0, "channels": (5, 4)}),
    ("gnn", {"tolerance": 1e-12, "max_steps": 300}),
    ("ggnn", {}),
    ("ggnn", {"width": 3, "steps": 1, "dropout": 0.0}),
    ("ggnn", {"width": 40, "steps": 2, "dense": 6}),
    ("ring-fcn", {}),
    ("ring-fcn", {"norm": "batch", "residual": True, "channels": (3, 3, 3, 1), "dropout": 0.3}),
    ("ring-fcn", {"activation": "relu+tanh", "path_channels": (5,), "path_radius": 0}),
    ("ring-fcn", {"bias": False, "radius": 0, "path_channels": (4, 3, 5), "path_radius": 3}),
    ("pgc-sets", {}),
    ("pgc-sets", {"readout": "mean-sum-max"}),
    ("pgc-sets", {"readout": "mean-sum-max", "activation": "relu", "dropout": 0.0}),
    ("pgc-sets", {"norm": "batch", "residual": True, "activation": "tanh+relu", "radius": 1}),
    ("pgc-sets", {"channels": (5,), "dense": 7, "activation": "identity", "bias": False}),
    ("gnn", {"readout": "sum", "width": 5, "hidden": 40, "mu": 0.1, "tolerance": 1e-12}),
]


ALL = list(dict.fromkeys(name for name, _ in VARIANTS))


def a_network(
    name: str, settings: dict[str, Any], dtype: torch.dtype, dataset: gr.Dataset | None = None
) -> tuple[Network, list[Batch]]:
    """A network with places for its gradients, and batches of other sizes and orders."""
    dataset = gr.load("MUTAG")[:30] if dataset is None else dataset
    features = fit_features(dataset, "label+degree" if dataset.n_labels else "degree")
    start, table = features.apply(dataset)
    torch.manual_seed(0)
    kind = NETWORKS[name]
    measured = kind.measure(dataset)
    if "k" in measured:
        measured["k"] = 10
    network = kind(features.width, 2, **measured, **settings).to(dtype)
    for seen in network.buffers():
        if seen.is_floating_point():
            seen.uniform_(0.5, 2)
    FlatAdam(network, 1e-3)
    levels = network.view(dataset, start)
    batcher = Batcher(levels, table[by_colour(levels, 0, start)])
    last = len(dataset) - 1
    groups = np.arange(min(12, last)), np.arange(last, -1, -1), np.array([3])
    batches = [batcher(graphs) for graphs in groups]
    return network, [replace(batch, features=batch.features.to(dtype)) for batch in batches]


def by_autograd(network: Network, batch: Batch, grad: Tensor) -> list[Tensor]:
    torch.manual_seed(1)
    outputs = network(batch)
    grads = torch.autograd.grad(outputs, list(network.parameters()), grad)
    return [outputs.detach(), *grads, *seen_by(network)]


def seen_by(network: Network) -> list[Tensor]:
    """What the network has seen on the way."""
    return [buffer.clone() for buffer in network.buffers()]


def forget(network: Network, seen: list[Tensor]) -> None:
    """Bring back what it had seen before."""
    for buffer, before in zip(network.buffers(), seen, strict=True):
        buffer.copy_(before)


@pytest.mark.parametrize(("name", "settings"), VARIANTS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_outputs_and_gradients_are_those_of_autograd(
    name: str, settings: dict[str, Any], training: bool, dtype: torch.dtype
) -> None:
    """To the last bit, also where memory was used before; and those of the equations, nearly."""
    assert_by_hand_is_by_autograd(*a_network(name, settings, dtype), training, dtype)


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("training", [True, False])
def test_so_they_are_for_odd_graphs(name: str, training: bool) -> None:
    """One node, no edges, nodes alone beside an edge, and edges with labels."""
    edges, labels = [[], [], [(1, 2)], [(0, 1), (1, 2), (0, 2)]], [[], [], ["a"], ["b", "a", "b"]]
    odd = gr.from_edges(edges, n_nodes=[1, 3, 5, 3], edge_labels=labels)
    network, batches = a_network(name, {}, torch.float64, odd)
    assert_by_hand_is_by_autograd(network, batches, training, torch.float64)


def assert_by_hand_is_by_autograd(
    network: Network, batches: list[Batch], training: bool, dtype: torch.dtype
) -> None:
    """By autograd through the same passes to the last bit, and in the plain lane up to rounding."""
    network.train(training)
    by_hand = network.by_hand()
    assert by_hand is not None
    for batch in batches:
        before = seen_by(network)
        torch.manual_seed(1)
        outputs = by_hand.outputs(batch)
        grad = torch.linspace(-1, 2, outputs.numel(), dtype=dtype).view_as(outputs)
        by_hand.gradients(grad)
        grads = [p.grad.clone() for p in network.parameters() if p.grad is not None]
        ours = [outputs, *grads, *seen_by(network)]
        forget(network, before)
        assert all(map(torch.equal, ours, by_autograd(network, batch, grad)))
        forget(network, before)
        with lane(fused=False):
            plain = by_autograd(network, batch, grad)
        for one, other in zip(ours, plain, strict=True):
            close = {"rtol": 1e-9, "atol": 1e-9}
            if dtype == torch.float32:  # a sum is off by a share of what was summed up
                close = {"rtol": 0.0, "atol": 1e-4 * max(1.0, other.abs().max().item())}
            assert_close(one, other, **close)


@pytest.mark.parametrize("name", ALL)
def test_numbers_overflow_without_a_warning(name: str) -> None:
    """A training that diverges says so in one line, and it says nothing else."""
    network, batches = a_network(name, {}, torch.float32)
    for weight in network.parameters():
        weight.data.mul_(1e30)
    by_hand = network.by_hand()
    assert by_hand is not None
    outputs = by_hand.outputs(batches[0])
    by_hand.gradients(torch.full_like(outputs, 1e30))
    grads = [p.grad for p in network.parameters() if p.grad is not None]
    assert not all(grad.isfinite().all() for grad in grads)


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pgc-dgcnn", {"activation": "relu"}),
        ("fingerprint", {"activation": "tanh"}),
        ("gcn", {"activation": "elu"}),
        ("gcn", {"readout": "sort"}),
        ("dcnn", {"activation": "sigmoid"}),
        ("gat", {"activation": "gelu"}),
        ("gin", {"learn_epsilon": True}),
        ("gin", {"radius": 1}),
        ("nn4g", {"layerwise": True}),
        ("nn4g", {"activation": "elu"}),
        ("ring-fcn", {"activation": "tanh+gelu"}),
        ("pgc-sets", {"norm": "layer"}),
    ],
)
def test_nobody_has_written_out_the_others(name: str, settings: dict[str, Any]) -> None:
    measured = {"k": 10} if "dgcnn" in name or name in ("gcn", "ring-fcn") else {}
    assert NETWORKS[name](3, 2, **measured, **settings).by_hand() is None


@pytest.mark.parametrize("name", ALL)
def test_the_plain_lane_has_autograd(name: str) -> None:
    network, _ = a_network(name, {}, torch.float32)
    with lane(fused=False):
        assert network.by_hand() is None


@pytest.mark.parametrize(
    "name",
    [
        *("gcn", "gat", "dcnn", "ecc", "patchy-san", "fingerprint", "nn4g", "gnn", "ggnn"),
        *("ring-fcn", "pgc-sets"),
    ],
)
def test_a_training_has_the_history_of_the_plain_lane(name: str) -> None:
    """Up to rounding: losses and scores of training and validation, epoch by epoch."""
    settings = {"max_epochs": 4, "learning_rate": 1e-4, "random_state": 0, "batch_size": 16}
    histories = [
        gr.NetworkClassifier(name, fused=fused, **settings).fit(gr.load("MUTAG")[:60]).history_
        for fused in (True, False)
    ]
    ours, theirs = ([astuple(epoch) for epoch in history.epochs] for history in histories)
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)
    assert ours != theirs  # they have gone other ways


@pytest.mark.parametrize("name", ALL)
def test_autograd_may_go_back_twice(name: str) -> None:
    """The second time does not change what came of the first."""
    network, batches = a_network(name, {}, torch.float64)
    outputs, weights = network(batches[0]), list(network.parameters())
    first = torch.autograd.grad(outputs[:, 0].sum(), weights, retain_graph=True)
    kept = [grad.clone() for grad in first]
    torch.autograd.grad(outputs[:, 1].sum(), weights)
    assert all(map(torch.equal, first, kept))


@pytest.mark.parametrize("name", ["gnn", "ggnn"])
def test_outputs_in_a_prediction_are_those_by_hand(name: str) -> None:
    """What early stopping has looked at is what the network says later."""
    network, batches = a_network(name, {}, torch.float32)
    by_hand = network.eval().by_hand()
    assert by_hand is not None
    with torch.inference_mode():
        for batch in batches:
            assert torch.equal(by_hand.outputs(batch), network(batch))
