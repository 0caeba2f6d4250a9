"""Filter or receptive field: who can solve a task, and who cannot, whatever is learned."""

from typing import Any

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.networks.dgcnn import DGCNN
from graphrings.networks.gin import GIN
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.pgc_sets import PGCSets
from graphrings.networks.walk_dgcnn import WalkDGCNN
from networks.sharing import batch_of

BLIND: list[tuple[str, Any, dict[str, Any]]] = [
    ("ring_three", PGCDGCNN, {"radius": 2, "channels": (8,)}),
    ("ring_three", PGCDGCNN, {"radius": 1, "channels": (8, 8)}),
    ("one_cycle_or_two", PGCDGCNN, {"radius": 1, "channels": (8,) * 6}),
    ("one_cycle_or_two", DGCNN, {"channels": (8,) * 6}),
    ("one_cycle_or_two", WalkDGCNN, {"radius": 5, "channels": (8, 8)}),
    ("one_cycle_or_two", GIN, {"channels": (8,) * 4}),
    ("spiders", PGCDGCNN, {"radius": 2, "channels": (8,)}),
    ("spiders", PGCSets, {"radius": 1, "channels": (8, 8)}),
    ("spiders", WalkDGCNN, {"radius": 2, "channels": (8,)}),
    ("spiders", PGCSets, {"radius": 2, "channels": (8,)}),
]
SOLVED: list[tuple[str, str, dict[str, Any]]] = [
    ("ring_three", "pgc-dgcnn", {"radius": 3, "channels": [16, 1]}),
    ("ring_three", "pgc-dgcnn", {"radius": 1, "channels": [16, 16, 16, 1]}),
    ("one_cycle_or_two", "pgc-dgcnn", {"radius": 3, "channels": [16, 1]}),
    ("spiders", "pgc-sets", {"radius": 1, "channels": [16, 16, 16], "norm": "batch"}),
    ("spiders", "pgc-sets", {"radius": 2, "channels": [16, 16]}),
    ("spiders", "gin", {"channels": [16, 16]}),
]


def ids(case: tuple[Any, ...]) -> str:
    return " ".join(getattr(part, "__name__", str(part)) for part in case)


def alike_but_for_the_class(graphs: gr.Dataset) -> list[list[int]]:
    """Graphs with as many nodes of every label, which makes them of one size, in groups."""
    labels = np.zeros(graphs.n_nodes, int) if graphs.node_labels is None else graphs.node_labels
    groups: dict[tuple[int, ...], list[int]] = {}
    for graph in range(len(graphs)):
        own = labels[graphs.graph_ptr[graph] : graphs.graph_ptr[graph + 1]]
        groups.setdefault(tuple(np.bincount(own, minlength=6)), []).append(graph)
    return [group for group in groups.values() if len(set(graphs.targets[group])) == 2]


@pytest.mark.parametrize(("task", "kind", "settings"), BLIND, ids=map(ids, BLIND))
def test_whatever_the_weights_both_classes_look_the_same(
    task: str, kind: Any, settings: dict[str, Any]
) -> None:
    graphs = getattr(gr.synthetic, task)(60)
    features = "label" if graphs.n_labels else "degree"
    torch.manual_seed(0)
    network = kind(max(1, graphs.n_labels), 2, **kind.measure(graphs), **settings).double().eval()
    out = network(batch_of(network.view, graphs, features)).detach()
    groups = alike_but_for_the_class(graphs)
    assert groups
    for group in groups:
        assert_close(out[group], out[group[:1]].expand(len(group), -1), rtol=1e-5, atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize(("task", "method", "settings"), SOLVED, ids=map(ids, SOLVED))
def test_the_right_filter_solves_it(task: str, method: str, settings: dict[str, Any]) -> None:
    graphs, others = (getattr(gr.synthetic, task)(120, seed) for seed in (1, 2))
    fitted = gr.NetworkClassifier(
        method,
        **settings,
        features="label" if graphs.n_labels else "degree",
        learning_rate=0.01,
        batch_size=20,
        max_epochs=60,
        dropout=0.0,
        validation_fraction=0.0,
        random_state=0,
    ).fit(graphs)
    assert fitted.score(others) > 0.95
