import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, random_rows
from graphrings.distances.weighted_rows import WeightedRows
from graphrings.fused.stream_stack import stream_stack
from graphrings.networks.pgc_dgcnn_released import Streams
from networks.sharing import batch_of

# A triangle with a tail, a node alone, a graph without edges, and a star.
EDGES: list[list[tuple[int, int]]] = [[(0, 1), (1, 2), (0, 2), (2, 3)], [], [(0, 1), (0, 2)]]
GRAPHS = gr.from_edges(EDGES, n_nodes=[5, 2, 3], node_labels=[[0, 1, 1, 0, 1], [0, 1], [1, 1, 0]])


def unshared(depth: int) -> list[WeightedRows]:
    """Every node has a row of its own, in every layer."""
    return list(batch_of(Streams(depth), GRAPHS, "label", shared=False).rows)


def equations(h: Tensor, weights: list[Tensor], biases: list[Tensor]) -> list[tuple[Tensor, ...]]:
    """The three streams of every layer, by matrices."""
    near = torch.from_numpy(adjacency(GRAPHS)).double()
    own = torch.eye(len(near)).double()
    two_hops = ((near @ near > 0) & (own == 0)).double()
    degree, two_hop_degree = ((a + own).sum(1, keepdim=True) for a in (near, two_hops))
    one_hop = no_hop = h
    layers = []
    for weight, bias in zip(weights, biases, strict=True):
        sums = (near + own) @ one_hop @ weight + bias
        one_hop, two_hop = torch.tanh(sums / degree), torch.tanh(sums / two_hop_degree)
        no_hop = torch.tanh(no_hop @ weight + bias)
        layers.append((one_hop, two_hop, no_hop))
    return layers


@pytest.mark.parametrize("channels", [(4, 3), (2, 35, 1), (32,)])  # in spans, beside them, both
def test_it_is_the_readout_of_the_equations(channels: tuple[int, ...]) -> None:
    widths = zip([3, *channels], channels, strict=False)
    weights = [random_rows(*shape, seed) for seed, shape in enumerate(widths)]
    biases = [random_rows(c, 1, seed)[:, 0] for seed, c in enumerate(channels)]
    h, readout = random_rows(GRAPHS.n_nodes, 3), random_rows(2, 3 * sum(channels), 9)
    sources = [h, readout, *weights, *biases]
    for source in sources:
        source.requires_grad_()
    read, keys = stream_stack(h, unshared(len(channels)), weights, biases, readout)
    layers = equations(h, weights, biases)
    parts = readout.split([3 * c for c in channels], dim=1)
    own = [part.chunk(3, dim=1) for part in parts]
    alone = sum(layer[2] @ part[2].t() for layer, part in zip(layers, own, strict=True))
    others = [a @ p.t() + b @ q.t() for (a, b, _), (p, q, _) in zip(layers, own, strict=True)]
    expected = torch.cat([alone, *others])
    close = {"rtol": 1e-11, "atol": 1e-11}
    assert_close(read, expected, **close)
    assert_close(keys, layers[-1][2][:, -1].detach(), **close)
    assert not keys.requires_grad
    weighing = random_rows(*expected.shape, 8)
    ours, theirs = (torch.autograd.grad(rows, sources, weighing) for rows in (read, expected))
    assert_close(ours, theirs, **close)


def test_its_gradients_are_those_of_differences() -> None:
    near = unshared(2)
    given = [
        random_rows(GRAPHS.n_nodes, 2),
        random_rows(2, 9),
        random_rows(2, 2, 1),
        random_rows(2, 1, 2),
        random_rows(2, 1, 3)[:, 0],
        random_rows(1, 1, 4)[:, 0],
    ]
    for part in given:
        part.requires_grad_()

    def read(h: Tensor, readout: Tensor, *rest: Tensor) -> Tensor:
        return stream_stack(h, near, rest[:2], rest[2:], readout)[0]

    assert gradcheck(read, given)
