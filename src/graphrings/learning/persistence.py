"""Models as files: safetensors with a JSON header. Nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes
from torch import Tensor

import graphrings
from graphrings.errors import ModelError
from graphrings.graphs.features import Features
from graphrings.learning.classes import column
from graphrings.learning.trainer import reproducible
from graphrings.whole_files import whole_file

FORMAT = 2  # 1 had the k of SortPooling in the place of all measures
KEY = "graphrings"


def save(path: str | Path, classifier: Any) -> None:
    """Write a fitted network classifier."""
    features: Features = classifier.features_
    header = {
        **common_header(classifier),
        "features": {
            "kind": features.kind,
            "label_names": plain(features.label_names),
            "pairs": plain(features.pairs),
            "mean": list(features.mean),
            "scale": list(features.scale),
        },
        "measures": {name: plain(value) for name, value in classifier.measures_.items()},
        "fingerprint": classifier.fingerprint_,
    }
    tensors = {k: v.detach().cpu().clone() for k, v in classifier.network_.state_dict().items()}
    write(path, header, tensors)


def common_header(classifier: Any) -> dict[str, Any]:
    """What the file of any classifier says of it."""
    return {
        "format": FORMAT,
        "estimator": type(classifier).__name__,
        "settings": {k: plain(v) for k, v in classifier.get_params(deep=False).items()},
        "classes": plain(classifier.classes_),
        "versions": {
            "graphrings": graphrings.__version__,
            "torch": torch.__version__,
            "numpy": np.__version__,
            "python": platform.python_version(),
        },
    }


def write(path: str | Path, header: dict[str, Any], tensors: dict[str, Tensor]) -> None:
    """Write a sealed file."""
    sealed = header | {"sha256": checksum(header, tensors)}
    content = to_bytes(tensors, {KEY: json.dumps(sealed)})
    with whole_file(Path(path)) as place:
        place.write_bytes(content)


def load(path: str | Path, kind: Any) -> Any:
    """Read a classifier of the given class, network or kernel."""
    return load_any(path, {kind.__name__: kind})


def load_any(path: str | Path, kinds: Mapping[str, Any]) -> Any:
    """Read a classifier of one of the given classes; each says how it is ``from_file``."""
    header, tensors = read(path)
    if (name := str(header.get("estimator"))) not in kinds:
        raise ModelError(f"{path}: a model of {name}; expected {' or '.join(kinds)}")
    return kinds[name].from_file(path, header, tensors)


def network_from_file(
    path: str | Path, kind: Any, header: dict[str, Any], tensors: dict[str, Tensor]
) -> Any:
    """A network classifier of a class from what its file holds."""
    try:
        classifier = kind(**{k: restored(v) for k, v in header["settings"].items()})
        found = header["features"]
        classifier.classes_ = column(header["classes"])
        classifier.features_ = Features(**{k: restored(v) for k, v in found.items()})
        measures = header["measures"] if header["format"] > 1 else {"k": header["k"]}
        classifier.measures_ = {name: restored(value) for name, value in measures.items()}
        classifier.fingerprint_ = header["fingerprint"]
        with reproducible(0):
            classifier.network_ = classifier._build()
        classifier.network_.load_state_dict(tensors)
    except (AttributeError, LookupError, TypeError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{path}: the model is damaged ({reason})") from error
    return classifier


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What a model file says of itself, and its weights."""
    if not Path(path).is_file():
        raise ModelError(f"{path}: no such file")
    try:
        with safe_open(str(path), framework="pt") as file:
            said = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
    except SafetensorError as error:
        raise ModelError(f"{path}: not a model, or a damaged one ({error})") from error
    if KEY not in said:
        raise ModelError(f"{path}: a safetensors file, but not of a graphrings model")
    try:
        header: dict[str, Any] = json.loads(said[KEY])
        version = int(header["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: the header of the model is damaged") from error
    if version > FORMAT:
        raise ModelError(
            f"{path}: model format {version}, made by a newer graphrings; this one reads up to "
            f"format {FORMAT}"
        )
    if header.pop("sha256", None) != checksum(header, tensors):
        raise ModelError(f"{path}: the model is damaged (its content is not what was written)")
    return header, tensors


def checksum(header: dict[str, Any], tensors: dict[str, Tensor]) -> str:
    """A hash of everything that a model file holds."""
    found = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(tensors):
        found.update(name.encode())
        found.update(tensors[name].numpy().tobytes())
    return found.hexdigest()


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, np.ndarray | tuple | list):
        return [plain(item) for item in value]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {"pairs": [[plain(k), plain(v)] for k, v in value.items()]}
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise ModelError(
        f"{value!r} of type {type(value).__name__} cannot be saved; use numbers or text"
    )


def restored(value: Any) -> Any:
    """What ``plain`` was given, with tuples for lists; keys of dictionaries need not be text."""
    if isinstance(value, dict):
        return {restored(k): restored(v) for k, v in value["pairs"]}
    return tuple(restored(item) for item in value) if isinstance(value, list) else value
