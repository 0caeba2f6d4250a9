"""Models as files: safetensors with a JSON header. Nothing is ever unpickled."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

import graphrings
from graphrings.errors import ModelError
from graphrings.graphs.features import Features

FORMAT = 1
KEY = "graphrings"


def save(path: str | Path, classifier: Any) -> None:
    """Write a fitted classifier, first beside its place and then there in one step."""
    path = Path(path)
    features: Features = classifier.features_
    header = {
        "format": FORMAT,
        "estimator": type(classifier).__name__,
        "settings": {k: _plain(v) for k, v in classifier.get_params(deep=False).items()},
        "classes": _plain(classifier.classes_),
        "features": {
            "kind": features.kind,
            "label_names": _plain(features.label_names),
            "pairs": _plain(features.pairs),
            "mean": list(features.mean),
            "scale": list(features.scale),
        },
        "k": classifier.k_,
        "fingerprint": classifier.fingerprint_,
        "versions": {
            "graphrings": graphrings.__version__,
            "torch": torch.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }
    tensors = {k: v.detach().clone() for k, v in classifier.network_.state_dict().items()}
    handle, partial = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(handle)
    try:
        save_file(tensors, partial, {KEY: json.dumps(header)})
        Path(partial).replace(path)
    except BaseException:
        Path(partial).unlink(missing_ok=True)
        raise


def load(path: str | Path, estimators: dict[str, Any]) -> Any:
    """Read a classifier of one of the given classes."""
    header = read_header(path)
    if header["estimator"] not in estimators:
        raise ModelError(
            f"{path}: a model of {header['estimator']}; expected {' or '.join(estimators)}"
        )
    try:
        with safe_open(str(path), framework="pt") as file:
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
        classifier = estimators[header["estimator"]](**_tuples(header["settings"]))
        found = header["features"]
        classifier.classes_ = np.array(header["classes"])
        classifier.features_ = Features(**{k: _hashable(v) for k, v in found.items()})
        classifier.k_, classifier.fingerprint_ = header["k"], header["fingerprint"]
        classifier.network_ = classifier._build()
        classifier.network_.load_state_dict(tensors)
    except (KeyError, TypeError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{path}: the model is damaged ({reason})") from error
    return classifier


def read_header(path: str | Path) -> dict[str, Any]:
    """What a model file says of itself."""
    if not Path(path).is_file():
        raise ModelError(f"{path}: no such file")
    try:
        with safe_open(str(path), framework="pt") as file:
            text = (file.metadata() or {}).get(KEY)
    except SafetensorError as error:
        raise ModelError(f"{path}: not a model, or a damaged one ({error})") from error
    if text is None:
        raise ModelError(f"{path}: a safetensors file, but not of a graphrings model")
    try:
        header: dict[str, Any] = json.loads(text)
        version = int(header["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: the header of the model is damaged") from error
    if version > FORMAT:
        raise ModelError(
            f"{path}: model format {version}, made by a newer graphrings; this one reads up to "
            f"format {FORMAT}"
        )
    return header


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, np.ndarray | tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ModelError(
        f"{value!r} of type {type(value).__name__} cannot be saved; use numbers or text"
    )


def _hashable(value: Any) -> Any:
    return tuple(_hashable(item) for item in value) if isinstance(value, list) else value


def _tuples(settings: dict[str, Any]) -> dict[str, Any]:
    return {k: _hashable(v) for k, v in settings.items()}
