"""How well explanations of networks find a planted motif.

``python -m benchmarks.motif [NETWORK ...]`` from the project's root prints the table of
``docs/explain.md``, in three minutes of one core.

The graphs are the forks of ``tests/explanations/truth.py``: an N with two O that only class 1 has,
among forks that both classes have. For every network and two trainings: accuracy on new graphs, and
how many pairs of a node inside and one outside stand in the right order, by gradients and by
masking. The settings were chosen on other seeds.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import graphrings as gr

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from explanations.truth import LEARNS, Planted, area, forked, of_second_class

SEEDS = (10, 11)


def row(name: str) -> str:
    """A line of the table."""
    settings = dict(LEARNS[name])
    n_graphs = settings.pop("n_graphs")
    scores = np.array([figures(name, n_graphs, settings, seed) for seed in SEEDS]).T
    return " | ".join([f"| `{name}`", *(", ".join(f"{x:.2f}" for x in own) for own in scores)])


def figures(name: str, n_graphs: int, settings: dict[str, object], seed: int) -> tuple[float, ...]:
    """Accuracy, and the areas by gradients and by masking."""
    model = gr.NetworkClassifier(name, random_state=seed, **settings)
    model.fit(forked(n_graphs, 2 * seed).dataset)
    new = forked(40, 2 * seed + 1)
    shown: Planted = of_second_class(new)
    areas = (
        area(gr.explain(model, shown.dataset, masking=way), shown.motif, shown.beside)
        for way in (False, True)
    )
    return (model.score(new.dataset), *areas)


if __name__ == "__main__":
    print("| network | accuracy | gradients | masking |\n|---|---:|---:|---:|")
    for name in sys.argv[1:] or LEARNS:
        print(row(name) + " |", flush=True)
