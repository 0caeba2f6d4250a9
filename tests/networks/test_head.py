import numpy as np
import pytest
import torch

import graphrings as gr
from graphrings.networks.head import LEAST_K, SortPoolHead
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from networks import oracle


@pytest.fixture
def network() -> PGCDGCNN:
    torch.manual_seed(0)
    return PGCDGCNN(7, 2, 10, radius=1, channels=(4, 1), dropout=0.25)


def test_dropout_keeps_the_mean_and_drops_its_share() -> None:
    head = SortPoolHead([3], 2, 10, dropout=0.25).train()
    torch.manual_seed(0)
    dropped = head.kept(100)
    assert dropped.unique().tolist() == pytest.approx([0, 4 / 3])
    assert float((dropped == 0).float().mean()) == pytest.approx(0.25, abs=0.02)


def test_nothing_is_dropped_when_it_is_not_training(network: PGCDGCNN) -> None:
    batch = oracle.batcher(PGCDGCNN, gr.load("MUTAG"), 2, 1)(np.arange(3))
    network.train()
    assert not torch.equal(network(batch), network(batch))
    network.eval()
    assert torch.equal(network(batch), network(batch))


def test_the_least_k_leaves_one_position() -> None:
    head = SortPoolHead([3], 2, LEAST_K)
    assert head.dense.in_features == 32
