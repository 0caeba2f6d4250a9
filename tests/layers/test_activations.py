import pytest
import torch

from graphrings.errors import LayerError
from graphrings.layers.activations import ACTIVATIONS, activated


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


def test_every_ring_may_have_its_own_and_the_last_name_is_for_the_rest() -> None:
    x = torch.tensor([[-1.0, 1.0, -1.0, 1.0, -1.0, 1.0]])
    out = activated(x, "identity+relu", 3)
    assert out.tolist() == [[-1, 1, 0, 1, 0, 1]]
    assert activated(x, "relu", 3).tolist() == [[0, 1, 0, 1, 0, 1]]


def test_more_names_than_rings_are_refused() -> None:
    with pytest.raises(LayerError) as caught:
        activated(torch.ones(1, 2), "tanh+relu+gelu", 2)
    assert str(caught.value) == "activation = 'tanh+relu+gelu' for 2 rings; expected one for each"
