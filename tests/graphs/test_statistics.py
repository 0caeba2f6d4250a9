from collections.abc import Callable
from pathlib import Path

import pytest

import graphrings as gr
from graphrings.graphs.dataset import Dataset, Repairs
from written import TU, write_folder

TABLE_ONE = [
    ("MUTAG", 28, "17.93", 188),
    ("PTC", 109, "25.56", 344),
    ("NCI1", 111, "29.87", 4110),
    ("PROTEINS", 620, "39.06", 1113),
    ("DD", 5748, "284.32", 1178),
    pytest.param("COLLAB", 492, "74.49", 5000, marks=pytest.mark.slow),
    ("IMDB-B", 136, "19.77", 1000),
    ("IMDB-M", 89, "13.00", 1500),
]


def test_everything_is_counted(tmp_path: Path) -> None:
    attributes = {"TINY_node_attributes.txt": 7 * "0.5, 1\n", "TINY_edge_labels.txt": 8 * "4\n"}
    counts = gr.statistics(gr.read_tu(write_folder(tmp_path, TU | attributes)))
    assert (counts.name, counts.graphs, counts.classes, counts.labels) == ("TINY", 3, 2, 3)
    assert (counts.nodes_max, counts.nodes_avg, counts.edges_avg) == (3, 7 / 3, 4 / 3)
    assert counts.class_sizes == {-1: 1, 1: 2}
    assert (counts.node_attributes, counts.edge_labels, counts.isolated_nodes) == (2, 1, 2)


def test_values_have_a_range_and_no_classes() -> None:
    counts = gr.statistics(gr.from_edges([[(0, 1)]] * 3, [0.5, -1, 2]))
    assert (counts.target_min, counts.target_max, counts.classes, counts.class_sizes) == (
        -1,
        2,
        0,
        {},
    )
    classes = gr.statistics(gr.load("MUTAG"))
    assert (classes.target_min, classes.target_max) == (None, None)


def test_nothing_is_counted_as_nothing() -> None:
    counts = gr.statistics(gr.from_edges([]))
    assert (counts.graphs, counts.nodes_max, counts.nodes_avg, counts.class_sizes) == (0, 0, 0, {})


def test_a_class_without_graphs_is_still_a_class(tmp_path: Path) -> None:
    tiny = gr.read_tu(write_folder(tmp_path, TU))
    assert gr.statistics(tiny[[1]]).class_sizes == {-1: 1, 1: 0}


@pytest.mark.parametrize(("name", "nodes_max", "nodes_avg", "graphs"), TABLE_ONE)
def test_table_one_of_the_paper_comes_out(
    paper_set: Callable[[str], Dataset], name: str, nodes_max: int, nodes_avg: str, graphs: int
) -> None:
    counts = gr.statistics(paper_set(name))
    row = (counts.nodes_max, f"{counts.nodes_avg:.2f}", counts.graphs)
    assert row == (nodes_max, nodes_avg, graphs)


def test_nci1_has_isolated_nodes(paper_set: Callable[[str], Dataset]) -> None:
    assert gr.statistics(paper_set("NCI1")).isolated_nodes == 428


@pytest.mark.slow
def test_collab_has_self_loops(paper_set: Callable[[str], Dataset]) -> None:
    assert paper_set("COLLAB").repairs == Repairs(self_loops=2837)
