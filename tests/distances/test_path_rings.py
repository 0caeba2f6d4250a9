import networkx as nx
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.distances.path_rings import path_rings


@given(st.lists(st.integers(1, 9), min_size=1, max_size=4), st.integers(0, 4))
def test_both_directions_of_a_distance_are_its_ring(lengths: list[int], radius: int) -> None:
    """What the direction tells apart are the distance rings of the same paths."""
    near = path_rings(np.array(lengths), radius)
    paths = gr.from_networkx([nx.path_graph(n) for n in lengths])
    plain = gr.rings(paths, radius)
    assert near.n_rows == paths.n_nodes
    for v in range(paths.n_nodes):
        blocks = [near.indptr[v * near.width + t] for t in range(near.width + 1)]
        members = [near.indices[a:b].tolist() for a, b in zip(blocks, blocks[1:], strict=False)]
        for j in range(radius + 1):
            both = set(members[radius - j]) | set(members[radius + j])
            row = v * (radius + 1) + j
            assert both == set(plain.indices[plain.indptr[row] : plain.indptr[row + 1]].tolist())
            assert all(v - u == j for u in members[radius - j])
            assert all(u - v == j for u in members[radius + j])
