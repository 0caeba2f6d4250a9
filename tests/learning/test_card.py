from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphrings as gr
from graphrings.errors import ModelError
from graphrings.learning.card import card_rows, plain_card
from learning.settings import QUICK


def test_a_model_says_what_it_was_trained_on(molecules: gr.Dataset, tmp_path: Path) -> None:
    gr.PGCClassifier(**QUICK, calibrate=True).fit(molecules).save(tmp_path / "model")
    card = gr.load_model(tmp_path / "model").card_
    sizes = np.bincount(molecules.targets).tolist()
    assert card["data"] == {
        "name": molecules.name,
        "graphs": 40,
        "classes": {"0": sizes[0], "1": sizes[1]},
        "fingerprint": molecules.fingerprint,
    }
    assert (card["method"], card["task"]) == ("pgc-dgcnn", "classification")
    assert card["settings"]["channels"] == [4, 1]
    assert card["calibration"]["n_graphs"] == 4
    assert 0 < card["applicability"]["threshold"] < 1


def test_values_are_described_by_where_they_lie(molecules: gr.Dataset, tmp_path: Path) -> None:
    y = molecules.sizes * 0.5
    gr.KernelRegressor("wl").fit(molecules, y).save(tmp_path / "model")
    values = gr.load_model(tmp_path / "model").card_["data"]["values"]
    assert values["mean"] == pytest.approx(y.mean())
    assert (values["least"], values["largest"]) == (y.min(), y.max())


def test_whoever_saves_may_add_to_the_card(egos: gr.Dataset, tmp_path: Path) -> None:
    path = tmp_path / "model"
    said = {"nested": {"accuracy": np.float64(0.5)}, "method": "mine", "columns": ("a", "b")}
    gr.BaselineClassifier().fit(egos).save(path, said)
    model = gr.load_model(path)
    assert model.card_["nested"] == {"accuracy": 0.5}
    assert (model.card_["method"], model.card_["columns"]) == ("mine", ["a", "b"])
    model.save(path)
    assert gr.load_model(path).card_ == model.card_
    model.fit(egos).save(path)
    assert "nested" not in gr.load_model(path).card_


def test_what_json_cannot_say_is_refused_with_its_place(egos: gr.Dataset, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"^a\.b of the card: .* of type set cannot be saved"):
        gr.BaselineClassifier().fit(egos).save(tmp_path / "model", {"a": {"b": {1}}})
    assert list(tmp_path.glob("*model*")) == []


@pytest.mark.parametrize(
    ("card", "rows"),
    [
        (
            {"a": 1, "b": {"c": 0.123456, "d": [1, 2]}},
            [("a", "1"), ("b c", "0.1235"), ("b d", "1, 2")],
        ),
        ({"a": None, "b": "", "c": {}}, []),
    ],
)
def test_rows_are_read_entry_after_entry(card: dict[str, Any], rows: list[Any]) -> None:
    assert list(card_rows(plain_card(card))) == rows
