"""A graph as a picture."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from graphrings.errors import DatasetError, SettingError
from graphrings.graphs.dataset import Graph
from graphrings.graphs.drawing import colours
from graphrings.graphs.drawing.layouts import Places, layout
from graphrings.graphs.drawing.legend import by_colour, legend
from graphrings.graphs.drawing.molecule import draw_molecule
from graphrings.graphs.drawing.svg import Svg

MARGIN = 0.6  # around the outermost nodes, in lengths of an edge
LARGEST_NODE = 0.3  # radius, of an edge's length
SMALLEST_TEXT, LARGEST_TEXT = 11.0, 13.0  # in pixels; smaller text is none, and a legend instead


def draw(
    graph: Graph, values: ArrayLike | None = None, *, centre: int | None = None, width: float = 360
) -> Svg:
    """Draw a graph as SVG: a molecule as chemists do, any other graph by its distances.

    So are molecules of more than 1,000 atoms, whose letters nobody could read.
    Nodes are coloured by their labels. With ``values``, one number per node, they are coloured
    from blue (negative) to orange (positive); with ``centre``, by their distance from that node.
    At ``width`` no text is smaller than 11 pixels: where nodes are too small for their labels, a
    legend says what the colours stand for.
    """
    if not isinstance(graph, Graph):
        raise DatasetError(f"a {type(graph).__name__} to draw; expected a Graph such as dataset[0]")
    if not 0 < width <= 10_000:
        raise SettingError(f"width {width}; expected pixels above 0, up to 10,000")
    fills = node_colours(graph, values, centre)
    title = f"a graph of {graph.n_nodes} nodes and {graph.n_edges} edges"
    if graph.n_nodes == 0:
        return Svg("", width, width / 8, title)
    return draw_molecule(graph, fills, width) or _draw_graph(graph, fills, width, title)


def node_colours(graph: Graph, values: ArrayLike | None, centre: int | None) -> list[str] | None:
    """What ``draw`` was asked to show, as a colour for every node; None leaves it to the labels."""
    if values is not None and centre is not None:
        raise SettingError("values and centre together; expected one of them to colour the nodes")
    if values is not None:
        numbers = np.asarray(values, dtype=np.float64)
        if numbers.shape != (graph.n_nodes,) or not np.isfinite(numbers).all():
            raise SettingError(
                f"values of shape {numbers.shape} for {graph.n_nodes} nodes; expected one finite "
                "number per node"
            )
        return colours.of_values(numbers)
    if centre is not None:
        if not 0 <= centre < graph.n_nodes:
            raise SettingError(f"centre {centre}; expected a node from 0 to {graph.n_nodes - 1}")
        return colours.of_distances(distances_from(graph, centre))
    return None


def distances_from(graph: Graph, centre: int) -> NDArray[np.int64]:
    """The distance of every node from one; -1 where no path leads there."""
    distances = np.full(graph.n_nodes, -1)
    ring, distance = np.array([centre]), 0
    while len(ring):
        distances[ring] = distance
        around = np.unique(np.concatenate([graph.neighbours(v) for v in ring.tolist()]))
        ring, distance = around[distances[around] < 0], distance + 1
    return distances


def _draw_graph(graph: Graph, fills: list[str] | None, width: float, title: str) -> Svg:
    places = layout(graph)
    spread = places.max(axis=0) - places.min(axis=0) + 2 * MARGIN
    scale = min(width / spread[0], width / spread[1], 60.0)
    places = (places - places.min(axis=0) + MARGIN) * scale
    places[:, 0] += (width - spread[0] * scale) / 2
    radius = min(LARGEST_NODE, 0.45 * nearest(places) / scale) * scale
    size = text_size(graph, radius)
    shown = fills or colours.of_labels(graph.node_labels, graph.n_nodes)
    body = _edges(graph, places, radius) + _nodes(graph, places, radius, shown, size)
    height = float(spread[1] * scale)
    if size or fills:
        return Svg(body, width, height, title)
    words, more = legend(by_colour(node_names(graph), shown, len(colours.CATEGORIES)), width)
    below = f'<g transform="translate(0 {height:.1f})">{words}</g>' if words else ""
    return Svg(body + below, width, height + more, title)


def text_size(graph: Graph, radius: float) -> float:
    """The size at which all labels fit into the nodes; 0 where that is too small to be read."""
    longest = max(map(len, node_names(graph)), default=1)
    size = min(LARGEST_TEXT, 2.6 * radius / max(1.6, longest))
    return size if size >= SMALLEST_TEXT else 0.0


def nearest(places: Places) -> float:
    """The tenth percentile of the distances to the nearest other node: few may nearly touch."""
    if len(places) < 2:
        return np.inf
    from scipy.spatial import KDTree

    gaps = np.asarray(KDTree(places).query(places, k=2)[0])[:, 1]
    return float(np.quantile(gaps, 0.1))


def _edges(graph: Graph, places: Places, radius: float) -> str:
    ends = places[graph.edges].reshape(-1, 4)
    lines = "".join("M{:.1f} {:.1f}L{:.1f} {:.1f}".format(*row) for row in ends.tolist())
    thick = min(1.5, max(0.4, radius / 4))
    return (
        f'<path d="{lines}" stroke="currentColor" stroke-opacity=".55" stroke-width="{thick:.2g}"/>'
    )


def _nodes(graph: Graph, places: Places, radius: float, fills: list[str], size: float) -> str:
    names, parts = node_names(graph), []
    for (x, y), fill, name in zip(places.tolist(), fills, names, strict=True):
        shown = escape(name)
        tip = f"<title>{shown}</title>" if name else ""
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.3g}" fill="{fill}" '
            f'stroke="currentColor" stroke-opacity=".4" stroke-width=".6">{tip}</circle>'
        )
        if name and size:
            parts.append(
                f'<text x="{x:.1f}" y="{y + 0.35 * size:.1f}" font-size="{size:.3g}" '
                f'text-anchor="middle" fill="{colours.text_on(fill)}" '
                f'pointer-events="none">{shown}</text>'
            )
    return "".join(parts)


def node_names(graph: Graph) -> list[str]:
    """What the labels of the nodes are called, or nothing where they have none."""
    if graph.node_labels is None:
        return [""] * graph.n_nodes
    names: list[Any] = list(map(str, graph.label_names))
    return [names[label] for label in graph.node_labels.tolist()]
