"""What every trial would load first, so that it is in memory when a process is forked for it."""

import click  # noqa: F401
import hypothesis.extra.numpy  # noqa: F401
import networkx  # noqa: F401
import numba
import pytest  # noqa: F401
import scipy.sparse
import scipy.stats  # noqa: F401
import sklearn.model_selection
import sklearn.svm  # noqa: F401
import torch
import torch._dynamo  # an optimiser loads it at its first step
import xdist  # noqa: F401


def warm_up() -> None:
    """Compile a loop and take a step: both load what they need when they are first asked."""
    numba.njit(lambda x: x + 1)(1)
    torch.set_num_threads(1)
    weights = torch.ones(2, requires_grad=True)
    weights.sum().backward()
    torch.optim.Adam([weights]).step()


warm_up()
