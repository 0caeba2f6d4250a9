"""What a Dataset or Graph is made from is checked where it is made."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.graphs.check import (
    ASTRAY,
    GOOD,
    ONE_WAY,
    OUTSIDE,
    UNSORTED,
    as_array,
    bounds,
    edge_fault,
    within,
)
from strategies import datasets

PATH = {"graph_ptr": [0, 3, 5], "indptr": [0, 1, 3, 4, 5, 6], "indices": [1, 0, 2, 1, 4, 3]}


def made(**parts: Any) -> gr.Dataset:
    """A path of three nodes and one of two, with something else about them."""
    return gr.Dataset("X", **{**PATH, **parts})


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"graph_ptr": [0, 3, 6]}, "graph_ptr does not rise from 0 to 5, the number of nodes"),
        ({"graph_ptr": [0, 3, 3, 5]}, "graph_ptr does not rise from 0 to 5"),
        ({"graph_ptr": [0, 1000, 1]}, "graph_ptr does not rise from 0 to 5"),
        ({"indptr": [0, 1, 3, 2, 5, 6]}, "indptr does not rise from 0 to 6"),
        ({"indptr": [0, 1, 3, 4, 5, 7]}, "indptr does not rise from 0 to 6"),
        ({"indptr": []}, "graph_ptr does not rise"),
        ({"indices": [1, 0, 2, 1, 4, -3]}, "indices has nodes that are not of 0 to 4"),
        ({"indices": [1, 0, 2, 1, 4, 5]}, "indices has nodes that are not of 0 to 4"),
        ({"indices": [1, 0, 3, 1, 2, 3]}, "indices has an edge that leaves its graph"),
        ({"indices": [1, 2, 0, 1, 4, 3]}, "indices has a self-loop, or neighbours that do not asc"),
        ({"indices": [1, 0, 1, 1, 4, 3]}, "indices has a self-loop, or neighbours that do not asc"),
        ({"indices": [2, 0, 2, 1, 4, 3]}, "indices has an edge in one direction only"),
        ({"indices": np.array([1, 0, 2, 1, 4, 2**32 + 3])}, "indices: numbers from 0 to 42949672"),
        ({"indices": [1.0, 0, 2, 1, 4, 3]}, "indices: an array of float64; expected whole numbers"),
        ({"indices": [[1, 0, 2, 1, 4, 3]]}, "indices: 2 dimensions; expected 1"),
        ({"indices": None}, "indices: 0 dimensions; expected 1"),
        ({"targets": [0, 1]}, "targets is int32 of 1 dimensions; expected float64 of 1"),
        ({"targets": [0], "class_names": ("a",)}, "targets are 1 for 2 graphs"),
        ({"targets": [0, 1], "class_names": ("a",)}, "targets are not classes from 0 to 0"),
        ({"targets": [0.5, np.inf]}, "targets are not finite numbers"),
        ({"class_names": ("a", "a")}, "class_names has a name twice"),
        ({"class_names": ([],)}, "class_names has a name that cannot be looked up"),
        ({"class_names": 7}, "class_names is a int; expected a tuple"),
        ({"node_labels": [0, 0, 0, 0]}, "node_labels are not 5 numbers from 0 to -1"),
        ({"edge_labels": [0] * 5 + [1], "edge_label_names": ("a",)}, "edge_labels are not 6 numb"),
        ({"node_attributes": np.ones((4, 2))}, "node_attributes are not 5 rows of finite numbers"),
        ({"edge_attributes": np.full((6, 1), np.nan)}, "edge_attributes are not 6 rows of finite"),
        ({"smiles": ("C",)}, "smiles are 1 for 2 graphs"),
        ({"smiles": (1, 2)}, "smiles are not a tuple of text"),
        ({"folds": (([0], [2]),)}, "fold 1 has graphs that are not of 0 to 1"),
        ({"folds": (([0, 1], [1]),)}, "fold 1 has graph 1 in train and in test"),
        ({"folds": ((["a"], [1]),)}, "fold 1 is not two lists of whole numbers"),
        ({"folds": (3,)}, "fold 1 is not a pair of training and test graphs"),
    ],
)
def test_arrays_that_contradict_each_other_are_refused(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError) as error:
        made(**parts)
    assert str(error.value).startswith(f"X: {message}")


def test_lists_and_other_integers_become_the_arrays_of_a_dataset() -> None:
    dataset = made(
        indptr=np.array(PATH["indptr"], dtype=np.uint64),
        node_labels=[0, 1, 0, 1, 0],
        label_names=["C", "N"],
        node_attributes=[[1], [2], [3], [4], [5]],
    )
    kinds = {field: getattr(dataset, field).dtype.name for field in ("indptr", "node_labels")}
    assert kinds == {"indptr": "int32", "node_labels": "int32"}
    assert dataset.node_attributes.dtype == np.float64
    assert not dataset.indptr.flags.writeable
    assert dataset.label_names == ("C", "N")


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"indptr": [0], "indices": []}, "a graph: a graph without nodes; expected at least one"),
        ({"indptr": [0, 1], "indices": [0]}, "a graph: indices has a self-loop"),
        ({"indptr": None, "indices": []}, "a graph: indptr: 0 dimensions; expected 1"),
        (
            {"indptr": [0, 0], "indices": [], "target": "a"},
            "a graph: target is a str; expected a n",
        ),
        (
            {"indptr": [0, 0], "indices": [], "target": 1, "class_names": ("a",)},
            "a graph: target 1 is no class from 0 to 0",
        ),
    ],
)
def test_one_graph_is_checked_as_well(parts: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError) as error:
        gr.Graph(**parts)
    assert str(error.value).startswith(message)


@given(datasets())
def test_what_we_make_ourselves_passes_the_check_at_the_door(dataset: gr.Dataset) -> None:
    again = gr.Dataset(**{field: getattr(dataset, field) for field in dataset.__dataclass_fields__})
    assert again.fingerprint == dataset.fingerprint
    for graph in dataset:
        gr.Graph(**{field: getattr(graph, field) for field in graph.__dataclass_fields__})


@given(datasets(), st.data())
def test_the_compiled_check_agrees_with_a_slow_one(
    dataset: gr.Dataset, data: st.DataObject
) -> None:
    """One entry is changed at random; sets of pairs say what that does."""
    indices = dataset.indices.copy()
    if len(indices):
        place = data.draw(st.integers(0, len(indices) - 1))
        indices[place] = data.draw(st.integers(-2, dataset.n_nodes + 1))
    wrong = edge_fault(dataset.graph_ptr, dataset.indptr, indices)
    assert (wrong == GOOD) == _is_simple(dataset, indices)
    assert wrong in (GOOD, OUTSIDE, ASTRAY, UNSORTED, ONE_WAY)


def _is_simple(dataset: gr.Dataset, indices: Any) -> bool:
    tails = np.repeat(np.arange(dataset.n_nodes), dataset.degrees).tolist()
    pairs = list(zip(tails, indices.tolist(), strict=True))
    inside = all(0 <= head < dataset.n_nodes for _, head in pairs)
    return (
        inside
        and pairs == sorted(set(pairs))
        and all((head, tail) in pairs and tail != head for tail, head in pairs)
        and all(dataset.owner[tail] == dataset.owner[head] for tail, head in pairs)
    )


def test_a_change_is_checked_where_it_was_made() -> None:
    dataset = made(targets=[0, 1], class_names=("a", "b"))
    assert dataset.changed(name="Y", targets=None).name == "Y"
    with pytest.raises(DatasetError, match="X: targets are 3 for 2 graphs"):
        dataset.changed(targets=np.zeros(3, dtype=np.int32))
    with pytest.raises(DatasetError, match="X: targets are not classes from 0 to 0"):
        dataset.changed(class_names=("a",))


def test_unsigned_numbers_that_fall_do_not_rise() -> None:
    """Their differences would wrap around."""
    assert not bounds(np.array([0, 1000, 1], dtype=np.uint16), 1)
    assert bounds(np.array([0, 1, 1], dtype=np.uint16), 1)
    assert not within(np.array([-1]), 5)
    assert within(np.array([], dtype=np.int64), 0)


def test_what_is_no_array_at_all_is_refused() -> None:
    with pytest.raises(DatasetError, match="node_attributes: no array"):
        as_array([[1, 2], [3]], "node_attributes")
