"""The columns that a prediction adds to a table, and the cells of a row in them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import Any, NamedTuple

from graphrings.prediction.answers import Answer

NEW, FAR = "labels never seen in training", "far from the training graphs"
BETWEEN = "; "


class Column(NamedTuple):
    """A column: its name, and the type of what stands in it where something does."""

    name: str
    type: type[Any] = str


def added_columns(model: Any, proba: bool) -> tuple[Column, ...]:
    """What a model adds: the prediction, probabilities if they are wanted, and what is odd."""
    classes = model.classes_.tolist() if hasattr(model, "classes_") else ()
    kinds = {type(name) for name in classes} or {float}
    predicted = kinds.pop() if len(kinds) == 1 else str
    return (
        Column("prediction", predicted if predicted in (bool, int, float) else str),
        *(Column(f"p({name})", float) for name in classes if proba),
        Column("similarity", float),
        Column("unseen_labels"),
        Column("warning"),
        Column("reason"),
    )


def free_ending(added: Iterable[Column], taken: Iterable[Column]) -> str:
    """What new columns must end in, so that none is called like one that is there: _2, _3, ..."""
    used, names = {column.name for column in taken}, [column.name for column in added]
    endings = ("" if k == 1 else f"_{k}" for k in count(1))
    return next(end for end in endings if used.isdisjoint(name + end for name in names))


def cells_of(answer: Answer | str, added: tuple[Column, ...]) -> tuple[Any, ...]:
    """The new cells of a row: what the model says, or else only the reason."""
    if isinstance(answer, str):
        return (*(None,) * (len(added) - 1), answer)
    n_probabilities = len(added) - 5
    warnings = [NEW] * bool(answer.unseen) + [FAR] * answer.far
    predicted = answer.predicted
    return (
        str(predicted) if added[0].type is str else predicted,
        *answer.probabilities[:n_probabilities],
        answer.similarity,
        BETWEEN.join(map(str, answer.unseen)) or None,
        BETWEEN.join(warnings) or None,
        None,
    )
