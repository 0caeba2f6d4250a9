"""Objects whose arrays contradict each other, and the public functions that are given them.

Whoever builds such an object is told in one line; whatever can be built is good, and every public
function either computes with it or says in one line why not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import torch
from hypothesis import strategies as st

import graphrings as gr
from fuzz.mutators import VALUES
from graphrings import layers
from graphrings.errors import GraphRingsError
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.networks.batches import Batch

WILD = (-1, 0, 1, 2, 3, 7, 100, 2**31 - 1, -(2**31), 2**31, 2**40, -(2**40), 0.5, float("nan"))
DTYPES = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float64", "O")


@st.composite
def mutated_arrays(draw: st.DrawFn, array: Any) -> Any:
    """An array with an element, its type, its length or its shape changed; or something else."""
    if not isinstance(array, np.ndarray):
        return draw(st.sampled_from(VALUES))
    array = np.array(array)
    action = draw(st.sampled_from("eeeeetlcsrvn"))
    with np.errstate(all="ignore"):
        if action == "e" and array.size:
            flat = array.reshape(-1)
            place = draw(st.integers(0, len(flat) - 1))
            flat[place] = np.array(draw(st.sampled_from(WILD))).astype(array.dtype)
        elif action == "t":
            array = array.astype(draw(st.sampled_from(DTYPES)))
        elif action == "l":
            array = array[: draw(st.integers(0, len(array)))]
        elif action == "c":
            array = np.concatenate([array, array[: draw(st.integers(0, len(array)))]])
        elif action == "s":
            array = array[None] if draw(st.booleans()) else array.reshape(-1, 1)
        elif action == "r":
            array = array[::-1]
    if action == "v":
        return draw(st.sampled_from(VALUES))
    return None if action == "n" else array


@st.composite
def parts_of(draw: st.DrawFn, good: dict[str, Any]) -> dict[str, Any]:
    """The parts of a good object with one to three of them broken."""
    names = draw(st.lists(st.sampled_from(sorted(good)), min_size=1, max_size=3, unique=True))
    return {**good, **{name: draw(mutated_arrays(good[name])) for name in names}}


def good_dataset() -> dict[str, Any]:
    """Two small graphs that carry everything."""
    few = gr.load("MUTAG")[:2]
    return {
        "name": "X",
        **{
            field: getattr(few, field)
            for field in (
                *("graph_ptr", "indptr", "indices", "targets", "class_names", "node_labels"),
                *("label_names", "edge_labels", "edge_label_names"),
            )
        },
        "node_attributes": np.ones((few.n_nodes, 2)),
        "edge_attributes": np.ones((len(few.indices), 1)),
    }


def good_graph() -> dict[str, Any]:
    """The first of them."""
    graph = gr.Dataset(**good_dataset())[0]
    fields = ("indptr", "indices", "target", "class_names", "node_labels", "label_names")
    return {field: getattr(graph, field) for field in fields}


def good_rings() -> dict[str, Any]:
    """Rings of radius 2, counted."""
    near = gr.rings(gr.Dataset(**good_dataset()), 2)
    counts = np.ones(len(near.indices), dtype=np.int32)
    often = np.ones(near.n_nodes, dtype=np.int32)
    arrays = {"indptr": near.indptr, "indices": near.indices}
    return {"radius": 2, **arrays, "counts": counts, "multiplicity": often}


def good_selection() -> dict[str, Any]:
    """Both graphs."""
    dataset = gr.Dataset(**good_dataset())
    return {"dataset": dataset, "graphs": np.arange(2), "cache": ArrayCache()}


def good_batch() -> dict[str, Any]:
    """A batch of one layer."""
    from graphrings.distances.weighted_rows import WeightedRows

    near = gr.rings(gr.Dataset(**good_dataset()), 1)
    n_rows = near.n_nodes
    return {
        "features": torch.ones(n_rows, 3),
        "rows": (WeightedRows(2, near.indptr, near.indices, near.weights),),
        "parents": (np.arange(n_rows, dtype=np.int32),),
        "graph_ptr": np.array([0, 9, n_rows]),
        "members": np.arange(n_rows, dtype=np.int32),
        "multiplicity": np.ones(n_rows, dtype=np.int32),
    }


def with_graphs(graphs: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every public function of graphs."""
    for function in (gr.rings, gr.walk_rings):
        for radius in (0, 1, 3):
            yield function.__name__, lambda f=function, r=radius: f(graphs, r, jobs=2)
    for name in ("quotient", "ring_profile"):
        yield name, lambda n=name: getattr(gr, n)(graphs, 2)
    for name in ("audit", "twin_groups", "statistics", "draw", "from_graphs"):
        yield name, lambda n=name: getattr(gr, n)(graphs)
    yield "list", lambda: [gr.draw(graph) for graph in graphs]
    yield "wl", lambda: gr.kernels.WeisfeilerLehman(2).fit_transform(graphs)
    yield "shortest-path", lambda: gr.kernels.ShortestPath().fit_transform(graphs)
    yield "to_networkx", lambda: graphs.to_networkx()
    yield "cut", lambda: graphs[::-1].fingerprint


def with_rings(near: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every layer, and whatever else takes rings; rows may be too few, too many, too narrow."""
    radius = near.radius
    yield "refine", lambda: gr.refine(near, np.zeros(near.n_nodes, dtype=np.int32))
    yield "refine too few", lambda: gr.refine(near, np.zeros(1, dtype=np.int32))
    yield "matrix", lambda: [near.matrix(j).sum() for j in range(radius + 1)]
    made = [
        *(layers.RingConv(3, 2, radius), layers.GCNConv(3, 2), layers.GCNConv(3, 2, radius=radius)),
        *(layers.SumConv(3, 2), layers.GINConv(3, 2), layers.GATConv(3, 2, radius=radius)),
        *(layers.GGNNConv(3), layers.ECCConv(3, 2), layers.ECCConv(3, 2, n_labels=radius)),
        *(layers.FingerprintConv(3, 2), layers.GNNConv(3, 2, 2), layers.DiffusionConv(3, 2)),
        *(layers.NN4GConv(3, 3, 2), layers.GINConv(3, 2, radius, learn_epsilon=True)),
        *(layers.FieldConv(3, 2, radius + 1), layers.OrientedRingConv(3, 2, radius)),
    ]
    for layer in made:
        for n_rows in (near.n_nodes, near.n_nodes - 1, near.n_nodes + 1, 0):
            h = torch.ones(max(0, n_rows), 3, requires_grad=True)
            given = (h, h) if isinstance(layer, layers.NN4GConv) else (h,)
            yield f"{layer!r} of {n_rows}", lambda c=layer, g=given: c(*g, near).sum().backward()


def with_selection(chosen: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """Estimators, fitted on good graphs."""
    for estimator in fitted():
        yield type(estimator).__name__, lambda e=estimator: e.predict(chosen)


def with_batch(batch: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """What a network does with a batch."""
    from graphrings.networks.readout import pooled

    conv = layers.RingConv(3, 2, 1)
    yield "forward", lambda: pooled([conv(batch.features, batch.rows[0])], batch)
    yield "counts", lambda: batch.counts()


_FITTED: list[Any] = []


def fitted() -> list[Any]:
    """An estimator of every family, fitted once."""
    if not _FITTED:
        few = gr.load("MUTAG")[:12]
        _FITTED.extend(
            estimator.fit(few)
            for estimator in (
                gr.PGCClassifier(max_epochs=1, channels=(2, 1), dense=4),
                gr.KernelClassifier("wl", height=1),
                gr.ForestClassifier(n_trees=2),
                gr.BaselineClassifier(),
            )
        )
    return _FITTED


def sort_pool(parts: dict[str, Any]) -> Any:
    """SortPooling with sizes and multiplicities that fit nothing, forward and backward."""
    h = torch.ones(7, 2, requires_grad=True)
    pool = layers.SortPool(parts["k"])
    pool(h, parts["sizes"], parts["multiplicity"]).sum().backward()


def nothing(_: Any) -> Iterator[tuple[str, Callable[[], object]]]:
    """It was called while it was built."""
    return iter(())


KINDS: dict[str, tuple[Callable[[], dict[str, Any]], Callable[..., Any], Callable[[Any], Any]]] = {
    "Dataset": (good_dataset, lambda parts: gr.Dataset(**parts), with_graphs),
    "Graph": (good_graph, lambda parts: gr.Graph(**parts), with_graphs),
    "Rings": (good_rings, lambda parts: gr.Rings(**parts), with_rings),
    "Selection": (good_selection, lambda parts: Selection(**parts), with_selection),
    "Batch": (good_batch, lambda parts: Batch(**parts), with_batch),
    "SortPool": (
        lambda: {"k": 5, "sizes": np.array([3, 4]), "multiplicity": np.ones(7, dtype=np.int64)},
        sort_pool,
        nothing,
    ),
}


def faults(kind: str, parts: dict[str, Any], rng: Random, most_calls: int = 6) -> Iterator[str]:
    """What goes wrong when an object is built and used; nothing should."""
    _, build, uses = KINDS[kind]
    try:
        made = build(parts)
    except GraphRingsError:
        return
    except Exception as error:
        yield f"building: {type(error).__name__}: {error}"
        return
    calls = list(uses(made))
    for name, call in rng.sample(calls, min(most_calls, len(calls))):
        try:
            call()
        except GraphRingsError:
            continue
        except Exception as error:
            if kind == "Graph" and isinstance(error, AttributeError | TypeError):
                continue  # a function of datasets, given a single graph
            yield f"{name}: {type(error).__name__}: {str(error)[:200]}"
