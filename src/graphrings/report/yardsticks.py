"""What is reached without a model, by any score: what every method has to beat."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graphrings.results.record import DatasetCard, Record
from graphrings.tasks.predictions import Predictions
from graphrings.tasks.scores import Score, score_predictions


def without_a_model(dataset: DatasetCard, records: Sequence[Record], score: Score) -> float | None:
    """The shown score of always saying the same; None where it is not defined or not known.

    Of classes it is the commonest one, with the shares of all classes as probabilities. Of values
    it is the mean of those that the records keep.
    """
    same = _commonest(dataset) if dataset.class_counts else _mean(dataset.name, records)
    if same is None:
        return None
    value = score_predictions(same, score.task, [score.name]).get(score.name)
    return None if value is None else score.shown(value)


def _commonest(dataset: DatasetCard) -> Predictions | None:
    counts = np.array(dataset.class_counts)
    n_graphs = int(counts.sum())
    if not n_graphs:
        return None
    graphs = np.arange(n_graphs, dtype=np.int32)
    truth = np.repeat(np.arange(len(counts)), counts)
    shares = np.tile((counts / n_graphs).astype(np.float32), (n_graphs, 1))
    return Predictions(graphs, truth, np.full(n_graphs, counts.argmax()), len(counts), shares)


def _mean(dataset: str, records: Sequence[Record]) -> Predictions | None:
    tests = [r.test for r in records if r.cell.dataset == dataset and r.test is not None]
    if not tests:
        return None
    graphs, first = np.unique(np.concatenate([one.graphs for one in tests]), return_index=True)
    truth = np.concatenate([one.truth for one in tests])[first]
    return Predictions(graphs, truth, np.full(len(truth), truth.mean()))
