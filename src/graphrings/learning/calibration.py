"""Probabilities that mean what they say: learned on graphs that the outputs were not trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import expit, logsumexp, softmax
from sklearn.linear_model import LogisticRegression

Reals = NDArray[np.float64]
HOTTEST, COLDEST = -10.0, 10.0  # logarithms of the inverse temperature


@dataclass(frozen=True, eq=False)
class Calibration:
    """From the outputs of a model to probabilities, by a linear map.

    The odds are ``outputs @ weights[:-1] + weights[-1]``; one column of them goes through the
    logistic function, several through softmax. ``log_loss_before`` is that of the outputs taken as
    odds; both losses are those of the graphs that it was learned on.
    """

    method: str
    learned_on: str
    n_graphs: int
    log_loss_before: float
    log_loss: float
    weights: Reals

    def probabilities(self, outputs: NDArray[Any]) -> Reals:
        """The probability of every class, a row per graph."""
        weights = self.weights
        odds = outputs.reshape(len(outputs), -1).astype(np.float64) @ weights[:-1] + weights[-1]
        return of_odds(odds)

    def facts(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {**vars(self), "weights": self.weights.tolist()}

    @classmethod
    def from_facts(cls, facts: Mapping[str, Any], n_classes: int) -> Calibration:
        """What ``facts`` says, if it makes sense for so many classes."""
        weights = np.array(facts["weights"], dtype=np.float64)
        shapes = [(n_classes + 1, n_classes), *([(2, 1)] if n_classes == 2 else [])]
        if weights.shape not in shapes or not np.isfinite(weights).all():
            raise ValueError("its calibration does not fit its classes")
        return cls(**{**facts, "weights": weights})


def temperature(outputs: NDArray[Any], goals: NDArray[np.int64], learned_on: str) -> Calibration:
    """One number that all outputs are divided by (Guo et al., ICML 2017); no class changes."""
    logits = outputs.astype(np.float64)
    n_classes = logits.shape[1]
    shares = smoothed(goals, n_classes)

    def loss(log_beta: float) -> float:
        odds = np.exp(log_beta) * logits
        return float((logsumexp(odds, axis=1) - (shares * odds).sum(axis=1)).mean())

    best = minimize_scalar(
        loss, bounds=(HOTTEST, COLDEST), method="bounded", options={"xatol": 1e-10}
    )
    weights = np.vstack([np.exp(best.x) * np.eye(n_classes), np.zeros(n_classes)])
    return _measured("temperature", learned_on, weights, logits, goals)


def platt(decisions: Reals, goals: NDArray[np.int64], learned_on: str) -> Calibration:
    """A logistic function of the margin (Platt, 1999), or a multinomial one of a score per class.

    Where graphs of some of several classes are missing, one temperature must do.
    """
    columns = decisions.reshape(len(goals), -1)
    n_classes = columns.shape[1]
    if n_classes == 1:
        shares = smoothed(goals, 2).T.ravel()
        twice, both = np.vstack([columns, columns]), np.repeat([0, 1], len(goals))
        model = LogisticRegression(C=np.inf, max_iter=1000, tol=1e-8).fit(twice, both, shares)
    elif len(np.unique(goals)) < n_classes:
        return temperature(columns, goals, learned_on)
    else:
        model = LogisticRegression(max_iter=1000).fit(columns, goals)
    weights = np.vstack([model.coef_.T, model.intercept_])
    return _measured("Platt", learned_on, weights, columns, goals)


def smoothed(goals: NDArray[np.int64], n_classes: int) -> Reals:
    """What every graph shows of every class, after Platt: few graphs do not make for certainty.

    A class that n graphs have is worth (n + 1) / (n + k) to each of them; the others share the
    rest.
    """
    sizes = np.bincount(goals, minlength=n_classes)[goals]
    own = (sizes + 1) / (sizes + n_classes)
    shares = np.repeat(((1 - own) / (n_classes - 1))[:, None], n_classes, axis=1)
    shares[np.arange(len(goals)), goals] = own
    return shares


def of_odds(odds: Reals) -> Reals:
    """Probabilities of the classes; one column of odds is for the second of two."""
    if odds.shape[1] > 1:
        shares: Reals = softmax(odds, axis=1)
        return shares
    return np.hstack([expit(-odds), expit(odds)])


def _measured(
    method: str, learned_on: str, weights: Reals, outputs: Reals, goals: NDArray[np.int64]
) -> Calibration:
    odds = outputs @ weights[:-1] + weights[-1]
    losses = _mean_loss(outputs, goals), _mean_loss(odds, goals)
    return Calibration(method, learned_on, len(goals), *losses, weights)


def _mean_loss(odds: Reals, goals: NDArray[np.int64]) -> float:
    """The mean negative logarithm of the true class's probability."""
    if odds.shape[1] == 1:
        odds = np.hstack([np.zeros_like(odds), odds])
    own = odds[np.arange(len(goals)), goals]
    return float((logsumexp(odds, axis=1) - own).mean())
