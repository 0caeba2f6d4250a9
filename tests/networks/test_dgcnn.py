import numpy as np
import torch

import graphrings as gr
from graphrings.networks.dgcnn import DGCNN
from networks import oracle


def test_parameters() -> None:
    """7 labels, 2 classes, k = 19; a layer is one ring of 32, the last of 1 channel."""
    convs = (7 + 1) * 32 + 2 * (32 + 1) * 32 + (32 + 1) * 1
    row = 3 * 32 + 1
    head = (row + 1) * 16 + (5 * 16 + 1) * 32 + (5 * 32 + 1) * 128 + (128 + 1) * 2
    result = sum(parameter.numel() for parameter in DGCNN(7, 2, 19).parameters())
    assert result == convs + head == 27_427


def test_mutag_has_the_outputs_of_the_dense_network() -> None:
    dataset = gr.load("MUTAG")[:20]
    batches = oracle.batcher(DGCNN, dataset, 4, 1)
    network = DGCNN(batches.table.shape[1], 2, 19).eval()
    expected = oracle.outputs(oracle.in_double(network), dataset)
    result = network(batches(np.arange(20))).double()
    torch.testing.assert_close(result, expected, rtol=1e-4, atol=1e-6)
