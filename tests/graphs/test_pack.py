import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError, DatasetNote
from graphrings.graphs.counting import counted_order
from graphrings.graphs.dataset import Repairs
from graphrings.graphs.numbering import renumber, sorted_names
from graphrings.graphs.pack import pack, simple, stable_order
from strategies import MOST_NODES

node = st.integers(0, MOST_NODES - 1)
entry_lists = st.lists(st.tuples(node, node))


@given(entry_lists)
def test_any_entries_become_the_simple_undirected_graph(entries: list[tuple[int, int]]) -> None:
    tails, heads = np.array(entries, dtype=np.int32).reshape(-1, 2).T
    kept, indptr, indices, repairs = simple(tails, heads, MOST_NODES)
    straight = [(u, v) for u, v in entries if u != v]
    graph = nx.empty_graph(MOST_NODES)
    graph.add_edges_from(straight)
    neighbours = [indices[indptr[v] : indptr[v + 1]].tolist() for v in range(MOST_NODES)]
    assert neighbours == [sorted(graph[v]) for v in range(MOST_NODES)]
    assert repairs.self_loops == len(entries) - len(straight)
    assert repairs.repeated == len(straight) - len(set(straight))
    assert repairs.one_way == sum((v, u) not in straight for u, v in set(straight))
    owner = np.repeat(np.arange(MOST_NODES), np.diff(indptr))
    for k, u, v in zip(kept, owner, indices, strict=True):
        first = entries.index((u, v) if (u, v) in straight else (v, u))
        assert k == first  # the first of equal entries gives its label


@given(st.lists(node))
def test_counting_sorts_as_comparing_does(nodes: list[int]) -> None:
    """Few entries are compared, many are counted."""
    keys = np.array(nodes, dtype=np.int32)
    assert counted_order(keys, MOST_NODES).tolist() == stable_order(keys, MOST_NODES).tolist()


def test_repairs_are_told_in_one_note() -> None:
    entries = np.array([(0, 1), (0, 1), (1, 0), (1, 2), (2, 2)])
    with pytest.warns(DatasetNote) as notes:
        made = pack("mine", np.array([0, 3]), entries[:, 0], entries[:, 1])
    assert [str(note.message) for note in notes] == [
        "mine: dropped 1 self-loop, merged 1 repeated edge entry, made 1 one-way edge two-way"
    ]
    assert made.repairs == Repairs(1, 1, 1)
    assert made[0].edges.tolist() == [[0, 1], [1, 2]]


def test_repairs_are_counted_in_the_plural_with_thousands() -> None:
    assert str(Repairs(2837, 2, 0)) == "dropped 2,837 self-loops, merged 2 repeated edge entries"
    assert str(Repairs(one_way=3)) == "made 3 one-way edges two-way"


def test_more_entries_than_int32_counts_are_refused() -> None:
    nothing = np.empty(0, dtype=np.int64)
    with pytest.raises(DatasetError, match=r"huge: 2,147,483,648 nodes .* at most 2,147,483,647"):
        pack("huge", np.array([0, 2**31]), nothing, nothing)


@given(st.lists(st.integers(-5, 5) | st.sampled_from(["C", "N", (1, "a"), None])))
def test_numbers_lead_back_to_the_names(values: list[object]) -> None:
    numbers, names = renumber(values)
    assert [names[k] for k in numbers] == values
    assert renumber(values[::-1])[1] == names
    assert numbers.dtype == np.int32


def test_names_are_sorted_numbers_first() -> None:
    assert sorted_names({"b", 10, "a", 2, (1, 2)}) == (2, 10, "a", "b", (1, 2))
    assert sorted_names({(10, "b"), (9, "b"), (9,)}) == ((9,), (9, "b"), (10, "b"))


def test_rows_of_several_columns_are_called_by_tuples() -> None:
    numbers, names = renumber(np.array([[1, 2], [0, 5], [1, 2]]))
    assert (numbers.tolist(), names) == ([1, 0, 1], ((0, 5), (1, 2)))


def test_names_are_plain_python_values() -> None:
    for values in (np.array([3, 1]), [np.int64(3), np.int64(1)], np.array([3, 1], dtype=object)):
        assert [type(name) for name in renumber(values)[1]] == [int, int]


def test_a_missing_direction_takes_over_the_label() -> None:
    edges = gr.from_edges([[(0, 1), (1, 2)]], edge_labels=[["single", "double"]])
    by_node = [edges.edge_label_names[k] for k in edges.edge_labels]
    assert by_node == ["single", "single", "double", "double"]  # 0-1, 1-0, 1-2, 2-1
