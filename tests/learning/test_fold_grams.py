"""Kernels that learn, on the folds of a dataset."""

from __future__ import annotations

import numpy as np
import pytest

import graphrings as gr
from graphrings.graphs.array_cache import ArrayCache
from graphrings.graphs.selection import Selection
from graphrings.kernels.deep_graph import BASES, DeepGraph
from graphrings.learning.fold_grams import FoldKernel


@pytest.mark.parametrize("normalize", [False, True])
@pytest.mark.parametrize("base", BASES)
def test_a_fold_learns_from_its_training_graphs_alone_to_the_bit(
    base: str, normalize: bool
) -> None:
    """Counts are those of all graphs; what is learned is what the graphs cut out would teach."""
    graphs = gr.load("MUTAG")[:60]
    order = np.random.default_rng(0).permutation(60)
    cache = ArrayCache()
    training, others = (Selection(graphs, part, cache) for part in (order[:40], order[40:]))

    def kernel() -> DeepGraph:
        return DeepGraph(base, size=4, height=2, dimension=7, normalize=normalize)

    fold = FoldKernel("deep", kernel(), training)
    alone = kernel()
    np.testing.assert_array_equal(fold.gram(training), alone.fit_transform(graphs[order[:40]]))
    np.testing.assert_array_equal(fold.gram(others), alone.transform(graphs[order[40:]]))


def test_graphs_are_counted_once_for_all_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    counted = DeepGraph.counted

    def noted(kernel: DeepGraph, dataset: gr.Dataset) -> object:
        asked.append(len(dataset))
        return counted(kernel, dataset)

    monkeypatch.setattr(DeepGraph, "counted", noted)
    graphs, cache = gr.load("MUTAG")[:60], ArrayCache()
    for first in (0, 20):
        training, others = (
            Selection(graphs, np.arange(start, start + 20), cache) for start in (first, 40)
        )
        fold = FoldKernel("deep", DeepGraph(height=1), training)
        fold.gram(training)
        fold.gram(others)
    assert asked == [60]
