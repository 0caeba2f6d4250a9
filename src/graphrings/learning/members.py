"""Several networks that differ in their seeds: each with a start of its own, trained together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn.utils import vector_to_parameters

from graphrings.learning.member_adam import MemberAdam
from graphrings.learning.schedules import SCHEDULES, Constant
from graphrings.learning.trainer import (
    Best,
    Epoch,
    Examples,
    History,
    Objective,
    Plan,
    Training,
    check_loss,
)
from graphrings.networks.network import Network

N_SEEDS = 2**31 - 1
LARGE_BLOCK = 2**25 - 2**16  # bytes, just below the most that glibc keeps


class Start(NamedTuple):
    """A network before its training, its seed, and the state in which that left what is drawn."""

    network: Network
    seed: int
    drawn: Tensor


def start_members(build: Callable[[], Network], seed: int, n_members: int) -> list[Start]:
    """Networks of different seeds, the first of which has the seed itself."""
    starts = []
    for number in range(n_members):
        own = seed
        if number:
            own = int(np.random.SeedSequence([seed, number]).generate_state(1)[0]) % N_SEEDS
        torch.manual_seed(own)
        starts.append(Start(build(), own, torch.get_rng_state()))
    return starts


def train_in_turn(
    starts: Sequence[Start],
    parts: tuple[Objective, Examples, Examples, Plan],
    seed: int,
    on_epoch: Callable[[Epoch], None],
) -> list[History]:
    """Train one network after the other, each on the same batches."""
    histories: list[History] = []
    for start in starts:
        torch.manual_seed(start.seed)
        torch.set_rng_state(start.drawn)
        rng = np.random.default_rng(seed)
        histories.append(Training(start.network, *parts, rng, on_epoch=on_epoch).run())
        if histories[-1].interrupted and len(histories) < len(starts):
            raise KeyboardInterrupt  # some members know nothing yet
    return histories


@dataclass(eq=False)
class Member:
    """What belongs to one network of several: what it draws from, its best weights, its history."""

    network: Network
    generator: torch.Generator
    best: Best
    schedule: Constant
    history: History = field(default_factory=History)


@dataclass(eq=False)
class TrainingTogether:
    """Several networks trained as one: a batch is made once, and every step is taken for all.

    Everyone sees the same batches, has a start, a dropout and a learning rate of its own, and
    stops early by itself, with the weights of its best epoch: the numbers are those of
    ``train_in_turn``, up to rounding.
    """

    starts: Sequence[Start]
    objective: Objective
    examples: Examples
    validation: Examples
    plan: Plan
    rng: np.random.Generator
    on_epoch: Callable[[Epoch], None] = lambda _: None

    def run(self) -> list[History]:
        """Train until everyone has stopped."""
        plan = self.plan
        # The C library keeps freed memory up to the size of the largest block that was ever freed,
        # and gives the rest back to the system: a fifth of the time here. Nobody touches this one.
        torch.empty(LARGE_BLOCK, dtype=torch.uint8)
        networks = [start.network for start in self.starts]
        optimiser = MemberAdam(networks, plan.learning_rate, plan.weight_decay)
        members = [
            Member(
                start.network,
                torch.Generator().set_state(start.drawn),
                Best([row], self.objective.task, plan),
                SCHEDULES[plan.schedule](plan.learning_rate, plan.max_epochs, plan.patience),
            )
            for start, row in zip(self.starts, optimiser.values, strict=True)
        ]
        try:
            self._run_epochs(optimiser, list(members))
        except KeyboardInterrupt:
            if not members[0].history.epochs:
                raise  # there is nothing to keep
            for member in members:
                member.history.interrupted = True
        for member in members:
            vector_to_parameters(member.best.kept[0], member.network.parameters())
        return [member.history for member in members]

    def _run_epochs(self, optimiser: MemberAdam, going: list[Member]) -> None:
        for number in range(self.plan.max_epochs):
            epochs = self._run_epoch(number, optimiser, [member.generator for member in going])
            for place, (member, epoch) in enumerate(zip(going, epochs, strict=True)):
                member.history.epochs.append(epoch)
                if improved := member.best.sees(epoch):
                    member.history.best = number
                optimiser.rates[place] = member.schedule.after(number + 1, improved)
            self.on_epoch(epochs[0])
            still = [
                place
                for place, member in enumerate(going)
                if number - member.history.best < self.plan.patience
            ]
            if len(still) < len(going):
                going = [going[place] for place in still]
                optimiser.keep(still)
                for member, row in zip(going, optimiser.values, strict=True):
                    member.best.state = [row]
            if not going:
                break

    def _run_epoch(
        self, number: int, optimiser: MemberAdam, generators: list[torch.Generator]
    ) -> list[Epoch]:
        """One pass over the training graphs, then a look at the validation graphs."""
        network, outputs, goals = self.starts[0].network, [], []
        losses = np.zeros(len(generators))
        for graphs, batch in self.examples.drawn(self.rng, self.plan):
            goal, weights = self.examples.of(graphs)
            output = network.together(optimiser.stacked, batch, generators)
            each = self.objective.losses(output, goal, weights)
            optimiser.step(each.sum())
            losses += each.detach().double().numpy() * len(graphs)
            outputs.append(output.detach())
            goals.append(goal)
        goal = torch.cat(goals)
        trained = self._seen((losses / len(goal)).tolist(), torch.cat(outputs, 1), goal)
        checked = trained
        if len(self.validation.graphs):
            checked = self._checked(optimiser)
        for loss, _ in (*trained, *checked):
            check_loss(loss, number, self.plan)
        return [Epoch(number, *one, *other) for one, other in zip(trained, checked, strict=True)]

    def _checked(self, optimiser: MemberAdam) -> list[tuple[float, float]]:
        """Loss and score of everyone on the validation graphs."""
        examples, network = self.validation, self.starts[0].network
        with torch.inference_mode():
            parts = [network.together(optimiser.stacked, batch, ()) for batch in examples.in_turn()]
        outputs, (goals, weights) = torch.cat(parts, 1), examples.of(examples.graphs)
        return self._seen(self.objective.losses(outputs, goals, weights).tolist(), outputs, goals)

    def _seen(
        self, losses: Sequence[float], outputs: Tensor, goals: Tensor
    ) -> list[tuple[float, float]]:
        pairs = zip(losses, outputs, strict=True)
        return [(float(loss), self.objective.score(output, goals)) for loss, output in pairs]
