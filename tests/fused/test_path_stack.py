import numpy as np
import torch
from torch import nn
from torch.testing import assert_close

from dense import random_rows
from graphrings.distances.path_rings import path_rings
from graphrings.fused.arrays import Floats
from graphrings.fused.path_stack import PathPass
from graphrings.fused.workspace import Workspace

LENGTHS = np.array([1, 5, 2])


def by_block(weight: torch.Tensor) -> Floats:
    """The filters of torch's window, those of every place below each other."""
    return weight.detach().permute(2, 0, 1).reshape(-1, weight.shape[1]).numpy().copy()


def test_two_layers_are_two_convolutions_of_torch_on_every_path() -> None:
    """The filters of the first layer are applied before, to rows that the paths lead to."""
    torch.manual_seed(0)
    convs = [nn.Conv1d(c, out, 3, padding=1).double() for c, out in ((4, 3), (3, 2))]
    given, places = random_rows(9, 4).requires_grad_(), torch.randperm(9)[: LENGTHS.sum()]
    made, at = [], 0
    for length in LENGTHS.tolist():
        x = given[places[at : at + length]].t()
        for conv in convs:
            x = torch.relu(conv(x))
        made.append(x.t())
        at += length
    expected, grad = torch.cat(made), random_rows(8, 2, seed=3)
    parameters = [p for conv in convs for p in (conv.weight, conv.bias)]
    wanted = torch.autograd.grad(expected, [given, *parameters], grad)

    filters = [(by_block(conv.weight), conv.bias.detach().numpy()) for conv in convs]
    near = path_rings(LENGTHS, 1)
    first = type(near).trusted(
        3, near.indptr, places.numpy().astype(np.int32)[near.indices], near.weights
    )
    passes = PathPass(filters[0][1], filters[1:], Workspace(np.dtype("f8")))
    bias, own = np.empty(3), [(np.empty_like(filters[1][0]), np.empty(2))]
    for _ in range(2):
        out = passes.forward(given.detach().numpy() @ filters[0][0].T, first, near)
        assert_close(torch.from_numpy(out), expected.detach())
        rows = passes.backward(grad.numpy().copy(), bias, own)
        ours = rows @ filters[0][0], bias, own[0][0], own[0][1]
        theirs = wanted[0].numpy(), wanted[2].numpy(), by_block(wanted[3]), wanted[4].numpy()
        for one, other in zip(ours, theirs, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-12)
