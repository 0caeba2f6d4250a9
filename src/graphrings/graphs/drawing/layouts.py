"""Where the nodes of a graph are drawn: every component by itself, then side by side."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.graphs.dataset import Graph
from graphrings.graphs.libraries import library
from graphrings.limits import Work, begin

Places = NDArray[np.float64]  # one row (x, y) per node; an edge is about one long

MOST_EXACT = 400  # nodes up to which distances in the graph decide; beyond that only forces do
GAP = 1.0  # between components


def layout(graph: Graph) -> Places:
    """A place for every node, the same for the same graph."""
    igraph = library("igraph", "draw", "drawing a graph")
    whole = igraph.Graph(n=graph.n_nodes, edges=graph.edges.tolist())
    places = np.zeros((graph.n_nodes, 2))
    components = [np.array(members) for members in whole.connected_components()]
    n_pairs = float(sum(len(members) ** 2 for members in components))
    what = f"the picture of a graph of {graph.n_nodes:,} nodes and {graph.n_edges:,} edges"
    begin(Work(what, "draw a smaller graph", kind="pairs of nodes of a layout", n_steps=n_pairs))
    boxes = []
    for members in components:
        places[members] = _component(whole.induced_subgraph(members.tolist()), igraph)
        boxes.append(places[members].max(axis=0) + GAP)
    for members, corner in zip(components, shelves(np.array(boxes)), strict=True):
        places[members] += corner
    return places


def _component(part: Any, igraph: Any) -> Places:
    """A connected graph, its longer side along x, its corner at the origin."""
    n_nodes = part.vcount()
    if n_nodes == 1:
        return np.zeros((1, 2))
    if n_nodes <= MOST_EXACT:
        drawn = part.layout_kamada_kawai(maxiter=50 * n_nodes)
    else:
        igraph.set_random_number_generator(random.Random(0))  # noqa: S311, no secret
        try:
            drawn = part.layout_fruchterman_reingold(seed=part.layout_circle())
        finally:
            igraph.set_random_number_generator(random)
    places = np.array(drawn.coords)
    places -= places.mean(axis=0)
    _, axes = np.linalg.eigh(np.cov(places.T))
    axes *= np.where(axes.sum(axis=0) < 0, -1, 1)  # an axis has no direction of its own
    places = places @ axes[:, ::-1]
    ends = np.array(part.get_edgelist())
    lengths = np.linalg.norm(places[ends[:, 0]] - places[ends[:, 1]], axis=1)
    places /= max(float(lengths.mean()), 1e-9)
    return np.asarray(places - places.min(axis=0))


def shelves(boxes: Places) -> Places:
    """Corners for boxes (width, height) that stand in rows, the tallest first."""
    width = max(float(boxes[:, 0].max()), 1.4 * float(np.sqrt(boxes.prod(axis=1).sum())))
    corners, x, y, height = np.zeros_like(boxes), 0.0, 0.0, 0.0
    for k in np.argsort(-boxes[:, 1], kind="stable"):
        if x > 0 and x + boxes[k, 0] > width + 1e-9:
            x, y, height = 0.0, y + height, 0.0
        corners[k] = x, y
        x, height = x + boxes[k, 0], max(height, boxes[k, 1])
    return corners
