import numpy as np
import pytest

import graphrings as gr
from graphrings.prediction.answers import Answer
from graphrings.prediction.tally import Tally


def said(predicted: object, far: bool = False, unseen: tuple[object, ...] = ()) -> Answer:
    return Answer(predicted, (), 0.5, far, unseen)


def test_one_line_counts_everything(model: gr.BaselineClassifier) -> None:
    tally = Tally(model)
    rows = [said("yes"), said("no", far=True, unseen=("Xe", 7)), said("no", unseen=("Xe",))]
    tally.add([*rows, "does not parse: x", "does not parse: y", "no molecule"], [None] * 6)
    assert (tally.n_rows, tally.n_predicted) == (6, 3)
    assert tally.summary() == (
        "3 graphs predicted, 3 rows could not be read (does not parse: 2, no molecule: 1), "
        "2 with labels never seen in training (Xe: 2, 7: 1), "
        f"1 far from the training graphs (similarity below {model.domain_.threshold:.2f})"
    )
    assert tally.score() == ""


def test_few_words_where_all_is_well(model: gr.BaselineClassifier) -> None:
    tally = Tally(model)
    tally.add([said("yes")], [None])
    assert tally.summary() == "1 graph predicted"


def test_the_score_is_that_of_rows_with_truth_and_prediction(model: gr.BaselineClassifier) -> None:
    tally = Tally(model)
    tally.add([said("yes"), said("no"), said("no"), "no molecule"], ["yes", "yes", None, "yes"])
    assert tally.score() == "accuracy 50.0% on 2 graphs"


def test_other_classes_have_no_score(model: gr.BaselineClassifier) -> None:
    tally = Tally(model)
    tally.add([said("yes"), said("no")], [1, 0])
    assert tally.score() == (
        "no score: the classes of the data are 0, 1, those of the model no, yes"
    )


@pytest.mark.parametrize("truth", [["1", "0"], ["1.0", "0.0"], [1, 0], [1.0, 0.0]])
def test_classes_may_be_written_in_other_ways(alcohols: gr.Dataset, truth: list[object]) -> None:
    tally = Tally(gr.BaselineClassifier().fit(alcohols, [0, 1] * 10))
    tally.add([said(1), said(1)], truth)
    assert tally.score() == "accuracy 50.0% on 2 graphs"


def test_values_are_scored_by_their_errors(alcohols: gr.Dataset) -> None:
    fitted = gr.BaselineRegressor().fit(alcohols, np.arange(20) / 2)
    tally = Tally(fitted)
    tally.add([said(1.0), said(2.0)], ["1.5", "2.5"])
    assert tally.score() == "RMSE 0.5 on 2 graphs"
    commas = Tally(fitted)  # as tables with decimal commas are read for training
    commas.add([said(1.0), said(2.0)], ["1,5", "2,5"])
    assert commas.score() == "RMSE 0.5 on 2 graphs"
    other = Tally(fitted)
    other.add([said(1.0)], ["high"])
    assert other.score() == (
        "no score: targets of the data such as 'high', but the model predicts numbers"
    )
