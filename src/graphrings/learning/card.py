"""The card of a model: what it is, what it was trained on, and what is known of its worth."""

from __future__ import annotations

import platform
from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import Any

import numpy as np

import graphrings
from graphrings.errors import ModelError
from graphrings.learning.applicability import MOST_GRAPHS


def versions() -> dict[str, str]:
    """What a model was made with."""
    return {
        "graphrings": graphrings.__version__,
        "torch": version("torch"),
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def default_card(estimator: Any) -> dict[str, Any]:
    """What every model can say of itself."""
    domain = estimator.domain_
    known = {
        "method": estimator.method_name,
        "estimator": type(estimator).__name__,
        "task": estimator.task.name,
        "data": {**estimator.trained_on_, "fingerprint": estimator.fingerprint_},
        "settings": estimator.get_params(deep=False),
        "chemistry": None if estimator.chemistry_ is None else vars(estimator.chemistry_),
        "calibration": _calibration(estimator),
        "applicability": {
            "measure": "Tanimoto similarity of colour counts to the nearest training graph",
            "graphs": min(domain.n_graphs, MOST_GRAPHS),
            "threshold": domain.threshold,
        },
        "versions": versions(),
    }
    return plain_card(known)


def _calibration(estimator: Any) -> Any:
    """How probabilities were calibrated, or that they were not; values have none."""
    if not hasattr(estimator, "calibration_"):
        return None
    if estimator.calibration_ is None:
        return "none"
    return {k: v for k, v in estimator.calibration_.facts().items() if k != "weights"}


def plain_card(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card as JSON has it; keys are text."""
    return {str(key): plain_value(value, str(key)) for key, value in card.items()}


def plain_value(value: Any, place: str) -> Any:
    """A value of a card: text, numbers, and lists and mappings of them."""
    if isinstance(value, Mapping):
        return {str(k): plain_value(v, f"{place}.{k}") for k, v in value.items()}
    if isinstance(value, np.ndarray | tuple | list):
        return [plain_value(item, place) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ModelError(
        f"{place} of the card: {value!r} of type {type(value).__name__} cannot be saved; "
        "use text, numbers, and lists or dictionaries of them"
    )


def card_rows(card: Mapping[str, Any], place: str = "") -> Iterator[tuple[str, str]]:
    """A card as pairs of a place and what stands there, entry after entry."""
    for key, value in card.items():
        where = f"{place} {key}" if place else key
        if isinstance(value, Mapping):
            yield from card_rows(value, where)
        elif value is not None and value != "":
            yield where, said(value)


def said(value: Any) -> str:
    """A value as people read it."""
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        sentences = any(isinstance(item, str) and item.endswith(".") for item in value)
        return (" " if sentences else ", ").join(map(said, value))
    return str(value)
