import numpy as np
import pytest

import graphrings as gr
from graphrings.prediction.answers import Answer
from graphrings.prediction.columns import Column, added_columns, cells_of, free_ending

WARNINGS = "labels never seen in training; far from the training graphs"


def test_a_classifier_adds_a_probability_for_every_class(model: gr.BaselineClassifier) -> None:
    names = [column.name for column in added_columns(model, proba=True)]
    others = ["similarity", "unseen_labels", "warning", "reason"]
    assert names == ["prediction", "p(no)", "p(yes)", *others]
    assert [column.name for column in added_columns(model, proba=False)] == ["prediction", *others]


@pytest.mark.parametrize(
    ("classes", "kind"),
    [((0, 1), int), ((True, False), bool), (("a", "b"), str), (((0, 1), (1, 0)), str)],
)
def test_predictions_have_the_type_of_the_classes(
    alcohols: gr.Dataset, classes: tuple[object, object], kind: type
) -> None:
    fitted = gr.BaselineClassifier().fit(alcohols, [classes[k % 2] for k in range(20)])
    added = added_columns(fitted, proba=False)
    assert added[0] == Column("prediction", kind)
    predicted = cells_of(Answer(classes[0], (), 1.0, False, ()), added)[0]
    assert predicted == (str(classes[0]) if kind is str else classes[0])


def test_values_are_numbers(alcohols: gr.Dataset) -> None:
    fitted = gr.BaselineRegressor().fit(alcohols, np.arange(20) / 2)
    assert added_columns(fitted, proba=False)[0] == Column("prediction", float)


def test_new_columns_get_out_of_the_way_together() -> None:
    added = (Column("prediction"), Column("reason"))
    for taken, ending in (
        (["id"], ""),
        (["id", "reason"], "_2"),
        (["prediction", "reason_2"], "_3"),
    ):
        assert free_ending(added, map(Column, taken)) == ending


def test_cells_say_what_is_odd(model: gr.BaselineClassifier) -> None:
    added = added_columns(model, proba=True)
    odd = Answer("yes", (0.25, 0.75), 0.1, True, ("Xe", 7))
    assert cells_of(odd, added) == ("yes", 0.25, 0.75, 0.1, "Xe; 7", WARNINGS, None)
    assert cells_of(odd, added_columns(model, proba=False))[:2] == ("yes", 0.1)
    assert cells_of("no molecule", added) == (None,) * 6 + ("no molecule",)
