"""Models as files: safetensors with a JSON header. Nothing is ever unpickled.

The header says which estimator it is, its settings, how targets are coded, how probabilities are
calibrated, what is known of the training graphs, and the card. What an estimator of a kind needs
besides, it says itself: ``to_file`` and ``from_file``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save as to_bytes

from graphrings.errors import MemoryLimitError, ModelError
from graphrings.graphs.chemistry import chemistry_from
from graphrings.learning.applicability import Domain
from graphrings.learning.calibration import Calibration
from graphrings.learning.card import default_card, plain_card, versions
from graphrings.learning.model_schema import (
    CALIBRATION,
    REMEMBERED,
    SHARED,
    check_entries,
    check_numbers,
    check_tensors,
)
from graphrings.learning.model_schema import DOMAIN as DOMAIN_TABLES
from graphrings.whole_files import whole_file

FORMAT = 4
KEY = "graphrings"
Tensors = dict[str, NDArray[Any]]
DOMAIN = "domain."  # before the names of the arrays of a Domain


def save(path: str | Path, estimator: Any, card: Mapping[str, Any] | None = None) -> None:
    """Write a fitted estimator; ``card`` adds to what it says of itself, or replaces it."""
    own, tensors = estimator.to_file()
    known = getattr(estimator, "card_", None) or default_card(estimator)
    header = {**common_header(estimator), **own, "card": {**known, **plain_card(card or {})}}
    write(path, header, {**tensors, **domain_tensors(estimator.domain_)})


def description(estimator: Any) -> dict[str, Any]:
    """What a fitted estimator is made from, besides what it says itself."""
    calibration = getattr(estimator, "calibration_", None)
    return {
        "format": FORMAT,
        "estimator": type(estimator).__name__,
        "settings": {k: plain(v) for k, v in estimator.get_params(deep=False).items()},
        "coding": {name: plain(value) for name, value in vars(estimator.coding_).items()},
        "calibration": None if calibration is None else calibration.facts(),
    }


def common_header(estimator: Any) -> dict[str, Any]:
    """What the file of any estimator says of it and of its training graphs."""
    return {
        **description(estimator),
        "domain": {name: plain(value) for name, value in estimator.domain_.facts().items()},
        "trained_on": estimator.trained_on_,
        "fingerprint": estimator.fingerprint_,
        "chemistry": None if estimator.chemistry_ is None else vars(estimator.chemistry_),
        "versions": versions(),
    }


def domain_tensors(domain: Domain) -> Tensors:
    """The arrays of a domain under names of their own."""
    return {f"{DOMAIN}{k}": np.ascontiguousarray(v) for k, v in domain.arrays().items()}


def write(path: str | Path, header: dict[str, Any], tensors: Tensors) -> None:
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
    own = {name: tensor for name, tensor in tensors.items() if not name.startswith(DOMAIN)}
    with damage_in_one_line(path):
        check_numbers(tensors)
        estimator = kinds[name].from_file(path, header, own)
        recall(estimator, header, tensors)
    return estimator


def recall(estimator: Any, header: dict[str, Any], tensors: Tensors) -> None:
    """Give an estimator back what every file keeps."""
    check_entries(header, REMEMBERED)
    arrays = {k.removeprefix(DOMAIN): v for k, v in tensors.items() if k.startswith(DOMAIN)}
    check_tensors(arrays, DOMAIN_TABLES)
    facts = {name: restored(value) for name, value in header["domain"].items()}
    chemistry = header["chemistry"]
    estimator.remember(
        domain=Domain.from_parts(facts, arrays),
        fingerprint=str(header["fingerprint"]),
        trained_on=dict(header["trained_on"]),
        chemistry=None if chemistry is None else chemistry_from(chemistry),
        card=dict(header["card"]),
    )


def read_card(path: str | Path) -> dict[str, Any]:
    """What the model of a file says of itself."""
    header, _ = read(path)
    with damage_in_one_line(path):
        return dict(header["card"])


@contextmanager
def damage_in_one_line(path: str | Path) -> Iterator[None]:
    """Say of a header that makes no sense that the model is damaged, and why."""
    try:
        yield
    except (ModelError, MemoryLimitError):
        raise
    except (
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        RuntimeError,
        ArithmeticError,
    ) as error:
        reason = shortened(" ".join(str(error).split()))
        raise ModelError(f"{path}: the model is damaged ({reason})") from error


def unfitted(kind: Any, header: dict[str, Any]) -> Any:
    """An estimator with the settings, the coding and the calibration of a file."""
    check_entries(header, SHARED)
    estimator = kind(**{k: restored(v) for k, v in header["settings"].items()})
    estimator.check()
    parts = {name: restored(value) for name, value in header["coding"].items()}
    estimator.coding_ = estimator.task.coding(parts)
    if (facts := header["calibration"]) is not None:
        check_entries(facts, CALIBRATION, "calibration")
        estimator.calibration_ = Calibration.from_facts(facts, estimator.coding_.n_outputs)
    return estimator


def read(path: str | Path) -> tuple[dict[str, Any], Tensors]:
    """What a model file says of itself, and its weights."""
    if not Path(path).is_file():
        raise ModelError(f"{path}: no such file")
    try:
        with safe_open(str(path), framework="np") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in list(file.keys())}
    except (SafetensorError, ValueError, TypeError, AttributeError, LookupError) as error:
        reason = shortened(" ".join(str(error).split()))
        raise ModelError(f"{path}: not a model, or a damaged one ({reason})") from error
    if KEY not in metadata:
        raise ModelError(f"{path}: a safetensors file, but not of a graphrings model")
    try:
        header: dict[str, Any] = json.loads(metadata[KEY])
        version = int(header["format"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
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


def shortened(text: str, longest: int = 300) -> str:
    """A reason that stays one line that people read."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def checksum(header: dict[str, Any], tensors: Tensors) -> str:
    """A hash of everything that a model file holds."""
    digest = hashlib.sha256(json.dumps(header, sort_keys=True).encode())
    for name in sorted(tensors):
        digest.update(name.encode())
        digest.update(tensors[name].tobytes())
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
