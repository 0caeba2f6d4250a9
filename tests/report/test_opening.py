"""The opening picture, the differences and what both are measured against."""

from xml.etree import ElementTree as ET

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.metrics import accuracy_score, log_loss, matthews_corrcoef, root_mean_squared_error

from graphrings.report.contrasts import against
from graphrings.report.plots.alone import opening_picture
from graphrings.report.plots.forest import forest_charts
from graphrings.report.plots.opening import best_first, opening_charts
from graphrings.report.statistics import corrected_t_test
from graphrings.report.tables import compare
from graphrings.report.yardsticks import without_a_model
from graphrings.tasks.scores import SCORES
from report import measured
from report.records import dataset_card, experiment, records


def test_the_interval_of_a_mean_is_that_of_the_corrected_test() -> None:
    card = measured.card(["wl"], ["MUTAG"], 1, 4)
    folds = [0.80, 0.90, 0.70, 0.95]
    held = measured.records({("wl", "MUTAG"): [folds]})
    (row,) = compare(card, held).rows
    test = corrected_t_test(100 * np.array(folds), 10 / 80)
    assert row.entries[0].interval == pytest.approx(test.interval)


def test_rows_are_in_the_order_of_how_many_are_ahead() -> None:
    card = measured.card(["a", "b", "c", "none"], ["X", "Y"], 1, 2)
    held = measured.records(
        {
            ("a", "X"): [[0.6, 0.6]],
            ("a", "Y"): [[0.6, 0.6]],
            ("b", "X"): [[0.9, 0.9]],
            ("b", "Y"): [[0.7, 0.7]],
            ("c", "X"): [[0.95, 0.95]],
        }
    )
    ordered = best_first(compare(card, held))
    assert [row.title for row in ordered] == ["b", "c", "a"]  # c has one dataset, b is second there
    error = best_first(compare(card, held, score="ece"))
    assert error == []


def test_a_chart_has_means_intervals_the_paper_and_both_lines() -> None:
    card = experiment(["MUTAG"], repetitions=1, n_folds=3)
    rest = records(card, epochs=0)[1:]
    (chart,) = opening_charts(compare(card, rest), rest)
    rows = {row.name: row for row in chart.rows}
    assert [mark.kind for mark in rows["pgc-dgcnn"].marks] == ["partial", "paper"]
    assert rows["pgc-dgcnn"].marks[1].value == 87.22
    assert "2 of 3 folds" in rows["pgc-dgcnn"].marks[0].words
    assert [(line.kind, line.name) for line in chart.uprights] == [
        ("ceiling", "bound 95.7"),
        ("majority", "majority 67.0"),
    ]
    (other,) = opening_charts(compare(card, rest, score="auroc"), rest)
    assert [line.name for line in other.uprights] == ["majority 50.0"]  # the bound is on accuracy
    assert opening_charts(compare(card, []), []) == ()


def test_intervals_in_words_stay_within_the_limits_of_the_score() -> None:
    card = measured.card(["wl"], ["MUTAG"], 1, 3)
    held = measured.records({("wl", "MUTAG"): [[1.0, 0.9, 1.0]]})
    (chart,) = opening_charts(compare(card, held), held)
    assert chart.limits == (0.0, 100.0)
    assert " to 100.0," in chart.rows[0].marks[0].words


@pytest.mark.parametrize(
    ("score", "metric", "method"),
    [
        ("accuracy", accuracy_score, "predict"),
        ("mcc", matthews_corrcoef, "predict"),
        ("log_loss", log_loss, "predict_proba"),
    ],
)
def test_without_a_model_is_what_scikit_learn_says(score: str, metric: object, method: str) -> None:
    card = dataset_card("PTC", 3)
    truth = np.repeat(np.arange(3), card.class_counts)
    dummy = DummyClassifier(strategy="prior").fit(np.zeros((len(truth), 1)), truth)
    said = getattr(dummy, method)(np.zeros((len(truth), 1)))
    expected = SCORES[score].shown(metric(truth, said))  # type: ignore[operator]
    assert without_a_model(card, [], SCORES[score]) == pytest.approx(expected, rel=1e-5)
    assert without_a_model(card, [], SCORES["auroc"]) is None


def test_without_a_model_values_are_their_mean() -> None:
    card = experiment(["ESOL"], repetitions=2, n_folds=3, task="regression")
    held = records(card, epochs=0)
    (dataset,) = card.datasets
    graphs, truth = zip(*((r.test.graphs, r.test.truth) for r in held if r.test), strict=True)
    _, first = np.unique(np.concatenate(graphs), return_index=True)
    every = np.concatenate(truth)[first]
    assert len(every) == dataset.n_graphs
    mean = DummyRegressor().fit(np.zeros((len(every), 1)), every).predict(np.zeros((len(every), 1)))
    expected = root_mean_squared_error(every, mean)
    assert without_a_model(dataset, held, SCORES["rmse"]) == pytest.approx(expected)
    assert without_a_model(dataset, [], SCORES["rmse"]) is None


def differences(better: list[float], score: str = "accuracy") -> list[str]:
    """How the forest draws a method with these values beside one that has 0.5 and a little."""
    task = "classification" if score == "accuracy" else "regression"
    card = measured.card(["reference", "other"], ["X"], 1, 4, task=task)
    held = measured.records(
        {("reference", "X"): [[0.5, 0.51, 0.5, 0.49]], ("other", "X"): [better]}, score=score
    )
    (chart,) = forest_charts(against(card, held, "reference", score))
    return [mark.kind for row in chart.rows for mark in row.marks]


def test_differences_say_on_which_side_of_the_reference_they_are() -> None:
    assert differences([0.8, 0.82, 0.8, 0.81]) == ["ahead"]
    assert differences([0.3, 0.32, 0.3, 0.31]) == ["behind"]
    assert differences([0.8, 0.2, 0.9, 0.1]) == ["level"]
    assert differences([0.3, 0.32, 0.3, 0.31], "rmse") == ["ahead"]


def test_a_forest_without_shared_folds_has_no_chart() -> None:
    card = measured.card(["reference", "other"], ["X"], 1, 2)
    held = measured.records({("reference", "X"): [[0.5, 0.5]]})
    assert forest_charts(against(card, held, "reference")) == ()


def test_the_picture_alone_is_well_formed_and_needs_nothing_else() -> None:
    card = experiment(["MUTAG", "<b>&", "PTC"], repetitions=1, n_folds=3)
    held = records(card, epochs=0)
    text = opening_picture(compare(card, held), held)
    root = ET.fromstring(text)  # noqa: S314
    words = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"MUTAG", "<b>&", "PTC", "pgc-dgcnn", "the paper's value"} <= set(words)
    assert "prefers-color-scheme: dark" in text
    assert text.count("http") == 1
    assert opening_picture(compare(card, held[::-1]), held) == text


@pytest.mark.parametrize(("n_datasets", "n_lines"), [(1, 1), (4, 1), (5, 2), (9, 3)])
def test_the_picture_alone_names_the_rows_of_a_line_once(n_datasets: int, n_lines: int) -> None:
    """The values of a row stand at one height in all charts of its line."""
    names = [f"set {i}" for i in range(n_datasets)]
    card = measured.card(["wl", "gin"], names, 1, 2)
    held = measured.records(
        {("wl", name): [[0.9, 0.9]] for name in names} | {("gin", names[0]): [[0.61, 0.61]]}
    )
    root = ET.fromstring(opening_picture(compare(card, held), held))  # noqa: S314
    texts = [(e.text, e.get("y")) for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert (
        sum(text == "wl" for text, _ in texts) == sum(text == "gin" for text, _ in texts) == n_lines
    )
    assert sum(text == "90.0" for text, _ in texts) == n_datasets
    heights = {y for text, y in texts if text in ("wl", "90.0")}
    assert len(heights) == 1
