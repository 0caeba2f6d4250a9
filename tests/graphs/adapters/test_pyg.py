from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.adapters.pyg import one_hot_block
from rich_datasets import assert_same, rich_datasets

pyg = pytest.importorskip("torch_geometric.data")
EDGE = torch.tensor([[0, 1], [1, 0]])
HOT = torch.tensor([[1.0, 0.0], [0.0, 1.0]])


def edge(**parts: Any) -> Any:
    """Two nodes, joined."""
    return pyg.Data(edge_index=EDGE, num_nodes=2, **parts)


def as_pyg_has_it(dataset: gr.Dataset) -> gr.Dataset:
    """What survives: names are numbers, and numbers have 24 bits."""

    def single(values: Any) -> Any:
        return None if values is None else values.astype(np.float32).astype(np.float64)

    values = dataset.has_values
    return replace(
        dataset,
        targets=single(dataset.targets) if values else dataset.targets,
        class_names=tuple(range(dataset.n_classes)),
        label_names=tuple(range(dataset.n_labels)),
        edge_label_names=tuple(range(len(dataset.edge_label_names))),
        node_attributes=single(dataset.node_attributes),
        edge_attributes=single(dataset.edge_attributes),
    )


@settings(max_examples=40)
@given(rich_datasets(integers=True, moderate=True))
def test_graphs_come_back(dataset: gr.Dataset) -> None:
    """Told which columns are labels; targets are given, since whole values would be classes."""
    again = gr.from_pyg(
        dataset.to_pyg(),
        dataset.targets,
        node_labels=slice(0, dataset.n_labels) if dataset.n_labels else None,
        edge_labels=slice(0, len(dataset.edge_label_names)) if dataset.n_edges else None,
        name=dataset.name,
    )
    expected = as_pyg_has_it(dataset)
    assert_same(again, expected, but=("targets", "class_names"))
    own = [graph.y.item() for graph in dataset.to_pyg()]
    assert own == expected.targets.tolist()


def test_mutag_comes_back_without_a_word() -> None:
    mutag = gr.load("MUTAG")
    again = gr.from_pyg(mutag.to_pyg())
    assert again.fingerprint == mutag.fingerprint
    assert np.array_equal(again.edge_labels, mutag.edge_labels)


@pytest.mark.parametrize(
    ("columns", "block"),
    [
        ([[1, 0, 0], [0, 0, 1]], (0, 3)),
        ([[1, 0, 0.5], [0, 1, 0.5]], (0, 2)),
        ([[0.5, 1, 0], [0.5, 0, 1]], (1, 3)),
        ([[1, 0, 0, 7], [0, 1, 0, 8]], (0, 3)),
        ([[1, 7], [1, 8]], (0, 0)),
        ([[1, 1], [0, 1]], (0, 0)),
        ([[0.5, 0.5], [0, 1]], (0, 0)),
        ([[1, 0, 3, 1, 0, 0], [0, 1, 3, 0, 0, 1]], (3, 6)),
    ],
)
def test_which_columns_are_a_one_hot(columns: list[list[float]], block: tuple[int, int]) -> None:
    chosen = one_hot_block(np.array(columns))
    assert (chosen.start, chosen.stop) == block


def test_labels_and_attributes_of_nodes_and_edges_are_told_apart() -> None:
    x = torch.tensor([[1.0, 0.0, 0.25], [0.0, 1.0, 4.0]])
    made = gr.from_pyg([edge(x=x, edge_attr=torch.tensor([3, 3]), y=torch.tensor([1]))] * 2)
    assert made[1].node_labels.tolist() == [0, 1]
    assert made[1].node_attributes.tolist() == [[0.25], [4.0]]
    assert (made.edge_label_names, made.edge_attributes) == ((3,), None)
    assert made.class_names == (1,)
    lengths = gr.from_pyg([edge(edge_attr=torch.tensor([[0.5], [0.5]]))])
    assert (lengths.edge_labels, lengths.edge_attributes.tolist()) == (None, [[0.5], [0.5]])
    none = gr.from_pyg([edge(x=x)], node_labels=None)
    assert (none.n_labels, none.node_attributes.shape) == (0, (2, 3))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of torch, in PyTorch Geometric
def test_every_holder_of_graphs_is_taken(tmp_path: Path) -> None:
    datasets = pytest.importorskip("torch_geometric.datasets")
    mutag = gr.load("MUTAG")[:5]
    attributes = np.arange(2.0 * mutag.n_nodes).reshape(-1, 2) % 2  # ones and zeros, no one-hot
    expected = replace(mutag, name="TINY", node_attributes=attributes)
    (tmp_path / "TINY").mkdir()
    with pytest.warns(DatasetNote):  # labels that these molecules do not have
        gr.write(expected, tmp_path / "TINY" / "raw")
    holder = datasets.TUDataset(tmp_path, "TINY", use_node_attr=True)
    made = gr.from_pyg(holder)
    assert made.fingerprint == expected.fingerprint
    assert np.array_equal(made.node_attributes, expected.node_attributes)
    batch = pyg.Batch.from_data_list(expected.to_pyg())
    assert gr.from_pyg(batch).fingerprint == expected.fingerprint
    without = datasets.TUDataset(tmp_path, "TINY")
    assert gr.from_pyg(without[:2]).fingerprint == expected[:2].fingerprint


def test_targets_are_classes_or_values_or_named() -> None:
    graphs = [
        edge(y=torch.tensor([[0.5, 1.0]]), kind="a"),
        edge(y=torch.tensor([[1, 0]]), kind="b"),
    ]
    assert gr.from_pyg(graphs, 0).targets.tolist() == [0.5, 1.0]
    assert gr.from_pyg(graphs, "kind").class_names == ("a", "b")
    assert gr.from_pyg(graphs, [7, 8]).class_names == (7, 8)
    with pytest.raises(
        DatasetError, match=r"graph 0: y of shape \(1, 2\); expected one target per"
    ):
        gr.from_pyg(graphs)
    with pytest.raises(DatasetError, match="graph 0: no column 2 of y, which has 2"):
        gr.from_pyg(graphs, 2)
    assert gr.from_pyg([edge(y=torch.tensor(0)), edge()]).targets is None


@pytest.mark.parametrize(
    ("graphs", "message"),
    [
        ([], "no graphs"),
        ([edge(), "x"], "graph 1: a str; expected a Data of PyTorch Geometric"),
        ([edge(x=HOT), edge()], "graph 1: no x, which graph 0 has"),
        ([edge(x=HOT), edge(x=HOT[:, :1])], "x has 1 columns in one graph and 2 in another"),
        ([edge(x=HOT[:1])], r"graph 0: x of shape \(1, 2\); expected 2 rows"),
        ([edge(x=torch.tensor([[0.5], [float("nan")]]))], "x holds numbers that are not finite"),
        ([pyg.Data(edge_index=EDGE + 1, num_nodes=2)], "graph 0: an edge names node 2; expected"),
        ([pyg.Data(edge_index=EDGE[:1], num_nodes=2)], r"edge_index of shape \(1, 2\)"),
        ([pyg.Data(edge_index=EDGE[:, :0], num_nodes=0)], "graph 0: no nodes"),
    ],
)
def test_what_cannot_be_graphs_is_refused(graphs: list[Any], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        gr.from_pyg(graphs)


def test_columns_that_are_no_one_hot_are_refused() -> None:
    with pytest.raises(DatasetError, match="x: columns 0 to 2 are not a one-hot"):
        gr.from_pyg([edge(x=HOT + 1)], node_labels=slice(0, 2))


@pytest.mark.slow
def test_estimators_take_lists_of_data() -> None:
    """A ``y`` of several columns does no harm where targets are given, or not needed."""
    mutag = gr.load("MUTAG")[:40]
    listed = mutag.to_pyg()
    settings = {"max_epochs": 2, "random_state": 0}
    ours = gr.PGCClassifier(**settings).fit(mutag).predict_proba(mutag)
    model = gr.PGCClassifier(**settings).fit(listed)
    assert np.array_equal(model.predict_proba(listed), ours)
    assert np.array_equal(model.predict_proba(pyg.Batch.from_data_list(listed)), ours)
    y = [graph.y.item() for graph in listed]
    for graph in listed:
        graph.y = torch.zeros(1, 3)
    assert np.array_equal(gr.PGCClassifier(**settings).fit(listed, y).predict_proba(listed), ours)
    assert model.predict_proba(listed[0]).shape == (1, 2)
