"""Fitted networks in a folder, so that no other cell has to fit them again.

A row with a radius of its own and a row that chooses its radius fit some of the same networks, in
one experiment or in two that have the same seed. A file is named by all that a fit depends on, so
that what is read is what a fit would give, to the last bit; it holds weights and no code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import astuple
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphrings.errors import ExperimentError
from graphrings.graphs.dataset import Dataset
from graphrings.graphs.mapped import contents
from graphrings.learning.model_schema import check_entries, check_numbers, number, optional, whole
from graphrings.learning.persistence import damage_in_one_line, description, read, write
from graphrings.protocol.jobs import Job
from graphrings.results.record import Curve

TRAINING = {"seconds": number(least=0), "epochs": whole(), "best_epoch": optional(whole())}
CURVE = "curve"
NETWORK = "network_"  # what a fitted network has


class Training(NamedTuple):
    """What a trial keeps of its fit; nothing but its seconds where there are no epochs."""

    seconds: float
    epochs: int | None = None
    best_epoch: int | None = None
    curve: Curve | None = None


def folder_for(fits: Path, dataset: Dataset) -> Path:
    """A folder for the fits of a dataset: what looks the same to a fit has the same one."""
    folder = fits / contents(dataset)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExperimentError(
            f"{fits}: fits cannot be kept there ({error.strerror}); expected a folder that can be "
            "written to"
        ) from error
    return folder


def place_of(
    job: Job, estimator: Any, settings: Mapping[str, Any], seed: int, versions: Mapping[str, str]
) -> Path | None:
    """The file of a fit, named by all that its numbers depend on; None if it is not to be kept.

    Networks of ours are kept; all others are fitted in less time than reading them is worth.
    """
    if job.fits is None or getattr(estimator, "fitted", "") != NETWORK:
        return None
    named = [job.method.method, job.method.revision, job.task, dict(settings), seed, dict(versions)]
    digest = hashlib.sha256(json.dumps(named, sort_keys=True).encode())
    for part in (job.split.training, job.split.validation):
        digest.update(np.ascontiguousarray(part, dtype=np.int64).tobytes() + b";")
    return job.fits / f"{digest.hexdigest()[:32]}.safetensors"


def keep_fit(path: Path, estimator: Any, training: Training) -> None:
    """Write a fitted network and how it was trained, unless its training was interrupted.

    Where there is no room any more it is not kept: the cell, which needs it no longer, goes on.
    """
    if any(history.interrupted for history in estimator.histories_):
        return
    assert training.curve is not None
    own, tensors = estimator.to_file()
    told = {name: getattr(training, name) for name in TRAINING}
    curve = np.array(astuple(training.curve), dtype=np.float64)
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)  # on another machine of a cluster
        write(path, {**description(estimator), **own, "training": told}, {**tensors, CURVE: curve})


def read_fit(path: Path, kind: Any) -> tuple[Any, Training]:
    """The network of a file, which is of this class, and how it was trained."""
    header, tensors = read(path)
    with damage_in_one_line(path):
        told, curve = header.pop("training"), tensors.pop(CURVE)
        check_entries(told, TRAINING, "training")
        check_numbers(tensors)
        estimator = kind.from_file(path, header, tensors)
        return estimator, Training(**told, curve=Curve(*map(tuple, curve.tolist())))
