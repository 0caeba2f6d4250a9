"""Datasets with all that graphs may carry, and whether two of them are the same."""

from dataclasses import fields, replace

import numpy as np
from hypothesis import strategies as st

import graphrings as gr
from graphrings.graphs.dataset import Dataset
from strategies import networks

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
INTEGERS = st.integers(-(10**18) + 1, 10**18 - 1)
ROWS = st.tuples(st.integers(-12, 12), st.integers(0, 1))
WORDS = st.sampled_from(["C", "N", "<&>", '"q"', "a b", "é", "x,y", "(1)", "Cl-"]) | st.text(
    st.characters(categories=["L", "N", "P"]), min_size=1
).map(lambda text: f"x{text}")
SHORT = st.integers(-(2**31) + 1, 2**31 - 1)
NAMES = st.sampled_from([WORDS, SHORT])  # what the formats of other programs hold
ANYTHING = st.none() | st.booleans() | NUMBERS | st.text() | st.tuples(INTEGERS) | INTEGERS


@st.composite
def rich_datasets(
    draw: st.DrawFn,
    integers: bool,
    moderate: bool = False,
    names: st.SearchStrategy[object] | None = None,
) -> Dataset:
    """Graphs with some or all of what a dataset may carry, but for folds and repairs.

    Names may be only integers or rows of them, or what ``names`` says; and numbers moderate: such
    that float32 has them.
    """
    numbers = st.floats(-1e30, 1e30) if moderate else NUMBERS
    graphs = draw(st.lists(networks(), min_size=1, max_size=4))
    name = draw(st.sampled_from([INTEGERS, ROWS] if integers else [INTEGERS, ROWS, ANYTHING]))

    if names is not None:
        name = draw(names)

    def some(count: int, values: st.SearchStrategy[object]) -> list[object] | None:
        return draw(st.none() | st.lists(values, min_size=count, max_size=count))

    def rows(count: int) -> np.ndarray | None:
        width = draw(st.integers(0, 2))
        listed = draw(st.lists(numbers, min_size=width * count, max_size=width * count))
        return np.array(listed, dtype=float).reshape(count, width) if width else None

    bare = gr.from_networkx(graphs)
    node_labels = some(bare.n_nodes, name)
    if node_labels is not None:
        node_labels = [
            node_labels[first:last]
            for first, last in zip(bare.graph_ptr[:-1], bare.graph_ptr[1:], strict=True)
        ]
    kind = INTEGERS if integers else st.text() | INTEGERS
    classes = [draw(kind if names is None else name) for _ in graphs]
    dataset = gr.from_edges(
        [graph.edges for graph in bare],
        classes,
        n_nodes=bare.sizes.tolist(),
        node_labels=node_labels,
        edge_labels=[[draw(name) for _ in graph.edges] for graph in bare],
        name=draw(st.sampled_from(["X", "my graphs", "café-1.2_A"])),
    )
    if draw(st.booleans()):
        values = np.array([draw(numbers) for _ in graphs])
        dataset = replace(dataset, targets=values, class_names=())
    return replace(
        dataset,
        node_attributes=rows(dataset.n_nodes),
        edge_attributes=rows(len(dataset.indices)),
    )


def assert_same(dataset: Dataset, expected: Dataset, but: tuple[str, ...] = ()) -> None:
    """Equal arrays, types and names; arrays of nothing may be missing."""
    assert "targets" in but or dataset.fingerprint == expected.fingerprint
    for field in fields(Dataset):
        ours, theirs = getattr(dataset, field.name), getattr(expected, field.name)
        if field.name in but or (
            ours is None and isinstance(theirs, np.ndarray) and not len(theirs)
        ):
            continue
        if isinstance(theirs, np.ndarray):
            assert ours.dtype == theirs.dtype
            np.testing.assert_array_equal(ours, theirs)
        elif field.name == "folds":
            assert [[side.tolist() for side in fold] for fold in ours] == [
                [side.tolist() for side in fold] for fold in theirs
            ]
        else:
            assert repr(ours) == repr(theirs)  # 1, 1.0 and True are equal, but not the same
