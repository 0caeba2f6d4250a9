import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.testing import assert_close

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.learning.persistence import plain, restored
from graphrings.networks.ecc import ECC
from networks.oracle import randomised
from networks.sharing import assert_sharing_changes_nothing, batch_of

SMALL = {"channels": (4, 3), "filter_hidden": (5,), "dense": 6, "dropout": 0.0}


@pytest.mark.parametrize("features", ["label", "constant"])
@pytest.mark.parametrize("training", [False, True])
def test_shared_rows_change_nothing(features: str, training: bool) -> None:
    dataset = gr.load("MUTAG")[:20]
    n_features = len(np.unique(dataset.node_labels)) if features == "label" else 1
    network = randomised(ECC(n_features, 2, **ECC.measure(dataset), **SMALL), 0)
    assert_sharing_changes_nothing(network.train(training), dataset, features)


def test_shared_rows_change_nothing_without_labels() -> None:
    egos = gr.synthetic.ego_networks(10)
    network = randomised(ECC(1, 2, **ECC.measure(egos), **SMALL), 0)
    assert_sharing_changes_nothing(network, egos, "constant")


def test_labels_are_measured_on_the_training_graphs() -> None:
    """The first has edges of two kinds only."""
    graphs = gr.from_edges([[(0, 1), (1, 2)], [(0, 1)]], edge_labels=[["b", "a"], ["c"]])
    assert ECC.measure(graphs[:1])["edge_labels"] == ("a", "b")
    nothing = {"edge_labels": (), "edge_scales": ()}
    assert ECC.measure(gr.synthetic.ego_networks(2)) == nothing


def test_scales_are_measured_on_the_training_graphs() -> None:
    """Over both directions of an edge; what never changes keeps its size."""
    values = [[[1.0, 7.0], [3.0, 7.0]], [[100.0, 0.0]]]
    graphs = gr.from_edges([[(0, 1), (1, 2)], [(0, 1)]], edge_attributes=values)
    assert ECC.measure(graphs[:1])["edge_scales"] == ((2.0, 1.0), (7.0, 1.0))


def test_edges_matter() -> None:
    """Two molecules that differ in the label of an edge alone."""
    pairs = gr.from_edges([[(0, 1)], [(0, 1)]], edge_labels=[["a"], ["b"]])
    network = randomised(ECC(1, 2, **ECC.measure(pairs), **SMALL), 0).double()
    one, other = network(batch_of(network.view, pairs, "constant"))
    assert not torch.allclose(one, other)


def test_attributes_matter_and_rows_are_those_of_nodes() -> None:
    """The first two graphs differ in one number, the third is the first with nodes renamed."""
    edges = [[(0, 1), (1, 2)], [(0, 1), (1, 2)], [(0, 2), (0, 1)]]
    paths = gr.from_edges(edges, edge_attributes=[[1.0, 2.0], [1.0, 2.5], [2.0, 1.0]])
    network = randomised(ECC(1, 2, **ECC.measure(paths), **SMALL), 0).double()
    batch = batch_of(network.view, paths, "constant")
    assert len(batch.members) == paths.n_nodes
    assert len(batch.features) == 1
    one, other, renamed = network(batch)
    assert not torch.allclose(one, other)
    assert_close(one, renamed)


def test_other_attributes_than_those_of_training_are_refused() -> None:
    edges = [[(0, 1)], [(0, 1), (1, 2)]] * 4
    one = gr.from_edges(edges, edge_attributes=[[1.0], [2.0, 3.0]] * 4, targets=[0, 1] * 4)
    model = gr.NetworkClassifier("ecc", max_epochs=1).fit(one)
    with pytest.raises(DatasetError, match="0 edge attributes; training had 1"):
        model.predict(gr.from_edges(edges))
    assert len(model.predict(gr.from_edges([[]], n_nodes=[2]))) == 1  # no edge, nothing to have


def test_a_file_keeps_the_scales(tmp_path: Path) -> None:
    edges, values = [[(0, 1)], [(0, 1), (1, 2)]] * 4, [[1.0], [2.0, 3.0]] * 4
    graphs = gr.from_edges(edges, edge_attributes=values, targets=[0, 1] * 4)
    model = gr.NetworkClassifier("ecc", max_epochs=2).fit(graphs)
    model.save(tmp_path / "model.safetensors")
    again = gr.load_model(tmp_path / "model.safetensors")
    assert np.array_equal(again.predict_proba(graphs), model.predict_proba(graphs))


def test_labels_are_known_by_their_names() -> None:
    """The same graphs, whose labels have other numbers."""
    dataset = gr.load("MUTAG")[:10]
    names = dataset.edge_label_names
    other = replace(
        dataset,
        edge_labels=len(names) - dataset.edge_labels,
        edge_label_names=("new", *names[::-1]),
    )
    network = randomised(ECC(1, 2, **ECC.measure(dataset), **SMALL), 0).double()
    batches = [batch_of(network.view, graphs, "constant") for graphs in (dataset, other)]
    assert_close(network(batches[1]), network(batches[0]))


def test_a_file_can_keep_the_labels() -> None:
    outputs = ECC.measure(gr.load("MUTAG"))["edge_labels"]
    assert outputs == (0, 1, 2, 3)
    assert restored(json.loads(json.dumps(plain(outputs)))) == outputs


def test_parameters_by_hand() -> None:
    """Filters from three labels (one is the node's own) by five units, norms, the head."""
    network = ECC(7, 2, ("a", "b"), (), **SMALL)
    filters = (3 * 5 + 5 + 5 * 28 + 28) + (3 * 5 + 5 + 5 * 12 + 12)
    norms, head = 2 * 4 + 2 * 3, 3 * 6 + 6 + 6 * 2 + 2
    assert sum(p.numel() for p in network.parameters()) == filters + norms + head
