"""The rings of every node as tensors that PyTorch Geometric lays into batches by itself."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import torch

from graphrings.distances.rings import checked_radius, rings
from graphrings.errors import LayerError
from graphrings.graphs.adapters.pyg import edge_entries, is_pyg
from graphrings.graphs.dataset import Graph
from graphrings.graphs.pack import simple


class AddRings:
    """A transform: give a ``Data`` the rings 0 .. ``radius`` of its nodes.

    ``ring_index`` (2, m) has a column (u, v) for every node u in a ring of node v, and
    ``ring_distance`` (m,) says which ring that is. ``Batch`` and ``DataLoader`` shift the one with
    the nodes and join both, as they do with ``edge_index``. Edges are taken in both directions;
    loops and repeated edges change nothing.

    Args:
        radius: the largest distance.

    """

    def __init__(self, radius: int) -> None:
        self.radius = checked_radius(radius)

    def __call__(self, data: Any) -> Any:
        """A copy of ``data``, which shares its tensors, with the rings."""
        if not is_pyg(data) or data.edge_index is None:
            raise LayerError(f"a {type(data).__name__} without edge_index; expected a Data")
        n_nodes = int(data.num_nodes)
        tails, heads = edge_entries(data, n_nodes).astype(np.int32)
        _, indptr, indices, _ = simple(tails, heads, n_nodes)
        near = rings(Graph.trusted(indptr=indptr, indices=indices), self.radius)
        blocks, device = near.blocks, data.edge_index.device
        index = np.stack([near.indices.astype(np.int64), blocks // near.width])
        out = copy.copy(data)
        out.ring_index = torch.from_numpy(index).to(device)
        out.ring_distance = torch.from_numpy(blocks % near.width).to(device)
        return out

    def __repr__(self) -> str:
        return f"AddRings(radius={self.radius})"
