import numpy as np
import pytest
from scipy import stats

from graphrings.errors import ExperimentError
from graphrings.report.contrasts import against, unknown
from graphrings.report.statistics import corrected_t_test
from graphrings.results.record import Cell, Record
from report.measured import asked, card, records

OURS = ("pgc-dgcnn", "MUTAG")
OTHER = ("dgcnn", "MUTAG")


def test_folds_are_paired_and_the_sizes_make_the_correction() -> None:
    held = records({OURS: [[0.9, 0.8], [0.7, 0.9]], OTHER: [[0.8, 0.8], [0.8, 0.6]]})
    contrast = against(card(), held, "dgcnn")
    assert [row.method for row in contrast.rows] == ["pgc-dgcnn"]
    test = contrast.rows[0].entries[0].folds
    expected = corrected_t_test([10, 0, -10, 30], ratio=10 / 80)
    assert (test.difference, test.t, test.p) == pytest.approx(
        (expected.difference, expected.t, expected.p)
    )
    assert test.interval == pytest.approx(expected.interval)


def test_only_folds_that_both_have_are_compared() -> None:
    held = records({OURS: [[0.9, None], [0.7, 0.9]], OTHER: [[0.8, 0.1], [0.5, None]]})
    test = against(card(), held, "dgcnn").rows[0].entries[0].folds
    assert test.n == 2
    assert test.difference == pytest.approx(15)


def test_nothing_in_common_is_said() -> None:
    test = against(card(), records({OURS: [[0.9, 0.8]]}), "dgcnn").rows[0].entries[0].folds
    assert (test.n, test.p) == (0, None)
    assert "no fold" in test.note


def test_datasets_may_be_those_of_a_table_of_the_paper() -> None:
    names = ("COLLAB", "MUTAG", "NCI1")
    assert against(card(datasets=names), [], "dgcnn").datasets == names
    assert against(card(datasets=names), [], "dgcnn", like="table2").datasets == ("MUTAG", "NCI1")


def test_an_unknown_reference_is_refused_with_the_nearest() -> None:
    with pytest.raises(ExperimentError) as caught:
        against(card(), [], "dgcn")
    assert str(caught.value) == (
        "no method is called 'dgcn'; did you mean 'dgcnn'?; known: pgc-dgcnn, dgcnn"
    )


def test_a_far_name_gets_no_guess() -> None:
    assert unknown("method", "zzz", ["wl"]) == "no method is called 'zzz'; known: wl"


def folds(method: str, predicted: list[list[int]], repetition: int = 0) -> list[Record]:
    """A repetition of two folds with six graphs, all of class 0."""
    return [
        asked(Cell("MUTAG", method, repetition, fold), [0] * 6, one, first=6 * fold)
        for fold, one in enumerate(predicted)
    ]


def test_graphs_that_one_gets_right_and_the_other_wrong_are_counted() -> None:
    ours = folds("pgc-dgcnn", [[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 1]])
    theirs = folds("dgcnn", [[1, 1, 1, 1, 1, 1], [0, 1, 1, 0, 0, 0]])
    test = against(card(repetitions=1), ours + theirs, "dgcnn").rows[0].entries[0].graphs
    assert test is not None
    assert (test.n_repetitions, test.better, test.worse) == (1, 7, 1)
    assert test.p == pytest.approx(stats.binomtest(7, 8).pvalue)


def test_repetitions_are_tested_one_by_one_and_an_incomplete_one_not_at_all() -> None:
    ours = [r for i in range(2) for r in folds("pgc-dgcnn", [[0] * 6, [0] * 6], i)]
    ours += folds("pgc-dgcnn", [[0] * 6], 2)
    theirs = [
        *folds("dgcnn", [[1] * 6, [0] * 6], 0),
        *folds("dgcnn", [[1] * 6, [1, 1, 1, 1, 0, 0]], 1),
        *folds("dgcnn", [[1] * 6], 2),
    ]
    test = against(card(repetitions=3), ours + theirs, "dgcnn").rows[0].entries[0].graphs
    assert test is not None
    assert (test.n_repetitions, test.better, test.worse) == (2, 8, 0)
    p = [stats.binomtest(n, n).pvalue for n in (6, 10)]
    assert test.p == pytest.approx(2 * np.median(p))


def test_values_are_compared_by_who_is_nearer() -> None:
    truth = [1.0, 2.0, 3.0, 4.0, 1.0]
    held = [
        asked(Cell("ESOL", "a", 0, 0), truth, [1.1, 2.1, 3.1, 4.5, 0.9], n_classes=0),
        asked(Cell("ESOL", "b", 0, 0), truth, [0.5, 2.4, 3.5, 4.1, 1.1], n_classes=0),
    ]
    mine = card(("a", "b"), ("ESOL",), 1, 1, task="regression")
    test = against(mine, held, "b").rows[0].entries[0].graphs
    assert test is not None
    assert (test.better, test.worse) == (3, 1)  # the last is as far on the other side
    assert test.p == pytest.approx(stats.binomtest(3, 4).pvalue)


def test_other_graphs_are_not_compared() -> None:
    ours = folds("pgc-dgcnn", [[0] * 6, [0] * 6])
    theirs = [
        asked(Cell("MUTAG", "dgcnn", 0, fold), [0] * 6, [1] * 6, first=7 * fold)
        for fold in range(2)
    ]
    entry = against(card(repetitions=1), ours + theirs, "dgcnn").rows[0].entries[0]
    assert entry.graphs is None


def test_without_predictions_there_is_no_test_over_graphs() -> None:
    held = records({OURS: [[0.9, 0.8]], OTHER: [[0.8, 0.8]]})
    assert against(card(repetitions=1), held, "dgcnn").rows[0].entries[0].graphs is None
