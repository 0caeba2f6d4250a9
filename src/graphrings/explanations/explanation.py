"""What a prediction was made from, as it is handed to users."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import SettingError
from graphrings.explanations.parts import Parts, Reals, Term, add_by, edge_ends
from graphrings.graphs.dataset import Dataset, Names

if TYPE_CHECKING:
    from graphrings.graphs.drawing.svg import Svg


@dataclass(frozen=True, eq=False, repr=False)
class Explanation:
    """How much nodes, edges and distances pushed the scores of some graphs.

    The last axis of every array is the output: one per class, and for two classes a single one,
    the second of them, so that what is negative pushes towards the first; for values a single one.
    ``outputs`` names them. All numbers have the unit of the model's own score, ``unit``.

    For every graph, up to rounding::

        score = base + (its nodes) + left_over = base + (its rings) + rings_left_over
    """

    dataset: Dataset
    predicted: NDArray[Any]
    outputs: Names
    classes: Names
    unit: str
    how: str
    parts: Parts

    @property
    def score(self) -> Reals:
        """What the model says, (graphs, outputs)."""
        return self.parts.score

    @property
    def base(self) -> Reals:
        """What it would say of a graph of which it knows nothing, (graphs, outputs)."""
        return self.parts.base

    @property
    def nodes(self) -> Reals:
        """What every node contributes, (nodes of all graphs, outputs)."""
        return np.asarray(self.parts.placed.sum(axis=1) + self.parts.nodes)

    @property
    def edges(self) -> Reals:
        """What is carried by edges: the part at distance 1, in the order of ``edge_ends``."""
        return self.parts.edges

    @property
    def rings(self) -> Reals:
        """What every distance contributes, (graphs, distances from 0, outputs)."""
        sums = add_by(self.dataset.owner, self.parts.placed, len(self.dataset))
        return np.asarray(sums + self.parts.rings)

    @property
    def nodes_by_ring(self) -> Reals:
        """What every node contributes at every distance, (nodes, distances, outputs)."""
        return self.parts.placed

    @property
    def left_over(self) -> Reals:
        """What no node carries, (graphs, outputs)."""
        return np.asarray(self.parts.rest + self.parts.rings.sum(axis=1))

    @property
    def rings_left_over(self) -> Reals:
        """What has no distance, (graphs, outputs)."""
        nodes = add_by(self.dataset.owner, self.parts.nodes, len(self.dataset))
        return np.asarray(self.parts.rest + nodes)

    @property
    def terms(self) -> tuple[Term, ...]:
        """Features with names and what they did in all graphs, where the method has such."""
        return self.parts.terms

    @property
    def edge_ends(self) -> NDArray[np.int64]:
        """The two nodes of every edge, numbered through all graphs."""
        return np.stack(edge_ends(self.dataset), axis=1).astype(np.int64)

    def __len__(self) -> int:
        return len(self.dataset)

    def of(self, graph: int, output: int = 0) -> Reals:
        """The contributions of the nodes of one graph."""
        graph = range(len(self))[graph]
        first, last = self.dataset.graph_ptr[graph : graph + 2]
        return self.nodes[first:last, output]

    def draw(self, graph: int, output: int = 0, *, width: float = 360) -> Svg:
        """A graph with its nodes coloured: orange pushes the output up, blue pushes it down."""
        from graphrings.graphs.drawing.draw import draw

        if not -len(self) <= graph < len(self):
            raise SettingError(f"graph {graph}; expected a number from 0 to {len(self) - 1}")
        return draw(self.dataset[graph], self.of(graph, output), width=width)

    def save(self, path: str | Path) -> None:
        """Write a page (.html), a table (.csv) or a picture (.svg), by the ending of the name."""
        from graphrings.explanations.writing import write

        write(self, Path(path))

    def __repr__(self) -> str:
        return (
            f"Explanation({len(self):,} graphs of {self.dataset.name!r}, "
            f"{', '.join(map(str, self.outputs))}, {self.unit})"
        )

    def _repr_html_(self) -> str:
        from graphrings.explanations.page import notebook_html

        return notebook_html(self)
