"""Graphs as packed flat arrays: one block for a whole dataset, one view for a graph."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple, Self, overload

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.check import (
    DATASET_RULES,
    GRAPH_RULES,
    NAMES,
    SHAPES,
    Rules,
    as_array,
    check_packed,
)
from graphrings.graphs.chemistry import Chemistry
from graphrings.graphs.fingerprint import fingerprint

Names = tuple[Hashable, ...]
TUPLES = (*NAMES, "smiles", "folds")  # what may be given as a list
Index = slice | Sequence[int] | Sequence[bool] | NDArray[Any]


class Fold(NamedTuple):
    """Graph numbers to train on and to test on."""

    train: NDArray[np.int32]
    test: NDArray[np.int32]


class Repairs(NamedTuple):
    """What was done to make the graphs simple and undirected."""

    self_loops: int = 0
    repeated: int = 0
    one_way: int = 0

    def __str__(self) -> str:
        done = (
            (self.self_loops, "dropped {} self-loop{}"),
            (self.repeated, "merged {} repeated edge entr{}"),
            (self.one_way, "made {} one-way edge{} two-way"),
        )
        plural = {True: ("", "y", ""), False: ("s", "ies", "s")}
        said = [
            text.format(f"{count:,}", plural[count == 1][k])
            for k, (count, text) in enumerate(done)
            if count
        ]
        return ", ".join(said)


NO_REPAIRS = Repairs()


class TableColumns(NamedTuple):
    """The columns of the table that graphs were read from; None where there was no such column."""

    smiles: str | None = None
    target: str | None = None
    id: str | None = None


class _Checked:
    """A dataclass of arrays that fit together by ``rules`` and are read-only."""

    rules: ClassVar[Rules]

    def __post_init__(self) -> None:
        """Make arrays of what is given, and check that they fit together: O(nodes + edges)."""
        place = self._place
        try:
            for field in fields(self):  # type: ignore[arg-type]
                value = getattr(self, field.name)
                if field.name in SHAPES and (value is not None or field.default is MISSING):
                    object.__setattr__(self, field.name, as_array(value, field.name))
                elif field.name in TUPLES and isinstance(value, list):
                    object.__setattr__(self, field.name, tuple(value))
        except DatasetError as error:
            raise DatasetError(f"{place}: {error}") from error
        self._freeze()
        check_packed(self, self.rules, place)

    @classmethod
    def trusted(cls, **parts: Any) -> Self:
        """The same without the check, for code that has made its arrays such that they fit.

        Nothing that comes from a user or a file may go this way unless it was checked.
        """
        made = object.__new__(cls)
        vars(made).update(_defaults(cls) | parts)  # type: ignore[arg-type]  # it can be looked up
        made._freeze()
        return made

    def changed(self, **parts: Any) -> Self:
        """A copy with other values of some fields, of which alone the rules are checked again."""
        own = {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]
        made = self.trusted(**own | parts)
        check_packed(made, self.rules, made._place, parts)
        return made

    @property
    def _place(self) -> str:
        """What a message calls it."""
        return str(getattr(self, "name", "a graph"))

    def _freeze(self) -> None:
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray):
                view = value.view()
                view.flags.writeable = False
                object.__setattr__(self, name, view)


@dataclass(frozen=True, eq=False, repr=False)
class Graph(_Checked):
    """One simple undirected graph; its nodes are 0 .. n_nodes - 1.

    ``node_labels`` holds numbers into ``label_names``. ``target`` is a number into
    ``class_names``, or a value where there are no such names. ``edge_labels`` and
    ``edge_attributes`` stand beside ``indices``: one for each direction of an edge. ``smiles`` is
    the molecule that it came from, if it did, and ``chemistry`` says how that was read. Arrays that
    do not fit together are refused.
    """

    rules = GRAPH_RULES

    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    target: int | float | None = None
    class_names: Names = ()
    node_labels: NDArray[np.int32] | None = None
    label_names: Names = ()
    node_attributes: NDArray[np.float64] | None = None
    edge_labels: NDArray[np.int32] | None = None
    edge_label_names: Names = ()
    edge_attributes: NDArray[np.float64] | None = None
    smiles: str | None = None
    chemistry: Chemistry | None = None

    @property
    def n_nodes(self) -> int:
        """The number of nodes."""
        return len(self.indptr) - 1

    @property
    def n_edges(self) -> int:
        """The number of edges, each counted once."""
        return len(self.indices) // 2

    @property
    def graph_ptr(self) -> NDArray[np.int32]:
        """The bounds of its nodes, as in a dataset of this one graph."""
        return np.array([0, self.n_nodes], dtype=np.int32)

    @property
    def edges(self) -> NDArray[np.int32]:
        """The edges as rows (u, v) with u < v, sorted."""
        tails = np.repeat(np.arange(self.n_nodes, dtype=np.int32), np.diff(self.indptr))
        pairs = np.stack([tails, self.indices], axis=1)
        return pairs[pairs[:, 0] < pairs[:, 1]]

    def neighbours(self, v: int) -> NDArray[np.int32]:
        """The nodes joined to ``v``, ascending."""
        if not 0 <= v < self.n_nodes:
            raise IndexError(f"node {v} of a graph with nodes 0 to {self.n_nodes - 1}")
        return self.indices[self.indptr[v] : self.indptr[v + 1]]

    def __repr__(self) -> str:
        return f"Graph({self.n_nodes} nodes, {self.n_edges} edges)"

    def _repr_svg_(self) -> str | None:
        from graphrings.graphs.drawing.page import graph_svg  # which draws what is defined here

        return graph_svg(self)


@dataclass(frozen=True, eq=False, repr=False)
class Dataset(_Checked):
    """Many graphs in one block of flat arrays.

    Graph ``i`` owns the nodes ``graph_ptr[i] .. graph_ptr[i + 1] - 1``; ``indptr`` and ``indices``
    are the CSR form of the block-diagonal adjacency over all nodes. ``targets`` are classes or
    values: int32 numbers into ``class_names``, or float64 values where there are no such names.
    ``node_labels`` count from 0 as classes do, and ``label_names`` keeps what they were called.
    ``smiles`` has the molecule of every graph where the graphs came as molecules, and else nothing;
    ``chemistry`` says how these were read, and ``columns`` from which columns of a table. Arrays
    that do not fit together are refused.
    """

    rules = DATASET_RULES

    name: str
    graph_ptr: NDArray[np.int32]
    indptr: NDArray[np.int32]
    indices: NDArray[np.int32]
    targets: NDArray[Any] | None = None
    class_names: Names = ()
    node_labels: NDArray[np.int32] | None = None
    label_names: Names = ()
    node_attributes: NDArray[np.float64] | None = None
    edge_labels: NDArray[np.int32] | None = None
    edge_label_names: Names = ()
    edge_attributes: NDArray[np.float64] | None = None
    folds: tuple[Fold, ...] = ()
    repairs: Repairs = NO_REPAIRS
    smiles: tuple[str, ...] = ()
    chemistry: Chemistry | None = None
    columns: TableColumns | None = None

    def __len__(self) -> int:
        return len(self.graph_ptr) - 1

    @property
    def n_nodes(self) -> int:
        """The number of nodes of all graphs together."""
        return len(self.indptr) - 1

    @property
    def n_edges(self) -> int:
        """The number of edges of all graphs together, each counted once."""
        return len(self.indices) // 2

    @property
    def n_classes(self) -> int:
        """How many classes there are to tell apart; 0 where targets are values."""
        return len(self.class_names)

    @property
    def has_values(self) -> bool:
        """Whether targets are values, not classes."""
        return self.targets is not None and self.targets.dtype.kind == "f"

    @property
    def n_labels(self) -> int:
        """How many node labels there are; 0 where nodes carry none."""
        return len(self.label_names)

    @property
    def sizes(self) -> NDArray[np.int32]:
        """The number of nodes of every graph."""
        return np.diff(self.graph_ptr)

    @property
    def degrees(self) -> NDArray[np.int32]:
        """The number of neighbours of every node."""
        return np.diff(self.indptr)

    @cached_property
    def owner(self) -> NDArray[np.int32]:
        """The graph that every node belongs to."""
        owner = np.repeat(np.arange(len(self), dtype=np.int32), self.sizes)
        owner.flags.writeable = False
        return owner

    @cached_property
    def fingerprint(self) -> str:
        """A hash of graphs, order, labels and targets, whatever file they came from."""
        return fingerprint(
            self.graph_ptr, self.indptr, self.indices, self.node_labels, self.targets
        )

    @overload
    def __getitem__(self, index: int) -> Graph: ...
    @overload
    def __getitem__(self, index: Index) -> Dataset: ...
    def __getitem__(self, index: int | Index) -> Graph | Dataset:
        """One graph for a number; a dataset for a slice, an index array or a mask."""
        if isinstance(index, int | np.integer):
            return self._graph(range(len(self))[index])
        if isinstance(index, slice):
            chosen = range(len(self))[index]
            if chosen.step == 1:
                return self._part(chosen.start, max(chosen.start, chosen.stop))
        else:
            index = np.asarray(index)
            if index.size == 0:
                index = index.astype(np.int64)
        return self._subset(np.arange(len(self))[index])

    def __iter__(self) -> Iterator[Graph]:
        return (self._graph(i) for i in range(len(self)))

    def to_networkx(self) -> list[Any]:
        """The graphs as networkx has them; see ``graphrings.graphs.adapters.networkx``."""
        from graphrings.graphs.adapters.networkx import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> list[Any]:
        """The graphs as igraph has them; see ``graphrings.graphs.adapters.igraph``."""
        from graphrings.graphs.adapters.igraph import to_igraph

        return to_igraph(self)

    def to_pyg(self) -> list[Any]:
        """The graphs as PyTorch Geometric has them; see ``graphrings.graphs.adapters.pyg``."""
        from graphrings.graphs.adapters.pyg import to_pyg

        return to_pyg(self)

    def _graph(self, i: int) -> Graph:
        first, last = self.graph_ptr[i : i + 2]
        start, stop = self.indptr[first], self.indptr[last]
        nodes, entries = slice(first, last), slice(start, stop)
        return Graph.trusted(
            indptr=self.indptr[first : last + 1] - start,
            indices=self.indices[entries] - first,
            target=None if self.targets is None else self.targets[i].item(),
            class_names=self.class_names,
            node_labels=_take(self.node_labels, nodes),
            label_names=self.label_names,
            node_attributes=_take(self.node_attributes, nodes),
            edge_labels=_take(self.edge_labels, entries),
            edge_label_names=self.edge_label_names,
            edge_attributes=_take(self.edge_attributes, entries),
            smiles=self.smiles[i] if self.smiles else None,
            chemistry=self.chemistry,
        )

    def _part(self, first: int, last: int) -> Dataset:
        """Neighbouring graphs; it costs no more than they are, however many there are in all."""
        begin, end = self.graph_ptr[[first, last]].tolist()
        start, stop = self.indptr[[begin, end]].tolist()
        nodes, entries = slice(begin, end), slice(start, stop)
        return Dataset.trusted(
            name=self.name,
            graph_ptr=self.graph_ptr[first : last + 1] - np.int32(begin),
            indptr=self.indptr[begin : end + 1] - np.int32(start),
            indices=self.indices[entries] - np.int32(begin),
            targets=_take(self.targets, slice(first, last)),
            class_names=self.class_names,
            node_labels=_take(self.node_labels, nodes),
            label_names=self.label_names,
            node_attributes=_take(self.node_attributes, nodes),
            edge_labels=_take(self.edge_labels, entries),
            edge_label_names=self.edge_label_names,
            edge_attributes=_take(self.edge_attributes, entries),
            smiles=self.smiles[first:last],
            chemistry=self.chemistry,
        )

    def _subset(self, chosen: NDArray[np.intp]) -> Dataset:
        nodes, graph_ptr = spans(self.graph_ptr, chosen)
        entries, indptr = spans(self.indptr, nodes)
        shift = np.repeat(graph_ptr[:-1] - self.graph_ptr[chosen], np.diff(graph_ptr))
        return Dataset.trusted(
            name=self.name,
            graph_ptr=graph_ptr,
            indptr=indptr,
            indices=self.indices[entries] + np.repeat(shift, np.diff(indptr)),
            targets=_take(self.targets, chosen),
            class_names=self.class_names,
            node_labels=_take(self.node_labels, nodes),
            label_names=self.label_names,
            node_attributes=_take(self.node_attributes, nodes),
            edge_labels=_take(self.edge_labels, entries),
            edge_label_names=self.edge_label_names,
            edge_attributes=_take(self.edge_attributes, entries),
            smiles=tuple(self.smiles[i] for i in chosen) if self.smiles else (),
            chemistry=self.chemistry,
            columns=self.columns,
        )

    def __repr__(self) -> str:
        parts = [f"{len(self):,} graphs", f"{self.n_nodes:,} nodes", f"{self.n_edges:,} edges"]
        if self.n_classes:
            parts.append(f"{self.n_classes} classes")
        elif self.has_values and self.targets is not None and len(self):
            parts.append(f"targets from {self.targets.min():.4g} to {self.targets.max():.4g}")
        parts += [f"{self.n_labels} node labels"] * (self.n_labels > 0)
        return f"Dataset({self.name!r}: {', '.join(parts)})"

    def _repr_html_(self) -> str:
        from graphrings.graphs.drawing.page import dataset_html

        return dataset_html(self)


@cache
def _defaults(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass that have a default."""
    return {field.name: field.default for field in fields(kind) if field.default is not MISSING}


def spans(
    ptr: NDArray[np.int32], chosen: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.int32]]:
    """The elements of the chosen rows of a packed array, end to end, and their new bounds."""
    starts, lengths = ptr[chosen].astype(np.int64), ptr[chosen + 1] - ptr[chosen]
    bounds = np.zeros(len(chosen) + 1, dtype=np.int64)
    np.cumsum(lengths, out=bounds[1:])
    elements = np.arange(bounds[-1]) + np.repeat(starts - bounds[:-1], lengths)
    return elements, bounds.astype(np.int32)


def _take(values: NDArray[Any] | None, index: Any) -> Any:
    return None if values is None else values[index]
