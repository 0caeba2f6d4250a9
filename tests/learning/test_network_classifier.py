from typing import Any

import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV

import graphrings as gr
from graphrings.errors import SettingError

QUICK: dict[str, Any] = {"max_epochs": 2, "learning_rate": 0.01, "random_state": 0}


def test_settings_of_the_network_are_settings_of_the_estimator() -> None:
    model = gr.NetworkClassifier("gin", channels=(4, 4))
    found = model.get_params()
    assert found["network"] == "gin"
    assert found["channels"] == (4, 4)
    assert found["learn_epsilon"] is False
    assert clone(model).get_params() == found


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
