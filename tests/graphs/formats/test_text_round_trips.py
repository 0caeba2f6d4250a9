"""What the formats of other programs hold of a dataset comes back; the rest is said."""

import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import graphrings as gr
from graphrings.errors import DatasetNote
from graphrings.graphs.dataset import Dataset, Fold
from rich_datasets import NAMES, assert_same, rich_datasets

PLACES = [
    ("X", "GraphML"),
    ("X.zip", "GraphML"),
    ("X.graphml", None),
    ("X", "GML"),
    ("X.zip", "GML"),
    ("X", "node-link JSON"),
    ("X.json", None),
    ("X", "edge list CSV"),
    ("X.zip", "edge list CSV"),
]


@pytest.mark.parametrize(("name", "style"), PLACES, ids=str)
@settings(max_examples=25)
@given(dataset=rich_datasets(integers=True, moderate=False, names=NAMES))
def test_everything_but_folds_comes_back(
    tmp_path_factory: pytest.TempPathFactory, name: str, style: str | None, dataset: Dataset
) -> None:
    path = tmp_path_factory.mktemp("any") / name
    gr.write(dataset, path, style)
    assert_same(gr.read(path), replace(dataset, name="X"))


@pytest.mark.parametrize(("name", "style"), PLACES, ids=str)
@settings(max_examples=25)
@given(dataset=rich_datasets(integers=False))
def test_names_of_any_type_come_back_as_text_at_worst(
    tmp_path_factory: pytest.TempPathFactory, name: str, style: str | None, dataset: Dataset
) -> None:
    """The fingerprint does not look at names, so that the graphs must still be the same."""
    path = tmp_path_factory.mktemp("any") / name
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DatasetNote)
        gr.write(dataset, path, style)
    again = gr.read(path)
    assert again.n_labels == dataset.n_labels
    assert len(again.edge_label_names) == len(dataset.edge_label_names)
    assert again.n_classes == dataset.n_classes
    by_text = renumbered(again, dataset)
    assert_same(
        by_text, replace(dataset, name="X"), but=("label_names", "edge_label_names", "class_names")
    )


def renumbered(again: Dataset, dataset: Dataset) -> Dataset:
    """The dataset as read, with its numbers in the order of the names before they became text."""
    parts: dict[str, Any] = {}
    for field in ("node_labels", "edge_labels", "targets"):
        ours, theirs = getattr(again, field), getattr(dataset, field)
        if ours is not None and theirs is not None and theirs.dtype.kind != "f":
            table = dict(zip(ours.tolist(), theirs.tolist(), strict=True))
            assert len(set(table.values())) == len(table)
            parts[field] = theirs.__class__(len(ours), theirs.dtype)
            parts[field][:] = [table[k] for k in ours.tolist()]
    return replace(again, **parts)


@pytest.mark.parametrize("name", ["X", "X.zip", "X.txt"])
@settings(max_examples=25)
@given(dataset=rich_datasets(integers=True))
def test_dgcnn_text_holds_graphs_labels_attributes_classes_and_folds(
    tmp_path_factory: pytest.TempPathFactory, name: str, dataset: Dataset
) -> None:
    graphs = range(len(dataset))
    plain = gr.from_edges(
        [graph.edges for graph in dataset],
        [k % 2 - 1 for k in graphs],
        n_nodes=dataset.sizes.tolist(),
        node_labels=[[3 + v % 2 for v in range(graph.n_nodes)] for graph in dataset],
        name="X",
    )
    plain = replace(plain, node_attributes=dataset.node_attributes)
    if plain.n_labels == 1:
        plain = replace(plain, node_labels=None, label_names=())
    if len(plain) > 1 and name != "X.txt":
        first, rest = plain.targets[:1] * 0, plain.targets[1:] * 0 + 1
        plain = replace(plain, folds=(Fold(rest[:1], first), Fold(first, rest[:1])))
    path = tmp_path_factory.mktemp("dgcnn") / name
    gr.write(plain, path, "DGCNN text")
    assert_same(gr.read(path), plain)


@pytest.mark.parametrize("name", ["X", "X.zip", "X.g6"])
@settings(max_examples=25)
@given(dataset=rich_datasets(integers=True))
def test_graph6_holds_graphs_and_in_a_folder_targets(
    tmp_path_factory: pytest.TempPathFactory, name: str, dataset: Dataset
) -> None:
    bare = replace(
        gr.from_edges([g.edges for g in dataset], n_nodes=dataset.sizes.tolist(), name="X"),
        targets=None if name == "X.g6" else dataset.targets,
        class_names=() if name == "X.g6" else dataset.class_names,
    )
    if any(isinstance(kind, tuple) for kind in bare.class_names):
        bare = replace(bare, class_names=tuple(range(bare.n_classes)))
    path = tmp_path_factory.mktemp("g6") / name
    gr.write(bare, path, "graph6")
    assert_same(gr.read(path), bare)


def test_lost_parts_are_said(tmp_path: Path) -> None:
    mutag = gr.load("MUTAG")
    with pytest.warns(DatasetNote, match="edge labels are left out, since DGCNN text has no place"):
        gr.write(mutag, tmp_path / "X.txt")
    named = gr.from_edges([[(0, 1)]], ["a"], node_labels=["CC"], name="X")
    with pytest.warns(
        DatasetNote,
        match=r"Y.txt: classes are written as numbers.*; node labels are "
        r"written as numbers.*; all nodes have one label, which is read as none",
    ):
        gr.write(named, tmp_path / "Y.txt")
    odd = gr.from_edges([[(0, 1)]], node_labels=[[(1, 2), None]])
    with pytest.warns(DatasetNote, match="Z.json: node labels are written as text"):
        gr.write(odd, tmp_path / "Z.json")
    assert gr.read(tmp_path / "Z.json").label_names == ("(1, 2)", "None")


@pytest.mark.parametrize(
    ("dataset", "name", "style", "message"),
    [
        (gr.from_edges([[(0, 1)]]), "X.txt", None, "DGCNN text holds graphs with classes only"),
        (gr.from_edges([[(0, 1)]], [0.5]), "X.txt", None, "holds graphs with classes only"),
        (gr.from_edges([[(0, 1)]] * 2), "X.gml", None, "2 graphs; a .gml file holds one"),
        (gr.load("MUTAG")[[]], "X", "GraphML", "no graphs; only an .npz file holds none"),
        (gr.load("MUTAG")[[]], "X.g6", None, "no graphs; only an .npz file holds none"),
        (gr.from_edges([[(0, 30_000)]]), "X.g6", None, "30,001 nodes; graph6 holds every pair"),
    ],
)  # fmt: skip
def test_what_a_format_cannot_hold_is_refused(
    tmp_path: Path, dataset: Dataset, name: str, style: str | None, message: str
) -> None:
    before = sorted(tmp_path.iterdir())
    with pytest.raises(gr.GraphRingsError, match=message):
        gr.write(dataset, tmp_path / name, style)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(("name", "style"), PLACES, ids=str)
def test_molecules_keep_their_smiles(tmp_path: Path, name: str, style: str | None) -> None:
    plain = gr.from_edges([[(0, 1), (1, 2)], [(0, 1)]], node_labels=["CCO", "CC"])
    gr.write(replace(plain, smiles=("CCO", "CC")), tmp_path / name, style)
    assert gr.read(tmp_path / name).smiles == ("CCO", "CC")
