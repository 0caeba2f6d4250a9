"""What every split on the way down a tree does to its answer (Saabas, 2014), in compiled code."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from graphrings.compiled import compiled
from graphrings.explanations.parts import Reals
from graphrings.learning.trees import Trees


def expected_answers(trees: Trees) -> Reals:
    """What a tree says on average below every node, over the training graphs that came by."""
    answers = np.empty((len(trees.columns), trees.leaves.shape[1]))
    expect(trees.columns, trees.others, trees.leaves, trees.passed, answers)
    return answers


def path_contributions(
    trees: Trees, answers: Reals, rows: NDArray[np.float32], n_columns: int
) -> Reals:
    """How much the splits on every column change the answer of all trees, (rows, columns, k).

    What the roots expect and these changes add up to the leaves that a row ends in.
    """
    changes = np.zeros((len(rows), n_columns, answers.shape[1]))
    arrays = trees.starts, trees.columns, trees.thresholds, trees.others
    add_paths(*arrays, answers, rows, changes)
    return changes


@compiled
def expect(
    columns: NDArray[np.int32],
    others: NDArray[np.int32],
    leaves: Reals,
    passed: NDArray[np.float32],
    answers: Reals,
) -> None:
    """Fill in the mean answer below every node; both ways down lead to nodes further on."""
    for node in range(len(columns) - 1, -1, -1):
        if columns[node] < 0:
            answers[node] = leaves[-1 - columns[node]]
            continue
        low, high = node + 1, others[node]
        share = np.float64(passed[low]) / (np.float64(passed[low]) + np.float64(passed[high]))
        for k in range(answers.shape[1]):
            answers[node, k] = share * answers[low, k] + (1 - share) * answers[high, k]


@compiled
def add_paths(
    starts: NDArray[np.int64],
    columns: NDArray[np.int32],
    thresholds: NDArray[np.float32],
    others: NDArray[np.int32],
    answers: Reals,
    rows: NDArray[np.float32],
    changes: Reals,
) -> None:
    """Walk down all trees and add every change of the expected answer to the column asked for."""
    for start in starts:
        for i in range(len(rows)):
            node = start
            while columns[node] >= 0:
                column, before = columns[node], node
                if rows[i, column] <= thresholds[node]:
                    node += 1
                else:
                    node = np.int64(others[node])
                for k in range(answers.shape[1]):
                    changes[i, column, k] += answers[node, k] - answers[before, k]
