import pytest

from graphrings.errors import SettingError
from graphrings.report.tables import Comparison, Entry, compare, shown_value
from graphrings.results.published import TABLES
from graphrings.results.record import Cell
from graphrings.tasks.scores import SCORES, Score
from report.measured import asked, card, failure, method, record, records

OURS = ("pgc-dgcnn", "MUTAG")
OTHER = ("dgcnn", "MUTAG")


def entry(comparison: Comparison, row: int = 0, column: int = 0) -> Entry:
    return comparison.rows[row].entries[column]


def test_mean_and_both_deviations_by_hand() -> None:
    """Repetitions of means 70 and 90; over the folds 60, 80, 80, 100 the variance is 800 / 3."""
    known = entry(compare(card(), records({OURS: [[0.6, 0.8], [0.8, 1.0]]})))
    assert known.mean == pytest.approx(80)
    assert known.over_repetitions == pytest.approx(200**0.5)
    assert known.over_folds == pytest.approx((800 / 3) ** 0.5)
    assert (known.n_folds, known.n_expected, known.complete) == (4, 4, True)


def test_one_repetition_has_no_deviation_over_repetitions() -> None:
    known = entry(compare(card(repetitions=1), records({OURS: [[0.6, 0.8]]})))
    assert (known.over_repetitions, known.complete) == (None, True)
    assert known.over_folds == pytest.approx(200**0.5)


def test_an_unfinished_repetition_does_not_count_as_one() -> None:
    held = records({OURS: [[0.6, 0.8], [0.8, 1.0], [0.1, None]]})
    known = entry(compare(card(repetitions=3), held))
    assert known.mean == pytest.approx(66)  # over all five folds
    assert known.over_repetitions == pytest.approx(200**0.5)  # of the first two only
    assert (known.n_folds, known.n_expected, known.complete) == (5, 6, False)


def test_a_method_without_folds_is_there() -> None:
    known = entry(compare(card(), []))
    assert (known.mean, known.over_folds, known.n_folds, known.n_expected) == (None, None, 0, 4)


def test_failures_count_unless_another_try_went_well() -> None:
    failures = [failure("MUTAG", "pgc-dgcnn", 0, 0), failure("MUTAG", "pgc-dgcnn", 0, 1)]
    known = entry(compare(card(), records({OURS: [[0.5, None]]}), failures))
    assert (known.n_failed, known.n_folds) == (1, 1)


def test_the_best_is_marked_among_complete_methods_only() -> None:
    half = records({OURS: [[0.9, 0.9], [None, None]], OTHER: [[0.8, 0.8]] * 2})
    three = card(("pgc-dgcnn", "dgcnn", "wl"))
    held = half + records({("wl", "MUTAG"): [[0.7, 0.7]] * 2})
    assert [row.entries[0].best for row in compare(three, held).rows] == [False, True, False]


def test_there_is_no_best_of_one() -> None:
    assert not entry(compare(card(), records({OURS: [[0.9, 0.9]] * 2}))).best


def test_equal_methods_are_both_the_best() -> None:
    held = records({OURS: [[0.7, 0.9]] * 2, OTHER: [[0.9, 0.7]] * 2})
    assert [row.entries[0].best for row in compare(card(), held).rows] == [True, True]


def test_the_lowest_log_loss_is_the_best_and_not_in_percent() -> None:
    held = [
        record(Cell("MUTAG", name, 0, fold), loss, score="log_loss")
        for name, loss in (("pgc-dgcnn", 0.4), ("dgcnn", 0.3))
        for fold in (0, 1)
    ]
    rows = compare(card(repetitions=1), held, score="log_loss").rows
    assert [row.entries[0].best for row in rows] == [False, True]
    assert rows[0].entries[0].mean == pytest.approx(0.4)
    assert rows[0].entries[0].published is None  # the paper has accuracies only


def test_a_score_that_is_not_defined_is_not_missing() -> None:
    """AUROC wants two classes: nothing is incomplete where it cannot be."""
    comparison = compare(card(), records({OURS: [[0.5, 0.5]] * 2}), score="auroc")
    known = entry(comparison)
    assert (known.mean, known.n_folds, known.n_expected, known.complete) == (None, 0, 0, False)
    assert [name for name, _, _ in comparison.incomplete()] == ["dgcnn"]


def test_the_paper_stands_beside_ours_with_the_difference() -> None:
    known = entry(compare(card(), records({OURS: [[0.85, 0.85]] * 2})))
    assert known.published is TABLES["table2"].rows[-1].values["MUTAG"]
    assert known.difference == pytest.approx(85 - 87.22)
    assert not known.published_best  # that is for the paper's own tables


def test_another_radius_has_nothing_beside_it() -> None:
    other = method("r3", "pgc-dgcnn", radius=(3,))
    assert entry(compare(card([other]), [])).published is None


def test_like_table_two_has_all_its_rows_and_ours_in_them() -> None:
    mine = [method("blind", "baseline-labels"), method("mine", "pgc-dgcnn"), method("wl")]
    held = records({("mine", "MUTAG"): [[0.8, 0.8]] * 2})
    comparison = compare(card(mine, ("DD", "MUTAG")), held, like="table2")
    assert comparison.datasets == ("MUTAG", "PTC", "NCI1", "PROTEINS", "DD")
    shown = [(row.method, row.published and row.published.name) for row in comparison.rows]
    assert shown == [
        (None, "GK"),
        (None, "RW"),
        (None, "PK"),
        ("wl", "WL"),
        (None, "DGCNN"),
        ("mine", "PGC-DGCNN (r=2)"),
        ("blind", None),
    ]
    assert entry(comparison, 5, 0).mean == pytest.approx(80)
    assert entry(comparison, 5, 1) == Entry(
        published=TABLES["table2"].rows[-1].values["PTC"], published_best=True
    )
    missing = [title for title, _, _ in comparison.incomplete()]
    assert missing == ["wl", "wl", "mine", "blind", "blind"]


def test_two_rows_of_one_method_share_the_papers_row() -> None:
    mine = [method("small", "dgcnn"), method("large", "dgcnn")]
    rows = compare(card(mine), [], like="table3").rows
    assert [row.title for row in rows] == [
        *("PSCN", "DCNN", "ECC", "DGK"),
        *("small", "large"),
        "PGC-DGCNN (r=2)",
    ]


def test_best_numbers_of_the_paper_are_found_not_copied() -> None:
    """In Table III the paper prints PSCN in bold on NCI1, where ECC has more."""
    comparison = compare(card([]), [], like="table3")
    best = {
        dataset: row.title
        for row in comparison.rows
        for dataset, known in zip(comparison.datasets, row.entries, strict=True)
        if known.published_best
    }
    assert best == {
        "NCI1": "ECC",
        "PROTEINS": "PGC-DGCNN (r=2)",
        "DD": "DGCNN",
        "COLLAB": "PGC-DGCNN (r=2)",
        "IMDB-BINARY": "PGC-DGCNN (r=2)",
        "IMDB-MULTI": "DGCNN",
    }


@pytest.mark.parametrize("score", SCORES.values(), ids=SCORES)
def test_shares_are_in_percent(score: Score) -> None:
    one = record(Cell("MUTAG", "dgcnn", 0, 0), 0.25, score=score.name)
    assert shown_value(one, score) == (25 if score.percent else 0.25)


def test_a_score_that_was_not_kept_is_computed_from_the_predictions() -> None:
    """Of classes 0 0 1 1 the third is missed: accuracy 3/4, MCC 4 / sqrt(48)."""
    one = asked(Cell("MUTAG", "dgcnn", 0, 0), [0, 0, 1, 1], [0, 0, 0, 1])
    assert shown_value(one, SCORES["accuracy"]) == 75
    assert shown_value(one, SCORES["mcc"]) == pytest.approx(2 / 12**0.5)
    assert shown_value(one, SCORES["log_loss"]) is None  # that takes probabilities


def test_scores_that_nobody_can_know_any_more_are_counted() -> None:
    known = entry(compare(card(), records({OURS: [[0.5, 0.5]] * 2}), score="mcc"))
    assert (known.mean, known.n_unknown) == (None, 4)


def test_the_main_score_of_the_task_is_the_default() -> None:
    assert compare(card(), []).score.name == "accuracy"
    values = card(datasets=("ESOL",), task="regression")
    held = records({("dgcnn", "ESOL"): [[1.5, 2.5]] * 2}, score="rmse")
    comparison = compare(values, held)
    assert comparison.score.name == "rmse"
    assert entry(comparison, 1).mean == pytest.approx(2)


def test_unknown_choices_are_refused() -> None:
    with pytest.raises(SettingError, match="'f1' is not a score of classification; expected one"):
        compare(card(), [], score="f1")
    with pytest.raises(SettingError, match="'rmse' is not a score of classification"):
        compare(card(), [], score="rmse")
    with pytest.raises(SettingError, match="no 'table9' here; expected one of table2, table3"):
        compare(card(), [], like="table9")


def test_the_order_of_records_does_not_matter() -> None:
    held = records({OURS: [[0.61, 0.83], [0.87, 0.99]], OTHER: [[0.1, 0.2], [0.3, 0.4]]})
    assert compare(card(), held) == compare(card(), held[::-1])
