import numpy as np
import pytest
import torch
from torch import Tensor

import graphrings as gr
from dense import random_rows
from graphrings.distances.weights import summed
from graphrings.layers.gin_layer import GINLayer, gin_layers
from lanes import assert_lanes_agree


@pytest.mark.parametrize("training", [True, False])
def test_it_is_one_plain_layer_after_the_other(training: bool) -> None:
    """Two layers of other widths over a paw and an edge; rows count once, twice, ..."""
    graphs = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]])
    near, counts = summed(gr.rings(graphs, 1)), np.arange(1, 7)
    torch.manual_seed(0)
    layers = [GINLayer(3, 4).double(), GINLayer(4, 2).double()]
    for layer in layers:
        layer.train(training)
        for seen in layer.buffers():
            seen.uniform_(0.5, 2)
    h = random_rows(6, 3).requires_grad_()

    def rows() -> Tensor:
        return torch.cat(gin_layers(h, layers, [near, near], [counts, counts]), dim=1)

    parameters = [p for layer in layers for p in layer.parameters()]
    assert_lanes_agree(rows, [h, *parameters], rtol=1e-6, atol=1e-6)
