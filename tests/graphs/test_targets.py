from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import graphrings as gr
from graphrings.errors import DatasetError
from graphrings.graphs.targets import (
    is_continuous,
    is_missing,
    numbered_targets,
    own_targets,
    target_column,
)

TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"))  # numpy drops a last \0
CLASSES = st.integers() | TEXTS | st.booleans() | st.tuples(st.integers(), TEXTS)


@given(st.lists(CLASSES, min_size=1))
def test_classes_are_numbers_that_lead_back_to_their_names(targets: list[Any]) -> None:
    numbers, names = numbered_targets(targets, len(targets))
    assert numbers.dtype == np.int32
    assert [names[k] for k in numbers] == targets
    assert {type(name) for name in names} <= {int, str, bool, tuple, float}


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1))
def test_numbers_are_values_as_soon_as_one_is_not_whole(targets: list[float]) -> None:
    numbers, names = numbered_targets([*targets, 0.5], len(targets) + 1)
    assert (numbers.tolist(), names) == ([*targets, 0.5], ())
    assert numbers.dtype == np.float64
    whole = [float(round(target)) for target in targets]
    assert set(numbered_targets(whole, len(whole))[1]) == set(whole)


@pytest.mark.parametrize(
    "half",
    [0.5, np.float32(0.5), Decimal("0.5"), Fraction(1, 2)],
    ids=["float", "numpy", "decimal", "fraction"],
)
def test_every_kind_of_real_number_makes_values(half: Any) -> None:
    for targets in ([1, half], (1, half), np.array([1, half], dtype=object), pd.Series([1, half])):
        numbers, names = numbered_targets(targets, 2)
        assert (numbers.tolist(), names) == ([1, 0.5], ())


@pytest.mark.parametrize(
    ("targets", "names"),
    [
        (["b", "a"], ("a", "b")),
        ([1.0, 0.0], (0, 1)),
        ([True, False], (False, True)),
        ([2**63 + 1, -1], (-1, 2**63 + 1)),
        ([1, "a"], (1, "a")),
        ([(1, 2), (0, 5)], ((0, 5), (1, 2))),
        ([(1, 2), "a"], ("a", (1, 2))),
        ([[1], [0]], (0, 1)),
        (np.array([[1], [0]]), (0, 1)),
        (pd.Series(["b", "a"]), ("a", "b")),
        (pd.Series([1, 0], dtype="Int64", index=[7, 3]), (0, 1)),
        (pd.Series(["b", "a"], dtype="category"), ("a", "b")),
        (pd.Series(["b", "a"], dtype="string"), ("a", "b")),
        (pd.DataFrame({"y": [1, 0]}), (0, 1)),
        ((k for k in (1, 0)), (0, 1)),
        ("ba", ("a", "b")),
    ],
)
def test_one_column_is_taken_in_every_form(targets: Any, names: tuple[Any, ...]) -> None:
    numbers, called = numbered_targets(targets, 2)
    assert called == names
    assert sorted(numbers.tolist()) == [0, 1]


def test_values_come_from_pandas_too() -> None:
    for dtype in ("float64", "Float64", "float32"):
        values = pd.Series([0.5, 2], dtype=dtype, index=[9, 4])
        assert numbered_targets(values, 2)[0].tolist() == [0.5, 2]
    assert numbered_targets(pd.DataFrame({"y": [0.5, 2]}), 2)[0].tolist() == [0.5, 2]


def test_no_targets_are_none() -> None:
    assert numbered_targets(None, 3) == (None, ())


FRAME = pd.DataFrame({"id": [1, 2], "y": [0, 1]})


@pytest.mark.parametrize(
    ("targets", "message"),
    [
        (FRAME, "targets of shape (2, 2); expected one column, such as y[:, 0] or frame['column']"),
        (FRAME[[]], "targets of shape (2, 0); expected one column, such as y[:, 0] or frame['c"),
        (np.zeros((2, 3)), "targets of shape (2, 3); expected one column"),
        ([[1, 2], [3, 4]], "targets of shape (2, 2); expected one column"),
        ([[1, 2], [3]], "targets of type list that make no column ("),
        (5, "targets of type int that make no column ("),
        ([0], "1 targets for 2 graphs; expected one per graph"),
        (pd.Series([0, 1, 2]), "3 targets for 2 graphs; expected one per graph"),
        ([None, None], "2 of 2 targets are missing, the first is number 0 (None); expected one"),
        ([0, np.nan], "1 of 2 targets are missing, the first is number 1 (nan); expected one"),
        (["a", float("nan")], "1 of 2 targets are missing, the first is number 1 (nan)"),
        (pd.Series([1, None]), "1 of 2 targets are missing, the first is number 1 (nan)"),
        (pd.Series([1, None], dtype="Int64"), "1 of 2 targets are missing, the first is number 1"),
        (pd.Series([None, "a"]), "1 of 2 targets are missing, the first is number 0"),
        (pd.DataFrame({"y": [None, "a"]}), "1 of 2 targets are missing, the first is number 0"),
        (pd.to_datetime(pd.Series(["2020-01-01", None])), "1 of 2 targets are missing, the first"),
        ([0.5, np.inf], "target number 1 is inf among numbers that are not whole; expected finite"),
        ([1.0, -np.inf], "target number 1 is -inf among numbers that are not whole; expected"),
        ([0.5, "a"], "target number 1 is 'a' among numbers that are not whole; expected finite"),
        ([{}, {}], "targets must be hashable: numbers, strings or tuples ("),
    ],
)
def test_what_cannot_be_targets_is_refused_in_one_line(targets: Any, message: str) -> None:
    with pytest.raises(DatasetError) as error:
        numbered_targets(targets, 2)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("adapter", ["edges", "networkx", "scipy", "graphs", "anything"])
def test_every_adapter_looks_at_targets(adapter: str) -> None:
    import networkx as nx

    from graphrings.graphs.adapters.anything import as_dataset

    path, plain = nx.path_graph(2), gr.from_edges([[(0, 1)]])[0]
    make = {
        "edges": lambda y: gr.from_edges([[(0, 1)]] * 2, y),
        "networkx": lambda y: gr.from_networkx([path, path], y),
        "scipy": lambda y: gr.from_scipy([np.array([[0, 1], [1, 0]])] * 2, y),
        "graphs": lambda y: gr.from_graphs([plain, plain], y),
        "anything": lambda y: as_dataset([path, plain][:1] * 2, y),
    }[adapter]
    values = make(pd.Series([0.5, 1.5]))
    assert (values.targets.tolist(), values.class_names) == ([0.5, 1.5], ())
    assert make(["x", "y"]).class_names == ("x", "y")
    for wrong in (FRAME, [0, None], [0, np.nan], [0]):
        with pytest.raises(DatasetError, match="targets"):
            make(wrong)


def test_a_dataset_brings_names_or_values() -> None:
    edges = [[(0, 1)]] * 3
    assert own_targets(gr.from_edges(edges, ["b", "a", "b"])).tolist() == ["b", "a", "b"]
    assert own_targets(gr.from_edges(edges, [(1, 2), (3, 4), "a"])).tolist() == [
        (1, 2),
        (3, 4),
        "a",
    ]
    assert own_targets(gr.from_edges(edges, [0.5, 1, 2])).tolist() == [0.5, 1, 2]
    with pytest.raises(DatasetError, match="mine: graphs without targets; give them as y"):
        own_targets(gr.from_edges(edges, name="mine"))


def test_a_column_is_continuous_by_what_is_in_it() -> None:
    for column in (np.array([0.5]), np.array([1, 0.5], dtype=object), np.array([np.inf])):
        assert is_continuous(column)
    for listed in ([1.0, 2.0], [1, 2], ["0.5"], [True], []):
        assert not is_continuous(np.array(listed))
    assert not is_continuous(np.array(["a", (0.5, 1)], dtype=object))


def test_what_stands_for_nothing_is_missing() -> None:
    assert all(map(is_missing, [None, np.nan, pd.NA, pd.NaT, np.float32("nan"), Decimal("nan")]))
    assert not any(map(is_missing, [0, "", False, (), "nan", np.inf]))


def test_a_column_keeps_the_type_of_its_targets() -> None:
    assert target_column([3, 1], 2).dtype.kind == "i"
    assert target_column(["a", "bc"], 2).dtype.kind == "U"
    assert target_column(pd.Series([0.5, 1]), 2).dtype == np.float64
