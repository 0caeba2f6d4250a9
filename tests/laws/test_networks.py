"""What holds for the networks on all graphs, whatever their weights."""

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor, nn
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.pgc_dgcnn_released import PGCDGCNNReleased
from networks import oracle
from strategies import datasets, shuffled

CHANNELS, K = (3, 2, 1), 10
SMALL_HEAD = {"conv_channels": (4, 3), "dense": 5}
CLOSE = {"rtol": 1e-3, "atol": 1e-4}
seeds = st.integers(0, 999)
few = settings(max_examples=30)  # of every network
networks = pytest.mark.parametrize(
    ("kind", "radius"),
    [(PGCDGCNN, 0), (PGCDGCNN, 1), (PGCDGCNN, 2), (PGCDGCNN, 3), (DGCNN, 1), (PGCDGCNNReleased, 2)],
)


def network_of(kind: Any, dataset: gr.Dataset, radius: int, seed: int) -> nn.Module:
    own = {"radius": radius} if kind is PGCDGCNN else {}
    n_features = len(np.unique(dataset.node_labels))
    network = kind(n_features, 3, K, channels=CHANNELS, **SMALL_HEAD, **own)
    return oracle.randomised(network, seed)


def outputs_of(
    kind: Any, dataset: gr.Dataset, radius: int, seed: int, graphs: Any = None
) -> Tensor:
    network = network_of(kind, dataset, radius, seed)
    batches = oracle.batcher(kind, dataset, len(CHANNELS), radius)
    batch = batches(np.arange(len(dataset)) if graphs is None else graphs)
    assume(oracle.is_decided(network, batch))
    return network(batch).detach()


@pytest.mark.slow
@networks
@few
@given(datasets(), seeds)
def test_shared_rows_give_the_outputs_and_gradients_of_one_row_per_node(
    kind: Any, radius: int, dataset: gr.Dataset, seed: int
) -> None:
    network = network_of(kind, dataset, radius, seed)
    slow = oracle.in_double(network)
    batches = oracle.batcher(kind, dataset, len(CHANNELS), radius)
    batch = batches(np.arange(len(dataset)))
    assume(oracle.is_decided(network, batch))
    out = network(batch)
    expected = oracle.outputs(slow, dataset)
    assert_close(out.double(), expected, **CLOSE)
    weighing = torch.from_numpy(np.random.default_rng(seed).normal(size=out.shape))
    out.backward(weighing.float())
    expected.backward(weighing)
    for ours, theirs in zip(network.parameters(), slow.parameters(), strict=True):
        scale = max(1.0, float(theirs.grad.abs().max()))
        assert_close(ours.grad.double() / scale, theirs.grad / scale, **CLOSE)


@networks
@few
@given(datasets(), seeds)
def test_any_graphs_in_any_order_get_the_outputs_they_get_together(
    kind: Any, radius: int, dataset: gr.Dataset, seed: int
) -> None:
    chosen = np.random.default_rng(seed).integers(0, len(dataset), 5)
    together = outputs_of(kind, dataset, radius, seed)
    assert_close(outputs_of(kind, dataset, radius, seed, chosen), together[chosen], **CLOSE)


@pytest.mark.parametrize(("kind", "radius"), [(PGCDGCNN, 1), (PGCDGCNN, 2), (DGCNN, 1)])
@few
@given(datasets(), seeds)
def test_the_numbers_of_the_nodes_do_not_matter(
    kind: Any, radius: int, dataset: gr.Dataset, seed: int
) -> None:
    other, _ = shuffled(dataset, seed)
    before, after = (outputs_of(kind, graphs, radius, seed) for graphs in (dataset, other))
    assert_close(before, after, **CLOSE)


@networks
@few
@given(datasets(), seeds)
def test_the_other_graphs_of_a_dataset_do_not_matter(
    kind: Any, radius: int, dataset: gr.Dataset, seed: int
) -> None:
    """A graph alone has the outputs it has among others, if it shows the same labels."""
    twice = dataset[np.concatenate([np.arange(len(dataset))[::-1], np.arange(len(dataset))])]
    alone, among = outputs_of(kind, dataset, radius, seed), outputs_of(kind, twice, radius, seed)
    assert_close(among[len(dataset) :], alone, **CLOSE)
    assert_close(among[: len(dataset)], alone.flip(0), **CLOSE)
