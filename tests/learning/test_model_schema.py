"""A header or tensor that makes no sense is named before anything is built of it."""

import math
from collections.abc import Callable
from json import dumps
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save_file

import graphrings as gr
from graphrings.errors import ModelError
from graphrings.learning import persistence
from graphrings.learning.model_schema import Table, check_entries, check_numbers, check_tensors
from learning.settings import QUICK

Header, Tensors = dict[str, Any], dict[str, Any]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Header, Tensors]]:
    """Header and tensors of a model of every family."""
    few, folder = gr.load("MUTAG")[:20], tmp_path_factory.mktemp("models")
    models = {
        "network": gr.PGCClassifier(**QUICK),
        "kernel": gr.KernelClassifier("wl", height=1, probability=True),
        "linear": gr.KernelClassifier("wl", height=1, linear=True),
        "forest": gr.ForestClassifier(n_trees=2),
        "baseline": gr.BaselineClassifier(),
    }
    for name, model in models.items():
        model.fit(few).save(folder / name)
    return {name: persistence.read(folder / name) for name in models}


def said(header: Header, tensors: Tensors, path: Path) -> str:
    """What is said of a file that is sealed, whatever it holds."""
    whole = header | {"sha256": persistence.checksum(header, tensors)}
    save_file(tensors, path, {persistence.KEY: dumps(whole)})
    with pytest.raises(ModelError) as error:
        gr.load_model(path)
    assert "\n" not in str(error.value)
    return str(error.value).removeprefix(f"{path}: the model is damaged ")


def inside(**changes: Any) -> Callable[[Header], Header]:
    """A header with other values inside some of its tables."""
    return lambda header: (
        header
        | {
            name: {**header[name], **values} if isinstance(values, dict) else values
            for name, values in changes.items()
        }
    )


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [
        ("network", inside(settings={"batch_size": 0}), "(batch_size = 0; expected a whole numb"),
        ("network", inside(settings={"dropout": 5}), "(dropout = 5; expected a number from 0 to"),
        ("network", inside(settings={"members": 10**9}), "(members = 1000000000; expected no more"),
        ("network", inside(settings={"dense": 2**33}), "(dense = 8589934592; expected no more tha"),
        ("network", inside(settings={"dense": 2**30}), "(the tensor head.dense.weight is float32"),
        ("network", inside(measures={"k": 10**9}), "(measures.k is not a whole number from 1 to 1"),
        ("network", inside(coding={"names": [1, 1]}), "(its classes are not two or more different"),
        (
            "network",
            inside(coding={"names": [1, math.inf]}),
            "(its classes are numbers that are n",
        ),
        ("network", inside(coding={"names": [1, 0.5]}), "(its classes are numbers that are not wh"),
        ("network", inside(coding={"names": 3}), "(its classes are not two or more different nam"),
        ("network", inside(features={"mean": [1.0]}), "(what it knows of node features does not f"),
        ("network", inside(features={"pairs": [[0, 1, 2]]}), "(features.pairs is not a list in wh"),
        (
            "network",
            inside(features={"pairs": [[99, 1]]}),
            "(what it knows of node features does n",
        ),
        (
            "network",
            inside(domain={"threshold": float("nan")}),
            "(domain.threshold is not a number",
        ),
        ("network", inside(domain={"label_names": [1, 1]}), "(domain.label_names is not a list of"),
        ("network", inside(trained_on=3), "(trained_on is not a table of plain values)"),
        (
            "network",
            inside(card={"x": [[[[[[[[[[[[[[]]]]]]]]]]]]]]}),
            "(card is not a table of plain",
        ),
        (
            "kernel",
            inside(settings={"height": 10**6}),
            "(height = 1000000; expected no more than 1",
        ),
        ("kernel", inside(graphs={"name": 5}), "(graphs.name is not text)"),
        ("kernel", inside(calibration={"weights": [[1], [2, 3]]}), "("),
        ("kernel", inside(calibration={"n_graphs": "a"}), "(calibration.n_graphs is not a whole"),
        ("forest", inside(columns={"nodes": "x"}), "(its columns tell nodes apart by 'x')"),
        ("forest", inside(columns={"counted": [3]}), "(a column of its table is no key)"),
        ("forest", inside(columns={"radius": -1}), "(columns.radius is not a whole number from 0)"),
        ("baseline", inside(words=[1, 1]), "(words is not a list of different names)"),
        ("baseline", inside(labelled="no"), "(labelled is not true or false)"),
        ("baseline", inside(steps=[]), "(steps is not a list of a table"),
    ],
)
def test_nonsense_in_a_header_is_named(
    files: dict[str, tuple[Header, Tensors]],
    tmp_path: Path,
    kind: str,
    change: Callable[[Header], Header],
    message: str,
) -> None:
    header, tensors = files[kind]
    assert said(change(header), tensors, tmp_path / "model").startswith(message)


@pytest.mark.parametrize(
    ("kind", "name", "change", "message"),
    [
        ("network", "head.out.bias", lambda t: t * np.nan, "has entries that are not finite numb"),
        (
            "network",
            "head.out.bias",
            lambda t: t.astype(np.float64),
            "is float64 of shape (2,); exp",
        ),
        (
            "network",
            "head.out.bias",
            lambda t: t.astype(np.int32),
            "is int32 of shape (2,); expected",
        ),
        ("network", "head.out.bias", lambda t: t[:1], "is float32 of shape (1,); expected float32"),
        ("network", "domain.counts", lambda t: t.astype(np.int64), "is int64 of 1 dimensions; exp"),
        (
            "kernel",
            "n_support_",
            lambda t: t[None],
            "is int32 of 2 dimensions; expected int32 of 1",
        ),
        (
            "forest",
            "starts",
            lambda t: t.astype(np.int32),
            "is int32 of 1 dimensions; expected int",
        ),
        (
            "baseline",
            "0.scale_",
            lambda t: t.astype(np.int64),
            "is int64 of 1 dimensions; expected",
        ),
    ],
)
def test_nonsense_in_a_tensor_is_named(
    files: dict[str, tuple[Header, Tensors]],
    tmp_path: Path,
    kind: str,
    name: str,
    change: Callable[[Any], Any],
    message: str,
) -> None:
    header, tensors = files[kind]
    changed = {**tensors, name: np.ascontiguousarray(change(tensors[name]))}
    own = name.removeprefix("0.") if kind == "baseline" else name
    own = own.removeprefix("domain.") if "finite" not in message else own
    expected = f"(the tensor {own} {message}"
    assert said(header, changed, tmp_path / "model").startswith(expected)


def test_columns_of_a_baseline_cannot_pass_for_rows(
    files: dict[str, tuple[Header, Tensors]], tmp_path: Path
) -> None:
    """Of one graph they would give as many numbers as there are classes."""
    header, tensors = files["baseline"]
    row = {"1.coef_": tensors["1.coef_"][0], "1.intercept_": tensors["1.intercept_"][None]}
    message = "(its model does not fit its targets)"
    assert said(header, {**tensors, **row}, tmp_path / "model").startswith(message)


@pytest.mark.parametrize(
    "change",
    [
        {"graph_ptr": np.array([0, 1000, 1], dtype=np.uint16)},
        {"graph_ptr": np.array([0, 1000, 1], dtype=np.int32)},
        {"indices": np.array([-1], dtype=np.int32)},
        {"columns_": np.array([99])},
        {"n_support_": np.array([-5, 5], dtype=np.int32)},
    ],
)
def test_graphs_in_a_model_are_checked_as_all_graphs_are(
    files: dict[str, tuple[Header, Tensors]], tmp_path: Path, change: Tensors
) -> None:
    """Such a file once ended in a segmentation fault: differences of unsigned numbers wrap."""
    header, tensors = files["kernel"]
    assert said(header, {**tensors, **change}, tmp_path / "model").startswith("(")


def test_coefficients_of_other_features_are_noticed_when_asked(
    files: dict[str, tuple[Header, Tensors]], tmp_path: Path
) -> None:
    header, tensors = files["linear"]
    short = {**tensors, "coef_": np.ascontiguousarray(tensors["coef_"][:, :-1])}
    whole = header | {"sha256": persistence.checksum(header, short)}
    save_file(short, tmp_path / "model", {persistence.KEY: dumps(whole)})
    model = gr.load_model(tmp_path / "model")
    with pytest.raises(ModelError, match="features of its graphs; the model is damaged"):
        model.predict(gr.load("MUTAG")[:2])


def test_a_schema_names_the_place() -> None:
    with pytest.raises(ValueError, match="its header is no table"):
        check_entries([], {})
    with pytest.raises(ValueError, match=r"a\.b is missing"):
        check_entries({"a": {}}, {"a": {"b": {}}})
    with pytest.raises(ValueError, match="the tensor x is missing"):
        check_tensors({}, {"x": Table("int32", 1)})


def test_thresholds_alone_may_be_infinite() -> None:
    check_numbers({"thresholds": np.array([np.inf])})
    with pytest.raises(ValueError, match="the tensor leaves has entries that are not finite"):
        check_numbers({"leaves": np.array([np.inf])})
    with pytest.raises(ValueError, match="the tensor thresholds has entries"):
        check_numbers({"thresholds": np.array([np.nan])})
    with pytest.raises(ValueError, match="the tensor x is bool; expected numbers"):
        check_numbers({"x": np.array([True])})


def test_no_variance_is_below_0() -> None:
    check_numbers({"norm.running_var": np.zeros(2), "norm.running_mean": -np.ones(2)})
    with pytest.raises(ValueError, match=r"the tensor norm\.running_var has entries below 0"):
        check_numbers({"norm.running_var": np.array([1.0, -1e-6])})
