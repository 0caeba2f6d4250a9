from collections.abc import Iterator

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.testing import assert_close

import graphrings as gr
from dense import adjacency, mean_over, random_rows
from graphrings.errors import LayerError
from graphrings.fused.lane import lane
from graphrings.layers import GNNConv
from graphrings.layers.fixed_point import settled

PAW = gr.from_edges([[(0, 1), (1, 2), (0, 2), (2, 3)], [(0, 1)]], n_nodes=[5, 2])  # 4 is alone
X = random_rows(7, 2)


@pytest.fixture(autouse=True, params=[True, False], ids=["fused", "plain"])
def each_lane(request: pytest.FixtureRequest) -> Iterator[None]:
    """All of it in both lanes."""
    with lane(fused=request.param):
        yield


def steep(mu: float = 0.9, max_steps: int = 1000) -> GNNConv:
    """Weights that would be no contraction without being scaled down."""
    torch.manual_seed(0)
    conv = GNNConv(2, 3, 4, mu=mu, tolerance=1e-13, max_steps=max_steps).double()
    for parameter in conv.parameters():
        nn.init.normal_(parameter)
    return conv


def equation(conv: GNNConv, h: Tensor, dataset: gr.Dataset, x: Tensor) -> Tensor:
    """The right-hand side of Eq. (1), pair by pair; U is scaled by the norms."""
    near = adjacency(dataset)
    u, v = conv.state.weight, conv.out.weight
    norms = torch.linalg.svdvals(u)[0] * torch.linalg.svdvals(v)[0]
    u = u * torch.clamp(conv.mu / norms, max=1)
    rows = []
    for node in range(dataset.n_nodes):
        inner = [
            u @ h[k] + conv.own(x[node]) + conv.other(x[k]) for k in np.flatnonzero(near[node])
        ]
        seen = [conv.out(torch.tanh(row)) for row in inner]
        rows.append(torch.stack(seen).mean(0) if seen else torch.zeros(3).double())
    return torch.stack(rows)


def test_it_solves_the_equation() -> None:
    conv = steep()
    h = conv(X, gr.rings(PAW, 1))
    assert_close(equation(conv, h, PAW, X), h)


def test_the_start_does_not_matter() -> None:
    conv, near = steep(), gr.rings(PAW, 1)
    assert_close(conv(X, near, start=100 * random_rows(7, 3)), conv(X, near), rtol=0, atol=1e-11)


def test_more_steps_move_nothing_by_more_than_the_tolerance() -> None:
    conv, near = steep(), gr.rings(PAW, 1)
    conv.tolerance = 1e-4
    with torch.no_grad():
        h = result = conv(X, near)
        for _ in range(100):
            before, h = h, conv.step(X, near)(h)
            assert float((h - before).abs().max()) <= 1e-4
    assert float((h - result).abs().max()) > 1e-9  # it had stopped early


@pytest.mark.parametrize("mu", [0.3, 0.9])
def test_a_step_is_a_contraction(mu: float) -> None:
    conv = steep(mu)
    step = conv.step(X, gr.rings(PAW, 1))
    one, two = random_rows(7, 3, seed=1), random_rows(7, 3, seed=2)
    for _ in range(5):
        apart = (one - two).norm(dim=1).max()
        one, two = step(one), step(two)
        assert (one - two).norm(dim=1).max() <= mu * apart


def test_gentle_weights_are_left_as_they_are() -> None:
    conv = steep()
    conv.state.weight.data *= 0.01
    assert torch.equal(conv.bounded(), conv.state.weight)


def test_the_gradient_is_that_of_finite_differences() -> None:
    conv, near = steep(0.6), gr.rings(PAW, 1)
    names, values = zip(*conv.named_parameters(), strict=True)

    def result(x: Tensor, *weights: Tensor) -> Tensor:
        given = dict(zip(names, weights, strict=True))
        return torch.func.functional_call(conv, given, (x, near))  # type: ignore[no-any-return]

    assert torch.autograd.gradcheck(result, (X.clone().requires_grad_(), *values), fast_mode=True)


def test_the_gradient_is_that_through_all_steps() -> None:
    dataset = gr.load("MUTAG")[:3]
    conv, near, x = steep(), gr.rings(dataset, 1), random_rows(dataset.n_nodes, 2)
    weights = random_rows(dataset.n_nodes, 3, seed=1)
    result = torch.autograd.grad((conv(x, near) * weights).sum(), list(conv.parameters()))
    step, h = conv.step(x, near), torch.zeros(dataset.n_nodes, 3).double()
    for _ in range(200):
        h = step(h)
    expected = torch.autograd.grad((h * weights).sum(), list(conv.parameters()))
    assert_close(result, expected, rtol=1e-6, atol=1e-6)


def test_who_is_alone_has_zeros() -> None:
    h = steep()(X, gr.rings(PAW, 1))
    assert h[4].tolist() == [0, 0, 0]
    edgeless = gr.from_edges([[]], n_nodes=[2])
    assert steep()(X[:2], gr.rings(edgeless, 1)).tolist() == [[0, 0, 0]] * 2


def test_the_steps_have_a_limit() -> None:
    conv, near = steep(max_steps=3), gr.rings(PAW, 1)
    with torch.no_grad():
        h, step = torch.zeros(7, 3).double(), conv.step(X, near)
        assert_close(conv(X, near), step(step(step(h))))
    assert settled(lambda h: h + 1, torch.zeros(1), 0.5, 4).tolist() == [4]
    assert settled(lambda h: h / 2, torch.ones(1), 0.25, 9).tolist() == [0.25]


def test_a_sparse_mean_is_a_dense_one() -> None:
    """Without the part inside f there is only the mean: f(h) = V tanh(b) + c."""
    conv = steep()
    for part in (conv.state, conv.own, conv.other):
        nn.init.zeros_(part.weight)
    value = conv.out(torch.tanh(conv.own.bias))
    share = mean_over(adjacency(PAW)).sum(dim=1, keepdim=True)
    assert_close(conv(X, gr.rings(PAW, 1)), share * value)


def test_other_rings_are_refused() -> None:
    with pytest.raises(LayerError, match=r"takes rings of radius 1 .* got Rings\(radius 2"):
        steep()(X, gr.rings(PAW, 2))
