import numpy as np
from benchmarks.floor import n_multiplications, products_of, random_side
from torch.utils.flop_counter import FlopCounterMode

import graphrings as gr
from graphrings.fused.lane import lane
from graphrings.networks.batches import Batcher
from graphrings.networks.pgc_dgcnn import PGCDGCNN


def test_the_floor_is_made_of_the_products_forward_and_backward() -> None:
    """Counted by torch where autograd makes them, less those that the fused lane does not need.

    With one layer and one row per place the plain lane makes the same: the layer, the rows, the
    head; its rows are padded, so that there are k of them for every graph.
    """
    dataset = gr.load("MUTAG")[:4]
    network = PGCDGCNN(dataset.n_labels, 2, 10, radius=1, channels=(3,)).eval()
    start = np.arange(dataset.n_nodes)  # nobody shares a row
    features = np.eye(dataset.n_labels, dtype=np.float32)[dataset.node_labels]
    batch = Batcher(network.view(dataset, start), features)(np.arange(4))
    with lane(fused=False), FlopCounterMode(display=False) as counter:
        network(batch).sum().backward()
    read = network.head.rows.filters
    per_row = 3 * read.in_features * read.out_features  # there, back to the weights, to the input
    padding = (4 * 10 - dataset.n_nodes) * per_row
    assert counter.get_total_flops() == 2 * (
        n_multiplications(products_of(network, batch)) + padding
    )


def test_products_are_made_as_they_lie() -> None:
    assert random_side(2, 3, turned=False).is_contiguous()
    assert random_side(2, 3, turned=True).t().is_contiguous()
    assert random_side(2, 3, turned=True).shape == (2, 3)
