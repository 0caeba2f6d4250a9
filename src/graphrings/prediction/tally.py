"""What came of a prediction: counts, and the score where the truth is known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphrings.graphs.tables.targets import decimal_commas
from graphrings.prediction.answers import Answer

MOST_NAMED = 10  # labels or reasons in a line


class Tally:
    """Counts rows as they are answered, and remembers truth and prediction where both are there."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self.n_predicted = self.n_far = self.n_unseen = 0
        self.reasons, self.labels = Counter[str](), Counter[str]()
        self._truth: list[Any] = []
        self._predicted: list[Any] = []

    @property
    def n_rows(self) -> int:
        """All rows, predicted or not."""
        return self.n_predicted + self.reasons.total()

    def add(self, replies: Sequence[Answer | str], truth: Sequence[Any]) -> None:
        """Count what was said of some rows, whose truth is None where it is unknown."""
        for said, true in zip(replies, truth, strict=True):
            if isinstance(said, str):
                self.reasons[said.partition(":")[0]] += 1
                continue
            self.n_predicted += 1
            self.n_far += said.far
            self.n_unseen += bool(said.unseen)
            self.labels.update(map(str, said.unseen))
            if true is not None:
                self._truth.append(true)
                self._predicted.append(said.predicted)

    def summary(self) -> str:
        """One line on all rows."""
        parts = [f"{self.n_predicted:,} graph{_s(self.n_predicted)} predicted"]
        if self.reasons:
            n_lost, why = self.reasons.total(), _listed(self.reasons)
            parts.append(f"{n_lost:,} row{_s(n_lost)} could not be read ({why})")
        if self.n_unseen:
            names = _listed(self.labels)
            parts.append(f"{self.n_unseen:,} with labels never seen in training ({names})")
        if self.n_far:
            threshold = self._model.domain_.threshold
            far = f"{self.n_far:,} far from the training graphs"
            parts.append(f"{far} (similarity below {threshold:.2f})")
        return ", ".join(parts)

    def score(self) -> str:
        """The score in words, or why there is none; nothing where no truth is known."""
        if not self._truth:
            return ""
        task, coding, truth = self._model.task, self._model.coding_, self._truth
        reason = task.mismatch(np.array(truth, dtype=object), coding)
        if reason and (commas := decimal_commas(list(map(str, truth)))) and not commas.doubtful:
            truth = list[Any](commas.with_points)
            reason = task.mismatch(np.array(truth, dtype=object), coding)
        if reason:
            return f"no score: {reason}"
        predicted = np.array(self._predicted, dtype=object)
        value = task.user_score(np.array(truth, dtype=object), predicted)
        n_graphs = len(truth)
        return f"{task.main_score.written(value)} on {n_graphs:,} graph{_s(n_graphs)}"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _listed(counts: Counter[str]) -> str:
    shown = [f"{name}: {n:,}" for name, n in counts.most_common(MOST_NAMED)]
    more = len(counts) - MOST_NAMED
    return ", ".join([*shown, *([f"and {more:,} more"] if more > 0 else [])])
