"""Networks that are trained in several stages."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import graphrings as gr
from graphrings.errors import InterruptedWarning
from graphrings.networks.nn4g import NN4G

SETTINGS: dict[str, Any] = {
    "channels": (4, 3, 2),
    "layerwise": True,
    "max_epochs": 3,
    "learning_rate": 0.02,
    "random_state": 0,
}


@pytest.fixture
def weights(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Tensor]]:
    """What the weights are at the beginning of every stage."""
    seen: list[dict[str, Tensor]] = []
    begin = NN4G.begin

    def watched(network: NN4G, stage: int) -> None:
        seen.append({k: v.clone() for k, v in network.state_dict().items()})
        begin(network, stage)

    monkeypatch.setattr(NN4G, "begin", watched)
    return seen


def test_layers_of_earlier_stages_do_not_change(
    egos: gr.Dataset, weights: list[dict[str, Tensor]]
) -> None:
    model = gr.NetworkClassifier("nn4g", **SETTINGS).fit(egos)
    weights.append(model.network_.state_dict())
    for stage, layer in enumerate(("first.", "convs.0.", "convs.1.")):
        for name in (name for name in weights[0] if name.startswith(layer)):
            before, after = weights[stage][name], weights[stage + 1][name]
            assert torch.equal(weights[0][name], before)
            assert not torch.equal(before, after)
            assert torch.equal(after, weights[-1][name])


def test_the_epochs_of_all_stages_are_counted_through(egos: gr.Dataset) -> None:
    history = gr.NetworkClassifier("nn4g", **SETTINGS).fit(egos).history_
    assert [epoch.number for epoch in history.epochs] == list(range(9))
    assert history.best == 6 + np.argmin([epoch.validation_loss for epoch in history.epochs[6:]])


def test_patience_begins_anew_with_a_stage(egos: gr.Dataset) -> None:
    """Classes without sense: every stage ends early, but has three epochs at least."""
    y = np.random.default_rng(0).integers(0, 2, len(egos))
    settings = {**SETTINGS, "max_epochs": 20, "patience": 2, "learning_rate": 0.2}
    epochs = gr.NetworkClassifier("nn4g", **settings).fit(egos, y).history_.epochs
    assert 3 * 3 <= len(epochs) < 60


@pytest.mark.parametrize("pressed_after", [2, 3, 5])
def test_ctrl_c_keeps_the_layers_so_far(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, pressed_after: int
) -> None:
    """Stages have three epochs; a file knows how many layers there were."""

    def press(_: Any, epoch: Any) -> None:
        if epoch.number == pressed_after:
            raise KeyboardInterrupt

    module = "graphrings.learning.network_estimators.TrainingProgress"
    monkeypatch.setattr(f"{module}.show", press)
    with pytest.warns(InterruptedWarning):
        model = gr.NetworkClassifier("nn4g", **SETTINGS).fit(egos)
    assert int(model.network_.n_layers) == 1 + pressed_after // 3
    model.save(tmp_path / "model")
    again = gr.NetworkClassifier.load(tmp_path / "model")
    assert np.array_equal(again.predict_proba(egos), model.predict_proba(egos))


def test_a_layer_without_a_whole_epoch_does_not_stay(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin = NN4G.begin

    def pressed(network: NN4G, stage: int) -> None:
        begin(network, stage)
        if stage == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(NN4G, "begin", pressed)
    with pytest.warns(InterruptedWarning, match="interrupted in epoch 4; the best weights so far"):
        model = gr.NetworkClassifier("nn4g", **SETTINGS).fit(egos)
    assert int(model.network_.n_layers) == 1
    assert model.history_.best < len(model.history_.epochs) == 3
