"""A network in training: what it minimises, how it steps, its best weights, its history."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from graphrings.fused.losses import LOSSES
from graphrings.learning.adam import FlatAdam
from graphrings.learning.schedules import SCHEDULES
from graphrings.networks.batches import Batch
from graphrings.networks.network import Network
from graphrings.tasks import Task
from graphrings.tasks.scores import SCORES
from graphrings.tasks.task import Coding

LAST = "last"  # what a plan monitors for which every epoch is better than those before


@dataclass(frozen=True)
class Epoch:
    """Loss and score of one pass over the training graphs; the task says which score that is."""

    number: int
    train_loss: float
    train_score: float
    validation_loss: float
    validation_score: float


@dataclass(repr=False)
class History:
    """All epochs of a training, and which of them was best."""

    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    interrupted: bool = False

    def __repr__(self) -> str:
        best = ""
        if 0 <= self.best < len(self.epochs):
            loss = self.epochs[self.best].validation_loss
            best = f"; the best, epochs[{self.best}], has validation loss {loss:.3g}"
        return f"History({len(self.epochs):,} epochs{best}{', interrupted' * self.interrupted})"


@dataclass(frozen=True)
class Plan:
    """How to train; see ``training_settings``."""

    learning_rate: float
    batch_size: int
    max_epochs: int
    patience: int
    weight_decay: float = 0.0
    schedule: str = "constant"
    monitor: str = "loss"
    drop_last: bool = False


@dataclass(frozen=True, eq=False)
class Objective:
    """What a training minimises, and the score that it shows."""

    task: Task
    coding: Coding

    def loss(self, outputs: Tensor, goals: Tensor, weights: Tensor | None = None) -> Tensor:
        """The mean loss of graphs, by their weights if they have any."""
        function = getattr(functional, self.task.loss)
        mean: Tensor
        if weights is None:
            mean = function(outputs, goals)
        else:
            losses = function(outputs, goals, reduction="none").reshape(len(outputs))
            mean = (losses * weights).sum() / weights.sum()
        return mean

    def gradient(
        self, outputs: Tensor, goals: Tensor, weights: Tensor | None = None
    ) -> tuple[float, Tensor]:
        """The same, and its gradient by the outputs."""
        n_graphs, grad = len(outputs), torch.empty_like(outputs)
        shares = np.full(n_graphs, 1 / n_graphs)
        if weights is not None:
            counted = weights.double()
            shares = (counted / counted.sum()).numpy()
        loss = LOSSES[self.task.loss](outputs.numpy(), goals.numpy(), shares, grad.numpy())
        return loss, grad

    def score(self, outputs: Tensor, goals: Tensor) -> float:
        """The score that the task shows for an epoch."""
        return self.coding.epoch_score(outputs.cpu().numpy(), goals.cpu().numpy())


@dataclass(eq=False)
class Learner:
    """A network in training, one stage after the other.

    ``drawn`` is the state of torch's random numbers of its own; without one it draws from them as
    they are.
    """

    network: Network
    objective: Objective
    plan: Plan
    drawn: Tensor | None = None
    history: History = field(default_factory=History)

    def begin(self, stage: int) -> None:
        """Start a stage from the weights as they are."""
        plan, network = self.plan, self.network
        self.optimiser = FlatAdam(network, plan.learning_rate, weight_decay=plan.weight_decay)
        state = [self.optimiser.values, *network.buffers()]  # buffers: what is seen on the way
        self.best = Best(state, self.objective.task, plan)
        self.schedule = SCHEDULES[plan.schedule](plan.learning_rate, plan.max_epochs, plan.patience)
        self.n_before = len(self.history.epochs)
        network.begin(stage)
        self._by_hand = network.by_hand()

    def step(self, batch: Batch, goals: Tensor, weights: Tensor | None) -> tuple[float, Tensor]:
        """Move the weights against their gradients; the loss and the outputs before that."""
        if self.drawn is not None:
            torch.set_rng_state(self.drawn)
        outputs = self.outputs(batch)
        if self.drawn is not None:
            self.drawn = torch.get_rng_state()
        if self._by_hand is None:
            self.optimiser.zero_grad()
            mean = self.objective.loss(outputs, goals, weights)
            mean.backward()
            loss = float(mean.detach())
        else:
            loss, grad = self.objective.gradient(outputs, goals, weights)
            self._by_hand.gradients(grad)
        self.optimiser.step()
        return loss, outputs.detach()

    def outputs(self, batch: Batch) -> Tensor:
        """The outputs for a batch as they are now."""
        return self.network(batch) if self._by_hand is None else self._by_hand.outputs(batch)

    def ends(self, epoch: Epoch) -> bool:
        """Take note of an epoch; whether it was the last one of the stage."""
        self.history.epochs.append(epoch)
        if improved := self.best.sees(epoch):
            self.history.best = epoch.number
        n_done = epoch.number + 1 - self.n_before
        self.optimiser.learning_rate = self.schedule.after(n_done, improved)
        waited = epoch.number - self.history.best
        return waited >= self.plan.patience or n_done == self.plan.max_epochs


class Best:
    """Keeps what a network knew after the best epoch of a stage."""

    def __init__(self, state: list[Tensor], task: Task, plan: Plan) -> None:
        self.state = state
        self.kept = [values.clone() for values in state]
        self._last = plan.monitor == LAST
        self._score = SCORES[plan.monitor] if plan.monitor == task.epoch_score else None
        self._value: float | None = None

    def sees(self, epoch: Epoch) -> bool:
        """Whether an epoch is better than all before it; if so, its weights are kept."""
        value = epoch.validation_loss if self._score is None else epoch.validation_score
        if self._value is not None and not self._better(value, self._value):
            return False
        self._value = value
        for kept, values in zip(self.kept, self.state, strict=True):
            kept.copy_(values)
        return True

    def restore(self) -> None:
        """Bring the best weights back."""
        for kept, values in zip(self.kept, self.state, strict=True):
            values.copy_(kept)

    def _better(self, one: float, other: float) -> bool:
        if self._last:
            return True
        return one < other if self._score is None else self._score.better(one, other)
