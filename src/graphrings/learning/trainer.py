"""One training: epochs over batches until the validation loss no longer falls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from graphrings.errors import DivergenceError
from graphrings.learning.learner import Epoch, History, Learner, Plan
from graphrings.networks.batches import Batch, Batches
from graphrings.threads import one_thread

EVALUATED_AT_ONCE = 500  # graphs


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


@dataclass(eq=False)
class Training:
    """One training of one or several networks; ``run`` returns their histories.

    Everyone sees the same batches. A stage ends for a network when what the plan monitors has not
    improved for ``patience`` epochs, with the weights of its best epoch; the next one goes on from
    there when all have come so far. The epochs of all stages are counted through, and the best is
    that of the last stage. After Ctrl-C the best weights so far are kept, once there are any.
    Without validation graphs it is the training graphs that count.
    """

    learners: Sequence[Learner]
    examples: Examples
    validation: Examples
    plan: Plan
    rng: np.random.Generator
    on_epoch: Callable[[Epoch], None] = lambda _: None

    def run(self) -> list[History]:
        """Train all stages of the networks."""
        histories = [learner.history for learner in self.learners]
        for stage in range(self.learners[0].network.stages):
            try:
                for learner in self.learners:
                    learner.begin(stage)
                self._run_stage()
            except KeyboardInterrupt:
                if not all(history.epochs for history in histories):
                    raise  # there is nothing to keep
                for history in histories:
                    history.interrupted = True
            for learner in self.learners:
                learner.best.restore()
            if histories[0].interrupted:
                break
        return histories

    def _run_stage(self) -> None:
        going = list(self.learners)
        while going:
            epochs = self._run_epoch(going)
            ended = [learner.ends(epoch) for learner, epoch in zip(going, epochs, strict=True)]
            self.on_epoch(epochs[0])
            going = [learner for learner, end in zip(going, ended, strict=True) if not end]

    def _run_epoch(self, learners: Sequence[Learner]) -> list[Epoch]:
        """One pass over the training graphs, then a look at the validation graphs."""
        for learner in learners:
            learner.network.train()
        losses, goals = np.zeros(len(learners)), []
        outputs: list[list[Tensor]] = [[] for _ in learners]
        for graphs, batch in self.examples.drawn(self.rng, self.plan):
            goal, weights = self.examples.of(graphs)
            for number, learner in enumerate(learners):
                loss, output = learner.step(batch, goal, weights)
                losses[number] += loss * len(graphs)
                outputs[number].append(output)
            goals.append(goal)
        goal = torch.cat(goals)
        epochs, looks = [], self._look(learners)
        for number, learner in enumerate(learners):
            score = learner.objective.score(torch.cat(outputs[number]), goal)
            trained = float(losses[number]) / len(goal), score
            checked = looks[number] if looks else trained
            at = len(learner.history.epochs)
            for loss, _ in (trained, checked):
                check_loss(loss, at, self.plan)
            epochs.append(Epoch(at, *trained, *checked))
        return epochs

    def _look(self, learners: Sequence[Learner]) -> list[tuple[float, float]]:
        """Loss and score of everyone on the validation graphs, if there are any."""
        graphs, looks = self.validation.graphs, []
        if not len(graphs):
            return []
        for learner in learners:
            learner.network.eval()
        with torch.inference_mode():
            parts = [
                [learner.outputs(batch) for learner in learners]
                for batch in self.validation.in_turn()
            ]
        goals, weights = self.validation.of(graphs)
        for learner, said in zip(learners, zip(*parts, strict=True), strict=True):
            outputs, objective = torch.cat(said), learner.objective
            loss = float(objective.loss(outputs, goals, weights))
            looks.append((loss, objective.score(outputs, goals)))
        return looks


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
    with torch.random.fork_rng(devices=devices), one_thread():
        torch.manual_seed(seed)
        torch.set_num_threads(1)
        try:
            yield
        finally:
            torch.set_num_threads(threads)
