from dataclasses import replace

from graphrings.report.summary import compared, leads, verdict
from graphrings.report.tables import compare
from graphrings.report.words import and_list
from report.measured import card, records


def told(
    held: dict[tuple[str, str], list[list[float | None]]],
    score: str = "accuracy",
    task: str = "classification",
) -> list[str]:
    """The summary of an experiment with these values of a score by method and dataset."""
    methods = list(dict.fromkeys(method for method, _ in held))
    datasets = list(dict.fromkeys(dataset for _, dataset in held))
    n = len(next(iter(held.values())))
    folds = len(next(iter(held.values()))[0])
    made = list(records(held, score=score))
    comparison = compare(card(methods, datasets, n, folds, task=task), made, score=score)
    return [compared(comparison.card), *verdict(comparison, leads(comparison, made))]


def test_a_lead_that_may_be_luck_is_called_so() -> None:
    sentences = told(
        {("a", "MUTAG"): [[0.8, 0.6], [0.7, 0.9]], ("b", "MUTAG"): [[0.6, 0.8], [0.7, 0.7]]}
    )
    assert sentences[0] == (
        "a and b were tested on MUTAG by nested 2-fold cross-validation, repeated 2 times."
    )
    assert sentences[1].startswith("On MUTAG, a has the highest mean accuracy, 75.0 %, 5.0 points")
    assert (
        "above b; a lead of this size is within the noise of folds and seeds (p 0." in sentences[1]
    )


def test_a_firm_lead_is_called_so() -> None:
    high, low = [[0.90, 0.91], [0.90, 0.92]], [[0.50, 0.52], [0.51, 0.50]]
    assert "more than luck would give (p < 0.001)" in told({("a", "X"): high, ("b", "X"): low})[1]


def test_leads_are_counted_over_datasets() -> None:
    high, low = [[0.90, 0.91], [0.90, 0.92]], [[0.50, 0.52], [0.51, 0.50]]
    even = [[0.90, 0.50], [0.90, 0.50]]
    held = {("a", "X"): high, ("b", "X"): low, ("a", "Y"): low, ("b", "Y"): even}
    assert told(held)[1:] == [
        "Of 2 datasets, the highest mean accuracy belongs to a on 1 and b on 1.",
        "The lead over the second best is more than noise (p < 0.05) only on X; elsewhere who is "
        "first may well be luck.",
    ]


def test_nobody_is_ahead_by_nothing() -> None:
    same = [[0.5, 0.6]]
    held = {("a", "X"): same, ("b", "X"): same}
    assert told(held)[1] == "On X, a and b are level at 55.0 %."
    both = held | {("a", "Y"): same, ("b", "Y"): same}
    assert told(both)[1] == "The best two are level on all of 2 datasets."


def test_nobody_is_ahead_before_two_methods_are_complete() -> None:
    held = {("a", "X"): [[0.5, 0.6]], ("b", "X"): [[0.5, None]]}
    assert told(held)[1] == "No dataset is complete for two methods yet, so nobody is ahead."


def test_one_method_is_compared_with_nothing() -> None:
    assert told({("a", "X"): [[0.5, 0.6]]}) == [
        "a was tested on X by nested 2-fold cross-validation, run once.",
        "There is nothing to compare it with.",
    ]


def test_names_in_a_sentence() -> None:
    assert [and_list(names) for names in ([], ["a"], ["a", "b"], ["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]


def test_many_are_counted_instead_of_named() -> None:
    many = card([f"m{i}" for i in range(4)], [f"d{i}" for i in range(9)])
    told = compared(replace(many, repetitions=1))
    assert told.startswith("4 methods were tested on 9 datasets by nested")


def test_the_lowest_error_leads() -> None:
    low, high = [[0.50, 0.52], [0.51, 0.51]], [[0.90, 0.91], [0.90, 0.93]]
    sentences = told({("a", "X"): high, ("b", "X"): low}, "rmse", "regression")
    assert sentences[1].startswith("On X, b has the lowest mean RMSE, 0.510, 0.400 below a; that")
    both = {("a", "X"): high, ("b", "X"): low, ("a", "Y"): high, ("b", "Y"): low}
    assert told(both, "rmse", "regression")[1] == (
        "Of 2 datasets, the lowest mean RMSE belongs to b on 2."
    )


def test_a_score_that_is_no_share_is_not_in_percent() -> None:
    sentence = told({("a", "X"): [[0.5, 0.3]], ("b", "X"): [[0.1, 0.2]]}, "mcc")[1]
    assert sentence.startswith("On X, a has the highest mean MCC, 0.400, 0.250 above b")
    same = [[0.5, 0.6]]
    assert told({("a", "X"): same, ("b", "X"): same}, "mcc")[1] == (
        "On X, a and b are level at 0.550."
    )
