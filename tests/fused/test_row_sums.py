import pytest
import torch

import graphrings as gr
from dense import random_rows
from graphrings.layers.weighted_sum import weighted_sum, weighted_sums
from lanes import assert_lanes_agree

PATH = gr.from_edges([[(0, 1), (1, 2), (2, 3)], []], n_nodes=[4, 1])  # and a node alone


@pytest.mark.parametrize("blocks", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_they_are_the_plain_sums(blocks: bool, dtype: torch.dtype) -> None:
    rows, near = random_rows(5, 6).to(dtype).requires_grad_(), gr.rings(PATH, 2)
    assert_lanes_agree(lambda: weighted_sum(rows, near, blocks=blocks), [rows])


def test_several_at_once_are_one_after_the_other() -> None:
    one, other = random_rows(5, 3).requires_grad_(), random_rows(5, 2, seed=1).requires_grad_()
    near = [gr.rings(PATH, 1), gr.walk_rings(PATH, 2)]
    assert_lanes_agree(lambda: torch.cat(weighted_sums([one, other], near), dim=1), [one, other])


def test_nothing_but_empty_blocks_gives_zeros() -> None:
    alone = gr.rings(gr.from_edges([[]], n_nodes=[2]), 1)
    near = alone.weighted(alone.weights)
    near.indptr[:] = 0
    near.indices = near.indices[:0]
    near.weights = near.weights[:0]
    rows = random_rows(2, 3).requires_grad_()
    assert_lanes_agree(lambda: weighted_sum(rows, near), [rows])
    assert not weighted_sum(rows, near).any()
