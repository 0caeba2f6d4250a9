"""The networks once more, slowly: dense matrices in double precision, one row per node.

Nothing is shared here: no colours, no compiled loops, no batches. Numbers that agree to nine places
count as equal where rows are sorted, since dense sums round in another order for every node.
"""

import copy
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

import graphrings as gr
from dense import adjacency, mean_over, ring_means
from graphrings.distances.weights import by_colour
from graphrings.graphs.features import fit_features
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.head import SortPoolHead
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.pgc_dgcnn_released import PGCDGCNNReleased, Streams
from graphrings.networks.views import BallMeans, InNodeOrder, RingMeans

PLACES = 9


VIEWS: dict[Any, Any] = {
    PGCDGCNN: RingMeans,
    DGCNN: lambda depth, _: BallMeans(depth),
    PGCDGCNNReleased: lambda depth, _: InNodeOrder(Streams(depth)),
}


def batcher(kind: Any, dataset: gr.Dataset, depth: int, radius: int) -> Batcher:
    """Batches with shared rows, as the estimators make them; features are the labels."""
    start, table = fit_features(dataset, "label").apply(dataset)
    levels = VIEWS[kind](depth, radius)(dataset, start)
    return Batcher(levels, table[by_colour(levels, 0, start)])


def randomised(network: nn.Module, seed: int) -> nn.Module:
    """All weights and biases drawn anew, none of them zero; no dropout."""
    generator = torch.Generator().manual_seed(seed)
    for parameter in network.parameters():
        nn.init.normal_(parameter, std=0.5, generator=generator)
    return network.eval()


def in_double(network: nn.Module) -> nn.Module:
    """A copy that the oracle reads its weights from, and leaves its gradients in."""
    return copy.deepcopy(network).double()


def is_decided(network: nn.Module, batch: Batch) -> bool:
    """Whether the order of all rows is clear: numbers are equal, or apart by more than rounding.

    Rows that are equal by the equations may differ in their last bits, if their nodes have
    different colours; whatever sees them then ties only up to rounding.
    """
    seen: list[Tensor] = []
    hook = network.head.register_forward_pre_hook(lambda _, given: seen.extend(given[0]))
    network(batch)
    hook.remove()
    gaps = [np.diff(np.sort(h.detach().numpy(), axis=0), axis=0) for h in seen]
    return not any(((gap > 0) & (gap < 1e-6)).any() for gap in gaps)


def outputs(network: nn.Module, dataset: gr.Dataset) -> Tensor:
    """What the network says of every graph, from the equations."""
    start, table = fit_features(dataset, "label").apply(dataset)
    h = torch.from_numpy(table[start]).double()
    layers = {PGCDGCNN: pgc_layers, DGCNN: dgcnn_layers, PGCDGCNNReleased: released_layers}
    rows = torch.cat(layers[type(network)](network, dataset, h), dim=1)
    return head(network.head, rows, dataset)


def pgc_layers(network: Any, dataset: gr.Dataset, h: Tensor) -> list[Tensor]:
    """Eq. (10), layer after layer."""
    means = ring_means(dataset, network.convs[0].radius)
    layers = []
    for conv in network.convs:
        blocks = zip(means, conv.filters(h).chunk(len(means), dim=1), strict=True)
        h = torch.tanh(torch.cat([mean @ block for mean, block in blocks], dim=1))
        layers.append(h)
    return layers


def dgcnn_layers(network: Any, dataset: gr.Dataset, h: Tensor) -> list[Tensor]:
    """Eq. (7), layer after layer."""
    mean = mean_over(adjacency(dataset) + np.eye(dataset.n_nodes))
    layers = []
    for conv in network.convs:
        h = torch.tanh(mean @ conv.filters(h))
        layers.append(h)
    return layers


def released_layers(network: Any, dataset: gr.Dataset, h: Tensor) -> list[Tensor]:
    """The seven points: three streams, one weight matrix, no feature from two hops away."""
    a, own = adjacency(dataset), np.eye(dataset.n_nodes)
    two_hops = (a @ a > 0) & (own == 0)
    sums = torch.from_numpy(a + own)
    degree = torch.from_numpy(a.sum(axis=1, keepdims=True) + 1)
    two_hop_degree = torch.from_numpy(two_hops.sum(axis=1, keepdims=True) + 1.0)
    one_hop = no_hop = h
    layers = []
    for weight, bias in zip(network.weights, network.biases, strict=True):
        linear = sums @ one_hop @ weight + bias
        one_hop, two_hop = torch.tanh(linear / degree), torch.tanh(linear / two_hop_degree)
        no_hop = torch.tanh(no_hop @ weight + bias)
        layers.append(torch.cat([one_hop, two_hop, no_hop], dim=1))
    return layers


def head(module: SortPoolHead, rows: Tensor, dataset: gr.Dataset) -> Tensor:
    """Sorted rows, two 1-D convolutions of torch, two dense layers."""
    width = rows.shape[1]
    bounds = dataset.graph_ptr.tolist()
    pooled = torch.stack(
        [
            sorted_rows(rows[first:last], module.sort.k, module.sort.ties == "all")
            for first, last in zip(bounds[:-1], bounds[1:], strict=True)
        ]
    )
    filters = module.rows.filters
    x = pooled.flatten(1).unsqueeze(1)
    x = functional.conv1d(x, filters.weight.unsqueeze(1), filters.bias, stride=width)
    x = functional.max_pool1d(torch.relu(x), 2, 2)
    filters = module.conv.filters
    weight = filters.weight.view(len(filters.weight), module.conv.size, -1).transpose(1, 2)
    x = torch.relu(functional.conv1d(x, weight, filters.bias))
    x = torch.relu(module.dense(x.transpose(1, 2).flatten(1)))
    return module.out(x)  # type: ignore[no-any-return]


def sorted_rows(rows: Tensor, k: int, all_columns: bool) -> Tensor:
    """SortPooling of one graph: by all columns, or by the last and then as the nodes stand."""
    values = rows.detach().numpy().round(PLACES) + 0.0
    keys = -values.T if all_columns else -values.T[-1:]
    order = torch.from_numpy(np.lexsort(tuple(keys))[:k].copy())
    return torch.cat([rows[order], rows.new_zeros((k - len(order), rows.shape[1]))])
