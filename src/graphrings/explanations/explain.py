"""gr.explain: why a model says what it says."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from graphrings.errors import ModelError
from graphrings.explanations.explanation import Explanation
from graphrings.explanations.families import explained, family_of
from graphrings.graphs.adapters.anything import as_dataset

VALUE = "value"


def explain(model: Any, graphs: Any, *, masking: bool = False) -> Explanation:
    """How much every node, edge and distance pushed a model's score of graphs.

    Args:
        model: any fitted estimator; those of graphrings are taken apart exactly, or by integrated
            gradients where they are networks, and all others by masking.
        graphs: a Dataset, or whatever ``predict`` takes.
        masking: take every node out and predict again instead, whatever the model: an independent
            check, which says nothing of distances.

    """
    if not hasattr(model, "predict"):
        raise ModelError(
            f"a {type(model).__name__} to explain; expected a fitted estimator of graphs"
        )
    if hasattr(model, "fitted"):
        check_is_fitted(model, model.fitted)
    dataset = as_dataset(graphs)
    parts, how = explained(model, dataset, masking)
    classes = tuple(np.asarray(getattr(model, "classes_", ())).tolist())
    outputs = (classes[1:] if len(classes) == 2 else classes) or (VALUE,)
    unit = family_of(model).unit if classes else "value"
    return Explanation(dataset, model.predict(dataset), outputs, classes, unit, how, parts)
