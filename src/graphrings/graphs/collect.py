"""Single graphs joined into a dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.dataset import Dataset, Graph, Names
from graphrings.graphs.numbering import NOTHING, Numbered, renumber, sorted_names
from graphrings.graphs.pack import check_counts
from graphrings.graphs.targets import numbered_targets


def from_graphs(graphs: Sequence[Graph], targets: Any = None, name: str = "graphs") -> Dataset:
    """Join graphs into one dataset; their label names are brought into one numbering.

    ``targets`` are classes or values; without them the graphs' own are taken, if all have one.
    """
    own = targets is None
    numbers, class_names = _own_targets(graphs) if own else numbered_targets(targets, len(graphs))
    graph_ptr = _bounds([graph.n_nodes for graph in graphs])
    entries = _bounds([len(graph.indices) for graph in graphs])
    node_labels, label_names = _labels(graphs, "node_labels", "label_names")
    edge_labels, edge_label_names = _labels(graphs, "edge_labels", "edge_label_names")
    check_counts(name, int(graph_ptr[-1]), int(entries[-1]) // 2)
    molecules = [graph.smiles for graph in graphs if graph.smiles is not None]
    chemistries = {graph.chemistry for graph in graphs}
    return Dataset.trusted(
        name=name,
        graph_ptr=graph_ptr.astype(np.int32),
        indptr=_end_to_end([g.indptr[:-1] for g in graphs], entries[:-1], last=entries[-1]),
        indices=_end_to_end([g.indices for g in graphs], graph_ptr[:-1]),
        targets=numbers,
        class_names=class_names,
        node_labels=node_labels,
        label_names=label_names,
        node_attributes=_rows(graphs, "node_attributes"),
        edge_labels=edge_labels,
        edge_label_names=edge_label_names,
        edge_attributes=_rows(graphs, "edge_attributes"),
        smiles=tuple(molecules) if len(molecules) == len(graphs) else (),
        chemistry=chemistries.pop() if len(chemistries) == 1 else None,
    )


def _own_targets(graphs: Sequence[Graph]) -> Numbered:
    """The targets that the graphs bring, if all do; a value stays one even if it is whole."""
    owned = [graph.target for graph in graphs if graph.target is not None]
    if not graphs or len(owned) < len(graphs):
        return NOTHING
    with_values = [not graph.class_names for graph in graphs]
    if any(with_values) and not all(with_values):
        raise DatasetError(
            f"graph {with_values.index(not with_values[0])}: some graphs have classes, some have "
            "values as targets; expected the same for all"
        )
    if all(with_values):
        return np.array(owned, dtype=np.float64), ()
    named = zip(graphs, owned, strict=True)
    return renumber([graph.class_names[int(target)] for graph, target in named])


def _bounds(lengths: list[int]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])


def _end_to_end(
    parts: list[NDArray[np.int32]], shifts: NDArray[np.int64], last: Any = None
) -> NDArray[np.int32]:
    shifted = [part + shift for part, shift in zip(parts, shifts, strict=True)]
    ends = [] if last is None else [np.array([last])]
    return np.concatenate([np.empty(0, np.int32), *shifted, *ends]).astype(np.int32)


def _all_or_none(graphs: Sequence[Graph], field: str) -> bool:
    have = [getattr(graph, field) is not None for graph in graphs]
    if any(have) and not all(have):
        raise DatasetError(
            f"graph {have.index(not have[0])}: some graphs have {field.replace('_', ' ')}, "
            "some have none; expected the same for all"
        )
    return any(have)


def _labels(
    graphs: Sequence[Graph], field: str, names_field: str
) -> tuple[NDArray[np.int32] | None, Names]:
    if not _all_or_none(graphs, field):
        return None, ()
    alphabets = {getattr(graph, names_field) for graph in graphs}
    names = sorted_names({name for alphabet in alphabets for name in alphabet})
    number = {name: k for k, name in enumerate(names)}
    tables = {
        alphabet: np.array([number[name] for name in alphabet], dtype=np.int32)
        for alphabet in alphabets
    }
    parts = [tables[getattr(graph, names_field)][getattr(graph, field)] for graph in graphs]
    return np.concatenate(parts), names


def _rows(graphs: Sequence[Graph], field: str) -> NDArray[np.float64] | None:
    if not _all_or_none(graphs, field):
        return None
    parts = [getattr(graph, field) for graph in graphs]
    widths = [part.shape[1] for part in parts]
    if len(set(widths)) > 1:
        odd = next(i for i, width in enumerate(widths) if width != widths[0])
        raise DatasetError(
            f"graph {odd}: {widths[odd]} {field.replace('_', ' ')}; the graphs before it "
            f"have {widths[0]}"
        )
    return np.concatenate(parts)
