import numpy as np
import pytest
import torch
from graphrings.layers.ring_sum import ring_sum
from torch.autograd import gradcheck
from torch.testing import assert_close

import graphrings as gr
from dense import distances, random_rows
from graphrings.distances.weights import summed


@pytest.fixture(scope="module")
def few() -> gr.Dataset:
    return gr.load("MUTAG")[:3]


def sums(dataset: gr.Dataset, radius: int) -> list[torch.Tensor]:
    found = distances(dataset)
    return [torch.from_numpy((found == j).astype(float)) for j in range(radius + 1)]


def test_the_sums_of_all_rings_stand_side_by_side(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 3)
    expected = torch.cat([ring @ h for ring in sums(few, 2)], dim=1)
    assert_close(ring_sum(h, summed(gr.rings(few, 2))), expected)


def test_every_ring_may_see_columns_of_its_own(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 6)
    parts = zip(sums(few, 2), h.chunk(3, dim=1), strict=True)
    expected = torch.cat([ring @ own for ring, own in parts], dim=1)
    assert_close(ring_sum(h, summed(gr.rings(few, 2)), blocks=True), expected)


@pytest.mark.parametrize("blocks", [False, True])
def test_gradients(blocks: bool) -> None:
    path = gr.from_edges([[(0, 1), (1, 2), (2, 3)]])
    h = random_rows(4, 4).requires_grad_()
    assert gradcheck(lambda x: ring_sum(x, gr.rings(path, 1), blocks=blocks), h)


@pytest.mark.parametrize("blocks", [False, True])
def test_other_devices_get_the_same_numbers(blocks: bool, few: gr.Dataset) -> None:
    """The path of other devices, walked on this one."""
    from graphrings.layers.ring_conv import ring_mean

    h, near = random_rows(few.n_nodes, 4), gr.rings(few, 1)
    expected = ring_mean(h if blocks else h.repeat(1, 2), near)
    assert_close(ring_sum(h, near, blocks=blocks), expected)


def test_rows_that_lie_scattered_in_memory_will_do(few: gr.Dataset) -> None:
    h = random_rows(few.n_nodes, 6)[:, ::2]
    near = gr.rings(few, 1)
    assert np.array_equal(ring_sum(h, near), ring_sum(h.contiguous(), near))
