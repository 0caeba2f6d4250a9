"""A machine on a kernel as a linear function of the kernel's features."""

from __future__ import annotations

from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from graphrings.explanations.parts import Reals
from graphrings.graphs.dataset import Dataset
from graphrings.kernels.kernel import squares, unit_rows
from graphrings.kernels.tables import Occurrences, by_appearance, tabulate


class Machine(NamedTuple):
    """What every kept graph counts for in every output, and what they are added to."""

    alphas: Reals  # (outputs, fitted graphs), or nothing where the machine is linear
    intercept: Reals


class Joint(NamedTuple):
    """The graphs that the machine compares with and, behind them, those to explain."""

    dataset: Dataset
    n_graphs: int  # of the first kind
    n_nodes: int


def machine_of(model: Any) -> Machine:
    """The coefficients of the outputs; several classes have one each, a sum over their pairs."""
    turn = class_sums(model)
    weights = np.zeros((len(turn), len(model.graphs_)))
    if not model._is_linear:
        np.add.at(weights.T, model.columns_, (turn @ model._weights()).T)
    return Machine(weights, turn @ model.intercept_)


def class_sums(model: Any) -> Reals:
    """From the decisions of a machine to its outputs.

    A machine with a Gram matrix decides between every two classes; the output of a class is the
    sum of its margins over the others.
    """
    n_decisions = len(model.intercept_)
    n_classes = len(getattr(model, "classes_", ()))
    if n_classes <= 2 or model._is_linear:
        return np.eye(n_decisions)
    turn = np.zeros((n_classes, n_decisions))
    for pair, (first, second) in enumerate(combinations(range(n_classes), 2)):
        turn[first, pair], turn[second, pair] = -1, 1
    return turn


def feature_weights(model: Any, table: csr_array, joint: Joint) -> Reals:
    """The weight of every column of the joint table in every output, (columns, outputs)."""
    if model._is_linear:
        weights = np.zeros((table.shape[1], len(model.coef_)))
        weights[: model.coef_.shape[1]] = model.coef_.T
        return weights
    rows = unit_rows(table[: joint.n_graphs]) if model.normalize else table[: joint.n_graphs]
    return np.asarray(rows.T @ machine_of(model).alphas.T)


def norms(model: Any, table: csr_array, joint: Joint) -> Reals:
    """What the features of every graph to explain are divided by."""
    own = table[joint.n_graphs :]
    lengths = np.sqrt(squares(own)) if model.normalize else np.ones(own.shape[0])
    return np.where(lengths > 0, lengths, 1.0)


class Columns:
    """Where features stand in the table of a kernel, by their codes."""

    def __init__(self, occurrences: Occurrences, n_graphs: int) -> None:
        self.table = tabulate(occurrences, n_graphs)
        codes = occurrences.codes.astype(np.int64, copy=False)
        self._codes, first = np.unique(codes, return_index=True)
        self._columns = by_appearance(codes)[0][first]

    def of(self, codes: NDArray[np.int64]) -> NDArray[np.int32]:
        """The columns of codes that the table has."""
        return self._columns[np.searchsorted(self._codes, codes)]
