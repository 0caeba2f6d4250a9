from dataclasses import replace

import numpy as np

import graphrings as gr
from graphrings.graphs.carried import carried, ignored, in_words


def test_what_graphs_carry_is_counted_and_named() -> None:
    dataset = gr.from_edges(
        [[(0, 1), (1, 2)]],
        node_labels=["CCO"],
        node_attributes=[[[1.0], [2.0], [3.0]]],
        edge_labels=["-="],
    )
    assert carried(dataset) == {"node labels": 2, "node attributes": 1, "edge labels": 2}
    assert ignored(dataset, ["node labels"]) == ("node attributes", "edge labels")
    assert in_words(dataset, carried(dataset)) == "node labels and 1 node attribute and edge labels"
    wide = replace(dataset, edge_attributes=np.ones((4, 3)))
    assert in_words(wide, ["edge attributes"]) == "3 edge attributes"


def test_one_label_alone_says_nothing() -> None:
    assert carried(gr.from_edges([[(0, 1)]], node_labels=["CC"], edge_labels=["-"])) == {}
