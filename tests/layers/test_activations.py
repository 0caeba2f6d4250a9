import pytest
import torch

from graphrings.layers.activations import ACTIVATIONS


@pytest.mark.parametrize(
    ("name", "below", "above"),
    [
        ("tanh", -0.7616, 0.7616),
        ("relu", 0, 1),
        ("leaky_relu", -0.01, 1),
        ("elu", -0.6321, 1),
        ("gelu", -0.1587, 0.8413),
        ("sigmoid", 0.2689, 0.7311),
        ("identity", -1, 1),
    ],
)
def test_every_name_means_what_users_expect(name: str, below: float, above: float) -> None:
    out = ACTIVATIONS[name](torch.tensor([-1.0, 1.0]))
    assert out.tolist() == pytest.approx([below, above], abs=1e-4)
