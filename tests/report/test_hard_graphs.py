from dataclasses import replace

import numpy as np
import pytest

from graphrings.report.hard_graphs import (
    answers,
    furthest,
    largest_errors,
    needed,
    often_wrong,
    wrong_graphs,
)
from graphrings.report.tables import compare
from graphrings.results.record import Cell, Record
from report.measured import asked, card

TRUTH = [0, 1, 0, 1]


def held(said: dict[str, list[list[int]]]) -> list[Record]:
    """What methods said of four graphs, a list per repetition."""
    return [
        asked(Cell("MUTAG", name, i, 0), TRUTH, one)
        for name, repetitions in said.items()
        for i, one in enumerate(repetitions)
    ]


def hard(said: dict[str, list[list[int]]]) -> list[int]:
    known = answers(held(said), "MUTAG")
    assert known is not None
    numbers: list[int] = known.graphs[often_wrong(known).places].tolist()
    return numbers


def test_a_graph_that_all_get_wrong_is_hard() -> None:
    assert hard({"a": [[1, 1, 0, 1]], "b": [[1, 1, 0, 0]]}) == [0]


def test_one_of_three_may_be_right() -> None:
    wrong, right = [[1, 1, 0, 1]], [TRUTH]
    assert hard({"a": wrong, "b": wrong, "c": right}) == [0]
    assert hard({"a": wrong, "b": right, "c": right}) == []
    assert hard({"a": wrong, "b": right}) == []


def test_a_method_may_be_right_once_in_ten_repetitions() -> None:
    wrong, right = [1, 1, 0, 1], TRUTH
    assert hard({"a": [wrong] * 9 + [right]}) == [0]
    assert hard({"a": [wrong] * 8 + [right]}) == []


def test_the_most_often_wrong_comes_first() -> None:
    said = {"a": [[1, 1, 0, 0]], "b": [[1, 1, 0, 0]], "c": [[0, 1, 0, 0]]}
    assert hard(said) == [3, 0]


def test_a_method_that_did_not_test_a_graph_has_no_say() -> None:
    some = asked(Cell("MUTAG", "b", 0, 0), [0, 1], [0, 1], first=2)
    known = answers([*held({"a": [[1, 1, 0, 1]]}), some], "MUTAG")
    assert known is not None
    assert known.graphs[often_wrong(known).places].tolist() == [0]


@pytest.mark.parametrize(("n", "fail"), [(1, 1), (2, 2), (3, 2), (10, 9), (19, 18), (20, 18)])
def test_how_many_methods_must_fail(n: int, fail: int) -> None:
    assert needed(n) == fail


def test_other_datasets_and_lost_predictions_do_not_count() -> None:
    records = held({"a": [[1, 1, 0, 1]]})
    assert answers(records, "PTC") is None
    assert answers([replace(record, test=None) for record in records], "MUTAG") is None


def test_errors_are_averaged_over_tests_and_then_over_methods() -> None:
    """Method a misses graph 0 by 1 and 3, b by 6; a misses graph 1 by 3, b by 4."""
    records = [
        asked(Cell("ESOL", "a", 0, 0), [0.0, 0.0], [1.0, 3.0], n_classes=0),
        asked(Cell("ESOL", "a", 1, 0), [0.0, 0.0], [-3.0, 3.0], n_classes=0),
        asked(Cell("ESOL", "b", 0, 0), [0.0, 0.0], [6.0, -4.0], n_classes=0),
    ]
    known = answers(records, "ESOL")
    assert known is not None
    assert np.nanmean(known.errors, axis=0).tolist() == [4.0, 3.5]
    assert furthest(known).places.tolist() == [0, 1]
    mine = card(("a", "b"), ("ESOL",), 2, 1, task="regression")
    sheet = largest_errors(compare(mine, records), records).groups[0].sheet
    assert sheet is not None
    assert [line.text for (line,) in sheet.rows[0]] == ["0", "0", "1.333", "4", "3"]
    assert sheet.caption == "ESOL: 2 graphs"


def test_the_table_tells_truth_and_what_was_said_most() -> None:
    records = held({"a": [[1, 1, 0, 1], [1, 1, 0, 1]], "b": [[1, 1, 0, 1]]})
    shown = wrong_graphs(compare(card(("a", "b"), ("MUTAG", "PTC"), 2, 1), records), records)
    (group,) = shown.groups  # of PTC nothing is known
    assert group.sheet is not None
    assert group.sheet.caption == "MUTAG: 1 of 4 graphs"
    assert [[line.text for (line,) in row] for row in group.sheet.rows] == [
        ["0", "0", "1 (3 times)", "3 of 3", "2 of 2"]
    ]


def test_of_many_the_first_twenty_are_shown() -> None:
    record = asked(Cell("MUTAG", "a", 0, 0), [0] * 50, [1] * 50)
    sheet = wrong_graphs(compare(card(("a",), ("MUTAG",), 1, 1), [record]), [record])
    made = sheet.groups[0].sheet
    assert made is not None
    assert len(made.rows) == 20
    assert made.caption == "MUTAG: 50 of 50 graphs; the first 20"
