from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.fingerprint import numbered
from strategies import datasets as random_datasets
from written import write_folder


def as_tu(dataset: Dataset) -> dict[str, str]:
    """The files of the TU format."""
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees)
    entries = zip(tails, dataset.indices, strict=True)
    return {
        "X_A.txt": "".join(f"{u + 1}, {v + 1}\n" for u, v in entries),
        "X_graph_indicator.txt": "".join(f"{i + 1}\n" for i in dataset.owner),
        "X_graph_labels.txt": "".join(f"{target}\n" for target in dataset.targets),
        "X_node_labels.txt": "".join(f"{label}\n" for label in dataset.node_labels),
    }


def as_dgcnn(dataset: Dataset) -> dict[str, str]:
    """The file of the DGCNN text format, with other numbers for labels and classes."""
    lines = [f"{len(dataset)}"]
    for graph in dataset:
        lines.append(f"{graph.n_nodes} {7 - graph.target}")
        for v in range(graph.n_nodes):
            heads = graph.neighbours(v).tolist()
            lines.append(" ".join(map(str, [5 - graph.node_labels[v], len(heads), *heads])))
    return {"X.txt": "\n".join(lines)}


@given(dataset=random_datasets())
def test_the_format_of_the_files_does_not_show(
    tmp_path_factory: pytest.TempPathFactory, dataset: Dataset
) -> None:
    folder = tmp_path_factory.mktemp("both")
    tu = gr.read_tu(write_folder(folder / "tu", as_tu(dataset)))
    dgcnn = gr.read_dgcnn_text(write_folder(folder / "dgcnn", as_dgcnn(dataset)))
    assert tu.fingerprint == dgcnn.fingerprint == dataset.fingerprint


@given(random_datasets())
def test_graphs_taken_out_and_joined_again_are_the_same_dataset(dataset: Dataset) -> None:
    assert gr.from_graphs(list(dataset)).fingerprint == dataset.fingerprint


def two_paths(labels: str = "CCNO", classes: str = "xy") -> Dataset:
    edges = [[(0, 1)], [(0, 1)]]
    return gr.from_edges(edges, list(classes), node_labels=[labels[:2], labels[2:]])


@pytest.mark.parametrize(("labels", "classes"), [("NNOC", "yx"), ("zzyx", "01")])
def test_new_names_for_labels_and_classes_change_nothing(labels: str, classes: str) -> None:
    assert two_paths(labels, classes).fingerprint == two_paths().fingerprint


@pytest.mark.parametrize(("labels", "classes"), [("CNNO", "xy"), ("CCOO", "xy"), ("CCNO", "xx")])
def test_another_label_or_class_is_another_dataset(labels: str, classes: str) -> None:
    assert two_paths(labels, classes).fingerprint != two_paths().fingerprint


def test_values_count_as_they_are() -> None:
    def path(*targets: float | None) -> str:
        return gr.from_edges([[(0, 1)]] * 2, None if None in targets else targets).fingerprint

    assert path(0.5, -0.0) == path(0.5, 0.0)
    assert (
        len({path(0.5, 1), path(1, 0.5), path(0.5, 2), path(0.5, 0.5), path(None), path(1, 2)}) == 6
    )


def test_another_edge_or_order_is_another_dataset() -> None:
    path, triangle = nx.path_graph(3), nx.complete_graph(3)
    made = [gr.from_networkx(graphs) for graphs in ([path, triangle], [triangle, path], [path] * 2)]
    assert len({dataset.fingerprint for dataset in made}) == 3


def test_labels_that_are_all_the_same_say_nothing() -> None:
    plain, zeros = gr.from_edges([[(0, 1)]]), gr.from_edges([[(0, 1)]], node_labels=[[0, 0]])
    assert plain.fingerprint == zeros.fingerprint


@given(st.lists(st.integers(0, 4), min_size=1), st.integers(1, 9))
def test_labels_are_numbered_by_first_appearance(labels: list[int], at_once: int) -> None:
    order = list(dict.fromkeys(labels))
    expected = [order.index(label) for label in labels] if len(order) > 1 else []
    assert numbered(np.array(labels, dtype=np.int32), at_once).tolist() == expected


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@pytest.mark.parametrize(("tu", "dgcnn"), [("PROTEINS", "PROTEINS"), ("IMDB-BINARY", "IMDBBINARY")])
def test_published_files_of_both_formats_agree(datasets: Path, tu: str, dgcnn: str) -> None:
    first = gr.read_tu(datasets / "tu" / f"{tu}.zip")
    second = gr.read_dgcnn_text(datasets / "dgcnn_text" / f"{dgcnn}.zip")
    assert first.fingerprint == second.fingerprint
