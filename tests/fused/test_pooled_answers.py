import numpy as np
import pytest
import torch

from graphrings.fused.pooled_answers import PooledAnswers
from graphrings.fused.pooled_rows import pooled_rows
from graphrings.fused.sorted_places import sort_places


@pytest.mark.parametrize("k", [10, 13])
def test_it_is_what_the_head_computes_where_every_node_has_a_row_of_its_own(k: int) -> None:
    """Keys have ties, graphs more and fewer nodes than places, one of them none."""
    rng, graph_ptr = np.random.default_rng(k), np.array([0, 25, 25, 28, 50])
    layers = [torch.from_numpy(rng.integers(0, 4, (50, 3)).astype(np.float32)) for _ in range(3)]
    filtered = torch.from_numpy(rng.normal(size=(3, 64, 16)).astype(np.float32))
    bias = torch.from_numpy(rng.normal(size=16).astype(np.float32))
    out = np.empty((4, k // 2, 16), dtype=np.float32)
    pooled = PooledAnswers(bias.numpy(), k, all_columns=True, most_nodes=64)
    pooled(filtered.numpy(), tuple(layer.numpy() for layer in layers), graph_ptr, out)
    nodes = np.arange(50, dtype=np.int32)
    parents, rows = [nodes, nodes], filtered[:, :50].reshape(150, 16)
    places = sort_places(layers, parents, graph_ptr, nodes, np.ones_like(nodes), k)
    assert np.array_equal(out, pooled_rows(rows, bias, [50] * 3, parents, places).numpy())
