"""Several networks computed at once, against the same ones computed one by one."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.distances.weights import by_colour
from graphrings.graphs.features import fit_features
from graphrings.networks.batches import Batcher
from graphrings.networks.names import NETWORKS

VARIANTS: list[tuple[str, dict[str, Any]]] = [
    ("pgc-dgcnn", {}),
    ("pgc-dgcnn", {"radius": 0, "channels": (5, 1)}),
    ("pgc-dgcnn", {"bias": False, "ties": "last"}),
    ("pgc-dgcnn", {"channels": (3,)}),
    ("dgcnn", {}),
    ("walk-dgcnn", {"radius": 1}),
]


@pytest.mark.parametrize(("name", "settings"), VARIANTS)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32])
def test_outputs_and_gradients_are_those_of_every_network_alone(
    name: str, settings: dict[str, Any], training: bool, dtype: torch.dtype
) -> None:
    """Also with dropout: everyone draws from a generator of its own."""
    dataset = gr.load("MUTAG")[:12]
    features = fit_features(dataset, "label+degree")
    start, table = features.apply(dataset)
    kind, close = NETWORKS[name], {"rtol": 1e-9, "atol": 1e-9}
    if dtype == torch.float32:
        close = {"rtol": 1e-3, "atol": 1e-4}
    torch.manual_seed(0)
    networks = [
        kind(features.width, 2, k=10, **settings).to(dtype).train(training) for _ in range(3)
    ]
    levels = networks[0].view(dataset, start)
    batch = Batcher(levels, table[by_colour(levels, 0, start)])(np.arange(12))
    batch = replace(batch, features=batch.features.to(dtype))
    names = [key for key, _ in networks[0].named_parameters()]
    stacked = {
        key: torch.stack([dict(n.named_parameters())[key].detach() for n in networks])
        for key in names
    }
    for values in stacked.values():
        values.requires_grad_()
    generators = [torch.Generator().manual_seed(seed) for seed in range(3)] if training else []
    ours = networks[0].together(stacked, batch, generators)
    weights = torch.linspace(-1, 2, ours[0].numel(), dtype=dtype).view_as(ours[0])
    grads = torch.autograd.grad((ours * weights).sum(), list(stacked.values()))
    for number, network in enumerate(networks):
        torch.manual_seed(number)
        theirs = network(batch)
        assert_close(ours[number], theirs, **close)
        expected = torch.autograd.grad((theirs * weights).sum(), list(network.parameters()))
        for grad, one in zip(grads, expected, strict=True):
            scale = max(1.0, float(one.abs().max()))
            assert_close(grad[number] / scale, one / scale, **close)
