"""From the score of a model to the probabilities of classes."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import softmax

from graphrings.explanations.parts import Reals
from graphrings.learning.calibration import of_odds


def of_shares(model: Any, score: Reals) -> Reals:
    """The score is a probability already, of two classes that of the second."""
    del model
    return np.hstack([1 - score, score]) if score.shape[1] == 1 else score


def of_log_odds(model: Any, score: Reals) -> Reals:
    """Odds as logarithms."""
    del model
    return of_odds(score)


def of_baseline(model: Any, score: Reals) -> Reals:
    """A linear model has odds, a perceptron probabilities."""
    return (of_odds if model.model == "linear" else lambda s: of_shares(model, s))(score)


def of_margins(model: Any, score: Reals) -> Reals | None:
    """Decisions, calibrated; with a Gram matrix and several classes votes decide, not margins."""
    if len(model.classes_) > 2 and not model._is_linear:
        return None
    probabilities: Reals = model._calibrated().probabilities(score)
    return probabilities


def of_outputs(model: Any, score: Reals) -> Reals:
    """The outputs of a network; of two only the difference counts."""
    outputs = np.hstack([np.zeros_like(score), score]) if score.shape[1] == 1 else score
    if model.calibration_ is None:
        return np.asarray(softmax(outputs, axis=1))
    probabilities: Reals = model.calibration_.probabilities(outputs)
    return probabilities
