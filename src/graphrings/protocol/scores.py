"""How well graphs are classified, by the measures that papers report."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphrings.results.record import Scores

LEAST = 1e-15  # a probability counts as at least this in the log loss


def scores(
    truth: NDArray[np.integer[Any]],
    found: NDArray[np.integer[Any]],
    n_classes: int,
    probabilities: NDArray[Any] | None = None,
    margin: NDArray[Any] | None = None,
) -> Scores:
    """Compare true classes with those found.

    ``probabilities`` has a column a class; ``margin`` ranks graphs by how much they look like the
    second of two classes, by default by its probability.
    """
    if margin is None and probabilities is not None:
        margin = probabilities[:, -1]
    confusion = np.zeros((n_classes, n_classes), dtype=np.int64)
    np.add.at(confusion, (truth, found), 1)
    hits, true, named = np.diag(confusion), confusion.sum(axis=1), confusion.sum(axis=0)
    occurs = true > 0
    mentioned = true + named > 0
    return Scores(
        accuracy=float(hits.sum() / len(truth)),
        balanced_accuracy=float((hits[occurs] / true[occurs]).mean()),
        macro_f1=float((2 * hits[mentioned] / (true + named)[mentioned]).mean()),
        log_loss=None if probabilities is None else log_loss(truth, probabilities),
        auroc=auroc(truth, margin) if n_classes == 2 and margin is not None else None,
        confusion=tuple(tuple(row) for row in confusion.tolist()),
    )


def log_loss(truth: NDArray[np.integer[Any]], probabilities: NDArray[Any]) -> float:
    """Minus the mean log probability of the true class."""
    of_truth = probabilities[np.arange(len(truth)), truth].astype(np.float64)
    return float(-np.log(np.maximum(of_truth, LEAST)).mean())


def auroc(truth: NDArray[np.integer[Any]], margin: NDArray[Any]) -> float | None:
    """The chance that a graph of the second class has a larger margin than one of the first."""
    from scipy.stats import rankdata

    n_second = int((truth == 1).sum())
    n_first = len(truth) - n_second
    if n_first == 0 or n_second == 0:
        return None
    ranks = rankdata(margin)[truth == 1].sum() - n_second * (n_second + 1) / 2
    return float(ranks / (n_first * n_second))
