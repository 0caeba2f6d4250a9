import numpy as np
import torch
from torch.testing import assert_close

from dense import random_rows
from graphrings.fused.wide_map import WideMapPass
from graphrings.fused.workspace import Workspace


def test_it_is_the_map_of_rows_that_are_laid_out() -> None:
    """Three layers; rows 0 and 2 of the last one lead back to one row of the layer before."""
    parents = [np.array([1, 0, 1], np.int32), np.array([2, 0, 2, 1], np.int32)]
    layers = [random_rows(n, c, seed=n).requires_grad_() for n, c in ((2, 3), (3, 2), (4, 1))]
    weight = random_rows(5, 6).requires_grad_()
    first = parents[0][parents[1]]
    rows = torch.cat([layers[0][first], layers[1][parents[1].tolist()], layers[2]], dim=1)
    expected, grad = rows @ weight.t(), random_rows(4, 5, seed=9)
    grads = torch.autograd.grad(expected, [weight, *layers], grad)

    passes = WideMapPass(weight.detach().numpy(), [3, 2, 1], Workspace(np.dtype("f8")))
    made = np.empty((5, 6))
    for _ in range(2):  # also in memory that was used before
        out = passes.forward([h.detach().numpy() for h in layers], parents)
        assert_close(torch.from_numpy(out), expected.detach())
        ours = passes.backward(grad.numpy().copy(), made)
        assert_close([torch.from_numpy(array) for array in (made, *ours)], list(grads))
