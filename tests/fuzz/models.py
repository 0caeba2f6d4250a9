"""Model files: good ones of every kind, edits of header and tensors, and questions to ask."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from safetensors.numpy import save as to_bytes

import graphrings as gr
from fuzz.mutators import Files, Mutator, mutated_tree, one_of_the_files
from graphrings.learning import persistence

Parts = tuple[dict[str, Any], dict[str, Any]]  # header and tensors
FOREST = {"method": "ring-forest", "settings": {"n_trees": 2, "radius": 1}}
WL = {"method": "wl", "settings": {"height": 1}, "grid": {"C": [10.0, 0.1]}}
NETWORK = {"method": "dgcnn", "settings": {"max_epochs": 1}}


@cache
def examples() -> tuple[gr.Dataset, gr.Dataset]:
    """A few graphs with classes, and the same with values."""
    few = gr.load("MUTAG")[:16]
    return few, few.changed(targets=few.sizes / 10.0, class_names=())


@cache
def questions() -> gr.Dataset:
    """What a model that loads is asked."""
    return gr.load("MUTAG")[20:26]


@cache
def models() -> list[Parts]:
    """Small models of every kind but committees."""
    few, values = examples()
    return read_back(
        (gr.PGCClassifier(max_epochs=1, channels=(2, 1), dense=4), few),
        (gr.NetworkClassifier("gin", max_epochs=1, members=2, calibrate=True), few),
        (gr.NetworkRegressor("ecc", max_epochs=1), values),
        (gr.KernelClassifier("wl", probability=True, height=2), few),
        (gr.KernelClassifier("wl", linear=True, height=1), few),
        (gr.KernelRegressor("shortest-path"), values),
        (gr.ForestClassifier(n_trees=2), few),
        (gr.BoostingRegressor(n_trees=2), values),
        (gr.BaselineClassifier(), few),
        (gr.BaselineRegressor(model="mlp", hidden=2), values),
    )


@cache
def committees() -> list[Parts]:
    """Committees of two and three members, for both tasks."""
    few, values = examples()
    return read_back(
        (gr.CommitteeClassifier(members=[FOREST, WL], random_state=0), few),
        (gr.CommitteeClassifier(members=[FOREST, NETWORK, WL], random_state=0), few),
        (gr.CommitteeRegressor(members=[FOREST, WL], random_state=0), values),
    )


def read_back(*made: tuple[Any, gr.Dataset]) -> list[Parts]:
    """Header and tensors of models, fitted and saved."""
    from tempfile import TemporaryDirectory

    parts = []
    with TemporaryDirectory() as folder:
        for k, (model, dataset) in enumerate(made):
            model.fit(dataset).save(Path(folder) / f"{k}.model")
            parts.append(persistence.read(Path(folder) / f"{k}.model"))
    return parts


def sealed(header: dict[str, Any], tensors: dict[str, Any]) -> bytes:
    """A file whose checksum is right, whatever it holds."""
    whole = header | {"sha256": persistence.checksum(header, tensors)}
    return to_bytes(tensors, {persistence.KEY: json.dumps(whole)})


def sealed_all(parts: list[Parts]) -> list[Files]:
    """The files of some models."""
    return [{"a.model": sealed(*of_one)} for of_one in parts]


def editing(parts: Any) -> Mutator:
    """Edits of header and tensors such that the checksum is right, or of bytes such that not."""

    def edited(rng: Random, files: Files) -> Files:
        if rng.random() < 0.05:
            return one_of_the_files(rng, files)
        header, tensors = rng.choice(parts())
        tensors = dict(tensors)
        for _ in range(rng.choice((1, 1, 2, 3))):
            if rng.random() < 0.65:
                part = rng.choice(sorted(header.keys() - {"card", "versions", "format"}))
                header = {**header, part: mutated_tree(rng, header[part])}
            elif tensors:
                name = rng.choice(sorted(tensors))
                tensors[name] = mutated_array(rng, tensors[name])
                if rng.random() < 0.05:
                    del tensors[name]
        return {"a.model": sealed(header, tensors)}

    return edited


def mutated_array(rng: Random, array: Any) -> Any:
    """Another type, another shape, or another number somewhere."""
    array = np.array(array)
    action = rng.randrange(6)
    if action == 0:
        kinds = ("int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
        with np.errstate(all="ignore"):
            array = array.astype(rng.choice(kinds))
    elif action == 1:
        array = array[: rng.randrange(len(array) + 1)] if array.ndim else array.reshape(1)
    elif action == 2:
        array = np.concatenate([array, array]) if array.ndim else array
    elif action == 3:
        array = array.reshape(-1) if rng.random() < 0.5 else array[None]
    elif array.size:
        flat = array.reshape(-1)
        wild = (-1, 0, 1, 5, 1000, 2**31 - 1, -(2**31), np.nan, np.inf, 1e300)
        with np.errstate(all="ignore"):
            flat[rng.randrange(len(flat))] = np.array(rng.choice(wild)).astype(array.dtype)
    return np.ascontiguousarray(array)


def predict(path: Path) -> object:
    """Load a model and ask it."""
    few = questions()
    loaded = gr.load_model(path)
    predicted, shares = loaded.predict_with_proba(few)
    similarity = loaded.domain_.similarity(few)
    for numbers in (similarity, shares, predicted if predicted.dtype.kind == "f" else None):
        assert numbers is None or np.isfinite(numbers).all(), "accepted, and predicts nonsense"
    return predicted
