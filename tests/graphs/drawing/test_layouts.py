import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings import limits
from graphrings.errors import TimeNote
from graphrings.graphs.drawing.layouts import layout, shelves
from strategies import networks

SIDES = st.floats(0.5, 20)


@given(st.lists(st.tuples(SIDES, SIDES), min_size=1, max_size=12))
def test_boxes_on_shelves_do_not_overlap(sides: list[tuple[float, float]]) -> None:
    boxes = np.array(sides)
    corners = shelves(boxes)
    low, high = corners, corners + boxes - 1e-9
    apart = (low[:, None] >= high[None]) | (low[None] >= high[:, None])
    assert (apart.any(axis=2) | np.eye(len(boxes), dtype=bool)).all()


@given(networks())
def test_nodes_have_places_of_their_own(network: nx.Graph) -> None:
    graph = gr.from_networkx([network])[0]
    places = layout(graph) if graph.n_nodes else np.empty((0, 2))
    assert np.isfinite(places).all()
    assert len(np.unique(places.round(6), axis=0)) == graph.n_nodes


def test_a_path_is_drawn_as_a_line() -> None:
    path = gr.from_edges([[(v, v + 1) for v in range(9)]])[0]
    places = layout(path)
    assert np.ptp(places[:, 0]) > 5 * np.ptp(places[:, 1])


def test_a_layout_that_takes_long_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts are pairs of nodes of one component."""
    monkeypatch.setattr(limits, "SLOW", 5e-5)
    layout(gr.from_edges([[(v, v + 1) for v in range(0, 18, 2)]])[0])
    told = r"^the picture of a graph of 10 nodes and 9 edges may take about .*; draw a smaller"
    with pytest.warns(TimeNote, match=told):
        layout(gr.from_edges([[(v, v + 1) for v in range(9)]])[0])
