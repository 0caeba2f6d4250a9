"""Several networks that differ in their seeds: each with a start of its own, trained together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from graphrings.learning.learner import Epoch, History, Learner, Objective, Plan
from graphrings.learning.trainer import Examples, Training
from graphrings.networks.network import Network

N_SEEDS = 2**31 - 1


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


def train_members(
    starts: Sequence[Start],
    objective: Objective,
    examples: tuple[Examples, Examples],
    plan: Plan,
    on_epoch: Callable[[Epoch], None],
) -> list[History]:
    """Train networks of different seeds, each as if it were alone, to the last bit.

    All take their steps on the same batches, one after the other, so that a batch is made once. In
    stages of several networks their batches would depend on who needs the most epochs, so that
    those are trained in turn.
    """
    alone = len(starts) == 1
    learners = [
        Learner(start.network, objective, plan, None if alone else start.drawn) for start in starts
    ]
    torch.set_rng_state(starts[0].drawn)
    groups = [learners] if starts[0].network.stages == 1 else [[one] for one in learners]
    histories: list[History] = []
    for group in groups:
        rng = np.random.default_rng(starts[0].seed)
        histories += Training(group, *examples, plan, rng, on_epoch).run()
        if histories[-1].interrupted and len(histories) < len(starts):
            raise KeyboardInterrupt  # some members know nothing yet
    return histories
