import numpy as np
import torch
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.adam_step import adam_step


def test_it_is_the_step_of_torch() -> None:
    theirs = random_rows(5, 1)[:, 0].requires_grad_()
    ours = theirs.detach().numpy().copy()
    optimiser = torch.optim.Adam([theirs], lr=0.1)
    means, squares = np.zeros(5), np.zeros(5)
    for step in range(1, 4):
        grads = random_rows(5, 1, seed=step)[:, 0]
        theirs.grad = grads
        optimiser.step()
        scale = 1 / np.sqrt(1 - 0.999**step)
        rates = 0.1 / (1 - 0.9**step), 1 - 0.9, 1 - 0.999, scale, 1e-8
        adam_step(ours, grads.numpy(), means, squares, *rates)
    assert_close(torch.from_numpy(ours), theirs.detach())
