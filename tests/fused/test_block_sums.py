import numpy as np
import pytest
from torch.testing import assert_close

import graphrings as gr
from dense import random_rows
from graphrings.distances.weights import averaged_together
from graphrings.fused.arrays import weighted_arrays
from graphrings.fused.block_sums import gather_sums, scatter_sums
from graphrings.fused.lane import lane
from graphrings.hardware import SHORT, SPAN
from graphrings.layers.weighted_sum import weighted_sum

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone
NEAR = averaged_together(gr.rings(PATH, 2))
ARRAYS = weighted_arrays(NEAR, np.dtype("f8"))
columns = pytest.mark.parametrize("columns", [2, SHORT, SPAN + SHORT + 1])


@columns
def test_they_are_the_plain_sums_over_all_blocks(columns: int) -> None:
    rows, bias = random_rows(5, 3 * columns), random_rows(1, columns, seed=1)[0]
    out = np.full((5, columns), np.nan)
    gather_sums(rows.numpy(), bias.numpy(), *ARRAYS, out)
    with lane(fused=False):
        plain = weighted_sum(rows, NEAR, blocks=True).view(5, 3, columns).sum(1) + bias
    assert_close(out, plain.numpy())


@columns
def test_the_way_back_is_the_transpose(columns: int) -> None:
    """(A x) y = x (A' y), for any x and y; what was there before stays in the sum."""
    rows, grad = random_rows(5, 3 * columns).numpy(), random_rows(5, columns, seed=1).numpy()
    out, before = np.empty((5, columns)), random_rows(5, 3 * columns, seed=2).numpy()
    gather_sums(rows, np.zeros(columns), *ARRAYS, out)
    rows_grad = before.copy()
    scatter_sums(grad, *ARRAYS, rows_grad)
    assert_close((out * grad).sum(), (rows * (rows_grad - before)).sum())
