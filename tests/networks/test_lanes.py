"""Every network in both lanes, and on every device that there is."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor
from torch.nn import functional
from torch.testing import assert_close
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

import graphrings as gr
from graphrings.distances.weights import by_colour
from graphrings.fused.lane import lane
from graphrings.graphs.features import fit_features
from graphrings.layers import RingConv, SortPool
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.names import NETWORKS
from graphrings.networks.network import Network

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in NETWORKS),
    ("pgc-dgcnn", {"activation": "relu", "bias": False, "ties": "last"}),
    ("pgc-dgcnn", {"activation": "tanh+relu+gelu"}),
    ("ring-fcn", {"norm": "batch", "residual": True, "activation": "gelu"}),
    ("pgc-sets", {"norm": "layer", "residual": True, "readout": "mean-sum-max"}),
    ("gcn", {"readout": "sort", "radius": 2}),
    ("gin", {"learn_epsilon": True}),
    ("gin", {"radius": 2}),
    ("gat", {"radius": 2}),
    ("nn4g", {"layerwise": True}),
]
variants = pytest.mark.parametrize(
    ("name", "settings"), VARIANTS, ids=[f"{name} {settings or ''}" for name, settings in VARIANTS]
)


def network_and_batcher(
    name: str, settings: dict[str, Any], device: str = "cpu"
) -> tuple[Network, Batcher]:
    """A network in training on MUTAG, and its batches."""
    dataset = gr.load("MUTAG")[:12]
    features = fit_features(dataset, "label+degree")
    start, table = features.apply(dataset)
    torch.manual_seed(0)
    kind = NETWORKS[name]
    network = kind(features.width, 2, **kind.measure(dataset), **settings).to(device)
    levels = network.view(dataset, start)
    network.begin(0)
    return network.train(), Batcher(levels, table[by_colour(levels, 0, start)], device)


def losses_and_gradients(network: Network, batch: Batch) -> tuple[Tensor, list[Tensor]]:
    """With dropout, as in training; the seed decides what is dropped."""
    torch.manual_seed(1)
    targets = torch.arange(len(batch.graph_ptr) - 1, device=batch.features.device) % 2
    loss = functional.cross_entropy(network(batch), targets)
    trained = [p for p in network.parameters() if p.requires_grad]
    grads = torch.autograd.grad(loss, trained, allow_unused=True, materialize_grads=True)
    return loss.detach(), list(grads)


@variants
def test_both_lanes_have_the_same_losses_and_gradients(name: str, settings: dict[str, Any]) -> None:
    network, batcher = network_and_batcher(name, settings)
    batch, network = batcher(np.arange(12)), network.double()
    batch = replace(batch, features=batch.features.double())
    buffers = [buffer.clone() for buffer in network.buffers()]
    ours = losses_and_gradients(network, batch)
    after = [buffer.clone() for buffer in network.buffers()]
    for buffer, before in zip(network.buffers(), buffers, strict=True):
        buffer.copy_(before)
    with lane(fused=False):
        theirs = losses_and_gradients(network, batch)
    # A fixed point is reached up to its tolerance only; the batch's weights are single.
    assert_close(ours, theirs, rtol=1e-4, atol=1e-5 if name == "gnn" else 1e-7)
    assert_close(after, list(network.buffers()))


@pytest.fixture
def visits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The layers whose ``forward`` is called, in order."""
    seen: list[str] = []
    for kind in (RingConv, SortPool):
        forward = kind.forward

        def noted(self: Any, *given: Any, forward: Any = forward) -> Any:
            seen.append(type(self).__name__)
            return forward(self, *given)

        monkeypatch.setattr(kind, "forward", noted)
    return seen


def test_in_the_plain_lane_every_layer_is_really_called(visits: list[str]) -> None:
    network, batcher = network_and_batcher("pgc-dgcnn", {})
    network(batcher(np.arange(3)))
    assert visits == []
    with lane(fused=False):
        network(batcher(np.arange(3)))
    assert visits == ["RingConv"] * 4 + ["SortPool"]


@variants
def test_autocast_changes_little(name: str, settings: dict[str, Any]) -> None:
    network, batcher = network_and_batcher(name, settings)
    batch = batcher(np.arange(12))
    network.eval()
    expected = network(batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        outputs = network(batch)
        outputs.float().sum().backward()
    assert_close(outputs.float(), expected, rtol=0.1, atol=0.1)


class OneDevice(TorchDispatchMode):
    """Refuses every operation but a move whose tensors lie on several devices."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        del types
        tensors = [x for x in tree_leaves((args, kwargs)) if isinstance(x, Tensor) and x.dim()]
        devices = {x.device.type for x in tensors}
        assert len(devices) < 2 or "copy" in func.__name__, f"{func} on {devices}"
        return func(*args, **(kwargs or {}))


@variants
def test_everything_is_moved_to_the_device_of_the_features(
    name: str, settings: dict[str, Any]
) -> None:
    """The device of torch that knows shapes but no values stands for any other."""
    if name in ("gnn", "fingerprint", "nn4g"):
        pytest.skip("it asks for values on its way")
    network, batcher = network_and_batcher(name, settings, "meta")
    with OneDevice():
        network(batcher(np.arange(12))).sum().backward()
    grads = [weight.grad for weight in network.parameters() if weight.grad is not None]
    assert {grad.device.type for grad in grads} == {"meta"}


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA here")
@variants
def test_cuda_has_the_losses_and_gradients_of_the_cpu(name: str, settings: dict[str, Any]) -> None:
    results = []
    for device in ("cpu", "cuda"):
        network, batcher = network_and_batcher(name, {**settings}, device)
        network.eval()  # dropout draws other numbers there
        loss, grads = losses_and_gradients(network, batcher(np.arange(12)))
        results.append((loss.cpu(), [grad.cpu() for grad in grads]))
    assert_close(*results, rtol=1e-3, atol=1e-4)
