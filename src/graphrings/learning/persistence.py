"""Models as files: safetensors with a JSON header. Nothing is ever unpickled."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
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
from graphrings.learning.trainer import reproducible
from graphrings.whole_files import whole_file

FORMAT = 3
KEY = "graphrings"


def save_network(path: str | Path, estimator: Any) -> None:
    """Write a fitted network."""
    features: Features = estimator.features_
    header = {
        **common_header(estimator),
        "features": {name: plain(value) for name, value in vars(features).items()},
        "measures": {name: plain(value) for name, value in estimator.measures_.items()},
        "fingerprint": estimator.fingerprint_,
    }
    tensors = {k: v.detach().cpu().clone() for k, v in estimator.network_.state_dict().items()}
    write(path, header, tensors)


def common_header(estimator: Any) -> dict[str, Any]:
    """What the file of any estimator says of it."""
    return {
        "format": FORMAT,
        "estimator": type(estimator).__name__,
        "settings": {k: plain(v) for k, v in estimator.get_params(deep=False).items()},
        "coding": {name: plain(value) for name, value in vars(estimator.coding_).items()},
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


def load(path: str | Path, kinds: Mapping[str, Any]) -> Any:
    """Read an estimator of one of the given classes; each says how it is made ``from_file``."""
    header, tensors = read(path)
    if (name := str(header.get("estimator"))) not in kinds:
        raise ModelError(f"{path}: a model of {name}; expected {' or '.join(kinds)}")
    return kinds[name].from_file(path, header, tensors)


@contextmanager
def damage_in_one_line(path: str | Path) -> Iterator[None]:
    """Say of a header that makes no sense that the model is damaged, and why."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError, RuntimeError) as error:
        reason = " ".join(str(error).split())
        raise ModelError(f"{path}: the model is damaged ({reason})") from error


def unfitted(kind: Any, header: dict[str, Any]) -> Any:
    """An estimator with the settings and the coding of a file."""
    estimator = kind(**{k: restored(v) for k, v in header["settings"].items()})
    parts = {name: restored(value) for name, value in header["coding"].items()}
    estimator.coding_ = estimator.task.coding(parts)
    return estimator


def network_from_file(
    path: str | Path, kind: Any, header: dict[str, Any], tensors: dict[str, Tensor]
) -> Any:
    """A network of a class from what its file holds."""
    with damage_in_one_line(path):
        estimator = unfitted(kind, header)
        estimator.features_ = Features(**{k: restored(v) for k, v in header["features"].items()})
        estimator.measures_ = {k: restored(v) for k, v in header["measures"].items()}
        estimator.fingerprint_ = header["fingerprint"]
        with reproducible(0):
            estimator.network_ = estimator.build_network()
        estimator.network_.load_state_dict(tensors)
    return estimator


def read(path: str | Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """What a model file says of itself, and its weights."""
    if not Path(path).is_file():
        raise ModelError(f"{path}: no such file")
    try:
        with safe_open(str(path), framework="pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
    except SafetensorError as error:
        raise ModelError(f"{path}: not a model, or a damaged one ({error})") from error
    if KEY not in metadata:
        raise ModelError(f"{path}: a safetensors file, but not of a graphrings model")
    try:
        header: dict[str, Any] = json.loads(metadata[KEY])
        version = int(header["format"])
    except (ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{path}: the header of the model is damaged") from error
    if version != FORMAT:
        age = "a newer" if version > FORMAT else "an older"
        raise ModelError(
            f"{path}: model format {version}, made by {age} graphrings; this one reads format "
            f"{FORMAT}"
        )
    if header.pop("sha256", None) != checksum(header, tensors):
        raise ModelError(f"{path}: the model is damaged (its content is not what was written)")
    return header, tensors


def checksum(header: dict[str, Any], tensors: dict[str, Tensor]) -> str:
    """A hash of everything that a model file holds."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].numpy().tobytes())
    return digest.hexdigest()


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
