import torch
from benchmarks.floor import n_multiplications, products_alone, recorded_products


def test_the_floor_is_made_of_the_products_forward_and_backward() -> None:
    """A linear map of two rows, and the gradient of its weights; the rows ask for none."""
    linear, rows = torch.nn.Linear(3, 5), torch.ones(2, 3)
    products = recorded_products(lambda: linear(rows).tanh().sum().backward())
    shapes = [tuple(side[0] for side in product) for product in products]
    assert shapes == [((2, 3), (3, 5)), ((5, 2), (2, 3))]
    assert n_multiplications(products) == 2 * 3 * 5 + 5 * 2 * 3
    assert recorded_products(products_alone(products)) == products
