import pytest
import torch
from torch import nn

from graphrings.learning.adam import FlatAdam


def small_network() -> nn.Module:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))


@pytest.mark.parametrize("elsewhere", [False, True])
@pytest.mark.parametrize("weight_decay", [0.0, 0.3])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_twenty_steps_are_those_of_torch(
    dtype: torch.dtype, weight_decay: float, elsewhere: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where steps are made by torch, as they are on other devices."""
    if elsewhere:
        monkeypatch.setattr(FlatAdam, "_move_compiled", FlatAdam._move_by_torch)
    ours, theirs = small_network().to(dtype), small_network().to(dtype)
    flat = FlatAdam(ours, 0.01, weight_decay=weight_decay)
    peer = torch.optim.AdamW(theirs.parameters(), 0.01, weight_decay=weight_decay)
    generator = torch.Generator().manual_seed(1)
    for _ in range(20):
        x = torch.randn(5, 3, generator=generator, dtype=dtype)
        for network, optimiser in ((ours, flat), (theirs, peer)):
            optimiser.zero_grad()
            network(x).square().sum().backward()
            optimiser.step()
    for mine, other in zip(ours.parameters(), theirs.parameters(), strict=True):
        tolerance = 1e-5 if dtype == torch.float32 else 1e-12
        torch.testing.assert_close(mine, other, rtol=tolerance, atol=tolerance)


def test_parameters_and_gradients_are_views_of_one_vector() -> None:
    network = small_network()
    before = [parameter.detach().clone() for parameter in network.parameters()]
    flat = FlatAdam(network, 0.01)
    assert all(torch.equal(a, b) for a, b in zip(network.parameters(), before, strict=True))
    flat.values.zero_()
    network(torch.ones(1, 3)).sum().backward()
    assert not any(parameter.any() for parameter in network.parameters())
    assert flat.grads.any()
    flat.zero_grad()
    assert not any(parameter.grad.any() for parameter in network.parameters())


def test_weights_that_need_no_gradient_do_not_decay() -> None:
    network = small_network()
    network[0].requires_grad_(False)
    before = network[0].weight.detach().clone()
    flat = FlatAdam(network, 0.01, weight_decay=0.5)
    network(torch.ones(1, 3)).sum().backward()
    flat.step()
    assert torch.equal(network[0].weight, before)
