"""What holds over all explained graphs: which labels, distances and features push where."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from graphrings.explanations.explanation import Explanation
from graphrings.explanations.parts import Reals, Term, add_by
from graphrings.graphs.dataset import Names

MOST_LABELS, MOST_TERMS, MOST_DISTANCES = 12, 12, 8
UNLABELLED = "all nodes"


class Meeting(NamedTuple):
    """The mean contribution of the nodes of each label (rows) at every distance (columns)."""

    labels: Names
    n_nodes: tuple[int, ...]
    means: Reals
    n_left_out: int


def by_label(explanation: Explanation, output: int) -> Meeting:
    """Labels at distances, the most frequent labels first."""
    dataset, placed = explanation.dataset, explanation.nodes_by_ring[:, :, output]
    labels, names = dataset.node_labels, dataset.label_names
    if labels is None:
        labels, names = np.zeros(dataset.n_nodes, dtype=np.int32), (UNLABELLED,)
    counts = np.bincount(labels, minlength=len(names))
    sums = add_by(labels, placed, len(names))
    there = np.argsort(-counts, kind="stable")[: np.count_nonzero(counts)]
    shown = there[:MOST_LABELS]
    means = folded(sums[shown] / counts[shown, None])
    chosen = tuple(names[k] for k in shown)
    return Meeting(chosen, tuple(counts[shown].tolist()), means, len(there) - len(shown))


def folded(columns: Reals) -> Reals:
    """The first distances, and all beyond added up in the last column."""
    if columns.shape[1] <= MOST_DISTANCES:
        return columns
    first, rest = columns[:, : MOST_DISTANCES - 1], columns[:, MOST_DISTANCES - 1 :]
    return np.column_stack([first, rest.sum(axis=1)])


def distance_names(n_distances: int) -> list[str]:
    """What the columns of ``folded`` are called."""
    names = [str(j) for j in range(n_distances)]
    if n_distances <= MOST_DISTANCES:
        return names
    return [*names[: MOST_DISTANCES - 1], f"{MOST_DISTANCES - 1}+"]


def rings_by_prediction(explanation: Explanation, output: int) -> list[tuple[str, Reals]]:
    """The mean contribution of every distance in the graphs of each predicted class, or of all."""
    rings = folded(explanation.rings[:, :, output])
    if not explanation.classes:
        return [("all graphs", rings.mean(axis=0))]
    said = [(name, explanation.predicted == name) for name in explanation.classes]
    return [(f"predicted {name}", rings[mask].mean(axis=0)) for name, mask in said if mask.any()]


def strongest_terms(explanation: Explanation, output: int) -> list[Term]:
    """The named features that did most, in whichever direction, over all graphs."""

    def strength(term: Term) -> float:
        return term.up[output] - term.down[output]

    terms = sorted(explanation.terms, key=lambda term: (-strength(term), term.name))
    return [term for term in terms[:MOST_TERMS] if strength(term)]


def surest(explanation: Explanation, number: int) -> list[int]:
    """Graphs whose score is farthest from its base, in turns of every predicted class."""
    columns = [shown_output(explanation, i) for i in range(len(explanation))]
    moved = np.abs(explanation.score - explanation.base)[np.arange(len(columns)), columns]
    order = np.argsort(-moved, kind="stable")
    turn = np.zeros(len(order), dtype=np.int64)
    if explanation.classes:
        for name in explanation.classes:
            own = explanation.predicted[order] == name
            turn[own] = np.arange(np.count_nonzero(own))
    return [int(graph) for graph in order[np.argsort(turn, kind="stable")][:number]]


def shown_output(explanation: Explanation, graph: int) -> int:
    """The output that tells most about a graph: that of its predicted class."""
    if len(explanation.outputs) == 1:
        return 0
    return explanation.outputs.index(explanation.predicted[graph])
