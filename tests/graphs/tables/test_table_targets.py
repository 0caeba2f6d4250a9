"""Targets out of text, compared with what numbered_targets makes of the same as Python values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphrings.graphs.tables.targets import decimal_commas, is_missing, targets_of
from graphrings.graphs.targets import numbered_targets

REALS = st.floats(allow_nan=False, allow_infinity=False, width=32)
WORDS = st.text(st.characters(categories=["Lu", "Ll"]), min_size=2).filter(
    lambda word: word.lower() not in ("nan", "inf", "infinity")
)


@given(values=st.lists(st.integers()) | st.lists(REALS) | st.lists(WORDS))
def test_text_is_taken_as_the_values_themselves_are(values: list[int | float | str]) -> None:
    if values and all(isinstance(value, float) and value.is_integer() for value in values):
        values = [int(value) for value in values]  # a column of 1.0 and 0.0 has the classes 1 and 0
    (numbers, names), refused = targets_of([f" {value} " for value in values])
    expected, expected_names = numbered_targets(values, len(values))
    assert not refused
    if values:
        assert expected is not None
        assert numbers is not None
        np.testing.assert_array_equal(numbers, expected)
        assert (numbers.dtype, names) == (expected.dtype, expected_names)


def test_what_is_no_number_among_values_is_refused() -> None:
    (values, names), refused = targets_of(["1.5", ">10", "2", "inf", "1_0"])
    assert values is not None
    assert (values.tolist(), names) == ([1.5, 2.0], ())
    assert refused == {
        1: "no finite number: target '>10'",
        3: "no finite number: target 'inf'",
        4: "no finite number: target '1_0'",
    }


def test_a_few_numbers_among_words_are_words() -> None:
    assert targets_of(["a", "b", "1.5"]).numbered[1] == ("1.5", "a", "b")
    assert targets_of(["1", "a"]).numbered[1] == ("1", "a")


def test_the_task_decides_where_it_is_named() -> None:
    (values, names), refused = targets_of(["1", "2", "x"], "regression")
    assert values is not None
    assert (values.tolist(), names, list(refused)) == ([1.0, 2.0], (), [2])
    assert targets_of(["1.5", "2"], "classification").numbered[1] == ("1.5", "2")
    assert targets_of(["1", "0.0"], "classification").numbered[1] == (0, 1)


@pytest.mark.parametrize("text", ["", "  ", "NA", "n/a", "NaN", "null", "None"])
def test_missing_has_many_names(text: str) -> None:
    assert is_missing(text)
    assert not is_missing("0")


@given(values=st.lists(REALS, min_size=1))
def test_numbers_with_commas_are_those_with_points(values: list[float]) -> None:
    points = [str(value) for value in values]
    commas = decimal_commas([f" {text.replace('.', ',')}" for text in points])
    if all("." not in text for text in points):  # 1e-07
        assert commas is None
    else:
        assert commas is not None
        assert commas.with_points == points
        doubtful = {len(text.partition(".")[2]) for text in points if "." in text} == {3}
        assert not commas.doubtful or doubtful


@pytest.mark.parametrize(
    ("texts", "doubtful"),
    [
        (["1,234", "-12,345", "7"], True),
        (["1,234", "12,34"], False),
        (["0,123", "1,234"], False),
        (["1234,567"], False),
        (["1,5", "2", ">10"], False),
    ],
)
def test_three_digits_behind_every_comma_may_be_thousands(texts: list[str], doubtful: bool) -> None:
    commas = decimal_commas(texts)
    assert commas is not None
    assert commas.doubtful == doubtful


@pytest.mark.parametrize(
    "texts",
    [["1", "2"], ["1,5", "2.5"], ["1,5", "a", "b"], ["a,b", "1"], ["1,2,3"], [",", "1"], []],
)
def test_other_commas_are_no_decimal_commas(texts: list[str]) -> None:
    assert decimal_commas(texts) is None
