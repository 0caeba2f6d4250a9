"""What a model says of some graphs, and what should make one careful with it."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

from graphrings.errors import UnseenLabelWarning
from graphrings.graphs.dataset import Dataset, Names

DIGITS = 4  # of a similarity


class Answer(NamedTuple):
    """What a model says of one graph."""

    predicted: Any
    probabilities: tuple[float, ...]  # of the classes; none where the model has none
    similarity: float
    far: bool  # farther from the training graphs than nearly all of these are from each other
    unseen: Names  # labels that training never saw


def answers(model: Any, graphs: Dataset) -> list[Answer]:
    """What a model says of graphs; labels that it never saw are listed, and not warned of."""
    if len(graphs) == 0:
        return []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnseenLabelWarning)
        predicted, probabilities = model.predict_with_proba(graphs)
    similar = model.domain_.similarity(graphs)
    return [
        Answer(*answer)
        for answer in zip(
            predicted.tolist(),
            [()] * len(graphs) if probabilities is None else map(shortest, probabilities),
            similar.round(DIGITS).tolist(),
            (similar < model.domain_.threshold).tolist(),
            model.domain_.unseen(graphs),
            strict=True,
        )
    ]


def shortest(numbers: Any) -> tuple[float, ...]:
    """Numbers with as many digits as their precision has, so that they can be read back."""
    return tuple(float(str(number)) for number in numbers)
