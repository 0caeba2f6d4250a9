from typing import Any

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from torch.nn import functional
from torch.testing import assert_close

import graphrings as gr
from dense import distances
from graphrings.distances.labelling import labelling
from graphrings.networks.patchy_san import Fields, PatchySAN
from networks.oracle import randomised
from networks.sharing import batch_of
from strategies import datasets, shuffled

WIDTH, SIZE = 12, 4
SMALL: dict[str, Any] = {"field": SIZE, "conv_channels": (3, 2), "dense": 5}


def network_of(n_features: int) -> PatchySAN:
    network = randomised(PatchySAN(n_features, 2, WIDTH, **SMALL), 0)
    return network.double()  # type: ignore[return-value]


def slowly(network: PatchySAN, dataset: gr.Dataset, x: Tensor, start: np.ndarray) -> Tensor:
    """The outputs from sorted lists and torch's own convolutions, one row per node."""
    labels, distance = labelling(dataset, start), distances(dataset)
    x = torch.cat([x, x.new_zeros(1, x.shape[1])])  # the last row fills up
    answers = []
    for first, last in zip(dataset.graph_ptr, dataset.graph_ptr[1:], strict=False):
        sequence = []
        for v in range(first, last):
            order = sorted(range(first, last), key=lambda u: (distance[v, u], labels[u]))
            near = [u for u in order if np.isfinite(distance[v, u])][:SIZE]
            shown = [int(start[u]) for u in near] + [-1] * (SIZE - len(near))
            sequence.append((labels[v], shown, near + [-1] * (SIZE - len(near))))
        chosen = [near for _, _, near in sorted(sequence)[:WIDTH]]
        chosen += [[-1] * SIZE] * (WIDTH - len(chosen))
        weight = network.conv.filters.weight.view(SIZE, 3, -1).permute(1, 2, 0)
        h = functional.conv1d(x[np.ravel(chosen)].t(), weight, network.conv.bias, stride=SIZE)
        filters = network.sequence.filters
        weight = filters.weight.view(2, 10, 3).transpose(1, 2)
        h = torch.relu(functional.conv1d(torch.relu(h), weight, filters.bias))
        answers.append(network.head.out(torch.relu(network.head.dense(h.t().flatten()))))
    return torch.stack(answers)


@pytest.mark.parametrize("features", ["label", "constant"])
def test_it_has_the_outputs_of_slow_sorting_and_one_row_per_node(features: str) -> None:
    """MUTAG has graphs with more and with fewer nodes than the sequence has places."""
    dataset = gr.load("MUTAG")[3:9]
    assert dataset.sizes.min() < WIDTH < dataset.sizes.max()
    numbers = dataset.node_labels if features == "label" else np.zeros(dataset.n_nodes, int)
    used, start = np.unique(numbers, return_inverse=True)
    network = network_of(len(used))
    outputs = network(batch_of(network.view, dataset, features))
    expected = slowly(network, dataset, torch.eye(len(used)).double()[start], start)
    assert_close(outputs, expected)
    parameters = list(network.parameters())
    assert_close(*(torch.autograd.grad(out[:, 0].sum(), parameters) for out in (outputs, expected)))


def test_equal_fields_are_one_row() -> None:
    """All four nodes of two pairs show the same."""
    batch = batch_of(Fields(10, 3), gr.from_edges([[(0, 1)], [(0, 1)]]), "constant")
    assert batch.rows[0].n_rows == 1
    assert batch.members.tolist() == [0, 0, 0, 0]
    assert batch.graph_ptr.tolist() == [0, 2, 4]


@settings(max_examples=10)
@given(datasets(), st.integers(0, 999))
def test_the_numbers_of_the_nodes_do_not_matter(dataset: gr.Dataset, seed: int) -> None:
    network = network_of(len(np.unique(dataset.node_labels)))
    other, _ = shuffled(dataset, seed)
    assert_close(*(network(batch_of(network.view, d, "label")) for d in (dataset, other)))


def test_nodes_that_refinement_cannot_tell_apart_stand_in_the_order_of_their_fields() -> None:
    """In a triangle beside a hexagon all have two neighbours; their fields have 3 or 4 nodes."""
    graph = nx.disjoint_union(nx.cycle_graph(3), nx.cycle_graph(6))
    renamed = nx.disjoint_union(nx.cycle_graph(6), nx.cycle_graph(3))
    both = gr.from_networkx([graph, renamed])
    batch = batch_of(Fields(10, 4), both, "constant")
    assert batch.members.tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1] * 2


def test_the_width_is_the_mean_size_of_the_training_graphs() -> None:
    assert PatchySAN.measure(gr.load("MUTAG")) == {"width": 18}
    assert PatchySAN.measure(gr.from_edges([[(0, 1)]])) == {"width": 10}


def test_odd_graphs() -> None:
    """One node, no edges, and a batch of one."""
    edgeless = gr.from_edges([[], []], n_nodes=[1, 3])
    network = network_of(1)
    assert network(batch_of(network.view, edgeless, "constant")).isfinite().all()
    assert network(batch_of(network.view, edgeless[:1], "constant")).shape == (1, 2)


def test_parameters_by_hand() -> None:
    """Filters for four places, over ten fields, at three positions."""
    convolutions = 4 * 7 * 3 + 3 + 10 * 3 * 2 + 2
    head = 3 * 2 * 5 + 5 + 5 * 2 + 2
    assert sum(p.numel() for p in network_of(7).parameters()) == convolutions + head
