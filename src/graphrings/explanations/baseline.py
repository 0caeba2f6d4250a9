"""Baselines: the coefficients of a linear model, on the nodes that were counted."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphrings.explanations.parts import Parts, Reals, collected
from graphrings.graphs.adapters.anything import as_selection
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.features import LARGEST_DEGREE


def baseline_score(model: Any, dataset: Dataset) -> Reals:
    """Odds of a linear model, probabilities of a perceptron, values; of two classes the second."""
    if not hasattr(model, "classes_"):
        return np.asarray(model.predict(dataset), dtype=np.float64)[:, None]
    if model.model != "linear":
        shares: Reals = model.predict_proba(dataset)
        return shares[:, 1:] if shares.shape[1] == 2 else shares
    odds = model.model_.decision_function(model._rows(as_selection(dataset)))
    return np.asarray(odds, dtype=np.float64).reshape(len(dataset), -1)


def explain_baseline(model: Any, dataset: Dataset) -> Parts | None:
    """Every node has the coefficient of its label, and its part of that of the size.

    Where degrees stand in for labels, that is what a node shows at distance 1. A perceptron is not
    linear: None.
    """
    if model.model != "linear":
        return None
    scaler, machine = (step for _, step in model.model_.steps)
    coefficients = np.atleast_2d(machine.coef_).T / scaler.scale_[:, None]
    base = np.atleast_1d(machine.intercept_) - scaler.mean_ @ coefficients
    sizes = dataset.sizes.astype(np.float64)
    counted = coefficients[:-1]
    worth = np.vstack([counted, np.zeros(counted.shape[1])])[columns_of_nodes(model, dataset)]
    if model.kind == "shares":
        worth /= sizes[dataset.owner, None]
    worth += ((np.log(sizes) / sizes)[:, None] * coefficients[-1])[dataset.owner]
    distance = 0 if model.labelled_ else 1
    placed = np.zeros((dataset.n_nodes, distance + 1, worth.shape[1]))
    placed[:, distance] = worth
    if hasattr(model, "classes_"):
        return collected(dataset, baseline_score(model, dataset), base[None], placed=placed)
    coding, score = model.coding_, baseline_score(model, dataset)
    value = coding.mean + coding.deviation * base
    return collected(dataset, score, value[None], placed=placed * coding.deviation)


def columns_of_nodes(model: Any, dataset: Dataset) -> Any:
    """The column that counts a node; -1 where training never saw its label."""
    if model.labelled_:
        words, numbers = list(dataset.label_names), dataset.node_labels
    else:
        words, numbers = (
            list(range(LARGEST_DEGREE + 1)),
            np.minimum(dataset.degrees, LARGEST_DEGREE),
        )
    columns = [model._column(word) for word in words]
    return np.array([-1 if column is None else column for column in columns])[numbers]
