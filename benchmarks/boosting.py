"""Boosted trees on the table of ring-forest: ours against scikit-learn's, and LightGBM's if there.

One fit of 200 trees per class on a tenth of the columns, the same table for all sides, CPU time of
one thread. scikit-learn draws the columns for every split, the others for every tree.

    python -m benchmarks.boosting MUTAG NCI1 PROTEINS IMDB-BINARY COLLAB
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec

import click
import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier

import graphrings as gr
from benchmarks.processor import print_processor
from benchmarks.turns import milliseconds
from graphrings.graphs.adapters.anything import as_selection
from graphrings.learning.boosted_trees import Growth, boosted_trees
from graphrings.learning.boosting_losses import Logistic, Softmax
from graphrings.learning.table_columns import learn_columns

GROWTH = Growth(
    n_trees=200, learning_rate=0.05, max_features=0.1, max_leaves=31, min_leaf=10, penalty=1.0
)


def ours(rows: NDArray[np.float32], goals: NDArray[np.int64]) -> object:
    """As ``gr.BoostingClassifier`` does."""
    loss = (Logistic if goals.max() == 1 else Softmax)(goals, np.ones(len(goals)))
    return boosted_trees(rows, loss, GROWTH, np.random.RandomState(0))


def scikit_learn(rows: NDArray[np.float32], goals: NDArray[np.int64]) -> object:
    """Histograms of 255 bins, all columns of a node whatever part of them may split it."""
    model = HistGradientBoostingClassifier(
        max_iter=GROWTH.n_trees,
        learning_rate=GROWTH.learning_rate,
        max_features=GROWTH.max_features,
        max_leaf_nodes=GROWTH.max_leaves,
        min_samples_leaf=GROWTH.min_leaf,
        l2_regularization=GROWTH.penalty,
        early_stopping=False,
        random_state=0,
    )
    return model.fit(rows, goals)


def light_gbm(rows: NDArray[np.float32], goals: NDArray[np.int64]) -> object:
    """Histograms of 255 bins over bundles of columns."""
    import lightgbm

    n_classes = int(goals.max()) + 1
    classes = {"objective": "binary"}
    if n_classes > 2:
        classes = {"objective": "multiclass", "num_class": str(n_classes)}
    settings = {
        "learning_rate": GROWTH.learning_rate,
        "feature_fraction": GROWTH.max_features,
        "num_leaves": GROWTH.max_leaves,
        "min_data_in_leaf": GROWTH.min_leaf,
        "lambda_l2": GROWTH.penalty,
        "num_threads": 1,
        "force_col_wise": True,
        "verbose": -1,
    }
    return lightgbm.train({**classes, **settings}, lightgbm.Dataset(rows, goals), GROWTH.n_trees)


SIDES: dict[str, Callable[..., object]] = {"ours": ours, "scikit-learn": scikit_learn}
if find_spec("lightgbm"):
    SIDES["LightGBM"] = light_gbm


@click.command()
@click.argument("datasets", nargs=-1, required=True)
@click.option("--radius", default=3, show_default=True)
@click.option("--rounds", default=1, show_default=True)
def main(datasets: tuple[str, ...], radius: int, rounds: int) -> None:
    """Print a table: milliseconds of every side, and the others' divided by ours."""
    print_processor()
    others = [side for side in SIDES if side != "ours"]
    print(f"| | columns | {' | '.join(SIDES)} | {' | '.join(f'{o} / ours' for o in others)} |")
    print("|---|---:|" + "---:|" * (len(SIDES) + len(others)))
    for name in datasets:
        dataset = gr.load(name)
        selection = as_selection(dataset)
        rows = learn_columns(selection, "label+degree", radius).rows(selection)
        goals = np.asarray(dataset.targets, dtype=np.int64)
        ours(rows[:, :1], goals)  # compiles
        runs = {side: partial(fit, rows, goals) for side, fit in SIDES.items()}
        times = milliseconds(runs, rounds, warm_up=0)
        entries = [f"{times[side]:,.0f}" for side in SIDES]
        ratios = [f"{times[side] / times['ours']:.1f}" for side in others]
        print(f"| {name} | {rows.shape[1]:,} | {' | '.join(entries + ratios)} |", flush=True)


if __name__ == "__main__":
    main()
