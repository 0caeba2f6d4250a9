"""Networks of different seeds in one fit, against networks trained alone."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import graphrings as gr
from graphrings.errors import InterruptedWarning, SettingError
from graphrings.learning import network_estimators
from graphrings.learning.learner import History
from graphrings.learning.members import Start, start_members, train_members
from graphrings.learning.progress import TrainingProgress
from learning.settings import QUICK

SMALL = QUICK | {"members": 3}


def in_turn(starts: list[Start], *parts: Any) -> list[History]:
    """The same members, one after the other, each as if it were alone."""
    seed = starts[0].seed  # of the batches
    return [
        history for one in starts for history in train_members([one._replace(seed=seed)], *parts)
    ]


def both_ways(model: Any, monkeypatch: pytest.MonkeyPatch, *data: Any) -> tuple[Any, Any]:
    together = model.fit(*data)
    monkeypatch.setattr(network_estimators, "train_members", in_turn)
    return together, type(model)(**model.get_params()).fit(*data)


def weights(model: Any) -> dict[str, np.ndarray]:
    return {name: values.numpy() for name, values in model.network_.state_dict().items()}


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"radius": 0, "weight_decay": 0.1, "batch_size": 7},
        {"schedule": "plateau", "patience": 3, "max_epochs": 6, "bias": False},
        {"schedule": "cosine", "max_epochs": 4},
        {"validation_fraction": 0.0, "dropout": 0.0, "monitor": "accuracy"},
        {"class_weight": "balanced"},
    ],
)
def test_members_trained_together_are_those_trained_alone(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any]
) -> None:
    model = gr.PGCClassifier(**SMALL | settings)
    ours, theirs = both_ways(model, monkeypatch, molecules)
    assert ours.histories_ == theirs.histories_
    for name, values in weights(ours).items():
        assert np.array_equal(values, weights(theirs)[name])
    assert np.array_equal(ours.predict_proba(molecules), theirs.predict_proba(molecules))


@pytest.mark.parametrize("name", ["gnn", "ggnn"])
def test_so_are_recurrent_networks(
    name: str, molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep much more for the way back."""
    model = gr.NetworkClassifier(name, members=2, max_epochs=3, batch_size=7, random_state=0)
    ours, theirs = both_ways(model, monkeypatch, molecules)
    assert ours.histories_ == theirs.histories_
    assert np.array_equal(ours.predict_proba(molecules), theirs.predict_proba(molecules))


@pytest.mark.parametrize("kind", [gr.DGCNNRegressor, gr.PGCRegressor])
def test_values_are_averaged(
    kind: Any, molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    targets = molecules.sizes.astype(float)
    ours, theirs = both_ways(kind(**SMALL), monkeypatch, molecules, targets)
    assert ours.histories_ == theirs.histories_
    network, said = ours.network_, []
    for member in network.members:
        ours.network_ = member
        said.append(ours.predict(molecules))
    ours.network_ = network
    assert ours.predict(molecules) == pytest.approx(np.mean(said, axis=0), rel=1e-5)


def test_everyone_stops_early_by_itself(
    molecules: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With so large a rate members stop at different epochs, each with its own best weights."""
    model = gr.PGCClassifier(
        **SMALL | {"max_epochs": 25, "patience": 2, "learning_rate": 0.03, "random_state": 1}
    )
    ours, theirs = both_ways(model, monkeypatch, molecules)
    assert len({len(history.epochs) for history in ours.histories_}) > 1
    assert ours.histories_ == theirs.histories_
    assert np.array_equal(ours.predict_proba(molecules), theirs.predict_proba(molecules))


@pytest.mark.parametrize(
    "name",
    ["gin", "gat", "ecc", "patchy-san", "pgc-dgcnn", "pgc-dgcnn-released", "fingerprint", "nn4g"],
)
def test_the_first_member_is_the_network_without_others(name: str, egos: gr.Dataset) -> None:
    """To the last bit, with dropout and in several stages; the others differ."""
    settings: dict[str, Any] = {"max_epochs": 3, "random_state": 0}
    settings |= {"layerwise": True} if name == "nn4g" else {"dropout": 0.5}
    alone = gr.NetworkClassifier(name, **settings).fit(egos)
    model = gr.NetworkClassifier(name, members=2, **settings).fit(egos)
    assert model.histories_[0] == alone.history_
    assert model.histories_[1] != alone.history_
    model.network_ = model.network_.members[0]
    assert np.array_equal(model.predict_proba(egos), alone.predict_proba(egos))


def test_probabilities_are_averaged(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(**SMALL).fit(egos)
    network, said = model.network_, []
    for member in network.members:
        model.network_ = member
        said.append(torch.softmax(torch.from_numpy(model._outputs(egos)), dim=1).numpy())
    model.network_ = network
    outputs = torch.from_numpy(model._outputs(egos))
    assert torch.softmax(outputs, dim=1).numpy() == pytest.approx(np.mean(said, axis=0), abs=1e-6)


def test_one_member_is_the_network_itself(egos: gr.Dataset) -> None:
    one, other = (gr.PGCClassifier(**QUICK | more).fit(egos) for more in ({}, {"members": 1}))
    assert weights(one).keys() == weights(other).keys()
    assert all(
        np.array_equal(weights(one)[name], values) for name, values in weights(other).items()
    )
    assert one.histories_ == [one.history_] == other.histories_


def test_more_members_begin_with_the_same_ones(egos: gr.Dataset) -> None:
    two, three = (
        gr.NetworkClassifier("gin", members=n, max_epochs=1, random_state=0) for n in (2, 3)
    )
    assert three.fit(egos).histories_[:2] == two.fit(egos).histories_


def test_members_are_saved(egos: gr.Dataset, tmp_path: Path) -> None:
    model = gr.PGCClassifier(**SMALL).fit(egos)
    model.save(tmp_path / "model")
    again = gr.load_model(tmp_path / "model")
    assert again.members == len(again.network_.members) == 3
    assert np.array_equal(again.predict_proba(egos), model.predict_proba(egos))


def test_ctrl_c_keeps_the_best_weights_of_everyone(
    egos: gr.Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = []

    def show(_: TrainingProgress, epoch: Any) -> None:
        shown.append(epoch)
        if len(shown) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingProgress, "show", show)
    with pytest.warns(InterruptedWarning, match="interrupted in epoch 3"):
        model = gr.PGCClassifier(**SMALL).fit(egos)
    assert [len(history.epochs) for history in model.histories_] == [2, 2, 2]
    assert np.isfinite(model.predict_proba(egos)).all()
    shown.clear()
    with pytest.raises(KeyboardInterrupt):  # the second member has not begun
        gr.NetworkClassifier("nn4g", layerwise=True, members=2, max_epochs=3).fit(egos)


def test_members_have_seeds_of_their_own_which_never_change() -> None:
    """Results were collected with these; the network of a member is drawn from its own."""
    starts = start_members(lambda: torch.nn.Linear(3, 2), 7, 4)
    assert [start.seed for start in starts] == [7, 369571992, 1009178997, 1318712414]
    for start in starts:
        torch.manual_seed(start.seed)
        assert torch.equal(torch.nn.Linear(3, 2).weight, start.network.weight)
        assert torch.equal(torch.get_rng_state(), start.drawn)


def test_there_is_at_least_one_member(egos: gr.Dataset) -> None:
    with pytest.raises(SettingError, match="members = 0; expected a whole number"):
        gr.PGCClassifier(members=0).fit(egos)
