from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from graphrings.results.contents import (
    EXPERIMENT,
    METHOD,
    MOST_SHOWN,
    RECORD,
    check,
    check_card,
    check_record,
    is_number,
    is_plain,
    is_real,
    is_text,
    is_whole,
    mapping,
    or_none,
    several,
    shown,
)
from graphrings.results.contents import TEXT as A_TEXT
from graphrings.results.record import Curve
from results.samples import TEST, TRIALS, card, dataset, method, record

NAN, INFINITY = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("holds", "good", "bad"),
    [
        (is_whole, [0, 1, 2**53], [-1, 2**53 + 1, True, 1.0, "1", None]),
        (lambda value: is_whole(value, 1), [1], [0]),
        (is_text, ["", "a", "é☃"], ["\ud800", "é\udfff", b"a", 1, None]),
        (is_real, [1, -2.5, NAN, INFINITY, 1e308, -(2**53)], [True, "1", None, 2**53 + 1]),
        (is_number, [1, -2.5, INFINITY, -1e308], [NAN, False, "1", 10**30]),
        (is_plain, [10**30, INFINITY, NAN], []),
        (is_plain, [None, True, "a", 1, 0.5, [1, ["a"]], {"a": {"b": [2]}}], [b"a", [{1}], {1: 2}]),
        (is_plain, [], [{"a": b"b"}, {"\ud800": 1}, object()]),
        (mapping(A_TEXT).holds, [{}, {"a": "b"}], [{"a": 1}, {1: "a"}, {"a": "b", "c": 1}, []]),
        (several(A_TEXT).holds, [[], ["a"], ("a", "b")], ["a", ["a", 1], None]),
        (several(A_TEXT, least=2).holds, [["a", "b"]], [["a"]]),
        (or_none(A_TEXT).holds, [None, "a"], [1]),
    ],
)
def test_rules_hold_for_what_they_say(holds: Any, good: list[Any], bad: list[Any]) -> None:
    assert [value for value in good if not holds(value)] == []
    assert [value for value in bad if holds(value)] == []


def test_a_long_value_is_cut_in_a_message() -> None:
    fitting = "a" * (MOST_SHOWN - 2)  # and two quotes
    assert shown(fitting) == repr(fitting)
    assert shown(fitting + "b") == f"{repr(fitting + 'b')[:MOST_SHOWN]}..."


@pytest.mark.parametrize(
    ("rules", "good", "name", "bad"),
    [
        (EXPERIMENT, {"n_folds": 1, "repetitions": 1}, "n_folds", 0),
        (EXPERIMENT, {"n_folds": 1, "repetitions": 1}, "repetitions", 0),
        (METHOD, {"revision": 0}, "revision", b"1"),
        (RECORD, {"trials": [{}]}, "trials", []),
        (RECORD, {"scores": {"a": None, "b": INFINITY}}, "scores", {"a": NAN}),
    ],
)
def test_a_field_that_is_wrong_or_missing_is_named(
    rules: Any, good: dict[str, Any], name: str, bad: Any
) -> None:
    part = {field: rules[field] for field in good}
    check(good, part)
    with pytest.raises(ValueError, match=rf"^{name} = .*; expected "):
        check({**good, name: bad}, part)
    with pytest.raises(ValueError, match=rf"^no {name}$"):
        check({field: value for field, value in good.items() if field != name}, part)


def test_datasets_methods_and_classes_are_there_once() -> None:
    check_card(card())
    with pytest.raises(ValueError, match="a dataset that is there twice"):
        check_card(card(datasets=(dataset("A"), dataset("A"))))
    with pytest.raises(ValueError, match="a method that is there twice"):
        check_card(card(methods=(method("A"), method("A"))))
    with pytest.raises(ValueError, match="A: as many counts as classes are expected"):
        check_card(card(datasets=(dataset("A", class_counts=(1, 2, 3)),)))


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (("OTHER", "PGC", 0, 0), "not a cell of its experiment"),
        (("MUTAG", "OTHER", 0, 0), "not a cell of its experiment"),
        (("MUTAG", "PGC", 1, 0), "expected 1 repetitions of 3 folds"),
        (("MUTAG", "PGC", 0, 3), "expected 1 repetitions of 3 folds"),
    ],
)
def test_a_cell_is_one_of_its_experiment(cell: Any, message: str) -> None:
    check_record(record("MUTAG", "PGC", 0, 2), card())
    with pytest.raises(ValueError, match=message):
        check_record(record(*cell), card())


def graphs(*numbers: int) -> Any:
    return replace(TEST, graphs=np.array(numbers))


@pytest.mark.parametrize(
    ("good", "bad", "message"),
    [
        ({"fingerprint": "f-MUTAG"}, {"fingerprint": "f-PTC"}, "fingerprint f-PTC; expected f-MUT"),
        ({"scores": {"accuracy": 1.0, "macro_f1": -1}}, {"scores": {"accuracy": 1.5}}, "a share"),
        ({"scores": {"log_loss": 7.0, "new": 3}}, {"scores": {"accuracy": -1.01}}, "a share"),
        ({"n_test": 2}, {"n_test": 3}, "2 predictions of 3 test graphs"),
        ({"n_validation": 2}, {"n_validation": 1}, "2 predictions of 1 validation graphs"),
        ({"test": graphs(0, 9)}, {"test": graphs(0, 10)}, "beyond the 10 known"),
        ({"test": graphs(9, 0)}, {"test": graphs(-1, 3)}, "beyond the 10 known"),
        ({"test": None, "n_test": 99}, {"test": replace(TEST, n_classes=3)}, "with 3 classes"),
    ],
)
def test_what_a_record_says_fits_together(
    good: dict[str, Any], bad: dict[str, Any], message: str
) -> None:
    check_record(record(**good), card())
    with pytest.raises(ValueError, match=message):
        check_record(record(**bad), card())


def test_the_columns_of_a_curve_are_numbers_and_as_long_as_each_other() -> None:
    for columns, message in (
        (((0.1,), (0.2, 0.3), (0.4,), (0.5,)), "different lengths"),
        ((("a",), (0.2,), (0.4,), (0.5,)), "something else than numbers"),
        (((True,), (0.2,), (0.4,), (0.5,)), "something else than numbers"),
    ):
        trial = replace(TRIALS[1], curve=Curve(*columns))
        with pytest.raises(ValueError, match=message):
            check_record(record(trials=(trial, trial)), card())
