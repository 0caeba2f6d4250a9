import inspect
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import graphrings as gr
from graphrings.errors import SettingError
from graphrings.networks.names import NETWORKS

QUICK: dict[str, Any] = {"max_epochs": 2, "learning_rate": 0.01, "random_state": 0}


def test_settings_of_the_network_are_settings_of_the_estimator() -> None:
    model = gr.NetworkClassifier("gin", channels=(4, 4))
    settings = model.get_params()
    assert settings["network"] == "gin"
    assert settings["channels"] == (4, 4)
    assert settings["learn_epsilon"] is False
    assert clone(model).get_params() == settings


def test_another_network_keeps_the_settings_that_it_has_too() -> None:
    model = gr.NetworkClassifier("gin", channels=(4, 4), learn_epsilon=True)
    model.set_params(network="gcn", dense=8)
    assert model.get_params()["channels"] == (4, 4)
    assert model.get_params()["dense"] == 8
    assert "learn_epsilon" not in model.get_params()


def test_a_grid_may_hold_settings_of_the_network(egos: gr.Dataset) -> None:
    graphs, model = list(egos), gr.NetworkClassifier("gcn", **QUICK)
    search = GridSearchCV(model, {"channels": [(4,), (8,)]}, cv=2).fit(graphs, egos.targets)
    assert search.best_params_["channels"] in [(4,), (8,)]


@pytest.mark.parametrize(
    ("network", "settings", "message"),
    [
        ("gnc", {}, "network = 'gnc'; expected one of "),
        (
            "gcn",
            {"height": 3},
            "gcn has no setting 'height'; it has network, channels, radius, activation",
        ),
        ("gcn", {"readout": "max"}, "readout = 'max'; expected mean or sort"),
        ("gin", {"radius": -1}, "radius = -1; expected None, or a whole number, 0 or larger"),
        ("gin", {"dropout": 1}, "dropout = 1; expected a number from 0 to below 1"),
    ],
)
def test_a_wrong_setting_is_one_line(
    egos: gr.Dataset, network: str, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingError) as caught:
        gr.NetworkClassifier(network, **settings).fit(egos)
    assert str(caught.value).startswith(message)


def test_the_best_epoch_brings_back_what_its_norms_had_seen(egos: gr.Dataset) -> None:
    """Batch norms learn without a gradient; early stopping must restore that too."""
    settings: dict[str, Any] = {**QUICK, "max_epochs": 8, "patience": 8, "learning_rate": 1.0}
    long = gr.NetworkClassifier("gin", channels=(4,), **settings).fit(egos)
    best = long.history_.best
    assert best < 7
    short = gr.NetworkClassifier("gin", channels=(4,), **{**settings, "max_epochs": best + 1})
    state = short.fit(egos).network_.state_dict()
    for name, values in long.network_.state_dict().items():
        assert values.tolist() == state[name].tolist(), name


@pytest.mark.parametrize(
    ("network", "named"),
    [
        ("pgc-dgcnn", (gr.PGCClassifier, gr.PGCRegressor)),
        ("dgcnn", (gr.DGCNNClassifier, gr.DGCNNRegressor)),
        ("pgc-dgcnn-released", (gr.ReleasedPGCClassifier, gr.ReleasedPGCRegressor)),
    ],
)
def test_a_network_by_name_is_the_named_form_to_the_last_bit(
    egos: gr.Dataset, network: str, named: tuple[Any, Any]
) -> None:
    for by_name, form, y in (
        (gr.NetworkClassifier, named[0], egos.targets),
        (gr.NetworkRegressor, named[1], egos.sizes / 7),
    ):
        one = by_name(network, **QUICK).fit(egos, y)
        other = form(**QUICK).fit(egos, y)
        assert one.history_ == other.history_
        for a, b in zip(one.network_.parameters(), other.network_.parameters(), strict=True):
            assert torch.equal(a, b)
        assert one.get_params().items() - {("network", network)} == other.get_params().items()


def test_a_named_form_shows_its_settings() -> None:
    signature = inspect.signature(gr.PGCClassifier)
    assert signature.parameters["radius"].default == 2
    assert signature.parameters["learning_rate"].default == 3e-4
    assert "radius: the largest distance that a filter sees" in gr.PGCClassifier.__doc__
    assert repr(gr.PGCClassifier(radius=3, dropout=0.5)) == "PGCClassifier(radius=3)"
    with pytest.raises(SettingError, match="PGCClassifier has no setting 'radios'; did you mean"):
        gr.PGCClassifier(radios=3)


def test_another_network_brings_its_own_learning_rate() -> None:
    model = clone(gr.NetworkClassifier("pgc-dgcnn"))
    assert model.learning_rate == 3e-4
    assert model.set_params(network="gin").learning_rate == 1e-3
    assert model.set_params(learning_rate=0.5, network="pgc-dgcnn").learning_rate == 0.5


def test_auto_is_the_cpu_where_there_is_nothing_else(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("torch.cuda.is_available", "torch.backends.mps.is_available"):
        monkeypatch.setattr(name, lambda: False)
    cpu, auto = (
        gr.NetworkClassifier("gcn", device=device, **QUICK).fit(egos) for device in ("cpu", "auto")
    )
    assert np.array_equal(cpu.predict_proba(egos), auto.predict_proba(egos))
    with pytest.raises(SettingError, match="device = 'cuda', which this machine does not have"):
        gr.NetworkClassifier("gcn", device="cuda", **QUICK).fit(egos)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("network", NETWORKS)
def test_every_network_is_trained_on_a_graphics_processor(network: str, egos: gr.Dataset) -> None:
    cpu, cuda = (
        gr.NetworkClassifier(network, device=device, **QUICK).fit(egos)
        for device in ("cpu", "cuda")
    )
    losses = [[epoch.train_loss for epoch in model.history_.epochs] for model in (cpu, cuda)]
    np.testing.assert_allclose(*losses, rtol=1e-3)
    assert cuda.predict(egos).shape == (40,)
