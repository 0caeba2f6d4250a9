"""One training: Adam, early stopping, the best weights back."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from graphrings.errors import DivergenceError
from graphrings.learning.adam import FlatAdam
from graphrings.learning.schedules import SCHEDULES
from graphrings.networks.batches import Batch, Batches
from graphrings.networks.network import Network
from graphrings.tasks import Task
from graphrings.tasks.scores import SCORES
from graphrings.tasks.task import Coding

EVALUATED_AT_ONCE = 500  # graphs
LAST = "last"  # what a plan monitors for which every epoch is better than those before


@dataclass(frozen=True)
class Epoch:
    """Loss and score of one pass over the training graphs; the task says which score that is."""

    number: int
    train_loss: float
    train_score: float
    validation_loss: float
    validation_score: float


@dataclass
class History:
    """All epochs of a training, and which of them was best."""

    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    interrupted: bool = False


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
class Examples:
    """Some graphs of a dataset with what to learn of them.

    ``goals`` and ``weights`` have an entry for every graph of the dataset; without weights all
    graphs count alike.
    """

    batcher: Batches
    graphs: NDArray[np.int64]
    goals: Tensor
    weights: Tensor | None = None

    def of(self, graphs: NDArray[np.int64]) -> tuple[Tensor, Tensor | None]:
        """The goals and weights of some graphs."""
        chosen = torch.from_numpy(graphs)
        return self.goals[chosen], None if self.weights is None else self.weights[chosen]

    def drawn(
        self, rng: np.random.Generator, plan: Plan
    ) -> Iterator[tuple[NDArray[np.int64], Batch]]:
        """The graphs and the batch of every step of an epoch."""
        groups = list(batches(self.batcher.shuffled(self.graphs, rng), plan))
        return zip(groups, self.batcher.each(groups), strict=True)

    def in_turn(self) -> Iterator[Batch]:
        """All graphs in their order, as many at once as can be evaluated."""
        return in_turn(self.batcher, self.graphs)


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

    def losses(self, outputs: Tensor, goals: Tensor, weights: Tensor | None = None) -> Tensor:
        """The mean loss of every member of outputs with a leading axis, (members,)."""
        function, n = getattr(functional, self.task.loss), len(outputs)
        repeated = goals.repeat(n, *(1 for _ in goals.shape[1:]))
        losses = function(outputs.flatten(0, 1), repeated, reduction="none").view(n, -1)
        mean: Tensor
        mean = losses.mean(1) if weights is None else (losses * weights).sum(1) / weights.sum()
        return mean

    def score(self, outputs: Tensor, goals: Tensor) -> float:
        """The score that the task shows for an epoch."""
        return self.coding.epoch_score(outputs.cpu().numpy(), goals.cpu().numpy())

    def evaluate(self, network: nn.Module, examples: Examples) -> tuple[float, float]:
        """Loss and score on some graphs, without training."""
        outputs = network_outputs(network, examples.batcher, examples.graphs)
        goals, weights = examples.of(examples.graphs)
        return float(self.loss(outputs, goals, weights)), self.score(outputs, goals)


@dataclass(eq=False)
class Training:
    """One training of a network; ``run`` returns its history.

    A stage ends when what the plan monitors has not improved for ``patience`` epochs, with the
    weights of its best epoch; the next one goes on from there. The epochs of all stages are counted
    through, and the best is that of the last stage. After Ctrl-C the best weights so far are kept,
    once there are any. Without validation graphs it is the training graphs that count.
    """

    network: Network
    objective: Objective
    examples: Examples
    validation: Examples
    plan: Plan
    rng: np.random.Generator
    on_epoch: Callable[[Epoch], None] = lambda _: None
    history: History = field(default_factory=History)

    def run(self) -> History:
        """Train all stages of the network."""
        for stage in range(self.network.stages):
            optimiser = FlatAdam(
                self.network, self.plan.learning_rate, weight_decay=self.plan.weight_decay
            )
            state = [optimiser.values, *self.network.buffers()]  # buffers: what is seen on the way
            best = Best(state, self.objective.task, self.plan)
            try:
                self.network.begin(stage)
                self._run_stage(optimiser, best)
            except KeyboardInterrupt:
                if not self.history.epochs:
                    raise  # there is nothing to keep
                self.history.interrupted = True
            best.restore()
            if self.history.interrupted:
                break
        return self.history

    def _run_stage(self, optimiser: FlatAdam, best: Best) -> None:
        plan, history = self.plan, self.history
        schedule = SCHEDULES[plan.schedule](plan.learning_rate, plan.max_epochs, plan.patience)
        first = len(history.epochs)
        for number in range(first, first + plan.max_epochs):
            epoch = self._run_epoch(number, optimiser)
            history.epochs.append(epoch)
            if improved := best.sees(epoch):
                history.best = number
            optimiser.learning_rate = schedule.after(number - first + 1, improved)
            self.on_epoch(epoch)
            if number - history.best >= plan.patience:
                break

    def _run_epoch(self, number: int, optimiser: FlatAdam) -> Epoch:
        """One pass over the training graphs, then a look at the validation graphs."""
        self.network.train()
        loss, outputs, goals = 0.0, [], []
        for graphs, batch in self.examples.drawn(self.rng, self.plan):
            goal, weights = self.examples.of(graphs)
            output = self.network(batch)
            batch_loss = self.objective.loss(output, goal, weights)
            optimiser.zero_grad()
            batch_loss.backward()
            optimiser.step()
            loss += float(batch_loss.detach()) * len(graphs)
            outputs.append(output.detach())
            goals.append(goal)
        trained = (
            loss / sum(map(len, goals)),
            self.objective.score(torch.cat(outputs), torch.cat(goals)),
        )
        check_loss(trained[0], number, self.plan)
        checked = trained
        if len(self.validation.graphs):
            checked = self.objective.evaluate(self.network, self.validation)
        check_loss(checked[0], number, self.plan)
        return Epoch(number, *trained, *checked)


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


def batches(graphs: NDArray[np.int64], plan: Plan) -> Iterator[NDArray[np.int64]]:
    """Graphs in groups of the batch size; the last one is smaller, or left out."""
    last = len(graphs)
    if plan.drop_last and len(graphs) >= plan.batch_size:
        last -= len(graphs) % plan.batch_size
    for start in range(0, last, plan.batch_size):
        yield graphs[start : min(last, start + plan.batch_size)]


def check_loss(loss: float, number: int, plan: Plan) -> None:
    """Refuse to go on with a loss that is no number."""
    if not math.isfinite(loss):
        raise DivergenceError(
            f"the loss is {loss} in epoch {number + 1} with learning rate {plan.learning_rate:g}; "
            "a smaller one may help"
        )


def in_turn(batcher: Batches, graphs: NDArray[np.int64]) -> Iterator[Batch]:
    """Batches of graphs in their order."""
    size = min(EVALUATED_AT_ONCE, batcher.at_once)
    return batcher.each(graphs[start : start + size] for start in range(0, len(graphs), size))


def network_outputs(network: nn.Module, batcher: Batches, graphs: NDArray[np.int64]) -> Tensor:
    """The outputs for graphs, without training."""
    network.eval()
    with torch.inference_mode():
        return torch.cat([network(batch) for batch in in_turn(batcher, graphs)])


@contextmanager
def reproducible(seed: int) -> Iterator[None]:
    """Random numbers of torch from a seed, on one thread; what was before comes back after.

    Sums over several threads depend on how many there are, and batches of small graphs gain
    nothing from them.
    """
    threads = torch.get_num_threads()
    devices = [torch.cuda.current_device()] if torch.cuda.is_available() else []
    with torch.random.fork_rng(devices=devices):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
