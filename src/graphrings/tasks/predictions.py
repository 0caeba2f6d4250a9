"""What a fitted method said of some graphs, from which every score is computed."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Predictions:
    """Truth and prediction of the graphs with some numbers in their dataset.

    ``truth`` and ``predicted`` hold class numbers (int32) or values (float64). A classifier adds
    ``probabilities``, a row per graph and a column per class, or for two classes at least a
    ``margin``: how much a graph looks like the second. Both are kept in single precision, so that
    a score computed later from a store equals one computed at once.
    """

    graphs: NDArray[np.int32]
    truth: NDArray[Any]
    predicted: NDArray[Any]
    n_classes: int = 0  # 0 where targets are values
    probabilities: NDArray[np.float32] | None = None
    margin: NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        numbers = np.int32 if self.n_classes else np.float64
        types = {"graphs": np.int32, "truth": numbers, "predicted": numbers}
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                dtype = types.get(field.name, np.float32)
                object.__setattr__(self, field.name, np.ascontiguousarray(value, dtype=dtype))

    def __len__(self) -> int:
        return len(self.graphs)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Predictions) and all(
            np.array_equal(getattr(self, field.name), getattr(other, field.name))
            for field in fields(self)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def confusion(self) -> NDArray[np.int64]:
        """Entry [a, b] counts the graphs of class a that were taken for class b."""
        counts = np.zeros((self.n_classes, self.n_classes), dtype=np.int64)
        np.add.at(counts, (self.truth, self.predicted), 1)
        return counts

    @property
    def errors(self) -> NDArray[np.float64]:
        """How wrong every prediction is: 0 or 1 for a class, the distance from a value."""
        if self.n_classes:
            return np.where(self.truth == self.predicted, 0.0, 1.0)
        distances: NDArray[np.float64] = np.abs(self.truth - self.predicted)
        return distances

    @property
    def ranking(self) -> NDArray[np.float32] | None:
        """By how much a graph looks like the second of two classes; None for more classes."""
        if self.n_classes != 2:
            return None
        return self.margin if self.probabilities is None else self.probabilities[:, 1]
