import pytest

from graphrings.errors import ExperimentError
from graphrings.report.contrasts import against, unknown
from graphrings.report.statistics import corrected_t_test
from report.measured import card, records

OURS = ("pgc-dgcnn", "MUTAG")
OTHER = ("dgcnn", "MUTAG")


def test_folds_are_paired_and_the_sizes_make_the_correction() -> None:
    held = records({OURS: [[0.9, 0.8], [0.7, 0.9]], OTHER: [[0.8, 0.8], [0.8, 0.6]]})
    contrast = against(card(), held, "dgcnn")
    assert [row.method for row in contrast.rows] == ["pgc-dgcnn"]
    test = contrast.rows[0].tests[0]
    expected = corrected_t_test([10, 0, -10, 30], ratio=10 / 80)
    assert (test.difference, test.t, test.p) == pytest.approx(
        (expected.difference, expected.t, expected.p)
    )
    assert test.interval == pytest.approx(expected.interval)


def test_only_folds_that_both_have_are_compared() -> None:
    held = records({OURS: [[0.9, None], [0.7, 0.9]], OTHER: [[0.8, 0.1], [0.5, None]]})
    test = against(card(), held, "dgcnn").rows[0].tests[0]
    assert test.n == 2
    assert test.difference == pytest.approx(15)


def test_nothing_in_common_is_said() -> None:
    test = against(card(), records({OURS: [[0.9, 0.8]]}), "dgcnn").rows[0].tests[0]
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
