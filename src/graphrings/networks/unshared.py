"""Graphs of which no two nodes share a row: for those that have little in common."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from graphrings.distances.colours import refine
from graphrings.distances.rings import Rings, rings
from graphrings.fused.ring_answers import NodePart
from graphrings.graphs.dataset import Dataset, spans
from graphrings.graphs.small_numbers import numbered
from graphrings.networks.views import RingMeans

ASKED = 50  # of so many graphs one is looked at, to see whether sharing pays
PAYS = 0.4  # it does if no more than this share of all rows is left
MOST_NODES = 1_024  # of a part: its rows stay in the processor's cache


@runtime_checkable
class Answers(Protocol):
    """A network that can do without shared rows when it only predicts."""

    view: RingMeans

    def eval(self) -> Any:
        """Switch off what is for training only."""

    def goes_unshared(self, features: Tensor) -> bool:
        """Whether it can, on such features."""

    def answer(self, graphs: Unshared) -> Tensor:
        """What it says of unshared graphs: the outputs of ``forward``, up to rounding."""


def sharing_pays(view: RingMeans, dataset: Dataset, start: NDArray[np.int64]) -> bool:
    """Whether some graphs of a dataset have so much in common that looking for it is worth it."""
    asked = np.arange(0, len(dataset), ASKED)
    nodes, _ = spans(dataset.graph_ptr, asked)
    near, colours = rings(dataset[asked], view.radius), numbered(start[nodes])
    n_rows, most_rows = 0, PAYS * len(nodes) * view.depth
    for level in range(view.depth):
        colours = numbered(refine(near, colours, 1))
        n_colours = int(colours.max(initial=-1)) + 1
        if n_rows + n_colours * (view.depth - level) > most_rows:  # no level has fewer
            return False
        n_rows += n_colours
    return True


def unshared_outputs(
    network: Answers, dataset: Dataset, start: NDArray[np.int64], table: NDArray[np.float32]
) -> Tensor:
    """What a network says of graphs whose nodes have the rows of ``table`` that ``start`` says."""
    network.eval()
    with torch.inference_mode():
        near = rings(dataset, network.view.radius)
        lowest = start.astype(np.int32)[near.indices]
        return network.answer(Unshared(torch.from_numpy(table), near, lowest, dataset.graph_ptr))


class Unshared(NamedTuple):
    """Graphs whose nodes have a row each.

    ``lowest`` says which row of ``table`` shows every member of the rings ``near`` the nodes.
    """

    table: Tensor
    near: Rings
    lowest: NDArray[np.int32]
    graph_ptr: NDArray[np.int32]

    def bounds(self) -> list[tuple[int, int]]:
        """Where parts of the graphs begin and end."""
        return list(_parts(self.graph_ptr))

    def most_nodes(self) -> int:
        """Of the largest part."""
        return max(
            int(self.graph_ptr[last] - self.graph_ptr[first]) for first, last in self.bounds()
        )

    def part(self, first: int, last: int) -> tuple[NDArray[np.int64], NodePart]:
        """The bounds of some neighbouring graphs, and what their nodes see."""
        begin, end, width = int(self.graph_ptr[first]), int(self.graph_ptr[last]), self.near.width
        indptr = self.near.indptr[begin * width : end * width + 1]
        entries = slice(indptr[0], indptr[-1])
        near, lowest = self.near.indices[entries], self.lowest[entries]
        bounds = self.graph_ptr[first : last + 1].astype(np.int64) - begin
        return bounds, NodePart(width, begin, indptr, near, lowest)


def _parts(graph_ptr: NDArray[np.int32]) -> Iterator[tuple[int, int]]:
    """Neighbouring graphs with at most ``MOST_NODES`` nodes together, or one larger graph."""
    first, n_graphs = 0, len(graph_ptr) - 1
    while first < n_graphs:
        fits = int(graph_ptr.searchsorted(graph_ptr[first] + MOST_NODES, side="right")) - 1
        last = max(first + 1, fits)
        yield first, last
        first = last
