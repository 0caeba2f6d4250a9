"""Random graphs of every kind that rings may stumble over."""

import networkx as nx
import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import graphrings as gr

# A first call compiles. Every run tries other examples; the second profile tries many at once.
settings.register_profile("graphrings", deadline=None, max_examples=50)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("graphrings")

MOST_NODES = 9


@st.composite
def networks(draw: st.DrawFn) -> nx.Graph:
    """One graph: a star, clique, path, cycle, lonely nodes, anything, or two of them apart."""
    n = draw(st.integers(1, MOST_NODES))
    kind = draw(st.sampled_from(["star", "clique", "path", "cycle", "lonely", "any", "any", "two"]))
    if kind == "star":
        return nx.star_graph(n - 1)
    if kind == "clique":
        return nx.complete_graph(n)
    if kind == "path":
        return nx.path_graph(n)
    if kind == "cycle" and n > 2:
        return nx.cycle_graph(n)
    if kind == "two":
        return nx.disjoint_union(draw(networks()), draw(networks()))
    graph = nx.empty_graph(n)
    if kind == "any" and n > 1:
        pair = st.tuples(st.integers(0, n - 1), st.integers(0, n - 1))
        graph.add_edges_from((u, v) for u, v in draw(st.lists(pair, max_size=3 * n)) if u != v)
    return graph


@st.composite
def datasets(draw: st.DrawFn, most_labels: int = 3) -> gr.Dataset:
    """A few labelled graphs."""
    graphs = draw(st.lists(networks(), min_size=1, max_size=4))
    label = st.integers(0, most_labels - 1)
    for graph in graphs:
        nx.set_node_attributes(graph, {v: draw(label) for v in graph}, "label")
    targets = [draw(st.integers(0, 1)) for _ in graphs]
    return gr.from_networkx(graphs, targets, node_label="label")


def shuffled(dataset: gr.Dataset, seed: int) -> tuple[gr.Dataset, np.ndarray]:
    """The same graphs with their nodes in another order; also the new number of every node."""
    rng = np.random.default_rng(seed)
    number = np.concatenate(
        [
            first + rng.permutation(size)
            for first, size in zip(dataset.graph_ptr[:-1], dataset.sizes, strict=True)
        ]
    )
    edge_lists, labels = [], []
    for graph, first in zip(dataset, dataset.graph_ptr, strict=False):
        local = number[first : first + graph.n_nodes] - first
        edge_lists.append(local[graph.edges])
        old = np.argsort(local)  # the old number of every new node
        labels.append([graph.label_names[label] for label in graph.node_labels[old]])
    return gr.from_edges(edge_lists, dataset.targets, node_labels=labels), number
