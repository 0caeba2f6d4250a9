import igraph
import pytest
from hypothesis import assume, given, settings

import graphrings as gr
from graphrings.errors import DatasetNote
from graphrings.graphs.targets import is_continuous
from rich_datasets import assert_same, rich_datasets


@pytest.mark.filterwarnings("ignore::graphrings.errors.DatasetNote")
@settings(max_examples=40)
@given(rich_datasets(integers=True))
def test_graphs_come_back_from_igraph(dataset: gr.Dataset) -> None:
    assume(not dataset.has_values or is_continuous(dataset.targets))
    again = gr.from_igraph(dataset.to_igraph(), "target", name=dataset.name)
    assert_same(again, dataset)


def test_none_is_missing() -> None:
    graph = igraph.Graph(2, [(0, 1)])
    graph.vs["element"], graph.vs["charge"] = ["C", None], [0.5, 1.5]
    with pytest.warns(DatasetNote, match="took 'charge' .*; left node 'element', which 1 of 2"):
        made = gr.from_igraph([graph])
    assert made.node_labels is None
    assert made.node_attributes.tolist() == [[0.5], [1.5]]


def test_directions_are_dropped_with_a_note() -> None:
    with pytest.warns(DatasetNote, match="made 1 one-way edge two-way"):
        made = gr.from_igraph(igraph.Graph([(0, 1)], directed=True))
    assert made[0].edges.tolist() == [[0, 1]]
