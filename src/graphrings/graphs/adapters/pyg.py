"""Graphs from PyTorch Geometric and back."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graphrings.errors import DatasetError
from graphrings.graphs.adapters.data_keys import AUTO
from graphrings.graphs.adapters.graph_data import SMILES
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.libraries import library
from graphrings.graphs.numbering import NOTHING, Numbered, renumber
from graphrings.graphs.pack import pack
from graphrings.graphs.targets import numbered_targets

Block = slice | str | None
Table = NDArray[Any]


def is_pyg(graph: Any) -> bool:
    """Whether this is a ``Data`` of PyTorch Geometric, or a ``Batch`` of them."""
    return hasattr(graph, "edge_index") and hasattr(graph, "num_nodes")


def from_pyg(
    graphs: Any,
    targets: Any = None,
    *,
    node_labels: Block = AUTO,
    edge_labels: Block = AUTO,
    name: str = "graphs",
) -> Dataset:
    """Make a dataset of a list of ``Data``, of an ``InMemoryDataset``, or of a ``Batch``.

    Columns of ``x`` that are a one-hot become node labels, called by their number among these
    columns, and the others attributes. ``auto`` takes all columns if every row has one 1 and else
    zeros; otherwise the first columns or the last ones of which that is true, whichever are more;
    ``slice(0, 7)`` says which they are, and None that there are none. One column of integers is a
    label, too. A ``TUDataset`` says itself which columns are labels. ``edge_attr`` and
    ``edge_labels`` are to edges what ``x`` and ``node_labels`` are to nodes. ``targets`` are one
    per graph, the name of what holds them, or the number of a column of ``y``; by default ``y``,
    if all graphs have one.
    """
    listed = _listed(graphs)
    if targets is None and any(getattr(graph, "y", None) is None for graph in listed):
        column = None
    elif targets is None or isinstance(targets, str | int):
        column = _own_targets(listed, targets)
    else:
        column = targets
    own = isinstance(graphs, list | tuple)
    blocks = (
        _declared(None if own else graphs, "node") if node_labels == AUTO else node_labels,
        _declared(None if own else graphs, "edge") if edge_labels == AUTO else edge_labels,
    )
    return _made(listed, column, blocks, name)


def any_pyg(graphs: list[Any], targets: Any) -> Dataset:
    """A dataset of listed graphs; a ``y`` that is not one target is none."""
    single = all(_one_value(getattr(graph, "y", None)) for graph in graphs)
    if targets is None and single:
        targets = _own_targets(graphs, None)
    return _made(graphs, targets, (AUTO, AUTO), "graphs")


def to_pyg(dataset: Dataset) -> list[Any]:
    """The graphs as ``Data``: ``x`` is the one-hot node label, then the attributes.

    ``edge_attr`` is the same of edges. ``y`` is the number of the class, or the value. Numbers that
    are not whole are float32, as PyTorch Geometric has them.
    """
    data = library("torch_geometric.data", "pyg", "making data of PyTorch Geometric").Data
    import torch

    x = _features(dataset.node_labels, dataset.n_labels, dataset.node_attributes)
    edge_attr = _features(
        dataset.edge_labels, len(dataset.edge_label_names), dataset.edge_attributes
    )
    made = []
    for i, graph in enumerate(dataset):
        first, last = dataset.graph_ptr[i : i + 2]
        entries = slice(dataset.indptr[first], dataset.indptr[last])
        tails = np.repeat(np.arange(graph.n_nodes), np.diff(graph.indptr))
        parts: dict[str, Any] = {"num_nodes": graph.n_nodes}
        parts["edge_index"] = torch.from_numpy(np.stack([tails, graph.indices]).astype(np.int64))
        if x is not None:
            parts["x"] = torch.from_numpy(x[first:last])
        if edge_attr is not None:
            parts["edge_attr"] = torch.from_numpy(edge_attr[entries])
        if graph.target is not None:
            kind = torch.long if graph.class_names else torch.float32
            parts["y"] = torch.tensor([graph.target], dtype=kind)
        if graph.smiles is not None:
            parts[SMILES] = graph.smiles
        made.append(data(**parts))
    return made


def _features(
    labels: NDArray[np.int32] | None, n_labels: int, attributes: NDArray[np.float64] | None
) -> NDArray[np.float32] | None:
    """One-hot labels and attributes side by side."""
    parts = []
    if labels is not None:
        parts.append(np.eye(n_labels, dtype=np.float32)[labels])
    if attributes is not None:
        parts.append(attributes.astype(np.float32))
    return np.hstack(parts) if parts else None


def _listed(graphs: Any) -> list[Any]:
    """The single graphs of whatever holds them."""
    if hasattr(graphs, "to_data_list"):
        graphs = graphs.to_data_list()
    listed = [graphs] if is_pyg(graphs) else list(graphs)
    if not listed:
        raise DatasetError("no graphs; expected at least one")
    for i, graph in enumerate(listed):
        if not is_pyg(graph):
            raise DatasetError(
                f"graph {i}: a {type(graph).__name__}; expected a Data of PyTorch Geometric with "
                "an edge_index"
            )
    return listed


def _made(listed: list[Any], targets: Any, blocks: tuple[Block, Block], name: str) -> Dataset:
    numbers = numbered_targets(targets, len(listed))
    sizes = [int(graph.num_nodes) for graph in listed]
    entries = [edge_entries(graph, sizes[i], f"graph {i}: ") for i, graph in enumerate(listed)]
    graph_ptr = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    nodes = _split(_stacked(listed, "x", sizes), blocks[0], "x")
    counts = [pairs.shape[1] for pairs in entries]
    edges = _split(_stacked(listed, "edge_attr", counts), blocks[1], "edge_attr")
    shifted = [pairs + first for pairs, first in zip(entries, graph_ptr[:-1], strict=True)]
    tails, heads = np.concatenate(shifted, axis=1)
    dataset = pack(
        name,
        graph_ptr,
        tails,
        heads,
        targets=numbers,
        node_labels=nodes.labels,
        node_attributes=nodes.attributes,
        edge_labels=edges.labels,
        edge_attributes=edges.attributes,
    )
    smiles = [getattr(graph, SMILES, None) for graph in listed]
    whole = all(isinstance(molecule, str) for molecule in smiles)
    return dataset.changed(smiles=tuple(map(str, smiles))) if whole else dataset


def _array(tensor: Any) -> Table:
    """A tensor of any device, or an array, as an array."""
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu()
    return np.asarray(tensor)


def edge_entries(graph: Any, n_nodes: int, place: str = "") -> NDArray[np.int64]:
    """The edge entries (tails, heads), which stay inside the graph."""
    if n_nodes < 1:
        raise DatasetError(f"{place}no nodes; expected at least one")
    if graph.edge_index is None:
        return np.empty((2, 0), dtype=np.int64)
    pairs = _array(graph.edge_index)
    if pairs.ndim != 2 or len(pairs) != 2 or pairs.dtype.kind not in "iu":
        raise DatasetError(
            f"{place}edge_index of shape {pairs.shape} and type {pairs.dtype}; expected "
            "two rows of node numbers"
        )
    outside = pairs[(pairs < 0) | (pairs >= n_nodes)]
    if len(outside):
        raise DatasetError(
            f"{place}an edge names node {outside[0]}; expected numbers from 0 to {n_nodes - 1}"
        )
    return pairs.astype(np.int64)


def _stacked(listed: list[Any], key: str, counts: list[int]) -> Table | None:
    """The rows of all graphs, if they have any, and then all of them and one width."""
    tables = [getattr(graph, key, None) for graph in listed]
    given = [i for i, table in enumerate(tables) if table is not None]
    if not given:
        return None
    rows = []
    for i, (table, count) in enumerate(zip(tables, counts, strict=True)):
        if table is None and count:
            raise DatasetError(f"graph {i}: no {key}, which graph {given[0]} has")
        own = np.empty((0, 1)) if table is None else _array(table)
        own = own[:, None] if own.ndim == 1 else own
        if own.ndim != 2 or len(own) != count:
            raise DatasetError(
                f"graph {i}: {key} of shape {own.shape}; expected {count} rows of numbers"
            )
        rows += [own] if count else []
    if len({own.shape[1] for own in rows}) > 1:
        odd = next(i for i, own in enumerate(rows) if own.shape[1] != rows[0].shape[1])
        raise DatasetError(
            f"{key} has {rows[odd].shape[1]} columns in one graph and {rows[0].shape[1]} in "
            "another; expected the same in all"
        )
    return np.concatenate(rows) if rows else None


class _Split(NamedTuple):
    labels: Numbered
    attributes: NDArray[np.float64] | None


def _split(table: Table | None, block: Block, key: str) -> _Split:
    """Labels and attributes out of the columns of a table."""
    if table is None:
        return _Split(NOTHING, None)
    if block == AUTO and table.shape[1] == 1 and table.dtype.kind in "iub":
        return _Split(renumber(table.astype(np.int64)), None)
    if not isinstance(block, slice):
        chosen = one_hot_block(table) if block == AUTO else slice(0, 0)
    else:
        chosen = block
        if not _is_one_hot(table[:, chosen]):
            raise DatasetError(
                f"{key}: columns {chosen.start} to {chosen.stop} are not a one-hot; expected one 1 "
                "and else zeros in every row"
            )
    columns = np.arange(table.shape[1])
    names = columns[chosen]
    labels = NOTHING
    if len(names):
        hot = table[:, chosen].argmax(axis=1).astype(np.int32)
        labels = hot, tuple(range(len(names)))
    rest = table[:, np.setdiff1d(columns, names)].astype(np.float64)
    if not np.isfinite(rest).all():
        raise DatasetError(f"{key} holds numbers that are not finite")
    return _Split(labels, rest if rest.shape[1] else None)


def one_hot_block(table: Table) -> slice:
    """The columns that are a one-hot: all, or else the first or the last ones, or none."""
    width = table.shape[1]
    if _is_one_hot(table):
        return slice(0, width)
    first, last = _first_block(table), _first_block(table[:, ::-1])
    if max(first, last) < 2:  # one column of ones is a constant, not a label
        return slice(0, 0)
    return slice(0, first) if first >= last else slice(width - last, width)


def _first_block(table: Table) -> int:
    """How many of the first columns are a one-hot, at most."""
    binary = ((table == 0) | (table == 1)).all(axis=0)
    n_binary = len(binary) if binary.all() else int(binary.argmin())
    one = (np.cumsum(table[:, :n_binary], axis=1) == 1).all(axis=0)
    return int(np.flatnonzero(one)[-1]) + 1 if one.any() else 0


def _is_one_hot(table: Table) -> bool:
    binary = ((table == 0) | (table == 1)).all()
    return bool(table.shape[1] and binary and (table.sum(axis=1) == 1).all())


def _declared(owner: Any, of: str) -> Block:
    """The columns that a TUDataset says are labels, its last ones; without any word ``auto``."""
    n_labels = getattr(owner, f"num_{of}_labels", None)
    table = getattr(getattr(owner, "_data", None), "x" if of == "node" else "edge_attr", None)
    if not isinstance(n_labels, int) or not n_labels or table is None or table.ndim != 2:
        return AUTO
    block = slice(table.shape[1] - n_labels, table.shape[1])
    good = table.shape[1] >= n_labels and _is_one_hot(_array(table)[:, block])
    return block if good else AUTO


def _one_value(y: Any) -> bool:
    return y is not None and (np.ndim(y) == 0 or _array(y).size == 1)


def _own_targets(listed: list[Any], key: str | int | None) -> list[Any]:
    """One target of every graph: ``y``, a column of it, or what another name holds."""
    name = key if isinstance(key, str) else "y"
    targets = []
    for i, graph in enumerate(listed):
        value = getattr(graph, name, None)
        if value is None:
            raise DatasetError(f"graph {i}: no {name}, which is to hold its target")
        if isinstance(value, str):
            targets.append(value)
            continue
        flat = _array(value).reshape(-1)
        if isinstance(key, int):
            if not 0 <= key < len(flat):
                raise DatasetError(f"graph {i}: no column {key} of y, which has {len(flat)}")
            flat = flat[key : key + 1]
        if len(flat) != 1:
            raise DatasetError(
                f"graph {i}: {name} of shape {_array(value).shape}; expected one target per "
                "graph: targets=0 takes the first column of y, targets=[...] gives them by hand"
            )
        targets.append(flat[0].item())
    return targets
