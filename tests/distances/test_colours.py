import networkx as nx
import numpy as np
import pytest

import graphrings as gr
from graphrings.distances import colours


def test_rings_tell_apart_what_neighbours_cannot() -> None:
    """Two triangles and a six-cycle: all degrees are 2, but a triangle has nobody at distance 2."""
    graphs = gr.from_networkx([nx.disjoint_union(*[nx.complete_graph(3)] * 2), nx.cycle_graph(6)])
    start = np.zeros(12, dtype=np.int32)
    assert len(np.unique(gr.refine(gr.rings(graphs, 1), start))) == 1
    assert len(np.unique(gr.refine(gr.rings(graphs, 2), start))) == 2


def test_a_star_folds_into_hub_and_leaf() -> None:
    merged = gr.quotient(gr.from_networkx([nx.star_graph(4)]), radius=2)
    assert merged.multiplicity.tolist() == [1, 4]
    assert merged.rings.matrix(1).toarray().tolist() == [[0, 4], [1, 0]]
    assert merged.rings.matrix(2).toarray().tolist() == [[0, 0], [0, 3]]


def test_colours_survive_a_hash_that_always_collides(monkeypatch: pytest.MonkeyPatch) -> None:
    """The uncompiled loops with a constant hash: slower, but the same partition."""
    dataset = gr.load("MUTAG")[:3]
    rings = gr.rings(dataset, 2)
    expected = gr.refine(rings, dataset.node_labels)
    monkeypatch.setattr(colours, "mixed", lambda _: np.uint64(7))
    monkeypatch.setattr(colours, "see_the_same", colours.see_the_same.py_func)
    monkeypatch.setattr(colours, "find_groups", colours.find_groups.py_func)
    with np.errstate(over="ignore"):
        result = gr.refine(rings, dataset.node_labels)
    assert np.array_equal(result, expected)


@pytest.mark.parametrize(
    ("name", "nodes", "classes"),
    [("IMDB-BINARY", 19_773, 4_864), ("IMDB-MULTI", 19_502, 3_888)],
)
def test_social_networks_fold_to_a_quarter(
    datasets: object, name: str, nodes: int, classes: int
) -> None:
    merged = gr.quotient(gr.load(name, root=datasets), radius=2)
    assert (len(merged.class_of), merged.n_classes) == (nodes, classes)
