import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.nn import functional
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.losses import LOSSES
from graphrings.learning.learner import Objective
from graphrings.tasks import TASKS
from graphrings.tasks.task import Task


def goals_of(loss: str, n: int, columns: int, rng: np.random.Generator) -> torch.Tensor:
    if loss == "mse_loss":
        return torch.from_numpy(rng.normal(size=(n, columns)).astype(np.float32))
    return torch.from_numpy(rng.integers(0, columns, n))


@pytest.mark.parametrize("task", TASKS.values(), ids=str)
def test_every_task_has_its_loss(task: Task) -> None:
    assert task.loss in LOSSES


@pytest.mark.parametrize("task", TASKS.values(), ids=str)
@pytest.mark.parametrize("weighted", [False, True])
@given(
    n=st.integers(1, 9),
    columns=st.integers(1, 4),
    scale=st.sampled_from([0.01, 1.0, 100.0]),
    seed=st.integers(0, 99),
)
def test_loss_and_gradient_are_those_of_torch(
    task: Task, weighted: bool, n: int, columns: int, scale: float, seed: int
) -> None:
    """Also for outputs whose exponentials are beyond all numbers."""
    rng, objective = np.random.default_rng(seed), Objective(task, None)  # type: ignore[arg-type]
    outputs = (scale * random_rows(n, columns, seed)).float()
    goals = goals_of(task.loss, n, columns, rng)
    weights = torch.from_numpy(rng.uniform(0.1, 3, n)).float() if weighted else None
    given_weights = None if weights is None else weights.double()
    before = None if given_weights is None else given_weights.clone()
    loss, grad = objective.gradient(outputs, goals, given_weights)
    assert given_weights is None or torch.equal(given_weights, before)
    leaf = outputs.double().requires_grad_()
    losses = getattr(functional, task.loss)(
        leaf, goals.double() if goals.is_floating_point() else goals, reduction="none"
    )
    each = losses.reshape(n, -1).mean(1)
    expected = each.mean() if weights is None else (each * weights).sum() / weights.sum()
    (theirs,) = torch.autograd.grad(expected, leaf)
    assert loss == pytest.approx(expected.item(), rel=1e-6, abs=1e-7)
    assert_close(grad.double(), theirs, rtol=1e-5, atol=1e-7)
    if columns == 1 or task.loss == "cross_entropy":  # what the others are trained with
        assert loss == pytest.approx(
            float(objective.loss(outputs, goals, weights)), rel=1e-4, abs=1e-5
        )
