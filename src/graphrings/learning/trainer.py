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
from graphrings.networks.batches import Batch, Batcher
from graphrings.networks.network import Network

EVALUATED_AT_ONCE = 500  # graphs


@dataclass(frozen=True)
class Epoch:
    """The figures of one pass over the training graphs."""

    number: int
    train_loss: float
    train_accuracy: float
    validation_loss: float
    validation_accuracy: float


@dataclass
class History:
    """All epochs of a training, and which of them was best."""

    epochs: list[Epoch] = field(default_factory=list)
    best: int = -1
    interrupted: bool = False


@dataclass(frozen=True)
class Plan:
    """How to train."""

    learning_rate: float
    batch_size: int
    max_epochs: int
    patience: int
    drop_last: bool = False


@dataclass(frozen=True, eq=False)
class Share:
    """Some graphs of a dataset: their batches, their numbers, and the classes of all its graphs."""

    batcher: Batcher
    graphs: NDArray[np.int64]
    targets: NDArray[np.int64]

    def batch(self, graphs: NDArray[np.int64]) -> tuple[Batch, Tensor]:
        """The batch of some graphs, and their classes."""
        return self.batcher(graphs), torch.from_numpy(self.targets[graphs])


def train(
    network: Network,
    training: Share,
    validation: Share,
    plan: Plan,
    rng: np.random.Generator,
    class_weights: NDArray[np.float64] | None = None,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
) -> History:
    """Train every stage of a network until the validation loss stops falling.

    A stage ends when that has not improved for ``patience`` epochs, with the weights of its best
    epoch; the next one goes on from there. The epochs of all stages are counted through, and the
    best is that of the last stage. After Ctrl-C the best weights so far are kept, once there are
    any. Without validation graphs it is the training loss that counts.
    """
    weights = None if class_weights is None else torch.from_numpy(class_weights).to(torch.float32)
    history = History()
    for stage in range(network.stages):
        _train_stage(network, stage, training, validation, plan, rng, weights, on_epoch, history)
        if history.interrupted:
            break
    return history


def _train_stage(
    network: Network,
    stage: int,
    training: Share,
    validation: Share,
    plan: Plan,
    rng: np.random.Generator,
    weights: Tensor | None,
    on_epoch: Callable[[Epoch], None],
    history: History,
) -> None:
    """Add the epochs of one stage to the history."""
    optimiser = FlatAdam(network, plan.learning_rate)
    state = [optimiser.values, *network.buffers()]  # buffers: what is seen on the way
    best, best_loss = [values.clone() for values in state], math.inf
    first = len(history.epochs)
    try:
        network.begin(stage)
        for number in range(first, first + plan.max_epochs):
            network.train()
            loss, hits, seen = 0.0, 0, 0
            for graphs in _batches(rng.permutation(training.graphs), plan):
                batch, goal = training.batch(graphs)
                found = network(batch)
                batch_loss = functional.cross_entropy(found, goal, weights)
                optimiser.zero_grad()
                batch_loss.backward()
                optimiser.step()
                loss += float(batch_loss.detach()) * len(graphs)
                hits += int((found.detach().argmax(1) == goal).sum())
                seen += len(graphs)
            _check_loss(loss, number, plan)
            trained = loss / seen, hits / seen
            checked = evaluate(network, validation, weights) if len(validation.graphs) else trained
            _check_loss(checked[0], number, plan)
            epoch = Epoch(number, *trained, *checked)
            history.epochs.append(epoch)
            if epoch.validation_loss < best_loss:
                best_loss, history.best = epoch.validation_loss, number
                _copy(state, best)
            on_epoch(epoch)
            if number - history.best >= plan.patience:
                break
    except KeyboardInterrupt:
        if not history.epochs:
            raise  # there is nothing to keep
        history.interrupted = True
    _copy(best, state)


def _copy(source: list[Tensor], target: list[Tensor]) -> None:
    for one, other in zip(source, target, strict=True):
        other.copy_(one)


def _batches(graphs: NDArray[np.int64], plan: Plan) -> Iterator[NDArray[np.int64]]:
    last = len(graphs)
    if plan.drop_last and len(graphs) >= plan.batch_size:
        last -= len(graphs) % plan.batch_size
    for start in range(0, last, plan.batch_size):
        yield graphs[start : min(last, start + plan.batch_size)]


def _check_loss(loss: float, number: int, plan: Plan) -> None:
    if not math.isfinite(loss):
        raise DivergenceError(
            f"the loss is {loss} in epoch {number + 1} with learning rate {plan.learning_rate:g}; "
            "a smaller one may help"
        )


def scores(network: nn.Module, batcher: Batcher, graphs: NDArray[np.int64]) -> Tensor:
    """The scores of graphs, without training."""
    network.eval()
    with torch.inference_mode():
        parts = [
            network(batcher(graphs[start : start + EVALUATED_AT_ONCE]))
            for start in range(0, len(graphs), EVALUATED_AT_ONCE)
        ]
    return torch.cat(parts)


def evaluate(
    network: nn.Module, share: Share, weights: Tensor | None = None
) -> tuple[float, float]:
    """Loss and accuracy on some graphs."""
    found = scores(network, share.batcher, share.graphs)
    goal = torch.from_numpy(share.targets[share.graphs])
    loss = float(functional.cross_entropy(found, goal, weights))
    return loss, float((found.argmax(1) == goal).float().mean())


@contextmanager
def reproducible(seed: int) -> Iterator[None]:
    """Random numbers of torch from a seed, on one thread; what was before comes back after.

    Sums over several threads depend on how many there are, and batches of small graphs gain
    nothing from them.
    """
    threads = torch.get_num_threads()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
