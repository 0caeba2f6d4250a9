import numpy as np
import pytest
import torch
from torch.autograd import gradcheck
from torch.testing import assert_close

import graphrings as gr
from dense import distances, random_rows
from graphrings.distances.weights import summed
from graphrings.layers.weighted_sum import weighted_sum


@pytest.fixture(scope="module")
def few() -> gr.Dataset:
    return gr.load("MUTAG")[:3]


def sums(dataset: gr.Dataset, radius: int) -> list[torch.Tensor]:
    out = distances(dataset)
    return [torch.from_numpy((out == j).astype(float)) for j in range(radius + 1)]


def test_the_sums_of_all_rings_stand_side_by_side(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 3)
    expected = torch.cat([ring @ h for ring in sums(few, 2)], dim=1)
    assert_close(weighted_sum(h, summed(gr.rings(few, 2))), expected)


def test_every_ring_may_see_columns_of_its_own(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 6)
    parts = zip(sums(few, 2), h.chunk(3, dim=1), strict=True)
    expected = torch.cat([ring @ own for ring, own in parts], dim=1)
    assert_close(weighted_sum(h, summed(gr.rings(few, 2)), blocks=True), expected)


@pytest.mark.parametrize("blocks", [False, True])
def test_gradients(blocks: bool) -> None:
    path = gr.from_edges([[(0, 1), (1, 2), (2, 3)]])
    h = random_rows(4, 4).requires_grad_()
    assert gradcheck(lambda x: weighted_sum(x, gr.rings(path, 1), blocks=blocks), h)


def test_rows_that_lie_scattered_in_memory_will_do(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 6)[:, ::2]
    near = gr.rings(few, 1)
    assert np.array_equal(weighted_sum(h, near), weighted_sum(h.contiguous(), near))
