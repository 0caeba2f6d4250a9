from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

import graphrings as gr
from graphrings.graphs.arrays import NAMES
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.formats.tu import read_tu
from graphrings.graphs.mapped import contents, open_mapped, write_mapped
from written import TU, write_folder

LEFT_OUT = ("folds", "repairs")  # of the source, not of the graphs


@pytest.fixture
def rich(tmp_path: Path) -> gr.Dataset:
    """Nodes and edges with labels and attributes, and a name that is not plain."""
    source = TU | {
        "TINY_node_attributes.txt": "".join(f"{v}.5, -{v}\n" for v in range(7)),
        "TINY_edge_labels.txt": "3\n3\n4\n4\n3\n3\n4\n4\n",
        "TINY_edge_attributes.txt": "1\n1\n2\n2\n3\n3\n4\n4\n",
    }
    graphs = read_tu(write_folder(tmp_path / "TINY", source))
    chemistry = Chemistry(labels="element", hydrogens=True)
    return replace(graphs, name='ü "<b>"', smiles=("C", "N", "O"), chemistry=chemistry)


def assert_same(again: gr.Dataset, expected: gr.Dataset) -> None:
    for field in fields(gr.Dataset):
        if field.name in LEFT_OUT:
            continue
        ours, theirs = getattr(again, field.name), getattr(expected, field.name)
        if isinstance(theirs, np.ndarray):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)
        else:
            assert ours == theirs
            assert type(ours) is type(theirs)


def test_all_of_a_dataset_comes_back(tmp_path: Path, rich: gr.Dataset) -> None:
    write_mapped(rich, tmp_path / "deep" / "folder")
    again = open_mapped(tmp_path / "deep" / "folder")
    assert_same(again, rich)
    assert again.edge_labels is not None
    assert again.fingerprint == rich.fingerprint
    assert {type(name) for field in NAMES for name in getattr(again, field)} == {int}


def test_values_and_names_that_are_tuples_come_back(tmp_path: Path) -> None:
    labels = [[(1, "a"), (2, (3, None))]]
    values = gr.from_edges([[(0, 1)]], [0.5], node_labels=labels)
    write_mapped(values, tmp_path / "folder")
    assert_same(open_mapped(tmp_path / "folder"), values)
    hash(open_mapped(tmp_path / "folder").label_names)


def test_what_is_missing_stays_missing(tmp_path: Path, rich: gr.Dataset) -> None:
    bare = gr.Dataset("bare", rich.graph_ptr, rich.indptr, rich.indices)
    write_mapped(bare, tmp_path / "folder")
    assert_same(open_mapped(tmp_path / "folder"), bare)


def test_no_graphs_at_all(tmp_path: Path, rich: gr.Dataset) -> None:
    write_mapped(rich[:0], tmp_path / "folder")
    assert_same(open_mapped(tmp_path / "folder"), rich[:0])


def test_contents_are_all_that_a_fit_may_see(tmp_path: Path, rich: gr.Dataset) -> None:
    write_mapped(rich, tmp_path / "folder")
    assert contents(open_mapped(tmp_path / "folder")) == contents(rich)
    assert rich.node_attributes is not None
    assert rich.edge_labels is not None
    others = [
        replace(rich, node_attributes=rich.node_attributes + 1),
        replace(rich, edge_labels=1 - rich.edge_labels),
        replace(rich, label_names=tuple(name + 1 for name in rich.label_names)),
        replace(rich, edge_attributes=None),
        replace(rich, smiles=("C", "N", "F")),
        replace(rich, chemistry=None),
        rich[:1],
    ]
    assert len({contents(rich), *map(contents, others)}) == 8
