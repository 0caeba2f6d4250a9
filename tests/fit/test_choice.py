import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.fit.choice import choice
from graphrings.tasks import CLASSIFICATION, REGRESSION


def with_classes(dataset: gr.Dataset, *counts: int) -> gr.Dataset:
    """As many graphs of every class."""
    targets = np.repeat(np.arange(len(counts)), counts)
    return gr.from_graphs([*dataset][: len(targets)], targets)


@pytest.mark.parametrize(
    ("counts", "score"),
    [((20, 40), "accuracy"), ((19, 41), "auroc"), ((2, 8, 50), "balanced_accuracy")],
)
def test_two_thirds_in_one_class_are_too_many_for_accuracy(
    mutag: gr.Dataset, counts: tuple[int, ...], score: str
) -> None:
    decided = choice(with_classes(mutag, *counts), CLASSIFICATION)
    assert decided.chosen_by[0] == score
    assert bool(decided.why) == (score != "accuracy")


def test_the_share_of_the_commonest_class_is_said(mutag: gr.Dataset) -> None:
    why = choice(with_classes(mutag, 6, 54), CLASSIFICATION).why
    assert "90.0 % accurate" in why
    assert "AUROC" in why


def test_the_users_score_comes_first_and_the_usual_ones_decide_ties(mutag: gr.Dataset) -> None:
    assert choice(mutag, CLASSIFICATION, "mcc").chosen_by == ("mcc", "accuracy", "log_loss")
    assert choice(mutag, CLASSIFICATION, "log_loss").chosen_by == ("log_loss", "accuracy")


def test_a_score_of_another_task_is_refused(values: gr.Dataset) -> None:
    assert choice(values, REGRESSION).chosen_by == ("rmse", "mae")
    with pytest.raises(SettingError, match="not a score of regression"):
        choice(values, REGRESSION, "auroc")
