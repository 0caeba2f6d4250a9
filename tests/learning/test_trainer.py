from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

import graphrings as gr
from graphrings.errors import DivergenceError
from graphrings.graphs.features import fit_features
from graphrings.learning.adam import FlatAdam
from graphrings.learning.learner import Best, Epoch, History, Learner, Objective, Plan
from graphrings.learning.trainer import (
    Examples,
    Training,
    batches,
    network_outputs,
    reproducible,
)
from graphrings.networks.batches import Batcher
from graphrings.networks.pgc_dgcnn import PGCDGCNN
from graphrings.networks.views import RingMeans
from graphrings.tasks import CLASSIFICATION
from graphrings.tasks.classification import Classes

PLAN = Plan(learning_rate=0.01, batch_size=10, max_epochs=12, patience=12)
NONE = np.empty(0, dtype=np.int64)
OBJECTIVE = Objective(CLASSIFICATION, Classes(np.arange(2)))


class Trial:
    """A network and two parts of one dataset: 30 graphs to train on, 10 to validate."""

    def __init__(self, dataset: gr.Dataset, targets: np.ndarray | None = None) -> None:
        start, table = fit_features(dataset, "degree").apply(dataset)
        levels = RingMeans(2, 1)(dataset, start)
        rows = table[start[np.unique(levels.colours[0], return_index=True)[1]]]
        goals = torch.from_numpy((dataset.targets if targets is None else targets).astype(np.int64))
        self.training = Examples(Batcher(levels, rows), np.arange(30), goals)
        self.validation = Examples(self.training.batcher, np.arange(30, 40), goals)
        torch.manual_seed(0)
        self.network = PGCDGCNN(table.shape[1], 2, 10, radius=1, channels=(4, 1), dropout=0.0)

    def run(self, plan: Plan = PLAN, on_epoch: Callable[[Epoch], None] = lambda _: None) -> History:
        """Train from a fixed seed."""
        rng = np.random.default_rng(0)
        learner = Learner(self.network, OBJECTIVE, plan)
        parts = self.training, self.validation, plan, rng, on_epoch
        (history,) = Training([learner], *parts).run()
        return history

    def loss(self) -> float:
        """That of the validation graphs now."""
        return validation_loss(self.network, self.validation)


def validation_loss(network: nn.Module, examples: Examples) -> float:
    """The loss on some graphs as the network stands, without training."""
    outputs = network_outputs(network, examples.batcher, examples.graphs)
    return float(OBJECTIVE.loss(outputs, *examples.of(examples.graphs)))


@pytest.fixture
def trial(egos: gr.Dataset) -> Trial:
    return Trial(egos)


def test_the_loss_falls_where_classes_can_be_told_apart(trial: Trial) -> None:
    epochs = trial.run().epochs
    assert epochs[-1].train_loss < 0.2 < 0.6 < epochs[0].train_loss
    assert epochs[-1].train_score == 1
    assert [epoch.number for epoch in epochs] == list(range(12))


def test_the_weights_of_the_best_epoch_come_back(egos: gr.Dataset) -> None:
    """Classes without sense: the validation loss soon rises."""
    trial = Trial(egos, np.random.default_rng(0).integers(0, 2, 40))
    history = trial.run(Plan(0.05, 10, 15, 15))
    losses = [epoch.validation_loss for epoch in history.epochs]
    assert history.best == int(np.argmin(losses)) < len(losses) - 1
    assert trial.loss() == losses[history.best]


def test_the_last_epoch_counts_where_nothing_is_monitored(egos: gr.Dataset) -> None:
    """Whatever the validation loss does, and whatever the patience."""
    trial = Trial(egos, np.random.default_rng(0).integers(0, 2, 40))
    history = trial.run(Plan(0.05, 10, 15, 2, monitor="last"))
    losses = [epoch.validation_loss for epoch in history.epochs]
    assert len(losses) == 15
    assert history.best == 14 != int(np.argmin(losses))
    assert trial.loss() == losses[-1]


@pytest.mark.parametrize("monitor", ["loss", "accuracy"])
@given(st.lists(st.sampled_from([0.5, 0.5 + 1e-9, 0.5 - 1e-9, 0.501, 0.2]), min_size=1))
def test_an_epoch_is_better_however_little_it_gains(monitor: str, values: list[float]) -> None:
    """The best is the first of the smallest losses, or of the largest scores; no tolerance."""
    weights = torch.zeros(1)
    best = Best([weights], CLASSIFICATION, replace(PLAN, monitor=monitor))
    sign = 1 if monitor == "loss" else -1
    for number, value in enumerate(values):
        weights.fill_(number)
        epoch = Epoch(number, 0.0, 0.0, value, value)
        record = all(sign * value < sign * before for before in values[:number])
        assert best.sees(epoch) == record
    best.restore()
    assert weights.item() == np.argmin(sign * np.array(values))


def test_training_ends_when_patience_does(egos: gr.Dataset) -> None:
    trial = Trial(egos, np.random.default_rng(0).integers(0, 2, 40))
    history = trial.run(Plan(0.05, 10, 100, patience=3))
    assert len(history.epochs) == history.best + 1 + 3


def test_without_validation_graphs_the_training_loss_counts(trial: Trial) -> None:
    trial.validation = Examples(trial.training.batcher, NONE, trial.training.goals)
    epochs = trial.run().epochs
    assert all(epoch.validation_loss == epoch.train_loss for epoch in epochs)


def test_a_loss_that_is_no_number_names_epoch_and_learning_rate(trial: Trial) -> None:
    with pytest.raises(DivergenceError, match=r"in epoch \d with learning rate 1e\+30; a smaller"):
        trial.run(Plan(1e30, 10, 5, 5))


def test_a_validation_loss_that_is_no_number_is_an_error_too(trial: Trial) -> None:
    """The only batch of the only epoch is seen before the weights explode."""
    with pytest.raises(DivergenceError, match=r"in epoch 1 with learning rate 1e\+30"):
        trial.run(Plan(1e30, 50, 1, 1))


def interrupt(after: int) -> Callable[[Epoch], None]:
    def on_epoch(epoch: Epoch) -> None:
        if epoch.number + 1 == after:
            raise KeyboardInterrupt

    return on_epoch


@pytest.mark.parametrize("after", [1, 3])
def test_ctrl_c_keeps_the_best_weights(trial: Trial, after: int) -> None:
    history = trial.run(on_epoch=interrupt(after))
    assert history.interrupted
    assert len(history.epochs) == after
    best = history.epochs[history.best]
    assert trial.loss() == best.validation_loss


def test_all_stages_are_trained_unless_somebody_ends_one(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    monkeypatch.setattr(trial.network, "stages", 3, raising=False)
    monkeypatch.setattr(trial.network, "begin", begun.append)
    trial.run(replace(PLAN, max_epochs=1))
    assert begun == [0, 1, 2]
    trial.run(replace(PLAN, max_epochs=2), interrupt(1))
    assert begun == [0, 1, 2, 0]


def test_ctrl_c_in_the_first_epoch_has_nothing_to_keep(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def press(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Learner, "step", press)
    with pytest.raises(KeyboardInterrupt):
        trial.run()


def test_weights_of_graphs_weigh_the_loss(trial: Trial) -> None:
    graphs, weights = trial.validation.graphs, torch.linspace(0.1, 5, 40)
    outputs = network_outputs(trial.network, trial.validation.batcher, graphs)
    losses = torch.nn.functional.cross_entropy(
        outputs, trial.validation.goals[30:], reduction="none"
    )
    expected = float((losses * weights[30:]).sum() / weights[30:].sum())
    weighted = replace(trial.validation, weights=weights)
    assert validation_loss(trial.network, weighted) == pytest.approx(expected)
    assert trial.loss() == pytest.approx(float(losses.mean()))


def test_the_score_may_be_monitored_instead_of_the_loss(egos: gr.Dataset) -> None:
    trial = Trial(egos, np.random.default_rng(0).integers(0, 2, 40))
    epochs = (history := trial.run(Plan(0.05, 10, 15, 15, monitor="accuracy"))).epochs
    scores = [epoch.validation_score for epoch in epochs]
    assert history.best == int(np.argmax(scores))
    assert history.best != int(np.argmin([epoch.validation_loss for epoch in epochs]))


@pytest.mark.parametrize("schedule", ["constant", "cosine", "plateau"])
def test_a_schedule_sets_the_rate_of_every_epoch(
    trial: Trial, schedule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rates: list[float] = []
    step = FlatAdam.step

    def watched(optimiser: FlatAdam) -> None:
        rates.append(optimiser.learning_rate)
        step(optimiser)

    monkeypatch.setattr(FlatAdam, "step", watched)
    trial.run(Plan(0.01, 30, 8, 8, schedule=schedule))
    assert rates[0] == 0.01
    if schedule == "constant":
        assert set(rates) == {0.01}
    elif schedule == "cosine":
        network = nn.Linear(1, 1)
        torch_rates, optimiser = [], torch.optim.Adam(network.parameters(), lr=0.01)
        scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, T_max=8)
        for _ in rates:
            torch_rates += scheduler.get_last_lr()
            optimiser.step()
            scheduler.step()
        assert rates == pytest.approx(torch_rates)


@pytest.mark.parametrize(
    ("n_graphs", "drop_last", "sizes"),
    [(25, False, [10, 10, 5]), (25, True, [10, 10]), (20, True, [10, 10]), (7, True, [7])],
)
def test_a_partial_batch_may_be_dropped(n_graphs: int, drop_last: bool, sizes: list[int]) -> None:
    """But not the only one."""
    plan = Plan(0.01, 10, 1, 1, drop_last=drop_last)
    made = list(batches(np.arange(n_graphs), plan))
    assert [len(batch) for batch in made] == sizes
    assert np.concatenate(made).tolist() == list(range(sum(sizes)))


def test_outputs_of_many_graphs_come_in_their_order(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    graphs = np.array([3, 1, 2, 0, 7])
    whole = network_outputs(trial.network, trial.training.batcher, graphs)
    monkeypatch.setattr("graphrings.learning.trainer.EVALUATED_AT_ONCE", 2)
    torch.testing.assert_close(
        network_outputs(trial.network, trial.training.batcher, graphs), whole
    )


def test_what_is_reproducible_leaves_torch_as_it_was() -> None:
    torch.set_num_threads(2)
    state = torch.random.get_rng_state()
    with pytest.raises(ValueError, match="inside"), reproducible(3):  # noqa: PT012
        assert torch.get_num_threads() == 1
        first = torch.rand(2)
        raise ValueError("inside")
    with reproducible(3):
        assert torch.equal(torch.rand(2), first)
    assert torch.get_num_threads() == 2
    assert torch.equal(torch.random.get_rng_state(), state)


def test_a_history_is_told_in_a_line() -> None:
    """Not by hundreds of epochs."""
    history = History()
    assert repr(history) == "History(0 epochs)"
    history.epochs += [Epoch(number, 0.7, 0.5, loss, 0.5) for number, loss in enumerate((0.6, 0.9))]
    history.best = 0
    assert repr(history) == "History(2 epochs; the best, epochs[0], has validation loss 0.6)"
    history.interrupted = True
    assert repr(history).endswith("0.6, interrupted)")
