"""Forests on the table of ring-forest: our trees against scikit-learn's, which are the same.

Extremely randomised trees and a random forest on one table, CPU time of one thread for a tree.
Nodes are compared one by one.

    python -m benchmarks.forests NCI1 PROTEINS DD COLLAB
"""

from __future__ import annotations

from functools import partial

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import ExtraTreesClassifier, RandomForestClassifier

import graphrings as gr
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.graphs.adapters.anything import as_selection
from graphrings.learning.forest_trees import Growth, forest_trees, ranked_columns
from graphrings.learning.table_columns import learn_columns
from graphrings.learning.trees import Trees, from_forest, joined

KINDS = {"extra": ExtraTreesClassifier, "random": RandomForestClassifier}
Table = NDArray[np.float32]
Numbers = NDArray[np.int64]


def ours(rows: Table, goals: Numbers, kind: str, n_trees: int) -> Trees:
    """As ``gr.ForestClassifier`` does."""
    growth = Growth(n_trees, "sqrt", 1, kind == "extra")
    return joined(forest_trees(ranked_columns(rows), goals, growth, seed=0)[0])


def scikit_learn(rows: Table, goals: Numbers, kind: str, n_trees: int) -> Trees:
    """On the table as it is."""
    forest = KINDS[kind](n_trees, max_features="sqrt", random_state=0).fit(rows, goals)
    return from_forest(forest.estimators_)


def are_same(one: Trees, other: Trees) -> bool:
    """Whether all nodes of all trees are."""
    names = ("starts", "columns", "thresholds", "others", "leaves", "passed")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)


@click.command()
@click.argument("datasets", nargs=-1, required=True)
@click.option("--trees", "n_trees", default=250, show_default=True)
@click.option("--rounds", default=3, show_default=True)
def main(datasets: tuple[str, ...], n_trees: int, rounds: int) -> None:
    """Print a table: milliseconds a tree, of both sides, and theirs divided by ours."""
    print_processor()
    print("| | columns | | ours | scikit-learn | scikit-learn / ours | same nodes |")
    print("|---|---:|---|---:|---:|---:|---|")
    for name in datasets:
        dataset = gr.load(name)
        selection = as_selection(dataset)
        rows = learn_columns(selection, "auto", 3).rows(selection)
        goals = np.asarray(dataset.targets, dtype=np.int64)
        for kind in KINDS:
            given = rows, goals, kind, n_trees
            same = are_same(ours(*given), scikit_learn(*given))
            sides = {"ours": partial(ours, *given), "theirs": partial(scikit_learn, *given)}
            times = milliseconds(sides, rounds, warm_up=0)
            figures = [f"{times[side] / n_trees:.2f}" for side in sides]
            ratio = f"{times['theirs'] / times['ours']:.1f}"
            entries = [name, f"{rows.shape[1]:,}", kind, *figures, ratio, str(same)]
            print(f"| {' | '.join(entries)} |", flush=True)


if __name__ == "__main__":
    main()
