from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.protocol.seeds import seed

words = st.lists(st.one_of(st.text(max_size=3), st.integers(-3, 3), st.booleans(), st.none()))


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ((), 1855102562),
        ((0,), 1477645586),
        ((1, "MUTAG"), 686024849),
        ((1, "MUTAG", "pgc-dgcnn", 0, 3, {"radius": 2, "learning_rate": 3e-4}), 29050364),
    ],
)
def test_seeds_never_change(parts: tuple[Any, ...], expected: int) -> None:
    """A store of results is worth nothing if the same cell gets another seed one day."""
    assert seed(*parts) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("a", "bc"), ("ab", "c")),
        (("a", "b"), (["a", "b"],)),
        (("a,b",), ("a", "b")),
        ((1,), ("1",)),
        ((1,), (1.0,)),
        ((1,), (True,)),
        ((0, 1), (1, 0)),
        (({"r": 1},), ({"r": 2},)),
        (({},), ([],)),
    ],
)
def test_other_parts_have_another_seed(one: tuple[Any, ...], other: tuple[Any, ...]) -> None:
    assert seed(*one) != seed(*other)


def test_the_order_of_a_dictionary_does_not_matter() -> None:
    assert seed({"a": 1, "b": {"c": 2, "d": 3}}) == seed({"b": {"d": 3, "c": 2}, "a": 1})


def test_a_tuple_is_a_list_as_in_a_file() -> None:
    assert seed({"channels": (32, 1)}) == seed({"channels": [32, 1]})


@given(words, words)
def test_seeds_are_in_range_and_differ(one: list[Any], other: list[Any]) -> None:
    assert 0 <= seed(*one) <= 2**31 - 2
    assert (seed(*one) == seed(*other)) == (repr(one) == repr(other))


def test_what_json_does_not_know_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        seed(float("nan"))
    with pytest.raises(TypeError, match="not JSON serializable"):
        seed(object())
